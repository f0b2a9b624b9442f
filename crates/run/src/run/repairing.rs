//! The repair stage: executes a plan batch by batch, and decides which repairs are kept.
//!
//! | a repair | then |
//! |---|---|
//! | does not fit the component, or the program rejects it (tier 1) | requested again with the complaint; if edits do not fit, then as a whole component; then rolled back |
//! | the delta judge finds issues unsolved (tier 2) | edits whose issues are all solved are kept if the program accepts them again; the others are rolled back byte for byte, and the unsolved issues are retried at once, as often as the policy allows and the budget covers |
//! | the delta judge finds a constraint broken | rolled back byte for byte, and retried likewise |
//! | the delta judge gives no readable answer | rolled back byte for byte |
//! | program and delta judge accept it | kept |
//! | a section was rewritten | the next section is checked, together with the repair in yes/no form, and patched if it no longer fits |
//!
//! The reason for a rollback goes into the next attempt's prompt. A retry within the round is the
//! same task and counts as one edit of its component (ruling 34), because no judge has seen the
//! text in between. Rolling back means rebuilding the text from the state before, without that
//! repair; nothing is reverted by hand.

use std::collections::{BTreeMap, BTreeSet};

use super::affording::{Admitted, Orders};
use super::by_hand;
use super::context::Context;
use super::edit_locks::{count_edit, may_edit};
use super::planning::{issue_of_ours, routed_alone};
use super::progress::Progress;
use super::proposing::{apply_one, ask_for_repairs, put_together};
use super::repairs::{Batch, Kept, Tried};
use super::text::Text;
use super::verifying::{ask_delta_judge, ask_whether_it_fits, parts_to_look_at};
use crate::arbitrate::TargetedIssue;
use crate::ask::{Budget, Role};
use crate::event::EventKind;
use crate::outcome::{EditDone, TaskDone};
use crate::prompt::PromptError;
use crate::reasons::RollbackReason;
use crate::repair;
use crate::route::{RefinementPlan, RepairTask};
use crate::rubric::FixAction;
use crate::verify::Fits;
use redraft_gate::span::ComponentId;

/// Executes a plan batch by batch. Returns the resulting text and the repairs that were kept.
pub(super) async fn execute(
    context: &Context,
    progress: &mut Progress,
    start: &Text,
    plan: &RefinementPlan,
) -> Result<(Text, Vec<Kept>), PromptError> {
    let mut text = start.clone();
    let mut all = Vec::new();
    for (index, sections) in plan.execution_batches.iter().enumerate() {
        let mut tasks = tasks_of(plan, sections);
        tasks.retain(|task| may_edit(context, progress, (text.document(), &task.section_id)));
        if tasks.is_empty() {
            continue;
        }
        let later: Vec<RepairTask> = plan
            .execution_batches
            .iter()
            .skip(index + 1)
            .flat_map(|sections| tasks_of(plan, sections))
            .collect();
        let batch = Batch {
            tasks,
            number: index + 1,
            terms: &plan.preserve_terminology,
            later: &later,
        };
        let (after, kept) = run_batch(context, progress, &text, batch).await?;
        text = after;
        all.extend(kept);
        for (rewritten, said) in parts_to_look_at(&all, index, plan) {
            let tasks = tasks_after(context, progress, &text, (&rewritten, said)).await?;
            if tasks.is_empty() {
                continue;
            }
            let batch = Batch {
                tasks,
                number: index + 1,
                terms: &plan.preserve_terminology,
                later: &later,
            };
            let (after, kept) = run_batch(context, progress, &text, batch).await?;
            text = after;
            all.extend(kept);
        }
    }
    let planned = plan.tasks.iter().map(|task| &task.section_id);
    by_hand::forget_skipped(context, planned);
    context.mailbox.lock().ledger.hold_back(Budget::Repair, 0);
    Ok((text, all))
}

fn tasks_of(plan: &RefinementPlan, sections: &[ComponentId]) -> Vec<RepairTask> {
    sections
        .iter()
        .filter_map(|section| plan.tasks.iter().find(|task| task.section_id == *section))
        .cloned()
        .collect()
}

