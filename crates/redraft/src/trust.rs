//! Which configurations may send a key somewhere (ruling 67). A `redraft.toml` that was
//! found by walking up came with the folder; whoever made the folder must not get a key.
//!
//! | a provider of such a file | needs trust |
//! |---|---|
//! | built-in, at its own address, with its own variable | no |
//! | on this machine, without a key of its own | no |
//! | at any other address | yes |
//! | with `key-env` or `key-file` | yes |
//! | `[service]` with `database`, `otlp` or `webhook-hosts` | yes |
//!
//! A file is trusted by the hash of its bytes, which the user's own configuration lists
//! (`redraft trust`); one that is named with `--config` is trusted anyway.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

use crate::config::{Config, defaults};
use crate::files::{self, HardLinks};
use crate::models::is_loopback;
use crate::user_key;

/// What of a configuration needs trust, with its line.
pub(crate) struct NeedsTrust {
    pub(crate) line: usize,
    pub(crate) what: String,
}

/// Everything in a configuration that needs trust.
pub(crate) fn needs_trust(config: &Config) -> Vec<NeedsTrust> {
    let source = config.source();
    let mut found = Vec::new();
    for (name, section) in &config.file().providers {
        let known = defaults::known(name);
        if let Some(url) = &section.base_url
            && !is_loopback(url)
            && known.is_none_or(|known| known.base_url != url.as_str())
        {
            found.push(NeedsTrust {
                line: source.line(url),
                what: format!("[providers.{name}] sends texts and keys to {}", host(url)),
            });
        }
        if let Some(variable) = &section.key_env
            && known.and_then(|known| known.key) != Some(variable.as_str())
        {
            found.push(NeedsTrust {
                line: source.line(variable),
                what: format!("[providers.{name}] names its own key-env"),
            });
        }
        if let Some(file) = &section.key_file {
            found.push(NeedsTrust {
                line: source.line(file),
                what: format!("[providers.{name}] names its own key-file"),
            });
        }
    }
    found.extend(service_needs_trust(config));
    found.sort_by_key(|one| one.line);
    found
}

/// What of `[service]` needs trust.
pub(crate) fn service_needs_trust(config: &Config) -> Vec<NeedsTrust> {
    let source = config.source();
    let mut found = Vec::new();
    let service = &config.file().service;
    let named = [
        (
            "database",
            &service.database,
            "keeps texts and keys elsewhere",
        ),
        ("otlp", &service.otlp, "sends traces elsewhere"),
    ];
    for (key, value, what) in named {
        if let Some(value) = value {
            found.push(NeedsTrust {
                line: source.line(value),
                what: format!("{key} of [service] {what}"),
            });
        }
    }
    if let Some(hosts) = &service.webhook_hosts {
        found.push(NeedsTrust {
            line: source.line(hosts),
            what: "[service] allows webhook hosts".to_owned(),
        });
    }
    found.sort_by_key(|one| one.line);
    found
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}

/// Whether the user has trusted a configuration with these bytes.
pub(crate) fn is_trusted(bytes: &[u8]) -> bool {
    let listed = list().and_then(|path| fs::read_to_string(path).ok());
    let hash = hash(bytes);
    listed.is_some_and(|listed| {
        let first = |line: &str| line.split_whitespace().next() == Some(hash.as_str());
        listed.lines().any(first)
    })
}

/// Trusts a configuration, from now on and as long as its bytes stay the same.
///
/// # Errors
/// When the list cannot be written.
pub(crate) fn trust(path: &Path, bytes: &[u8]) -> anyhow::Result<PathBuf> {
    let list = list().context(
        "your configuration folder was not found; set HOME, or name the file with --config",
    )?;
    if is_trusted(bytes) {
        return Ok(list);
    }
    let mut listed = match fs::read_to_string(&list) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", list.display()));
        }
    };
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = redraft_report::plain::words(&whole.to_string_lossy()).into_owned();
    listed.push_str(&format!("{}  {name}\n", hash(bytes)));
    files::put(&list, listed.as_bytes(), HardLinks::Break)?;
    Ok(list)
}

/// The list of trusted configurations.
fn list() -> Option<PathBuf> {
    user_key::folder().map(|folder| folder.join("trusted"))
}

pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sends_a_key_elsewhere_needs_trust() {
        for (text, expected) in [
            ("", 0),
            ("[providers.openai]\nin-flight = 2\n", 0),
            (
                "[providers.openai]\nbase-url = \"https://api.openai.com/v1\"\nkey-env = \"OPENAI_API_KEY\"\n",
                0,
            ),
            (
                "[providers.x]\nbase-url = \"http://localhost:8000/v1\"\n",
                0,
            ),
            (
                "[providers.x]\nbase-url = \"https://models.example.org/v1\"\n",
                1,
            ),
            (
                "[providers.openai]\nbase-url = \"https://models.example.org/v1\"\n",
                1,
            ),
            (
                "[providers.openai]\nkey-env = \"AWS_SECRET_ACCESS_KEY\"\n",
                1,
            ),
            ("[providers.openai]\nkey-file = \"../key\"\n", 1),
            (
                "[providers.x]\nbase-url = \"http://127.0.0.1:1/v1\"\nkey-env = \"HOUSE_KEY\"\n",
                1,
            ),
            (
                "[providers.x]\nbase-url = \"https://models.example.org/v1\"\nkey-env = \"HOUSE_KEY\"\n",
                2,
            ),
        ] {
            let config = Config::parse(text, Path::new("redraft.toml")).unwrap();
            assert_eq!(needs_trust(&config).len(), expected, "{text}");
        }
    }
}
