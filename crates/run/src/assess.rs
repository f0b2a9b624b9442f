//! Computes scores from verdicts: by criterion and overall, from what the judges gave (ruling 4),
//! capped by open findings (ruling 6).
//!
//! An [`Assessment`] can only be made from verdicts, and all of them must be about the same text.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::fit::InputCut;
use crate::rubric::{Rubric, weighted_mean};
use crate::verdict::{Confidence, Doubt, Issue, IssueSeverity, Judge, Verdict};
use redraft_gate::finding::Finding;
use redraft_gate::score::{Score, capped, caps};
use redraft_gate::span::Version;

/// The score of a text.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Assessment {
    content: Version,
    overall: Score,
    criteria: Vec<Assessed>,
    judges: Vec<Judge>,
    confidence: Confidence,
    /// Why verdicts are not credible.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doubts: Vec<Doubt>,
    /// What of the text a judge could not read, where it did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<InputCut>,
}

/// The score of a text by one criterion.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Assessed {
    name: String,
    /// What counts.
    score: Score,
    /// What the judges gave.
    awarded: Score,
    /// The cap of an open finding, where it is lower than what they gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    capped_at: Option<Score>,
    /// The least that this criterion needs, where the rubric says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<Score>,
}

impl Assessed {
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[must_use]
    pub fn score(&self) -> Score {
        self.score
    }

    /// The judges' score before any cap.
    #[must_use]
    pub fn awarded(&self) -> Score {
        self.awarded
    }

    /// The cap that an open finding sets, if it lowers the score.
    #[must_use]
    pub fn capped_at(&self) -> Option<Score> {
        self.capped_at
    }

    /// The minimum that the rubric sets for this criterion, if any.
    #[must_use]
    pub fn threshold(&self) -> Option<Score> {
        self.threshold
    }

    /// Whether the score reaches the criterion's threshold. True without a threshold.
    #[must_use]
    pub fn suffices(&self) -> bool {
        self.threshold
            .is_none_or(|threshold| self.score >= threshold)
    }
}

/// A verdict with the weight of its judge.
#[derive(Clone, Copy, Debug)]
pub struct Vote<'a> {
    pub verdict: &'a Verdict,
    pub weight: u32,
}

impl Assessment {
    /// Combines the votes on one text; `None` without votes or if they are about different texts.
    /// The order of the votes and the names of the models do not matter.
    #[must_use]
    pub fn of(votes: &[Vote<'_>], rubric: &Rubric, findings: &[Finding]) -> Option<Self> {
        let content = votes.first()?.verdict.content();
        if votes.iter().any(|vote| vote.verdict.content() != content) {
            return None;
        }
        let caps = caps(findings);
        let mut criteria = Vec::new();
        for criterion in &rubric.criteria {
            let given: Vec<(u32, Score)> = votes
                .iter()
                .map(|vote| Some((vote.weight, vote.verdict.score(&criterion.name)?)))
                .collect::<Option<_>>()?;
            let awarded = weighted_mean(&given, rubric.precision)?;
            let score = capped(awarded, &criterion.name, &caps);
            criteria.push(Assessed {
                name: criterion.name.clone(),
                score,
                awarded,
                capped_at: (score < awarded).then_some(score),
                threshold: criterion.threshold,
            });
        }
        let mut judges: Vec<Judge> = votes
            .iter()
            .map(|vote| vote.verdict.judge().clone())
            .collect();
        judges.sort_by_key(|judge| judge.role);
        Some(Self {
            content,
            overall: rubric.overall(criteria.iter().map(Assessed::score))?,
            criteria,
            judges,
            confidence: confidence(votes)?,
            doubts: doubts(votes),
            unread: votes
                .iter()
                .filter_map(|vote| vote.verdict.unread())
                .max_by_key(|cut| (cut.parts.len(), cut.tokens, &cut.note))
                .cloned(),
        })
    }

    /// The version of the text that was judged.
    #[must_use]
    pub fn content(&self) -> Version {
        self.content
    }

    #[must_use]
    pub fn overall(&self) -> Score {
        self.overall
    }

    /// The scores by criterion, in the rubric's order.
    #[must_use]
    pub fn criteria(&self) -> &[Assessed] {
        &self.criteria
    }

    #[must_use]
    pub fn judges(&self) -> &[Judge] {
        &self.judges
    }

    /// The judges' confidence: the median of three, the lower of two.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// Why verdicts are not credible.
    #[must_use]
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// What a judge could not read of the text; the largest cut if there are several. The score
    /// covers only what was read, and the text is not accepted on it.
    #[must_use]
    pub fn unread(&self) -> Option<&InputCut> {
        self.unread.as_ref()
    }

    /// `passed` of seed 002: .75 or more. A text that was only read in part never passes.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.unread.is_none() && self.overall >= bands::MINOR_REVISION
    }

