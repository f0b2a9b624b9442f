//! Where the results of judge tests are kept: beside the journals of runs, a file for each
//! model and profile. A result of other prompts than today's is stale.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use redraft_report::SCHEMA;
use redraft_run::judge_test::JudgeTest;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::judge_questions::JudgeQuestions;
use super::judge_test::{RankedPair, TestedJudge};
use crate::files::{self, HardLinks};

/// A result as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptResult {
    pub schema: u32,
    /// As `provider/model`.
    pub model: String,
    pub profile: String,
    /// A hash of everything that was asked.
    pub prompts: String,
    #[serde(flatten)]
    pub test: JudgeTest,
    pub ranked: Vec<RankedPair>,
    /// When it was tested, in milliseconds since 1970.
    pub at: u64,
}

/// The results in a folder.
#[derive(Clone, Debug)]
pub struct JudgeResults {
    folder: PathBuf,
}

impl JudgeResults {
    /// Those beside the journals in this folder.
    #[must_use]
    pub fn beside(runs: &Path) -> Self {
        Self {
            folder: runs.join("judge-tests"),
        }
    }

    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&self, result: &KeptResult) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(result)? + "\n";
        let path = self.path(&result.model, &result.profile);
        files::put(&path, text.as_bytes(), HardLinks::Refuse)
    }

    /// The result of a model, if it was tested.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn of(&self, model: &str, profile: &str) -> anyhow::Result<Option<KeptResult>> {
        let path = self.path(model, profile);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        let result: KeptResult = serde_json::from_str(&text).with_context(|| {
            format!(
                "{}: not the result of a judge test; delete it, or run `redraft models --test` again",
                path.display()
            )
        })?;
        Ok(Some(result))
    }

    /// Keeps how judges did, where they were tested.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn keep_all(
        &self,
        questions: &JudgeQuestions,
        tested: &[TestedJudge],
        at: u64,
    ) -> anyhow::Result<()> {
        for judge in tested {
            if let Ok(test) = &judge.result {
                self.keep(&KeptResult {
                    schema: SCHEMA,
                    model: judge.model.clone(),
                    profile: questions.profile().to_owned(),
                    prompts: questions.prompts().to_owned(),
                    test: *test,
                    ranked: judge.pairs.clone(),
                    at,
                })?;
            }
        }
        Ok(())
    }

    /// The tests of these models, where there are any; `prompts` says what would be
    /// asked today, and is asked for only if there are results.
    ///
    /// # Errors
    /// If a file is damaged, or the prompts cannot be written.
    pub fn tests(
        &self,
        models: impl IntoIterator<Item = String>,
        profile: &str,
        prompts: impl Fn() -> anyhow::Result<String>,
    ) -> anyhow::Result<BTreeMap<String, JudgeTest>> {
        let mut tests = BTreeMap::new();
        let mut today = None;
        for model in models {
            let Some(kept) = self.of(&model, profile)? else {
                continue;
            };
            let today = match &today {
                Some(today) => today,
                None => today.insert(prompts()?),
            };
            let stale = kept.prompts != *today;
            tests.insert(model, JudgeTest { stale, ..kept.test });
        }
        Ok(tests)
    }

    fn path(&self, model: &str, profile: &str) -> PathBuf {
        let readable: String = model
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '.' {
                    c
                } else {
                    '-'
                }
            })
            .take(60)
            .collect();
        // Names that differ only in other characters are kept apart.
        let hash = Sha256::digest(model.as_bytes());
        let hash: String = hash
            .iter()
            .take(4)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.folder
            .join(format!("{profile}-{readable}-{hash}.json"))
    }
}
