//! The outcome of a run: its one record for people and programs.
//!
//! Everything in it follows from the text, the policy and the recorded inputs, so a replay gives
//! the same bytes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::agreement::Agreement;
use crate::arbitrate::{Conflict, SetAside};
use crate::ask::{AskId, Fingerprint, Role, Time, Tokens};
use crate::assess::{Assessment, Recommendation};
use crate::decide::QualityStatus;
use crate::judge_test::JudgeTest;
use crate::ledger::Spent;
use crate::reasons::{Because, RollbackReason};
use crate::restructure::Restructuring;
use crate::route::RefinementPlan;
use crate::rubric::FixAction;
use crate::solve::Solving;
use crate::verdict::{Issue, IssueSeverity, Unscored, Verdict};
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::receipt::Receipts;
use redraft_gate::review::SelfReview;
use redraft_gate::score::{Score, caps};
use redraft_gate::span::{ComponentId, Version};

/// The prefix of a reviewer's name in the receipts of their edits.
pub const BY_HAND: &str = "by hand";

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It may be published.
    Accepted,
    /// It may be published, with open issues.
    AcceptedWarning,
    /// The best there is, not accepted.
    BestEffort,
    /// A person has to decide.
    Escalated,
    /// Only the free stages were run; no judge has scored it.
    Checked,
}

impl Status {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::AcceptedWarning => "accepted_warning",
            Self::BestEffort => "best_effort",
            Self::Escalated => "escalated",
            Self::Checked => "checked",
        }
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Outcome {
    /// What became of the text.
    pub status: Status,
    /// Why it was not accepted, where it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
    /// With `checked`: whether the free checks let it pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// The kind of content.
    pub profile: &'static str,
    /// The version of the text that came in.
    pub input: Version,
    /// The version of the text that all of this is about.
    pub content: Version,
    /// Its bytes, where they are not those that came in.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "written")]
    #[schemars(with = "Option<crate::bytes_json::BytesJson>")]
    pub final_content: Option<Vec<u8>>,
    /// The score; `null` if no judge gave one.
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
    #[serde(rename = "quality_status")]
    pub quality: QualityStatus,
    /// Whether a person should look at it, whatever the status.
    pub needs_review: bool,
    /// What the self-review made of it.
    pub self_review: SelfReview,
    /// Open errors of the free checks.
    pub open_errors: usize,
    /// Everything that the free checks find in it.
    pub findings: Vec<OpenFinding>,
    /// The open issues.
    #[serde(rename = "unresolved_issues")]
    pub issues: Vec<Issue>,
    /// What the judges said that was set aside, and why.
    pub set_aside: Vec<SetAside>,
    /// What could be done next, the worst first.
    #[serde(rename = "improvement_hints")]
    pub hints: Vec<Hint>,
    /// How far the judges agree.
    pub agreement: Option<Agreement>,
    /// Who won where issues demanded opposite things, and why.
    #[serde(rename = "conflict_ledger")]
    pub conflicts: Vec<Conflict>,
    /// What would be done, or was to be done last.
    #[serde(rename = "refinement_plan", skip_serializing_if = "Option::is_none")]
    pub plan: Option<RefinementPlan>,
    /// The texts that were judged, in order; the first is the one that came in.
    pub iterations: Vec<Iteration>,
    /// What was done to which part.
    pub tasks: Vec<TaskDone>,
    /// What only a person does: components to merge, split, delete or add.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<Restructuring>,
    /// What kept changing, where the rounds did not settle.
    #[serde(skip_serializing_if = "StillChanging::is_empty")]
    pub still_changing: StillChanging,
    /// Proof that nothing else was changed, for anyone to check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipts: Option<Receipts>,
    /// Every verdict about the text.
    pub verdicts: Vec<Verdict>,
    /// What a solver who does not see the key said about it, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solving: Option<Solving>,
    /// What would have become of it had the solver not disputed the key; absent where it
    /// did not.
    #[serde(skip)]
    pub undisputed: Option<Undisputed>,
    /// Every seat that gave none, and why.
    pub unscored_seats: BTreeMap<Role, Unscored>,
    /// What was spent, by role.
    pub spent: BTreeMap<Role, Spent>,
    /// Whether scripts answered instead of models.
    pub scripted: bool,
    /// Why a judge may favour the writer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_preference: Option<String>,
    /// How the judges did in `redraft models --test`, by model, where they were tested.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub judge_tests: BTreeMap<String, JudgeTest>,
    /// The fingerprint of every question that was asked: role, words, form and
    /// model.
    pub asked: BTreeMap<AskId, Fingerprint>,
    /// Who decided, where a person did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    /// Why the program would not have accepted the text that a person accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overruled: Option<Because>,
    /// What acceptance needed.
    pub needed: Needed,
}

/// What a text needs to be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Needed {
    /// The overall score.
    pub accept: Score,
    /// Whether every criterion needs the score that the rubric names for it.
    pub every_criterion: bool,
    /// The score that is good enough where nothing can be repaired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub good_enough: Option<Score>,
    /// Who decides when it is not accepted; absent where the kind of content has no modes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<&'static str>,
}

/// The status of an item if the solver's dispute is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undisputed {
    pub(crate) status: Status,
    pub(crate) passed: bool,
    pub(crate) recommendation: Option<Recommendation>,
    pub(crate) needs_review: bool,
}

