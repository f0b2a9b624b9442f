//! What lies around the program when it looks for models: variables, key files,
//! a local Ollama. Everything is handed in, so that whoever resolves reads
//! nothing himself.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// What can be seen from here.
pub struct Surroundings<'a> {
    /// The environment variables.
    pub variables: BTreeMap<String, String>,
    /// Reads a key file.
    pub read: &'a dyn Fn(&Path) -> io::Result<String>,
    /// The models of the Ollama at an address (`host:port`), the largest first;
    /// `None` if none answers.
    pub ollama: &'a dyn Fn(&str) -> Option<Vec<String>>,
}

impl Surroundings<'static> {
    /// Those of this process. A variable that is no text cannot be a key.
    #[must_use]
    pub fn of_this_process() -> Self {
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

impl Surroundings<'_> {
    /// A variable that is set to something.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(|value| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// Whether it is allowed to look for an Ollama that nobody mentioned.
    #[must_use]
    pub fn may_probe(&self) -> bool {
        self.variable("REDRAFT_NO_PROBE")
            .is_none_or(|value| value == "0")
    }
}

impl std::fmt::Debug for Surroundings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Names alone: the values may be keys.
        f.debug_struct("Surroundings")
            .field("variables", &self.variables.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
