//! Arithmetic that is written out in a text, worked out again.
//!
//! An equation is two expressions with an equals sign, "equals" or "is" between
//! them, of which one at least holds an operation. Whatever could be meant
//! otherwise is left alone: variables, ratios, times of day, remainders, units
//! that do not fit, estimates, and everything that the sentence calls wrong,
//! asks about, or puts in somebody's mouth. Which texts are asked is not known
//! here.
//!
//! | the exact result | what is written | verdict |
//! |---|---|---|
//! | 5 | 5, 5.00 | right |
//! | 5 | 6 | wrong |
//! | 3.333… | 3.33, 3.34, 3 | right: it cannot be written out |
//! | 0.87325 of a multiplication or division | 0.87 | right: rounded |
//! | 3.5 of a division | 4 | rounded, and it does not say so |
//! | 4.25 of a sum | 4.3 | wrong: sums need no rounding |

mod compare;
mod context;
mod expression;
mod rational;
mod side;
mod tokens;
mod units;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::ops::Range;

use compare::{compare, holds_somehow};
use expression::{Reading, readings};
pub(crate) use rational::Rational;
use side::Side;
use tokens::{Kind, Operation, Token};

/// An equation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The equation, from the first to the last number of it.
    pub(crate) range: Range<usize>,
    /// The side that is worked out.
    pub(crate) working: Range<usize>,
    /// What is written as its result.
    pub(crate) written: Range<usize>,
    /// The result, as it should be written.
    pub(crate) result: String,
    pub(crate) kind: MistakeKind,
}

/// In which way an equation does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MistakeKind {
    /// The result is another one.
    Wrong,
    /// The result is rounded without a word.
    Rounded,
    /// `5 + 3 = 8 × 2 = 16`: the steps are right, the equals sign is not.
    RunOn,
}

/// The equations of a text that do not hold, in order.
pub(crate) fn mistakes(text: &str) -> Vec<Mistake> {
    let tokens = tokens::tokens(text);
    let mut found = Vec::new();
    for index in 0..tokens.len() {
        let Some(equals @ (Kind::Equals | Kind::Is)) = tokens.get(index).map(|token| &token.kind)
        else {
            continue;
        };
        if let Some(mistake) = mistake_at(text, &tokens, index, equals == &Kind::Is)
            && context::is_claimed(text, &mistake.range)
        {
            found.push(mistake);
        }
    }
    found
}

/// The value of the one expression of a question such as "What is 18 ÷ 3?",
/// "Calculate 25% of £60."; `None` where the question is another.
pub(crate) fn asked(stem: &str) -> Option<Rational> {
    let tokens = tokens::tokens(stem);
    let question = context::question(stem)?;
    // Nothing else in the stem may have to do with numbers.
    let mut runs = runs(&tokens);
    let run = runs.next()?;
    if runs.next().is_some() || tokens.iter().any(|token| token.kind == Kind::Unknown) {
        return None;
    }
    let run = tokens.get(run)?;
    let (first, last) = (run.first()?, run.last()?);
    let fits = first.range.start >= question.start && last.range.end <= question.end;
    let bare = stem
        .get(question.start..first.range.start)?
        .trim()
        .is_empty()
        && stem
            .get(last.range.end..question.end)?
            .trim_matches(['$', ' ', '.', '?', '='])
            .is_empty();
    let side = Side::of(run)?;
    (fits && bare && side.has_operation && side.is_plain()).then_some(())?;
    let value = expression::value(run, PLAIN)?;
    // Only where every reading says the same.
    readings()
        .filter(|reading| !reading.converts)
        .all(|reading| expression::value(run, reading).is_none_or(|other| other == value))
        .then_some(value)
}

/// The number that a short answer consists of, in pounds where it is money.
pub(crate) fn number(answer: &str) -> Option<Rational> {
    let tokens = tokens::tokens(answer);
    match tokens.as_slice() {
        [
            Token {
                kind: Kind::Number(number),
                ..
            },
        ] => {
            let plain = number.unit.is_none_or(|unit| unit == units::Unit::POUND);
            (plain && !number.percent).then_some(number.value)
        }
        _ => None,
    }
}

/// A number as it is written in a message.
pub(crate) fn written(value: Rational) -> String {
    value.to_string()
}

