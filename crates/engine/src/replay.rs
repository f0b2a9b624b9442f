//! Replays a journal: decides the run again without calling a model.
//!
//! Under the same rules, the recorded inputs give the same outcome, byte for byte. Under other
//! rules, recorded replies are used as far as possible: an ask with the same fingerprint gets the
//! recorded reply, and the replay ends at the first ask without one.

use redraft_run::ask::{Ask, AskId, Role, Time};
use redraft_run::event::Event;
use redraft_run::outcome::Outcome;
use redraft_run::prompt::PromptError;
use redraft_run::run::{Awaiting, Decision, ReviewCase, Run, Step};

use crate::driver::feed;
use crate::journal::{Input, InputKind, Recorded};

/// How a replay ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Replayed {
    Outcome(Box<Outcome>),
    /// The recorded replies ran out.
    EndsAt {
        /// What the run would ask next; empty if a reviewer would decide.
        asks: Vec<(AskId, Role)>,
    },
}

/// Feeds a journal's inputs to a run under the rules of the recording.
///
/// # Errors
/// If a prompt cannot be rendered, which is an internal error.
pub fn replay(mut run: Run, recorded: &Recorded) -> Result<(Replayed, Vec<Event>), PromptError> {
    let mut events = Vec::new();
    let mut open: Vec<(AskId, Role)> = Vec::new();
    let mut inputs = recorded.inputs.iter();
    loop {
        let step = run.next_step()?;
        events.extend(run.drain_events());
        match step {
            Step::Ask(asks) => open.extend(asks.into_iter().map(|ask| (ask.id, ask.role))),
            Step::Cancel(ids) => open.retain(|(id, _)| !ids.contains(id)),
            Step::Done(outcome) => return Ok((Replayed::Outcome(outcome), events)),
            Step::Wait { .. } => {
                let Some(input) = inputs.next() else {
                    return Ok((Replayed::EndsAt { asks: open }, events));
                };
                if let InputKind::Reply { ask, .. } = &input.what {
                    open.retain(|(id, _)| id != ask);
                }
                feed(&mut run, input);
            }
        }
    }
}

/// The state of a run at the end of its record.
#[derive(Clone, Debug, PartialEq)]
pub enum SoFar {
    Done(Box<Outcome>),
    /// It waits for a reviewer.
    Review(Box<ReviewCase>),
    Running,
}

/// Feeds all recorded inputs to a run, and returns its state.
///
/// # Errors
/// If a prompt cannot be rendered, which is an internal error.
pub fn so_far(run: &mut Run, recorded: &Recorded) -> Result<SoFar, PromptError> {
    let mut inputs = recorded.inputs.iter();
    loop {
        match run.next_step()? {
            Step::Ask(_) | Step::Cancel(_) => {}
            Step::Done(outcome) => return Ok(SoFar::Done(outcome)),
            Step::Wait { on, .. } => match (inputs.next(), on) {
                (Some(input), _) => feed(run, input),
                (None, Awaiting::Human(case)) => return Ok(SoFar::Review(case)),
                (None, Awaiting::Replies) => return Ok(SoFar::Running),
            },
        }
    }
}

/// The text after a round of repair, counted from 1, if the record goes that far.
///
/// # Errors
/// If a prompt cannot be rendered, which is an internal error.
pub fn text_after(
    mut run: Run,
    recorded: &Recorded,
    round: u32,
) -> Result<Option<Vec<u8>>, PromptError> {
    so_far(&mut run, recorded)?;
    Ok(run.text_after(round))
}

/// Runs under other rules on the recorded replies. Recorded decisions of reviewers are not used,
/// because they were about another outcome.
///
/// # Errors
/// If a prompt cannot be rendered, which is an internal error.
pub fn what_if(mut run: Run, recorded: &Recorded) -> Result<(Replayed, Vec<Event>), PromptError> {
    let mut events = Vec::new();
    let mut now = Time::default();
    loop {
        let step = run.next_step()?;
        events.extend(run.drain_events());
        match step {
            Step::Ask(asks) => {
                let answers: Vec<(Ask, Option<&Input>)> = asks
                    .into_iter()
                    .map(|ask| {
                        let answer = answer_to(recorded, &ask);
                        (ask, answer)
                    })
                    .collect();
                let missing: Vec<(AskId, Role)> = answers
                    .iter()
                    .filter(|(_, answer)| answer.is_none())
                    .map(|(ask, _)| (ask.id.clone(), ask.role))
                    .collect();
                if !missing.is_empty() {
                    return Ok((Replayed::EndsAt { asks: missing }, events));
                }
                for (ask, answer) in answers {
                    if let Some(Input {
                        at,
                        what: InputKind::Reply { result, .. },
                    }) = answer
                    {
                        now = now.max(*at);
                        run.handle_reply(*at, &ask.id, result.clone());
                    }
                }
            }
            Step::Cancel(_) => {}
            Step::Done(outcome) => return Ok((Replayed::Outcome(outcome), events)),
            Step::Wait {
                on: Awaiting::Human { .. },
                ..
            } => run.handle_decision(now, &Decision::Absent),
            Step::Wait {
                on: Awaiting::Replies,
                ..
            } => return Ok((Replayed::EndsAt { asks: Vec::new() }, events)),
        }
    }
}

/// The recorded reply to an ask with the same fingerprint, under any id.
fn answer_to<'r>(recorded: &'r Recorded, ask: &Ask) -> Option<&'r Input> {
    let answers = || {
        recorded.inputs.iter().filter(|input| {
            matches!(&input.what, InputKind::Reply { fingerprint, .. } if *fingerprint == ask.fingerprint)
        })
    };
    // An ask that was tried several times got several replies. Prefer the reply to the same try.
    answers()
        .find(|input| matches!(&input.what, InputKind::Reply { ask: id, .. } if *id == ask.id))
        .or_else(|| answers().next())
}
