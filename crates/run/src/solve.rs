//! Blind solving: a model answers an item without seeing its key. If it contradicts the key twice,
//! a reviewer looks at the key; the key is never changed.
//!
//! | first answer | second answer, in another order | result |
//! |---|---|---|
//! | the key | not asked | agrees |
//! | another option, without high confidence | not asked | unsure |
//! | another option, with high confidence | the same, with high confidence | disagrees: a reviewer looks at the key |
//! | another option, with high confidence | anything else | unsure |
//! | an unreadable answer, first or second | – | unanswered |
//!
//! Only the profile knows the content of items: it provides the question and renders the prompt.

use std::convert::Infallible;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{Reply, Schema};
use crate::memo::Memo;
use crate::policy::SolverPolicy;
use crate::reply::fields::{Choice, Text};
use crate::reply::{StrictObject, first_lines, from_node, restrict_to, schema_of};
use crate::verdict::{Confidence, Reason, Unscored};
use redraft_gate::span::Version;

/// An item without its key, and separately the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlindQuestion {
    /// Empty if the item has no case.
    pub case: String,
    pub stem: String,
    /// At least two.
    pub options: Vec<BlindOption>,
    /// Index of the correct option according to the item.
    pub key: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlindOption {
    pub text: String,
    /// Whether it only makes sense after the others: “none of the above”.
    pub stays_last: bool,
}

impl BlindQuestion {
    /// Two orders in which the options are shown, derived from the version of the text. Every
    /// option that may move has a different position in the two.
    #[must_use]
    pub fn orders(&self, version: Version) -> [Vec<usize>; 2] {
        let (last, mut moving): (Vec<usize>, Vec<usize>) = (0..self.options.len())
            .partition(|index| self.options.get(*index).is_some_and(|one| one.stays_last));
        let mut random = SplitMix::of(version);
        for at in (1..moving.len()).rev() {
            moving.swap(at, random.below(at + 1));
        }
        let mut turned = moving.clone();
        if moving.len() > 1 {
            turned.rotate_left(1 + random.below(moving.len() - 1));
        }
        [moving, turned].map(|mut order| {
            order.extend(&last);
            order
        })
    }

    /// The option with its letter in the item.
    #[must_use]
    pub fn option(&self, index: usize) -> ItemOption {
        let text = self.options.get(index).map(|one| one.text.clone());
        ItemOption {
            letter: letter(index),
            text: text.unwrap_or_default(),
        }
    }
}

/// An option of an item.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ItemOption {
    /// Its letter in the item, A for the first.
    pub letter: String,
    /// Its text.
    pub text: String,
}

/// What a solver answered, once.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SolverAnswer {
    /// The option that it named.
    #[serde(flatten)]
    pub option: ItemOption,
    /// The letter under which it was shown.
    pub shown_as: String,
    /// How sure the solver is.
    pub confidence: Confidence,
    /// Why, in its own words.
    pub reason: String,
}

/// What blind solving came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SolvingResult {
    /// The solver named the key.
    Agrees,
    /// It named the same other option twice, and is sure of it.
    Disagrees,
    /// It named another option, and is not sure of it.
    Unsure,
    /// It gave no answer that can be read.
    Unanswered,
}

/// An item that was solved without its key.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Solving {
    /// The version of the item.
    pub content: Version,
    /// The model.
    pub model: String,
    /// The option that the item says is right.
    pub key: ItemOption,
    /// What was answered, at most twice.
    pub answers: Vec<SolverAnswer>,
    /// What that comes to.
    pub result: SolvingResult,
    /// Why an answer is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<Unscored>,
}

impl Solving {
    /// Whether a second answer could change the result.
    #[must_use]
    pub fn needs_second(key: &ItemOption, first: &SolverAnswer) -> bool {
        first.option != *key && first.confidence == Confidence::High
    }

    /// The result of these answers, by the module's table.
    #[must_use]
    pub fn result_of(
        key: &ItemOption,
        answers: &[SolverAnswer],
        unanswered: Option<&Unscored>,
    ) -> SolvingResult {
        match answers {
            _ if unanswered.is_some() => SolvingResult::Unanswered,
            [] => SolvingResult::Unanswered,
            [first, ..] if first.option == *key => SolvingResult::Agrees,
            [first, second]
                if first.option == second.option
                    && [first, second]
                        .iter()
                        .all(|answer| answer.confidence == Confidence::High) =>
            {
                SolvingResult::Disagrees
            }
            _ => SolvingResult::Unsure,
        }
    }