    /// The recommendation of seed 002 (ruling 3).
    #[must_use]
    pub fn recommendation(&self, issues: &[Issue]) -> Recommendation {
        let is_critical = issues
            .iter()
            .any(|issue| issue.severity == IssueSeverity::Critical);
        let few = issues.len() <= bands::FEW_ISSUES && !is_critical;
        if self.confidence == Confidence::Low || self.unread.is_some() {
            Recommendation::EscalateToHuman
        } else if self.overall < bands::REFINEMENT {
            Recommendation::Regenerate
        } else if self.overall >= bands::ACCEPT && !is_critical {
            Recommendation::Accept
        } else if self.overall >= bands::MINOR_REVISION && few {
            Recommendation::AcceptWithMinorRevision
        } else {
            Recommendation::IterativeRefinement
        }
    }
}

/// The bands of seed 002 (ruling 3: .90/.75/.60, its 80/60/40 is dropped). They name a
/// recommendation; the policy decides what is accepted.
mod bands {
    use redraft_gate::score::Score;

    pub(super) const ACCEPT: Score = score(900);
    pub(super) const MINOR_REVISION: Score = score(750);
    pub(super) const REFINEMENT: Score = score(600);
    pub(super) const FEW_ISSUES: usize = 3;

    const fn score(thousandths: u16) -> Score {
        match Score::from_thousandths(thousandths) {
            Some(score) => score,
            None => Score::ONE,
        }
    }
}

/// What to do with a text, in seed 002's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Recommendation {
    /// Publish it.
    Accept,
    /// Publish it after small changes.
    AcceptWithMinorRevision,
    /// Repair it.
    IterativeRefinement,
    /// Write it again.
    Regenerate,
    /// Let a person decide.
    EscalateToHuman,
}

/// Why the verdicts are not credible, without duplicates.
fn doubts(votes: &[Vote<'_>]) -> Vec<Doubt> {
    let all: BTreeSet<&Doubt> = votes
        .iter()
        .flat_map(|vote| vote.verdict.doubts())
        .collect();
    all.into_iter().cloned().collect()
}

/// The median confidence, or the lower of two. One unsure judge does not stop a text that two
/// others are sure of (ruling 22).
fn confidence(votes: &[Vote<'_>]) -> Option<Confidence> {
    let mut sure: Vec<Confidence> = votes.iter().map(|vote| vote.verdict.confidence()).collect();
    sure.sort_unstable();
    sure.get(sure.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{self, Input};
    use crate::fixtures::{LESSON, document, rubric, verdict};

    #[test]
    fn a_text_that_was_read_in_part_has_not_passed_whoever_else_read_it() {
        let (document, rubric) = (document(LESSON), rubric());
        let whole = verdict(&document, &rubric, "a", &[950; 3], "high", &[]);
        let missed = |kept: &[usize]| {
            let cut = fit::cut(Input::Document, &["sec_1", "sec_2", "sec_3"], &[9; 3], kept);
            verdict(&document, &rubric, "b", &[950; 3], "high", &[]).having_missed(cut)
        };
        let of = |verdicts: &[&Verdict]| {
            let votes: Vec<Vote<'_>> = verdicts
                .iter()
                .map(|verdict| Vote { verdict, weight: 1 })
                .collect();
            Assessment::of(&votes, &rubric, &[]).unwrap()
        };
        let read = of(&[&whole, &whole]);
        assert!(read.passed() && read.unread().is_none());
        assert_eq!(read.recommendation(&[]), Recommendation::Accept);
        let (one, two) = (missed(&[0, 1]), missed(&[0]));
        for verdicts in [&[&one, &two, &whole][..], &[&whole, &two, &one], &[&two]] {
            let read = of(verdicts);
            assert_eq!(read.overall().thousandths(), 950, "nothing is made up");
            assert!(!read.passed());
            assert_eq!(read.recommendation(&[]), Recommendation::EscalateToHuman);
            // With several judges, the largest cut counts.
            let unread = read.unread().unwrap();
            assert_eq!(
                unread.to_string(),
                "1 of 3 parts; parts sec_2, sec_3 were left out, 18 tokens"
            );
        }
    }
}
