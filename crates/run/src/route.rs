//! Plans the repairs of the kept issues: one task for each component to repair, in batches that can
//! run in parallel (seed 003 §5, §6; rulings 28, 30, 41). A pure function; the order of issues and
//! findings does not matter.
//!
//! First the document as a whole (ruling 28):
//!
//! | the rubric's criterion of structure | body sections with a critical issue | overall | then |
//! |---|---|---|---|
//! | below .60 | any | any | rewrite the whole text |
//! | any | more than 40% | any | rewrite the whole text |
//! | any | any | below .60 | rewrite the whole text |
//! | else | else | else | component by component |
//!
//! Then each component: `assignment` assigns issues to components, `drafts` builds the tasks,
//! `drafts/targets` selects the components that the policy repairs, and `batches` forms parallel
//! batches.
//!
//! No issue is lost: it is part of a task, a constraint on every task, or unserved with a reason.

mod batches;
mod context;
mod drafts;
pub mod estimate;

mod assignment;
pub(crate) mod component_tree;
mod said;
mod stop_words;
mod terms;
mod wording;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::agreement::AgreementLevel;
use crate::arbitrate::{Arbitration, Conflict, TargetedIssue};
use crate::ask::Tokens;
use crate::assess::Assessment;
use crate::planning_reasons::{UnservedReason, WholeRewriteReason};
use crate::policy::{Blocking, Policy, Targets};
use crate::rubric::{FixAction, Rubric};
use crate::verdict::{Anchored, IssueSeverity};
use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::score::Score;
use redraft_gate::span::ComponentId;

pub(crate) use said::fold;
pub(crate) use wording::issue_line;

use component_tree::ComponentTree;
use estimate::Overheads;

/// The input of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Routing<'a> {
    pub document: &'a Document,
    pub companions: &'a Companions,
    pub rubric: &'a Rubric,
    /// The kept issues of the judges.
    pub arbitration: &'a Arbitration,
    /// The score; `None` if certain damage is repaired before a judge is paid (rulings 18, 19).
    pub assessment: Option<&'a Assessment>,
    /// The open findings of the checks.
    pub findings: &'a [Finding],
    pub figures: &'a RouteFigures,
    /// Components that were edited as often as the policy allows (ruling 34).
    pub locked: &'a BTreeSet<ComponentId>,
}

/// The policy settings that a plan depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteFigures {
    /// Which components are repaired.
    pub targets: Targets,
    /// The criterion that judges structure; `None` if the rubric has none.
    pub structure_criterion: Option<String>,
    /// Below this score for structure, the whole text is rewritten.
    pub structure_least: Score,
    /// If more than this percentage of body sections have a critical issue, the whole text is
    /// rewritten; `None` for never.
    pub critical_share: Option<u8>,
    /// Below this overall score, the whole text is rewritten; `None` for never.
    pub overall_least: Option<Score>,
    /// The maximum number of terms to preserve.
    pub most_terms: usize,
    /// If the overall score reaches this …
    pub accept: Score,
    /// … only these issues keep the text from being accepted, and their component counts as the
    /// weakest (ruling 70).
    pub blocking: Option<Blocking>,
    /// Tokens of our own text in prompts.
    pub overheads: Overheads,
}

impl RouteFigures {
    /// The values of seed 003 §5 as amended by ruling 28, for a rubric with this structure
    /// criterion.
    #[must_use]
    pub fn seed(structure_criterion: &str) -> Self {
        let least = Score::from_thousandths(600).unwrap_or(Score::ONE);
        Self {
            structure_criterion: Some(structure_criterion.to_owned()),
            structure_least: least,
            critical_share: Some(40),
            overall_least: Some(least),
            ..Self::by_component(Targets::All)
        }
    }

