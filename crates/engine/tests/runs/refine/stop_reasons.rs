//! Refinements that end without immediate acceptance (rulings 34–37): locks, convergence, no
//! reviewer, no budget; and their final texts.

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

use super::{CLEAN_LESSON, LIGHTER, PLAINER, heavy, refined, stuck, tuned, vague, willing, wrong};
use crate::fixtures::block;
use crate::in_memory::{
    delta, fails, issue, out_of_order, parts, patch, refining, run_to_end, scored_overall,
    text_reply,
};

fn overall_below(score: u16, needed: u16) -> NotAccepted {
    NotAccepted::OverallBelow {
        score: Score::from_thousandths(score).unwrap(),
        needed: Score::from_thousandths(needed).unwrap(),
    }
}

#[test]
fn a_part_is_edited_twice_and_then_locked() {
    let finished = tuned(
        Mode::SemiAuto,
        |setup| setup.policy.repair.converged_below = Score::from_thousandths(0).unwrap(),
        stuck,
    );
    finished.ends_as(Status::Escalated);
    // Each is retried at once, which does not count as another edit.
    assert_eq!(finished.count("task_started"), 4);
    assert_eq!(
        finished.count("refinement_start"),
        2,
        "no round for learning it"
    );
    assert!(finished.events.iter().any(|event| matches!(
        &event.kind,
        EventKind::SectionLocked {
            reason: LockReason::EditedOften { edits: 2 },
            ..
        }
    )));
    assert_eq!(finished.lacks(), &overall_below(800, 900));
    assert_eq!(finished.outcome.issues.len(), 1, "it is told as unresolved");
    assert_eq!(finished.result(), CLEAN_LESSON);
}

#[test]
fn no_repair_is_paid_for_where_only_the_judges_are_not_sure() {
    for (mode, status) in [
        (Mode::SemiAuto, Status::Escalated),
        (Mode::FullAuto, Status::BestEffort),
    ] {
        let finished = refined(mode, |ask| match ask.role {
            Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => {
                scored_overall(ask, 950, "low", &[])
            }
            _ => willing(ask, &[heavy()]),
        });
        finished.ends_as(status);
        assert_eq!(
            finished.count("refinement_start"),
            0,
            "{:?}",
            finished.names()
        );
        assert_eq!(finished.overall(), 950, "nothing is made up");
        finished.reason(|because| {
            matches!(because.not_accepted, NotAccepted::LowConfidence { .. })
                && because.stopped
                    == Some(StopReason::BeyondRepair {
                        reason: BeyondRepair::LowConfidence,
                    })
        });
        assert_eq!(finished.result(), CLEAN_LESSON);
    }
}

#[test]
fn small_gains_converge() {
    // Each round finds something different and gains .01.
    let finished = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::JudgeSecondary => {
            let (score, issues) = if ask.prompt.user.contains("It is less hot") {
                (820, vec![])
            } else if ask.prompt.user.contains(PLAINER) {
                (810, vec![vague()])
            } else {
                (800, vec![heavy()])
            };
            scored_overall(ask, score, "high", &issues)
        }
        Role::JudgePrimary | Role::JudgeTiebreaker => fails(),
        _ => willing(ask, &[]),
    });
    finished.ends_as(Status::Escalated);
    assert!(
        finished.has("convergence_detected"),
        "{}",
        finished.because()
    );
    let below = Score::from_thousandths(20).unwrap();
    assert_eq!(finished.stopped(), &StopReason::Converged { below });
    assert!(finished.has("stopped"));
    assert_eq!(finished.overall(), 820, "the best of them");
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
    let finished = refined(Mode::SemiAuto, |ask| {
        let (round, ..) = parts(ask);
        match ask.role {
            Role::Patcher if round == 2 => patch(ask, PLAINER, LIGHTER),
            Role::JudgeSecondary if ask.prompt.user.contains(PLAINER) => {
                scored_overall(ask, 780, "high", std::slice::from_ref(&back))
            }
            _ => willing(ask, &[heavy()]),
        }
    });
    finished.ends_as(Status::Escalated);
    assert_eq!(finished.stopped(), &StopReason::SameTextAgain);
    assert_eq!(finished.result(), CLEAN_LESSON);
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
    // No repair helps.
    let finished = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => {
            scored_overall(ask, 800, "high", std::slice::from_ref(&everywhere))
        }
        _ => willing(ask, &[]),
    });
    finished.ends_as(Status::Escalated);
    finished.reason(|because| {
        because.not_accepted == overall_below(800, 900) && because.stopped.is_some()
    });
    assert_eq!(finished.outcome.issues.len(), 1, "it is not dropped");
    // Without a model that can edit, the reason says so.
    let finished = tuned(
        Mode::SemiAuto,
        |setup| setup.seats.retain(|seat| seat.role != Role::Patcher),
        |ask| scored_overall(ask, 800, "high", std::slice::from_ref(&everywhere)),
    );
    finished.ends_as(Status::Escalated);
    assert_eq!(
        finished.stopped(),
        &StopReason::NothingToRepair {
            reason: NothingToRepair::NoTaskLeft
        }
    );
}

#[test]
fn best_effort_takes_the_best_of_its_history_and_of_equals_the_one_with_fewer_issues() {
    let finished = refined(Mode::FullAuto, |ask| match ask.role {
        Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => {
            let third = ask.prompt.user.contains("It is less hot");
            let first = ask.prompt.user.contains(PLAINER);
            let (score, issues) = match (first, third) {
                (false, _) => (650, vec![heavy()]),
                (true, false) => (690, vec![vague()]),
                (true, true) => (690, vec![]),
            };
            scored_overall(ask, score, "high", &issues)
        }
        _ => willing(ask, &[]),
    });
    finished.ends_as(Status::BestEffort);
    assert_eq!(finished.result(), CLEAN_LESSON.replace(LIGHTER, PLAINER));
    assert_eq!(finished.overall(), 690);
    assert!(finished.has("best_effort_selected"));
}

