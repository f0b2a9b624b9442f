//! What a run came to: the one record of it for people and programs.
//!
//! Everything in it follows from the text, the policy and the recorded inputs, so
//! that a replay gives the same bytes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ask::{AskId, Fingerprint, Role};
use crate::assess::{Assessment, Recommendation};
use crate::decide::QualityStatus;
use crate::ledger::Spent;
use crate::review::SelfReview;
use crate::span::Version;
use crate::verdict::{Issue, Unscored, Verdict};

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It may be published.
    Accepted,
    /// It may be published; something is still wanting.
    AcceptedWarning,
    /// The best there is, not accepted.
    BestEffort,
    /// A person has to decide.
    Escalated,
}

impl Status {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::AcceptedWarning => "accepted_warning",
            Self::BestEffort => "best_effort",
            Self::Escalated => "escalated",
        }
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// What became of the text.
    pub status: Status,
    /// Why it was not accepted, where it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The kind of content.
    pub profile: &'static str,
    /// The version of the text that all of this is about.
    pub content: Version,
    /// The score; `null` where nobody gave one.
    pub score: Option<Assessment>,
    /// Why there is no score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unscored: Option<Unscored>,
    /// `passed` of seed 002.
    pub passed: bool,
    /// The recommendation of seed 002.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<Recommendation>,
    /// How good it is.
    #[serde(rename = "qualityStatus")]
    pub quality: QualityStatus,
    /// Whether a person should look at it, whatever the status.
    pub needs_review: bool,
    /// What the free checks made of it.
    pub self_review: SelfReview,
    /// Open errors of the free checks.
    pub open_errors: usize,
    /// What the judges found wanting.
    #[serde(rename = "unresolvedIssues")]
    pub issues: Vec<Issue>,
    /// Every verdict.
    pub verdicts: Vec<Verdict>,
    /// Every seat that gave none, and why.
    pub unscored_seats: BTreeMap<Role, Unscored>,
    /// What was spent, by role.
    pub spent: BTreeMap<Role, Spent>,
    /// Whether scripts answered instead of models.
    pub scripted: bool,
    /// The fingerprint of every question that was asked.
    pub asked: BTreeMap<AskId, Fingerprint>,
    /// Who decided, where a person did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
}