    /// Whether the first answer differs from the key, with any confidence. This measures a solver
    /// over many items. `None` if it gave no answer.
    #[must_use]
    pub fn differs(&self) -> Option<bool> {
        let first = self.answers.first()?;
        Some(first.option != self.key)
    }
}

/// How a solver did over the items of a bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SolverRecord {
    /// Items that it answered.
    pub items: usize,
    /// Those for which its first answer is another option than the key.
    pub differs: usize,
    /// Those whose key it disputes: the same other option twice, with high confidence.
    pub disputes: usize,
}

impl SolverRecord {
    pub fn of<'s>(solvings: impl IntoIterator<Item = &'s Solving>) -> Self {
        let mut record = Self::default();
        for solving in solvings {
            let Some(differs) = solving.differs() else {
                continue;
            };
            record.items += 1;
            record.differs += usize::from(differs);
            record.disputes += usize::from(solving.result == SolvingResult::Disagrees);
        }
        record
    }

    /// Whether its disputes are believed: it differs from few enough keys.
    #[must_use]
    pub fn is_believed(&self, policy: SolverPolicy) -> bool {
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let most = self.items.saturating_mul(count(policy.most_disputed));
        self.items < count(policy.least_items) || self.differs.saturating_mul(100) <= most
    }
}

/// The letter of an option, A for the first.
#[must_use]
pub fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index) if index < 26 => char::from(b'A' + index).to_string(),
        _ => (index + 1).to_string(),
    }
}

/// An answer as a solver writes it: the reason first, because the letter follows from it.
#[derive(Deserialize, JsonSchema)]
struct SolverReply {
    reason: Text,
    answer: Text,
    confidence: Choice<Confidence>,
}

/// Reads an answer to a question with the options in this order.
///
/// # Errors
/// If the reply does not name exactly one of the letters shown, with a confidence.
pub fn read(
    question: &BlindQuestion,
    order: &[usize],
    reply: &Reply,
) -> Result<SolverAnswer, Unscored> {
    let wrong = |what: String| Unscored::new(Reason::WrongShape, what);
    let answers = StrictObject {
        name: "answer",
        by: "solver",
        field: "answer",
        earlier: &["reason"],
        strict: &["answer", "confidence"],
        nowhere_else: &["answer"],
    };
    let found = answers.find(reply)?;
    let root = found
        .root()
        .ok_or_else(|| wrong("the answer is not JSON".to_owned()))?;
    let given: SolverReply =
        from_node(&reply.text, root).map_err(|error| wrong(error.to_string()))?;
    let named = given.answer.trimmed();
    let place = (0..order.len()).find(|at| letter(*at).eq_ignore_ascii_case(named));
    let option = place.and_then(|at| order.get(at).map(|index| (at, *index)));
    let Some((at, index)) = option else {
        let last = letter(order.len().saturating_sub(1));
        return Err(wrong(format!(
            "`answer` is {}; it must be one letter from A to {last}",
            first_lines(named)
        )));
    };
    let confidence = given
        .confidence
        .known()
        .ok_or_else(|| wrong("`confidence` must be high, medium or low".to_owned()))?;
    let reason: String = given
        .reason
        .trimmed()
        .chars()
        .take(MOST_OF_A_REASON)
        .collect();
    Ok(SolverAnswer {
        option: question.option(index),
        shown_as: letter(at),
        confidence,
        reason: reason.split_whitespace().collect::<Vec<_>>().join(" "),
    })
}

/// In characters; the prompt asks for one sentence.
const MOST_OF_A_REASON: usize = 400;

/// The schema of an answer to a question with this many options.
#[must_use]
pub fn schema(options: usize) -> Arc<Schema> {
    static KNOWN: Memo<usize, Schema> = Memo::new();
    let known = KNOWN.get(
        |known| *known == options,
        || {
            let letters: Vec<String> = (0..options).map(letter).collect();
            let mut schema = schema_of::<SolverReply>();
            restrict_to(&letters, &mut schema, "/properties/answer");
            Ok::<_, Infallible>((options, Schema::new(schema)))
        },
    );
    match known {
        Ok(schema) => schema,
    }
}

/// Vigna's SplitMix64: pseudo-random numbers derived from a version.
struct SplitMix(u64);

impl SplitMix {
    fn of(version: Version) -> Self {
        let hash = u64::from_str_radix(&version.to_string(), 16);
        Self(hash.unwrap_or_default())
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let end = u64::try_from(end.max(1)).unwrap_or(1);
        usize::try_from(mixed % end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
