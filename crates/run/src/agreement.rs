//! Agreement between judges: Krippendorff's alpha, the spread of their scores, and the level that
//! follows from both (ruling 25). `arbitrate` decides which issues each level keeps.
//!
//! | every criterion's spread | alpha | the panel's agreement |
//! |---|---|---|
//! | fewer than two judges | – | not applicable |
//! | at most .10 | any | high |
//! | more | .80 or more | high |
//! | more | .67 or more | moderate |
//! | more | less, or undefined | low |
//!
//! Alpha alone would report disagreement between judges who nearly agree: it compares their
//! differences with the variation between criteria, and if all scores are similar there is almost
//! none.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::assess::Vote;
use crate::rubric::Rubric;

/// How far the judges of a panel agree (ruling 25).
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AgreementLevel {
    /// All issues are kept.
    High,
    /// Issues that two judges raised are kept.
    Moderate,
    /// Only critical issues are kept.
    Low,
    /// One judge: all its issues are kept.
    NotApplicable,
}

/// How far the judges agree, and the figures behind it.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Agreement {
    /// What it comes to.
    pub level: AgreementLevel,
    /// Krippendorff's alpha over judges and criteria, interval metric; `null`
    /// where it is undefined.
    pub alpha: Option<f64>,
    /// Why alpha is undefined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined_because: Option<String>,
    /// The largest difference between two judges by one criterion, in
    /// thousandths.
    pub widest_spread: u16,
}

/// How the difference between two values is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Values are categories: equal or not.
    Nominal,
    /// Values are ranks.
    Ordinal,
    /// Values are points on a scale.
    Interval,
    /// Values are amounts, starting at zero.
    Ratio,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    #[error("fewer than two judges")]
    TooFewJudges,
    /// No unit has values from two judges.
    #[error("no value comes from two judges")]
    NothingShared,
    /// Without variation there is no expected disagreement to compare with.
    #[error("all values are alike")]
    AllAlike,
    #[error("the ratio metric takes no values below 0")]
    Negative,
    /// The ratio metric compares all pairs of different values.
    #[error("the ratio metric takes at most {MOST_RATIOS} different values")]
    TooManyValues,
}

/// The ratio metric has no closed form; with more values it would take minutes.
const MOST_RATIOS: usize = 20_000;

/// Krippendorff's alpha of the values that judges (rows) gave to units (columns). `None`, numbers
/// that are not finite, and cells beyond the end of a short row are missing values. The order of
/// the judges does not change the result, not even in the last bit.
///
/// All metrics except the ratio use closed forms, so the time grows with the number of values and
/// not with the number of pairs:
///
/// | metric | squared difference | computed from |
/// |---|---|---|
/// | nominal | 0 if equal, else 1 | counts of each value |
/// | ordinal | of the mid-ranks | interval, on the ranks |
/// | interval | of the values | sums of squares around means |
/// | ratio | of the values over their sum | every pair of different values |
///
/// # Errors
/// If alpha is undefined; the error says why.
pub fn alpha<R: AsRef<[Option<f64>]>>(judges: &[R], metric: Metric) -> Result<f64, Undefined> {
    if judges.len() < 2 {
        return Err(Undefined::TooFewJudges);
    }
    let table = Table::of(judges);
    let (Some(first), false) = (table.values.first(), table.values.len() < 2) else {
        return Err(Undefined::NothingShared);
    };
    if table.values.iter().all(|value| same(*value, *first)) {
        return Err(Undefined::AllAlike);
    }
    let disagreement = match metric {
        Metric::Nominal => nominal(&table),
        Metric::Ordinal => interval(&table.ranked()),
        Metric::Interval => interval(&table),
        Metric::Ratio => ratio(&table)?,
    };
    // The values are so large or so close together that their squares overflow or vanish.
    if disagreement.expected <= 0.0 || !disagreement.expected.is_finite() {
        return Err(Undefined::AllAlike);
    }
    let pairable = count(table.values.len());
    Ok(1.0 - (pairable - 1.0) * disagreement.observed / disagreement.expected)
}

