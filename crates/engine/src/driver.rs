//! Drives a run: asks in parallel, writes each input to the journal before the run acts on it, and
//! passes events on. It decides nothing.
//!
//! Resuming an interrupted run is the same loop: the run first gets the inputs of
//! the journal, and only asks without a recorded reply are sent. If an ask differs
//! from the recorded one, the run stops: no reply is silently paid for twice.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use redraft_run::ask::{Ask, AskId, CallFailure, Fingerprint, Reply, Role};
use redraft_run::event::{Event, EventKind, VerdictResult};
use redraft_run::outcome::Outcome;
use redraft_run::prompt::PromptError;
use redraft_run::run::{Awaiting, Decision, ReviewCase, Run, Step};
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, JoinSet};

use crate::clock::{BoxFuture, Clock};
use crate::journal::{Input, InputKind, JournalError, Recorded, Recorder};
use crate::model::Model;

/// A reviewer who decides about texts that were not accepted.
pub trait Human: Send + Sync {
    /// Decides about a text that was not accepted. `None` if the reviewer left without an answer;
    /// they are asked again when the run is resumed.
    fn decide(&self, case: &ReviewCase) -> BoxFuture<Option<Decision>>;

    /// The next decision about a component during the run. If the future is dropped, the decision
    /// must not be lost.
    fn steps_in(&self) -> BoxFuture<Decision> {
        Box::pin(std::future::pending())
    }
}

/// No reviewer is available.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unattended;

impl Human for Unattended {
    fn decide(&self, _case: &ReviewCase) -> BoxFuture<Option<Decision>> {
        Box::pin(async { Some(Decision::Absent) })
    }
}

/// How many patchers of a run may be asked at once (seed 003 §6.1, ruling 30). This limits open
/// calls, not the tasks of a batch.
pub const PATCHERS_IN_FLIGHT: usize = 3;

/// What a driver needs.
#[derive(Clone)]
pub struct DriverContext {
    pub model: Arc<dyn Model>,
    pub clock: Arc<dyn Clock>,
    pub human: Arc<dyn Human>,
    /// The maximum number of open asks of a run.
    pub in_flight: usize,
    /// How many of these may be asks of the patcher: [`PATCHERS_IN_FLIGHT`], unless asks are
    /// collected and sent together in a provider's batches.
    pub patchers_in_flight: usize,
}

impl std::fmt::Debug for DriverContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DriverContext")
            .field("in_flight", &self.in_flight)
            .finish_non_exhaustive()
    }
}

/// Why a run did not finish.
#[derive(Debug, Error)]
pub enum DriveError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// An ask differs from the recorded ask with this id.
    #[error(
        "cannot resume: {ask} differs from the ask that was recorded and paid for; resume with the program, prompts and configuration that started the run"
    )]
    Diverged { ask: AskId },
    /// The recorded events do not follow from the recorded inputs.
    #[error(
        "cannot resume: replay diverged from the journal at event {seq}; resume with the program and configuration that started the run"
    )]
    OtherEvents { seq: u64 },
    /// The user interrupted the run, which can be resumed.
    #[error("interrupted")]
    Interrupted,
}