impl Outcome {
    /// The outcome if the solver is ignored. `None` if it disputes nothing or a reviewer has
    /// decided.
    #[must_use]
    pub fn undisputed(&self) -> Option<Self> {
        let undisputed = self.undisputed.filter(|_| self.decided_by.is_none())?;
        Some(Self {
            status: undisputed.status,
            because: None,
            passed: undisputed.passed,
            recommendation: undisputed.recommendation,
            needs_review: undisputed.needs_review,
            undisputed: None,
            ..self.clone()
        })
    }

    /// Whether a critical issue or finding is open.
    #[must_use]
    pub fn has_open_critical(&self) -> bool {
        self.findings.iter().any(|finding| finding.critical)
            || self
                .issues
                .iter()
                .any(|issue| issue.severity == IssueSeverity::Critical)
    }
}

/// Whether the free checks let a text pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// No error is open.
    Passed,
    /// An error is open.
    Failed,
}

/// A text that was judged on the way.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Iteration {
    /// The round of repair that led to it; 0 for the text that came in.
    pub iteration: u32,
    /// Its version.
    pub content: Version,
    /// Its score, if a judge gave one.
    pub score: Option<Score>,
    /// Its scores by criterion.
    pub criteria: BTreeMap<String, Score>,
    /// Why they are what they are, in the words of its judges, where the rubric asks for it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, Vec<String>>,
    /// How many judges gave it.
    pub judges: usize,
    /// How many issues stood.
    pub issues: usize,
    /// Those issues.
    #[serde(rename = "remaining_issues")]
    pub remaining: Vec<Issue>,
    /// Why there is no score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unscored: Option<Unscored>,
    /// What the free checks found in it.
    pub findings: Vec<OpenFinding>,
    /// When it was judged.
    pub at: Time,
}

/// What a free check finds in a text, as far as a report needs it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct OpenFinding {
    /// The permanent code of the check.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Whether it alone forbids a pass.
    pub critical: bool,
    /// The component that contains it.
    pub component: ComponentId,
    /// What is wrong, and what to do.
    pub message: String,
    /// The most that criteria can score while it is open.
    pub caps: BTreeMap<&'static str, Score>,
}

impl OpenFinding {
    #[must_use]
    pub fn of(finding: &Finding) -> Self {
        Self {
            code: finding.check.code,
            name: finding.check.name,
            severity: finding.severity,
            critical: finding.critical,
            component: finding.component.clone(),
            message: finding.message.clone(),
            caps: caps(std::slice::from_ref(finding)),
        }
    }
}

/// Something that would improve the text.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Hint {
    /// The component.
    pub component: ComponentId,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The criterion it speaks to.
    pub criterion: String,
    /// How bad the issue is.
    pub severity: IssueSeverity,
    /// What to do.
    pub fix: String,
}

/// Something that was done to a part, or tried.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct TaskDone {
    /// The round.
    pub iteration: u32,
    /// Whether it is the same task again, after the delta judge has said no.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub retry: bool,
    /// The version of the text that it was to repair.
    pub before: Version,
    /// The part.
    pub section_id: ComponentId,
    /// Its title.
    pub section_title: String,
    /// How it was repaired.
    pub action_type: FixAction,
    /// How urgent it was.
    pub priority: IssueSeverity,
    /// The issues it was to solve, one line each.
    pub issues: Vec<String>,
    /// What was to be done.
    pub synthesized_instructions: String,
    /// Whether the repair was kept, or a part of it.
    pub kept: bool,
    /// Why not, or why not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<RollbackReason>,
    /// What was wrong with answers that were not used, after which it was asked again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_used: Vec<Unscored>,
    /// Its edits: those that stayed, and those that were rolled back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<EditDone>,
    /// What it used, verification included.
    pub tokens: Tokens,
}

/// An edit of a repair. A component that was rewritten as a whole is one edit.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct EditDone {
    /// The ids of the issues it serves.
    pub issues: Vec<String>,
    /// Whether it stayed in the text; otherwise it was rolled back.
    pub kept: bool,
    /// The structured operation, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<OperationDone>,
}

/// What is done to a list or value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OperationKind {
    Add,
    Replace,
    Remove,
}

/// A change of a list or value.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct OperationDone {
    pub kind: OperationKind,
    /// Where, as the repair named it.
    pub path: String,
}

/// A task of repair.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct TaskRef {
    /// The component.
    pub section: ComponentId,
    /// How it is repaired.
    pub action: FixAction,
    /// The round, from 1.
    pub iteration: u32,
}

impl TaskDone {
    /// The task, as events refer to it.
    pub(crate) fn reference(&self) -> TaskRef {
        TaskRef {
            section: self.section_id.clone(),
            action: self.action_type,
            iteration: self.iteration,
        }
    }
}

/// What kept changing.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct StillChanging {
    /// Components that were changed more than once; a repair that was rolled back changed
    /// nothing.
    pub sections: Vec<ComponentId>,
    /// Criteria whose score rose and fell.
    pub criteria: Vec<String>,
}

impl StillChanging {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty() && self.criteria.is_empty()
    }
}

fn written<S: serde::Serializer>(
    bytes: &Option<Vec<u8>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    crate::bytes_json::serialize(bytes.as_deref().unwrap_or_default(), serializer)
}
