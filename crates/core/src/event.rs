//! What happens in a run, as one ordered, numbered stream: the same to the
//! terminal, the journal and, later, the web page.
//!
//! Where several replies are awaited, what they say is told in the order in which
//! they were asked for, never in the order in which they came.

use serde::Serialize;

use crate::ask::{AskId, Role, Time, Tokens};
use crate::decide::QualityStatus;
use crate::outcome::Status;
use crate::review;
use crate::rubric::Score;
use crate::span::Version;
use crate::verdict::{Confidence, Unscored};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Its number in the run, from 1.
    pub seq: u64,
    /// When.
    pub at: Time,
    /// Milliseconds since the run began.
    pub elapsed: u64,
    /// What.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// A run begins.
    RunStarted {
        /// The run.
        run: String,
        /// The kind of content.
        profile: &'static str,
        /// The version of the text.
        content: Version,
        /// Whether scripts answer instead of models.
        scripted: bool,
    },
    /// A stage begins.
    NodeEnter {
        /// Which.
        node: &'static str,
    },
    /// A stage is done.
    NodeComplete {
        /// Which.
        node: &'static str,
    },
    /// The free checks are done.
    CheckComplete {
        /// How many errors are open.
        errors: usize,
        /// How many warnings.
        warnings: usize,
        /// How many remarks.
        infos: usize,
    },
    /// The self-review by program is done.
    SelfReview {
        /// What it came to.
        status: review::Status,
        /// Why.
        reasoning: String,
    },
    /// A judge has answered, or will not.
    Verdict {
        /// The ask that was answered last.
        ask: Option<AskId>,
        /// The seat.
        role: Role,
        /// The model on it.
        model: String,
        /// Its verdict, or why there is none.
        #[serde(flatten)]
        result: VerdictResult,
        /// What the seat has used, all tries together.
        tokens: Tokens,
    },
    /// A seat is asked again.
    AskedAgain {
        /// The ask that failed.
        ask: AskId,
        /// Why.
        because: String,
    },
    /// The best text there is goes out, though it is not accepted.
    BestEffortSelected {
        /// Why it is not accepted.
        because: String,
        /// How good it is.
        quality: QualityStatus,
    },
    /// A person has to decide.
    EscalationTriggered {
        /// Why.
        because: String,
    },
    /// A person has decided.
    HumanDecision {
        /// What.
        decision: &'static str,
        /// Who.
        by: Option<String>,
        /// Whether it could be followed, and if not, why not.
        #[serde(skip_serializing_if = "Option::is_none")]
        refused: Option<&'static str>,
    },
    /// A reply came when nobody waited for it any more. It was paid for.
    LateReply {
        /// To which ask.
        ask: AskId,
    },
    /// The run is done.
    RunComplete {
        /// What became of the text.
        status: Status,
        /// The score, if there is one.
        score: Option<Score>,
        /// What was used in all.
        tokens: Tokens,
        /// What it cost, in millionths of a dollar.
        cost_micros: u64,
    },
}

/// What came of asking a judge.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictResult {
    /// A verdict.
    Scored {
        /// The overall score that follows from it, before caps.
        score: Score,
        /// How sure the judge is.
        confidence: Confidence,
        /// How many issues it names.
        issues: usize,
    },
    /// None.
    Unscored(Unscored),
}

impl EventKind {
    /// Its name in the stream.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::RunStarted { .. } => "run_started",
            Self::NodeEnter { .. } => "node_enter",
            Self::NodeComplete { .. } => "node_complete",
            Self::CheckComplete { .. } => "check_complete",
            Self::SelfReview { .. } => "self_review",
            Self::Verdict { .. } => "verdict",
            Self::AskedAgain { .. } => "asked_again",
            Self::BestEffortSelected { .. } => "best_effort_selected",
            Self::EscalationTriggered { .. } => "escalation_triggered",
            Self::HumanDecision { .. } => "human_decision",
            Self::LateReply { .. } => "late_reply",
            Self::RunComplete { .. } => "run_complete",
        }
    }
}

/// Every event there is: its name, when it is emitted, and the fields it carries
/// besides `seq`, `at` and `elapsed`. The reference page is made from it.
pub const CATALOGUE: &[(&str, &str, &[&str])] = &[
    (
        "run_started",
        "A run begins.",
        &["run", "profile", "content", "scripted"],
    ),
    (
        "check_complete",
        "The free checks are done.",
        &["errors", "warnings", "infos"],
    ),
    (
        "self_review",
        "The self-review by program is done.",
        &["status", "reasoning"],
    ),
    ("node_enter", "A stage begins.", &["node"]),
    (
        "verdict",
        "A judge has given a verdict (`scored`), or will give none (`unscored`, with the reason).",
        &["ask", "role", "model", "scored or unscored", "tokens"],
    ),
    (
        "asked_again",
        "A reply was out of form, or a call failed, and the seat is asked again.",
        &["ask", "because"],
    ),
    ("node_complete", "A stage is done.", &["node"]),
    (
        "best_effort_selected",
        "The text is not accepted, and goes out as the best there is.",
        &["because", "quality"],
    ),
    (
        "escalation_triggered",
        "The text is not accepted, and a person has to decide.",
        &["because"],
    ),
    (
        "human_decision",
        "A person has decided, or nobody could be asked (`absent`).",
        &["decision", "by", "refused"],
    ),
    (
        "late_reply",
        "A reply came when nobody waited for it any more. Its price is booked, its words are ignored.",
        &["ask"],
    ),
    (
        "run_complete",
        "The run is over.",
        &["status", "score", "tokens", "cost_micros"],
    ),
];
