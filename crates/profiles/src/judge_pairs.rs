//! Pairs of texts that show whether a judge can judge: a good text, and the same text
//! with one defect. They are written for this purpose and pass the free checks, so that
//! only judgement tells them apart. Their form is documented in `docs/judge-test.md`.

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use crate::registry;

/// A good text, and the same text with one defect.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgePair {
    pub id: String,
    /// The profile that reads both texts.
    pub profile: String,
    /// The language of both texts, as a tag.
    pub language: String,
    pub good: PairText,
    pub bad: PairText,
    /// What is wrong with the bad text.
    pub defect: String,
}

/// A text of a pair: words as they are, or cards or an item as JSON.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum PairText {
    Words(String),
    Json(Value),
}

impl PairText {
    /// The text as a file would contain it.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Words(words) => words.clone().into_bytes(),
            Self::Json(value) => format!("{value:#}\n").into_bytes(),
        }
    }
}

/// Why pairs cannot be read.
#[derive(Debug, Error)]
#[error("line {line}: not a pair of texts: {reason}")]
pub struct PairError {
    pub line: usize,
    #[source]
    pub reason: serde_json::Error,
}

/// The pairs of a profile; none for a profile without any.
///
/// # Errors
/// If the file that redraft ships is damaged.
pub fn of_profile(profile: &str) -> Result<Vec<JudgePair>, PairError> {
    read(registry::profile(profile).map_or("", |profile| profile.judge_pairs()))
}

/// Reads pairs, one JSON object per line; empty lines are skipped.
///
/// # Errors
/// If a line is not a pair.
pub fn read(text: &str) -> Result<Vec<JudgePair>, PairError> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|reason| PairError {
                line: index + 1,
                reason,
            })
        })
        .collect()
}
