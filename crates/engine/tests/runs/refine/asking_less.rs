//! Calls that are not made because no answer could change the next step: the panel about a text
//! that cannot be accepted, a second judge about a drop that the first cannot explain, the other
//! order of a comparison that has failed.

use redraft_run::ask::{Ask, Role};
use redraft_run::event::EventKind;
use redraft_run::outcome::Status;
use redraft_run::policy::{Delta, Mode};
use redraft_run::reasons::{NotAccepted, SkipReason};
use serde_json::Value;

use super::{PLAINER, SEASIDE, heavy, refined, tuned, vague, willing, wrong};
use crate::in_memory::{Finished, ModelReply, issue, scored_overall, text_reply, verdict};

fn grave() -> Value {
    issue(
        "factual_accuracy",
        "critical",
        "sec_2",
        SEASIDE,
        "Water boils at 100 °C at sea level.",
    )
}

/// What was skipped, and why.
fn skipped(finished: &Finished) -> Vec<(&'static str, SkipReason)> {
    let events = finished.events.iter();
    events
        .filter_map(|event| match &event.kind {
            EventKind::Skipped { what, reason } => Some((*what, reason.clone())),
            _ => None,
        })
        .collect()
}

fn because(reason: &SkipReason) -> Option<&NotAccepted> {
    match reason {
        SkipReason::CannotChangeDecision { not_accepted } => Some(not_accepted),
        _ => None,
    }
}

/// The cheap judge's verdicts on the first and on a repaired text; all repairs succeed.
fn judged(ask: &Ask, first: (u16, &str, &[Value]), repaired: (u16, &str, &[Value])) -> ModelReply {
    let is_repaired = ask.prompt.user.contains(PLAINER);
    let (score, sure, issues) = if is_repaired { repaired } else { first };
    match ask.role {
        Role::JudgeSecondary => scored_overall(ask, score, sure, issues),
        Role::JudgePrimary | Role::JudgeTiebreaker => scored_overall(ask, 920, "high", &[]),
        _ => willing(ask, &[]),
    }
}

#[test]
fn the_panel_is_asked_about_a_first_text_only_if_it_could_be_accepted() {
    // Semi-auto accepts from .90; the whole text is rewritten below .60.
    for (what, first, panels) in [
        ("near the line", (870, "high", vec![heavy()]), 1),
        ("near the line, critical", (870, "high", vec![grave()]), 0),
        ("in doubt, near", (820, "medium", vec![heavy()]), 1),
        ("in doubt, far away", (780, "medium", vec![heavy()]), 0),
        ("in doubt, critical", (880, "medium", vec![grave()]), 0),
        ("a guess", (700, "low", vec![wrong()]), 1),
        (
            "in doubt, near a rewrite",
            (620, "medium", vec![wrong()]),
            1,
        ),
    ] {
        let (score, sure, issues) = first;
        let finished = refined(Mode::SemiAuto, |ask| {
            judged(ask, (score, sure, &issues), (930, "high", &[]))
        });
        let asked = finished.asked("i0/judge/judge_primary");
        assert_eq!(asked, panels, "{what}: {:?}", finished.names());
        let told = skipped(&finished);
        let is_told = told.iter().any(|(what, _)| *what == "panel");
        assert_eq!(is_told, panels == 0, "{what}: {told:?}");
    }
}

#[test]
fn the_panel_is_asked_about_a_repaired_text_only_if_it_could_be_accepted() {
    // After a repair .85 is good enough in semi-auto, unless a major issue is open.
    for (what, repaired, panels) in [
        ("just below", (830, "high", vec![vague()]), 1),
        ("just below, major", (830, "high", vec![wrong()]), 0),
        ("just below, critical", (840, "high", vec![grave()]), 0),
        ("far below", (740, "medium", vec![vague()]), 0),
        ("in doubt", (800, "medium", vec![vague()]), 1),
    ] {
        let (score, sure, issues) = repaired;
        let finished = refined(Mode::SemiAuto, |ask| {
            judged(ask, (780, "high", &[heavy()]), (score, sure, &issues))
        });
        let asked = finished.asked("i1/judge/judge_primary");
        assert_eq!(asked, panels, "{what}: {:?}", finished.names());
    }
}

