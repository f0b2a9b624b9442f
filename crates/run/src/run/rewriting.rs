//! Rewrites the whole text if repair is not enough (rulings 14, 18, 28).
//!
//! A rewrite starts a new lineage of versions: locks and counts of edits are reset, the count of
//! rewrites is not.

use std::collections::BTreeSet;

use super::context::Context;
use super::damage::{plan_rewriting, repair_damage};
use super::planning::may_rewrite;
use super::repairing::{emit_rollback, execute};
use super::repairs::label_of_rewrite;
use super::review::Reviewed;
use super::rounds::{begin_round, emit_checks, emit_round_complete};
use super::state::State;
use super::text::Text;
use super::writing::{AnswerLength, Order, write_whole};
use crate::event::EventKind;
use crate::outcome::TaskDone;
use crate::prompt::PromptError;
use crate::reasons::{CannotWrite, NotWritten, RollbackReason, SkipReason};
use crate::route::RefinementPlan;
use crate::rubric::FixAction;
use crate::verdict::{IssueSeverity, Reason, Unscored};
use redraft_gate::check::Concern;
use redraft_gate::review::{Issue, Status};
use redraft_gate::span::ComponentId;

pub(super) enum Rewritten {
    To(Text),
    Failed(NotWritten),
}

/// Rewrites a text that can be neither repaired nor judged, as often as the policy allows (ruling
/// 18).
pub(super) async fn replace_unusable(
    context: &Context,
    state: &mut State,
    mut text: Text,
) -> Result<Text, PromptError> {
    while (state.judgements.self_review(&text).status == Status::Regenerate
        || state.judgements.beyond_repair(&text).is_some())
        && state.progress.round < context.setup.policy.repair.iterations
        && may_rewrite(context, &state.progress).is_ok()
    {
        match replaced(context, state, &text).await? {
            Some(after) => text = after,
            None => break,
        }
    }
    Ok(text)
}

/// Rewrites a text that was not judged. `None` if that fails.
async fn replaced(
    context: &Context,
    state: &mut State,
    text: &Text,
) -> Result<Option<Text>, PromptError> {
    state.progress.round += 1;
    match write_anew(context, state, text).await? {
        Rewritten::To(after) => Ok(Some(repair_damage(context, state, after).await?)),
        Rewritten::Failed(reason) => {
            context.emit(EventKind::Skipped {
                what: "writing",
                reason: SkipReason::NotRewritten { reason },
            });
            Ok(None)
        }
    }
}

/// Rewrites text that a self-reviewer calls unusable and a check confirms: the affected components,
/// or the whole text if the damage is in no component (rulings 18, 54). If no model can write it,
/// or the rewrite fails, the judge sees what was flagged.
pub(super) async fn rewrite_confirmed(
    context: &Context,
    state: &mut State,
    reviewed: Reviewed,
) -> Result<Text, PromptError> {
    let Reviewed { text, confirmed } = reviewed;
    if confirmed.is_empty() || state.progress.round >= context.setup.policy.repair.iterations {
        return Ok(text);
    }
    let unusable = Unscored::new(
        Reason::Unusable,
        format!(
            "it was rewritten before a judge was paid: {}",
            state.judgements.self_review(&text).reasoning
        ),
    );
    let after = match plan_rewriting(context, &state.progress, &text, &confirmed) {
        Some(plan) => {
            let kinds: BTreeSet<&str> = confirmed
                .iter()
                .map(|finding| finding.check.concern.name())
                .collect();
            rewrite_components(context, state, &text, (&plan, &kinds)).await?
        }
        None if may_rewrite(context, &state.progress).is_ok() => replaced(context, state, &text)
            .await?
            .unwrap_or_else(|| text.clone()),
        None => return Ok(text),
    };
    if after.version() != text.version() {
        // The damaged version stays in the history, without a score.
        state.judgements.leave_unjudged(&text, &unusable);
        state.remember(&text, context.now());
    }
    Ok(after)
}

