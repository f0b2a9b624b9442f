//! Repairs a text until the policy stops it (seed 003 §2, §10; rulings 31–37).
//!
//! | after a text is judged | then |
//! |---|---|
//! | it meets the accept rule and was not repaired | accepted |
//! | it meets the accept rule and was repaired | the panel confirms it; then accepted |
//! | it is good enough, after a repair | as for the accept rule |
//! | it only lacks a judge who can read all of it, or who is confident | as the next row |
//! | no rounds, budget or time left; no improvement; a text that was judged before; no task left | the best version so far is decided on |
//! | else | the next round of repair |
//!
//! | the best version at a stop | then |
//! |---|---|
//! | meets the accept rule or is good enough, confirmed by the panel | accepted |
//! | else, if a reviewer is available | a reviewer decides |
//! | else | best effort |
//!
//! Scores are never estimated: a text that no judge has scored cannot become the best version.

use super::assembling::{End, finish, outcome};
use super::best_version;
use super::by_hand;
use super::context::Context;
use super::damage::repair_damage;
use super::edit_locks::lock_what_was_edited_enough;
use super::judging::{Subject, Wanted, judge};
use super::phrasing::phrased;
use super::planning;
use super::progress::Attempt;
use super::quality_locks::keep_what_was_good;
use super::repairing::execute;
use super::repairs::Kept;
use super::review::{review_by_model, scrub};
use super::reviewer::{self, MOST_REFUSALS, ReviewerChoice};
use super::rewriting::{Rewritten, replace_unusable, rewrite, rewrite_confirmed};
use super::rounds::{begin_round, emit_checks, emit_round_complete, why_stop};
use super::solving::solve;
use super::state::State;
use super::text::Text;
use crate::assess::Assessment;
use crate::decide::{self, GoodEnough, Ruling};
use crate::event::EventKind;
use crate::outcome::{BY_HAND, Outcome, Status};
use crate::prompt::PromptError;
use crate::reasons::{Because, NotWritten, Refusal, StopReason, Unconfirmed};
use crate::route::RefinementPlan;

/// How often a reviewer may ask for another round, and how often they may edit the text.
const MOST_RETRIES: u32 = 5;
const MOST_EDITS: u32 = 20;

/// The result of a round of repair.
enum Round {
    /// A new text, which is judged next.
    Text(Text),
    /// No further round.
    Stop(StopReason),
}

/// What follows when repair stops.
enum Stopped {
    End(Box<Outcome>),
    /// A reviewer wants another attempt with this text.
    GoOn(Text),
}

/// The action of a round.
enum Action {
    /// Repairs components.
    Repair,
    /// Rewrites the whole text.
    Rewrite,
}

/// The result of a plan.
enum Executed {
    To(Text, Vec<Kept>),
    Failed(NotWritten),
}

/// Repairs a text until it is accepted or the policy stops.
pub(super) async fn refine(
    context: &Context,
    state: &mut State,
    original: Text,
) -> Result<Outcome, PromptError> {
    let mut text = judged_first(context, state, original).await?;
    loop {
        let good_enough = good_enough(state, &text);
        if let Some(ruling) = try_to_accept(context, state, &text, good_enough).await? {
            return Ok(finish(context, state, &text, (ruling, None)));
        }
        match round(context, state, &text).await? {
            Round::Text(next) => text = next,
            Round::Stop(reason) => {
                context.emit(EventKind::Stopped {
                    reason: reason.clone(),
                });
                let best = best_version::settle(context, state, &text).await?;
                match stop(context, state, &best, reason).await? {
                    Stopped::End(outcome) => return Ok(*outcome),
                    Stopped::GoOn(next) => text = next,
                }
            }
        }
    }
}

/// Scrubs a text, repairs certain damage, and has it reviewed and judged.
async fn judged_first(
    context: &Context,
    state: &mut State,
    original: Text,
) -> Result<Text, PromptError> {
    let text = scrub(context, original);
    if !text.made.is_empty() {
        // Scrubbing changes the findings and therefore the self-review.
        let before = &context.setup.inspected.findings;
        let review = redraft_gate::review::review(before, text.findings());
        state.judgements.keep_self_review(&text, review);
    }
    // Damage is repaired before a judge is paid.
    let mut text = repair_damage(context, state, text).await?;
    text = replace_unusable(context, state, text).await?;
    if state.judgements.unusable(&text).is_none() {
        let reviewed = review_by_model(context, &mut state.judgements, text).await?;
        text = rewrite_confirmed(context, state, reviewed).await?;
    }
    let path = state.progress.path();
    judge_usable(context, state, (&text, &path), Wanted::First).await?;
    Ok(text)
}

