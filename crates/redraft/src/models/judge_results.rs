//! Where the results of judge tests are kept: beside the journals of runs, a file for each
//! model and profile. A result of other prompts than today's is stale.
//!
//! While a test is on its way, what it has ranked is kept in a file of its own
//! (`….begun.json`), from which the next test goes on. It is no result.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use redraft_report::SCHEMA;
use redraft_run::judge_test::JudgeTest;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::judge_questions::JudgeQuestions;
use super::judge_test::{Candidate, RankedPair, TestedJudge};
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
                self.end(&judge.model, questions.profile())?;
            }
        }
        Ok(())
    }

    /// What a broken-off test of a model has ranked, if it was asked the same.
    #[must_use]
    pub fn begun(&self, questions: &JudgeQuestions, candidate: &Candidate) -> Vec<RankedPair> {
        let path = self.path_of_begun(&candidate.model.name(), questions.profile());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        // One that is damaged costs a few calls, and is replaced by the next answer.
        let begun: Option<KeptResult> = serde_json::from_str(&text).ok();
        begun
            .filter(|begun| begun.prompts == questions.prompts())
            .map(|begun| begun.ranked)
            .unwrap_or_default()
    }

    /// Keeps what a test on its way has ranked so far.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep_begun(
        &self,
        questions: &JudgeQuestions,
        candidate: &Candidate,
        (ranked, at): (&[RankedPair], u64),
    ) -> anyhow::Result<()> {
        let scores: Vec<_> = ranked.iter().map(|pair| (pair.good, pair.bad)).collect();
        let begun = KeptResult {
            schema: SCHEMA,
            model: candidate.model.name(),
            profile: questions.profile().to_owned(),
            prompts: questions.prompts().to_owned(),
            test: JudgeTest::of(&scores),
            ranked: ranked.to_vec(),
            at,
        };
        let text = serde_json::to_string_pretty(&begun)? + "\n";
        let path = self.path_of_begun(&begun.model, &begun.profile);
        files::put(&path, text.as_bytes(), HardLinks::Refuse)
    }

    /// Where a test on its way is kept.
    #[must_use]
    pub fn path_of_begun(&self, model: &str, profile: &str) -> PathBuf {
        self.path(model, profile).with_extension("begun.json")
    }

    /// The test of a model has come to its end.
    fn end(&self, model: &str, profile: &str) -> anyhow::Result<()> {
        let path = self.path_of_begun(model, profile);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot delete {}", path.display()))
            }
            _ => Ok(()),
        }
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