/// Whether an answer is what was asked, as far as it is written out.
pub(crate) fn agrees(asked: Rational, answer: Rational, tolerance: Rational) -> bool {
    let off = asked.subtract(answer).map(Rational::abs);
    // A result that cannot be written out in pence may be a penny off.
    let is_rounded = asked.decimals().is_none_or(|decimals| decimals > 2);
    let allowed = if is_rounded {
        tolerance.max(Rational::HUNDREDTH)
    } else {
        tolerance
    };
    off.is_none_or(|off| off <= allowed)
}

const PLAIN: Reading = Reading {
    converts: false,
    percent_of_it: true,
    slash_first: true,
    mixed: true,
};

/// The stretches of arithmetic.
fn runs(tokens: &[Token]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while tokens
            .get(at)
            .is_some_and(|token| !token.kind.is_arithmetic())
        {
            at += 1;
        }
        let start = at;
        while tokens
            .get(at)
            .is_some_and(|token| token.kind.is_arithmetic())
        {
            at += 1;
        }
        (start < at).then_some(start..at)
    })
}

fn mistake_at(text: &str, tokens: &[Token], equals: usize, is_word: bool) -> Option<Mistake> {
    let before = tokens.get(..equals)?;
    let mut start = before
        .iter()
        .rposition(|token| !token.kind.is_arithmetic())
        .map_or(0, |at| at + 1);
    let after = tokens.get(equals + 1..)?;
    let end = after
        .iter()
        .position(|token| !token.kind.is_arithmetic())
        .unwrap_or(after.len());
    start = behind_label(text, tokens, start, equals);
    let (left, right) = (tokens.get(start..equals)?, after.get(..end)?);
    let neighbours = (
        start.checked_sub(1).and_then(|at| tokens.get(at)),
        after.get(end),
    );
    if !context::stands_alone(text, neighbours) {
        return None;
    }
    let right = without_open_dash(right);
    let (left, right) = (Side::of(left)?, Side::of(right)?);
    if is_word && !left.has_operation {
        return None;
    }
    compare(text, &left, &right)
        .or_else(|| compare_with_start(text, tokens.get(..start)?, &left, &right))
}

/// `2 + 2 = 4 = 5`: the last number of a chain against the working at its start.
/// Only where both numbers are written alike, since `2 × 30 = 60 = 1 hour` counts
/// in other units.
fn compare_with_start(
    text: &str,
    before: &[Token],
    middle: &Side<'_>,
    last: &Side<'_>,
) -> Option<Mistake> {
    let (result, other) = (middle.lone()?, last.lone()?);
    if middle.units != last.units || result.percent != other.percent {
        return None;
    }
    let (equals, before) = before.split_last()?;
    (equals.kind == Kind::Equals).then_some(())?;
    let start = before
        .iter()
        .rposition(|token| !token.kind.is_arithmetic())
        .map_or(0, |at| at + 1);
    let working = Side::of(before.get(start..)?)?;
    let outside = start.checked_sub(1).and_then(|at| before.get(at));
    // Where the first step is wrong already, that is what is reported.
    let fits = working.has_operation
        && working.units == last.units
        && holds_somehow(&working, middle.tokens)
        && context::stands_alone(text, (outside, None));
    fits.then(|| compare(text, &working, last))?
}

/// "Step 1 - 20 ÷ 4 = 5": the number of a step is no part of the sum.
fn behind_label(text: &str, tokens: &[Token], start: usize, end: usize) -> usize {
    let label = start
        .checked_sub(1)
        .and_then(|at| tokens.get(at))
        .and_then(|token| text.get(token.range.clone()))
        .is_some_and(context::is_label);
    let run = tokens.get(start..end).unwrap_or_default();
    match run {
        [
            Token {
                kind: Kind::Number(_),
                ..
            },
            Token {
                kind: Kind::Operation(Operation::SpacedMinus),
                ..
            },
            ..,
        ] if label => start + 2,
        [
            Token {
                kind: Kind::Number(_),
                ..
            },
            Token {
                kind: Kind::Number(_),
                ..
            },
            ..,
        ] if label => start + 1,
        _ => start,
    }
}

/// "= £5 – well done": the dash belongs to the remark.
fn without_open_dash(side: &[Token]) -> &[Token] {
    match side {
        [
            rest @ ..,
            Token {
                kind: Kind::Operation(Operation::SpacedMinus),
                ..
            },
        ] => rest,
        _ => side,
    }
}