/// Judges a text unless its self-review prevents that.
pub(super) async fn judge_usable(
    context: &Context,
    state: &mut State,
    (text, path): (&Text, &str),
    wanted: Wanted,
) -> Result<(), PromptError> {
    if let Some(unusable) = state.judgements.unusable(text) {
        state.judgements.leave_unjudged(text, &unusable);
    } else {
        let subject = Subject { text, path };
        judge(context, &mut state.judgements, subject, wanted).await?;
    }
    state.remember(text, context.now());
    Ok(())
}

/// A text that is good enough is only accepted after a repair or at the end.
fn good_enough(state: &State, text: &Text) -> GoodEnough {
    if state.progress.round > 0 && !text.made.is_empty() {
        GoodEnough::Accepted
    } else {
        GoodEnough::NotYet
    }
}

/// Accepts a text if the rules allow it; a repaired text only if the panel confirms it.
async fn try_to_accept(
    context: &Context,
    state: &mut State,
    text: &Text,
    good_enough: GoodEnough,
) -> Result<Option<Ruling>, PromptError> {
    let accepted = state
        .judgements
        .decide(text, good_enough, None, decide::accepted);
    if accepted.is_err() {
        return Ok(None);
    }
    if text.made.is_empty() {
        return solved(context, state, text, (good_enough, None)).await;
    }
    if state.judgements.unconfirmed(text).is_some() {
        let path = format!("{}/confirm", state.progress.path());
        let subject = Subject { text, path: &path };
        judge(context, &mut state.judgements, subject, Wanted::Confirmed).await?;
        state.remember(text, context.now());
    }
    let unconfirmed = state.judgements.unconfirmed(text);
    solved(context, state, text, (good_enough, unconfirmed.as_ref())).await
}

/// Accepts an item only if no solver disputes its key.
async fn solved(
    context: &Context,
    state: &mut State,
    text: &Text,
    standing: (GoodEnough, Option<&Unconfirmed>),
) -> Result<Option<Ruling>, PromptError> {
    let path = state.progress.path();
    solve(context, &mut state.judgements, (text, &path), standing).await?;
    let (good_enough, unconfirmed) = standing;
    let accepted = state
        .judgements
        .decide(text, good_enough, unconfirmed, decide::accepted);
    Ok(accepted.ok())
}

async fn round(context: &Context, state: &mut State, text: &Text) -> Result<Round, PromptError> {
    if let Some(reason) = why_stop(context, &state.progress) {
        return Ok(Round::Stop(reason));
    }
    let enough = good_enough(state, text);
    let beyond_repair = state
        .judgements
        .decide(text, enough, None, decide::beyond_repair);
    if let Some(reason) = beyond_repair {
        return Ok(Round::Stop(StopReason::BeyondRepair { reason }));
    }
    lock_what_was_edited_enough(context, &mut state.progress);
    let (plan, action) = match planning::plan_rewrite(context, state, text) {
        Some(plan) => (plan, Action::Rewrite),
        None => match planning::plan(context, state, text) {
            Ok(plan) => (plan, Action::Repair),
            Err(reason) => {
                return Ok(Round::Stop(StopReason::NothingToRepair { reason }));
            }
        },
    };
    if matches!(action, Action::Repair)
        && let Some(reason) = planning::why_unpaid(context, &state.progress, text, &plan)?
    {
        return Ok(Round::Stop(reason));
    }
    let node = begin_round(context, &mut state.progress, &plan);
    let executed = match action {
        Action::Rewrite => match rewrite(context, state, text).await? {
            Rewritten::To(after) => Executed::To(after, Vec::new()),
            Rewritten::Failed(reason) => Executed::Failed(reason),
        },
        Action::Repair => {
            let path = state.progress.path();
            let plan = phrased(context, &path, text, plan).await?;
            repaired(context, state, text, &plan).await?
        }
    };
    state.progress.instruction = None;
    if let Some(ruled) = state.judgements.arbitration(text) {
        let conflicts = ruled.conflicts.iter().cloned();
        state.progress.conflicts.extend(conflicts);
    }
    context.emit(EventKind::NodeComplete { node });
    match executed {
        Executed::To(after, kept) => judge_round(context, state, text, (after, kept)).await,
        Executed::Failed(reason) => Ok(Round::Stop(StopReason::NotRewritten { reason })),
    }
}

async fn repaired(
    context: &Context,
    state: &mut State,
    text: &Text,
    plan: &RefinementPlan,
) -> Result<Executed, PromptError> {
    let (after, kept) = execute(context, &mut state.progress, text, plan).await?;
    state.judgements.inherit_self_review(text, &after);
    Ok(Executed::To(after, kept))
}