/// Drives a run to its end. `recorded` is the content of the journal when it was opened. If
/// `interrupt` completes, the run stops and the journal stays intact.
///
/// # Errors
/// See [`DriveError`].
pub async fn drive<O: FnMut(&Event) + ?Sized>(
    mut run: Run,
    mut journal: impl Recorder,
    recorded: Recorded,
    context: &DriverContext,
    observe: &mut O,
    interrupt: impl Future<Output = ()>,
) -> Result<Outcome, DriveError> {
    let mut calls = Calls::new(context);
    let mut told = recorded.inputs.into_iter();
    let mut known = recorded.events.into_iter();
    let mut interrupt = std::pin::pin!(interrupt);
    loop {
        let step = run.next_step()?;
        for event in run.drain_events() {
            publish(&event, &mut known, &mut journal)?;
            calls.keep_verdict(&event);
            observe(&event);
        }
        match step {
            Step::Ask(asks) => calls.add(asks),
            Step::Cancel(ids) => calls.cancel(&ids),
            Step::Done(outcome) => {
                if recorded.outcome.is_none() {
                    journal.outcome(&outcome)?;
                    journal.commit().await?;
                }
                return Ok(*outcome);
            }
            Step::Wait { on, until } => {
                if let Some(input) = told.next() {
                    calls.check(&input)?;
                    feed(&mut run, &input);
                    continue;
                }
                journal.commit().await?;
                calls.send();
                let what = tokio::select! {
                    biased;
                    () = &mut interrupt => return Err(DriveError::Interrupted),
                    what = wait(&on, &mut calls, context) => match what {
                        Some(what) => what,
                        None => return Err(DriveError::Interrupted),
                    },
                    decision = context.human.steps_in() => InputKind::Decision(decision),
                    () = sleep(until, context) => InputKind::Timeout,
                };
                let input = Input {
                    at: context.clock.now(),
                    what,
                };
                journal.input(&input)?;
                feed(&mut run, &input);
                if !run.is_waiting() {
                    journal.sync().await?;
                }
            }
        }
    }
}

/// Passes an input to a run, recorded or new.
pub(crate) fn feed(run: &mut Run, input: &Input) {
    match &input.what {
        InputKind::Reply { ask, result, .. } => run.handle_reply(input.at, ask, result.clone()),
        InputKind::Timeout => run.handle_timeout(input.at),
        InputKind::Decision(decision) => run.handle_decision(input.at, decision),
    }
}

/// Writes an event that is not in the journal yet. An event that is must be equal to the recorded
/// one.
fn publish(
    event: &Event,
    known: &mut impl Iterator<Item = serde_json::Value>,
    journal: &mut impl Recorder,
) -> Result<(), DriveError> {
    match known.next() {
        Some(before) if serde_json::to_value(event).is_ok_and(|now| now == before) => Ok(()),
        Some(_) => Err(DriveError::OtherEvents { seq: event.seq }),
        None => Ok(journal.event(event)?),
    }
}

/// The next input; `None` if the reviewer left.
async fn wait(on: &Awaiting, calls: &mut Calls, context: &DriverContext) -> Option<InputKind> {
    match on {
        Awaiting::Replies => Some(calls.next().await),
        Awaiting::Human(case) => {
            let decision = context.human.decide(case).await;
            decision.map(InputKind::Decision)
        }
    }
}