    /// The settings of a policy (ruling 28).
    #[must_use]
    pub fn of(policy: &Policy) -> Self {
        let is_never = |score: &Score| score.thousandths() == 0;
        Self {
            structure_criterion: policy.repair.structure.clone(),
            structure_least: policy.redo_below,
            critical_share: u8::try_from(policy.repair.critical_share)
                .ok()
                .filter(|share| *share < 100),
            overall_least: Some(policy.redo_below).filter(|score| !is_never(score)),
            accept: policy.accept,
            blocking: policy.blocking.clone(),
            ..Self::by_component(policy.repair.targets)
        }
    }

    /// Never rewrites the whole text: there is no writer, or the profile only repairs components.
    #[must_use]
    pub fn by_component(targets: Targets) -> Self {
        Self {
            targets,
            structure_criterion: None,
            structure_least: Score::from_thousandths(0).unwrap_or(Score::ONE),
            critical_share: None,
            overall_least: None,
            most_terms: 30,
            accept: Score::ONE,
            blocking: None,
            overheads: Overheads::default(),
        }
    }
}

/// What is to be done to one component (seed 003 §3.2, `SectionRefinementTask`).
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct RepairTask {
    /// The component.
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
    /// The component after it that has to be looked at once this one is written
    /// again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_after: Option<ComponentId>,
    /// What it is expected to take: tokens for repair and verification.
    pub estimated_tokens: Tokens,
    /// The words in which findings lie that it is to remove.
    #[serde(skip)]
    pub finding_words: Vec<String>,
}

impl RepairTask {
    /// This task with its context taken from the current version of the document (ruling 74).
    #[must_use]
    pub fn beside_current_text(self, document: &Document) -> Self {
        let tree = ComponentTree::of(document);
        match tree.find(&self.section_id) {
            Some(index) => Self {
                context_anchors: context::anchors(&tree, index),
                ..self
            },
            None => self,
        }
    }

    /// This task without the issues in `solved`, so that the next attempt is not asked to solve
    /// them again.
    #[must_use]
    pub fn without_issues(&self, solved: &BTreeSet<String>) -> Self {
        let mut task = self.clone();
        let (gone, left): (Vec<_>, Vec<_>) = task
            .source_issues
            .into_iter()
            .partition(|issue| solved.contains(&issue.id));
        task.synthesized_instructions =
            wording::without(&task.synthesized_instructions, &gone, &left);
        task.source_issues = left;
        task
    }
}

/// The text on both sides of a component.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ContextAnchors {
    /// The last three sentences before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prev_section_end: Option<String>,
    /// The first three sentences after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_section_start: Option<String>,
}

/// What is to be done to a text (seed 003 §3.2).
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct RefinementPlan {
    /// How far it has come.
    pub status: PlanStatus,
    /// Why the whole text has to be rewritten, if it has; there are no tasks
    /// then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_because: Option<WholeRewriteReason>,
    /// The tasks, in the order of the text.
    pub tasks: Vec<RepairTask>,
    /// The components of each batch: side by side within a batch, one batch after the
    /// other.
    pub execution_batches: Vec<Vec<ComponentId>>,
    /// What the tasks are expected to take, in tokens.
    pub estimated_cost: u64,
    /// Krippendorff's alpha of the panel; `null` where it is undefined.
    pub agreement_score: Option<f64>,
    /// What that comes to.
    pub agreement_level: AgreementLevel,
    /// The conflict ledger.
    pub conflict_resolutions: Vec<Conflict>,
    /// Components that stay untouched.
    pub sections_to_preserve: Vec<ComponentId>,
    /// Components that are repaired.
    pub sections_to_modify: Vec<ComponentId>,
    /// Terms that stay as they are (ruling 41).
    pub preserve_terminology: Vec<String>,
    /// Issues about the text as a whole that bind every task.
    pub global_issues: Vec<TargetedIssue>,
    /// What the checks found and tasks are to remove.
    pub served_findings: Vec<ServedFinding>,
    /// Issues that no task serves, and why: a locked component, no component named.
    pub unserved: Vec<Unserved>,
}

