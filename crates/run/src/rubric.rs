//! Rubrics: the criteria that judges score, their weights and thresholds, and the repair of their
//! issues.
//!
//! A finding never gives a score; it only caps what a judge gives (ruling 6). Comparisons use
//! integer thousandths, so that 0.85 is exactly 0.85 (ruling 2). A [`Score`] is a number on the
//! scale, used for thresholds, anchors and caps. What a judge gave to a text is an `Awarded` of
//! `verdict`, which can only be made from a judge's reply.

use redraft_gate::score::Precision;
use redraft_gate::score::Score;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What judges are asked, and how their scores are weighted. Data of a profile or of a user's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rubric {
    pub name: String,
    /// The criteria in the order in which judges score them.
    pub criteria: Vec<Criterion>,
    /// The names of the criteria by rank: if two issues demand opposite things, the earlier
    /// criterion wins (ruling 27).
    pub hierarchy: Vec<String>,
    /// How scores are rounded before anything is computed.
    pub precision: Precision,
    /// Whether judges give a short reason for each score (ruling 63). Off by default, because it
    /// costs tokens.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reasons: bool,
    /// Whether judges leave out what changes no decision: strengths and their own overall score
    /// (ruling 4). Only verdicts on lessons report these (seed 002).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub terse: bool,
}

/// One quality that a text is judged by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// The name in replies and reports: `factual_accuracy`.
    pub name: String,
    /// The weight, in any unit; weights are divided by their sum (ruling 1).
    pub weight: u32,
    /// The minimum for this criterion alone, if the rubric sets one.
    pub threshold: Option<Score>,
    pub description: String,
    /// What the criterion does not cover, so that no problem counts twice.
    pub not_about: String,
    /// The meaning of scores, best first.
    pub anchors: Vec<Anchor>,
    /// What an issue must show to be credible.
    pub evidence: String,
    /// Whether it is about facts. If there are sources, its issues must cite one.
    #[serde(default)]
    pub factual: bool,
    /// How its issues are repaired.
    pub repair: Repair,
}

/// The meaning of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    pub at: Score,
    pub means: String,
}

/// How a criterion's issues are repaired, by severity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    pub critical: FixAction,
    pub major: FixAction,
    /// For major issues that are fixed by adding something (an example, a definition), if that
    /// differs (ruling 28).
    #[serde(default)]
    pub major_addition: Option<FixAction>,
    pub minor: FixAction,
    /// For issues of any severity whose quote is in the text, if that differs: the wrong words are
    /// known, and all others stay (ruling 16).
    #[serde(default)]
    pub quoted: Option<FixAction>,
    /// The component to repair if an issue names none (`stem`, `vignette`, `card`). `None` if every
    /// issue must name its component.
    pub target: Option<String>,
}

/// How a component is repaired (seed 003 §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FixAction {
    /// The patcher edits passages.
    SurgicalEdit,
    /// The expander writes the section again.
    RegenerateSection,
}

impl FixAction {
    /// Parses the name in a rubric file: `surgical-edit`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "surgical-edit" => Some(Self::SurgicalEdit),
            "regenerate-section" => Some(Self::RegenerateSection),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RubricError {
    /// There are no criteria.
    #[error("a rubric needs at least one criterion")]
    Empty,
    /// A name is used twice.
    #[error("the criterion `{0}` appears twice")]
    Twice(String),
    /// All weights are zero.
    #[error("the weights add up to 0")]
    Weightless,
    /// The hierarchy does not name every criterion exactly once.
    #[error("the hierarchy must name every criterion once; look at `{0}`")]
    Hierarchy(String),
    /// Without anchors, every judge uses their own scale.
    #[error("the criterion `{0}` needs anchors, the best first")]
    Anchors(String),
}

impl Rubric {
    /// Checks that the rubric is usable.
    ///
    /// # Errors
    /// If criteria, weights, anchors or hierarchy are inconsistent.
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