/// Judges the result of a round, and rolls back repairs that made a good criterion worse.
async fn judge_round(
    context: &Context,
    state: &mut State,
    text: &Text,
    (after, kept): (Text, Vec<Kept>),
) -> Result<Round, PromptError> {
    let best_before = best_version::best(state).map(|best| best.text.clone());
    let came_back = after.version() != text.version() && state.progress.knows(after.version());
    let next = if after.version() == text.version() || came_back {
        after
    } else {
        emit_checks(context, &after);
        let path = state.progress.path();
        let subject = Subject {
            text: &after,
            path: &path,
        };
        judge(context, &mut state.judgements, subject, Wanted::Repaired).await?;
        state.remember(&after, context.now());
        keep_what_was_good(context, state, text, (after, &kept)).await?
    };
    let score = state
        .judgements
        .assessment(&next)
        .as_ref()
        .map(Assessment::overall);
    let gain = best_before
        .and_then(|best| state.judgements.compared(&next, &best))
        .map(|(now, before)| i32::from(now.thousandths()) - i32::from(before.thousandths()));
    let progress = &mut state.progress;
    progress.gains.push(gain.unwrap_or(0));
    progress.idle = match next.version() == text.version() {
        true => progress.idle + 1,
        false => 0,
    };
    emit_round_complete(context, progress.round, &next, (score, gain));
    if came_back {
        return Ok(Round::Stop(StopReason::SameTextAgain));
    }
    Ok(Round::Text(next))
}

/// Ends repair and decides on the best version so far.
async fn stop(
    context: &Context,
    state: &mut State,
    best: &Text,
    stopped: StopReason,
) -> Result<Stopped, PromptError> {
    let end = |outcome: Outcome| Ok(Stopped::End(Box::new(outcome)));
    if let Some(ruling) = try_to_accept(context, state, best, GoodEnough::Accepted).await? {
        return end(finish(context, state, best, (ruling, None)));
    }
    let unconfirmed = state.judgements.unconfirmed(best);
    let unconfirmed = unconfirmed.as_ref().filter(|_| !best.made.is_empty());
    let ruling = state
        .judgements
        .decide(best, GoodEnough::Accepted, unconfirmed, decide::decide);
    let Ruling::HandOver(not_accepted) = ruling else {
        return end(finish(context, state, best, (ruling, Some(stopped))));
    };
    let because = Because {
        not_accepted,
        stopped: Some(stopped),
    };
    for _ in 0..MOST_REFUSALS {
        match reviewer::ask(context, &state.judgements, best, &because).await {
            ReviewerChoice::Edit { .. } if state.progress.by_hand >= MOST_EDITS => {
                reviewer::refuse(context, Refusal::EditedOften);
            }
            ReviewerChoice::Edit { by, content } => {
                let text = edited_by_hand(context, state, best, (&by, &content)).await?;
                return Ok(Stopped::GoOn(text));
            }
            ReviewerChoice::Retry(_) if state.progress.extra >= MOST_RETRIES => {
                reviewer::refuse(context, Refusal::RetriedOften);
            }
            ReviewerChoice::Retry(instruction) => {
                state.progress.retry(instruction);
                return Ok(Stopped::GoOn(best.clone()));
            }
            choice => {
                return end(outcome(context, state, best, decided(choice, because)));
            }
        }
    }
    let ruling = Ruling::HandOver(because.not_accepted);
    end(finish(context, state, best, (ruling, because.stopped)))
}

/// The end of a run that a reviewer decided.
pub(super) fn decided(choice: ReviewerChoice, because: Because) -> End {
    match choice {
        ReviewerChoice::Accept { by } => End {
            status: Status::Accepted,
            because: None,
            by: Some(by),
            overruled: Some(because),
        },
        ReviewerChoice::Leave { by } => End {
            status: Status::Escalated,
            because: Some(because),
            by,
            overruled: None,
        },
        ReviewerChoice::Edit { .. } | ReviewerChoice::Retry(_) => End {
            status: Status::Escalated,
            because: Some(because),
            by: None,
            overruled: None,
        },
    }
}

/// Judges a reviewer's own text. It is the first candidate for the best version, and repairs leave
/// the reviewer's changes alone.
async fn edited_by_hand(
    context: &Context,
    state: &mut State,
    text: &Text,
    (by, content): (&str, &str),
) -> Result<Text, PromptError> {
    state.progress.by_hand += 1;
    let edits = text.difference(content.as_bytes());
    let after = text
        .edited(
            context.setup.inspector.as_ref(),
            edits,
            &format!("{BY_HAND} ({by})"),
            None,
        )
        .unwrap_or_else(|| text.clone());
    if after.version() != text.version() {
        by_hand::lock_what_was_edited(context, text, &after, by);
    }
    state.judgements.review(&after);
    let number = state.progress.by_hand;
    let path = format!("{}/edited{number}", state.progress.path());
    judge_usable(context, state, (&after, &path), Wanted::Repaired).await?;
    let is_this = |attempt: &Attempt| attempt.text.version() == after.version();
    let position = state.progress.history.iter().position(is_this);
    state.progress.best_from = position.unwrap_or_default();
    Ok(after)
}
