//! How many calls a document usually leads to, and how long their answers are. Data of a profile,
//! measured by the simulation (docs/simulation.md): means over documents, many of which are
//! accepted unchanged and few repaired more than once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Calls about a document that is refined, in hundredths, and the lengths of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct UsualCalls {
    /// Of other judges about the text as it came.
    pub panel: u32,
    /// Of the patcher.
    pub patch: u32,
    /// Of the section expander.
    pub expand: u32,
    /// Of the delta judge, in one order.
    pub verify: u32,
    /// Of the cheap judge about repaired texts.
    pub rejudge: u32,
    /// Of other judges about repaired texts.
    pub confirm: u32,
    /// The tokens that a judge answers; without it those of a lesson's judge.
    #[serde(default)]
    pub judge_answer: Option<u32>,
    /// The tokens that a patcher answers; without it as many as the component has.
    #[serde(default)]
    pub edit_answer: Option<u32>,
    /// The tokens that a delta judge answers; without it a line for each issue.
    #[serde(default)]
    pub verify_answer: Option<u32>,
}

impl Default for UsualCalls {
    /// One round of repair with two tasks (seed 003 §13.1).
    fn default() -> Self {
        Self {
            panel: 0,
            patch: 200,
            expand: 0,
            verify: 200,
            rejudge: 100,
            confirm: 100,
            judge_answer: None,
            edit_answer: None,
            verify_answer: None,
        }
    }
}