async fn sleep(until: Option<redraft_run::ask::Time>, context: &DriverContext) {
    match until {
        Some(time) => context.clock.sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// The asks of a run: those that will be sent, and those that are open.
struct Calls {
    context: DriverContext,
    slots: Arc<Semaphore>,
    patcher_slots: Arc<Semaphore>,
    unsent: Vec<Ask>,
    asked: BTreeMap<AskId, Fingerprint>,
    out: JoinSet<(Ask, Result<Reply, CallFailure>)>,
    handles: BTreeMap<AskId, AbortHandle>,
    /// Judges' asks and replies in this process, until a credible verdict confirms them. Replies
    /// from a journal are not included, because they may be forged.
    said: BTreeMap<AskId, (Ask, Reply)>,
}

impl Calls {
    fn new(context: &DriverContext) -> Self {
        Self {
            context: context.clone(),
            slots: Arc::new(Semaphore::new(context.in_flight.max(1))),
            patcher_slots: Arc::new(Semaphore::new(context.patchers_in_flight.max(1))),
            unsent: Vec::new(),
            asked: BTreeMap::new(),
            out: JoinSet::new(),
            handles: BTreeMap::new(),
            said: BTreeMap::new(),
        }
    }

    fn add(&mut self, asks: Vec<Ask>) {
        for ask in asks {
            self.asked.insert(ask.id.clone(), ask.fingerprint.clone());
            self.unsent.push(ask);
        }
    }

    /// A recorded reply must belong to an ask that the run makes now.
    fn check(&mut self, input: &Input) -> Result<(), DriveError> {
        if let InputKind::Reply {
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
            let slots = Arc::clone(&self.slots);
            let patcher_slots = Arc::clone(&self.patcher_slots);
            let context = self.context.clone();
            let handle = self.out.spawn(async move {
                if let Some(time) = ask.not_before {
                    context.clock.sleep_until(time).await;
                }
                // The semaphores are never closed. The narrower one comes first, so that a waiting
                // patcher does not take a slot from another role.
                let _patcher = match ask.role {
                    Role::Patcher => patcher_slots.acquire().await.ok(),
                    _ => None,
                };
                let _slot = slots.acquire().await;
                let result = context.model.ask(&ask).await;
                (ask, result)
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

    /// Passes on a reply that gave a credible verdict.
    fn keep_verdict(&mut self, event: &Event) {
        if let EventKind::Verdict {
            ask: Some(id),
            result,
            ..
        } = &event.kind
            && let Some((ask, reply)) = self.said.remove(id)
            && matches!(result, VerdictResult::Scored { doubts, .. } if doubts.is_empty())
        {
            self.context.model.keep(&ask, &reply);
        }
    }

    /// The next reply. Waits forever if no ask is open; then the run times out.
    async fn next(&mut self) -> InputKind {
        while let Some(joined) = self.out.join_next().await {
            // A call that was cancelled or that panicked gives no reply. The run knows about the
            // first and times out after the second.
            if let Ok((ask, result)) = joined {
                let id = ask.id.clone();
                self.handles.remove(&id);
                if let Ok(reply) = &result
                    && ask.role.is_judge()
                {
                    self.said.insert(id.clone(), (ask, reply.clone()));
                }
                let ask = id;
                let fingerprint = self
                    .asked
                    .get(&ask)
                    .cloned()
                    .unwrap_or_else(|| Fingerprint(String::new()));
                return InputKind::Reply {
                    ask,
                    fingerprint,
                    result,
                };
            }
        }
        std::future::pending().await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use redraft_run::ask::{Finish, Tokens, Usage};

    use super::*;
    use crate::clock::SystemClock;
    use crate::model::fixtures;

    /// Answers after a delay, and records the maximum number of open calls.
    #[derive(Default)]
    struct Slow {
        open: Arc<AtomicUsize>,
        most: Arc<AtomicUsize>,
    }

    impl Model for Slow {
        fn ask(&self, _ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
            let (open, most) = (Arc::clone(&self.open), Arc::clone(&self.most));
            Box::pin(async move {
                most.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                open.fetch_sub(1, Ordering::SeqCst);
                Ok(Reply {
                    text: String::new(),
                    finish: Finish::Stop,
                    usage: Usage {
                        tokens: Tokens::default(),
                        estimated: false,
                    },
                    took: 1,
                    reused: false,
                })
            })
        }
    }

    /// The maximum number of open calls when a role sends this many asks.
    fn open_at_once(role: Role, asks: usize) -> usize {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let model = Arc::new(Slow::default());
        let context = DriverContext {
            model: model.clone(),
            clock: Arc::new(SystemClock),
            human: Arc::new(Unattended),
            in_flight: 8,
            patchers_in_flight: PATCHERS_IN_FLIGHT,
        };
        runtime.block_on(async {
            let mut calls = Calls::new(&context);
            calls.add(
                (0..asks)
                    .map(|number| Ask {
                        id: AskId(format!("ask {number}")),
                        role,
                        ..fixtures::ask("", "")
                    })
                    .collect(),
            );
            calls.send();
            for _ in 0..asks {
                calls.next().await;
            }
        });
        model.most.load(Ordering::SeqCst)
    }

    #[test]
    fn at_most_three_patchers_are_asked_at_once() {
        assert_eq!(open_at_once(Role::Patcher, 7), PATCHERS_IN_FLIGHT);
        assert_eq!(open_at_once(Role::Patcher, 2), 2);
        assert_eq!(open_at_once(Role::Expander, 7), 7);
        assert_eq!(open_at_once(Role::Expander, 20), 8);
    }
}
