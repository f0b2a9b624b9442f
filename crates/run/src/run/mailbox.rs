//! The mailbox between a run's flow and its driver: outgoing asks, incoming answers, the ledger,
//! the time, the events.
//!
//! The flow posts asks and waits at a barrier; the driver takes them out and delivers answers.
//! Nothing is decided here.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use super::deadline::Deadline;
use super::decision::Decision;
use super::reviewer::ReviewCase;
use super::reviewer_locks::ReviewerLocks;
use crate::ask::{Ask, AskId, CallFailure, Fingerprint, Reply, Time};
use crate::event::{Event, EventKind};
use crate::ledger::Ledger;
use crate::reasons::LockReason;
use crate::verdict::{Reason, Unscored};

/// The end of an ask.
#[derive(Debug)]
pub(super) enum Answer {
    /// A reply or a failure.
    Came(Result<Reply, CallFailure>),
    /// It was given up.
    GivenUp,
}

/// A pending decision of a reviewer.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) case: ReviewCase,
    /// When the run began to wait.
    pub(super) since: Time,
}

#[derive(Debug)]
pub(super) struct Contents {
    pub(super) started: Time,
    pub(super) now: Time,
    pub(super) deadline: Deadline,
    pub(super) ledger: Ledger,
    /// Asks to be sent.
    pub(super) outgoing: Vec<Ask>,
    /// Asks that are no longer needed.
    pub(super) cancelled: Vec<AskId>,
    /// The asks of the current barrier with their answers.
    pub(super) open: BTreeMap<AskId, Option<Answer>>,
    /// All asks so far.
    pub(super) asked: BTreeMap<AskId, Fingerprint>,
    /// The decision that a reviewer is asked for.
    pub(super) person: Option<Request>,
    pub(super) decision: Option<Decision>,
    /// Locks, skips and edits by reviewers.
    pub(super) reviewer_locks: ReviewerLocks,
    /// Why no more asks are sent: the time is up, or the run was stopped.
    pub(super) stopped: Option<Unscored>,
    pub(super) events: Vec<Event>,
    /// The text after each round, for `Run::text_after`.
    pub(super) rounds: BTreeMap<u32, Vec<u8>>,
    emitted: u64,
}

/// Shared by the flow and the run.
#[derive(Clone, Debug)]
pub(super) struct Mailbox(Arc<Mutex<Contents>>);

impl Mailbox {
    pub(super) fn new(started: Time, deadline: Deadline, ledger: Ledger) -> Self {
        Self(Arc::new(Mutex::new(Contents {
            started,
            now: started,
            deadline,
            ledger,
            outgoing: Vec::new(),
            cancelled: Vec::new(),
            open: BTreeMap::new(),
            asked: BTreeMap::new(),
            person: None,
            decision: None,
            reviewer_locks: ReviewerLocks::default(),
            stopped: None,
            events: Vec::new(),
            rounds: BTreeMap::new(),
            emitted: 0,
        })))
    }

    /// Never blocks, because only the flow or the run is active at a time. A poisoned lock is
    /// ignored: a panic leaves nothing half written.
    pub(super) fn lock(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn emit(&self, kind: EventKind) {
        self.lock().emit(kind);
    }

    /// Sends asks, and returns their answers in the order of their ids once all are answered or
    /// given up.
    pub(super) fn send(&self, asks: Vec<Ask>) -> Barrier<'_> {
        let mut contents = self.lock();
        for ask in &asks {
            contents
                .asked
                .insert(ask.id.clone(), ask.fingerprint.clone());
            contents.open.insert(ask.id.clone(), None);
            contents.deadline.sent(ask);
        }
        contents.outgoing.extend(asks);
        drop(contents);
        Barrier(self)
    }

    /// A prefix of ask ids that is not in use: `path`, or a variant if a question with that id was
    /// asked already. An id identifies one question in the ledger and in the journal.
    pub(super) fn unused(&self, path: String) -> String {
        let contents = self.lock();
        let is_used = |path: &str| contents.asked.contains_key(&AskId(format!("{path}/try1")));
        if !is_used(&path) {
            return path;
        }
        (2u32..)
            .map(|number| format!("{path}/{number}"))
            .find(|path| !is_used(path))
            .unwrap_or(path)
    }

