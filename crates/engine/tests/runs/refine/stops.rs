//! Where a refinement ends without being accepted at once (rulings 34–37): locks,
//! convergence, nobody there, no budget; and what goes out then.

use redraft_gate::score::Score;
use redraft_run::ask::Role;
use redraft_run::decide::QualityStatus;
use redraft_run::event::EventKind;
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::reasons::{
    BeyondRepair, LockReason, NotAccepted, NothingToRepair, RollbackReason, StopReason, Unconfirmed,
};
use redraft_run::setup::Setup;
use redraft_run::verdict::Reason;

use super::{KETTLE, LIGHTER, PLAINER, heavy, refined, stuck, tuned, vague, willing, wrong};
use crate::desk::block;
use crate::play::{delta, fails, flat, issue, out_of_order, parts, patch, play, refining, says};

fn overall_below(score: u16, needed: u16) -> NotAccepted {
    NotAccepted::OverallBelow {
        score: Score::from_thousandths(score).unwrap(),
        needed: Score::from_thousandths(needed).unwrap(),
    }
}

#[test]
fn a_part_is_edited_twice_and_then_locked() {
    let played = tuned(
        Mode::SemiAuto,
        |setup| setup.policy.repair.converged_below = Score::from_thousandths(0).unwrap(),
        stuck,
    );
    played.ends_as(Status::Escalated);
    assert_eq!(played.count("task_started"), 2);
    assert_eq!(
        played.count("refinement_start"),
        2,
        "no round for learning it"
    );
    assert!(played.events.iter().any(|event| matches!(
        &event.kind,
        EventKind::SectionLocked {
            reason: LockReason::EditedOften { edits: 2 },
            ..
        }
    )));
    assert_eq!(played.lacks(), &overall_below(800, 900));
    assert_eq!(played.outcome.issues.len(), 1, "it is told as unresolved");
    assert_eq!(played.result(), KETTLE);
}

#[test]
fn no_repair_is_paid_for_where_only_the_judges_are_not_sure() {
    for (mode, status) in [
        (Mode::SemiAuto, Status::Escalated),
        (Mode::FullAuto, Status::BestEffort),
    ] {
        let played = refined(mode, |ask| match ask.role {
            Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => {
                flat(ask, 950, "low", &[])
            }
            _ => willing(ask, &[heavy()]),
        });
        played.ends_as(status);
        assert_eq!(played.count("refinement_start"), 0, "{:?}", played.names());
        assert_eq!(played.overall(), 950, "nothing is made up");
        played.reason(|because| {
            because.not_accepted == NotAccepted::LowConfidence
                && because.stopped
                    == Some(StopReason::BeyondRepair {
                        reason: BeyondRepair::LowConfidence,
                    })
        });
        assert_eq!(played.result(), KETTLE);
    }
}

#[test]
fn small_gains_converge() {
    // Each round finds something else, and brings a hundredth.
    let played = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::JudgeSecondary => {
            let (score, issues) = if ask.prompt.user.contains("It is less hot") {
                (820, vec![])
            } else if ask.prompt.user.contains(PLAINER) {
                (810, vec![vague()])
            } else {
                (800, vec![heavy()])
            };
            flat(ask, score, "high", &issues)
        }
        Role::JudgePrimary | Role::JudgeTiebreaker => fails(),
        _ => willing(ask, &[]),
    });
    played.ends_as(Status::Escalated);
    assert!(played.has("convergence_detected"), "{}", played.because());
    let below = Score::from_thousandths(20).unwrap();
    assert_eq!(played.stopped(), &StopReason::Converged { below });
    assert!(played.has("stopped"));
    assert_eq!(played.overall(), 820, "the best of them");
}