#[test]
fn a_skip_says_why_no_answer_could_matter() {
    let finished = refined(Mode::SemiAuto, |ask| {
        judged(ask, (880, "medium", &[grave()]), (930, "high", &[]))
    });
    let told = skipped(&finished);
    assert_eq!(
        told.iter().filter_map(|(_, why)| because(why)).next(),
        Some(&NotAccepted::CriticalIssue),
        "{told:?}"
    );
}

#[test]
fn a_fall_without_an_issue_is_no_alarm_while_the_criterion_is_good() {
    // Good from .85: .92 drops to .86 or to .84.
    for (score, guards) in [(860, 0), (840, 1)] {
        let finished = refined(Mode::SemiAuto, |ask| match ask.role {
            Role::JudgeSecondary if ask.prompt.user.contains(PLAINER) => {
                verdict(ask, 930, &[("completeness", score)], "high", &[])
            }
            Role::JudgeSecondary => verdict(ask, 800, &[("completeness", 920)], "high", &[heavy()]),
            _ => willing(ask, &[]),
        });
        assert_eq!(
            finished.asked("i1/guard/judge"),
            guards,
            "{score}: {:?}",
            finished.names()
        );
        let told = skipped(&finished);
        let fall = SkipReason::FallWithoutIssue {
            criterion: "completeness".to_owned(),
        };
        assert_eq!(told.contains(&("second_opinion", fall)), guards == 0);
        finished.ends_as(Status::Accepted);
    }
}

#[test]
fn an_issue_that_was_there_before_the_repair_explains_no_fall() {
    let about =
        |severity: &str, quote: &str| issue("completeness", severity, "sec_2", quote, "Say why.");
    let other = "The heat that is added from then on makes steam";
    for (what, before, after, guards) in [
        (
            "the same",
            about("minor", SEASIDE),
            about("minor", SEASIDE),
            0,
        ),
        (
            "graver now",
            about("minor", SEASIDE),
            about("major", SEASIDE),
            1,
        ),
        (
            "other words, which stood there too",
            about("minor", SEASIDE),
            about("minor", other),
            0,
        ),
        (
            "words that the repair brought",
            about("minor", SEASIDE),
            about("minor", "Warm water is lighter, so it rises."),
            1,
        ),
        (
            "nothing quoted, other words",
            about("minor", SEASIDE),
            about("minor", ""),
            1,
        ),
        (
            "no quote, the same words",
            about("minor", ""),
            about("minor", ""),
            0,
        ),
    ] {
        let finished = refined(Mode::SemiAuto, |ask| match ask.role {
            Role::JudgeSecondary if ask.prompt.user.contains(PLAINER) => {
                let issues = [after.clone()];
                verdict(ask, 930, &[("completeness", 860)], "high", &issues)
            }
            Role::JudgeSecondary => {
                let issues = [heavy(), before.clone()];
                verdict(ask, 800, &[("completeness", 920)], "high", &issues)
            }
            _ => willing(ask, &[]),
        });
        let asked = finished.asked("i1/guard/judge");
        assert_eq!(asked, guards, "{what}: {:?}", finished.names());
    }
}

#[test]
fn a_second_judge_who_sees_the_good_score_is_not_asked_about_the_text_before() {
    for (other, asked_before) in [(920, 0), (910, 1)] {
        let finished = refined(Mode::SemiAuto, |ask| super::falling(ask, other));
        assert_eq!(
            finished.asked("i1/guard/judge"),
            1,
            "{:?}",
            finished.names()
        );
        assert_eq!(
            finished.asked("i1/guard/before"),
            asked_before,
            "{other}: {:?}",
            finished.names()
        );
    }
}

#[test]
fn a_repair_that_loses_in_one_order_is_not_compared_in_the_other() {
    for (better, asked) in [("first", [1, 0]), ("same", [1, 0])] {
        let finished = tuned(
            Mode::SemiAuto,
            |setup| {
                setup.policy.repair.delta = Delta::BothOrders;
                setup.policy.repair.retries = 0;
            },
            |ask| match ask.role {
                Role::DeltaJudge => text_reply(
                    ask,
                    format!(r#"{{"reason": "it says more", "better": "{better}"}}"#),
                ),
                _ => willing(ask, &[heavy()]),
            },
        );
        let of = |order: &str| finished.asked(&format!("i1/delta/sec_1/{order}"));
        assert_eq!(
            [of("before-after"), of("after-before")],
            asked,
            "{better}: {:?}",
            finished.names()
        );
    }
}
