//! What is or was to be done to a lesson, in the fields of seed 003: the plan
//! (§3.2, which extends the fix recommendation of seed 002) and what a page shows
//! of it (§18.1).

use std::collections::{BTreeMap, BTreeSet};

use redraft_gate::score::Score;
use redraft_gate::span::ComponentId;
use redraft_run::agreement::AgreementLevel;
use redraft_run::ask::Budget;
use redraft_run::assess::Assessment;
use redraft_run::decide::QualityStatus;
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::Mode;
use redraft_run::route::{PlanStatus, RefinementPlan};
use redraft_run::rubric::FixAction;
use redraft_run::token_estimate::estimated_tokens;
use redraft_run::verdict::IssueSeverity;
use schemars::JsonSchema;
use serde::Serialize;

use super::context::SeedContext;
use super::judge_issue::JudgeIssue;
use super::review_cycle::ReviewCycle;
use super::task::SectionRefinementTask;
use crate::planning_sentences;

/// The repair of a lesson.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "refinement_plan.json")]
pub struct Refinement {
    /// What is still to be done; `null` if nothing is.
    pub plan: Option<Plan>,
    /// The tasks as a page shows them: those that were done, then those that were
    /// not.
    pub tasks: Vec<TaskDisplay>,
    /// The sections that may be repaired in parallel.
    pub execution_batches: Vec<BatchDisplay>,
    /// The state of the iterations.
    pub iteration_state: IterationDisplay,
    /// The mode.
    pub operation_mode: Mode,
    /// Whether it was escalated to a reviewer.
    pub was_escalated: bool,
}

/// What is to be done (seed 003 §3.2).
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Its status.
    pub status: PlanStatus,
    /// Why the whole text has to be rewritten, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_regenerate_because: Option<String>,
    /// The open issues.
    pub issues: Vec<JudgeIssue>,
    /// Sections that stay untouched.
    pub sections_to_preserve: Vec<ComponentId>,
    /// Sections that are repaired.
    pub sections_to_modify: Vec<ComponentId>,
    /// Terms that stay as they are.
    pub preserve_terminology: Vec<String>,
    /// The issues and the score of each version.
    pub iteration_history: Vec<IterationFeedback>,
    /// The tasks, in the order of the text.
    pub tasks: Vec<SectionRefinementTask>,
    /// The expected tokens.
    pub estimated_cost: u64,
    /// Krippendorff's alpha; `null` where it is undefined.
    pub agreement_score: Option<f64>,
    /// The level of agreement.
    pub agreement_level: AgreementLevel,
    /// How conflicts between issues were resolved.
    pub conflict_resolutions: Vec<ConflictResolution>,
    /// The tasks again, grouped by batch.
    pub execution_batches: Vec<Vec<SectionRefinementTask>>,
}

/// The issues and the score of a version.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct IterationFeedback {
    /// The issues, one per line.
    pub feedback: String,
    /// The score; `null` if there is none.
    pub score: Option<Score>,
}

/// Two conflicting issues.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
pub struct ConflictResolution {
    /// The issue whose instruction is followed.
    pub issue1: String,
    /// The issue that became a constraint on it.
    pub issue2: String,
    /// The criterion of the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criterion1: Option<String>,
    /// The criterion of the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criterion2: Option<String>,
    /// Why.
    pub resolution: String,
}

/// A task as a page shows it.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskDisplay {
    /// The section.
    pub section_id: ComponentId,
    /// Its title.
    pub section_title: String,
    /// How it is repaired.
    pub action_type: FixAction,
    /// Its priority.
    pub priority: IssueSeverity,
    /// Its status.
    pub status: TaskStatus,
    /// What is to be done.
    pub synthesized_instructions: String,
    /// Whether the section is locked.
    pub is_locked: bool,
    /// How often the section was edited.
    pub edit_count: usize,
}

/// The status of a task.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Not started.
    Pending,
    /// Done and kept.
    Completed,
    /// Done and rolled back.
    Failed,
    /// The run ended before it.
    Skipped,
}

