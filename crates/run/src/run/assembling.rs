//! The last stage: assembles the outcome of a run.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use super::judgements::Judgements;
use super::planning::plan_for_report;
use super::progress::Progress;
use super::repairing::emit_rollback;
use super::repairs::{is_label_of, label_of_rewrite};
use super::restructuring::proposals;
use super::state::State;
use super::tested_judges;
use super::text::Text;
use crate::arbitrate::{Arbitration, Conflict};
use crate::assess::{Assessment, Recommendation};
use crate::decide::{self, GoodEnough, Grounds, Ruling};
use crate::event::EventKind;
use crate::outcome::{Gate, Hint, OpenFinding, Outcome, Status, TaskDone, Undisputed};
use crate::reasons::{Because, RollbackReason, SkipReason, StopReason};
use crate::setup::{Goal, Setup};
use crate::solve::SolvingResult;
use crate::verdict::Issue;
use redraft_gate::receipt::{self, Receipts};
use redraft_gate::span::ComponentId;

pub(super) struct End {
    pub(super) status: Status,
    pub(super) because: Option<Because>,
    /// The reviewer who decided.
    pub(super) by: Option<String>,
    /// Why the program would not have accepted it.
    pub(super) overruled: Option<Because>,
}

/// Ends a run whose text was decided on without a reviewer.
pub(super) fn finish(
    context: &Context,
    state: &State,
    text: &Text,
    (ruling, stopped): (Ruling, Option<StopReason>),
) -> Outcome {
    let (status, not_accepted) = match ruling {
        Ruling::Accept => (Status::Accepted, None),
        Ruling::AcceptWithWarning => (Status::AcceptedWarning, None),
        Ruling::BestEffort(why) => (Status::BestEffort, Some(why)),
        Ruling::HandOver(why) => (Status::Escalated, Some(why)),
    };
    let because = not_accepted.map(|not_accepted| Because {
        not_accepted,
        stopped,
    });
    if let (Status::BestEffort, Some(reason)) = (status, &because) {
        context.emit(EventKind::BestEffortSelected {
            reason: reason.clone(),
            quality: state.judgements.quality(text),
        });
    }
    let by = None;
    outcome(
        context,
        state,
        text,
        End {
            status,
            because,
            by,
            overruled: None,
        },
    )
}

/// The outcome of a run that ends with this text.
pub(super) fn outcome(context: &Context, state: &State, text: &Text, end: End) -> Outcome {
    let End {
        status,
        because,
        by: decided_by,
        overruled,
    } = end;
    let State {
        judgements,
        progress,
    } = state;
    let tasks = tasks_of(context, progress, text);
    let score = judgements.assessment(text);
    let overall = score.as_ref().map(Assessment::overall);
    if matches!(context.setup.goal, Goal::Refine | Goal::Write) {
        context.emit(EventKind::RefinementComplete {
            final_score: overall,
            status,
        });
    }
    let (tokens, cost_micros) = context.mailbox.lock().ledger.total();
    context.emit(EventKind::RunComplete {
        status,
        score: overall,
        tokens,
        cost_micros,
    });
    let arbitration = judgements.arbitration(text);
    let issues = judgements.issues(text);
    let input = context.setup.inspected.document.source().version();
    let is_changed = text.version() != input;
    let panel = judgements.panel(text.version());
    let was_judged = status != Status::Checked;
    let solving = judgements.solving(text).cloned();
    let is_disputed = matches!(&solving, Some(one) if one.result == SolvingResult::Disagrees);
    let (passed, recommendation) = recommended(judgements, text, &issues);
    let needs_review = needs_review(judgements, text);
    let (spent, asked) = {
        let contents = context.mailbox.lock();
        (contents.ledger.spent().clone(), contents.asked.clone())
    };
    Outcome {
        status,
        because,
        gate: (!was_judged).then_some(if text.open_errors() > 0 {
            Gate::Failed
        } else {
            Gate::Passed
        }),
        profile: context.setup.profile.id().0,
        input,
        content: text.version(),
        final_content: is_changed.then(|| text.document().source().bytes().to_vec()),
        passed: !is_disputed && passed,
        recommendation: recommendation.map(|recommended| match is_disputed {
            true => Recommendation::EscalateToHuman,
            false => recommended,
        }),
        quality: judgements.quality(text),
        needs_review: status == Status::Escalated || needs_review,
        undisputed: is_disputed
            .then(|| undisputed(judgements, text, (passed, recommendation, needs_review))),
        unscored: (was_judged && score.is_none()).then(|| judgements.why_unscored(text)),
        score,
        self_review: judgements.self_review(text).clone(),
        open_errors: text.open_errors(),
        findings: text.findings().iter().map(OpenFinding::of).collect(),
        hints: hints(&context.setup, &issues),
        proposals: proposals(context, text, &issues),
        issues,
        set_aside: arbitration
            .as_ref()
            .map(|ruled| ruled.set_aside.clone())
            .unwrap_or_default(),
        agreement: judgements.agreement(text),
        conflicts: ledger_of_conflicts(progress, arbitration.as_deref()),
        plan: plan_for_report(context, state, text),
        iterations: progress.iterations(),
        tasks,
        still_changing: progress.still_changing(),
        receipts: receipts(context, text),
        verdicts: panel
            .map(|panel| panel.verdicts().cloned().collect())
            .unwrap_or_default(),
        solving,
        unscored_seats: panel.map_or_else(BTreeMap::new, |panel| panel.unscored().clone()),
        spent,
        scripted: context.is_scripted(),
        self_preference: context.setup.self_preference.clone(),
        judge_tests: tested_judges::of_judges(&context.setup),
        asked,
        decided_by,
        overruled,
        needed: context.setup.needed(),
    }
}

