//! The seats of a run's judges: who is asked, again if need be, and when all is
//! said.
//!
//! | what came back | then |
//! |---|---|
//! | a verdict | the seat is done |
//! | a reply in the wrong form | asked again with the complaint, as often as the policy says; then the fall-back |
//! | a failure that may pass | asked again, not before the provider wants it; then the fall-back |
//! | a failure that will not pass, a refusal, a prompt too long | the fall-back |
//! | no fall-back left, no budget, no time | the seat is unscored, with the reason |
//!
//! Every try is an ask of its own with a reservation of its own.

use std::collections::BTreeMap;

use super::{Run, Seat, State};
use crate::ask::{
    Ask, AskId, CallFailure, FailureKind, ModelSettings, Reply, Time, Tokens, estimated_tokens,
};
use crate::event::{EventKind, VerdictResult};
use crate::prompt::{PromptError, PromptRequest, Task};
use crate::review::IssueSeverity;
use crate::rubric::weighted_mean;
use crate::verdict::{self, Judge, Question, Reason, Unscored, Verdict};

/// The judges of a run and the asks that are out.
#[derive(Debug)]
pub(super) struct Bench {
    seats: Vec<Seated>,
    open: BTreeMap<AskId, Open>,
}

#[derive(Debug)]
struct Open {
    seat: usize,
    answer: Option<Result<Reply, CallFailure>>,
}

/// A judge on a seat.
#[derive(Debug)]
pub(super) struct Seated {
    seat: Seat,
    /// Which of the seat's models sits there now.
    model: usize,
    /// All tries of the seat.
    tries: u32,
    /// Tries of this model that came back in the wrong form, and that failed.
    misshapen: u32,
    failed: u32,
    complaint: Option<String>,
    not_before: Option<Time>,
    used: Tokens,
    last_ask: Option<AskId>,
    is_done: bool,
}

impl Seated {
    pub(super) fn new(seat: &Seat) -> Self {
        Self {
            seat: seat.clone(),
            model: 0,
            tries: 0,
            misshapen: 0,
            failed: 0,
            complaint: None,
            not_before: None,
            used: Tokens::default(),
            last_ask: None,
            is_done: false,
        }
    }

    fn settings(&self) -> Option<&ModelSettings> {
        self.seat.models.get(self.model)
    }

    /// Lets the next model take the seat; `false` where there is none.
    fn fall_back(&mut self) -> bool {
        self.model += 1;
        self.misshapen = 0;
        self.failed = 0;
        self.complaint = None;
        self.not_before = None;
        self.model < self.seat.models.len()
    }
}

impl Bench {
    pub(super) fn new(seats: Vec<Seated>) -> Self {
        Self {
            seats,
            open: BTreeMap::new(),
        }
    }

    /// Whether an ask is out.
    pub(super) fn is_waiting(&self) -> bool {
        self.open.values().any(|open| open.answer.is_none())
    }

    /// Takes an answer; `false` where nobody waits for it.
    pub(super) fn take(&mut self, id: &AskId, answer: Result<Reply, CallFailure>) -> bool {
        match self.open.get_mut(id) {
            Some(open) if open.answer.is_none() => {
                open.answer = Some(answer);
                true
            }
            _ => false,
        }
    }
}

/// How a seat goes on after an answer.
enum Next {
    Done(Verdict),
    Again(String),
    FallBack(Unscored),
}

impl Run {
    /// Looks at what the last round brought, in the order of the asks' names, and
    /// gives the asks of the next; none when all is said.
    pub(super) fn next_round(&mut self) -> Result<Vec<Ask>, PromptError> {
        let State::Judging(mut bench) = std::mem::replace(&mut self.state, State::Checked) else {
            return Ok(Vec::new());
        };
        for (id, open) in std::mem::take(&mut bench.open) {
            if let (Some(answer), Some(seated)) = (open.answer, bench.seats.get_mut(open.seat)) {
                self.consider(seated, id, answer);
            }
        }
        let mut asks = Vec::new();
        for (index, seated) in bench.seats.iter_mut().enumerate() {
            if seated.is_done {
                continue;
            }
            if let Some(ask) = self.ask(seated)? {
                bench.open.insert(
                    ask.id.clone(),
                    Open {
                        seat: index,
                        answer: None,
                    },
                );
                asks.push(ask);
            }
        }
        asks.sort_by(|a, b| a.id.cmp(&b.id));
        self.state = State::Judging(bench);
        Ok(asks)
    }

