//! Documents that `judge` and `refine` have no result for: their run failed, was interrupted
//! or was not started. Reports that list only results would call such a run a success.

use schemars::JsonSchema;
use serde::Serialize;

use super::plain;

/// A document without a result.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Unfinished {
    /// Its path.
    pub path: String,
    /// How far it came.
    #[serde(rename = "unfinished")]
    pub state: UnfinishedState,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The journal to resume it from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    /// For a bank: how many of its items are done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<ItemsDone>,
}

/// Why a document has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UnfinishedState {
    /// It could not be read, or its run failed.
    Failed,
    /// The user interrupted it; it can be resumed.
    Interrupted,
    /// The user interrupted the command before its turn.
    NotStarted,
}

/// How many items of a bank are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ItemsDone {
    pub done: usize,
    pub of: usize,
}

impl UnfinishedState {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::NotStarted => "not started",
        }
    }
}

impl Unfinished {
    /// Why there is no result, in a sentence.
    pub(super) fn sentence(&self) -> String {
        match (&self.message, self.items) {
            (Some(message), _) => plain::words(message).into_owned(),
            (None, Some(ItemsDone { done, of })) => {
                format!("{}: {done} of {of} items are done", self.state.name())
            }
            (None, None) => self.state.name().to_owned(),
        }
    }
}