/// Runs tasks in parallel, as many at a time as the budget covers including their verification.
async fn run_batch(
    context: &Context,
    progress: &mut Progress,
    base: &Text,
    mut batch: Batch<'_>,
) -> Result<(Text, Vec<Kept>), PromptError> {
    // The most urgent tasks reserve first.
    batch
        .tasks
        .sort_by_key(|task| std::cmp::Reverse(task.priority));
    context.emit(EventKind::BatchStarted {
        batch: batch.number,
        sections: batch
            .tasks
            .iter()
            .map(|task| task.section_id.clone())
            .collect(),
    });
    let mut text = base.clone();
    let mut kept = Vec::new();
    let mut rolled_back = 0;
    let mut retries: BTreeMap<ComponentId, u32> = BTreeMap::new();
    let mut waiting = std::mem::take(&mut batch.tasks);
    while !waiting.is_empty() {
        waiting.retain(|task| !by_hand::is_left_alone(context, text.document(), &task.section_id));
        // The neighbours of a component may have been repaired in the meantime.
        let current = waiting
            .into_iter()
            .map(|task| task.beside_current_text(text.document()))
            .collect();
        let orders = Orders {
            context,
            progress,
            text: &text,
            terms: batch.terms,
        };
        let later = orders.critical_need(batch.later.iter())?;
        let mut admitted = orders.admit(current, later)?;
        waiting = std::mem::take(&mut admitted.waiting);
        let repeated: BTreeSet<ComponentId> = retries.keys().cloned().collect();
        for task in &admitted.tasks {
            let retry = repeated.contains(&task.section_id);
            if !retry {
                count_edit(progress, &task.section_id);
            }
            context.emit(EventKind::TaskStarted {
                section: task.section_id.clone(),
                task: task.action_type,
                batch: batch.number,
                retry,
            });
        }
        let (after, tried) = attempt(context, progress, &text, (admitted, batch.terms)).await?;
        let before = std::mem::replace(&mut text, after);
        let all = tried.len();
        let again: Vec<RepairTask> = tried
            .iter()
            .filter_map(|tried| tried.left.clone())
            .filter(|task| may_retry(context, &mut retries, &task.section_id))
            .collect();
        let settled: Vec<Kept> = tried
            .into_iter()
            .filter_map(|tried| {
                let retry = repeated.contains(&tried.task.section_id);
                settle(context, progress, (&before, &text), (tried, retry))
            })
            .collect();
        rolled_back += all - settled.len();
        kept.extend(settled);
        waiting.extend(again);
    }
    context.emit(EventKind::BatchComplete {
        batch: batch.number,
        kept: kept.len(),
        rolled_back,
    });
    Ok((text, kept))
}

/// Whether a task is retried in this round; counts the retry.
fn may_retry(
    context: &Context,
    retries: &mut BTreeMap<ComponentId, u32>,
    section: &ComponentId,
) -> bool {
    let most = context.setup.policy.repair.retries;
    let so_far = retries.get(section).copied().unwrap_or_default();
    if so_far >= most || context.mailbox.lock().stopped.is_some() {
        return false;
    }
    retries.insert(section.clone(), so_far + 1);
    true
}

/// Requests repairs whose cost is reserved, and verifies them.
async fn attempt(
    context: &Context,
    progress: &mut Progress,
    base: &Text,
    (mut admitted, terms): (Admitted, &[String]),
) -> Result<(Text, Vec<Tried>), PromptError> {
    let round = progress.round;
    let tasks = std::mem::take(&mut admitted.tasks);
    admitted.free_repairs(context);
    let mut tried = ask_for_repairs(context, progress, base, (&tasks, terms)).await?;
    by_hand::roll_back_what_is_left_alone(context, base, &mut tried);
    let together = put_together(context, round, base, &mut tried);
    if together.version() != base.version() {
        progress.proposed_in = round;
    }
    let path = progress.path();
    admitted.free_verifications(context);
    let deltas = ask_delta_judge(context, &path, (base, &together), &tried).await?;
    for (tried, delta) in tried.iter_mut().zip(deltas) {
        tried.used = tried.used.plus(delta.used);
        tried.next = delta.next;
        if tried.result.is_ok()
            && let Err(reason) = delta.result
        {
            tried.keep_what_is_solved(reason, |task, proposal| {
                apply_one(context, round, base, (task, proposal)).is_ok()
            });
        }
    }
    by_hand::roll_back_what_is_left_alone(context, base, &mut tried);
    let text = put_together(context, round, base, &mut tried);
    Ok((text, tried))
}

