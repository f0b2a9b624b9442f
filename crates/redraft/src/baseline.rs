//! A baseline lists known findings, so that only new ones fail.
//!
//! A finding is identified by its file, its check and the words it points at, not by
//! its line, so a baseline survives edits elsewhere in the file. Two equal findings are
//! listed with the count 2; a third one is new.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, bail};
use redraft_gate::content::Document;
use redraft_gate::examine::KnownFindings;
use redraft_gate::finding::Finding;
use serde::{Deserialize, Serialize};

use crate::files::{self, HardLinks};

const SCHEMA: u32 = 1;

/// Known findings by file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Baseline {
    schema: u32,
    /// Path, then `CODE fingerprint`, then how often.
    files: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Default for Baseline {
    fn default() -> Self {
        Self {
            schema: SCHEMA,
            files: BTreeMap::new(),
        }
    }
}

impl Baseline {
    /// The baseline in the text of a file at a path.
    ///
    /// # Errors
    /// When it is not a baseline in this format.
    pub fn parse(text: &str, path: &Path) -> anyhow::Result<Self> {
        let baseline: Self = serde_json::from_str(text)
            .with_context(|| format!("{} is not a redraft baseline file; write one with `redraft check --write-baseline`", path.display()))?;
        if baseline.schema != SCHEMA {
            bail!(
                "{} has baseline format {}, but this redraft reads format {SCHEMA}; write it again with `redraft check --write-baseline`",
                path.display(),
                baseline.schema
            );
        }
        Ok(baseline)
    }

    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        files::put(path, text.as_bytes(), HardLinks::Refuse)
    }

    pub fn add(&mut self, path: &str, document: &Document, findings: &[Finding]) {
        for finding in findings {
            let known = self.files.entry(path.to_owned()).or_default();
            *known
                .entry(KnownFindings::key(document, finding))
                .or_default() += 1;
        }
    }

    pub fn merge(&mut self, other: Self) {
        for (path, known) in other.files {
            let entry = self.files.entry(path).or_default();
            for (key, count) in known {
                *entry.entry(key).or_default() += count;
            }
        }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.files.values().flat_map(BTreeMap::values).sum()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What it lists of a file.
    #[must_use]
    pub fn of_file(&self, path: &str) -> KnownFindings {
        KnownFindings(self.files.get(path).cloned().unwrap_or_default())
    }
}
