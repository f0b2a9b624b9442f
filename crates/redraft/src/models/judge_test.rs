//! `redraft models --test`: whether the models that judge can tell good texts from bad
//! ones. Each is asked once about both texts of every pair, the good one first.
//!
//! | what comes back | the pair is | then |
//! |---|---|---|
//! | two scores, that of the good text higher | right | the next pair |
//! | two scores, alike or the wrong way round | wrong | the next pair |
//! | a reply without a verdict that counts | wrong | the other text is not asked about |
//! | no reply, also after retries | not tested | the test of this model has no result |
//!
//! No call is made that can change nothing: a test ends when the pairs that are needed can
//! no longer be reached, and no more pairs are asked about at once than it takes to find
//! that out. What a broken-off test had ranked is known to the next one.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use redraft_engine::clock::Clock;
use redraft_engine::model::Model;
use redraft_gate::score::Score;
use redraft_run::ask::{Ask, FailureKind, ModelSettings, Reply, Role, Tokens};
use redraft_run::judge_test::{self, JudgeTest};
use redraft_run::setup::Seat;
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use super::judge_questions::{JudgeQuestions, PairSide};
use crate::config::roles::JUDGES;

/// A model that judges, in the role in which it is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub role: Role,
    pub model: ModelSettings,
}

/// Every model that may judge, once, also as a fallback.
#[must_use]
pub fn candidates(seats: &[Seat]) -> Vec<Candidate> {
    let mut found: BTreeMap<String, Candidate> = BTreeMap::new();
    for seat in seats.iter().filter(|seat| JUDGES.contains(&seat.role)) {
        for model in &seat.models {
            found.entry(model.name()).or_insert_with(|| Candidate {
                role: seat.role,
                model: model.clone(),
            });
        }
    }
    found.into_values().collect()
}

/// The test of one model.
#[derive(Clone, Debug, PartialEq)]
pub struct TestedJudge {
    /// As `provider/model`.
    pub model: String,
    /// Those that were asked about, in their order.
    pub pairs: Vec<RankedPair>,
    /// Those that were not, because the test had failed without them.
    pub unasked: usize,
    pub tokens: Tokens,
    /// In millionths of a dollar.
    pub cost: u64,
    /// The error says why some questions were not answered.
    pub result: Result<JudgeTest, String>,
}

/// How a model ranked a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankedPair {
    pub id: String,
    /// The overall score of the good text; `None` if there is none.
    pub good: Option<Score>,
    pub bad: Option<Score>,
    pub right: bool,
}

/// What is needed to ask.
pub struct Asking<'a> {
    pub model: &'a Arc<dyn Model>,
    pub clock: &'a Arc<dyn Clock>,
    /// How often a call is made that fails for a reason that may pass.
    pub tries: u32,
    /// How many pairs a judge has to rank correctly.
    pub needed: u32,
    /// What a broken-off test of this model has ranked.
    pub known: &'a dyn Fn(&Candidate) -> Vec<RankedPair>,
    /// Called after every answer.
    pub progress: &'a dyn Fn(&Candidate, TestStep<'_>),
}

/// What has just come in.
#[derive(Clone, Copy, Debug)]
pub enum TestStep<'a> {
    /// The score of the good text; the other one is asked about next.
    Good,
    /// A pair is ranked: the last of these.
    Pair(&'a [RankedPair]),
    /// The test has ended, so many answers before it would have.
    End { unasked: usize },
}

impl std::fmt::Debug for Asking<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asking")
            .field("tries", &self.tries)
            .field("needed", &self.needed)
            .finish_non_exhaustive()
    }
}

struct Answer {
    /// Whose, by the index of the candidate.
    index: usize,
    pair: usize,
    side: PairSide,
    result: Result<Reply, String>,
}

/// Tests every candidate, side by side as far as the providers allow.
pub async fn run(
    questions: &JudgeQuestions,
    candidates: &[Candidate],
    asking: &Asking<'_>,
) -> Vec<TestedJudge> {
    let mut tests: Vec<Testing<'_>> = candidates
        .iter()
        .map(|candidate| Testing::of(questions, candidate, asking))
        .collect();
    let mut calls: JoinSet<Answer> = JoinSet::new();
    let spawn = |calls: &mut JoinSet<Answer>, index: usize, (pair, side): (usize, PairSide)| {
        let candidate = candidates.get(index);
        let ask = candidate.and_then(|one| questions.ask((pair, side), (one.role, &one.model)));
        let Some(ask) = ask else { return };
        let (model, clock) = (Arc::clone(asking.model), Arc::clone(asking.clock));
        let tries = asking.tries;
        calls.spawn(async move {
            let result = answered(ask, model.as_ref(), clock.as_ref(), tries).await;
            Answer {
                index,
                pair,
                side,
                result,
            }
        });
    };
    for (index, test) in tests.iter_mut().enumerate() {
        while let Some(next) = test.next() {
            spawn(&mut calls, index, next);
        }
    }
    while let Some(call) = calls.join_next().await {
        let Ok(answer) = call else { continue };
        let index = answer.index;
        let Some(test) = tests.get_mut(index) else {
            continue;
        };
        if let Some(other) = test.hear(answer, asking) {
            spawn(&mut calls, index, other);
        }
        while let Some(next) = test.next() {
            spawn(&mut calls, index, next);
        }
    }
    tests.into_iter().map(|test| test.ended(asking)).collect()
}

