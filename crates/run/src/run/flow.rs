//! The stages of a run in order: check and review are free; then come the self-reviewer, the judges
//! and the decision, with repair between them if that is the goal.
//!
//! | goal | stages |
//! |---|---|
//! | judge | review, judge, decide; the text is not changed |
//! | refine | scrub, review, then judge and repair until the policy stops it |
//! | free | scrub; no model is asked |
//! | write | write the text, then as refine |

use std::sync::Arc;

use super::assembling::{End, finish, outcome};
use super::context::Context;
use super::judging::Wanted;
use super::mailbox::Mailbox;
use super::planning::may_write;
use super::refine::{decided, judge_usable, refine};
use super::review::{review_by_model, scrub};
use super::reviewer::{self, MOST_REFUSALS, ReviewerChoice};
use super::rounds::emit_checks;
use super::solving::solve;
use super::state::State;
use super::tested_judges;
use super::text::Text;
use super::writing::{AnswerLength, Order, write_whole};
use crate::ask::Budget;
use crate::decide::{self, GoodEnough, Ruling};
use crate::event::EventKind;
use crate::outcome::{Outcome, Status};
use crate::prompt::PromptError;
use crate::reasons::{Because, NotAccepted, NotWritten, Refusal};
use crate::setup::{Goal, Setup};
use crate::token_estimate::estimated_tokens;
use crate::verdict::{Reason, Unscored};

/// Runs all stages.
pub(super) async fn run(setup: Arc<Setup>, mailbox: Mailbox) -> Result<Outcome, PromptError> {
    let mut state = State::new(Arc::clone(&setup));
    let context = Context::new(setup, mailbox);
    let text = Text::original(Arc::clone(&context.setup.inspected));
    context.emit(EventKind::RunStarted {
        run: context.setup.id.clone(),
        profile: context.setup.profile.id().0,
        content: text.version(),
        scripted: context.is_scripted(),
    });
    if context.setup.goal != Goal::Free
        && let Some(unscored) = tested_judges::no_judge(&context.setup)
    {
        return Ok(unjudged(&context, &mut state, &text, &unscored));
    }
    match context.setup.goal {
        Goal::Write => write(&context, &mut state, text).await,
        Goal::Judge => {
            emit_free_stages(&context, &state, &text);
            judge_only(&context, &mut state, text).await
        }
        Goal::Refine => {
            emit_free_stages(&context, &state, &text);
            refine(&context, &mut state, text).await
        }
        Goal::Free => {
            emit_free_stages(&context, &state, &text);
            Ok(free(&context, &state, text))
        }
    }
}

/// Ends a run that has no usable judge. Nothing is asked.
fn unjudged(context: &Context, state: &mut State, text: &Text, why: &Unscored) -> Outcome {
    if context.setup.goal == Goal::Write {
        return not_written(context, state, text, NotWritten::NoAnswer(why.clone()));
    }
    emit_free_stages(context, state, text);
    state.judgements.leave_unjudged(text, why);
    state.remember(text, context.now());
    let judgements = &state.judgements;
    let ruling = judgements.decide(text, GoodEnough::Accepted, None, decide::decide);
    finish(context, state, text, (ruling, None))
}

/// Emits the events of the free stages, which are done before a run begins or as soon as a text is
/// written.
fn emit_free_stages(context: &Context, state: &State, text: &Text) {
    emit_checks(context, text);
    let review = state.judgements.self_review(text);
    context.emit(EventKind::SelfReview {
        by: "program".to_owned(),
        status: review.status,
        said: None,
        reasoning: review.reasoning.clone(),
    });
}

/// Judges the text without changing it.
async fn judge_only(
    context: &Context,
    state: &mut State,
    text: Text,
) -> Result<Outcome, PromptError> {
    let text = match state.judgements.unusable(&text) {
        Some(_) => text,
        // A run that only judges rewrites nothing; a REGENERATE is passed on to the judge.
        None => {
            review_by_model(context, &mut state.judgements, text)
                .await?
                .text
        }
    };
    judge_usable(context, state, (&text, "i0"), Wanted::First).await?;
    let judgements = &mut state.judgements;
    let standing = (GoodEnough::Accepted, None);
    solve(context, judgements, (&text, "i0"), standing).await?;
    let ruling = state
        .judgements
        .decide(&text, GoodEnough::Accepted, None, decide::decide);
    if let Ruling::HandOver(why) = &ruling {
        let because = Because::from(why.clone());
        for _ in 0..MOST_REFUSALS {
            match reviewer::ask(context, &state.judgements, &text, &because).await {
                ReviewerChoice::Edit { .. } | ReviewerChoice::Retry(_) => {
                    reviewer::refuse(context, Refusal::JudgingOnly);
                }
                choice => return Ok(outcome(context, state, &text, decided(choice, because))),
            }
        }
    }
    Ok(finish(context, state, &text, (ruling, None)))
}

/// The free stages alone, for a run without models.
fn free(context: &Context, state: &State, text: Text) -> Outcome {
    let text = scrub(context, text);
    let because = decide::open_error(text.findings())
        .map(|error| Because::from(NotAccepted::OpenError(error)));
    let end = End {
        status: Status::Checked,
        because,
        by: None,
        overruled: None,
    };
    outcome(context, state, &text, end)
}

/// Writes a text from nothing, then refines it like any other.
async fn write(context: &Context, state: &mut State, empty: Text) -> Result<Outcome, PromptError> {
    let order = Order {
        complaints: Vec::new(),
        length: AnswerLength::Usual,
        label: "writing".to_owned(),
    };
    let written = match may_write(context) {
        Ok(()) => {
            let path = state.progress.path();
            let written = write_whole(context, &path, &empty, &order).await?;
            written.result.map_err(NotWritten::NoAnswer)
        }
        Err(reason) => Err(NotWritten::NotTried { reason }),
    };
    let text = match written {
        Ok(text) => Text::original(text.inspected),
        Err(reason) => return Ok(not_written(context, state, &empty, reason)),
    };
    state.judgements.review(&text);
    // Budgets depend on the length of the text (ruling 38), which is known only now.
    let setup = &context.setup;
    let tokens = estimated_tokens(text.document().source().text());
    let repair = setup.policy.repair_limit(tokens);
    context.mailbox.lock().ledger.allot(Budget::Repair, repair);
    emit_free_stages(context, state, &text);
    refine(context, state, text).await
}

/// Ends a run that could not write its text.
fn not_written(context: &Context, state: &mut State, empty: &Text, reason: NotWritten) -> Outcome {
    let unscored = match &reason {
        NotWritten::NoAnswer(unscored) | NotWritten::Unusable(unscored) => unscored.clone(),
        NotWritten::NotTried { .. } => Unscored::new(Reason::CallFailed, "nothing was written"),
    };
    state.judgements.leave_unjudged(empty, &unscored);
    let not_accepted = NotAccepted::NotWritten { reason };
    context.emit(EventKind::EscalationTriggered {
        reason: Because::from(not_accepted.clone()),
    });
    let ruling = Ruling::HandOver(not_accepted);
    finish(context, state, empty, (ruling, None))
}
