//! Asks a model until there is a usable answer or none can be had. The same procedure for every
//! role.
//!
//! | result of a call | then |
//! |---|---|
//! | a readable answer | done |
//! | a reply in the wrong form | asked again with the complaint, as often as the policy says; then the fallback |
//! | a transient failure | asked again, after the wait that the provider wants, while time remains and the budget also covers the fallback; then the fallback |
//! | a permanent failure, a refusal | the fallback |
//! | a prompt that is too long, and the provider names its limit | the fallback; after all others, the same model with what fits |
//! | a prompt too long | the fallback |
//! | the question does not fit into the model | the fallback, without a call |
//! | no fallback left, no budget, no time | no answer; the reason is the last failure if there was one |
//!
//! Models of a role that can read the whole question come first: a fallback with enough room is
//! better than a cut. A cut is reported before the question is sent.
//!
//! Several conversations run in parallel, in rounds: all asks of a round are answered before the
//! next round is sent, and answers are processed in the order of their ids. An ask that the budget
//! does not cover in addition to the others waits for the next round. Every try is an ask with its
//! own reservation.

use std::collections::BTreeMap;

use super::fallbacks::{Fallbacks, does_not_fit, patience, unscored};
use super::mailbox::{Answer, Mailbox};
use super::wording::{Render, Wording, Wordings};
use crate::ask::{Ask, AskId, CallFailure, FailureKind, ModelSettings, Reply, Time, Tokens};
use crate::event::EventKind;
use crate::fit::InputCut;
use crate::prompt::{PromptError, Unfit};
use crate::setup::{Seat, Setup};
use crate::verdict::{Reason, Unscored};
use redraft_gate::span::Version;

type Read<'a, T> = Box<dyn Fn(&Reply, &ModelSettings) -> Result<T, Unscored> + Send + Sync + 'a>;

/// A question that is asked until it is answered.
pub(super) struct Conversation<'a, T> {
    /// The prefix of its ask ids: `i0/judge/judge_secondary`.
    pub(super) path: String,
    pub(super) seat: Seat,
    /// The version of the text that it is about.
    pub(super) content: Version,
    /// The schema of the answer, and the prompts rendered so far.
    pub(super) wordings: Wordings,
    pub(super) reading: Reading,
    /// Renders the question.
    pub(super) render: Render<'a>,
    /// Reads an answer.
    pub(super) read: Read<'a, T>,
}

/// Whether a model may be shown part of the text if the whole does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// No. A model that cannot read all of it is not asked.
    Whole,
    InPart,
}

/// The result of a conversation.
#[derive(Debug)]
pub(super) struct AskOutcome<T> {
    /// The answer, or why there is none.
    pub(super) result: Result<T, Unscored>,
    /// The last ask.
    pub(super) ask: Option<AskId>,
    /// The model that was asked last.
    pub(super) model: Option<ModelSettings>,
    /// Tokens of all tries.
    pub(super) used: Tokens,
    /// What was wrong with the answers that were discarded.
    pub(super) not_used: Vec<Unscored>,
    /// Whether the answer was reused from an earlier run.
    pub(super) reused: bool,
    /// What the model that was asked last could not read of the document.
    pub(super) unread: Option<InputCut>,
}

struct Exchange<'a, T> {
    models: Fallbacks,
    path: String,
    content: Version,
    wordings: Wordings,
    reading: Reading,
    render: Render<'a>,
    read: Read<'a, T>,
    tries: u32,
    /// How many of this model's replies had the wrong form; and how many of its calls failed.
    malformed: u32,
    failed: u32,
    complaint: Option<String>,
    not_before: Option<Time>,
    used: Tokens,
    not_used: Vec<Unscored>,
    reused: bool,
    last_ask: Option<AskId>,
    /// What was left out of the last question.
    unread: Option<InputCut>,
    /// Why the last call failed.
    last_failure: Option<Unscored>,
    /// The model that failed last, until the next one is asked.
    failed_over: Option<FailedOver>,
    result: Option<Result<T, Unscored>>,
}

/// A model that failed and is replaced by the next one of its role.
struct FailedOver {
    ask: AskId,
    from: String,
    reason: Unscored,
}

/// Whether an exchange is the first of a round to reserve: what it cannot pay now, it can never
/// pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    First,
    AfterOthers,
}

/// A prompt that fits the model, or why there is none.
enum Rendered {
    Fit(Box<Wording>),
    Unfit(Unscored),
}