#[test]
fn the_same_text_coming_back_ends_it() {
    let back = issue(
        "clarity_readability",
        "minor",
        "sec_1",
        "Warm water is lighter",
        "Say it in one sentence.",
    );
    let played = refined(Mode::SemiAuto, |ask| {
        let (round, ..) = parts(ask);
        match ask.role {
            Role::Patcher if round == 2 => patch(ask, PLAINER, LIGHTER),
            Role::JudgeSecondary if ask.prompt.user.contains(PLAINER) => {
                flat(ask, 780, "high", std::slice::from_ref(&back))
            }
            _ => willing(ask, &[heavy()]),
        }
    });
    played.ends_as(Status::Escalated);
    assert_eq!(played.stopped(), &StopReason::SameTextAgain);
    assert_eq!(played.result(), KETTLE);
}

#[test]
fn only_global_issues_are_worked_on_where_they_fit_best_and_never_dropped() {
    let everywhere = issue(
        "engagement_examples",
        "minor",
        "sec_global",
        "",
        "Use more examples from the learner's world.",
    );
    // Whatever is done, it does not help.
    let played = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => {
            flat(ask, 800, "high", std::slice::from_ref(&everywhere))
        }
        _ => willing(ask, &[]),
    });
    played.ends_as(Status::Escalated);
    played.reason(|because| {
        because.not_accepted == overall_below(800, 900) && because.stopped.is_some()
    });
    assert_eq!(played.outcome.issues.len(), 1, "it is not dropped");
    // And where nobody can edit, that is said.
    let played = tuned(
        Mode::SemiAuto,
        |setup| setup.seats.retain(|seat| seat.role != Role::Patcher),
        |ask| flat(ask, 800, "high", std::slice::from_ref(&everywhere)),
    );
    played.ends_as(Status::Escalated);
    assert_eq!(
        played.stopped(),
        &StopReason::NothingToRepair {
            reason: NothingToRepair::NoTaskLeft
        }
    );
}

#[test]
fn best_effort_takes_the_best_of_its_history_and_of_equals_the_earlier() {
    let played = refined(Mode::FullAuto, |ask| match ask.role {
        Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => {
            let third = ask.prompt.user.contains("It is less hot");
            let first = ask.prompt.user.contains(PLAINER);
            let (score, issues) = match (first, third) {
                (false, _) => (650, vec![heavy()]),
                (true, false) => (690, vec![vague()]),
                (true, true) => (690, vec![]),
            };
            flat(ask, score, "high", &issues)
        }
        _ => willing(ask, &[]),
    });
    played.ends_as(Status::BestEffort);
    assert_eq!(played.result(), KETTLE.replace(LIGHTER, PLAINER));
    assert_eq!(played.overall(), 690);
    assert!(played.has("best_effort_selected"));
}

#[test]
fn nobody_answers() {
    for (mode, status) in [
        (Mode::SemiAuto, Status::Escalated),
        (Mode::FullAuto, Status::BestEffort),
    ] {
        let played = refined(mode, |_| fails());
        assert_eq!(played.outcome.status, status);
        assert_eq!(played.lacks(), &NotAccepted::Unscored(out_of_order()));
        assert_eq!(played.outcome.quality, QualityStatus::BelowStandard);
        assert!(played.outcome.needs_review);
        assert_eq!(played.result(), KETTLE);
        assert_eq!(played.asked("/judge/"), 3, "each seat once");
    }
}

#[test]
fn those_who_repair_are_down() {
    let played = refined(Mode::FullAuto, |ask| match ask.role {
        Role::Patcher | Role::SectionExpander | Role::DeltaJudge => fails(),
        _ => flat(ask, 700, "high", &[heavy(), wrong()]),
    });
    played.ends_as(Status::BestEffort);
    assert_eq!(played.result(), KETTLE);
    assert!(
        played
            .outcome
            .tasks
            .iter()
            .all(|task| task.because == Some(RollbackReason::NoAnswer(out_of_order())))
    );
    assert_eq!(played.outcome.quality, QualityStatus::BelowStandard);
}