    /// Gives up everything that is open.
    pub(super) fn give_up(&mut self, reason: &Unscored) {
        if matches!(self.state, State::Checked) {
            self.begin();
        }
        let State::Judging(mut bench) = std::mem::replace(&mut self.state, State::Checked) else {
            return;
        };
        for (id, open) in std::mem::take(&mut bench.open) {
            match open.answer {
                // What has been paid for is read.
                Some(answer) => {
                    if let Some(seated) = bench.seats.get_mut(open.seat) {
                        self.consider(seated, id, answer);
                    }
                }
                None => {
                    self.ledger.release(&id);
                    self.cancelled.push(id);
                }
            }
        }
        for seated in bench.seats.iter_mut().filter(|seated| !seated.is_done) {
            self.leave_empty(seated, reason.clone());
        }
        self.state = State::Judging(bench);
    }

    fn consider(&mut self, seated: &mut Seated, id: AskId, answer: Result<Reply, CallFailure>) {
        let usage = match &answer {
            Ok(reply) => Some(reply.usage),
            Err(failure) => failure.usage,
        };
        if let Some(usage) = usage {
            seated.used.input = seated.used.input.saturating_add(usage.tokens.input);
            seated.used.output = seated.used.output.saturating_add(usage.tokens.output);
        }
        let next = match answer {
            Ok(reply) => self.read(seated, &reply),
            Err(failure) => self.failed(seated, &failure),
        };
        seated.last_ask = Some(id.clone());
        match next {
            Next::Done(verdict) => self.seat_done(seated, verdict),
            Next::Again(because) => self.emit(EventKind::AskedAgain { ask: id, because }),
            Next::FallBack(unscored) => {
                if seated.fall_back() {
                    let because = format!("{}; another model takes the seat", unscored.message);
                    self.emit(EventKind::AskedAgain { ask: id, because });
                } else {
                    self.leave_empty(seated, unscored);
                }
            }
        }
    }

    fn read(&self, seated: &mut Seated, reply: &Reply) -> Next {
        let Some(model) = seated.settings() else {
            return Next::FallBack(Unscored::new(Reason::CallFailed, "the seat has no model"));
        };
        let judge = Judge::new(seated.seat.role, model);
        let question = Question {
            document: &self.setup.document,
            rubric: &self.setup.rubric,
            judge: &judge,
        };
        match verdict::read(&question, reply) {
            Ok(verdict) => Next::Done(verdict),
            Err(unscored) => {
                seated.misshapen += 1;
                let may_ask = unscored.reason.is_about_form()
                    && seated.misshapen < self.setup.policy.tries_for_form;
                if may_ask {
                    seated.complaint = Some(unscored.message.clone());
                    seated.not_before = None;
                    Next::Again(unscored.message)
                } else {
                    Next::FallBack(unscored)
                }
            }
        }
    }

    fn failed(&self, seated: &mut Seated, failure: &CallFailure) -> Next {
        seated.failed += 1;
        let unscored = |reason| Unscored::new(reason, failure.message.clone());
        match failure.kind {
            FailureKind::Transient { retry_after }
                if seated.failed < self.setup.policy.tries_for_failure =>
            {
                // Twice as long each time, and never less than the provider asks.
                let patience = 500u64 << seated.failed.min(6);
                let wait = retry_after.unwrap_or_default().max(patience);
                seated.not_before = Some(self.now.after(wait));
                Next::Again(failure.message.clone())
            }
            FailureKind::Transient { .. } | FailureKind::Permanent => {
                Next::FallBack(unscored(Reason::CallFailed))
            }
            FailureKind::TooLong => Next::FallBack(unscored(Reason::TooLong)),
        }
    }