/// What happens after an answer.
enum Next<T> {
    Done(T),
    Again(Unscored),
    FallBack(Unscored),
}

/// Runs conversations to their end, and returns the results in the same order.
pub(super) async fn converse<T>(
    setup: &Setup,
    mailbox: &Mailbox,
    conversations: Vec<Conversation<'_, T>>,
) -> Result<Vec<AskOutcome<T>>, PromptError> {
    let mut exchanges: Vec<Exchange<'_, T>> = conversations
        .into_iter()
        .map(|conversation| Exchange::new(conversation, mailbox))
        .collect();
    loop {
        let mut asks = Vec::new();
        let mut asked: BTreeMap<AskId, usize> = BTreeMap::new();
        for (index, exchange) in exchanges.iter_mut().enumerate() {
            let turn = match asks.is_empty() {
                true => Turn::First,
                false => Turn::AfterOthers,
            };
            if let Some(ask) = exchange.ask(mailbox, turn)? {
                asked.insert(ask.id.clone(), index);
                asks.push(ask);
            }
        }
        if asks.is_empty() {
            break;
        }
        asks.sort_by(|a, b| a.id.cmp(&b.id));
        for (id, answer) in mailbox.send(asks).await {
            if let Some(exchange) = asked.get(&id).and_then(|index| exchanges.get_mut(*index)) {
                exchange.consider(setup, mailbox, id, answer);
            }
        }
    }
    Ok(exchanges.into_iter().map(Exchange::end).collect())
}

impl<'a, T> Exchange<'a, T> {
    fn new(conversation: Conversation<'a, T>, mailbox: &Mailbox) -> Self {
        Self {
            models: Fallbacks::new(conversation.seat),
            path: mailbox.unused(conversation.path),
            content: conversation.content,
            wordings: conversation.wordings,
            reading: conversation.reading,
            render: conversation.render,
            read: conversation.read,
            tries: 0,
            malformed: 0,
            failed: 0,
            complaint: None,
            not_before: None,
            used: Tokens::default(),
            not_used: Vec::new(),
            reused: false,
            last_ask: None,
            unread: None,
            last_failure: None,
            failed_over: None,
            result: None,
        }
    }

    fn end(self) -> AskOutcome<T> {
        AskOutcome {
            model: self.models.last_asked().cloned(),
            result: self
                .result
                .unwrap_or_else(|| Err(Unscored::new(Reason::CallFailed, "no model was asked"))),
            ask: self.last_ask,
            used: self.used,
            not_used: self.not_used,
            reused: self.reused,
            unread: self.unread,
        }
    }

    fn give_up(&mut self, unscored: Unscored) {
        self.result = Some(Err(unscored));
    }

    /// Moves to the fallback; `false` if there is none.
    fn fall_back(&mut self) -> bool {
        self.models.advance();
        self.malformed = 0;
        self.failed = 0;
        self.complaint = None;
        self.not_before = None;
        self.models.current().is_some()
    }

    /// The next ask. `None` if the conversation is over, or if the ask cannot be paid: never, or
    /// not yet, because others in this round may use less than they reserved.
    fn ask(&mut self, mailbox: &Mailbox, turn: Turn) -> Result<Option<Ask>, PromptError> {
        if self.result.is_some() {
            return Ok(None);
        }
        let stopped = mailbox.lock().stopped.clone();
        if let Some(reason) = stopped {
            self.give_up(reason);
            return Ok(None);
        }
        if self.tries == 0 {
            self.prefer_whole_readers(mailbox)?;
        }
        let Some((model, wording)) = self.model_and_prompt(mailbox)? else {
            return Ok(None);
        };
        let unread = wording.unread().cloned();
        let prepared = wording.prepared;
        let role = self.models.seat().role;
        if let Some(FailedOver { ask, from, reason }) = self.failed_over.take() {
            mailbox.emit(EventKind::FellBack {
                ask,
                role,
                from,
                to: model.name(),
                reason,
            });
        }
        let id = AskId(format!("{}/try{}", self.path, self.tries + 1));
        let reserved = mailbox
            .lock()
            .ledger
            .reserve(&id, role, &model, prepared.tokens);
        let reserved = match reserved {
            Ok(reserved) => reserved,
            Err(_) if turn == Turn::AfterOthers => return Ok(None),
            Err(lack) => {
                // If a call failed before, that failure is the reason and not the budget.
                let why = match self.last_failure.take() {
                    Some(Unscored { reason, message }) => {
                        Unscored::new(reason, format!("{message}; {lack}"))
                    }
                    None => Unscored::new(Reason::OverBudget, lack.to_string()),
                };
                self.give_up(why);
                return Ok(None);
            }
        };
        self.tries += 1;
        for cut in &wording.cuts {
            mailbox.emit(EventKind::InputCut {
                ask: id.clone(),
                role,
                model: model.name(),
                of: cut.of,
                parts: cut.parts.clone(),
                all: cut.all,
                tokens: cut.tokens,
            });
        }
        self.unread = unread;
        let fingerprint = prepared.fingerprint(role, &model);
        Ok(Some(Ask {
            id,
            role,
            model,
            prompt: prepared.prompt,
            schema: prepared.schema,
            content: self.content,
            fingerprint,
            reserved,
            not_before: self.not_before,
        }))
    }