/// The values of all units with at least two values, unit by unit, sorted within each so that sums
/// do not depend on the order of the judges.
struct Table {
    values: Vec<f64>,
    /// Where the values of each unit end.
    ends: Vec<usize>,
}

impl Table {
    fn of<R: AsRef<[Option<f64>]>>(judges: &[R]) -> Self {
        let units = judges
            .iter()
            .map(|row| row.as_ref().len())
            .max()
            .unwrap_or(0);
        let mut table = Self {
            values: Vec::with_capacity(units.saturating_mul(judges.len())),
            ends: Vec::with_capacity(units),
        };
        for column in 0..units {
            let start = table.values.len();
            for row in judges {
                if let Some(Some(value)) = row.as_ref().get(column)
                    && value.is_finite()
                {
                    // Normalises -0.0 to 0.0.
                    table.values.push(*value + 0.0);
                }
            }
            if table.values.len() - start < 2 {
                table.values.truncate(start);
                continue;
            }
            if let Some(unit) = table.values.get_mut(start..) {
                unit.sort_unstable_by(f64::total_cmp);
            }
            table.ends.push(table.values.len());
        }
        table
    }

    fn units(&self) -> impl Iterator<Item = &[f64]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .filter_map(|(start, end)| self.values.get(start..*end))
    }

    fn sorted(&self) -> Vec<f64> {
        let mut all = self.values.clone();
        all.sort_unstable_by(f64::total_cmp);
        all
    }

    /// Replaces every value by its mid-rank. The ordinal difference of two values is the number of
    /// values between them, counting the two as half each: the difference of their mid-ranks.
    fn ranked(&self) -> Self {
        let mut before = 0;
        let ranks: Vec<(f64, f64)> = runs(&self.sorted())
            .map(|(value, times)| {
                let rank = count(before) + count(times) / 2.0;
                before += times;
                (value, rank)
            })
            .collect();
        let rank = |value: &f64| {
            let at = ranks.partition_point(|(known, _)| known < value);
            ranks.get(at).map_or(0.0, |(_, rank)| *rank)
        };
        Self {
            values: self.values.iter().map(rank).collect(),
            ends: self.ends.clone(),
        }
    }
}

/// Sums of squared differences over ordered pairs: within each unit, divided by one less than its
/// number of values, and among all values.
struct Disagreement {
    observed: f64,
    expected: f64,
}

fn nominal(table: &Table) -> Disagreement {
    // Pairs of different values: all pairs minus those of a value with itself.
    let unlike = |sorted: &[f64]| {
        let alike: f64 = runs(sorted).map(|(_, times)| count(times).powi(2)).sum();
        count(sorted.len()).powi(2) - alike
    };
    Disagreement {
        observed: table
            .units()
            .map(|unit| unlike(unit) / (count(unit.len()) - 1.0))
            .sum(),
        expected: unlike(&table.sorted()),
    }
}

fn interval(table: &Table) -> Disagreement {
    // The squared differences of all ordered pairs of m values add up to 2 m times the sum of
    // squares around their mean. Around the overall mean, that is the sum within the units plus the
    // sum between them.
    let total: f64 = table.units().map(|unit| unit.iter().sum::<f64>()).sum();
    let all = count(table.values.len());
    let middle = total / all;
    let (mut observed, mut spread) = (0.0, 0.0);
    for unit in table.units() {
        let size = count(unit.len());
        let mean = unit.iter().sum::<f64>() / size;
        let within: f64 = unit.iter().map(|value| (value - mean).powi(2)).sum();
        observed += 2.0 * size * within / (size - 1.0);
        spread += within + size * (mean - middle).powi(2);
    }
    Disagreement {
        observed,
        expected: 2.0 * all * spread,
    }
}