#[test]
fn every_patch_is_refused() {
    let intruding = [
        // A second heading, another number, another language, half the part, nothing.
        block(LIGHTER, "## A heading of its own\n\nThe water rises."),
        block("Look for three signs:", "Look for 17 signs:"),
        block(LIGHTER, ""),
        "NO CHANGE NEEDED: it is good as it is".to_owned(),
        "I cannot help with that.".to_owned(),
        String::new(),
    ];
    for reply in intruding {
        let played = refined(Mode::FullAuto, |ask| match ask.role {
            Role::Patcher => says(ask, reply.clone()),
            Role::DeltaJudge => delta(ask, false, "that was not wanted"),
            _ => flat(ask, 700, "high", &[heavy()]),
        });
        assert_eq!(played.result(), KETTLE, "{reply}");
        assert_eq!(played.outcome.status, Status::BestEffort, "{reply}");
        assert!(played.outcome.because.is_some());
    }
}

#[test]
fn an_open_error_is_never_accepted() {
    let hollow = KETTLE.replace(
        "High up the pressure",
        "[Insert diagram here]\n\nHigh up the pressure",
    );
    for mode in [Mode::SemiAuto, Mode::FullAuto] {
        let played = play(
            refining(&hollow, mode),
            |ask| match ask.role {
                Role::Patcher | Role::SectionExpander => fails(),
                Role::DeltaJudge => delta(ask, true, "yes"),
                _ => flat(ask, 990, "high", &[]),
            },
            &[],
        );
        assert!(
            !matches!(
                played.outcome.status,
                Status::Accepted | Status::AcceptedWarning
            ),
            "{:?}",
            played.outcome.status
        );
        played.reason(|because| {
            matches!(&because.not_accepted, NotAccepted::Unscored(unscored)
                if unscored.reason == Reason::Unusable
                    && unscored.message.contains("placeholder"))
        });
    }
}

#[test]
fn a_panel_that_cannot_be_paid_is_told() {
    for (mode, status) in [
        (Mode::SemiAuto, Status::Escalated),
        (Mode::FullAuto, Status::BestEffort),
    ] {
        let played = tuned(
            mode,
            |setup| {
                // One question fits, two do not.
                setup.policy.judging_tokens = 6_500;
                setup.policy.judging_factor = 0;
            },
            |ask| willing(ask, &[heavy()]),
        );
        assert_eq!(played.outcome.status, status, "{:?}", played.names());
        played.reason(|because| {
            matches!(&because.not_accepted, NotAccepted::Unconfirmed {
                reason: Unconfirmed::NoVerdict { role: Role::JudgePrimary, unscored },
            } if unscored.reason == Reason::OverBudget
                && unscored.message.starts_with("asking would need up to"))
        });
        assert_eq!(played.overall(), 920);
    }
}

#[test]
fn repair_that_cannot_be_paid_is_not_begun() {
    let played = tuned(
        Mode::FullAuto,
        |setup| {
            setup.policy.repair.tokens = 100;
            setup.policy.repair.tokens_a_hundred = 0;
        },
        |ask| flat(ask, 700, "high", &[heavy()]),
    );
    played.ends_as(Status::BestEffort);
    assert_eq!(played.asked("/patch/"), 0);
    let because = played.outcome.tasks[0].because.as_ref().unwrap();
    assert!(
        matches!(because, RollbackReason::NoAnswer(unscored)
            if unscored.reason == Reason::OverBudget
                && unscored.message.ends_with("100 are left of the budget for repair")),
        "{because:?}"
    );
}

#[test]
fn one_judge_is_no_panel_where_judges_are_required() {
    let alone = |setup: &mut Setup| {
        setup
            .seats
            .retain(|seat| !matches!(seat.role, Role::JudgePrimary | Role::JudgeTiebreaker));
    };
    let played = tuned(Mode::SemiAuto, alone, |ask| willing(ask, &[heavy()]));
    played.ends_as(Status::Accepted);
    let played = tuned(
        Mode::SemiAuto,
        |setup| {
            alone(setup);
            setup.require_judged = true;
        },
        |ask| willing(ask, &[heavy()]),
    );
    played.ends_as(Status::Escalated);
    assert_eq!(
        played.lacks(),
        &NotAccepted::Unconfirmed {
            reason: Unconfirmed::OneJudge
        }
    );
}
