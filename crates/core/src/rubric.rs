//! Scores, and what a finding may do to one.
//!
//! A finding never gives a score; it can only cap what a judge gives (ruling 6).
//! Comparisons are made in integer thousandths, so that 0.85 is 0.85 (ruling 2).

use std::collections::BTreeMap;
use std::fmt;

use crate::finding::Finding;

/// A score between 0 and 1, kept in thousandths.
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
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
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

    #[test]
    fn a_score_cannot_leave_its_range() {
        assert_eq!(Score::from_thousandths(1000), Some(Score::ONE));
        assert_eq!(Score::from_thousandths(1001), None);
    }

    #[test]
    fn a_cap_lowers_a_score_and_never_raises_one() {
        let score = |thousandths| Score::from_thousandths(thousandths).unwrap();
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
