//! A missing score and its reason (ruling 23). It is neither a pass nor a fail.

use schemars::JsonSchema;
use serde::Serialize;

/// No score, and why.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(inline)]
pub struct Unscored {
    /// The kind of reason.
    pub reason: Reason,
    /// The reason in words, for a person.
    pub message: String,
}

impl Unscored {
    #[must_use]
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
        }
    }
}

/// Why there is no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The free checks found the text unusable; no judge was asked.
    Unusable,
    /// The reply was empty.
    Empty,
    /// The judge declined.
    Refused,
    /// There is no verdict in the reply.
    NotAVerdict,
    /// The reply breaks off.
    Truncated,
    /// The verdict lacks something, or has it in another form.
    WrongShape,
    /// A score that is none: 85, -1, "good".
    ScoreOutOfRange,
    /// The verdict is about another text.
    AnotherText,
    /// The answer is in form, but what it proposes is not to be done.
    Rejected,
    /// The model could not be reached, or failed.
    CallFailed,
    /// The prompt is too long for the model.
    TooLong,
    /// What was left of the budget did not suffice to ask.
    OverBudget,
    /// No answer within the time of the run.
    TimedOut,
    /// Every judge failed `redraft models --test`; none was asked.
    FailedTest,
    /// A person stopped the run.
    Stopped,
}

impl Reason {
    /// Whether asking the same model again, with a complaint about the form of its answer, may
    /// help.
    #[must_use]
    pub fn is_about_form(self) -> bool {
        matches!(
            self,
            Self::Empty
                | Self::NotAVerdict
                | Self::Truncated
                | Self::WrongShape
                | Self::ScoreOutOfRange
                | Self::AnotherText
                | Self::Rejected
        )
    }
}
