//! From what stands to what is done: one task for every part that is to be
//! repaired, in batches that can run side by side (seed 003 §5, §6; rulings 28,
//! 30, 41).

use serde::Serialize;

use crate::arbitrate::{Conflict, TargetedIssue};
use crate::ask::Tokens;
use crate::rubric::FixAction;
use crate::span::ComponentId;
use crate::verdict::IssueSeverity;

/// What is to be done to one part (seed 003 §3.2, `SectionRefinementTask`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairTask {
    /// The part.
    pub section_id: ComponentId,
    /// Its title, where it has one.
    pub section_title: String,
    /// How it is repaired.
    pub action_type: FixAction,
    /// Everything that is to be done, conflicts resolved.
    pub synthesized_instructions: String,
    /// What must not get worse while it is done: the losers of conflicts, and
    /// what was said about the text as a whole.
    pub constraints: Vec<String>,
    /// The text on both sides.
    pub context_anchors: ContextAnchors,
    /// That of its most severe issue.
    pub priority: IssueSeverity,
    /// The issues behind it.
    pub source_issues: Vec<TargetedIssue>,
    /// The part behind it that has to be looked at once this one is written
    /// again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_after: Option<ComponentId>,
    /// What it is expected to take: tokens for repair and verification.
    pub estimated_tokens: Tokens,
}

/// The text on both sides of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextAnchors {
    /// The last three sentences before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prev_section_end: Option<String>,
    /// The first three sentences after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_section_start: Option<String>,
}

/// What is to be done to a text (seed 003 §3.2).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RefinementPlan {
    /// How far it has come.
    pub status: PlanStatus,
    /// Why the whole is to be written again, where it is; there are no tasks
    /// then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_because: Option<String>,
    /// The tasks, in the order of the text.
    pub tasks: Vec<RepairTask>,
    /// The parts of each batch: side by side within a batch, one batch after the
    /// other.
    pub execution_batches: Vec<Vec<ComponentId>>,
    /// What the tasks are expected to take, in tokens.
    pub estimated_cost: u64,
    /// Krippendorff's alpha of the panel; `null` where it is undefined.
    pub agreement_score: Option<f64>,
    /// The conflict ledger.
    pub conflict_resolutions: Vec<Conflict>,
    /// Parts that nobody touches.
    pub sections_to_preserve: Vec<ComponentId>,
    /// Parts that are repaired.
    pub sections_to_modify: Vec<ComponentId>,
    /// Terms that stay as they are (ruling 41).
    pub preserve_terminology: Vec<String>,
    /// Issues that no task serves, and why: a locked part, no part named.
    pub unserved: Vec<Unserved>,
}

/// An issue that no task serves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unserved {
    /// The issue.
    pub issue: TargetedIssue,
    /// Why.
    pub because: String,
}

/// How far a plan has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PlanStatus {
    /// Not begun.
    Pending,
    /// Under way.
    Executing,
    /// Done.
    Completed,
    /// Given up.
    Failed,
}
