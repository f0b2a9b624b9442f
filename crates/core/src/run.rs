//! A run: the machine that ties the stages together, without doing anything
//! itself. It says what to ask and what to wait for; somebody else asks, and
//! tells it what came back.
//!
//! Time enters only with inputs, so that the inputs in their order are the whole
//! record: fed to a fresh run they give the same steps, events and outcome. What
//! is decided is decided at barriers, when all asks of a batch are answered or
//! given up, over replies in the order of their names; which of them came first
//! never matters.
//!
//! | state | leaves it when |
//! |---|---|
//! | checked | the first step is taken |
//! | judging | every seat has a verdict, or none to be had |
//! | handing over | a person has decided, or nobody can be asked |
//! | done | never |

mod judging;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ask::{
    Ask, AskId, CallFailure, Fingerprint, ModelSettings, Reply, Role, Time, Tokens,
    estimated_tokens,
};
use crate::assess::{Assessment, Vote};
use crate::companion::Companions;
use crate::content::Document;
use crate::decide::{self, Grounds, Policy, QualityStatus, Ruling};
use crate::event::{Event, EventKind};
use crate::finding::{Finding, Severity};
use crate::ledger::{Ledger, Limits};
use crate::outcome::{Outcome, Status};
use crate::profile::Profile;
use crate::prompt::PromptError;
use crate::review::{self, SelfReview};
use crate::rubric::Rubric;
use crate::verdict::{Issue, Reason, Unscored, Verdict};

use judging::{Bench, Seated};

/// What a run is about, and under which rules. None of it changes.
#[derive(Debug)]
pub struct Setup {
    /// The name of the run.
    pub id: String,
    /// The kind of content.
    pub profile: &'static dyn Profile,
    /// The text.
    pub document: Arc<Document>,
    /// What came with it.
    pub companions: Arc<Companions>,
    /// What the free checks found in it.
    pub findings: Vec<Finding>,
    /// What they come to.
    pub self_review: SelfReview,
    /// What it is judged by.
    pub rubric: Rubric,
    /// How it is decided.
    pub policy: Policy,
    /// Who judges.
    pub seats: Vec<Seat>,
    /// What may be spent, in millionths of a dollar.
    pub cost_limit: Option<u64>,
}

/// A place on the bench, and who may take it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// What it is called.
    pub role: Role,
    /// What its vote weighs.
    pub weight: u32,
    /// The model, and behind it those that take over where it fails.
    pub models: Vec<ModelSettings>,
}

/// What is to be done next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Send these. They were reserved together.
    Ask(Vec<Ask>),
    /// These are no longer wanted.
    Cancel(Vec<AskId>),
    /// Nothing, until something is told.
    Wait {
        /// What is waited for.
        on: Awaiting,
        /// When to say that time is up.
        until: Option<Time>,
    },
    /// The run is over.
    Done(Box<Outcome>),
}

/// What a run waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Awaiting {
    /// Replies.
    Replies,
    /// A person.
    Human {
        /// Why.
        because: String,
    },
}

/// What a person has decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Decision {
    /// Publish it.
    Accept {
        /// Who says so.
        by: String,
    },
    /// Do not.
    Reject {
        /// Who says so.
        by: String,
    },
    /// Stop the run; legal at any time.
    Stop {
        /// Who says so.
        by: String,
    },
    /// Nobody can be asked.
    Absent,
}

#[derive(Debug)]
enum State {
    Checked,
    Judging(Bench),
    HandingOver { because: String, since: Time },
    Done(Box<Outcome>),
}

/// A run.
#[derive(Debug)]
pub struct Run {
    setup: Setup,
    started: Time,
    now: Time,
    deadline: Time,
    state: State,
    ledger: Ledger,
    asked: BTreeMap<AskId, Fingerprint>,
    verdicts: Vec<(u32, Verdict)>,
    unscored: BTreeMap<Role, Unscored>,
    cancelled: Vec<AskId>,
    events: Vec<Event>,
    emitted: u64,
}

impl Run {
    /// A run that begins now.
    #[must_use]
    pub fn new(setup: Setup, now: Time) -> Self {
        let document_tokens = estimated_tokens(setup.document.source().text());
        let limits = Limits {
            tokens: setup.policy.judging_limit(document_tokens),
            cost: setup.cost_limit,
        };
        Self {
            deadline: now.after(setup.policy.seconds.saturating_mul(1_000)),
            started: now,
            now,
            state: State::Checked,
            ledger: Ledger::new(limits),
            asked: BTreeMap::new(),
            verdicts: Vec::new(),
            unscored: BTreeMap::new(),
            cancelled: Vec::new(),
            events: Vec::new(),
            emitted: 0,
            setup,
        }
    }

