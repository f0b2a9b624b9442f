//! Judging with the policies and limits that are shipped: a dispute always gets its
//! third verdict, whatever the length of the text and whichever reply was malformed
//! (rulings 51, 52).

use redraft_gate::reading::Hint;
use redraft_run::ask::{Ask, Role};
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::reasons::{NotAccepted, Unconfirmed};
use redraft_run::setup::{Goal, Seat, Setup};

use crate::fixtures::{Subject, seat, setup_about};
use crate::in_memory::{CLEAN_LESSON, ModelReply, fails, run_to_end, scored_overall, text_reply};
use crate::long_inputs::{self, ENGLISH};

/// The longest answer of a judge, as the program ships it.
const LONGEST_ANSWER: u32 = 2_000;

fn judges() -> Vec<Seat> {
    let roles = [
        (Role::JudgePrimary, "a"),
        (Role::JudgeSecondary, "b"),
        (Role::JudgeTiebreaker, "c"),
    ];
    roles
        .into_iter()
        .map(|(role, name)| {
            let mut seat = seat(role, &[name]);
            for model in &mut seat.models {
                model.max_tokens = LONGEST_ANSWER;
            }
            seat
        })
        .collect()
}

fn judging(text: &str, mode: Mode) -> Setup {
    let mut setup = setup_about(&Subject::of("lesson", text, Hint::Markdown), judges(), mode);
    setup.goal = Goal::Judge;
    setup
}

/// Judges who disagree; the first reply of one of them is malformed.
fn disputed(ask: &Ask, malformed: Option<Role>) -> ModelReply {
    if malformed == Some(ask.role) && ask.id.0.ends_with("try1") {
        return text_reply(ask, "Looks good to me!");
    }
    match ask.role {
        Role::JudgePrimary => scored_overall(ask, 700, "high", &[]),
        // Near the line, so that the panel is asked.
        Role::JudgeSecondary => scored_overall(ask, 880, "high", &[]),
        _ => scored_overall(ask, 500, "high", &[]),
    }
}

#[test]
fn a_dispute_gets_its_third_verdict_at_every_length_and_with_any_malformed_reply() {
    // From about 300 to 12,000 words.
    for sections in [2, 3, 8, 25, 50, 100] {
        let text = long_inputs::lesson(&ENGLISH, sections, 11);
        for malformed in [
            None,
            Some(Role::JudgePrimary),
            Some(Role::JudgeSecondary),
            Some(Role::JudgeTiebreaker),
        ] {
            for mode in [Mode::FullAuto, Mode::SemiAuto] {
                let finished =
                    run_to_end(judging(&text, mode), |ask| disputed(ask, malformed), &[]);
                let case = format!("{sections} sections, {malformed:?}, {mode:?}");
                let judges = finished
                    .outcome
                    .score
                    .as_ref()
                    .map(|score| score.judges().len());
                assert_eq!(judges, Some(3), "{case}: {}", finished.because());
                let accepted = [Status::Accepted, Status::AcceptedWarning];
                assert!(!accepted.contains(&finished.outcome.status), "{case}");
            }
        }
    }
}

#[test]
fn a_dispute_without_a_third_verdict_is_never_accepted() {
    for (mode, status) in [
        (Mode::FullAuto, Status::BestEffort),
        (Mode::SemiAuto, Status::Escalated),
    ] {
        let finished = run_to_end(
            judging(CLEAN_LESSON, mode),
            |ask| match ask.role {
                Role::JudgePrimary => scored_overall(ask, 700, "high", &[]),
                Role::JudgeSecondary => scored_overall(ask, 880, "high", &[]),
                _ => fails(),
            },
            &[],
        );
        // .79 would do in full-auto, if the judges agreed.
        finished.ends_as(status);
        let is_disputed = |lack: &NotAccepted| {
            matches!(
                lack,
                NotAccepted::Unconfirmed {
                    reason: Unconfirmed::Disputed { unscored: Some(_) }
                }
            )
        };
        if mode == Mode::FullAuto {
            assert!(is_disputed(finished.lacks()), "{}", finished.because());
        }
        assert!(finished.outcome.needs_review);
    }
}

#[test]
fn a_document_does_not_set_its_own_budget() {
    let unsure = |ask: &Ask| scored_overall(ask, 880, "high", &[]);
    let free = run_to_end(judging(CLEAN_LESSON, Mode::FullAuto), unsure, &[]);
    let one_call = free.asks[0].reserved.total();
    // Enough for one judge, not for the second.
    let limit = one_call + one_call / 8;
    let mut setup = judging(CLEAN_LESSON, Mode::FullAuto);
    setup.limits.tokens = limit;
    let finished = run_to_end(setup, unsure, &[]);
    assert!(
        finished.because().contains("tokens-per-run"),
        "{}",
        finished.because()
    );
    let spent: u64 = finished.asks.iter().map(|ask| ask.reserved.total()).sum();
    assert!(spent <= limit, "{spent} of {limit}");
}
