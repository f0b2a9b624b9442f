//! The result of `redraft models --test` for a model: whether it can tell good texts from bad ones.
//! `run/tested_judges` has the consequences for a run. Knows none of the test texts.
//!
//! A test consists of pairs: a good text, and the same text with one defect. A pair is ranked
//! correctly if the good text scores higher; a tie or a missing score counts as wrong.

use redraft_gate::score::Score;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::policy::Policy;

/// How often a model ranked a good text above a bad one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct JudgeTest {
    pub pairs: u32,
    /// The pairs that it ranked correctly.
    pub right: u32,
    /// Whether it was asked with other prompts, another rubric or other pairs than
    /// today's; then it proves nothing.
    #[serde(default)]
    pub stale: bool,
}

impl JudgeTest {
    /// Counts the correctly ranked pairs. Each pair is the overall scores of the good and the bad
    /// text, where the judge gave them.
    #[must_use]
    pub fn of(pairs: &[(Option<Score>, Option<Score>)]) -> Self {
        let right = pairs.iter().filter(|pair| is_right(**pair)).count();
        Self {
            pairs: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
            right: u32::try_from(right).unwrap_or(u32::MAX),
            stale: false,
        }
    }

    /// Whether the model ranks enough pairs correctly for the policy.
    #[must_use]
    pub fn passes(&self, policy: &Policy) -> bool {
        self.right >= policy.judge_test_pairs
    }
}

#[must_use]
pub fn is_right((good, bad): (Option<Score>, Option<Score>)) -> bool {
    matches!((good, bad), (Some(good), Some(bad)) if good > bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_right_only_if_the_good_text_scores_higher() {
        let score = |thousandths| Score::from_thousandths(thousandths);
        for (good, bad, right) in [
            (score(900), score(700), 1),
            (score(701), score(700), 1),
            (score(700), score(700), 0),
            (score(600), score(700), 0),
            (score(900), None, 0),
            (None, score(100), 0),
            (None, None, 0),
        ] {
            let test = JudgeTest::of(&[(good, bad)]);
            assert_eq!((test.pairs, test.right), (1, right), "{good:?} {bad:?}");
        }
    }
}
