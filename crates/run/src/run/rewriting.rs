//! Rewriting the whole text where repair would not do (rulings 14, 18, 28).
//!
//! A rewrite begins a new lineage of versions: locks and counts of edits begin again,
//! the count of rewrites does not.

use super::context::Context;
use super::damage::repair_damage;
use super::planning::may_rewrite;
use super::repairing::emit_rollback;
use super::repairs::label_of_rewrite;
use super::state::State;
use super::text::Text;
use super::writing::{AnswerLength, Order, write_whole};
use crate::event::EventKind;
use crate::outcome::TaskDone;
use crate::prompt::PromptError;
use crate::reasons::{NotWritten, RollbackReason, SkipReason};
use crate::rubric::FixAction;
use crate::verdict::IssueSeverity;
use redraft_gate::check::Concern;
use redraft_gate::review::Status;
use redraft_gate::span::ComponentId;

/// What came of a rewrite.
pub(super) enum Rewritten {
    To(Text),
    Failed(NotWritten),
}

/// Rewrites a text that can be neither repaired nor judged, as often as the policy
/// allows (ruling 18).
pub(super) async fn replace_unusable(
    context: &Context,
    state: &mut State,
    mut text: Text,
) -> Result<Text, PromptError> {
    while state.judgements.self_review(&text).status == Status::Regenerate
        && state.progress.round < context.setup.policy.repair.iterations
        && may_rewrite(context, &state.progress).is_ok()
    {
        state.progress.round += 1;
        match write_anew(context, state, &text).await? {
            Rewritten::To(after) => text = repair_damage(context, state, after).await?,
            Rewritten::Failed(reason) => {
                context.emit(EventKind::Skipped {
                    what: "writing",
                    reason: SkipReason::NotRewritten { reason },
                });
                break;
            }
        }
    }
    Ok(text)
}

/// Rewrites a text that was judged. It fails where nothing comes of it that a judge
/// could be shown.
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
    });
    state.progress.begin_lineage();
    let path = state.progress.path();
    let written = write_whole(context, &path, text, &order).await?;
    state.progress.done.push(TaskDone {
        iteration: state.progress.round,
        section_id: ComponentId::whole(),
        section_title: text.document().title().unwrap_or_default().to_owned(),
        action_type: FixAction::RegenerateSection,
        priority: IssueSeverity::Critical,
        synthesized_instructions: order.complaints.join("\n"),
        issues: order.complaints,
        kept: true,
        because: None,
        edits: Vec::new(),
        tokens: written.used,
    });
    Ok(match written.result.map_err(NotWritten::NoAnswer) {
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

/// The rewrite of this round is not kept after all.
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

/// What was wrong with a text, for the model that rewrites it: a reviewer's
/// instruction first, then the gravest issues.
fn complaints(state: &State, text: &Text) -> Vec<String> {
    const MOST: usize = 12;
    let mut issues = state.judgements.issues(text);
    issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
    let said = issues.into_iter().map(|issue| issue.description);
    let review = state.judgements.self_review(text);
    let unusable = (review.status == Status::Regenerate).then(|| review.reasoning.clone());
    let instruction = state.progress.instruction.clone();
    instruction
        .into_iter()
        .chain(unusable)
        .chain(said)
        .take(MOST)
        .collect()
}
