//! Decides how many judges vote: whether one cheap judge suffices, and whether two need a
//! tiebreaker (rulings 21, 22). `assess` combines the votes; the policy has the thresholds.
//!
//! One judge suffices if it is confident and its score is far enough from every threshold at which
//! the action would change:
//!
//! | the text | thresholds of the overall score |
//! |---|---|
//! | before any repair | accept, and the one below which the text is rewritten |
//! | after a repair, nothing critical open | good enough, else accept |
//! | after a repair, something critical open | accept |
//!
//! If the policy requires every criterion, each must also be far enough from its own threshold.
//!
//! | judges with a verdict | overall scores | confidence | ask a third |
//! |---|---|---|---|
//! | fewer than two | – | – | yes: it replaces the missing judge (ruling 23) |
//! | two | at most `agree_within` apart | both at least medium | no |
//! | two | at most `agree_within` apart | one low | yes |
//! | two | further apart | any | yes |

use crate::assess::{Assessment, Vote};
use crate::rubric::Rubric;
use crate::verdict::{Confidence, Verdict};
use redraft_gate::score::Score;

/// The thresholds of the cascade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cascade {
    /// The minimum distance of a clear score from every threshold (.05; Scottish cards .02).
    pub clear_by: Score,
    /// The maximum difference between two judges who agree (.10).
    pub agree_within: Score,
    /// Below this overall score the whole text is rewritten (.60).
    pub redo_below: Score,
}

/// How far repair has come; the thresholds depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nothing has been repaired yet.
    First,
    /// It was repaired, and no critical issue is open.
    Repaired,
    /// It was repaired, and a critical issue is still open.
    StillCritical,
}

/// The acceptance thresholds of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// A text with this score is accepted.
    pub accept: Score,
    /// A repaired text with this score is good enough, if the policy has such a threshold.
    pub good_enough: Option<Score>,
    /// Whether every criterion must reach its own threshold.
    pub every_criterion: bool,
}

/// Whether one judge's verdict is clear enough that no other judge is asked.
#[must_use]
pub fn is_clear(assessment: &Assessment, stage: Stage, lines: &Lines, cascade: &Cascade) -> bool {
    let is_far = |score: Score, line: Score| apart(score, line) >= cascade.clear_by.thousandths();
    let overall = assessment.overall();
    let overall_is_far = match stage {
        Stage::First => is_far(overall, lines.accept) && is_far(overall, cascade.redo_below),
        Stage::Repaired => is_far(overall, lines.good_enough.unwrap_or(lines.accept)),
        Stage::StillCritical => is_far(overall, lines.accept),
    };
    let criteria_are_far = !lines.every_criterion
        || assessment.criteria().iter().all(|criterion| {
            criterion
                .threshold()
                .is_none_or(|threshold| is_far(criterion.score(), threshold))
        });
    assessment.confidence() == Confidence::High && overall_is_far && criteria_are_far
}

/// Whether the votes of a panel need one more judge.
#[must_use]
pub fn dispute(votes: &[Vote<'_>], rubric: &Rubric, cascade: &Cascade) -> bool {
    let overalls: Option<Vec<Score>> = votes
        .iter()
        .map(|vote| overall(vote.verdict, rubric))
        .collect();
    let Some(overalls) = overalls.filter(|overalls| overalls.len() > 1) else {
        return true;
    };
    let is_unsure = votes
        .iter()
        .any(|vote| vote.verdict.confidence() < Confidence::Medium);
    let spread = match (overalls.iter().min(), overalls.iter().max()) {
        (Some(least), Some(most)) => apart(*least, *most),
        _ => 0,
    };
    is_unsure || spread > cascade.agree_within.thousandths()
}

/// One judge's overall score (ruling 4), without caps.
#[must_use]
pub fn overall(verdict: &Verdict, rubric: &Rubric) -> Option<Score> {
    let names = rubric.criteria.iter().map(|criterion| &criterion.name);
    let scores: Vec<Score> = names
        .map(|name| verdict.score(name))
        .collect::<Option<_>>()?;
    rubric.overall(scores)
}

fn apart(one: Score, other: Score) -> u16 {
    one.thousandths().abs_diff(other.thousandths())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{LESSON, credible, document, rubric, verdict};

    const CASCADE: Cascade = Cascade {
        clear_by: at(50),
        agree_within: at(100),
        redo_below: at(600),
    };

    const fn at(thousandths: u16) -> Score {
        match Score::from_thousandths(thousandths) {
            Some(score) => score,
            None => Score::ONE,
        }
    }

    #[test]
    fn two_agree_when_they_are_close_and_not_unsure() {
        let (document, rubric) = (document(LESSON), rubric());
        for (one, other, expected) in [
            ((900, "high"), (800, "medium"), false),
            ((900, "high"), (799, "high"), true),
            ((800, "high"), (900, "low"), true),
            ((800, "low"), (800, "low"), true),
        ] {
            let verdicts = [one, other].map(|(score, sure)| {
                let (scores, issues) = credible(score);
                verdict(&document, &rubric, "j", &scores, sure, &issues)
            });
            let votes = verdicts
                .each_ref()
                .map(|verdict| Vote { verdict, weight: 1 });
            assert_eq!(
                dispute(&votes, &rubric, &CASCADE),
                expected,
                "{one:?} {other:?}"
            );
            let [one, other] = votes;
            assert_eq!(dispute(&[other, one], &rubric, &CASCADE), expected);
            assert!(dispute(&[one], &rubric, &CASCADE), "a seat is empty");
        }
        assert!(dispute(&[], &rubric, &CASCADE));
    }

    #[test]
    fn one_judge_is_clear_when_it_is_sure_and_far_from_every_line() {
        let lines = |every_criterion| Lines {
            accept: at(850),
            good_enough: Some(at(750)),
            every_criterion,
        };
        let mut rubric = rubric();
        rubric.criteria[0].threshold = Some(at(880));
        let document = document(LESSON);
        for ((scores, issues), sure, stage, every, expected) in [
            (credible(900), "high", Stage::First, false, true),
            (credible(900), "medium", Stage::First, false, false),
            (credible(899), "high", Stage::First, false, false),
            (credible(800), "high", Stage::First, false, true),
            (credible(801), "high", Stage::First, false, false),
            (credible(649), "high", Stage::First, false, false),
            (credible(550), "high", Stage::First, false, true),
            // After a repair the threshold is good enough …
            (credible(850), "high", Stage::Repaired, false, true),
            (credible(799), "high", Stage::Repaired, false, false),
            (credible(600), "high", Stage::Repaired, false, true),
            // … unless a critical issue is open.
            (credible(850), "high", Stage::StillCritical, false, false),
            (credible(750), "high", Stage::StillCritical, false, true),
            // With a threshold per criterion.
            (credible(930), "high", Stage::First, true, true),
            (
                ([900, 990, 990], Vec::new()),
                "high",
                Stage::First,
                true,
                false,
            ),
            (
                ([900, 990, 990], Vec::new()),
                "high",
                Stage::First,
                false,
                true,
            ),
        ] {
            let verdict = verdict(&document, &rubric, "j", &scores, sure, &issues);
            let votes = [Vote {
                verdict: &verdict,
                weight: 1,
            }];
            let assessment = Assessment::of(&votes, &rubric, &[]).unwrap();
            let found = is_clear(&assessment, stage, &lines(every), &CASCADE);
            assert_eq!(found, expected, "{scores:?} {sure} {stage:?} {every}");
        }
    }
}
