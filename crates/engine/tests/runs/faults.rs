//! Every fault ends in a state with a reason, and none in a score.

use redraft_run::ask::Role;
use redraft_run::decide::QualityStatus;
use redraft_run::event::EventKind;
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::verdict::Reason;

use crate::fixtures::{Driven, GOOD, fresh, one_judge, seat, setup, setup_of};

fn faulty(fault: &str) -> String {
    GOOD.replace(
        "confidence = \"high\"",
        &format!("confidence = \"high\"\nfault = \"{fault}\""),
    )
}

#[test]
fn every_fault_ends_unscored_with_its_reason() {
    for (fault, reason, calls) in [
        ("rate-limit", Reason::CallFailed, 3),
        ("server-error", Reason::CallFailed, 3),
        ("reset", Reason::CallFailed, 3),
        ("unauthorised", Reason::CallFailed, 1),
        ("too-long", Reason::TooLong, 1),
        ("stall", Reason::TimedOut, 1),
        ("truncated-json", Reason::Truncated, 2),
        ("wrong-schema", Reason::NotAVerdict, 2),
        ("refusal", Reason::Refused, 1),
        ("empty", Reason::Empty, 2),
        ("score-85", Reason::ScoreOutOfRange, 2),
        ("another-lesson", Reason::AnotherText, 2),
    ] {
        for (mode, status) in [
            (Mode::SemiAuto, Status::Escalated),
            (Mode::FullAuto, Status::BestEffort),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let driven = fresh(folder.path(), setup(one_judge(), mode), &faulty(fault));
            let outcome = driven.result.unwrap();
            let unscored = outcome
                .unscored
                .unwrap_or_else(|| panic!("{fault} gave a score"));
            assert_eq!(unscored.reason, reason, "{fault}: {}", unscored.message);
            assert!(!unscored.message.is_empty());
            assert!(outcome.score.is_none(), "{fault}");
            assert_eq!(outcome.status, status, "{fault}");
            assert_eq!(outcome.quality, QualityStatus::BelowStandard);
            assert!(outcome.needs_review && !outcome.passed);
            assert_eq!(driven.asked.len(), calls, "{fault}: {:?}", driven.asked);
            assert!(outcome.scripted);
        }
    }
}

#[test]
fn talk_around_a_verdict_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let driven = fresh(
        folder.path(),
        setup(one_judge(), Mode::FullAuto),
        &faulty("prose-around-json"),
    );
    let outcome = driven.result.unwrap();
    assert_eq!(outcome.status, Status::Accepted);
    assert_eq!(outcome.score.unwrap().overall().thousandths(), 900);
}

#[test]
fn a_fall_back_takes_the_seat_of_a_model_that_fails() {
    let driven = fallen_back();
    let outcome = driven.result.unwrap();
    assert_eq!(outcome.verdicts[0].judge().model, "scripted/second");
    assert_eq!(outcome.status, Status::Accepted);
    let told: Vec<_> = driven
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::FellBack {
                ask,
                role,
                from,
                to,
                reason,
            } => Some((ask.0.as_str(), *role, [from, to], reason.reason)),
            _ => None,
        })
        .collect();
    assert_eq!(
        told,
        [(
            "i0/judge/judge_secondary/try1",
            Role::JudgeSecondary,
            [&"scripted/first".to_owned(), &"scripted/second".to_owned()],
            Reason::CallFailed
        )]
    );
}

/// A run in which the first model of a role fails and the second answers.
pub(crate) fn fallen_back() -> Driven {
    let script = format!("[[reply]]\nmodel = \"first\"\nfault = \"unauthorised\"\n{GOOD}");
    let folder = tempfile::tempdir().unwrap();
    let seats = vec![seat(Role::JudgeSecondary, &["first", "second"])];
    fresh(folder.path(), setup(seats, Mode::FullAuto), &script)
}

#[test]
fn a_complaint_brings_a_misshapen_reply_into_form() {
    let script = format!(
        "[[reply]]\ntry = 1\nfault = \"score-85\"\nscores = {{ learning_objective_alignment = 0.9, pedagogical_structure = 0.9, factual_accuracy = 0.9, clarity_readability = 0.9, engagement_examples = 0.9, completeness = 0.9 }}\n{GOOD}"
    );
    let folder = tempfile::tempdir().unwrap();
    let driven = fresh(folder.path(), setup(one_judge(), Mode::FullAuto), &script);
    let names: Vec<&str> = driven
        .events
        .iter()
        .map(|event| event.kind.name())
        .collect();
    assert!(names.contains(&"asked_again"), "{names:?}");
    assert_eq!(driven.result.unwrap().status, Status::Accepted);
}

#[test]
fn half_a_lesson_reaches_no_judge() {
    let cut = "# Water\n\n## Heat\n\nThe plate under the kettle gets hot.\n\n```python\nprint(1)\n";
    let folder = tempfile::tempdir().unwrap();
    let driven = fresh(
        folder.path(),
        setup_of(cut, one_judge(), Mode::FullAuto),
        GOOD,
    );
    let outcome = driven.result.unwrap();
    assert_eq!(outcome.unscored.unwrap().reason, Reason::Unusable);
    assert!(driven.asked.is_empty());
}

#[test]
fn what_the_budget_does_not_hold_is_not_asked() {
    let mut setup = setup(one_judge(), Mode::FullAuto);
    setup.policy.judging_tokens = Some(100);
    let folder = tempfile::tempdir().unwrap();
    let driven = fresh(folder.path(), setup, GOOD);
    assert_eq!(
        driven.result.unwrap().unscored.unwrap().reason,
        Reason::OverBudget
    );
    assert!(driven.asked.is_empty());
}