/// A finding that a task is to remove, beside its issues.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ServedFinding {
    /// The component whose task it is.
    pub section_id: ComponentId,
    /// The code of the check.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Unserved {
    /// The issue.
    pub issue: TargetedIssue,
    /// Why.
    pub because: UnservedReason,
}

/// How far a plan has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
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

#[must_use]
pub fn route(request: &Routing<'_>) -> RefinementPlan {
    let tree = ComponentTree::of(request.document);
    let mut issues: Vec<&TargetedIssue> = request.arbitration.issues.iter().collect();
    issues.sort_by(|a, b| rank(a).cmp(&rank(b)));
    if let Some(because) = whole_because(request, &tree, &issues) {
        let unserved = issues.iter().map(|issue| Unserved {
            issue: (*issue).clone(),
            because: UnservedReason::WholeRewrite,
        });
        let unserved = unserved.collect();
        return without_tasks(request, Some(because), unserved);
    }
    drafts::plan(request, &tree, &issues)
}

/// Sort key of issues: the most severe first, then in the arbiter's order.
fn rank<'i>(issue: &'i TargetedIssue) -> impl Ord + use<'i> {
    (
        Reverse(issue.issue.severity),
        issue.id.len(),
        &issue.id,
        &issue.target_section_id,
        &issue.issue.criterion,
        &issue.issue.description,
    )
}

/// Why the whole text must be rewritten (ruling 28).
fn whole_because(
    request: &Routing<'_>,
    tree: &ComponentTree<'_>,
    issues: &[&TargetedIssue],
) -> Option<WholeRewriteReason> {
    let figures = request.figures;
    if let Some(assessment) = request.assessment {
        let structure = figures.structure_criterion.as_deref().and_then(|name| {
            let mut criteria = assessment.criteria().iter();
            criteria.find(|criterion| criterion.name() == name)
        });
        if let Some(structure) = structure.filter(|found| found.score() < figures.structure_least) {
            return Some(WholeRewriteReason::Structure {
                criterion: structure.name().to_owned(),
                score: structure.score(),
                least: figures.structure_least,
            });
        }
    }
    if let Some(share) = figures.critical_share {
        // An issue whose quote is not in the text never causes a rewrite on its own (ruling 26).
        let critical: BTreeSet<usize> = issues
            .iter()
            .filter(|issue| issue.issue.severity == IssueSeverity::Critical)
            .filter(|issue| issue.issue.anchor != Anchored::Unanchored)
            .filter_map(|issue| tree.find(&issue.target_section_id))
            .map(|index| tree.first_level(index))
            .collect();
        let body = tree.body().count();
        let struck = tree.body().filter(|index| critical.contains(index)).count();
        if struck * 100 > body * usize::from(share) {
            return Some(WholeRewriteReason::CriticalSections {
                critical: struck,
                sections: body,
                most_percent: share,
            });
        }
    }
    let overall = request.assessment?.overall();
    let least = figures.overall_least.filter(|least| overall < *least)?;
    Some(WholeRewriteReason::Overall {
        score: overall,
        least,
    })
}

fn without_tasks(
    request: &Routing<'_>,
    whole: Option<WholeRewriteReason>,
    unserved: Vec<Unserved>,
) -> RefinementPlan {
    let agreement = &request.arbitration.agreement;
    RefinementPlan {
        status: PlanStatus::Pending,
        whole_because: whole,
        tasks: Vec::new(),
        execution_batches: Vec::new(),
        estimated_cost: 0,
        agreement_score: agreement.alpha,
        agreement_level: agreement.level,
        conflict_resolutions: request.arbitration.conflicts.clone(),
        sections_to_preserve: Vec::new(),
        sections_to_modify: Vec::new(),
        preserve_terminology: Vec::new(),
        global_issues: Vec::new(),
        served_findings: Vec::new(),
        unserved,
    }
}

#[cfg(test)]
mod tests;
