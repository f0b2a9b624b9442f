//! The time limit of a run (ruling 73): wall-clock time, but a slow model on this machine gets time
//! in proportion. With the shipped policies and paused time.

use redraft_engine::journal::Journal;
use redraft_engine::replay::{Replayed, replay};
use redraft_gate::reading::Hint;
use redraft_run::ask::{Role, Time};
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::run::Run;
use redraft_run::setup::Setup;
use redraft_run::verdict::Reason;

use crate::fixtures::{Driven, GOOD, Subject, fresh, one_judge, seat, setup, setup_about};

/// Where the judge runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Here,
    Elsewhere,
}

fn judging(place: Where, limit: Option<u64>) -> Setup {
    let mut setup = setup(one_judge(), Mode::FullAuto);
    if place == Where::Here {
        setup.models.local.insert("scripted/judge".to_owned());
    }
    setup.limits.seconds = limit;
    setup
}

fn judged(setup: Setup, seconds: u64) -> Driven {
    let folder = tempfile::tempdir().unwrap();
    let delay = format!("[[reply]]\ndelay_ms = {}", seconds * 1_000);
    fresh(folder.path(), setup, &GOOD.replace("[[reply]]", &delay))
}

#[test]
fn a_slow_model_on_this_machine_is_waited_for() {
    for (place, limit, seconds, in_time) in [
        (Where::Elsewhere, None, 250, true),
        (Where::Elsewhere, None, 400, false),
        (Where::Here, None, 400, true),
        (Where::Here, None, 4_000, true),
        // An explicit limit holds by the clock.
        (Where::Here, Some(300), 400, false),
        (Where::Elsewhere, Some(500), 400, true),
        (Where::Elsewhere, Some(30), 40, false),
    ] {
        let driven = judged(judging(place, limit), seconds);
        let outcome = driven.result.unwrap();
        let case = format!("{place:?}, limit {limit:?}, {seconds} seconds");
        if in_time {
            assert_eq!(
                outcome.status,
                Status::Accepted,
                "{case}: {:?}",
                outcome.unscored
            );
        } else {
            let unscored = outcome.unscored.unwrap();
            assert_eq!(unscored.reason, Reason::TimedOut, "{case}");
        }
    }
}

#[test]
fn a_timeout_says_what_was_spent_and_what_to_set() {
    let driven = judged(judging(Where::Elsewhere, None), 400);
    let message = driven.result.unwrap().unscored.unwrap().message;
    assert_eq!(
        message,
        "no answer within the 300 seconds of the run, in which 0 calls used 0 tokens; set seconds-per-run under [limits] to more than 300"
    );
    // A first judge answers in time, the second never does.
    let seats = vec![
        seat(Role::JudgePrimary, &["a"]),
        seat(Role::JudgeSecondary, &["judge"]),
    ];
    let script = format!(
        "{}\n[[reply]]\nrole = \"judge_primary\"\nfault = \"stall\"\n",
        GOOD.replace(
            "[[reply]]",
            "[[reply]]\nrole = \"judge_secondary\"\ntokens = [3000, 200]"
        )
        .replace("0.9", "0.86")
    );
    let folder = tempfile::tempdir().unwrap();
    let driven = fresh(folder.path(), setup(seats, Mode::FullAuto), &script);
    let outcome = driven.result.unwrap();
    let unscored = &outcome.unscored_seats[&Role::JudgePrimary];
    assert_eq!(unscored.reason, Reason::TimedOut);
    assert!(
        unscored
            .message
            .contains("in which 1 call used 3200 tokens"),
        "{}",
        unscored.message
    );
}

#[test]
fn a_model_that_never_answers_here_is_ended_by_its_own_limit() {
    // The call fails after its own limit, which exceeds the run's: nothing more is asked.
    let script =
        "[[reply]]\nrole = \"judge_secondary\"\ndelay_ms = 900000\nfault = \"server-error\"\n";
    let folder = tempfile::tempdir().unwrap();
    let driven = fresh(folder.path(), judging(Where::Here, None), script);
    let outcome = driven.result.unwrap();
    assert_eq!(outcome.unscored.unwrap().reason, Reason::TimedOut);
    assert_eq!(
        driven.asked.values().sum::<usize>(),
        1,
        "{:?}",
        driven.asked
    );
}

#[test]
fn a_run_that_was_waited_for_is_replayed_to_the_same_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let script = GOOD.replace("[[reply]]", "[[reply]]\ndelay_ms = 2000000");
    let driven = fresh(folder.path(), judging(Where::Here, None), &script);
    let (_, recorded) = Journal::read(&folder.path().join("run.jsonl")).unwrap();
    let run = Run::new(judging(Where::Here, None), Time(0));
    let (replayed, _) = replay(run, &recorded).unwrap();
    let Replayed::Outcome(outcome) = replayed else {
        panic!("{replayed:?}");
    };
    assert_eq!(*outcome, driven.result.unwrap());
}

#[test]
fn every_shipped_policy_gives_slow_local_models_time() {
    const ITEM: &str = include_str!("../../../../examples/clinical-item.json");
    let subject = Subject::of("clinical-mcq", ITEM, Hint::Json);
    let mut setup = setup_about(&subject, one_judge(), Mode::FullAuto);
    setup.models.local.insert("scripted/judge".to_owned());
    let script = "[[reply]]\nconfidence = \"high\"\ndelay_ms = 500000\n[reply.scores]\nclinical_accuracy = 0.9\ndistractor_quality = 0.9\n";
    let folder = tempfile::tempdir().unwrap();
    let driven = fresh(folder.path(), setup, script);
    let unscored = driven.result.unwrap().unscored;
    let timed_out = |reason| reason == Reason::TimedOut;
    assert!(!unscored.is_some_and(|unscored| timed_out(unscored.reason)));
}