/// A round that rewrites components. Flags of these kinds in them are dropped, so that the judge
/// does not see them.
async fn rewrite_components(
    context: &Context,
    state: &mut State,
    text: &Text,
    (plan, kinds): (&RefinementPlan, &BTreeSet<&str>),
) -> Result<Text, PromptError> {
    let node = begin_round(context, &mut state.progress, plan);
    let (after, _) = execute(context, &mut state.progress, text, plan).await?;
    context.emit(EventKind::NodeComplete { node });
    if after.version() != text.version() {
        emit_checks(context, &after);
        let flagged = state.judgements.flagged(text);
        state.judgements.review(&after);
        let whole = ComponentId::whole().to_string();
        let is_gone = |issue: &Issue| {
            let mut tasks = plan.tasks.iter();
            let is_there = issue.location == whole
                || tasks.any(|task| task.section_id.to_string() == issue.location);
            is_there && kinds.contains(issue.kind)
        };
        let others = flagged.into_iter().filter(|issue| !is_gone(issue));
        state.judgements.flag(&after, others.collect());
    }
    emit_round_complete(context, state.progress.round, &after, (None, None));
    Ok(after)
}

/// Rewrites a text that was judged. Fails if the result cannot be shown to a judge.
pub(super) async fn rewrite(
    context: &Context,
    state: &mut State,
    text: &Text,
) -> Result<Rewritten, PromptError> {
    let after = match write_anew(context, state, text).await? {
        Rewritten::To(after) => after,
        failed @ Rewritten::Failed(_) => return Ok(failed),
    };
    Ok(match state.judgements.unusable(&after) {
        None => Rewritten::To(after),
        Some(unusable) => {
            let reason = NotWritten::Unusable(unusable);
            reject(context, state, &reason);
            Rewritten::Failed(reason)
        }
    })
}

async fn write_anew(
    context: &Context,
    state: &mut State,
    text: &Text,
) -> Result<Rewritten, PromptError> {
    let is_cut = text.document().is_cut_off()
        || state
            .judgements
            .self_review(text)
            .issues
            .iter()
            .any(|issue| issue.kind == Concern::Truncation.name());
    let order = Order {
        complaints: complaints(state, text),
        length: match is_cut {
            true => AnswerLength::Doubled,
            false => AnswerLength::Usual,
        },
        label: label_of_rewrite(state.progress.round),
    };
    context.emit(EventKind::TaskStarted {
        section: ComponentId::whole(),
        task: FixAction::RegenerateSection,
        batch: 1,
        retry: false,
    });
    state.progress.begin_lineage();
    let path = state.progress.path();
    let written = write_whole(context, &path, text, &order).await?;
    state.progress.done.push(TaskDone {
        iteration: state.progress.round,
        retry: false,
        before: text.version(),
        section_id: ComponentId::whole(),
        section_title: text.document().title().unwrap_or_default().to_owned(),
        action_type: FixAction::RegenerateSection,
        priority: IssueSeverity::Critical,
        synthesized_instructions: order.complaints.join("\n"),
        issues: order.complaints,
        kept: true,
        because: None,
        not_used: Vec::new(),
        edits: Vec::new(),
        tokens: written.used,
    });
    let written = written.result.map_err(NotWritten::NoAnswer);
    let is_locked = context.mailbox.lock().reviewer_locks.has_locks();
    let written = written.and_then(|after| match is_locked {
        true => Err(NotWritten::NotTried {
            reason: CannotWrite::Locked,
        }),
        false => Ok(after),
    });
    Ok(match written {
        Ok(after) => {
            state.judgements.review(&after);
            Rewritten::To(after)
        }
        Err(reason) => {
            reject(context, state, &reason);
            Rewritten::Failed(reason)
        }
    })
}

/// Discards this round's rewrite.
fn reject(context: &Context, state: &mut State, reason: &NotWritten) {
    let reason = RollbackReason::NotRewritten {
        reason: reason.clone(),
    };
    if let Some(task) = state.progress.done.last_mut() {
        emit_rollback(context, task, &reason);
        task.kept = false;
        task.because = Some(reason);
    }
}

/// What was wrong with a text, for the model that rewrites it: a reviewer's instruction first, then
/// the most severe issues.
fn complaints(state: &State, text: &Text) -> Vec<String> {
    const MOST: usize = 12;
    let mut issues = state.judgements.issues(text);
    issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
    let said = issues.into_iter().map(|issue| issue.description);
    let review = state.judgements.self_review(text);
    let unusable = (review.status == Status::Regenerate).then(|| review.reasoning.clone());
    let instruction = state.progress.instruction.clone();
    let wrong_length = state.judgements.beyond_repair(text);
    let wrong_length = wrong_length.map(|finding| finding.message.clone());
    instruction
        .into_iter()
        .chain(unusable)
        .chain(wrong_length)
        .chain(said)
        .take(MOST)
        .collect()
}
