//! The models of the service, and testing those that judge: what `redraft models` and
//! `redraft models --test` do at the terminal.

use std::collections::BTreeMap;
use std::sync::Arc;

use redraft_engine::clock::{Clock, SystemClock};
use redraft_profiles::registry;
use redraft_run::judge_test::JudgeTest;
use redraft_run::policy::Mode;
use redraft_run::profile::Profile;
use redraft_run::setup::Seat;
use redraft_service::workshop::{JudgeTestInfo, ModelInfo};

use crate::cli::model_source::ModelSource;
use crate::models::judge_questions::JudgeQuestions;
use crate::models::judge_results::JudgeResults;
use crate::models::judge_test::{self, Asking, Candidate, TestStep};

/// The models of these seats with their roles, and how those that judge did in their tests.
pub(super) fn listed(seats: &[Seat], results: &JudgeResults) -> anyhow::Result<Vec<ModelInfo>> {
    let mut models: BTreeMap<String, ModelInfo> = BTreeMap::new();
    for seat in seats {
        for model in &seat.models {
            let name = model.name();
            let entry = models.entry(name.clone()).or_insert_with(|| ModelInfo {
                model: name,
                roles: Vec::new(),
                tests: Vec::new(),
            });
            entry.roles.push(seat.role.name().to_owned());
        }
    }
    for profile in registry::PROFILES {
        let names = judge_test::candidates(seats)
            .into_iter()
            .map(|candidate| candidate.model.name());
        let tests = results.tests(names, profile.id().0, || {
            Ok(JudgeQuestions::of(*profile, profile.rubric())?
                .prompts()
                .to_owned())
        })?;
        for (model, test) in tests {
            let told = told(*profile, model.clone(), &Ok(test));
            if let Some(entry) = models.get_mut(&model) {
                entry.tests.push(told);
            }
        }
    }
    Ok(models.into_values().collect())
}

/// Tests every judge of these seats, and keeps the results.
pub(super) fn tested(
    profile: &'static dyn Profile,
    seats: &[Seat],
    models: &ModelSource,
    results: &JudgeResults,
) -> anyhow::Result<Vec<JudgeTestInfo>> {
    let questions = JudgeQuestions::of(profile, profile.rubric())?;
    let candidates = judge_test::candidates(seats);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let policy = profile.decision(Mode::default());
    let known = |candidate: &Candidate| results.begun(&questions, candidate);
    let progress = |candidate: &Candidate, step: TestStep<'_>| {
        if let TestStep::Pair(ranked) = step {
            // A test that is broken off goes on from what is kept; if nothing can be kept, the
            // end says so.
            let now = SystemClock.now().0;
            let _ = results.keep_begun(&questions, candidate, (ranked, now));
        }
    };
    let asking = Asking {
        known: &known,
        progress: &progress,
        model: &models.model,
        clock: &clock,
        tries: policy.tries_for_failure,
        needed: policy.judge_test_pairs,
    };
    // The service's own runtime: connections of the shared client outlive this test.
    let runtime = tokio::runtime::Handle::current();
    let judges = runtime.block_on(judge_test::run(&questions, &candidates, &asking));
    results.keep_all(&questions, &judges, SystemClock.now().0)?;
    let told = judges
        .into_iter()
        .map(|judge| told(profile, judge.model, &judge.result));
    Ok(told.collect())
}

fn told(
    profile: &'static dyn Profile,
    model: String,
    result: &Result<JudgeTest, String>,
) -> JudgeTestInfo {
    let policy = profile.decision(Mode::default());
    let test = result.as_ref().ok();
    JudgeTestInfo {
        model,
        profile: profile.id().0.to_owned(),
        right: test.map_or(0, |test| test.right),
        pairs: test.map_or(0, |test| test.pairs),
        needed: policy.judge_test_pairs,
        passed: test.is_some_and(|test| test.passes(policy)),
        stale: test.is_some_and(|test| test.stale),
        error: result.as_ref().err().cloned(),
    }
}