    /// The next ask of a seat; `None` where it cannot be paid, or would only be
    /// sent when the run's time is up.
    fn ask(&mut self, seated: &mut Seated) -> Result<Option<Ask>, PromptError> {
        let Some(model) = seated.settings().cloned() else {
            let unscored = Unscored::new(Reason::CallFailed, "the seat has no model");
            self.leave_empty(seated, unscored);
            return Ok(None);
        };
        if seated.not_before.is_some_and(|at| at >= self.deadline) {
            let unscored = Unscored::new(
                Reason::TimedOut,
                "the provider asks for more patience than the run has time",
            );
            self.leave_empty(seated, unscored);
            return Ok(None);
        }
        seated.tries += 1;
        let id = AskId(format!("i0/judge/{}/try{}", seated.seat.role, seated.tries));
        let flagged: Vec<_> = self
            .setup
            .self_review
            .issues
            .iter()
            .filter(|issue| issue.severity == IssueSeverity::Complex)
            .cloned()
            .collect();
        let prompt = self.setup.profile.render(&PromptRequest {
            document: &self.setup.document,
            companions: &self.setup.companions,
            rubric: &self.setup.rubric,
            task: Task::Judge { flagged: &flagged },
            feedback_language: None,
            complaint: seated.complaint.as_deref(),
        })?;
        let schema = verdict::schema(&self.setup.rubric);
        let worst = Tokens {
            input: estimated_tokens(&prompt.system)
                + estimated_tokens(&prompt.user)
                + estimated_tokens(&schema.to_string()),
            output: u64::from(model.max_tokens),
        };
        if let Err(lack) = self.ledger.reserve(&id, seated.seat.role, &model, worst) {
            let message = format!(
                "asking would need up to {} tokens, and {} are left of the budget",
                lack.needs.total(),
                lack.left
            );
            self.leave_empty(seated, Unscored::new(Reason::OverBudget, message));
            return Ok(None);
        }
        let fingerprint = Ask::fingerprint_of(seated.seat.role, &prompt, Some(&schema), &model);
        self.asked.insert(id.clone(), fingerprint.clone());
        Ok(Some(Ask {
            id,
            role: seated.seat.role,
            model,
            prompt,
            schema: Some(schema),
            content: self.setup.document.source().version(),
            fingerprint,
            reserved: worst,
            not_before: seated.not_before,
        }))
    }

    fn seat_done(&mut self, seated: &mut Seated, verdict: Verdict) {
        seated.is_done = true;
        let weighed: Vec<_> = self
            .setup
            .rubric
            .criteria
            .iter()
            .filter_map(|criterion| Some((criterion.weight, verdict.score(&criterion.name)?)))
            .collect();
        if let Some(score) = weighted_mean(&weighed, self.setup.rubric.precision) {
            self.emit(EventKind::Verdict {
                ask: seated.last_ask.clone(),
                role: seated.seat.role,
                model: verdict.judge().model.clone(),
                result: VerdictResult::Scored {
                    score,
                    confidence: verdict.confidence(),
                    issues: verdict.issues().len(),
                },
                tokens: seated.used,
            });
        }
        self.verdicts.push((seated.seat.weight, verdict));
    }

    fn leave_empty(&mut self, seated: &mut Seated, unscored: Unscored) {
        seated.is_done = true;
        let last = seated.model.min(seated.seat.models.len().saturating_sub(1));
        self.emit(EventKind::Verdict {
            ask: seated.last_ask.clone(),
            role: seated.seat.role,
            model: seated
                .seat
                .models
                .get(last)
                .map(ModelSettings::name)
                .unwrap_or_default(),
            result: VerdictResult::Unscored(unscored.clone()),
            tokens: seated.used,
        });
        self.unscored.insert(seated.seat.role, unscored);
    }
}