fn ratio(table: &Table) -> Result<Disagreement, Undefined> {
    if table.values.iter().any(|value| *value < 0.0) {
        return Err(Undefined::Negative);
    }
    let all: Vec<(f64, usize)> = runs(&table.sorted()).collect();
    if all.len() > MOST_RATIOS {
        return Err(Undefined::TooManyValues);
    }
    let observed = table
        .units()
        .map(|unit| {
            let values: Vec<(f64, usize)> = runs(unit).collect();
            ratios(&values) / (count(unit.len()) - 1.0)
        })
        .sum();
    Ok(Disagreement {
        observed,
        expected: ratios(&all),
    })
}

/// Sum of the squared relative differences of all ordered pairs of different values.
fn ratios(values: &[(f64, usize)]) -> f64 {
    let mut sum = 0.0;
    for (index, (one, times)) in values.iter().enumerate() {
        let others = values.get(index + 1..).unwrap_or_default();
        let against: f64 = others
            .iter()
            // Two different values that are not negative have a positive sum.
            .map(|(other, times)| count(*times) * ((other - one) / (other + one)).powi(2))
            .sum();
        sum += 2.0 * count(*times) * against;
    }
    sum
}

/// The distinct values of a sorted list with their counts.
fn runs(sorted: &[f64]) -> impl Iterator<Item = (f64, usize)> {
    sorted
        .chunk_by(|one, other| same(*one, *other))
        .filter_map(|run| Some((*run.first()?, run.len())))
}

/// Exact comparison: values are not rounded first.
fn same(one: f64, other: f64) -> bool {
    one.total_cmp(&other).is_eq()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "no table has more than 2^52 values"
)]
fn count(number: usize) -> f64 {
    number as f64
}

/// The spread of every criterion in the order of the rubric: the largest difference between two
/// judges, in thousandths. Roles filled by the same model count as one judge (ruling 24), with the
/// mean of their scores.
#[must_use]
pub fn spreads<'r>(votes: &[Vote<'_>], rubric: &'r Rubric) -> Vec<(&'r str, u16)> {
    let panel = panel(votes, rubric);
    rubric
        .criteria
        .iter()
        .enumerate()
        .map(|(index, criterion)| {
            let given = || panel.iter().filter_map(|row| *row.get(index)?);
            let spread = match (given().min(), given().max()) {
                (Some(least), Some(most)) => most - least,
                _ => 0,
            };
            (criterion.name.as_str(), spread)
        })
        .collect()
}

/// Judges within this spread agree, whatever alpha says (ruling 25).
const CLOSE: u16 = 100;
/// Seed 003 §4.3.
const HIGH: f64 = 0.80;
/// Seed 003 §4.3.
const MODERATE: f64 = 0.67;

