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

mod context;
mod expression;
mod rational;
mod tokens;
mod units;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::ops::Range;

use expression::{Reading, readings};
pub(crate) use rational::Rational;
use rational::decimal;
use tokens::{Kind, Number, Operation, Token};

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
    let allowed = Rational::new(1, 100)
        .filter(|cent| tolerance.compare(*cent) == Some(Ordering::Less))
        // A penny is within what rounding may do where the result never ends.
        .filter(|_| asked.decimals().is_none_or(|decimals| decimals > 2))
        .unwrap_or(tolerance);
    off.and_then(|off| off.compare(allowed)) != Some(Ordering::Greater)
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

/// What one has to know of a side before comparing it.
struct Side<'t> {
    tokens: &'t [Token],
    has_operation: bool,
    /// Something that can make endless digits: `÷`, `/`, `%`, `×` of decimals.
    may_round: bool,
    /// Only `+` and `−`.
    adds: bool,
    has_dash: bool,
    has_group: bool,
    units: Vec<units::Unit>,
    unitless: bool,
}

impl<'t> Side<'t> {
    fn of(tokens: &'t [Token]) -> Option<Self> {
        let mut side = Self {
            tokens,
            has_operation: false,
            may_round: false,
            adds: true,
            has_dash: false,
            has_group: false,
            units: Vec::new(),
            unitless: false,
        };
        let mut before: Option<&Kind> = None;
        for token in tokens {
            match &token.kind {
                Kind::Number(number) => {
                    side.has_group |= number.is_group && matches!(before, Some(Kind::Number(_)));
                    side.may_round |= number.percent || number.is_fraction;
                    match number.unit {
                        Some(unit) if !side.units.contains(&unit) => side.units.push(unit),
                        Some(_) => {}
                        None => side.unitless = true,
                    }
                }
                // The sign of a negative number is no operation.
                Kind::Operation(Operation::Minus)
                    if !matches!(before, Some(Kind::Number(_) | Kind::Close)) => {}
                Kind::Operation(operation) => {
                    let slash = *operation == Operation::Slash;
                    side.has_operation |= !slash;
                    side.may_round |= slash
                        || matches!(
                            operation,
                            Operation::Divide | Operation::Of | Operation::Times
                        );
                    side.adds &= matches!(
                        operation,
                        Operation::Plus | Operation::Minus | Operation::SpacedMinus
                    );
                    side.has_dash |= *operation == Operation::SpacedMinus;
                    // "3 of 5" is no share of an amount.
                    if *operation == Operation::Of && !is_share(before, tokens, token) {
                        return None;
                    }
                }
                _ => {}
            }
            before = Some(&token.kind);
        }
        let first = tokens.first()?;
        let last = tokens.last()?;
        let starts = match &first.kind {
            Kind::Operation(Operation::Minus) => true,
            kind => !matches!(kind, Kind::Operation(_) | Kind::Close),
        };
        (starts && matches!(last.kind, Kind::Number(_) | Kind::Close)).then_some(side)
    }

    /// A single number.
    fn lone(&self) -> Option<&'t Number> {
        match self.tokens {
            [
                Token {
                    kind: Kind::Number(number),
                    ..
                },
            ] => Some(number),
            [
                Token {
                    kind: Kind::Operation(Operation::Minus),
                    ..
                },
                Token {
                    kind: Kind::Number(number),
                    ..
                },
            ] => Some(number),
            _ => None,
        }
    }

    /// A fraction or a percentage alone, which may be short for that much of
    /// something.
    fn is_share(&self) -> bool {
        !self.has_operation
            && (self
                .lone()
                .is_none_or(|number| number.percent || number.is_fraction))
    }

    fn is_plain(&self) -> bool {
        self.units.iter().all(|unit| *unit == units::Unit::POUND)
    }

    fn range(&self) -> Range<usize> {
        let start = self.tokens.first().map_or(0, |token| token.range.start);
        let end = self.tokens.last().map_or(start, |token| token.range.end);
        start..end
    }
}

