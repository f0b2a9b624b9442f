//! Drives a run: asks in parallel, feeds replies, writes the journal first,
//! publishes events. It decides nothing.
//!
//! Going on with an interrupted run is the same loop: what the journal holds is
//! told first, and only asks without a recorded reply are sent. An ask that is
//! not the one that was recorded parks the run; nothing is paid twice in silence.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use redraft_run::ask::{Ask, AskId, CallFailure, Fingerprint, Reply};
use redraft_run::event::Event;
use redraft_run::outcome::Outcome;
use redraft_run::prompt::PromptError;
use redraft_run::reasons::Because;
use redraft_run::run::{Awaiting, Decision, Run, Step};
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, JoinSet};

use crate::clock::{Boxed, Clock};
use crate::journal::{Input, Journal, JournalError, Recorded, Told};
use crate::model::Model;

/// A person who can be asked.
pub trait Human: Send + Sync {
    /// What they decide about a text that was not accepted because of something.
    fn decide(&self, because: &Because, content: &str) -> Boxed<Decision>;
}

/// Nobody can be asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Human for Nobody {
    fn decide(&self, _because: &Because, _content: &str) -> Boxed<Decision> {
        Box::pin(async { Decision::Absent })
    }
}

/// Whom a driver works with.
#[derive(Clone)]
pub struct Hands {
    /// Who answers.
    pub model: Arc<dyn Model>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Who decides.
    pub human: Arc<dyn Human>,
    /// How many asks may be out at once.
    pub in_flight: usize,
}

impl std::fmt::Debug for Hands {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hands")
            .field("in_flight", &self.in_flight)
            .finish_non_exhaustive()
    }
}

/// Why a run did not come to its end.
#[derive(Debug, Error)]
pub enum DriveError {
    /// The journal could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A prompt could not be written.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The journal was made under other rules.
    #[error(
        "the run cannot go on: {ask} is another question now than the one that was asked and paid for; resume it with the program, prompts and configuration it was started with"
    )]
    Diverged {
        /// The ask.
        ask: AskId,
    },
    /// The journal tells of events that do not follow from its inputs.
    #[error(
        "the run cannot go on: event {seq} is another one now than the journal has; resume it with the program and configuration it was started with"
    )]
    OtherEvents {
        /// Its number.
        seq: u64,
    },
    /// The user wants to stop; the journal can be resumed.
    #[error("interrupted")]
    Interrupted,
}

/// Drives a run to its end. `recorded` is what the journal held when it was
/// opened. `interrupt` ends the work when it is done; the journal stays whole.
///
/// # Errors
/// When the run cannot come to its end; see [`DriveError`].
pub async fn drive(
    mut run: Run,
    mut journal: Journal,
    recorded: Recorded,
    hands: &Hands,
    observe: &mut dyn FnMut(&Event),
    interrupt: impl Future<Output = ()>,
) -> Result<Outcome, DriveError> {
    let mut calls = Calls::new(hands);
    let mut told = recorded.inputs.into_iter();
    let mut known = recorded.events.into_iter();
    let mut interrupt = std::pin::pin!(interrupt);
    loop {
        let step = run.next_step()?;
        for event in run.drain_events() {
            publish(&event, &mut known, &mut journal)?;
            observe(&event);
        }
        match step {
            Step::Ask(asks) => calls.add(asks),
            Step::Cancel(ids) => calls.cancel(&ids),
            Step::Done(outcome) => {
                if recorded.outcome.is_none() {
                    journal.outcome(&outcome)?;
                }
                return Ok(*outcome);
            }
            Step::Wait { on, until } => {
                if let Some(input) = told.next() {
                    calls.check(&input)?;
                    tell(&mut run, &input);
                    continue;
                }
                calls.send();
                let what = tokio::select! {
                    biased;
                    () = &mut interrupt => return Err(DriveError::Interrupted),
                    what = wait(&on, &mut calls, hands) => what,
                    () = sleep(until, hands) => Told::Timeout,
                };
                let input = Input {
                    at: hands.clock.now(),
                    what,
                };
                journal.input(&input)?;
                tell(&mut run, &input);
                if !run.is_waiting() {
                    journal.sync().await?;
                }
            }
        }
    }
}