#[must_use]
pub fn of_panel(votes: &[Vote<'_>], rubric: &Rubric) -> Agreement {
    let rows: Vec<Vec<Option<f64>>> = panel(votes, rubric)
        .iter()
        .map(|row| row.iter().map(|score| score.map(f64::from)).collect())
        .collect();
    let alpha = alpha(&rows, Metric::Interval);
    let widest_spread = spreads(votes, rubric)
        .iter()
        .map(|(_, spread)| *spread)
        .max()
        .unwrap_or(0);
    let level = if rows.len() < 2 {
        AgreementLevel::NotApplicable
    } else if widest_spread <= CLOSE {
        AgreementLevel::High
    } else {
        match alpha {
            Ok(alpha) if alpha >= HIGH => AgreementLevel::High,
            Ok(alpha) if alpha >= MODERATE => AgreementLevel::Moderate,
            _ => AgreementLevel::Low,
        }
    };
    Agreement {
        level,
        alpha: alpha.ok(),
        undefined_because: alpha.err().map(|undefined| undefined.to_string()),
        widest_spread,
    }
}

/// Each judge's scores by criterion, in thousandths.
fn panel(votes: &[Vote<'_>], rubric: &Rubric) -> Vec<Vec<Option<u16>>> {
    let mut judges: BTreeMap<&str, Vec<&Vote<'_>>> = BTreeMap::new();
    for vote in votes {
        let model = vote.verdict.judge().model.as_str();
        judges.entry(model).or_default().push(vote);
    }
    judges
        .values()
        .map(|seats| {
            rubric
                .criteria
                .iter()
                .map(|criterion| mean(seats, &criterion.name))
                .collect()
        })
        .collect()
}

fn mean(seats: &[&Vote<'_>], criterion: &str) -> Option<u16> {
    let given: Vec<u32> = seats
        .iter()
        .filter_map(|vote| vote.verdict.score(criterion))
        .map(|score| u32::from(score.thousandths()))
        .collect();
    let number = u32::try_from(given.len()).ok().filter(|n| *n > 0)?;
    let sum: u32 = given.iter().sum();
    u16::try_from((2 * sum + number) / (2 * number)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(table: &[&[f64]]) -> Vec<Vec<Option<f64>>> {
        // A negative number stands for a missing value.
        table
            .iter()
            .map(|row| row.iter().map(|v| (*v >= 0.0).then_some(*v)).collect())
            .collect()
    }

    /// The definition of alpha, pair by pair.
    fn by_pairs(judges: &[Vec<Option<f64>>], metric: Metric) -> Option<f64> {
        let things = judges.iter().map(Vec::len).max()?;
        let units: Vec<Vec<f64>> = (0..things)
            .map(|thing| judges.iter().filter_map(|row| *row.get(thing)?).collect())
            .filter(|unit: &Vec<f64>| unit.len() > 1)
            .collect();
        let all: Vec<f64> = units.iter().flatten().copied().collect();
        let times = |value: f64| count(all.iter().filter(|v| same(**v, value)).count());
        let difference = |one: f64, other: f64| -> f64 {
            if same(one, other) {
                return 0.0;
            }
            match metric {
                Metric::Nominal => 1.0,
                Metric::Interval => (one - other).powi(2),
                Metric::Ratio => ((one - other) / (one + other)).powi(2),
                Metric::Ordinal => {
                    let (low, high) = (one.min(other), one.max(other));
                    let between = all.iter().filter(|v| **v >= low && **v <= high).count();
                    (count(between) - f64::midpoint(times(one), times(other))).powi(2)
                }
            }
        };
        let over = |values: &[f64]| -> f64 {
            let of = |one: &f64| {
                values
                    .iter()
                    .map(|other| difference(*one, *other))
                    .sum::<f64>()
            };
            values.iter().map(of).sum()
        };
        let observed: f64 = units
            .iter()
            .map(|unit| over(unit) / (count(unit.len()) - 1.0))
            .sum();
        let expected = over(&all);
        (expected > 0.0).then(|| 1.0 - (count(all.len()) - 1.0) * observed / expected)
    }

    #[test]
    fn alpha_is_what_can_be_worked_out_by_hand() {
        // Two judges who always disagree about two values: observed 8 of 8, expected 32 of 56. 1 -
        // 7 · 8 / 32 = -3/4.
        let opposed: &[&[f64]] = &[&[0.0, 1.0, 0.0, 1.0], &[1.0, 0.0, 1.0, 0.0]];
        // Ten units, four of them disputed, six ones and fourteen zeros: 1 - 19 · 8 / 168 = 2/21.
        let binary: &[&[f64]] = &[
            &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
            &[1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        ];
        // 1 and 3 against 1 and 2: interval 1 - 3 · 2 / 22 = 8/11.
        let near: &[&[f64]] = &[&[1.0, 3.0], &[1.0, 2.0]];
        for (table, metric, expected) in [
            (opposed, Metric::Nominal, -0.75),
            (opposed, Metric::Ordinal, -0.75),
            (opposed, Metric::Interval, -0.75),
            (opposed, Metric::Ratio, -0.75),
            (binary, Metric::Nominal, 2.0 / 21.0),
            (near, Metric::Interval, 8.0 / 11.0),
            (&[&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]], Metric::Ordinal, 1.0),
            // The third unit has only one value and does not count.
            (
                &[&[1.0, 3.0, 9.0], &[1.0, 2.0, -1.0]],
                Metric::Interval,
                8.0 / 11.0,
            ),
        ] {
            let found = alpha(&rows(table), metric).unwrap();
            assert!(
                (found - expected).abs() < 1e-12,
                "{table:?} {metric:?}: {found}"
            );
        }
    }

    /// Krippendorff's own example of four judges and twelve units, with gaps.
    #[test]
    fn the_published_example_gives_the_published_figures() {
        const GAP: f64 = -1.0;
        let table = rows(&[
            &[1.0, 2.0, 3.0, 3.0, 2.0, 1.0, 4.0, 1.0, 2.0, GAP, GAP, GAP],
            &[1.0, 2.0, 3.0, 3.0, 2.0, 2.0, 4.0, 1.0, 2.0, 5.0, GAP, 3.0],
            &[GAP, 3.0, 3.0, 3.0, 2.0, 3.0, 4.0, 2.0, 2.0, 5.0, 1.0, GAP],
            &[1.0, 2.0, 3.0, 3.0, 2.0, 4.0, 4.0, 1.0, 2.0, 5.0, 1.0, GAP],
        ]);
        for (metric, published) in [
            (Metric::Nominal, 0.743),
            (Metric::Ordinal, 0.815),
            (Metric::Interval, 0.849),
            (Metric::Ratio, 0.797),
        ] {
            let found = alpha(&table, metric).unwrap();
            assert!((found - published).abs() < 0.0005, "{metric:?}: {found}");
        }
    }

    #[test]
    fn what_is_undefined_says_why() {
        let none: Vec<Vec<Option<f64>>> = Vec::new();
        for (table, metric, expected) in [
            (none, Metric::Interval, Undefined::TooFewJudges),
            (
                rows(&[&[1.0, 2.0]]),
                Metric::Interval,
                Undefined::TooFewJudges,
            ),
            (
                rows(&[&[1.0, -1.0], &[-1.0, 2.0]]),
                Metric::Interval,
                Undefined::NothingShared,
            ),
            (rows(&[&[], &[]]), Metric::Nominal, Undefined::NothingShared),
            (
                rows(&[&[1.0, 1.0], &[1.0, 1.0]]),
                Metric::Nominal,
                Undefined::AllAlike,
            ),
            (
                rows(&[&[0.0, 0.0], &[0.0, 0.0]]),
                Metric::Ratio,
                Undefined::AllAlike,
            ),
            (
                vec![
                    vec![Some(f64::NAN), Some(1.0)],
                    vec![Some(2.0), Some(f64::INFINITY)],
                ],
                Metric::Interval,
                Undefined::NothingShared,
            ),
            (
                vec![vec![Some(-1.0), Some(1.0)], vec![Some(-1.0), Some(2.0)]],
                Metric::Ratio,
                Undefined::Negative,
            ),
        ] {
            assert_eq!(alpha(&table, metric), Err(expected), "{table:?}");
        }
        let many: Vec<Option<f64>> = (0..=MOST_RATIOS).map(|n| Some(count(n))).collect();
        assert_eq!(
            alpha(&[many.clone(), many], Metric::Ratio),
            Err(Undefined::TooManyValues)
        );
    }

    proptest! {
        #[test]
        fn closed_forms_give_what_pairs_give_and_judges_have_no_order(
            judges in prop::collection::vec(
                prop::collection::vec(prop::option::weighted(0.8, 0u16..12), 0..9), 0..5),
            metric in prop::sample::select(vec![
                Metric::Nominal, Metric::Ordinal, Metric::Interval, Metric::Ratio]),
        ) {
            let table: Vec<Vec<Option<f64>>> = judges
                .iter()
                .map(|row| row.iter().map(|v| v.map(|v| f64::from(v) / 11.0)).collect())
                .collect();
            let found = alpha(&table, metric);
            let reversed: Vec<_> = table.iter().rev().cloned().collect();
            prop_assert_eq!(found, alpha(&reversed, metric));
            match (found, by_pairs(&table, metric)) {
                (Ok(found), Some(expected)) => {
                    prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
                }
                (Err(_), None) => {}
                (found, expected) => prop_assert!(false, "{found:?} {expected:?}"),
            }
        }
    }
}
