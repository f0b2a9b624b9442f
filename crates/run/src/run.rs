//! A run: a state machine that ties the stages together and does no I/O. It says what to ask and
//! what to wait for; a driver asks and reports the answers.
//!
//! The flow (`flow`, `refine`) is plain code that asks, waits at a barrier and continues, stage by
//! stage. It is a future that only the run polls and that waits only for the run's inputs. It needs
//! no runtime, and no state has to be kept by hand.
//!
//! Time only enters with inputs, so the sequence of inputs is the complete record: fed to a fresh
//! run, it gives the same steps, events and outcome. Decisions are made at barriers, when all asks
//! of a round are answered or given up, over the replies in the order of their ids. Which reply
//! came first never matters.

mod affording;
mod asking;
mod assembling;
mod best_version;
mod by_hand;
mod context;
mod damage;
mod deadline;
mod decision;
mod edit_locks;
mod fallbacks;
mod flow;
mod judgements;
mod judging;
mod mailbox;
mod panel;
mod phrasing;
mod planning;
mod progress;
mod proposing;
mod quality_locks;
mod refine;
mod repairing;
mod repairs;
mod restructuring;
mod review;
mod reviewer;
mod reviewer_locks;
mod rewriting;
mod rounds;
mod slots;
mod solving;
mod state;
mod tested_judges;
mod text;
mod verifying;
mod wording;
mod worth_asking;
mod writing;

use crate::setup::Setup;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use crate::ask::{Ask, AskId, CallFailure, Reply, Time};
use crate::event::{Event, EventKind};
use crate::ledger::{Ledger, Limits};
use crate::outcome::Outcome;
use crate::prompt::PromptError;
use crate::token_estimate::estimated_tokens;
use crate::verdict::{Reason, Unscored};

use deadline::Deadline;
pub use decision::Decision;
use mailbox::Mailbox;
pub use reviewer::ReviewCase;

/// What the driver must do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Send these asks. They were reserved together.
    Ask(Vec<Ask>),
    /// These asks are no longer needed.
    Cancel(Vec<AskId>),
    /// Nothing to do until the next input.
    Wait {
        on: Awaiting,
        /// When to call [`Run::handle_timeout`].
        until: Option<Time>,
    },
    /// The run is over.
    Done(Box<Outcome>),
}

/// The input that a run waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Awaiting {
    Replies,
    /// A reviewer's decision on this case.
    Human(Box<ReviewCase>),
}

pub struct Run {
    setup: Arc<Setup>,
    mailbox: Mailbox,
    flow: Pin<Box<dyn Future<Output = Result<Outcome, PromptError>> + Send>>,
    outcome: Option<Box<Outcome>>,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("id", &self.setup.id)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}

impl Run {
    /// Starts a run now.
    #[must_use]
    pub fn new(setup: Setup, now: Time) -> Self {
        let document = estimated_tokens(setup.inspected.document.source().text());
        let limits = Limits {
            // Each version gets the budget that its judges need (ruling 51).
            judging: 0,
            repair: setup.policy.repair_limit(document),
            writing: setup.policy.writing_tokens,
            total: Some(setup.limits.tokens),
            cost: setup.limits.cost,
        };
        let deadline = Deadline::new(&setup, now);
        let mailbox = Mailbox::new(now, deadline, Ledger::new(limits));
        let setup = Arc::new(setup);
        let flow = flow::run(Arc::clone(&setup), mailbox.clone());
        Self {
            setup,
            mailbox,
            flow: Box::pin(flow),
            outcome: None,
        }
    }

