//! Asking until there is an answer in the right form, or none to be had. The same
//! for every role.
//!
//! | what came back | then |
//! |---|---|
//! | an answer that can be read | done |
//! | a reply in the wrong form | asked again with the complaint, as often as the policy says; then the fall-back |
//! | a failure that may pass | asked again, not before the provider wants it, while there is time and the budget holds the fall-back, too; then the fall-back |
//! | a failure that will not pass, a refusal | the fall-back |
//! | a prompt too long, and the provider says how much fits | the fall-back; behind all, the same with what fits |
//! | a prompt too long | the fall-back |
//! | nothing: the question does not fit into the model | the fall-back, unasked |
//! | no fall-back left, no budget, no time | none, with the reason: the last failure, where there was one |
//!
//! Of the models of a seat those that can read the whole question come first: a
//! fall-back that has room for it is better than a cut. What is cut is told before
//! it is asked.
//!
//! Several conversations go on side by side, in rounds: all asks of a round are
//! answered before one of the next is sent, and they are looked at in the order of
//! their names. What the budget does not hold beside the others of a round waits for
//! the next one. Every try is an ask of its own with a reservation of its own.

use std::collections::BTreeMap;

use super::post::{Answer, SharedPost};
use super::wording::{Render, Wording, Wordings};
use crate::ask::{Ask, AskId, CallFailure, FailureKind, ModelSettings, Reply, Time, Tokens};
use crate::event::EventKind;
use crate::fit::{InputCut, TooLong};
use crate::prompt::{PromptError, Unfit};
use crate::repair;
use crate::setup::{Seat, Setup};
use crate::verdict::{Reason, Unscored};
use redraft_gate::span::Version;

/// Reads a reply of a model.
type Read<'a, T> = Box<dyn Fn(&Reply, &ModelSettings) -> Result<T, Unscored> + Send + Sync + 'a>;

/// Something that is to be asked.
pub(super) struct Conversation<'a, T> {
    /// The beginning of its asks' names: `i0/judge/judge_secondary`.
    pub(super) path: String,
    /// Who is asked.
    pub(super) seat: Seat,
    /// The version of the text it is about.
    pub(super) content: Version,
    /// The form of the answer, and the question as far as it is put into words
    /// already.
    pub(super) wordings: Wordings,
    /// Whether a part of the text will do.
    pub(super) reading: Reading,
    /// The question.
    pub(super) render: Render<'a>,
    /// What an answer comes to.
    pub(super) read: Read<'a, T>,
}

/// Whether a part of the text will do where the whole does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// No: then nobody is asked.
    Whole,
    /// Yes.
    InPart,
}

/// How a conversation ended.
#[derive(Debug)]
pub(super) struct Ended<T> {
    /// The answer, or why there is none.
    pub(super) result: Result<T, Unscored>,
    /// The last ask.
    pub(super) ask: Option<AskId>,
    /// The model that was asked last.
    pub(super) model: Option<ModelSettings>,
    /// What all tries used.
    pub(super) used: Tokens,
    /// What of the document the model that was asked last could not read.
    pub(super) unread: Option<InputCut>,
}

struct Talk<'a, T> {
    conversation: Conversation<'a, T>,
    /// Which of the seat's models is asked now.
    model: usize,
    /// All tries.
    tries: u32,
    /// Tries of this model that came back in the wrong form, and that failed.
    misshapen: u32,
    failed: u32,
    complaint: Option<String>,
    not_before: Option<Time>,
    used: Tokens,
    last_ask: Option<AskId>,
    /// What was left out of the last question.
    unread: Option<InputCut>,
    /// Why the last call failed, where it did.
    trouble: Option<Unscored>,
    /// The model that failed last, until the next one is asked.
    failed_over: Option<FailedOver>,
    result: Option<Result<T, Unscored>>,
}

/// A model that failed, and is replaced by the next one of its role.
struct FailedOver {
    ask: AskId,
    from: String,
    reason: Unscored,
}

/// How a talk goes on after an answer.
enum Next<T> {
    Done(T),
    Again(Unscored),
    FallBack(Unscored),
}

