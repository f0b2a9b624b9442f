//! Quality locks: rolls back a repair that lowers a good criterion, if a second judge confirms it
//! (rulings 31–33).

use std::collections::BTreeSet;

use super::context::Context;
use super::edit_locks::lock;
use super::judgements::Judgements;
use super::judging::{Subject, Wanted, ask_judges, judge};
use super::panel::Panel;
use super::progress::Progress;
use super::proposing::rebuild;
use super::repairing::emit_rollback;
use super::repairs::Kept;
use super::state::State;
use super::text::Text;
use crate::ask::Role;
use crate::event::EventKind;
use crate::prompt::PromptError;
use crate::reasons::{LockReason, RollbackReason, SkipReason};
use crate::verdict::{Issue, Quotes, Verdict};
use redraft_gate::score::Score;
use redraft_gate::span::{ComponentId, Version};

/// The judges in the order in which they are asked for a second opinion.
const SECOND_OPINIONS: [Role; 3] = [
    Role::JudgePrimary,
    Role::JudgeTiebreaker,
    Role::JudgeSecondary,
];

/// A criterion that a judge scores lower than its own best score before.
#[derive(Clone)]
struct Fall {
    judge: Role,
    criterion: String,
    locked_at: Score,
    score: Score,
}

/// Protects criteria that were good (ruling 33). Compares only scores of the same judge; nothing is
/// rolled back until a second judge confirms the drop.
pub(super) async fn keep_what_was_good(
    context: &Context,
    state: &mut State,
    before: &Text,
    (after, kept): (Text, &[Kept]),
) -> Result<Text, PromptError> {
    let falls = fallen(context, state, before, &after);
    let Some(Fall {
        judge: by,
        criterion,
        locked_at,
        score,
    }) = falls.first().cloned()
    else {
        return Ok(after);
    };
    let confirmed = confirm(context, state, (before, &after), &falls).await?;
    if confirmed.is_empty() {
        context.emit(EventKind::QualityLockTriggered {
            criterion,
            locked_at,
            score,
            confirmed: false,
            rolled_back: Vec::new(),
        });
        return Ok(after);
    }
    let named: BTreeSet<ComponentId> = state
        .judgements
        .panel(after.version())
        .into_iter()
        .flat_map(Panel::verdicts)
        .flat_map(Verdict::issues)
        .filter(|issue| confirmed.contains(&issue.criterion))
        .map(|issue| issue.location.clone())
        .filter(|location| kept.iter().any(|kept| kept.component == *location))
        .collect();
    let rolled_back: BTreeSet<ComponentId> = if named.is_empty() {
        kept.iter().map(|kept| kept.component.clone()).collect()
    } else {
        named.clone()
    };
    context.emit(EventKind::QualityLockTriggered {
        criterion: criterion.clone(),
        locked_at,
        score,
        confirmed: true,
        rolled_back: rolled_back.iter().cloned().collect(),
    });
    for section in &named {
        let criterion = criterion.clone();
        let reason = LockReason::MadeWorse { criterion };
        lock(context, &mut state.progress, section, reason);
    }
    let worse = RollbackReason::QualityLock { criterion };
    roll_back(context, &mut state.progress, &rolled_back, &worse);
    state.progress.leave(after.version());
    let round = state.progress.round;
    let (rebuilt, lost) = rebuild(context, round, before, (kept, &rolled_back));
    for (section, reason) in lost {
        let section = BTreeSet::from([section]);
        roll_back(context, &mut state.progress, &section, &reason);
    }
    if rebuilt.version() == before.version() {
        return Ok(before.clone());
    }
    state.judgements.inherit_self_review(before, &rebuilt);
    let path = format!("{}/mixed", state.progress.path());
    let subject = Subject {
        text: &rebuilt,
        path: &path,
    };
    judge(context, &mut state.judgements, subject, Wanted::Repaired).await?;
    state.remember(&rebuilt, context.now());
    let mut falls = fallen(context, state, before, &rebuilt).into_iter();
    if !falls.any(|fall| fall.judge == by) {
        return Ok(rebuilt);
    }
    let all = kept.iter().map(|kept| kept.component.clone()).collect();
    roll_back(context, &mut state.progress, &all, &worse);
    state.progress.leave(rebuilt.version());
    Ok(before.clone())
}

/// The criteria that a judge of both texts scores lower in the later one than its own best score,
/// by more than the tolerance.
fn fallen(context: &Context, state: &State, before: &Text, after: &Text) -> Vec<Fall> {
    let policy = &context.setup.policy;
    let lock_from = policy
        .good_enough
        .map_or(policy.accept, |enough| enough.from);
    let quotes = Quotes::new(before.document());
    let mut fallen = Vec::new();
    for role in SECOND_OPINIONS {
        let verdict = |version: Version| state.judgements.verdict(version, role);
        let (Some(now), Some(earlier)) = (verdict(after.version()), verdict(before.version()))
        else {
            continue;
        };
        if now.judge().model != earlier.judge().model {
            continue;
        }
        for criterion in &context.setup.rubric.criteria {
            let best = state
                .progress
                .lineage()
                .filter(|attempt| attempt.text.version() != after.version())
                .filter_map(|attempt| verdict(attempt.text.version()))
                .filter(|verdict| verdict.judge().model == now.judge().model)
                .filter_map(|verdict| verdict.score(&criterion.name))
                .max();
            let (Some(best), Some(score)) = (best, now.score(&criterion.name)) else {
                continue;
            };
            let tolerated = score.thousandths() + policy.repair.tolerance.thousandths();
            if best >= lock_from && tolerated < best.thousandths() {
                // The same judge sometimes differs from itself by .05. A drop counts only if the
                // criterion is no longer good, or if the judge names a new issue.
                let is_named = |issue: &Issue| {
                    issue.criterion == criterion.name && is_new(issue, earlier, &quotes)
                };
                if score >= lock_from && !now.issues().iter().any(is_named) {
                    context.emit(EventKind::Skipped {
                        what: "second_opinion",
                        reason: SkipReason::FallWithoutIssue {
                            criterion: criterion.name.clone(),
                        },
                    });
                    continue;
                }
                fallen.push(Fall {
                    judge: role,
                    criterion: criterion.name.clone(),
                    locked_at: best,
                    score,
                });
            }
        }
    }
    fallen
}

