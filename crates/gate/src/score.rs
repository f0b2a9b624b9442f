//! Scores, and what a finding may do to one.
//!
//! A finding never gives a score; it can only cap what a judge gives (ruling 6).
//! Comparisons are made in integer thousandths, so that 0.85 is 0.85 (ruling 2).
//! A [`Score`] is a number on the scale: thresholds, anchors and caps are made of
//! it. What a judge gave to a text is an `Awarded` of `redraft_run::verdict`, which
//! nothing but a judge's reply can make.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::finding::Finding;

/// A figure between 0 and 1, kept in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u16);

impl Score {
    /// The best there is.
    pub const ONE: Self = Self(1000);

    /// A score from thousandths; `None` beyond 1000.
    #[must_use]
    pub const fn from_thousandths(thousandths: u16) -> Option<Self> {
        if thousandths <= 1000 {
            Some(Self(thousandths))
        } else {
            None
        }
    }

    /// The score in thousandths.
    #[must_use]
    pub const fn thousandths(self) -> u16 {
        self.0
    }

    /// Reads a decimal between 0 and 1 as it is written (`0.85`, `.9`, `1`), with
    /// the digits after the third rounded half up. `None` for anything else:
    /// `85` and `85%` are no scores, whatever they may mean (ruling 3).
    #[must_use]
    pub fn parse(written: &str) -> Option<Self> {
        Self::parse_to(written, Precision::Thousandths)
    }

    /// The same, rounded once and for all to a precision: 0.8749 is 0.87, though
    /// it would be 0.88 by way of 0.875.
    #[must_use]
    pub fn parse_to(written: &str, precision: Precision) -> Option<Self> {
        let written = written.trim();
        let (whole, fraction) = written.split_once('.').unwrap_or((written, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) {
            return None;
        }
        let whole: u16 = match whole.trim_start_matches('0') {
            "" => 0,
            "1" => 1,
            _ => return None,
        };
        let digit = |index: usize| {
            fraction
                .as_bytes()
                .get(index)
                .map_or(0, |byte| u16::from(byte - b'0'))
        };
        let hundredths = whole * 100 + digit(0) * 10 + digit(1);
        let thousandths = match precision {
            Precision::Thousandths => hundredths * 10 + digit(2) + u16::from(digit(3) >= 5),
            Precision::Hundredths => (hundredths + u16::from(digit(2) >= 5)) * 10,
        };
        let beyond = whole == 1 && fraction.bytes().any(|byte| byte != b'0');
        if beyond {
            return None;
        }
        Self::from_thousandths(thousandths)
    }

    /// As the JSON number that stands for it.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}

impl Serialize for Score {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

impl JsonSchema for Score {
    fn schema_name() -> Cow<'static, str> {
        "Score".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A score: between 0 and 1, to three decimals.",
            "type": "number",
            "minimum": 0,
            "maximum": 1
        })
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let figure = f64::deserialize(deserializer)?;
        Self::parse(&format!("{figure:.4}"))
            .ok_or_else(|| serde::de::Error::custom(format!("{figure} is not between 0 and 1")))
    }
}

/// How exactly scores are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// As the judge gave them.
    Thousandths,
    /// Rounded to two decimals, and the overall computed from those, so that
    /// anybody can derive it again from what is printed (ruling 2).
    Hundredths,
}

/// The most a criterion can score while a finding is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// The rubric's name for the criterion or dimension.
    pub criterion: &'static str,
    /// The highest score that is still believed.
    pub at: Score,
}

/// The lowest cap on each criterion that the findings set.
#[must_use]
pub fn caps(findings: &[Finding]) -> BTreeMap<&'static str, Score> {
    let mut lowest: BTreeMap<&'static str, Score> = BTreeMap::new();
    for cap in findings.iter().flat_map(|finding| &finding.caps) {
        lowest
            .entry(cap.criterion)
            .and_modify(|score| *score = (*score).min(cap.at))
            .or_insert(cap.at);
    }
    lowest
}

/// A judge's score under the caps: the lower of the two, never higher than what
/// the judge gave.
#[must_use]
pub fn capped(judged: Score, criterion: &str, caps: &BTreeMap<&'static str, Score>) -> Score {
    caps.get(criterion).map_or(judged, |cap| judged.min(*cap))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(thousandths: u16) -> Score {
        Score::from_thousandths(thousandths).unwrap()
    }

    #[test]
    fn a_score_cannot_leave_its_range() {
        assert_eq!(Score::from_thousandths(1000), Some(Score::ONE));
        assert_eq!(Score::from_thousandths(1001), None);
    }

    #[test]
    fn only_a_decimal_between_nought_and_one_is_a_score() {
        for (written, expected) in [
            ("0.85", Some(850)),
            (".9", Some(900)),
            ("1", Some(1000)),
            ("1.0", Some(1000)),
            ("1.000", Some(1000)),
            ("0", Some(0)),
            ("00.5", Some(500)),
            ("0.8344", Some(834)),
            ("0.8345", Some(835)),
            ("0.9999", Some(1000)),
            ("85", None),
            ("85%", None),
            ("1.01", None),
            ("1.0001", None),
            ("2", None),
            ("-0.1", None),
            ("-0", None),
            ("1e-1", None),
            ("NaN", None),
            ("", None),
            (".", None),
            ("0,85", None),
        ] {
            assert_eq!(
                Score::parse(written).map(Score::thousandths),
                expected,
                "{written}"
            );
        }
    }

    #[test]
    fn a_cap_lowers_a_score_and_never_raises_one() {
        let caps = BTreeMap::from([("accessibility", score(870))]);
        for (judged, criterion, expected) in [
            (950, "accessibility", 870),
            (870, "accessibility", 870),
            (600, "accessibility", 600),
            (950, "coherence", 950),
        ] {
            assert_eq!(capped(score(judged), criterion, &caps), score(expected));
        }
    }
}
