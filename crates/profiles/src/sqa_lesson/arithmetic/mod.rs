//! Recalculates the arithmetic that is written out in a text.
//!
//! An equation is two expressions with an equals sign, "equals" or "is" between
//! them, at least one of which contains an operation. Everything that could mean
//! something else is ignored: variables, ratios, times of day, remainders, units
//! that do not match, estimates, and everything that the sentence calls wrong,
//! asks about, or attributes to someone. Which texts to look at is up to the
//! caller.
//!
//! | the exact result | what is written | verdict |
//! |---|---|---|
//! | 5 | 5, 5.00 | right |
//! | 5 | 6 | wrong |
//! | 3.333… | 3.33, 3.34, 3 | right: it cannot be written out |
//! | 0.87325 from a multiplication or division | 0.87 | right: rounded |
//! | 3.5 from a division | 4 | rounded without saying so |
//! | 4.25 from a sum | 4.3 | wrong: sums need no rounding |

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
use tokens::{Operation, Token, TokenKind};

/// An equation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The equation, from its first to its last number.
    pub(crate) range: Range<usize>,
    /// The side that contains the calculation.
    pub(crate) working: Range<usize>,
    /// The side that gives the result.
    pub(crate) written: Range<usize>,
    /// The correct result, as it should be written.
    pub(crate) result: String,
    pub(crate) kind: MistakeKind,
}

/// What is wrong with an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MistakeKind {
    /// The result is wrong.
    Wrong,
    /// The result is rounded without saying so.
    Rounded,
    /// `5 + 3 = 8 × 2 = 16`: the steps are right, but the equals sign is not.
    RunOn,
}

/// The equations of a text that do not hold, in order.
pub(crate) fn mistakes(text: &str) -> Vec<Mistake> {
    let tokens = tokens::tokens(text);
    let mut found = Vec::new();
    for index in 0..tokens.len() {
        let Some(equals @ (TokenKind::Equals | TokenKind::Is)) =
            tokens.get(index).map(|token| &token.kind)
        else {
            continue;
        };
        if let Some(mistake) = mistake_at(text, &tokens, index, equals == &TokenKind::Is)
            && context::is_claimed(text, &mistake.range)
        {
            found.push(mistake);
        }
    }
    found
}

/// The result that a question such as "What is 18 ÷ 3?" or "Calculate 25% of £60."
/// asks for; `None` for any other question.
pub(crate) fn asked(stem: &str) -> Option<Rational> {
    let tokens = tokens::tokens(stem);
    let question = context::question(stem)?;
    // The stem may contain only this expression.
    let mut runs = runs(&tokens);
    let run = runs.next()?;
    if runs.next().is_some() || tokens.iter().any(|token| token.kind == TokenKind::Unknown) {
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
    // All readings must give the same value.
    readings()
        .filter(|reading| !reading.converts)
        .all(|reading| expression::value(run, reading).is_none_or(|other| other == value))
        .then_some(value)
}

/// The number that a short answer consists of, in pounds if it is money.
pub(crate) fn number(answer: &str) -> Option<Rational> {
    let tokens = tokens::tokens(answer);
    match tokens.as_slice() {
        [
            Token {
                kind: TokenKind::Number(number),
                ..
            },
        ] => {
            let plain = number.unit.is_none_or(|unit| unit == units::Unit::POUND);
            (plain && !number.percent).then_some(number.value)
        }
        _ => None,
    }
}

/// A number as messages write it.
pub(crate) fn written(value: Rational) -> String {
    value.to_string()
}

/// Whether an answer is the result of a question, allowing for rounding.
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

/// The runs of arithmetic tokens.
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
    start = after_label(text, tokens, start, equals);
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
/// Only if both numbers have the same form, because `2 × 30 = 60 = 1 hour` changes
/// the unit.
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
    (equals.kind == TokenKind::Equals).then_some(())?;
    let start = before
        .iter()
        .rposition(|token| !token.kind.is_arithmetic())
        .map_or(0, |at| at + 1);
    let working = Side::of(before.get(start..)?)?;
    let outside = start.checked_sub(1).and_then(|at| before.get(at));
    // If the first step is already wrong, only that is reported.
    let fits = working.has_operation
        && working.units == last.units
        && holds_somehow(&working, middle.tokens)
        && context::stands_alone(text, (outside, None));
    fits.then(|| compare(text, &working, last))?
}

/// "Step 1 - 20 ÷ 4 = 5": skips the number of the step.
fn after_label(text: &str, tokens: &[Token], start: usize, end: usize) -> usize {
    let label = start
        .checked_sub(1)
        .and_then(|at| tokens.get(at))
        .and_then(|token| text.get(token.range.clone()))
        .is_some_and(context::is_label);
    let run = tokens.get(start..end).unwrap_or_default();
    match run {
        [
            Token {
                kind: TokenKind::Number(_),
                ..
            },
            Token {
                kind: TokenKind::Operation(Operation::SpacedMinus),
                ..
            },
            ..,
        ] if label => start + 2,
        [
            Token {
                kind: TokenKind::Number(_),
                ..
            },
            Token {
                kind: TokenKind::Number(_),
                ..
            },
            ..,
        ] if label => start + 1,
        _ => start,
    }
}

/// "= £5 – well done": removes the dash, which belongs to the comment.
fn without_open_dash(side: &[Token]) -> &[Token] {
    match side {
        [
            rest @ ..,
            Token {
                kind: TokenKind::Operation(Operation::SpacedMinus),
                ..
            },
        ] => rest,
        _ => side,
    }
}