/// Tells a run what was recorded, or has just happened.
pub(crate) fn tell(run: &mut Run, input: &Input) {
    match &input.what {
        Told::Reply { ask, result, .. } => run.handle_reply(input.at, ask, result.clone()),
        Told::Timeout => run.handle_timeout(input.at),
        Told::Decision(decision) => run.handle_decision(input.at, decision),
    }
}

/// Writes an event that the journal does not have yet, and compares one that it
/// has.
fn publish(
    event: &Event,
    known: &mut impl Iterator<Item = serde_json::Value>,
    journal: &mut Journal,
) -> Result<(), DriveError> {
    match known.next() {
        Some(before) if serde_json::to_value(event).is_ok_and(|now| now == before) => Ok(()),
        Some(_) => Err(DriveError::OtherEvents { seq: event.seq }),
        None => Ok(journal.event(event)?),
    }
}

async fn wait(on: &Awaiting, calls: &mut Calls, hands: &Hands) -> Told {
    match on {
        Awaiting::Replies => calls.next().await,
        Awaiting::Human { because, content } => {
            Told::Decision(hands.human.decide(because, content).await)
        }
    }
}

async fn sleep(until: Option<redraft_run::ask::Time>, hands: &Hands) {
    match until {
        Some(time) => hands.clock.sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// The asks of a run: those that are to be sent, and those that are out.
struct Calls {
    hands: Hands,
    places: Arc<Semaphore>,
    unsent: Vec<Ask>,
    asked: BTreeMap<AskId, Fingerprint>,
    out: JoinSet<(AskId, Result<Reply, CallFailure>)>,
    handles: BTreeMap<AskId, AbortHandle>,
}

impl Calls {
    fn new(hands: &Hands) -> Self {
        Self {
            hands: hands.clone(),
            places: Arc::new(Semaphore::new(hands.in_flight.max(1))),
            unsent: Vec::new(),
            asked: BTreeMap::new(),
            out: JoinSet::new(),
            handles: BTreeMap::new(),
        }
    }

    fn add(&mut self, asks: Vec<Ask>) {
        for ask in asks {
            self.asked.insert(ask.id.clone(), ask.fingerprint.clone());
            self.unsent.push(ask);
        }
    }

    /// A recorded reply must be one to the question that is asked now.
    fn check(&mut self, input: &Input) -> Result<(), DriveError> {
        if let Told::Reply {
            ask, fingerprint, ..
        } = &input.what
        {
            if self.asked.get(ask) != Some(fingerprint) {
                return Err(DriveError::Diverged { ask: ask.clone() });
            }
            self.unsent.retain(|unsent| unsent.id != *ask);
        }
        Ok(())
    }

    fn send(&mut self) {
        for ask in std::mem::take(&mut self.unsent) {
            let id = ask.id.clone();
            let places = Arc::clone(&self.places);
            let hands = self.hands.clone();
            let handle = self.out.spawn(async move {
                if let Some(time) = ask.not_before {
                    hands.clock.sleep_until(time).await;
                }
                // The semaphore is never closed.
                let _place = places.acquire().await;
                let result = hands.model.ask(&ask).await;
                (ask.id, result)
            });
            self.handles.insert(id, handle);
        }
    }

    fn cancel(&mut self, ids: &[AskId]) {
        for id in ids {
            self.unsent.retain(|ask| ask.id != *id);
            if let Some(handle) = self.handles.remove(id) {
                handle.abort();
            }
        }
    }

    /// The next reply. Where none is out, waits for ever: time will be up.
    async fn next(&mut self) -> Told {
        while let Some(joined) = self.out.join_next().await {
            // A call that was given up, or that panicked, gives no reply; the
            // first is known already, the second ends with the run's time.
            if let Ok((ask, result)) = joined {
                self.handles.remove(&ask);
                let fingerprint = self
                    .asked
                    .get(&ask)
                    .cloned()
                    .unwrap_or_else(|| Fingerprint(String::new()));
                return Told::Reply {
                    ask,
                    fingerprint,
                    result,
                };
            }
        }
        std::future::pending().await
    }
}