/// Whether what stands before "of" is a fraction or a percentage.
fn is_share(before: Option<&Kind>, tokens: &[Token], of: &Token) -> bool {
    match before {
        Some(Kind::Number(number)) if number.percent || number.is_fraction => true,
        Some(Kind::Number(_) | Kind::Close) => {
            let at = tokens.partition_point(|token| token.range.start < of.range.start);
            tokens
                .get(..at)
                .unwrap_or_default()
                .iter()
                .rev()
                .take(6)
                .any(|token| token.kind == Kind::Operation(Operation::Slash))
        }
        _ => false,
    }
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

fn compare(text: &str, left: &Side<'_>, right: &Side<'_>) -> Option<Mistake> {
    if !left.has_operation && !right.has_operation && !is_conversion(left, right) {
        return None;
    }
    // "10% = £50 ÷ 10": short for 10% of it.
    let is_short = (left.is_share() && right.has_operation)
        || (right.is_share() && left.lone().is_some() && left.has_operation);
    let mut plain = None;
    for reading in readings() {
        let (Some(worked), Some(said)) = (
            expression::value(left.tokens, reading),
            expression::value(right.tokens, reading),
        ) else {
            continue;
        };
        plain = plain.or(Some((worked, said)));
        if holds(worked, said, left, right) {
            return None;
        }
        // `30 ÷ 40 × 100 = 75%`: the sign is only a unit.
        let hundredth = worked.divide(Rational::whole(100));
        let is_percent = right.lone().is_some_and(|number| number.percent);
        if is_percent && hundredth.is_none_or(|worked| holds(worked, said, left, right)) {
            return None;
        }
    }
    let (mut worked, said) = plain?;
    if is_short || left.has_group || right.has_group || !units_fit(left, right) {
        return None;
    }
    // "10 - 2 = 8 - and that is all": one side up to the dash.
    if right.has_dash && prefixes(right).any(|prefix| holds_somehow(left, prefix)) {
        return None;
    }
    // A step that works on with a rounded number.
    if left.has_operation && right.has_operation && is_near(worked, said) {
        return None;
    }
    // The result is worked out from the side that has the operation.
    let (working, written) = if left.has_operation || !right.has_operation {
        (left, right)
    } else {
        worked = said;
        (right, left)
    };
    let mut kind = MistakeKind::Wrong;
    if left.has_operation && right.has_operation && runs_on(left, right) {
        kind = MistakeKind::RunOn;
    } else if let Some(number) = written.lone() {
        let value = signed(written, number);
        let decimals = number.decimals + if number.percent { 2 } else { 0 };
        if is_silent_rounding(working, worked, value, decimals) {
            kind = MistakeKind::Rounded;
        }
    }
    let exact = if mixes_units(left, right) {
        expression::value(
            working.tokens,
            Reading {
                converts: true,
                ..PLAIN
            },
        )
        .and_then(|value| in_unit_of(value, written))
        .unwrap_or(worked)
    } else {
        worked
    };
    let result = in_the_form_of(text, written, exact);
    let range = left.range().start..right.range().end;
    text.get(range.clone())?;
    Some(Mistake {
        range,
        working: working.range(),
        written: written.range(),
        result,
        kind,
    })
}

/// A result written as the author wrote the wrong one: in pounds and pence, with
/// its unit, as a percentage.
fn in_the_form_of(text: &str, side: &Side<'_>, value: Rational) -> String {
    let Some(number) = side.lone() else {
        return value.to_string();
    };
    if side.units.contains(&units::Unit::POUND) {
        return match value.decimals() {
            Some(0) => format!("£{value}"),
            Some(1 | 2) => format!("£{}", decimal(value, 2)),
            _ => format!("£{} (cut off after the pence)", decimal(value, 2)),
        };
    }
    let suffix = text
        .get(side.range())
        .unwrap_or_default()
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    // A share of one is written in hundredths; `30 ÷ 40 × 100` is so already.
    let is_share = value.abs().compare(Rational::whole(2)) == Some(Ordering::Less);
    let hundredfold = value
        .multiply(Rational::whole(100))
        .filter(|_| number.percent && is_share);
    format!("{}{suffix}", hundredfold.unwrap_or(value))
}

fn in_unit_of(value: Rational, side: &Side<'_>) -> Option<Rational> {
    let unit = side.units.first()?;
    value.divide(unit.scale())
}

fn mixes_units(left: &Side<'_>, right: &Side<'_>) -> bool {
    let mut units = left.units.iter().chain(&right.units);
    let first = units.next();
    units.any(|unit| Some(unit) != first)
}

/// Whether a comparison of the numbers means something: no units, one unit, or
/// units of one kind that are only added.
fn units_fit(left: &Side<'_>, right: &Side<'_>) -> bool {
    // `1.5 kg = 1.5 × 1000 = 1500 g`: the working changes the unit.
    if left.lone().is_some() && !left.units.is_empty() && right.units.is_empty() {
        return false;
    }
    if !mixes_units(left, right) {
        return true;
    }
    let mut units = left.units.iter().chain(&right.units);
    let first = units.next().map(|unit| unit.dimension);
    let same = units.all(|unit| Some(unit.dimension) == first);
    let added = left.adds && right.adds && !left.unitless && !right.unitless;
    let money = first == Some(units::Dimension::Money) && !right.unitless;
    same && (added || money)
}

/// A fraction or percentage beside the decimal or percentage it equals.
fn is_conversion(left: &Side<'_>, right: &Side<'_>) -> bool {
    if !left.units.is_empty() || !right.units.is_empty() || !left.is_share() {
        return false;
    }
    match right.lone() {
        Some(number) => number.percent || number.is_fraction || number.decimals > 0,
        None => right.is_share() && left.lone().is_none(),
    }
}

fn signed(side: &Side<'_>, number: &Number) -> Rational {
    let value = if number.percent {
        number
            .value
            .divide(Rational::whole(100))
            .unwrap_or(number.value)
    } else {
        number.value
    };
    if side.tokens.len() > 1 {
        value.negated()
    } else {
        value
    }
}

/// Whether two values of an equation can be called equal.
fn holds(worked: Rational, said: Rational, left: &Side<'_>, right: &Side<'_>) -> bool {
    if worked == said {
        return true;
    }
    [(worked, said, left, right), (said, worked, right, left)]
        .into_iter()
        .any(|(exact, value, side, other)| {
            other.lone().is_some_and(|number| {
                let decimals = number.decimals + if number.percent { 2 } else { 0 };
                is_rounding(exact, value, decimals, side)
            })
        })
}

/// Whether `value` is `exact` with so many digits behind the point, and could not
/// have been written out in them.
fn is_rounding(exact: Rational, value: Rational, decimals: u32, side: &Side<'_>) -> bool {
    let Some(off) = off_by(exact, value, decimals) else {
        // Too large to be compared.
        return true;
    };
    let endless = exact.decimals().is_none_or(|needed| needed > 4);
    if endless {
        // Rounded, cut off, or rounded up so that the shares suffice.
        return off.compare(Rational::ONE) == Some(Ordering::Less);
    }
    let half = Rational::new(1, 2);
    side.may_round
        && !side.adds
        && decimals >= 1
        && exact.decimals().is_some_and(|needed| needed > decimals)
        && half.and_then(|half| off.compare(half)) != Some(Ordering::Greater)
}

/// `7 ÷ 2 = 4`: the nearest whole number, without a word.
fn is_silent_rounding(side: &Side<'_>, exact: Rational, value: Rational, decimals: u32) -> bool {
    let half = Rational::new(1, 2);
    let off = off_by(exact, value, decimals);
    side.may_round
        && !exact.is_whole()
        && off.zip(half).and_then(|(off, half)| off.compare(half)) != Some(Ordering::Greater)
}

/// How far apart two values are, in units of the last digit written.
fn off_by(exact: Rational, value: Rational, decimals: u32) -> Option<Rational> {
    let unit = Rational::new(10_i128.checked_pow(decimals)?, 1)?;
    exact.subtract(value)?.abs().multiply(unit)
}

/// Whether two values differ by less than a hundredth of them.
fn is_near(one: Rational, other: Rational) -> bool {
    let off = one.subtract(other).map(Rational::abs);
    let hundredth = one.abs().divide(Rational::whole(100));
    off.zip(hundredth)
        .and_then(|(off, hundredth)| off.compare(hundredth))
        .is_none_or(|order| order == Ordering::Less)
}

/// The beginnings of a side, each up to a dash.
fn prefixes<'t>(side: &Side<'t>) -> impl Iterator<Item = &'t [Token]> {
    let tokens = side.tokens;
    tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == Kind::Operation(Operation::SpacedMinus))
        .take(4)
        .map(move |(at, _)| tokens.get(..at).unwrap_or_default())
}

fn holds_somehow(left: &Side<'_>, right: &[Token]) -> bool {
    let Some(right) = Side::of(right) else {
        return false;
    };
    readings().any(|reading| {
        let values = (
            expression::value(left.tokens, reading),
            expression::value(right.tokens, reading),
        );
        matches!(values, (Some(worked), Some(said)) if holds(worked, said, left, &right))
    })
}

/// `5 + 3 = 8 × 2`: the right side starts with the result of the left one.
fn runs_on(left: &Side<'_>, right: &Side<'_>) -> bool {
    right
        .tokens
        .get(..1)
        .is_some_and(|first| holds_somehow(left, first))
}