    /// Waits for a reviewer's decision.
    pub(super) fn person(&self, case: ReviewCase) -> Decided<'_> {
        let mut contents = self.lock();
        contents.person = Some(Request {
            case,
            since: contents.now,
        });
        contents.decision = None;
        drop(contents);
        Decided(self)
    }
}

impl Contents {
    /// A clock may be set back, but the time of a run never goes back.
    pub(super) fn advance(&mut self, now: Time) {
        self.now = self.now.max(now);
    }

    pub(super) fn emit(&mut self, kind: EventKind) {
        self.emitted += 1;
        self.events.push(Event {
            seq: self.emitted,
            at: self.now,
            elapsed: self.now.since(self.started),
            kind,
        });
    }

    /// Handles a decision about a component. Returns `false` for any other decision.
    pub(super) fn steps_in(&mut self, decision: &Decision) -> bool {
        let (name, by, section) = match decision {
            Decision::Lock { by, section } => ("lock", by, section),
            Decision::Unlock { by, section } => ("unlock", by, section),
            Decision::Skip { by, section } => ("skip", by, section),
            _ => return false,
        };
        self.emit(EventKind::HumanDecision {
            decision: name,
            by: Some(by.clone()),
            section: Some(section.clone()),
            refused: None,
        });
        match decision {
            Decision::Unlock { .. } => self.reviewer_locks.unlock(section),
            Decision::Skip { .. } => self.reviewer_locks.skip(section, by),
            _ => {
                if self.reviewer_locks.lock(section, by) {
                    self.emit(EventKind::SectionLocked {
                        section: section.clone(),
                        reason: LockReason::ByReviewer { by: by.clone() },
                    });
                }
            }
        }
        true
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.open.values().any(Option::is_none)
            || (self.person.is_some() && self.decision.is_none())
    }

    /// Stores an answer. Returns `false` if the ask is not open.
    pub(super) fn take(&mut self, id: &AskId, result: Result<Reply, CallFailure>) -> bool {
        match self.open.get_mut(id) {
            Some(slot @ None) => {
                *slot = Some(Answer::Came(result));
                true
            }
            _ => false,
        }
    }

    /// Why nothing is asked after the time limit: what the time was spent on, and which setting to
    /// change (ruling 73).
    pub(super) fn timed_out(&self) -> Unscored {
        let seconds = self.deadline.seconds();
        let calls: u64 = self
            .ledger
            .spent()
            .values()
            .map(|spent| u64::from(spent.calls))
            .sum();
        let calls = match calls {
            1 => "1 call".to_owned(),
            calls => format!("{calls} calls"),
        };
        let tokens = self.ledger.total().0.total();
        Unscored::new(
            Reason::TimedOut,
            format!(
                "no answer within the {seconds} seconds of the run, in which {calls} used {tokens} tokens; set seconds-per-run under [limits] to more than {seconds}"
            ),
        )
    }

    /// Gives up all open asks. Nothing is asked from now on.
    pub(super) fn stop(&mut self, reason: Unscored) {
        for (id, slot) in &mut self.open {
            if slot.is_none() {
                *slot = Some(Answer::GivenUp);
                self.ledger.release(id);
                self.cancelled.push(id.clone());
            }
        }
        self.outgoing.clear();
        self.stopped.get_or_insert(reason);
    }
}

/// Resolves when every ask is answered or given up.
pub(super) struct Barrier<'p>(&'p Mailbox);

impl Future for Barrier<'_> {
    type Output = BTreeMap<AskId, Answer>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let mut contents = self.0.lock();
        if contents.open.values().any(Option::is_none) {
            return Poll::Pending;
        }
        let answers = std::mem::take(&mut contents.open)
            .into_iter()
            .filter_map(|(id, answer)| Some((id, answer?)))
            .collect();
        Poll::Ready(answers)
    }
}

/// Resolves when a reviewer has decided.
pub(super) struct Decided<'p>(&'p Mailbox);

impl Future for Decided<'_> {
    type Output = Decision;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let mut contents = self.0.lock();
        match contents.decision.take() {
            Some(decision) => {
                contents.person = None;
                Poll::Ready(decision)
            }
            None => Poll::Pending,
        }
    }
}
