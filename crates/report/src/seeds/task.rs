//! A repair task in the field names of seed 003 §3: `SectionRefinementTask` with
//! its `TargetedIssue`s.

use redraft_gate::span::ComponentId;
use redraft_run::arbitrate::{ContextWindow, Scope, TargetedIssue};
use redraft_run::ask::Tokens;
use redraft_run::route::{ContextAnchors, RepairTask};
use redraft_run::rubric::FixAction;
use redraft_run::verdict::{Anchored, IssueSeverity};
use schemars::JsonSchema;
use serde::Serialize;

/// What has to be done to one section.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SectionRefinementTask {
    /// The section.
    pub section_id: ComponentId,
    /// Its title, where it has one.
    pub section_title: String,
    /// How it is repaired.
    pub action_type: FixAction,
    /// Everything that has to be done, with conflicts resolved.
    pub synthesized_instructions: String,
    /// What must not get worse: the losing side of each conflict, and issues with
    /// the text as a whole.
    pub constraints: Vec<String>,
    /// The text on both sides.
    pub context_anchors: SeedContextAnchors,
    /// The severity of its most severe issue.
    pub priority: IssueSeverity,
    /// The issues it is meant to solve.
    pub source_issues: Vec<SeedTargetedIssue>,
    /// The section after it, which has to be checked once this one is rewritten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_after: Option<ComponentId>,
    /// The tokens that repair and verification are expected to use.
    pub estimated_tokens: Tokens,
}

/// The text on both sides of a section.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedContextAnchors {
    /// The last three sentences before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prev_section_end: Option<String>,
    /// The first three sentences after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_section_start: Option<String>,
}

/// An issue with everything a repair needs to know.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedTargetedIssue {
    /// Its id within the plan: `issue_1`, in the order of the text.
    pub id: String,
    /// The criterion it concerns.
    pub criterion: String,
    /// How severe it is.
    pub severity: IssueSeverity,
    /// The component it is about.
    pub location: ComponentId,
    /// The words it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quoted_text: Option<String>,
    /// Whether those words are in the text.
    pub anchor: Anchored,
    /// What is wrong.
    pub description: String,
    /// What to do.
    pub suggested_fix: String,
    /// The chunk of the sources that contradicts the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The section to repair.
    pub target_section_id: ComponentId,
    /// How to repair it.
    pub fix_action: FixAction,
    /// Where to look.
    pub context_window: SeedContextWindow,
    /// What to do, in one or more sentences.
    pub fix_instructions: String,
    /// How many judges raised it.
    pub raised_by: usize,
}

/// Where to look.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedContextWindow {
    /// The words at which the passage begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_quote: Option<String>,
    /// The words at which it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_quote: Option<String>,
    /// How much of the text has to be seen.
    pub scope: Scope,
}

impl From<&RepairTask> for SectionRefinementTask {
    fn from(task: &RepairTask) -> Self {
        let ContextAnchors {
            prev_section_end,
            next_section_start,
        } = task.context_anchors.clone();
        Self {
            section_id: task.section_id.clone(),
            section_title: task.section_title.clone(),
            action_type: task.action_type,
            synthesized_instructions: task.synthesized_instructions.clone(),
            constraints: task.constraints.clone(),
            context_anchors: SeedContextAnchors {
                prev_section_end,
                next_section_start,
            },
            priority: task.priority,
            source_issues: task
                .source_issues
                .iter()
                .map(SeedTargetedIssue::from)
                .collect(),
            check_after: task.check_after.clone(),
            estimated_tokens: task.estimated_tokens,
        }
    }
}

impl From<&TargetedIssue> for SeedTargetedIssue {
    fn from(targeted: &TargetedIssue) -> Self {
        let issue = &targeted.issue;
        let ContextWindow {
            start_quote,
            end_quote,
            scope,
        } = targeted.context_window.clone();
        Self {
            id: targeted.id.clone(),
            criterion: issue.criterion.clone(),
            severity: issue.severity,
            location: issue.location.clone(),
            quoted_text: issue.quote.clone(),
            anchor: issue.anchor,
            description: issue.description.clone(),
            suggested_fix: issue.suggested_fix.clone(),
            source: issue.source.clone(),
            target_section_id: targeted.target_section_id.clone(),
            fix_action: targeted.fix_action,
            context_window: SeedContextWindow {
                start_quote,
                end_quote,
                scope,
            },
            fix_instructions: targeted.fix_instructions.clone(),
            raised_by: targeted.raised_by,
        }
    }
}
