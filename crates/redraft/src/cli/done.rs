//! Texts that need no further run (ruling 69): the accepted result of a finished run under
//! the same policy, rubric, companions and models. Beside the journals there is a small
//! file for each, sealed with the user's key, that names its run.
//!
//! Scripts and recordings are no models: what they accepted is not remembered.

use std::fs;
use std::path::{Path, PathBuf};

use redraft_engine::journal::Journal;
use redraft_engine::verdicts::UserKey;
use redraft_gate::span::Version;
use redraft_report::judge_report::Judged;
use redraft_run::outcome::{Outcome, Status};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::ended::ended;
use super::record::Record;
use crate::files::{self, HardLinks};
use crate::inspection::path_text;

/// What is remembered of accepted texts in a folder of runs.
pub(super) struct Done {
    runs: PathBuf,
    key: UserKey,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    /// What the run rested on, and the text that it accepted.
    done: String,
    run: String,
}

impl Done {
    pub(super) fn beside_journals(runs: &Path, key: UserKey) -> Self {
        Self {
            runs: runs.to_owned(),
            key,
        }
    }

    /// Remembers the text of an outcome, if it was accepted. Failing to is no reason to
    /// fail the run.
    pub(super) fn remember(&self, record: &Record, run: &str, outcome: &Outcome) {
        let is_accepted = matches!(outcome.status, Status::Accepted | Status::AcceptedWarning);
        if !is_accepted || outcome.scripted {
            return;
        }
        let Some((name, path)) = self.place(record, outcome.content) else {
            return;
        };
        let entry = Entry {
            done: name,
            run: run.to_owned(),
        };
        if let Ok(body) = serde_json::to_string(&entry) {
            let code = self.key.code(body.as_bytes());
            let text = format!("{code}\n{body}\n");
            let _ = files::put(&path, text.as_bytes(), HardLinks::Break);
        }
    }

    /// The earlier run that accepted this very text, as its result.
    pub(super) fn find(&self, record: &Record, version: Version) -> Option<Judged> {
        let (name, path) = self.place(record, version)?;
        let text = fs::read_to_string(path).ok()?;
        let (code, body) = text.split_once('\n')?;
        let body = body.strip_suffix('\n')?;
        if !self.key.is_code(code, body.as_bytes()) {
            return None;
        }
        let entry: Entry = serde_json::from_str(body).ok()?;
        if entry.done != name {
            return None;
        }
        let journal = self.runs.join(format!("{}.jsonl", entry.run));
        let judged = self.replayed(&journal)?;
        let is_it = judged.outcome.content == version;
        is_it.then(|| Judged {
            path: path_text(&record.path),
            already_done: Some(entry.run),
            original: record.bytes.clone(),
            ..judged
        })
    }

    fn replayed(&self, journal: &Path) -> Option<Judged> {
        let (header, recorded) = Journal::read_for(journal, Some(&self.key)).ok()?;
        recorded.outcome.as_ref()?;
        let mut judged = ended(journal, &header, &recorded).ok()?;
        // It is about the text as it is now: nothing was changed, asked or paid for.
        let outcome = &mut judged.outcome;
        outcome.input = outcome.content;
        outcome.final_content = None;
        outcome.receipts = None;
        outcome.tasks.clear();
        outcome.spent.clear();
        judged.undisputed = None;
        Some(judged)
    }

    /// The name of a text under the settings of a record, and its file.
    fn place(&self, record: &Record, version: Version) -> Option<(String, PathBuf)> {
        let settings = record.settings_key().ok()?;
        let name: String = Sha256::digest(format!("{settings} {version}"))
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let path = self.runs.join("done").join(&name);
        Some((name, path))
    }
}
