//! Whether a judge can judge: what `redraft models --test` found out about a model, and
//! what follows from it for a run. Which texts it is tested with is not known here.
//!
//! A test has pairs of a good text and the same text with one defect. A pair is ranked
//! correctly if the good text scores higher; a tie or a missing score is wrong.
//!
//! | the judges of a run | then |
//! |---|---|
//! | none was tested, or every test is of other prompts (stale) | nothing changes |
//! | one failed, others did not | its verdicts are of low confidence (`Doubt::FailedTest`), so that nothing is accepted on them alone |
//! | every one failed | the run ends before anything is paid: unscored (`Reason::FailedTest`) |
//! | the policy says `trust-failed-judge = true` | nothing changes, the report says so |

use std::collections::{BTreeMap, BTreeSet};

use redraft_gate::score::Score;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{ModelSettings, Role};
use crate::policy::Policy;
use crate::setup::{Seat, Setup};
use crate::verdict::{Reason, Unscored};

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
    /// The result of pairs: the overall scores of the good and the bad text, where the
    /// judge gave them.
    #[must_use]
    pub fn of(pairs: &[(Option<Score>, Option<Score>)]) -> Self {
        let right = pairs.iter().filter(|pair| is_right(**pair)).count();
        Self {
            pairs: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
            right: u32::try_from(right).unwrap_or(u32::MAX),
            stale: false,
        }
    }

    /// Whether the model can tell good texts from bad ones, by the policy.
    #[must_use]
    pub fn passes(&self, policy: &Policy) -> bool {
        self.right >= policy.judge_test_pairs
    }
}

/// Whether a pair was ranked correctly.
#[must_use]
pub fn is_right((good, bad): (Option<Score>, Option<Score>)) -> bool {
    matches!((good, bad), (Some(good), Some(bad)) if good > bad)
}

/// The test that a model failed, unless the policy trusts it all the same.
#[must_use]
pub fn failed(setup: &Setup, model: &str) -> Option<JudgeTest> {
    let test = setup.models.tests.get(model)?;
    let counts = !test.stale && !setup.policy.trust_failed_judge;
    (counts && !test.passes(&setup.policy)).then_some(*test)
}

/// Why nobody can judge the text: every model of every judge failed its test.
#[must_use]
pub fn no_judge(setup: &Setup) -> Option<Unscored> {
    let models: BTreeSet<String> = judges(&setup.seats).map(ModelSettings::name).collect();
    let failed: Option<Vec<String>> = models
        .into_iter()
        .map(|model| {
            let test = failed(setup, &model)?;
            Some(format!("{model} {} of {}", test.right, test.pairs))
        })
        .collect();
    let failed = failed.filter(|failed| !failed.is_empty())?;
    let needed = setup.policy.judge_test_pairs;
    Some(Unscored::new(
        Reason::FailedTest,
        format!(
            "no judge can tell good texts from bad ones: pairs ranked correctly by {} ({needed} needed); configure another judge, or set trust-failed-judge = true in the policy",
            failed.join(", by ")
        ),
    ))
}

/// The tests of the judges of a run, by the names of their models.
#[must_use]
pub fn of_judges(setup: &Setup) -> BTreeMap<String, JudgeTest> {
    judges(&setup.seats)
        .map(ModelSettings::name)
        .filter_map(|name| {
            let test = *setup.models.tests.get(&name)?;
            Some((name, test))
        })
        .collect()
}

/// Every model that may judge, also as a fallback.
pub fn judges(seats: &[Seat]) -> impl Iterator<Item = &ModelSettings> {
    const JUDGES: [Role; 3] = [
        Role::JudgePrimary,
        Role::JudgeSecondary,
        Role::JudgeTiebreaker,
    ];
    seats
        .iter()
        .filter(|seat| JUDGES.contains(&seat.role))
        .flat_map(|seat| &seat.models)
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