/// Holds conversations to their end, and gives how each ended, in their order.
pub(super) async fn converse<T>(
    setup: &Setup,
    post: &SharedPost,
    conversations: Vec<Conversation<'_, T>>,
) -> Result<Vec<Ended<T>>, PromptError> {
    let mut talks: Vec<Talk<'_, T>> = conversations
        .into_iter()
        .map(|mut conversation| {
            conversation.path = post.unused(conversation.path);
            Talk::new(conversation)
        })
        .collect();
    loop {
        let mut asks = Vec::new();
        let mut asked: BTreeMap<AskId, usize> = BTreeMap::new();
        for (index, talk) in talks.iter_mut().enumerate() {
            if let Some(ask) = talk.ask(post, asks.is_empty())? {
                asked.insert(ask.id.clone(), index);
                asks.push(ask);
            }
        }
        if asks.is_empty() {
            break;
        }
        asks.sort_by(|a, b| a.id.cmp(&b.id));
        for (id, answer) in post.send(asks).await {
            if let Some(talk) = asked.get(&id).and_then(|index| talks.get_mut(*index)) {
                talk.consider(setup, post, id, answer);
            }
        }
    }
    Ok(talks.into_iter().map(Talk::end).collect())
}

impl<'a, T> Talk<'a, T> {
    fn new(conversation: Conversation<'a, T>) -> Self {
        Self {
            conversation,
            model: 0,
            tries: 0,
            misshapen: 0,
            failed: 0,
            complaint: None,
            not_before: None,
            used: Tokens::default(),
            last_ask: None,
            unread: None,
            trouble: None,
            failed_over: None,
            result: None,
        }
    }

    fn end(self) -> Ended<T> {
        let models = &self.conversation.seat.models;
        let last = self.model.min(models.len().saturating_sub(1));
        Ended {
            model: models.get(last).cloned(),
            result: self
                .result
                .unwrap_or_else(|| Err(Unscored::new(Reason::CallFailed, "nobody was asked"))),
            ask: self.last_ask,
            used: self.used,
            unread: self.unread,
        }
    }

    fn settings(&self) -> Option<&ModelSettings> {
        self.conversation.seat.models.get(self.model)
    }

    fn model_name(&self) -> String {
        self.settings().map(ModelSettings::name).unwrap_or_default()
    }

    fn give_up(&mut self, unscored: Unscored) {
        self.result = Some(Err(unscored));
    }

    /// Lets the next model take over; `false` where there is none.
    fn fall_back(&mut self) -> bool {
        self.model += 1;
        self.misshapen = 0;
        self.failed = 0;
        self.complaint = None;
        self.not_before = None;
        self.model < self.conversation.seat.models.len()
    }

