//! What the search for models reads besides `redraft.toml`: environment variables,
//! key files and a local Ollama server. It is passed in, so that tests can fake it.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

pub struct Environment<'a> {
    pub variables: BTreeMap<String, String>,
    pub read: &'a dyn Fn(&Path) -> io::Result<String>,
    /// Lists the models of the Ollama server at `host:port`, the largest first;
    /// `None` if no server answers.
    pub ollama: &'a dyn Fn(&str) -> Option<Vec<String>>,
}

impl Environment<'static> {
    /// Variables that are not UTF-8 are left out: they cannot be keys.
    #[must_use]
    pub fn of_process() -> Self {
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Self {
            variables,
            read: &|path| std::fs::read_to_string(path),
            ollama: &super::ollama::models,
        }
    }
}

impl Environment<'_> {
    /// The value of a variable that is set and not blank.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(|value| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// Whether an Ollama server that is not configured may be looked for.
    #[must_use]
    pub fn may_probe(&self) -> bool {
        self.variable("REDRAFT_NO_PROBE")
            .is_none_or(|value| value == "0")
    }
}

impl std::fmt::Debug for Environment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Only names: the values may be keys.
        f.debug_struct("Environment")
            .field("variables", &self.variables.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