#[test]
fn nobody_answers() {
    for (mode, status) in [
        (Mode::SemiAuto, Status::Escalated),
        (Mode::FullAuto, Status::BestEffort),
    ] {
        let finished = refined(mode, |_| fails());
        assert_eq!(finished.outcome.status, status);
        assert_eq!(finished.lacks(), &NotAccepted::Unscored(out_of_order()));
        assert_eq!(finished.outcome.quality, QualityStatus::BelowStandard);
        assert!(finished.outcome.needs_review);
        assert_eq!(finished.result(), CLEAN_LESSON);
        assert_eq!(finished.asked("/judge/"), 3, "each seat once");
    }
}

#[test]
fn those_who_repair_are_down() {
    let finished = refined(Mode::FullAuto, |ask| match ask.role {
        Role::Patcher | Role::SectionExpander | Role::DeltaJudge => fails(),
        _ => scored_overall(ask, 700, "high", &[heavy(), wrong()]),
    });
    finished.ends_as(Status::BestEffort);
    assert_eq!(finished.result(), CLEAN_LESSON);
    assert!(
        finished
            .outcome
            .tasks
            .iter()
            .all(|task| task.because == Some(RollbackReason::NoAnswer(out_of_order())))
    );
    assert_eq!(finished.outcome.quality, QualityStatus::BelowStandard);
}

#[test]
fn every_patch_is_refused() {
    let intruding = [
        // A second heading, another number, another language, half of the component, nothing.
        block(LIGHTER, "## A heading of its own\n\nThe water rises."),
        block("Look for three signs:", "Look for 17 signs:"),
        block(LIGHTER, ""),
        "NO CHANGE NEEDED: it is good as it is".to_owned(),
        "I cannot help with that.".to_owned(),
        String::new(),
    ];
    for reply in intruding {
        let finished = refined(Mode::FullAuto, |ask| match ask.role {
            Role::Patcher => text_reply(ask, reply.clone()),
            Role::DeltaJudge => delta(ask, false, "that was not wanted"),
            _ => scored_overall(ask, 700, "high", &[heavy()]),
        });
        assert_eq!(finished.result(), CLEAN_LESSON, "{reply}");
        assert_eq!(finished.outcome.status, Status::BestEffort, "{reply}");
        assert!(finished.outcome.because.is_some());
    }
}

#[test]
fn an_open_error_is_never_accepted() {
    let hollow = CLEAN_LESSON.replace(
        "High up the pressure",
        "[Insert diagram here]\n\nHigh up the pressure",
    );
    for mode in [Mode::SemiAuto, Mode::FullAuto] {
        let finished = run_to_end(
            refining(&hollow, mode),
            |ask| match ask.role {
                Role::Patcher | Role::SectionExpander => fails(),
                Role::DeltaJudge => delta(ask, true, "yes"),
                _ => scored_overall(ask, 990, "high", &[]),
            },
            &[],
        );
        assert!(
            !matches!(
                finished.outcome.status,
                Status::Accepted | Status::AcceptedWarning
            ),
            "{:?}",
            finished.outcome.status
        );
        finished.reason(|because| {
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
        let finished = tuned(
            mode,
            |setup| {
                // One question fits, two do not.
                setup.policy.judging_tokens = Some(6_500);
            },
            |ask| willing(ask, &[heavy()]),
        );
        assert_eq!(finished.outcome.status, status, "{:?}", finished.names());
        finished.reason(|because| {
            matches!(&because.not_accepted, NotAccepted::Unconfirmed {
                reason: Unconfirmed::NoVerdict { role: Role::JudgePrimary, unscored },
            } if unscored.reason == Reason::OverBudget
                && unscored.message.starts_with("asking would need up to"))
        });
        assert_eq!(finished.overall(), 920);
    }
}

#[test]
fn repair_that_cannot_be_paid_is_not_begun() {
    let finished = tuned(
        Mode::FullAuto,
        |setup| {
            setup.policy.repair.tokens = 100;
            setup.policy.repair.tokens_a_hundred = 0;
        },
        |ask| scored_overall(ask, 700, "high", &[heavy()]),
    );
    finished.ends_as(Status::BestEffort);
    assert_eq!(finished.asked("/patch/"), 0);
    assert!(
        matches!(finished.stopped(), StopReason::BudgetExhausted(lack) if lack.left == 100),
        "{}",
        finished.because()
    );
    assert!(!finished.has("task_started"));
}

#[test]
fn one_judge_is_no_panel_where_judges_are_required() {
    let alone = |setup: &mut Setup| {
        setup
            .seats
            .retain(|seat| !matches!(seat.role, Role::JudgePrimary | Role::JudgeTiebreaker));
    };
    let finished = tuned(Mode::SemiAuto, alone, |ask| willing(ask, &[heavy()]));
    finished.ends_as(Status::Accepted);
    let finished = tuned(
        Mode::SemiAuto,
        |setup| {
            alone(setup);
            setup.require_judged = true;
        },
        |ask| willing(ask, &[heavy()]),
    );
    finished.ends_as(Status::Escalated);
    assert_eq!(
        finished.lacks(),
        &NotAccepted::Unconfirmed {
            reason: Unconfirmed::OneJudge
        }
    );
}