/// The test of a model on its way.
struct Testing<'a> {
    questions: &'a JudgeQuestions,
    candidate: &'a Candidate,
    /// How many pairs may be wrong.
    may_fail: usize,
    waiting: VecDeque<usize>,
    /// The pairs that are asked about now, with the score of the good text where it came.
    asked: BTreeMap<usize, Option<Score>>,
    ranked: BTreeMap<usize, RankedPair>,
    tokens: Tokens,
    unanswered: Option<String>,
}

impl<'a> Testing<'a> {
    fn of(questions: &'a JudgeQuestions, candidate: &'a Candidate, asking: &Asking<'_>) -> Self {
        let known = (asking.known)(candidate);
        let ids: Vec<&str> = questions.ids().collect();
        let ranked: BTreeMap<usize, RankedPair> = known
            .into_iter()
            .filter_map(|pair| Some((ids.iter().position(|id| *id == pair.id)?, pair)))
            .collect();
        let needed = usize::try_from(asking.needed).unwrap_or(usize::MAX);
        Self {
            questions,
            candidate,
            may_fail: ids.len().saturating_sub(needed),
            waiting: (0..ids.len())
                .filter(|pair| !ranked.contains_key(pair))
                .collect(),
            asked: BTreeMap::new(),
            ranked,
            tokens: Tokens::default(),
            unanswered: None,
        }
    }

    /// The question about the next pair, unless those that are out may end the test.
    fn next(&mut self) -> Option<(usize, PairSide)> {
        let wrong = self.ranked.values().filter(|pair| !pair.right).count();
        if self.unanswered.is_some() || wrong + self.asked.len() > self.may_fail {
            return None;
        }
        let pair = self.waiting.pop_front()?;
        self.asked.insert(pair, None);
        Some((pair, PairSide::Good))
    }

    /// Takes an answer; the question about the other text of the pair, if it matters.
    fn hear(&mut self, answer: Answer, asking: &Asking<'_>) -> Option<(usize, PairSide)> {
        let Answer {
            pair, side, result, ..
        } = answer;
        let Candidate { role, model } = self.candidate;
        let reply = match result {
            Ok(reply) => reply,
            Err(why) => {
                self.asked.remove(&pair);
                self.unanswered.get_or_insert(why);
                return None;
            }
        };
        self.tokens = self.tokens.plus(reply.usage.tokens);
        let score = self.questions.score((pair, side), (*role, model), &reply);
        let (good, bad) = match (side, score.ok()) {
            (PairSide::Good, Some(good)) => {
                self.asked.insert(pair, Some(good));
                (asking.progress)(self.candidate, TestStep::Good);
                return Some((pair, PairSide::Bad));
            }
            (PairSide::Good, None) => (None, None),
            (PairSide::Bad, bad) => (self.asked.get(&pair).copied().flatten(), bad),
        };
        self.asked.remove(&pair);
        let ranked = RankedPair {
            id: self
                .questions
                .ids()
                .nth(pair)
                .unwrap_or_default()
                .to_owned(),
            right: judge_test::is_right((good, bad)),
            good,
            bad,
        };
        self.ranked.insert(pair, ranked.clone());
        let mut so_far: Vec<RankedPair> = self
            .ranked
            .iter()
            .filter(|(index, _)| **index != pair)
            .map(|(_, one)| one.clone())
            .collect();
        so_far.push(ranked);
        (asking.progress)(self.candidate, TestStep::Pair(&so_far));
        None
    }

    fn ended(self, asking: &Asking<'_>) -> TestedJudge {
        let unasked = self.waiting.len();
        let is_cancelled = !self.asked.is_empty();
        let cancelled = is_cancelled.then(|| "a call was cancelled".to_owned());
        (asking.progress)(self.candidate, TestStep::End { unasked });
        let pairs: Vec<RankedPair> = self.ranked.into_values().collect();
        let scores: Vec<_> = pairs.iter().map(|pair| (pair.good, pair.bad)).collect();
        let model = &self.candidate.model;
        TestedJudge {
            model: model.name(),
            cost: self.tokens.cost(model),
            tokens: self.tokens,
            result: match self.unanswered.or(cancelled) {
                Some(why) => Err(why),
                None => Ok(JudgeTest::of(&scores)),
            },
            pairs,
            unasked,
        }
    }
}

/// A call that failed after so many milliseconds is not made again: it would take as long.
const SLOW: u64 = 60_000;

/// Asks until there is a reply, or no hope of one.
async fn answered(
    ask: Ask,
    model: &dyn Model,
    clock: &dyn Clock,
    tries: u32,
) -> Result<Reply, String> {
    let mut tried = 1;
    loop {
        let begun = clock.now();
        let failure = match model.ask(&ask).await {
            Ok(reply) => return Ok(reply),
            Err(failure) => failure,
        };
        let FailureKind::Transient { retry_after } = failure.kind else {
            return Err(failure.message);
        };
        let took = clock.now().0.saturating_sub(begun.0);
        if tried >= tries || took >= SLOW {
            return Err(failure.message);
        }
        let wait = retry_after.unwrap_or_default().max(500 << tried.min(6));
        tried += 1;
        clock.sleep_until(clock.now().after(wait)).await;
    }
}