    /// The current model with a prompt that fits it. Skips models that have no such prompt; `None`
    /// if no model has one.
    fn model_and_prompt(
        &mut self,
        mailbox: &Mailbox,
    ) -> Result<Option<(ModelSettings, Wording)>, PromptError> {
        let mut why_not = Unscored::new(Reason::CallFailed, "the role has no model");
        while let Some(model) = self.models.current().cloned() {
            match self.prompt_for(mailbox, &model)? {
                Rendered::Fit(wording) => return Ok(Some((model, *wording))),
                Rendered::Unfit(unscored) => why_not = unscored,
            }
            self.fall_back();
        }
        self.give_up(why_not);
        Ok(None)
    }

    fn prompt_for(
        &mut self,
        mailbox: &Mailbox,
        model: &ModelSettings,
    ) -> Result<Rendered, PromptError> {
        let seat = self.models.seat();
        let (room, context) = {
            let ledger = &mailbox.lock().ledger;
            let context = ledger.context(model, seat.context(model));
            (self.wordings.room(ledger, seat, model), context)
        };
        let complaint = self.complaint.as_deref();
        match self.wordings.word(&self.render, complaint, room) {
            Ok(wording) => Ok(match wording.unread() {
                Some(unread) if self.reading == Reading::Whole => Rendered::Unfit(Unscored::new(
                    Reason::TooLong,
                    format!("{} has room for only {unread}", model.name()),
                )),
                _ => Rendered::Fit(Box::new(wording)),
            }),
            Err(Unfit::Fault(fault)) => Err(fault),
            Err(Unfit::TooLong(too_long)) => {
                Ok(Rendered::Unfit(does_not_fit(model, context, too_long)))
            }
        }
    }

    /// Moves models that can read the whole question to the front.
    fn prefer_whole_readers(&mut self, mailbox: &Mailbox) -> Result<(), PromptError> {
        let seat = self.models.seat();
        let is_known = |model: &ModelSettings| {
            let configured = seat.context(model);
            mailbox.lock().ledger.context(model, configured).is_some()
        };
        if seat.models.len() < 2 || !seat.models.iter().any(is_known) {
            return Ok(());
        }
        let (mut whole, mut others) = (Vec::new(), Vec::new());
        for model in seat.models.clone() {
            match self.prompt_for(mailbox, &model)? {
                Rendered::Fit(wording) if wording.unread().is_none() => whole.push(model),
                Rendered::Fit(_) | Rendered::Unfit(_) => others.push(model),
            }
        }
        whole.append(&mut others);
        self.models.reorder(whole);
        Ok(())
    }

    fn consider(&mut self, setup: &Setup, mailbox: &Mailbox, id: AskId, answer: Answer) {
        self.last_ask = Some(id.clone());
        let answer = match answer {
            Answer::Came(answer) => answer,
            Answer::GivenUp => {
                let stopped = mailbox.lock().stopped.clone();
                self.give_up(stopped.unwrap_or_else(|| {
                    Unscored::new(Reason::TimedOut, "the question was given up")
                }));
                return;
            }
        };
        let usage = match &answer {
            Ok(reply) => Some(reply.usage),
            Err(failure) => failure.usage,
        };
        if let Some(usage) = usage {
            self.used = self.used.plus(usage.tokens);
        }
        let next = match answer {
            Ok(reply) => {
                self.last_failure = None;
                self.reused = reply.reused;
                self.read(setup, &reply)
            }
            Err(failure) => {
                self.last_failure = Some(unscored(&failure));
                self.failed(setup, mailbox, &failure)
            }
        };
        match next {
            Next::Done(value) => self.result = Some(Ok(value)),
            Next::Again(problem) => {
                self.not_used.push(problem.clone());
                mailbox.emit(EventKind::AskedAgain {
                    ask: id,
                    role: self.models.seat().role,
                    model: self.models.name(),
                    problem,
                });
            }
            Next::FallBack(reason) => {
                let from = self.models.name();
                if self.fall_back() {
                    self.not_used.push(reason.clone());
                    self.failed_over = Some(FailedOver {
                        ask: id,
                        from,
                        reason,
                    });
                } else {
                    self.give_up(reason);
                }
            }
        }
    }