/// Tasks that may run in parallel.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchDisplay {
    /// Its number, from 0.
    pub batch_index: usize,
    /// Its sections.
    pub section_ids: Vec<ComponentId>,
    /// Whether there is more than one.
    pub can_parallelize: bool,
}

/// The state of the iterations.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IterationDisplay {
    /// The last round of repair; 0 before the first.
    pub iteration: u32,
    /// The most that the policy allows.
    pub max_iterations: u32,
    /// The scores of the versions that were scored.
    pub score_history: Vec<Score>,
    /// The score of the result; `null` if there is none.
    pub current_score: Option<Score>,
    /// Tasks of all rounds.
    pub tasks_total: usize,
    /// Those that were kept.
    pub tasks_completed: usize,
    /// Those that were rolled back.
    pub tasks_failed: usize,
    /// Components that are no longer edited.
    pub locked_sections: BTreeSet<ComponentId>,
    /// How good the text is.
    pub quality_status: QualityStatus,
    /// Whether the last two rounds brought next to nothing (ruling 37).
    pub is_converged: bool,
    /// What repair and verification used.
    pub tokens_used: u64,
    /// What they may use.
    pub tokens_limit: u64,
}

/// The repair of a lesson; `None` where nothing was or is to be done.
pub(super) fn refinement(outcome: &Outcome, context: &SeedContext) -> Option<Refinement> {
    if outcome.plan.is_none() && outcome.tasks.is_empty() {
        return None;
    }
    let mut edits: BTreeMap<&ComponentId, usize> = BTreeMap::new();
    for task in outcome.tasks.iter().filter(|task| !task.retry) {
        *edits.entry(&task.section_id).or_default() += 1;
    }
    let most = context.policy.repair.edits_per_component as usize;
    let edited = |id: &ComponentId| edits.get(id).copied().unwrap_or_default();
    let done = outcome.tasks.iter().map(|task| TaskDisplay {
        section_id: task.section_id.clone(),
        section_title: task.section_title.clone(),
        action_type: task.action_type,
        priority: task.priority,
        status: if task.kept {
            TaskStatus::Completed
        } else {
            TaskStatus::Failed
        },
        synthesized_instructions: task.synthesized_instructions.clone(),
        is_locked: edited(&task.section_id) >= most,
        edit_count: edited(&task.section_id),
    });
    let is_over = outcome.receipts.is_some();
    let open = outcome.plan.iter().flat_map(|plan| &plan.tasks);
    let open = open.map(|task| TaskDisplay {
        section_id: task.section_id.clone(),
        section_title: task.section_title.clone(),
        action_type: task.action_type,
        priority: task.priority,
        status: if is_over {
            TaskStatus::Skipped
        } else {
            TaskStatus::Pending
        },
        synthesized_instructions: task.synthesized_instructions.clone(),
        is_locked: edited(&task.section_id) >= most,
        edit_count: edited(&task.section_id),
    });
    Some(Refinement {
        tasks: done.chain(open).collect(),
        execution_batches: outcome
            .plan
            .iter()
            .flat_map(|plan| &plan.execution_batches)
            .enumerate()
            .map(|(batch_index, sections)| BatchDisplay {
                batch_index,
                section_ids: sections.clone(),
                can_parallelize: sections.len() > 1,
            })
            .collect(),
        plan: outcome.plan.as_ref().map(|found| plan(found, outcome)),
        iteration_state: IterationDisplay {
            locked_sections: edits
                .iter()
                .filter(|(_, edits)| **edits >= most)
                .map(|(id, _)| (*id).clone())
                .collect(),
            ..state(outcome, context)
        },
        operation_mode: context.mode,
        was_escalated: outcome.status == Status::Escalated,
    })
}

