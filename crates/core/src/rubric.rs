//! Scores, what a rubric asks for, and what a finding may do to a score.
//!
//! A finding never gives a score; it can only cap what a judge gives (ruling 6).
//! Comparisons are made in integer thousandths, so that 0.85 is 0.85 (ruling 2).
//! A [`Score`] is a number on the scale: thresholds, anchors and caps are made of
//! it. What a judge gave to a text is an `Awarded` of `verdict`, which nothing but
//! a judge's reply can make.

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
    /// the digits behind the third rounded half up. `None` for anything else:
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

/// What judges are asked, and what their answers weigh. Data of a profile, or of
/// a user's own file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rubric {
    /// Its name.
    pub name: String,
    /// The criteria, in the order in which they are asked.
    pub criteria: Vec<Criterion>,
    /// The names of the criteria by rank: where two demand opposite things, the
    /// earlier one wins (ruling 27).
    pub hierarchy: Vec<String>,
    /// How scores are rounded before anything is computed from them.
    pub precision: Precision,
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

/// One thing a text is judged by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// Its name in replies and reports: `factual_accuracy`.
    pub name: String,
    /// What it weighs, in whatever unit; weights are divided by their sum
    /// (ruling 1).
    pub weight: u32,
    /// The least that it must score by itself, where the rubric says so.
    pub threshold: Option<Score>,
    /// What it is about.
    pub description: String,
    /// What it is not about, so that no fault is counted twice.
    pub not_about: String,
    /// What scores mean, the best first.
    pub anchors: Vec<Anchor>,
    /// What an issue must show to be believed.
    pub evidence: String,
    /// Whether it is about facts, so that its issues have to cite a source where
    /// there are any.
    #[serde(default)]
    pub factual: bool,
    /// What is done about its issues.
    pub repair: Repair,
}

/// What a score means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// The score.
    pub at: Score,
    /// What a text with that score is like.
    pub means: String,
}

/// What is done about the issues of a criterion, by their severity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// For critical ones.
    pub critical: FixAction,
    /// For major ones.
    pub major: FixAction,
    /// For major ones that are mended by adding something (an example, a
    /// definition), where that differs (ruling 28).
    #[serde(default)]
    pub major_addition: Option<FixAction>,
    /// For minor ones.
    pub minor: FixAction,
    /// The part that is repaired where an issue names none (`stem`, `vignette`,
    /// `card`); `None` where every issue has to name its part.
    pub target: Option<String>,
}

/// How a part is repaired (seed 003 §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FixAction {
    /// The patcher edits passages.
    SurgicalEdit,
    /// The expander writes the section again.
    RegenerateSection,
}

impl FixAction {
    /// The action with this name in a rubric file: `surgical-edit`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "surgical-edit" => Some(Self::SurgicalEdit),
            "regenerate-section" => Some(Self::RegenerateSection),
            _ => None,
        }
    }
}

/// Why a rubric cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RubricError {
    /// There is nothing to judge by.
    #[error("a rubric needs at least one criterion")]
    Empty,
    /// A name comes twice.
    #[error("the criterion `{0}` comes twice")]
    Twice(String),
    /// All weights are zero.
    #[error("the weights add up to nothing")]
    Weightless,
    /// The hierarchy does not name every criterion once.
    #[error("the hierarchy must name every criterion once; look at `{0}`")]
    Hierarchy(String),
    /// Without anchors every judge has a scale of their own.
    #[error("the criterion `{0}` needs anchors, the best first")]
    Anchors(String),
}

impl Rubric {
    /// Whether it can be used.
    ///
    /// # Errors
    /// When criteria, weights, anchors or hierarchy do not fit together.
    pub fn validate(&self) -> Result<(), RubricError> {
        if self.criteria.is_empty() {
            return Err(RubricError::Empty);
        }
        for (index, criterion) in self.criteria.iter().enumerate() {
            let name = &criterion.name;
            if self.criteria[..index]
                .iter()
                .any(|known| known.name == *name)
            {
                return Err(RubricError::Twice(name.clone()));
            }
            let falls = criterion
                .anchors
                .windows(2)
                .all(|pair| pair[0].at > pair[1].at);
            if criterion.anchors.is_empty() || !falls {
                return Err(RubricError::Anchors(name.clone()));
            }
            if self.hierarchy.iter().filter(|known| *known == name).count() != 1 {
                return Err(RubricError::Hierarchy(name.clone()));
            }
        }
        if let Some(unknown) = self
            .hierarchy
            .iter()
            .find(|name| self.criterion(name).is_none())
        {
            return Err(RubricError::Hierarchy(unknown.clone()));
        }
        if self.criteria.iter().all(|criterion| criterion.weight == 0) {
            return Err(RubricError::Weightless);
        }
        Ok(())
    }

    /// The criterion with this name.
    #[must_use]
    pub fn criterion(&self, name: &str) -> Option<&Criterion> {
        self.criteria
            .iter()
            .find(|criterion| criterion.name == name)
    }
}

/// The mean of scores under their weights, divided by the sum of the weights
/// (ruling 1) and rounded half up (ruling 2). `None` where nothing weighs.
#[must_use]
pub(crate) fn weighted_mean(weighed: &[(u32, Score)], precision: Precision) -> Option<Score> {
    let unit: u64 = match precision {
        Precision::Thousandths => 1,
        Precision::Hundredths => 10,
    };
    let total: u64 = weighed.iter().map(|(weight, _)| u64::from(*weight)).sum();
    if total == 0 {
        return None;
    }
    let sum: u64 = weighed
        .iter()
        .map(|(weight, score)| u64::from(*weight) * u64::from(score.0))
        .sum();
    let divisor = total * unit;
    let rounded = (2 * sum + divisor) / (2 * divisor) * unit;
    u16::try_from(rounded)
        .ok()
        .and_then(Score::from_thousandths)
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
    fn means_are_weighed_by_the_sum_and_rounded_half_up() {
        let mean = |weighed: &[(u32, u16)], precision| {
            let weighed: Vec<(u32, Score)> = weighed
                .iter()
                .map(|(weight, at)| (*weight, score(*at)))
                .collect();
            weighted_mean(&weighed, precision).map(Score::thousandths)
        };
        for (weighed, precision, expected) in [
            (&[(1, 500), (1, 501)][..], Precision::Thousandths, Some(501)),
            (
                &[(25, 900), (75, 500)][..],
                Precision::Thousandths,
                Some(600),
            ),
            (&[(1, 850), (1, 860)][..], Precision::Hundredths, Some(860)),
            (&[(1, 1000)][..], Precision::Hundredths, Some(1000)),
            (&[(0, 1000)][..], Precision::Thousandths, None),
            (&[][..], Precision::Thousandths, None),
        ] {
            assert_eq!(mean(weighed, precision), expected, "{weighed:?}");
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