/// Whether a text passes, and the recommendation, regardless of the solver.
fn recommended(
    judgements: &Judgements,
    text: &Text,
    issues: &[Issue],
) -> (bool, Option<Recommendation>) {
    let is_blocked = judgements.is_blocked(text);
    let score = judgements.assessment(text);
    let passed = !is_blocked && score.as_ref().is_some_and(Assessment::passed);
    let recommended = score.map(|assessment| match assessment.recommendation(issues) {
        Recommendation::Accept | Recommendation::AcceptWithMinorRevision if is_blocked => {
            Recommendation::IterativeRefinement
        }
        other => other,
    });
    (passed, recommended)
}

/// Whether a reviewer should look at a text, whatever its status.
fn needs_review(judgements: &Judgements, text: &Text) -> bool {
    let panel = judgements.panel(text.version());
    let score = judgements.assessment(text);
    score.is_none()
        || judgements.has_critical(text)
        || text.open_errors() > 0
        || judgements.is_blocked(text)
        || panel.is_some_and(|panel| !panel.unscored().is_empty())
        || score.is_some_and(|score| score.unread().is_some())
        || judgements.needs_second_look(text)
}

/// The status of an item with a disputed key if the solver is ignored.
fn undisputed(
    judgements: &Judgements,
    text: &Text,
    (passed, recommendation, needs_review): (bool, Option<Recommendation>, bool),
) -> Undisputed {
    let without = |grounds: &Grounds<'_>| {
        decide::decide(&Grounds {
            solving: None,
            ..*grounds
        })
    };
    let ruling = judgements.decide(text, GoodEnough::Accepted, None, without);
    let status = match ruling {
        Ruling::Accept => Status::Accepted,
        Ruling::AcceptWithWarning => Status::AcceptedWarning,
        Ruling::HandOver(_) => Status::Escalated,
        Ruling::BestEffort(_) => Status::BestEffort,
    };
    Undisputed {
        status,
        passed,
        recommendation,
        needs_review,
    }
}

/// The tasks from the point of view of the final text: a repair that is not part of it counts as
/// not kept, even if it was kept at the time.
fn tasks_of(context: &Context, progress: &Progress, text: &Text) -> Vec<TaskDone> {
    let made: BTreeSet<&str> = text
        .made
        .iter()
        .flat_map(|step| &step.edits)
        .map(|edit| edit.task.as_str())
        .collect();
    let mut tasks = progress.done.clone();
    for task in tasks.iter_mut().filter(|task| task.kept) {
        let is_rewrite = task.section_id == ComponentId::whole()
            && made.contains(label_of_rewrite(task.iteration).as_str());
        let of_task = (task.action_type, &task.section_id);
        let is_made = |made: &&str| is_label_of(made, task.iteration, of_task);
        if !is_rewrite && !made.iter().any(is_made) {
            let reason = RollbackReason::OtherVersionPreferred;
            emit_rollback(context, task, &reason);
            task.kept = false;
            task.because = Some(reason);
        }
    }
    tasks
}

/// The conflicts of all rounds and of the final text.
fn ledger_of_conflicts(progress: &Progress, last: Option<&Arbitration>) -> Vec<Conflict> {
    let mut ledger: Vec<Conflict> = Vec::new();
    let last = last
        .map(|ruled| ruled.conflicts.as_slice())
        .unwrap_or_default();
    for conflict in progress.conflicts.iter().chain(last) {
        if !ledger.contains(conflict) {
            ledger.push(conflict.clone());
        }
    }
    ledger
}

/// Proof that nothing else was changed, if the goal allows changes.
fn receipts(context: &Context, text: &Text) -> Option<Receipts> {
    // There is no original, or it cannot have changed.
    if matches!(context.setup.goal, Goal::Judge | Goal::Write) {
        return None;
    }
    let original = &context.setup.inspected.document;
    match receipt::receipts(original, text.document(), &text.made) {
        Ok(receipts) => Some(receipts),
        // An internal error. The result does not claim to have receipts.
        Err(error) => {
            context.emit(EventKind::Skipped {
                what: "receipts",
                reason: SkipReason::Internal {
                    message: error.to_string(),
                },
            });
            None
        }
    }
}

/// Suggestions for the next steps, the most severe issues first.
fn hints(setup: &Setup, issues: &[Issue]) -> Vec<Hint> {
    const MOST: usize = 10;
    let mut order: Vec<&Issue> = issues
        .iter()
        .filter(|issue| !issue.suggested_fix.is_empty())
        .collect();
    order.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
    let title = |issue: &Issue| {
        setup
            .inspected
            .document
            .components()
            .iter()
            .find(|component| component.id == issue.location)
            .and_then(|component| component.title.clone())
    };
    order
        .into_iter()
        .take(MOST)
        .map(|issue| Hint {
            component: issue.location.clone(),
            title: title(issue),
            criterion: issue.criterion.clone(),
            severity: issue.severity,
            fix: issue.suggested_fix.clone(),
        })
        .collect()
}