/// Reports and records the end of a task.
fn settle(
    context: &Context,
    progress: &mut Progress,
    (before, text): (&Text, &Text),
    (tried, retry): (Tried, bool),
) -> Option<Kept> {
    let Tried {
        task,
        result,
        edits,
        unsolved,
        next,
        used,
        not_used,
        left: _,
    } = tried;
    let section = task.section_id.clone();
    if result.is_ok() {
        let content = text_of(text, &section);
        let diff_summary = summary(&task);
        context.emit(match task.action_type {
            FixAction::SurgicalEdit => EventKind::PatchApplied {
                section: section.clone(),
                content,
                diff_summary,
            },
            FixAction::RegenerateSection => EventKind::SectionRegenerated {
                section: section.clone(),
                content,
                diff_summary,
            },
        });
    }
    let because = result.as_ref().err().cloned().or(unsolved);
    context.emit(EventKind::VerificationResult {
        section: section.clone(),
        passed: because.is_none(),
        reason: because.clone(),
        edits: edits.clone(),
        tokens: used,
    });
    let done = TaskDone {
        iteration: progress.round,
        retry,
        before: before.version(),
        section_id: section.clone(),
        section_title: task.section_title.clone(),
        action_type: task.action_type,
        priority: task.priority,
        issues: task
            .source_issues
            .iter()
            .map(|issue| issue.issue.description.clone())
            .collect(),
        synthesized_instructions: task.synthesized_instructions.clone(),
        kept: result.is_ok(),
        because: because.clone(),
        not_used,
        edits,
        tokens: used,
    };
    match because {
        Some(reason) => {
            emit_rollback(context, &done, &reason);
            progress.rolled_back.insert(section.clone(), reason)
        }
        None => progress.rolled_back.remove(&section),
    };
    progress.done.push(done);
    result.ok().map(|proposal| Kept {
        component: section,
        task,
        proposal,
        next,
    })
}

/// Reports that a repair is not part of the text.
pub(super) fn emit_rollback(context: &Context, task: &TaskDone, reason: &RollbackReason) {
    let is_gone = |edit: &&EditDone| !task.kept || !edit.kept;
    context.emit(EventKind::RolledBack {
        task: task.reference(),
        reason: reason.clone(),
        edits: task
            .edits
            .iter()
            .filter(is_gone)
            .map(|edit| EditDone {
                kept: false,
                ..edit.clone()
            })
            .collect(),
    });
}

/// Checks whether the section after a rewritten one still fits. Returns the tasks that patch it if
/// not.
async fn tasks_after(
    context: &Context,
    progress: &mut Progress,
    text: &Text,
    (rewritten, said): (&RepairTask, Option<Fits>),
) -> Result<Vec<RepairTask>, PromptError> {
    let Some(next) = &rewritten.check_after else {
        return Ok(Vec::new());
    };
    let section = &rewritten.section_id;
    let answer = match said {
        Some(said) => Some(said),
        None => ask_whether_it_fits(context, &progress.path(), text, (section, next)).await?,
    };
    let Some(answer) = answer else {
        return Ok(Vec::new());
    };
    if answer.fits
        || context.seat(Role::Patcher).is_none()
        || !may_edit(context, progress, (text.document(), next))
    {
        return Ok(Vec::new());
    }
    let description = format!(
        "It no longer fits {section}, which was written again: {}",
        answer.reason
    );
    let issue = issue_of_ours(context, next, description);
    Ok(routed_alone(context, progress, text, (vec![issue], &[])).tasks)
}

/// One line about what a task did.
fn summary(task: &RepairTask) -> String {
    let solved: Vec<&str> = task
        .source_issues
        .iter()
        .map(|issue: &TargetedIssue| issue.issue.description.as_str())
        .collect();
    if solved.is_empty() {
        task.synthesized_instructions.clone()
    } else {
        solved.join("; ")
    }
}

/// The text of a component, for an event.
fn text_of(text: &Text, component: &ComponentId) -> String {
    repair::passages(text.document(), component)
        .iter()
        .map(|passage| passage.text)
        .collect::<Vec<_>>()
        .join("\n")
}
