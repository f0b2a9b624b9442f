//! Scores with as many decimals as they need, the same for all that stand together: judges
//! give two, a mean of several may have three.

use redraft_gate::score::Score;
use redraft_run::assess::Assessment;
use redraft_run::outcome::Outcome;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decimals {
    Two,
    Three,
}

impl Decimals {
    pub(super) fn of(scores: impl IntoIterator<Item = Score>) -> Self {
        let is_round = |score: Score| score.thousandths().is_multiple_of(10);
        match scores.into_iter().all(is_round) {
            true => Self::Two,
            false => Self::Three,
        }
    }

    /// Those of all scores that a report shows of an outcome.
    pub(super) fn of_outcome(outcome: &Outcome) -> Self {
        let needed = &outcome.needed;
        let first = outcome.iterations.first();
        let before = first.into_iter().flat_map(|first| {
            let criteria = first.criteria.values().copied();
            criteria.chain(first.score)
        });
        let after = outcome.score.iter().flat_map(of_assessment);
        let thresholds = [Some(needed.accept), needed.good_enough];
        Self::of(before.chain(after).chain(thresholds.into_iter().flatten()))
    }

    pub(super) fn show(self, score: Score) -> String {
        let mut shown = score.to_string();
        if self == Self::Two {
            shown.pop();
        }
        shown
    }
}

/// The scores of an assessment.
pub(super) fn of_assessment(assessment: &Assessment) -> impl Iterator<Item = Score> {
    let criteria = assessment.criteria().iter();
    let criteria = criteria.flat_map(|one| [one.score(), one.awarded()]);
    criteria.chain([assessment.overall()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_as_many_as_one_needs() {
        let score = |thousandths| Score::from_thousandths(thousandths).unwrap();
        for (scores, expected) in [
            (&[850, 910][..], ["0.85", "0.91"]),
            (&[850, 905], ["0.850", "0.905"]),
            (&[1000, 0], ["1.00", "0.00"]),
        ] {
            let decimals = Decimals::of(scores.iter().map(|one| score(*one)));
            let shown: Vec<String> = scores
                .iter()
                .map(|one| decimals.show(score(*one)))
                .collect();
            assert_eq!(shown, expected);
        }
    }
}