    #[must_use]
    pub fn criterion(&self, name: &str) -> Option<&Criterion> {
        self.criteria
            .iter()
            .find(|criterion| criterion.name == name)
    }

    /// Each criterion's weight in thousandths, in order. They add up to exactly 1,000: the
    /// remainder of rounding down goes to the weights that lost most by it. Reports print these
    /// weights and overall scores are computed from them, so that anyone can verify the result.
    /// Empty if all weights are zero.
    #[must_use]
    pub fn weights(&self) -> Vec<u32> {
        let weights: Vec<u32> = self.criteria.iter().map(|one| one.weight).collect();
        shares(&weights)
    }

    /// The overall score for scores in the order of the criteria.
    #[must_use]
    pub fn overall(&self, scores: impl IntoIterator<Item = Score>) -> Option<Score> {
        let weighed: Vec<(u32, Score)> = self.weights().into_iter().zip(scores).collect();
        weighted_mean(&weighed, self.precision).filter(|_| weighed.len() == self.criteria.len())
    }
}

/// Shares of 1,000 by weight with the largest remainder method; on a tie the first one wins.
fn shares(weights: &[u32]) -> Vec<u32> {
    const ALL: u64 = 1_000;
    let sum: u64 = weights.iter().copied().map(u64::from).sum();
    if sum == 0 {
        return Vec::new();
    }
    let scaled = |weight: u32| u64::from(weight) * ALL;
    let mut shares: Vec<u64> = weights.iter().map(|one| scaled(*one) / sum).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|index| {
        std::cmp::Reverse(weights.get(*index).map_or(0, |one| scaled(*one) % sum))
    });
    let left = ALL.saturating_sub(shares.iter().sum());
    for index in order.into_iter().take(usize::try_from(left).unwrap_or(0)) {
        if let Some(share) = shares.get_mut(index) {
            *share += 1;
        }
    }
    let shares = shares.into_iter();
    shares
        .map(|share| u32::try_from(share).unwrap_or_default())
        .collect()
}

/// The weighted mean of scores, divided by the sum of the weights (ruling 1) and rounded half up
/// (ruling 2). `None` if all weights are zero.
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
        .map(|(weight, score)| u64::from(*weight) * u64::from(score.thousandths()))
        .sum();
    let divisor = total * unit;
    let rounded = (2 * sum + divisor) / (2 * divisor) * unit;
    u16::try_from(rounded)
        .ok()
        .and_then(Score::from_thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(thousandths: u16) -> Score {
        Score::from_thousandths(thousandths).unwrap()
    }

    #[test]
    fn printed_weights_add_up_to_one() {
        for (weights, expected) in [
            (vec![1, 1, 1], vec![334, 333, 333]),
            (vec![1; 6], vec![167, 167, 167, 167, 166, 166]),
            (vec![300, 200, 200, 200, 100], vec![300, 200, 200, 200, 100]),
            (
                vec![20, 25, 20, 15, 10, 35],
                vec![160, 200, 160, 120, 80, 280],
            ),
            (vec![0, 7], vec![0, 1_000]),
            (vec![0, 0], vec![]),
        ] {
            let shares = shares(&weights);
            assert_eq!(shares, expected, "{weights:?}");
            let sum: u32 = shares.iter().sum();
            assert!(shares.is_empty() || sum == 1_000, "{weights:?}");
        }
    }

    #[test]
    fn an_overall_score_follows_from_the_weights_that_are_printed() {
        // With exact thirds it would be .333.
        let mut rubric = crate::fixtures::rubric();
        rubric.precision = Precision::Thousandths;
        let first = rubric.criteria[0].clone();
        rubric.criteria = vec![first.clone(), first.clone(), first];
        let scores = [Score::ONE, score(0), score(0)];
        let overall = rubric.overall(scores).map(Score::thousandths);
        assert_eq!(rubric.weights(), [334, 333, 333]);
        assert_eq!(overall, Some(334));
        // A missing score does not count as zero.
        assert_eq!(rubric.overall([Score::ONE]), None);
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
}
