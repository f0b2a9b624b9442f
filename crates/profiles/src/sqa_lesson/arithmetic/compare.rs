//! Compares the two sides of an equation, allowing for rounding, and gives the
//! correct result. The caller has decided where the sides start and end.

use super::expression::{self, Reading, readings};
use super::rational::{Rational, decimal};
use super::side::Side;
use super::tokens::{Number, Operation, Token, TokenKind};
use super::units;
use super::{Mistake, MistakeKind, PLAIN};

/// The mistake in an equation; `None` if it holds.
pub(super) fn compare(text: &str, left: &Side<'_>, right: &Side<'_>) -> Option<Mistake> {
    if !left.has_operation && !right.has_operation && !is_conversion(left, right) {
        return None;
    }
    // "10% = £50 ÷ 10" is short for 10% of an amount.
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
        let hundredth = worked.multiply(Rational::HUNDREDTH);
        let is_percent = right.lone().is_some_and(|number| number.percent);
        if is_percent && hundredth.is_none_or(|worked| holds(worked, said, left, right)) {
            return None;
        }
    }
    let (mut worked, said) = plain?;
    if is_short || left.has_group || right.has_group || !units_fit(left, right) {
        return None;
    }
    // "10 - 2 = 8 - and that is all": the side ends at the dash.
    if right.has_dash && prefixes(right).any(|prefix| holds_somehow(left, prefix)) {
        return None;
    }
    // A step that continues with a rounded number.
    if left.has_operation && right.has_operation && is_near(worked, said) {
        return None;
    }
    // The side with the operation gives the result.
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

/// A result in the form of the wrong one: in pounds and pence, with its unit, as a
/// percentage.
fn in_the_form_of(text: &str, side: &Side<'_>, value: Rational) -> String {
    let Some(number) = side.lone() else {
        return value.to_string();
    };
    if side.units.contains(&units::Unit::POUND) {
        return match value.decimals() {
            Some(0) => format!("£{value}"),
            Some(1 | 2) => format!("£{}", decimal(value, 2)),
            _ => format!("£{} (truncated after the pence)", decimal(value, 2)),
        };
    }
    let suffix = text
        .get(side.range())
        .unwrap_or_default()
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    // A share of one becomes a percentage; `30 ÷ 40 × 100` already is one.
    let is_share = value.abs() < Rational::whole(2);
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

/// Whether the numbers can be compared: no units, one unit, or units of the same
/// dimension that are only added.
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

/// Whether an equation converts a fraction or percentage into a decimal or
/// percentage.
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
            .multiply(Rational::HUNDREDTH)
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

/// Whether two sides are equal, allowing for rounding.
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

/// Whether `value` is `exact` rounded to this many decimal places, where `exact`
/// needs more.
fn is_rounding(exact: Rational, value: Rational, decimals: u32, side: &Side<'_>) -> bool {
    let Some(off) = off_by(exact, value, decimals) else {
        // Too large to compare.
        return true;
    };
    let endless = exact.decimals().is_none_or(|needed| needed > 4);
    if endless {
        // Rounded, truncated, or rounded up so that the shares suffice.
        return off < Rational::ONE;
    }
    side.may_round
        && !side.adds
        && decimals >= 1
        && exact.decimals().is_some_and(|needed| needed > decimals)
        && off <= Rational::HALF
}

/// `7 ÷ 2 = 4`: rounded without saying so.
fn is_silent_rounding(side: &Side<'_>, exact: Rational, value: Rational, decimals: u32) -> bool {
    let off = off_by(exact, value, decimals);
    side.may_round && !exact.is_whole() && off.is_none_or(|off| off <= Rational::HALF)
}

/// The difference between two values, in units of the last digit written.
fn off_by(exact: Rational, value: Rational, decimals: u32) -> Option<Rational> {
    let unit = Rational::whole(10_i128.checked_pow(decimals)?);
    exact.subtract(value)?.abs().multiply(unit)
}

/// Whether two values differ by less than a hundredth.
fn is_near(one: Rational, other: Rational) -> bool {
    let off = one.subtract(other).map(Rational::abs);
    let hundredth = one.abs().multiply(Rational::HUNDREDTH);
    off.zip(hundredth)
        .is_none_or(|(off, hundredth)| off < hundredth)
}

/// The prefixes of a side, each ending before a dash.
fn prefixes<'t>(side: &Side<'t>) -> impl Iterator<Item = &'t [Token]> {
    let tokens = side.tokens;
    tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == TokenKind::Operation(Operation::SpacedMinus))
        .take(4)
        .map(move |(at, _)| tokens.get(..at).unwrap_or_default())
}

pub(super) fn holds_somehow(left: &Side<'_>, right: &[Token]) -> bool {
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

/// `5 + 3 = 8 × 2`: the right side starts with the result of the left side.
fn runs_on(left: &Side<'_>, right: &Side<'_>) -> bool {
    right
        .tokens
        .get(..1)
        .is_some_and(|first| holds_somehow(left, first))
}