    /// The next step. Calling it again without new input returns [`Step::Wait`].
    ///
    /// # Errors
    /// If a prompt cannot be rendered, which is an internal error.
    pub fn next_step(&mut self) -> Result<Step, PromptError> {
        loop {
            {
                let mut mailbox = self.mailbox.lock();
                if !mailbox.cancelled.is_empty() {
                    return Ok(Step::Cancel(std::mem::take(&mut mailbox.cancelled)));
                }
                if !mailbox.outgoing.is_empty() {
                    return Ok(Step::Ask(std::mem::take(&mut mailbox.outgoing)));
                }
                if let Some(outcome) = &self.outcome {
                    return Ok(Step::Done(outcome.clone()));
                }
                if mailbox.is_waiting() {
                    return Ok(match &mailbox.person {
                        Some(request) => Step::Wait {
                            on: Awaiting::Human(Box::new(request.case.clone())),
                            until: None,
                        },
                        None => Step::Wait {
                            on: Awaiting::Replies,
                            until: mailbox.deadline.at(),
                        },
                    });
                }
            }
            let mut context = Context::from_waker(Waker::noop());
            if let Poll::Ready(outcome) = self.flow.as_mut().poll(&mut context) {
                self.outcome = Some(Box::new(outcome?));
            }
        }
    }

    /// Takes a reply or a failure. An unexpected reply is allowed: its usage is booked and its
    /// content is ignored.
    pub fn handle_reply(&mut self, now: Time, id: &AskId, result: Result<Reply, CallFailure>) {
        let mut mailbox = self.mailbox.lock();
        mailbox.advance(now);
        let usage = match &result {
            Ok(reply) => Some(reply.usage),
            Err(failure) => failure.usage,
        };
        let is_reused = result.as_ref().is_ok_and(|reply| reply.reused);
        mailbox.deadline.ended(id, now, result.as_ref().ok());
        let is_awaited = mailbox.take(id, result);
        match usage {
            Some(_) if is_reused => mailbox.ledger.reuse(id),
            Some(usage) => mailbox.ledger.settle(id, usage),
            None => mailbox.ledger.release(id),
        }
        if !is_awaited && mailbox.asked.contains_key(id) {
            mailbox.emit(EventKind::LateReply { ask: id.clone() });
        }
    }

    /// Records the time. When the run's time is up, open asks are given up.
    pub fn handle_timeout(&mut self, now: Time) {
        let mut mailbox = self.mailbox.lock();
        mailbox.advance(now);
        let is_up = mailbox
            .deadline
            .at()
            .is_some_and(|deadline| now >= deadline);
        if !is_up || self.outcome.is_some() {
            return;
        }
        let why = mailbox.timed_out();
        mailbox.stop(why);
    }

    /// Takes a reviewer's decision.
    pub fn handle_decision(&mut self, now: Time, decision: &Decision) {
        let mut mailbox = self.mailbox.lock();
        mailbox.advance(now);
        if self.outcome.is_some() {
            return;
        }
        if mailbox.steps_in(decision) {
            return;
        }
        match (
            mailbox.person.as_ref().map(|request| request.since),
            decision,
        ) {
            (Some(since), _) => {
                // Waiting for a reviewer does not count towards the time limit.
                mailbox.deadline.extend(now.since(since));
                mailbox.decision = Some(decision.clone());
            }
            (None, Decision::Stop { by }) => {
                mailbox.emit(EventKind::HumanDecision {
                    decision: "stop",
                    by: Some(by.clone()),
                    section: None,
                    refused: None,
                });
                mailbox.stop(Unscored::new(Reason::Stopped, format!("stopped by {by}")));
            }
            (None, _) => {}
        }
    }

    /// Whether the run needs more input: an answer to every open ask, or a reviewer's decision.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.mailbox.lock().is_waiting()
    }

    /// The events since the last call.
    pub fn drain_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.mailbox.lock().events)
    }

    /// What was spent and reserved.
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        self.mailbox.lock().ledger.clone()
    }

    /// The text after a round of repair, counted from 1.
    #[must_use]
    pub fn text_after(&self, round: u32) -> Option<Vec<u8>> {
        self.mailbox.lock().rounds.get(&round).cloned()
    }

    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }
}