    /// What to do next. Asking again without having told anything gives a wait.
    ///
    /// # Errors
    /// When a prompt cannot be written: a fault of ours.
    pub fn next_step(&mut self) -> Result<Step, PromptError> {
        if !self.cancelled.is_empty() {
            return Ok(Step::Cancel(std::mem::take(&mut self.cancelled)));
        }
        loop {
            match &mut self.state {
                State::Checked => self.begin(),
                State::Judging(bench) => {
                    if bench.is_waiting() {
                        return Ok(Step::Wait {
                            on: Awaiting::Replies,
                            until: Some(self.deadline),
                        });
                    }
                    let asks = self.next_round()?;
                    if !asks.is_empty() {
                        return Ok(Step::Ask(asks));
                    }
                    self.conclude();
                }
                State::HandingOver { because, .. } => {
                    return Ok(Step::Wait {
                        on: Awaiting::Human {
                            because: because.clone(),
                        },
                        until: None,
                    });
                }
                State::Done(outcome) => return Ok(Step::Done(outcome.clone())),
            }
        }
    }

    /// Takes a reply, or the failure to get one. A reply that nobody waits for is
    /// legal: its usage is booked, its content ignored.
    pub fn handle_reply(&mut self, now: Time, id: &AskId, result: Result<Reply, CallFailure>) {
        self.advance(now);
        let usage = match &result {
            Ok(reply) => Some(reply.usage),
            Err(failure) => failure.usage,
        };
        let is_awaited = match &mut self.state {
            State::Judging(bench) => bench.take(id, result),
            _ => false,
        };
        match usage {
            Some(usage) => self.ledger.settle(id, usage),
            None => self.ledger.release(id),
        }
        if !is_awaited && self.asked.contains_key(id) {
            self.emit(EventKind::LateReply { ask: id.clone() });
        }
    }

    /// Takes note of the time. Once the run's time is up, open asks are given up.
    pub fn handle_timeout(&mut self, now: Time) {
        self.advance(now);
        if now < self.deadline {
            return;
        }
        let reason = Unscored::new(Reason::TimedOut, "no answer within the time of the run");
        self.give_up(&reason);
    }

    /// Takes a person's decision.
    pub fn handle_decision(&mut self, now: Time, decision: &Decision) {
        self.advance(now);
        match (&self.state, decision) {
            (State::Done(_), _) => {}
            (State::Judging(_) | State::Checked, Decision::Stop { by }) => {
                self.person("stop", Some(by), None);
                let reason = Unscored::new(Reason::Stopped, format!("stopped by {by}"));
                self.give_up(&reason);
            }
            (State::Judging(_) | State::Checked, _) => {}
            (State::HandingOver { because, since }, decision) => {
                let because = because.clone();
                // Waiting for a person costs no time.
                self.deadline = self.deadline.after(now.since(*since));
                self.decided(decision, because);
            }
        }
    }

    /// The events since the last call.
    pub fn drain_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// What was spent and reserved.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What it is about.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// A clock may be set back; a run's time never goes back.
    fn advance(&mut self, now: Time) {
        self.now = self.now.max(now);
    }

    fn emit(&mut self, kind: EventKind) {
        self.emitted += 1;
        self.events.push(Event {
            seq: self.emitted,
            at: self.now,
            elapsed: self.now.since(self.started),
            kind,
        });
    }

    /// The free stages are done before a run begins; it tells of them, and puts
    /// the judges on their seats where there is something to judge.
    fn begin(&mut self) {
        self.emit(EventKind::RunStarted {
            run: self.setup.id.clone(),
            profile: self.setup.profile.id().0,
            content: self.setup.document.source().version(),
            scripted: self.is_scripted(),
        });
        let count = |severity| {
            self.setup
                .findings
                .iter()
                .filter(|finding| finding.severity == severity)
                .count()
        };
        self.emit(EventKind::CheckComplete {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
        });
        self.emit(EventKind::SelfReview {
            status: self.setup.self_review.status,
            reasoning: self.setup.self_review.reasoning.clone(),
        });
        let seats = match self.unusable() {
            Some(unusable) => {
                for seat in &self.setup.seats {
                    self.unscored.insert(seat.role, unusable.clone());
                }
                Vec::new()
            }
            None => {
                self.emit(EventKind::NodeEnter { node: "judge" });
                self.setup.seats.iter().map(Seated::new).collect()
            }
        };
        self.state = State::Judging(Bench::new(seats));
    }

    /// Why no judge is asked at all: nobody pays to hear that half a lesson is
    /// half a lesson.
    fn unusable(&self) -> Option<Unscored> {
        let because = if self.setup.self_review.status == review::Status::Regenerate {
            self.setup.self_review.reasoning.clone()
        } else if !self.setup.policy.judge_invalid && self.open_errors() > 0 {
            let error = self
                .setup
                .findings
                .iter()
                .find(|finding| finding.severity == Severity::Error)?;
            format!("{} ({})", error.message, error.check.name)
        } else {
            return None;
        };
        Some(Unscored::new(
            Reason::Unusable,
            format!("the free checks stopped it before a judge was paid: {because}"),
        ))
    }

    fn open_errors(&self) -> usize {
        self.setup
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .count()
    }

    fn is_scripted(&self) -> bool {
        self.setup
            .seats
            .iter()
            .flat_map(|seat| &seat.models)
            .any(ModelSettings::is_scripted)
    }

