//! A reviewer is asked at the end: which decisions are possible and which are not.

use redraft_run::ask::Role;
use redraft_run::event::EventKind;
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::reasons::Refusal;
use redraft_run::run::Decision;

use super::{CLEAN_LESSON, LIGHTER, PLAINER, heavy, stuck, willing};
use crate::in_memory::{delta, fails, parts, refining, run_to_end, scored_overall};

fn by(name: &str) -> String {
    name.to_owned()
}

#[test]
fn a_person_has_the_last_word() {
    let decided = |decisions: &[Decision]| {
        run_to_end(refining(CLEAN_LESSON, Mode::SemiAuto), stuck, decisions).outcome
    };
    let accepted = decided(&[Decision::Accept { by: by("Ada") }]);
    assert_eq!(accepted.status, Status::Accepted);
    assert_eq!(accepted.decided_by.as_deref(), Some("Ada"));
    let rejected = decided(&[Decision::Reject { by: by("Ada") }]);
    assert_eq!(rejected.status, Status::Escalated);
    assert_eq!(rejected.decided_by.as_deref(), Some("Ada"));
    let absent = decided(&[]);
    assert_eq!(absent.status, Status::Escalated);
    assert_eq!(absent.decided_by, None);
}

#[test]
fn not_even_a_person_accepts_what_nobody_has_scored() {
    let finished = run_to_end(
        refining(CLEAN_LESSON, Mode::SemiAuto),
        |_| fails(),
        &[Decision::Accept { by: by("Ada") }],
    );
    finished.ends_as(Status::Escalated);
    assert!(finished.events.iter().any(|event| matches!(
        event.kind,
        EventKind::HumanDecision {
            refused: Some(Refusal::NotScored),
            ..
        }
    )));
}

#[test]
fn a_person_who_wants_another_try_is_heard() {
    let finished = run_to_end(
        refining(CLEAN_LESSON, Mode::SemiAuto),
        |ask| match ask.role {
            Role::DeltaJudge if !ask.prompt.user.contains("Keep the word kettle") => {
                delta(ask, false, "no better")
            }
            _ => willing(ask, &[heavy()]),
        },
        &[Decision::Retry {
            by: by("Ada"),
            instruction: by("Keep the word kettle."),
        }],
    );
    finished.ends_as(Status::Accepted);
    let heard = finished
        .asks
        .iter()
        .filter(|ask| ask.role == Role::Patcher && ask.prompt.user.contains("Keep the word kettle"))
        .count();
    assert_eq!(heard, 1);
    assert_eq!(finished.result(), CLEAN_LESSON.replace(LIGHTER, PLAINER));
}

#[test]
fn a_persons_own_text_is_judged_and_not_passed_over() {
    let theirs = CLEAN_LESSON.replace(LIGHTER, "Warm water rises, for it is lighter.");
    let edit = Decision::Edit {
        by: by("Ada"),
        content: theirs.clone(),
    };
    // The reviewer likes it better than the judges do.
    let finished = run_to_end(
        refining(CLEAN_LESSON, Mode::SemiAuto),
        |ask| match ask.role {
            Role::DeltaJudge => delta(ask, false, "no better"),
            Role::JudgeSecondary if ask.prompt.user.contains("for it is lighter") => {
                scored_overall(ask, 770, "high", &[])
            }
            _ => willing(ask, &[heavy()]),
        },
        &[edit.clone(), Decision::Accept { by: by("Ada") }],
    );
    finished.ends_as(Status::Accepted);
    assert_eq!(finished.result(), theirs);
    assert_eq!(finished.overall(), 770);
    // A second edit leads to a second question.
    let again = Decision::Edit {
        by: by("Ada"),
        content: theirs.replace("rises, for", "rises because"),
    };
    let finished = run_to_end(
        refining(CLEAN_LESSON, Mode::SemiAuto),
        |ask| match ask.role {
            Role::DeltaJudge => delta(ask, false, "no better"),
            _ if parts(ask).1.starts_with("edited") => scored_overall(ask, 770, "high", &[]),
            _ => willing(ask, &[heavy()]),
        },
        &[edit, again],
    );
    finished.ends_as(Status::Escalated);
    assert_eq!(finished.asked("/edited"), 2, "{:?}", finished.names());
}

#[test]
fn a_person_who_never_stops_is_stopped() {
    let retry = Decision::Retry {
        by: by("Ada"),
        instruction: by("Again."),
    };
    let finished = run_to_end(
        refining(CLEAN_LESSON, Mode::SemiAuto),
        stuck,
        &vec![retry; 100],
    );
    finished.ends_as(Status::Escalated);
    let edit = Decision::Edit {
        by: by("Ada"),
        content: CLEAN_LESSON.to_owned(),
    };
    let finished = run_to_end(
        refining(CLEAN_LESSON, Mode::SemiAuto),
        stuck,
        &vec![edit; 100],
    );
    finished.ends_as(Status::Escalated);
}