    fn read(&mut self, setup: &Setup, reply: &Reply) -> Next<T> {
        let Some(model) = self.models.current() else {
            return Next::FallBack(Unscored::new(Reason::CallFailed, "the role has no model"));
        };
        match (self.read)(reply, model) {
            Ok(value) => Next::Done(value),
            Err(unscored) => {
                self.malformed += 1;
                let may_ask =
                    unscored.reason.is_about_form() && self.malformed < setup.policy.tries_for_form;
                if may_ask {
                    self.complaint = Some(match unscored.reason {
                        // It could not give the whole answer within the limit.
                        Reason::Truncated => {
                            format!("{}; answer more briefly", unscored.message)
                        }
                        _ => unscored.message.clone(),
                    });
                    self.not_before = None;
                    Next::Again(unscored)
                } else {
                    Next::FallBack(unscored)
                }
            }
        }
    }

    fn failed(&mut self, setup: &Setup, mailbox: &Mailbox, failure: &CallFailure) -> Next<T> {
        self.failed += 1;
        match failure.kind {
            FailureKind::Transient { retry_after }
                if self.failed < setup.policy.tries_for_failure
                    && self.can_afford_both(mailbox) =>
            {
                let name = format!("{} {}", self.content, self.path);
                let wait = patience(self.failed, &name);
                let wait = retry_after.unwrap_or_default().max(wait);
                let (now, deadline) = {
                    let contents = mailbox.lock();
                    (contents.now, contents.deadline.clone())
                };
                let not_before = now.after(wait);
                if !deadline.is_after(not_before) {
                    let message = format!(
                        "{}; to wait {} seconds would take longer than the run may",
                        failure.message,
                        wait.div_ceil(1_000)
                    );
                    return Next::FallBack(Unscored::new(Reason::TimedOut, message));
                }
                self.not_before = Some(not_before);
                Next::Again(unscored(failure))
            }
            FailureKind::Transient { .. } | FailureKind::Permanent | FailureKind::OverBudget => {
                Next::FallBack(unscored(failure))
            }
            FailureKind::TooLong => self.too_long(setup, mailbox, failure),
        }
    }

    /// Whether the budget covers another call of the same model and one of the next. A failed call
    /// may have cost as much as a successful one.
    fn can_afford_both(&self, mailbox: &Mailbox) -> bool {
        let (Some(same), Some(next)) = (self.models.current(), self.models.following()) else {
            return true;
        };
        let role = self.models.seat().role;
        let words = self.wordings.longest();
        let ledger = &mailbox.lock().ledger;
        let can = |models: &[&ModelSettings]| ledger.can_reserve(role, models, words);
        // If the next model cannot be paid in any case, nothing is saved for it.
        can(&[same, next]) || !can(&[next])
    }

    /// If the provider named the model's limit, the model is asked again with what fits, after
    /// those of the role that may take everything.
    fn too_long(&mut self, setup: &Setup, mailbox: &Mailbox, failure: &CallFailure) -> Next<T> {
        let unscored = unscored(failure);
        let (Some(model), Some(context)) = (self.models.current().cloned(), failure.context) else {
            return Next::FallBack(unscored);
        };
        let configured = self.models.seat().context(&model);
        let is_news = mailbox
            .lock()
            .ledger
            .learn_context(&model, configured, context);
        let is_last = self.models.following().is_none();
        if !is_news || self.failed >= setup.policy.tries_for_failure {
            return Next::FallBack(unscored);
        }
        if is_last {
            let message = format!("{}; it is asked again with what fits", failure.message);
            return Next::Again(Unscored::new(Reason::TooLong, message));
        }
        self.models.ask_last(model);
        Next::FallBack(unscored)
    }
}