/// Whether a judge names an issue that the repair may have caused.
///
/// | what the judge said about these words before | new |
/// |---|---|
/// | the same, at least as severe | no |
/// | the same, less severe | yes |
/// | nothing, and the words were there | no: the judge had overlooked them |
/// | nothing, and the words were not there, or nothing is quoted | yes |
fn is_new(issue: &Issue, earlier: &Verdict, before: &Quotes<'_>) -> bool {
    let named = earlier.issues();
    let is_known = named.iter().any(|one| issue.is_known_from(one));
    let is_graver = || named.iter().any(|one| issue.is_about_the_words_of(one));
    !is_known && (is_graver() || !was_there(issue, before))
}

/// Whether the words that an issue quotes are in the same component of the earlier text.
fn was_there(issue: &Issue, before: &Quotes<'_>) -> bool {
    let quote = issue.quote.as_deref().filter(|quote| !quote.is_empty());
    quote
        .and_then(|quote| before.look_up(quote).ok())
        .and_then(|occurrence| before.component(&occurrence))
        .is_some_and(|component| component.id == issue.location)
}

/// The drops that a second judge confirms. A judge that has scored both texts is used as it is;
/// only if there is none, one is asked.
async fn confirm(
    context: &Context,
    state: &mut State,
    (before, after): (&Text, &Text),
    falls: &[Fall],
) -> Result<BTreeSet<String>, PromptError> {
    let first = falls.first().map(|fall| fall.judge);
    let others = || {
        SECOND_OPINIONS
            .into_iter()
            .filter(|role| Some(*role) != first)
    };
    let has_scored_both = |role: Role| {
        [before, after]
            .iter()
            .all(|text| state.judgements.verdict(text.version(), role).is_some())
    };
    if !others().any(has_scored_both) {
        let second = others().find(|role| context.seat(*role).is_some());
        let Some(second) = second else {
            return Ok(BTreeSet::new());
        };
        ask_second_opinion(context, state, (before, after), (second, falls)).await?;
    }
    let tolerance = context.setup.policy.repair.tolerance.thousandths();
    let score = |text: &Text, role: Role, criterion: &str| {
        score_of(&state.judgements, text, role, criterion)
    };
    let sees = |role: Role, criterion: &str| {
        let scores = (
            score(before, role, criterion),
            score(after, role, criterion),
        );
        matches!(scores, (Some(before), Some(after)) if after + tolerance < before)
    };
    Ok(falls
        .iter()
        .filter(|fall| {
            SECOND_OPINIONS
                .into_iter()
                .any(|role| role != fall.judge && sees(role, &fall.criterion))
        })
        .map(|fall| fall.criterion.clone())
        .collect())
}

/// Asks a judge about the later text, and about the earlier one if the later does not reach the
/// level of the lock. Otherwise this judge sees no drop.
async fn ask_second_opinion(
    context: &Context,
    state: &mut State,
    (before, after): (&Text, &Text),
    (judge, falls): (Role, &[Fall]),
) -> Result<(), PromptError> {
    let path = format!("{}/guard", state.progress.path());
    let subject = Subject {
        text: after,
        path: &path,
    };
    ask_judges(context, &mut state.judgements, subject, &[judge]).await?;
    let sees = |fall: &Fall| {
        let score = score_of(&state.judgements, after, judge, &fall.criterion);
        score.is_some_and(|score| score < fall.locked_at.thousandths())
    };
    if falls.iter().any(sees) {
        let path = format!("{path}/before");
        let subject = Subject {
            text: before,
            path: &path,
        };
        ask_judges(context, &mut state.judgements, subject, &[judge]).await?;
        state.remember(before, context.now());
    }
    state.remember(after, context.now());
    Ok(())
}

fn score_of(judgements: &Judgements, text: &Text, role: Role, criterion: &str) -> Option<u16> {
    judgements
        .verdict(text.version(), role)
        .and_then(|verdict| verdict.score(criterion))
        .map(Score::thousandths)
}

/// Rolls back this round's repairs of these components.
fn roll_back(
    context: &Context,
    progress: &mut Progress,
    sections: &BTreeSet<ComponentId>,
    reason: &RollbackReason,
) {
    let round = progress.round;
    for task in &mut progress.done {
        if task.iteration == round && task.kept && sections.contains(&task.section_id) {
            task.kept = false;
            task.because = Some(reason.clone());
            emit_rollback(context, task, reason);
            // The reason goes into the next attempt's prompt, so that it is a different question.
            let section = task.section_id.clone();
            progress.rolled_back.insert(section, reason.clone());
        }
    }
}
