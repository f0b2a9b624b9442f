//! What several verdicts about one text come to: how far the judges agree, which
//! of their issues stand, and what is done where they demand opposite things.
//!
//! A function of the verdicts alone: neither the order of the judges nor the
//! names of their models change anything.

use serde::Serialize;

use crate::rubric::FixAction;
use crate::span::ComponentId;
use crate::verdict::Issue;

/// An issue with everything a repair needs to know (seed 003 §3.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetedIssue {
    /// Its name within the ruling: `issue_1`, in the order of the text.
    pub id: String,
    /// What the judges said; of several near-duplicates the most severe.
    #[serde(flatten)]
    pub issue: Issue,
    /// The part that is to be repaired.
    pub target_section_id: ComponentId,
    /// How.
    pub fix_action: FixAction,
    /// Where to look.
    pub context_window: ContextWindow,
    /// What to do, in one or more sentences.
    pub fix_instructions: String,
    /// How many judges raised it.
    pub raised_by: usize,
}

/// Where to look (seed 003 §3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextWindow {
    /// The words at which the passage begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_quote: Option<String>,
    /// The words at which it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_quote: Option<String>,
    /// How much of the text has to be seen.
    pub scope: Scope,
}

/// How much of a text has to be seen to mend something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// One paragraph.
    Paragraph,
    /// One part.
    #[default]
    Section,
    /// All of it.
    Global,
}

/// How far the judges of a panel agree (ruling 25).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AgreementLevel {
    /// All issues stand.
    High,
    /// Issues that two judges raised stand.
    Moderate,
    /// Only critical issues stand.
    Low,
    /// One judge: all its issues stand.
    NotApplicable,
}

/// How far the judges agree, and the figures behind it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Agreement {
    /// What it comes to.
    pub level: AgreementLevel,
    /// Krippendorff's alpha over judges and criteria, interval metric; `null`
    /// where it is undefined.
    pub alpha: Option<f64>,
    /// Why alpha is undefined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined_because: Option<String>,
    /// The largest difference between two judges by one criterion, in
    /// thousandths.
    pub widest_spread: u16,
}

/// An issue that does not become part of a task, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SetAside {
    /// The issue.
    pub issue: TargetedIssue,
    /// Why.
    pub because: String,
}

/// An entry of the conflict ledger: two issues of one part demand opposite
/// things (ruling 27).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// The part.
    pub section_id: ComponentId,
    /// What is opposed, in words: `adding against cutting`.
    pub about: String,
    /// The issue whose instruction is followed.
    pub winner: String,
    /// The issue that became a constraint on it.
    pub loser: String,
    /// The constraint, in words.
    pub constraint: String,
    /// Why the winner won.
    pub resolution: String,
}

/// What the arbiter ruled.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arbitration {
    /// How far the judges agree.
    pub agreement: Agreement,
    /// The issues that stand, in the order of the text.
    pub issues: Vec<TargetedIssue>,
    /// Those that do not.
    pub set_aside: Vec<SetAside>,
    /// The conflict ledger.
    pub conflicts: Vec<Conflict>,
    /// Whether a person should look at it: the judges agree too little.
    pub needs_review: bool,
}