fn plan(plan: &RefinementPlan, outcome: &Outcome) -> Plan {
    let sources = || {
        let tasks = plan.tasks.iter().flat_map(|task| &task.source_issues);
        let unserved = plan.unserved.iter().map(|unserved| &unserved.issue);
        tasks.chain(&plan.global_issues).chain(unserved)
    };
    let criterion = |id: &str| {
        let found = sources().find(|issue| issue.id == id);
        found.map(|issue| issue.issue.criterion.clone())
    };
    Plan {
        status: plan.status,
        full_regenerate_because: plan
            .whole_because
            .as_ref()
            .map(planning_sentences::whole_rewrite),
        issues: outcome.issues.iter().map(JudgeIssue::from).collect(),
        sections_to_preserve: plan.sections_to_preserve.clone(),
        sections_to_modify: plan.sections_to_modify.clone(),
        preserve_terminology: plan.preserve_terminology.clone(),
        iteration_history: ReviewCycle::all(outcome)
            .iter()
            .map(|cycle| {
                let said: Vec<&str> = cycle
                    .issues
                    .iter()
                    .map(|issue| issue.description.as_str())
                    .collect();
                IterationFeedback {
                    feedback: said.join("\n"),
                    score: cycle.overall,
                }
            })
            .collect(),
        estimated_cost: plan.estimated_cost,
        agreement_score: plan.agreement_score,
        agreement_level: plan.agreement_level,
        conflict_resolutions: plan
            .conflict_resolutions
            .iter()
            .map(|conflict| ConflictResolution {
                issue1: conflict.winner.clone(),
                issue2: conflict.loser.clone(),
                criterion1: criterion(&conflict.winner),
                criterion2: criterion(&conflict.loser),
                resolution: planning_sentences::resolution(conflict),
            })
            .collect(),
        execution_batches: plan
            .execution_batches
            .iter()
            .map(|batch| {
                let tasks = plan.tasks.iter();
                tasks
                    .filter(|task| batch.contains(&task.section_id))
                    .map(SectionRefinementTask::from)
                    .collect()
            })
            .collect(),
        tasks: plan.tasks.iter().map(SectionRefinementTask::from).collect(),
    }
}

fn state(outcome: &Outcome, context: &SeedContext) -> IterationDisplay {
    let policy = &context.policy;
    let scores: Vec<Score> = ReviewCycle::all(outcome)
        .iter()
        .filter_map(|cycle| cycle.overall)
        .collect();
    let kept = outcome.tasks.iter().filter(|task| task.kept).count();
    let rounds = outcome.tasks.iter().map(|task| task.iteration);
    let repair = outcome
        .spent
        .iter()
        .filter(|(role, _)| role.budget() == Budget::Repair);
    let document = estimated_tokens(context.inspected.document.source().text());
    IterationDisplay {
        iteration: rounds.max().unwrap_or_default(),
        max_iterations: policy.repair.iterations,
        is_converged: is_converged(&scores, policy.repair.converged_below),
        score_history: scores,
        current_score: outcome.score.as_ref().map(Assessment::overall),
        tasks_total: outcome.tasks.len(),
        tasks_completed: kept,
        tasks_failed: outcome.tasks.len() - kept,
        locked_sections: BTreeSet::new(),
        quality_status: outcome.quality,
        tokens_used: repair.map(|(_, spent)| spent.tokens.total()).sum(),
        tokens_limit: policy.repair_limit(document),
    }
}

/// Whether each of the last two improvements over the best before is next to
/// nothing (ruling 37).
fn is_converged(scores: &[Score], below: Score) -> bool {
    let gains: Vec<i32> = (1..scores.len())
        .filter_map(|at| {
            let best = scores.get(..at)?.iter().max()?;
            Some(i32::from(scores.get(at)?.thousandths()) - i32::from(best.thousandths()))
        })
        .collect();
    let least = i32::from(below.thousandths());
    match gains.as_slice() {
        [.., before, last] => *before < least && *last < least,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_have_converged_when_two_bring_next_to_nothing() {
        let at = |thousandths: &[u16]| -> Vec<Score> {
            let scores = thousandths.iter();
            scores
                .map(|given| Score::from_thousandths(*given).unwrap())
                .collect()
        };
        let below = Score::from_thousandths(20).unwrap();
        for (scores, expected) in [
            (&[700, 710, 715][..], true),
            (&[700, 800, 810], false),
            (&[700, 710], false),
            (&[700, 690, 705], true),
            (&[], false),
        ] {
            assert_eq!(is_converged(&at(scores), below), expected, "{scores:?}");
        }
    }
}