    /// The next ask; `None` where all is said, or where it cannot be paid: not at all,
    /// or not yet, because others are asked in this round and may use less than is set
    /// aside for them.
    fn ask(&mut self, post: &SharedPost, is_first: bool) -> Result<Option<Ask>, PromptError> {
        if self.result.is_some() {
            return Ok(None);
        }
        let stopped = post.lock().stopped.clone();
        if let Some(reason) = stopped {
            self.give_up(reason);
            return Ok(None);
        }
        if self.tries == 0 {
            self.put_whole_readers_first(post)?;
        }
        let Some((model, wording)) = self.model_and_words(post)? else {
            return Ok(None);
        };
        let unread = wording.unread().cloned();
        let prepared = wording.prepared;
        let role = self.conversation.seat.role;
        if let Some(FailedOver { ask, from, reason }) = self.failed_over.take() {
            post.emit(EventKind::FellBack {
                ask,
                role,
                from,
                to: model.name(),
                reason,
            });
        }
        let id = AskId(format!("{}/try{}", self.conversation.path, self.tries + 1));
        let reserved = post
            .lock()
            .ledger
            .reserve(&id, role, &model, prepared.tokens);
        let reserved = match reserved {
            Ok(reserved) => reserved,
            Err(_) if !is_first => return Ok(None),
            Err(lack) => {
                // Whoever has failed before is the reason, and not the budget.
                let why = match self.trouble.take() {
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
            post.emit(EventKind::InputCut {
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
            content: self.conversation.content,
            fingerprint,
            reserved,
            not_before: self.not_before,
        }))
    }

    /// The model whose turn it is, and the question in words that fit it. Models for
    /// which there are none are passed over; `None` where there are none for any.
    fn model_and_words(
        &mut self,
        post: &SharedPost,
    ) -> Result<Option<(ModelSettings, Wording)>, PromptError> {
        let mut why_not = Unscored::new(Reason::CallFailed, "the seat has no model");
        while let Some(model) = self.settings().cloned() {
            match self.words_for(post, &model)? {
                Ok(wording) => return Ok(Some((model, wording))),
                Err(unscored) => why_not = unscored,
            }
            self.fall_back();
        }
        self.give_up(why_not);
        Ok(None)
    }

    fn words_for(
        &mut self,
        post: &SharedPost,
        model: &ModelSettings,
    ) -> Result<Result<Wording, Unscored>, PromptError> {
        let talk = &mut self.conversation;
        let room = talk.wordings.room(&post.lock().ledger, &talk.seat, model);
        let wording = talk
            .wordings
            .word(&talk.render, self.complaint.as_deref(), room);
        let context = post.lock().ledger.context(model, talk.seat.context(model));
        Ok(match wording {
            Ok(wording) => match wording.unread() {
                Some(unread) if talk.reading == Reading::Whole => Err(Unscored::new(
                    Reason::TooLong,
                    format!("{} has room for only {unread}", model.name()),
                )),
                _ => Ok(wording),
            },
            Err(Unfit::Fault(fault)) => return Err(fault),
            Err(Unfit::TooLong(too_long)) => Err(does_not_fit(model, context, too_long)),
        })
    }

    /// Lets those of the seat's models come first that can read the whole question,
    /// where some of them cannot.
    fn put_whole_readers_first(&mut self, post: &SharedPost) -> Result<(), PromptError> {
        let seat = &self.conversation.seat;
        let is_known = |model: &ModelSettings| {
            let told = seat.context(model);
            post.lock().ledger.context(model, told).is_some()
        };
        if seat.models.len() < 2 || !seat.models.iter().any(is_known) {
            return Ok(());
        }
        let (mut whole, mut others) = (Vec::new(), Vec::new());
        for model in seat.models.clone() {
            let reads_whole = self
                .words_for(post, &model)?
                .is_ok_and(|wording| wording.unread().is_none());
            if reads_whole {
                whole.push(model);
            } else {
                others.push(model);
            }
        }
        whole.append(&mut others);
        self.conversation.seat.models = whole;
        Ok(())
    }

    fn consider(&mut self, setup: &Setup, post: &SharedPost, id: AskId, answer: Answer) {
        self.last_ask = Some(id.clone());
        let answer = match answer {
            Answer::Came(answer) => answer,
            Answer::GivenUp => {
                let stopped = post.lock().stopped.clone();
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
                self.trouble = None;
                self.read(setup, &reply)
            }
            Err(failure) => {
                self.trouble = Some(unscored(&failure));
                self.failed(setup, post, &failure)
            }
        };
        match next {
            Next::Done(value) => self.result = Some(Ok(value)),
            Next::Again(problem) => post.emit(EventKind::AskedAgain {
                ask: id,
                role: self.conversation.seat.role,
                model: self.model_name(),
                problem,
            }),
            Next::FallBack(reason) => {
                let from = self.model_name();
                if self.fall_back() {
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
        let Some(model) = self.settings() else {
            return Next::FallBack(Unscored::new(Reason::CallFailed, "the seat has no model"));
        };
        match (self.conversation.read)(reply, model) {
            Ok(value) => Next::Done(value),
            Err(unscored) => {
                self.misshapen += 1;
                let may_ask =
                    unscored.reason.is_about_form() && self.misshapen < setup.policy.tries_for_form;
                if may_ask {
                    self.complaint = Some(unscored.message.clone());
                    self.not_before = None;
                    Next::Again(unscored)
                } else {
                    Next::FallBack(unscored)
                }
            }
        }
    }

    fn failed(&mut self, setup: &Setup, post: &SharedPost, failure: &CallFailure) -> Next<T> {
        self.failed += 1;
        match failure.kind {
            FailureKind::Transient { retry_after }
                if self.failed < setup.policy.tries_for_failure && self.can_afford_both(post) =>
            {
                let name = format!("{} {}", self.conversation.content, self.conversation.path);
                let wait = patience(self.failed, &name);
                let wait = retry_after.unwrap_or_default().max(wait);
                let (now, deadline) = {
                    let post = post.lock();
                    (post.now, post.deadline)
                };
                let not_before = now.after(wait);
                if not_before >= deadline {
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
            FailureKind::TooLong => self.too_long(setup, post, failure),
        }
    }

    /// Whether the same model can be asked once more and the budget still holds a
    /// question to the next one. A call that failed on the way may have cost as much
    /// as one that did not.
    fn can_afford_both(&self, post: &SharedPost) -> bool {
        let seat = &self.conversation.seat;
        let (Some(same), Some(next)) = (self.settings(), seat.models.get(self.model + 1)) else {
            return true;
        };
        let words = self.conversation.wordings.longest();
        let post = post.lock();
        let can = |models: &[&ModelSettings]| post.ledger.can_reserve(seat.role, models, words);
        // Where the next one is out of reach anyway, nothing is kept for it.
        can(&[same, next]) || !can(&[next])
    }

    /// A provider that says how much its model takes is asked again with what fits,
    /// behind those of the seat that may take all.
    fn too_long(&mut self, setup: &Setup, post: &SharedPost, failure: &CallFailure) -> Next<T> {
        let unscored = unscored(failure);
        let seat = &self.conversation.seat;
        let (Some(model), Some(context)) = (self.settings().cloned(), failure.context) else {
            return Next::FallBack(unscored);
        };
        let told = seat.context(&model);
        let is_news = post.lock().ledger.learn_context(&model, told, context);
        let is_last = self.model + 1 >= seat.models.len();
        if !is_news || self.failed >= setup.policy.tries_for_failure {
            return Next::FallBack(unscored);
        }
        if is_last {
            let message = format!("{}; it is asked again with what fits", failure.message);
            return Next::Again(Unscored::new(Reason::TooLong, message));
        }
        self.conversation.seat.models.push(model);
        Next::FallBack(unscored)
    }
}

/// What a failure comes to where nobody takes over.
fn unscored(failure: &CallFailure) -> Unscored {
    let reason = match failure.kind {
        FailureKind::TooLong => Reason::TooLong,
        FailureKind::OverBudget => Reason::OverBudget,
        FailureKind::Transient { .. } | FailureKind::Permanent => Reason::CallFailed,
    };
    Unscored::new(reason, failure.message.clone())
}

/// Why a model is not asked.
pub(super) fn does_not_fit(
    model: &ModelSettings,
    context: Option<u64>,
    too_long: TooLong,
) -> Unscored {
    let takes = context.map_or_else(String::new, |context| {
        format!(
            ", which takes {context} tokens in one call and keeps {} of them for its answer",
            model.max_tokens
        )
    });
    Unscored::new(
        Reason::TooLong,
        format!(
            "the question does not fit into {}{takes}: it needs {} tokens, and there is room for {}; name a model with a longer context",
            model.name(),
            too_long.needed,
            too_long.limit
        ),
    )
}

impl From<repair::FormError> for Unscored {
    fn from(error: repair::FormError) -> Self {
        let reason = match &error {
            repair::FormError::Empty => Reason::Empty,
            repair::FormError::Refused(_) => Reason::Refused,
            repair::FormError::Truncated => Reason::Truncated,
            repair::FormError::Missing(_) | repair::FormError::Malformed(_) => Reason::WrongShape,
        };
        Self::new(reason, error.to_string())
    }
}

/// How long to wait before the next try, in milliseconds: twice as long each
/// time, and up to half as long again, so that those who failed together do not
/// come back together. What is added follows from what is asked, not from chance:
/// a replay waits as long.
fn patience(failed: u32, name: &str) -> u64 {
    let wait = 500u64 << failed.min(6);
    let mixed = name
        .bytes()
        .chain(failed.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    wait + (mixed >> 32) % (wait / 2)
}
