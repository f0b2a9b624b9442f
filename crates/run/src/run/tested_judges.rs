//! The consequences for a run if judges failed `redraft models --test`.
//!
//! | the judges of a run | then |
//! |---|---|
//! | none was tested, or every test used other prompts (stale) | nothing changes |
//! | one failed, others did not | its verdicts have low confidence (`Doubt::FailedTest`), so nothing is accepted on them alone |
//! | all failed | the run ends before anything is paid: unscored (`Reason::FailedTest`) |
//! | the policy has `trust-failed-judge = true` | nothing changes, but the report says so |

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::ModelSettings;
use crate::judge_test::JudgeTest;
use crate::setup::{self, Setup};
use crate::verdict::{Reason, Unscored};

/// The test that a model failed; `None` if the policy trusts it nevertheless.
pub(super) fn failed(setup: &Setup, model: &str) -> Option<JudgeTest> {
    let test = setup.models.tests.get(model)?;
    let counts = !test.stale && !setup.policy.trust_failed_judge;
    (counts && !test.passes(&setup.policy)).then_some(*test)
}

/// Why no judge is usable: every model of every judge failed its test.
pub(super) fn no_judge(setup: &Setup) -> Option<Unscored> {
    let models: BTreeSet<String> = setup::judges(&setup.seats)
        .map(ModelSettings::name)
        .collect();
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

/// The test results of a run's judges, by model.
pub(super) fn of_judges(setup: &Setup) -> BTreeMap<String, JudgeTest> {
    setup::judges(&setup.seats)
        .map(ModelSettings::name)
        .filter_map(|name| {
            let test = *setup.models.tests.get(&name)?;
            Some((name, test))
        })
        .collect()
}
