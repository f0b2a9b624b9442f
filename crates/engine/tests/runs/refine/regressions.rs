//! A good criterion that drops, and a text that gets worse (rulings 33, 36): confirmed by a second
//! judge, rolled back, never accepted.

use redraft_run::ask::{Ask, Role};
use redraft_run::event::EventKind;
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::reasons::RollbackReason;

use super::{CLEAN_LESSON, LIGHTER, PLAINER, RISES, heavy, refined, vague, willing};
use crate::in_memory::{ModelReply, issue, parts, scored_overall, verdict};

/// The cheap judge gives clarity .92 before and .80 after the repairs of sections 1 and 3; the
/// other judge gives `other` after them.
pub(super) fn falling(ask: &Ask, other: u16) -> ModelReply {
    let is_repaired = !ask.prompt.user.contains(RISES);
    let mends_third = ask.prompt.user.contains("It is less hot");
    let blames = issue(
        "clarity_readability",
        "minor",
        "sec_3",
        "It is less hot",
        "Say it as it was said before.",
    );
    match ask.role {
        Role::JudgeSecondary if mends_third => {
            verdict(ask, 920, &[("clarity_readability", 800)], "high", &[blames])
        }
        Role::JudgePrimary if mends_third => {
            verdict(ask, 920, &[("clarity_readability", other)], "high", &[])
        }
        Role::JudgePrimary | Role::JudgeSecondary if is_repaired => {
            scored_overall(ask, 930, "high", &[])
        }
        Role::JudgePrimary | Role::JudgeSecondary => verdict(
            ask,
            760,
            &[("clarity_readability", 920)],
            "high",
            &[heavy(), vague()],
        ),
        _ => willing(ask, &[]),
    }
}

#[test]
fn a_fall_that_a_second_judge_sees_is_undone_where_it_was_made() {
    let finished = refined(Mode::SemiAuto, |ask| falling(ask, 800));
    finished.ends_as(Status::Accepted);
    let lock = finished.events.iter().find_map(|event| match &event.kind {
        EventKind::QualityLockTriggered {
            criterion,
            confirmed,
            rolled_back,
            ..
        } => Some((criterion.as_str(), *confirmed, rolled_back.clone())),
        _ => None,
    });
    let (criterion, confirmed, rolled_back) = lock.unwrap();
    assert_eq!((criterion, confirmed), ("clarity_readability", true));
    assert_eq!(rolled_back.len(), 1);
    // The third section is restored; the first keeps its repair.
    assert_eq!(finished.result(), CLEAN_LESSON.replace(LIGHTER, PLAINER));
    assert!(finished.has("section_locked"));
    assert_eq!(finished.asked("i1/mixed"), 1, "{:?}", finished.names());
    let reasons: Vec<_> = finished
        .outcome
        .tasks
        .iter()
        .filter(|task| !task.kept)
        .map(|task| task.because.clone().unwrap())
        .collect();
    let worse = RollbackReason::QualityLock {
        criterion: "clarity_readability".to_owned(),
    };
    assert_eq!(reasons, std::slice::from_ref(&worse));
    let told = finished
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::RolledBack { task, reason, .. } => Some((task.section.0.as_str(), reason)),
            _ => None,
        });
    assert_eq!(told.collect::<Vec<_>>(), [("sec_3", &worse)]);
}

#[test]
fn a_fall_that_nobody_else_sees_is_let_be() {
    let finished = refined(Mode::SemiAuto, |ask| falling(ask, 920));
    assert!(finished.events.iter().any(|event| matches!(
        &event.kind,
        EventKind::QualityLockTriggered { confirmed: false, rolled_back, .. } if rolled_back.is_empty()
    )));
    assert!(finished.result().contains("It is less hot"));
    assert!(!finished.has("section_locked"));
}

#[test]
fn exactly_the_tolerated_fall_is_none() {
    let finished = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::JudgeSecondary if parts(ask).0 > 0 => {
            verdict(ask, 930, &[("clarity_readability", 870)], "high", &[])
        }
        Role::JudgeSecondary => verdict(
            ask,
            800,
            &[("clarity_readability", 920)],
            "high",
            &[heavy()],
        ),
        _ => willing(ask, &[]),
    });
    assert!(!finished.has("quality_lock_triggered"));
    finished.ends_as(Status::Accepted);
}

#[test]
fn a_text_that_was_undone_is_not_taken_as_the_best() {
    // The overall score rises, although a good criterion drops for both judges.
    let finished = refined(Mode::FullAuto, |ask| {
        let is_patched = ask.prompt.user.contains(PLAINER);
        match ask.role {
            Role::JudgeSecondary | Role::JudgePrimary | Role::JudgeTiebreaker if is_patched => {
                verdict(ask, 740, &[("completeness", 700)], "high", &[heavy()])
            }
            Role::JudgeSecondary | Role::JudgePrimary | Role::JudgeTiebreaker => {
                verdict(ask, 660, &[("completeness", 860)], "high", &[heavy()])
            }
            _ => willing(ask, &[]),
        }
    });
    finished.ends_as(Status::BestEffort);
    assert_eq!(
        finished.result(),
        CLEAN_LESSON,
        "what is called rolled back is rolled back"
    );
    assert!(finished.outcome.tasks.iter().all(|task| !task.kept));
}

#[test]
fn a_fall_in_score_is_never_accepted() {
    // Good enough by score, but worse than the original.
    let finished = refined(Mode::FullAuto, |ask| match ask.role {
        Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => {
            let is_patched = ask.prompt.user.contains(PLAINER);
            scored_overall(ask, if is_patched { 640 } else { 720 }, "high", &[heavy()])
        }
        _ => willing(ask, &[]),
    });
    finished.ends_as(Status::BestEffort);
    assert_eq!(
        finished.result(),
        CLEAN_LESSON,
        "the best is the text that came in"
    );
    assert_eq!(finished.overall(), 720);
    assert_eq!(
        finished.outcome.tasks[0].because,
        Some(RollbackReason::OtherVersionPreferred)
    );
    assert_eq!(finished.count("rolled_back"), finished.outcome.tasks.len());
}
