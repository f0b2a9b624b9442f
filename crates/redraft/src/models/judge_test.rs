//! `redraft models --test`: whether the models that judge can tell good texts from bad
//! ones. Each is asked once about both texts of every pair.
//!
//! | what comes back | the pair is |
//! |---|---|
//! | two scores, that of the good text higher | right |
//! | two scores, alike or the wrong way round | wrong |
//! | a reply without a verdict that counts | wrong |
//! | no reply, also after retries | not tested: the test of this model has no result |

use std::collections::BTreeMap;
use std::sync::Arc;

use redraft_engine::clock::Clock;
use redraft_engine::model::Model;
use redraft_gate::score::Score;
use redraft_run::ask::{Ask, FailureKind, ModelSettings, Reply, Role, Tokens};
use redraft_run::judge_test::{self, JudgeTest};
use redraft_run::setup::Seat;
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use super::judge_questions::{JudgeQuestions, Side};
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
    pub pairs: Vec<RankedPair>,
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
    /// Called after every answer, with how many there are.
    pub progress: &'a (dyn Fn(usize) + Sync),
}

impl std::fmt::Debug for Asking<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asking")
            .field("tries", &self.tries)
            .finish_non_exhaustive()
    }
}

type Answer = (usize, usize, Side, Result<Reply, String>);

/// Tests every candidate, all questions at the same time as far as the providers allow.
pub async fn run(
    questions: &JudgeQuestions,
    candidates: &[Candidate],
    asking: &Asking<'_>,
) -> Vec<TestedJudge> {
    let pairs = questions.ids().count();
    let mut calls: JoinSet<Answer> = JoinSet::new();
    for (index, Candidate { role, model }) in candidates.iter().enumerate() {
        for (pair, side) in (0..pairs).flat_map(|pair| [(pair, Side::Good), (pair, Side::Bad)]) {
            let Some(ask) = questions.ask((pair, side), (*role, model)) else {
                continue;
            };
            let (model, clock, tries) = (
                Arc::clone(asking.model),
                Arc::clone(asking.clock),
                asking.tries,
            );
            calls.spawn(async move {
                let answer = answered(ask, model.as_ref(), clock.as_ref(), tries).await;
                (index, pair, side, answer)
            });
        }
    }
    let mut answers: BTreeMap<(usize, usize, bool), Result<Reply, String>> = BTreeMap::new();
    while let Some(call) = calls.join_next().await {
        if let Ok((index, pair, side, answer)) = call {
            answers.insert((index, pair, side == Side::Good), answer);
            (asking.progress)(answers.len());
        }
    }
    candidates
        .iter()
        .enumerate()
        .map(|(index, candidate)| {
            tested(questions, candidate, |pair, side| {
                answers.get(&(index, pair, side == Side::Good))
            })
        })
        .collect()
}

/// Asks until there is a reply, or no hope of one.
async fn answered(
    ask: Ask,
    model: &dyn Model,
    clock: &dyn Clock,
    tries: u32,
) -> Result<Reply, String> {
    let mut tried = 1;
    loop {
        let failure = match model.ask(&ask).await {
            Ok(reply) => return Ok(reply),
            Err(failure) => failure,
        };
        let FailureKind::Transient { retry_after } = failure.kind else {
            return Err(failure.message);
        };
        if tried >= tries {
            return Err(failure.message);
        }
        let wait = retry_after.unwrap_or_default().max(500 << tried.min(6));
        tried += 1;
        clock.sleep_until(clock.now().after(wait)).await;
    }
}

fn tested<'a>(
    questions: &JudgeQuestions,
    candidate: &Candidate,
    answer: impl Fn(usize, Side) -> Option<&'a Result<Reply, String>>,
) -> TestedJudge {
    let Candidate { role, model } = candidate;
    let mut tokens = Tokens::default();
    let mut unanswered = None;
    let mut scored = |pair, side| match answer(pair, side) {
        Some(Ok(reply)) => {
            tokens = tokens.plus(reply.usage.tokens);
            questions.score((pair, side), (*role, model), reply).ok()
        }
        Some(Err(why)) => {
            unanswered.get_or_insert_with(|| why.clone());
            None
        }
        None => {
            unanswered.get_or_insert_with(|| "a call was cancelled".to_owned());
            None
        }
    };
    let mut pairs = Vec::new();
    for (index, id) in questions.ids().enumerate() {
        let (good, bad) = (scored(index, Side::Good), scored(index, Side::Bad));
        pairs.push(RankedPair {
            id: id.to_owned(),
            right: judge_test::is_right((good, bad)),
            good,
            bad,
        });
    }
    let scores: Vec<_> = pairs.iter().map(|pair| (pair.good, pair.bad)).collect();
    TestedJudge {
        model: model.name(),
        cost: tokens.cost(model),
        tokens,
        result: match unanswered {
            Some(why) => Err(why),
            None => Ok(JudgeTest::of(&scores)),
        },
        pairs,
    }
}