    /// Everything is known that will be known: decides.
    fn conclude(&mut self) {
        if !self.verdicts.is_empty() || self.unusable().is_none() {
            self.emit(EventKind::NodeComplete { node: "judge" });
        }
        let assessment = self.assessment();
        let unscored = self.why_unscored();
        let issues = self.issues();
        let ruling = decide::decide(&Grounds {
            policy: &self.setup.policy,
            findings: &self.setup.findings,
            issues: &issues,
            scored: assessment.as_ref().ok_or(&unscored),
        });
        match ruling {
            Ruling::Accept => self.finish(Status::Accepted, None, None),
            Ruling::AcceptWithWarning => self.finish(Status::AcceptedWarning, None, None),
            Ruling::BestEffort(because) => {
                self.emit(EventKind::BestEffortSelected {
                    because: because.clone(),
                    quality: quality(assessment.as_ref()),
                });
                self.finish(Status::BestEffort, Some(because), None);
            }
            Ruling::HandOver(because) => {
                self.emit(EventKind::EscalationTriggered {
                    because: because.clone(),
                });
                self.state = State::HandingOver {
                    because,
                    since: self.now,
                };
            }
        }
    }

    fn decided(&mut self, decision: &Decision, because: String) {
        match decision {
            Decision::Absent => {
                self.person("absent", None, None);
                self.finish(Status::Escalated, Some(because), None);
            }
            Decision::Reject { by } | Decision::Stop { by } => {
                self.person("reject", Some(by), None);
                self.finish(Status::Escalated, Some(because), Some(by.clone()));
            }
            // Not even a person can accept what nobody has judged, or what is
            // certainly wrong.
            Decision::Accept { by } => {
                let refused = if self.verdicts.is_empty() {
                    Some("nobody has scored this text")
                } else if self.open_errors() > 0 {
                    Some("an error is open")
                } else {
                    None
                };
                self.person("accept", Some(by), refused);
                match refused {
                    None => self.finish(Status::Accepted, None, Some(by.clone())),
                    Some(_) => self.finish(Status::Escalated, Some(because), Some(by.clone())),
                }
            }
        }
    }

    fn person(
        &mut self,
        decision: &'static str,
        by: Option<&String>,
        refused: Option<&'static str>,
    ) {
        self.emit(EventKind::HumanDecision {
            decision,
            by: by.cloned(),
            refused,
        });
    }

    fn assessment(&self) -> Option<Assessment> {
        let votes: Vec<Vote<'_>> = self
            .verdicts
            .iter()
            .map(|(weight, verdict)| Vote {
                verdict,
                weight: *weight,
            })
            .collect();
        Assessment::of(&votes, &self.setup.rubric, &self.setup.findings)
    }

    fn why_unscored(&self) -> Unscored {
        self.unscored.values().next().cloned().unwrap_or_else(|| {
            Unscored::new(Reason::CallFailed, "no judge is configured for this run")
        })
    }

    fn issues(&self) -> Vec<Issue> {
        let mut issues: Vec<Issue> = self
            .verdicts
            .iter()
            .flat_map(|(_, verdict)| verdict.issues().iter().cloned())
            .collect();
        // The worst first; a judge's own order within.
        issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
        issues
    }

    fn finish(&mut self, status: Status, because: Option<String>, decided_by: Option<String>) {
        let score = self.assessment();
        let issues = self.issues();
        let (tokens, cost_micros) = self.spent();
        self.emit(EventKind::RunComplete {
            status,
            score: score.as_ref().map(Assessment::overall),
            tokens,
            cost_micros,
        });
        let outcome = Outcome {
            status,
            because,
            profile: self.setup.profile.id().0,
            content: self.setup.document.source().version(),
            passed: score.as_ref().is_some_and(Assessment::passed),
            recommendation: score
                .as_ref()
                .map(|assessment| assessment.recommendation(&issues)),
            quality: quality(score.as_ref()),
            needs_review: status == Status::Escalated
                || score.is_none()
                || !self.unscored.is_empty(),
            unscored: score.is_none().then(|| self.why_unscored()),
            score,
            self_review: self.setup.self_review.clone(),
            open_errors: self.open_errors(),
            issues,
            verdicts: self
                .verdicts
                .iter()
                .map(|(_, verdict)| verdict.clone())
                .collect(),
            unscored_seats: self.unscored.clone(),
            spent: self.ledger.spent().clone(),
            scripted: self.is_scripted(),
            asked: self.asked.clone(),
            decided_by,
        };
        self.state = State::Done(Box::new(outcome));
    }

    fn spent(&self) -> (Tokens, u64) {
        let mut tokens = Tokens::default();
        let mut cost = 0u64;
        for spent in self.ledger.spent().values() {
            tokens.input = tokens.input.saturating_add(spent.tokens.input);
            tokens.output = tokens.output.saturating_add(spent.tokens.output);
            cost = cost.saturating_add(spent.cost_micros);
        }
        (tokens, cost)
    }
}

fn quality(assessment: Option<&Assessment>) -> QualityStatus {
    assessment.map_or(QualityStatus::BelowStandard, |assessment| {
        QualityStatus::of(assessment.overall())
    })
}
