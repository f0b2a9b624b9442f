//! A judge that failed `redraft models --test` decides nothing on its own, under the shipped
//! policies.

use redraft_gate::reading::Hint;
use redraft_run::ask::Role;
use redraft_run::judge_test::JudgeTest;
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::setup::{Goal, Seat, Setup};
use redraft_run::verdict::{Doubt, Reason};

use crate::fixtures::{Subject, seat, setup_about};
use crate::in_memory::{CLEAN_LESSON, Finished, run_to_end, scored_overall};

const FAILED: JudgeTest = JudgeTest {
    pairs: 8,
    right: 6,
    stale: false,
};

fn judging(seats: Vec<Seat>, failed: &[&str]) -> Setup {
    let subject = Subject::of("lesson", CLEAN_LESSON, Hint::Markdown);
    let mut setup = setup_about(&subject, seats, Mode::FullAuto);
    for name in failed {
        setup
            .models
            .tests
            .insert(format!("scripted/{name}"), FAILED);
    }
    setup
}

/// Every judge is confident that the text is excellent.
fn praised(setup: Setup) -> Finished {
    run_to_end(setup, |ask| scored_overall(ask, 950, "high", &[]), &[])
}

fn judges(names: &[(Role, &str)]) -> Vec<Seat> {
    names
        .iter()
        .map(|(role, name)| seat(*role, &[name]))
        .collect()
}

const TWO: [(Role, &str); 2] = [(Role::JudgePrimary, "a"), (Role::JudgeSecondary, "b")];
const THREE: [(Role, &str); 3] = [TWO[0], TWO[1], (Role::JudgeTiebreaker, "c")];

#[test]
fn where_every_judge_failed_nothing_is_asked_and_nothing_accepted() {
    for (names, failed) in [(&THREE[1..2], &["b"][..]), (&TWO[..], &["a", "b"][..])] {
        for goal in [Goal::Judge, Goal::Refine] {
            for mode in [Mode::FullAuto, Mode::SemiAuto] {
                let mut setup = judging(judges(names), failed);
                (setup.goal, setup.mode) = (goal, mode);
                setup.policy = setup.profile.decision(mode).clone();
                let finished = praised(setup);
                assert!(finished.asks.is_empty(), "{:?}", finished.names());
                let unscored = finished.outcome.unscored.as_ref().unwrap();
                assert_eq!(unscored.reason, Reason::FailedTest);
                let accepted = [Status::Accepted, Status::AcceptedWarning];
                assert!(!accepted.contains(&finished.outcome.status));
            }
        }
    }
}

#[test]
fn a_fallback_that_was_not_tested_may_still_judge() {
    let seats = vec![seat(Role::JudgeSecondary, &["b", "spare"])];
    let finished = praised(judging(seats, &["b"]));
    assert_eq!(finished.asks.len(), 1);
    // Only the judge that failed has answered.
    let accepted = [Status::Accepted, Status::AcceptedWarning];
    assert!(
        !accepted.contains(&finished.outcome.status),
        "{}",
        finished.because()
    );
}

#[test]
fn a_failed_judge_is_one_voice_among_others() {
    // The cheap judge failed: its clear verdict is not enough, so the panel is asked.
    let finished = praised(judging(judges(&THREE), &["b"]));
    assert_eq!(finished.asks.len(), 3, "{:?}", finished.names());
    finished.ends_as(Status::Accepted);
    let doubts = finished.outcome.score.as_ref().unwrap().doubts();
    assert_eq!(doubts, [Doubt::FailedTest { right: 6, pairs: 8 }]);
    // No judge failed: the cheap judge is enough.
    let finished = praised(judging(judges(&THREE), &[]));
    assert_eq!(finished.asks.len(), 1);
    finished.ends_as(Status::Accepted);
    // A majority of failed judges decides nothing.
    let finished = praised(judging(judges(&THREE), &["a", "b"]));
    let accepted = [Status::Accepted, Status::AcceptedWarning];
    assert!(
        !accepted.contains(&finished.outcome.status),
        "{}",
        finished.because()
    );
}

#[test]
fn a_stale_test_and_a_policy_that_insists_change_nothing() {
    let seats = || judges(&THREE[1..2]);
    let mut stale = judging(seats(), &["b"]);
    for test in stale.models.tests.values_mut() {
        test.stale = true;
    }
    let mut trusting = judging(seats(), &["b"]);
    trusting.policy.trust_failed_judge = true;
    for (setup, is_stale) in [(stale, true), (trusting, false)] {
        let finished = praised(setup);
        finished.ends_as(Status::Accepted);
        let test = finished.outcome.judge_tests["scripted/b"];
        assert_eq!((test.right, test.stale), (6, is_stale));
    }
}
