//! Refinement, scenario by scenario (issue: what must hold, rulings 31–40): the
//! status, the reason, and what is in the text. What holds for every run is looked
//! at by `play`.

use redraft_core::ask::{Ask, Role};
use redraft_core::decide::{Mode, QualityStatus};
use redraft_core::event::EventKind;
use redraft_core::outcome::Status;
use redraft_core::rubric::Score;
use redraft_core::run::{Decision, Setup};
use serde_json::Value;

use crate::play::{
    KETTLE, Played, Said, delta, delta_and_next, fails, flat, issue, parts, patch, play, refining,
    says, verdict,
};

const RISES: &str = "becomes lighter and rises";
const LIGHTER: &str = "The water above it takes up the heat, becomes lighter and rises.";
const PLAINER: &str = "The water above it takes up the heat. Warm water is lighter, so it rises.";
const SEASIDE: &str = "Water boils at 90 °C at the seaside.";
const BOILING: &str = "Water boils at 100 °C at the seaside. The heat that is added from then on makes steam, and the temperature stays where it is.\n\nThe energy is $Q = m c \\Delta T$, and a program can work it out:\n\n```python\nenergy = mass * 4186 * rise\n```\n";
const POTATOES: &str = "Therefore water boils sooner there, and potatoes take longer to cook.";

/// A wording in the first section that wants mending.
fn heavy() -> Value {
    issue(
        "clarity_readability",
        "minor",
        "sec_1",
        RISES,
        "Say it in two sentences.",
    )
}

/// A false figure: the section is written again.
fn wrong() -> Value {
    issue(
        "factual_accuracy",
        "major",
        "sec_2",
        SEASIDE,
        "Water boils at 100 °C at sea level.",
    )
}

/// A wording in the third section.
fn vague() -> Value {
    issue(
        "clarity_readability",
        "minor",
        "sec_3",
        POTATOES,
        "Say why potatoes take longer.",
    )
}

/// Everybody does what is wanted: .80 at first with these issues, .92 after a
/// repair.
fn willing(ask: &Ask, issues: &[Value]) -> Said {
    let (round, verb, section) = parts(ask);
    match (ask.role, verb, section) {
        (Role::Patcher, "patch", "sec_1") => patch(ask, LIGHTER, PLAINER),
        (Role::Patcher, "patch", "sec_3") => patch(
            ask,
            POTATOES,
            "Therefore water boils sooner there. It is less hot, so potatoes take longer to cook.",
        ),
        (Role::Patcher, ..) => fails(),
        (Role::SectionExpander, ..) => says(ask, BOILING),
        (Role::DeltaJudge, ..) => delta(ask, true, "it does"),
        _ if round == 0 => flat(ask, 800, "high", issues),
        _ => flat(ask, 920, "high", &[]),
    }
}

fn refined(mode: Mode, model: impl Fn(&Ask) -> Said) -> Played {
    play(refining(KETTLE, mode), model, &[])
}

fn tuned(mode: Mode, tune: impl FnOnce(&mut Setup), model: impl Fn(&Ask) -> Said) -> Played {
    let mut setup = refining(KETTLE, mode);
    tune(&mut setup);
    play(setup, model, &[])
}

fn by(name: &str) -> String {
    name.to_owned()
}

#[test]
fn nothing_is_not_made_into_a_lesson_without_an_order() {
    for text in ["", "# Kettle\n", "## Heat\n\n"] {
        let setup = refining(text, Mode::FullAuto);
        let played = play(setup, |ask| willing(ask, &[heavy()]), &[]);
        assert_eq!(played.outcome.status, Status::BestEffort, "{text:?}");
        assert!(played.outcome.score.is_none(), "{text:?}");
        assert_eq!(played.names(), [""; 0], "{text:?}");
    }
}

#[test]
fn a_repaired_text_is_accepted_with_the_panels_word() {
    let played = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::JudgePrimary => flat(ask, 910, "high", &[]),
        _ => willing(ask, &[heavy()]),
    });
    assert_eq!(played.outcome.status, Status::Accepted);
    assert_eq!(played.outcome.because, None);
    // The aggregate of both, not the single judge's word.
    assert_eq!(played.overall(), 915);
    assert_eq!(
        played.names(),
        [
            "i0/judge/judge_secondary/try1",
            "i1/patch/sec_1/try1",
            "i1/delta/sec_1/try1",
            "i1/judge/judge_secondary/try1",
            "i1/confirm/judge/judge_primary/try1",
        ]
    );
    assert_eq!(played.result(), KETTLE.replace(LIGHTER, PLAINER));
    let scores: Vec<_> = played
        .outcome
        .iterations
        .iter()
        .map(|one| (one.iteration, one.score.unwrap().thousandths(), one.judges))
        .collect();
    assert_eq!(scores, [(0, 800, 1), (1, 915, 2)]);
}

#[test]
fn a_panel_that_does_not_confirm_keeps_a_text_from_being_accepted() {
    // The single judge is delighted; the other two are not.
    let played = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::JudgePrimary | Role::JudgeTiebreaker => flat(ask, 700, "high", &[]),
        _ => willing(ask, &[heavy()]),
    });
    assert_eq!(played.outcome.status, Status::Escalated);
    assert_eq!(played.overall(), 800, "the untouched text is the best");
    assert!(
        played.because().contains("the overall score is 0.8"),
        "{}",
        played.because()
    );
}

#[test]
fn formulas_and_code_are_patched_where_the_issue_is_about_them() {
    let about_code = issue(
        "engagement_examples",
        "minor",
        "sec_2",
        "energy = mass * 4186 * rise",
        "Add a line to the code block that prints the energy.",
    );
    let about_formula = issue(
        "clarity_readability",
        "minor",
        "sec_2",
        r"$Q = m c \Delta T$",
        "Explain the letters of the formula.",
    );
    let played = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::Patcher => says(
            ask,
            "<<<<<<< SEARCH\nenergy = mass * 4186 * rise\n=======\nenergy = mass * 4186 * rise\nprint(energy)\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nThe energy is $Q = m c \\Delta T$, and a program can work it out:\n=======\nThe energy is $Q = m c \\Delta T$ with the mass $m$ and the rise $\\Delta T$. A program can work it out:\n>>>>>>> REPLACE\n",
        ),
        _ => willing(ask, &[about_code.clone(), about_formula.clone()]),
    });
    assert_eq!(
        played.outcome.status,
        Status::Accepted,
        "{}",
        played.because()
    );
    assert!(played.result().contains("* rise\nprint(energy)\n```"));
    assert!(played.result().contains(r"the rise $\Delta T$. A program"));
}

#[test]
fn words_that_are_not_there_lead_to_a_complaint_and_then_to_the_whole_part() {
    let whole = KETTLE
        .split("## ")
        .nth(1)
        .unwrap()
        .split_once('\n')
        .unwrap()
        .1
        .replace(LIGHTER, PLAINER);
    let played = refined(Mode::SemiAuto, |ask| match (ask.role, parts(ask).1) {
        (Role::Patcher, "patch") => patch(ask, "Words that stand nowhere.", "Others."),
        (Role::Patcher, "rewrite") => says(ask, whole.clone()),
        _ => willing(ask, &[heavy()]),
    });
    assert_eq!(
        played.outcome.status,
        Status::Accepted,
        "{}",
        played.because()
    );
    assert!(
        played
            .prompt("patch/sec_1/try2")
            .contains("Words that stand nowhere"),
        "the complaint names the words"
    );
    assert_eq!(played.asked("patch/sec_1"), 2);
    assert_eq!(played.asked("rewrite/sec_1"), 1);
    assert_eq!(played.result(), KETTLE.replace(LIGHTER, PLAINER));
}

#[test]
fn what_the_delta_judge_refuses_is_undone_and_the_next_attempt_knows_why() {
    let played = refined(Mode::SemiAuto, |ask| {
        let (round, ..) = parts(ask);
        match ask.role {
            Role::DeltaJudge if round == 1 => delta(ask, false, "it is as heavy as before"),
            _ => willing(ask, &[heavy()]),
        }
    });
    assert_eq!(
        played.outcome.status,
        Status::Accepted,
        "{}",
        played.because()
    );
    // After the first round the text was the same: nobody was paid to judge it.
    assert_eq!(played.asked("i1/judge"), 0);
    assert!(
        played
            .prompt("i2/patch/sec_1")
            .contains("it is as heavy as before")
    );
    let kept: Vec<bool> = played.outcome.tasks.iter().map(|task| task.kept).collect();
    assert_eq!(kept, [false, true]);
    assert!(
        played.outcome.tasks[0]
            .because
            .as_ref()
            .unwrap()
            .contains("as heavy as before")
    );
}

#[test]
fn a_section_written_again_has_the_one_behind_it_looked_at() {
    const GONE: &str = "it speaks of a temperature that is gone";
    for (fits, apart, patches) in [
        (true, true, 0),
        (false, true, 1),
        (true, false, 0),
        (false, false, 1),
    ] {
        let played = refined(Mode::SemiAuto, |ask| {
            let (_, verb, section) = parts(ask);
            match (ask.role, verb) {
                (Role::DeltaJudge, "consistency") => delta(ask, fits, GONE),
                (Role::DeltaJudge, _) if !apart && section.starts_with("sec_2") => {
                    delta_and_next(ask, fits, GONE)
                }
                _ => willing(ask, &[wrong()]),
            }
        });
        assert_eq!(
            played.outcome.status,
            Status::Accepted,
            "{}",
            played.because()
        );
        assert_eq!(played.asked("expand/sec_2"), 1);
        assert_eq!(played.asked("consistency/sec_3"), usize::from(apart));
        assert_eq!(played.asked("patch/sec_3"), patches);
        assert!(played.result().contains("Water boils at 100 °C"));
        if patches > 0 {
            assert!(played.prompt("patch/sec_3").contains(GONE));
        }
    }
}

#[test]
fn a_part_that_was_patched_and_no_longer_fits_is_asked_about_under_a_new_name() {
    let played = refined(Mode::SemiAuto, |ask| {
        let (_, verb, _) = parts(ask);
        match (ask.role, verb) {
            (Role::DeltaJudge, "consistency") => delta(ask, false, "it no longer fits"),
            (Role::Patcher, _) if ask.id.0.contains("sec_3/2/") => patch(
                ask,
                "High up the pressure",
                "High up, as you know, the pressure",
            ),
            _ => willing(ask, &[wrong(), vague()]),
        }
    });
    assert_eq!(
        played.outcome.status,
        Status::Accepted,
        "{}",
        played.because()
    );
    assert_eq!(played.asked("patch/sec_3"), 2, "{:?}", played.names());
    assert!(played.result().contains("as you know"));
    assert!(played.result().contains("It is less hot"));
}

/// .92 for clarity before, .80 after the repairs of sections 1 and 3, as the cheap
/// judge sees it; the other one gives `other` after them.
fn falling(ask: &Ask, other: u16) -> Said {
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
        Role::JudgePrimary | Role::JudgeSecondary if is_repaired => flat(ask, 930, "high", &[]),
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
    let played = refined(Mode::SemiAuto, |ask| falling(ask, 800));
    assert_eq!(
        played.outcome.status,
        Status::Accepted,
        "{}",
        played.because()
    );
    let lock = played.events.iter().find_map(|event| match &event.kind {
        EventKind::QualityLockTriggered {
            criterion,
            confirmed,
            undone,
            ..
        } => Some((criterion.as_str(), *confirmed, undone.clone())),
        _ => None,
    });
    let (criterion, confirmed, undone) = lock.unwrap();
    assert_eq!((criterion, confirmed), ("clarity_readability", true));
    assert_eq!(undone.len(), 1);
    // The third section is as it was; the first keeps its repair.
    assert_eq!(played.result(), KETTLE.replace(LIGHTER, PLAINER));
    assert!(played.has("section_locked"));
    assert_eq!(played.asked("i1/mixed"), 1, "{:?}", played.names());
    let undone: Vec<_> = played
        .outcome
        .tasks
        .iter()
        .filter(|task| !task.kept)
        .map(|task| task.because.clone().unwrap())
        .collect();
    assert_eq!(undone, ["it made a good criterion worse"]);
}

#[test]
fn a_fall_that_nobody_else_sees_is_let_be() {
    let played = refined(Mode::SemiAuto, |ask| falling(ask, 920));
    assert!(played.events.iter().any(|event| matches!(
        &event.kind,
        EventKind::QualityLockTriggered { confirmed: false, undone, .. } if undone.is_empty()
    )));
    assert!(played.result().contains("It is less hot"));
    assert!(!played.has("section_locked"));
}

#[test]
fn exactly_the_tolerated_fall_is_none() {
    let played = refined(Mode::SemiAuto, |ask| match ask.role {
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
    assert!(!played.has("quality_lock_triggered"));
    assert_eq!(played.outcome.status, Status::Accepted);
}

#[test]
fn a_text_that_was_undone_is_not_taken_as_the_best() {
    // The overall rises, though a good criterion falls for both judges.
    let played = refined(Mode::FullAuto, |ask| {
        let (round, ..) = parts(ask);
        let is_patched = ask.prompt.user.contains(PLAINER);
        match ask.role {
            Role::JudgeSecondary | Role::JudgePrimary | Role::JudgeTiebreaker if is_patched => {
                verdict(ask, 740, &[("completeness", 700)], "high", &[heavy()])
            }
            Role::JudgeSecondary | Role::JudgePrimary | Role::JudgeTiebreaker => {
                let _ = round;
                verdict(ask, 660, &[("completeness", 860)], "high", &[heavy()])
            }
            _ => willing(ask, &[]),
        }
    });
    assert_eq!(played.outcome.status, Status::BestEffort);
    assert_eq!(played.result(), KETTLE, "what is called undone is undone");
    assert!(played.outcome.tasks.iter().all(|task| !task.kept));
}

#[test]
fn a_part_is_edited_twice_and_then_locked() {
    let played = tuned(
        Mode::SemiAuto,
        |setup| setup.policy.repair.converged_below = Score::from_thousandths(0).unwrap(),
        |ask| match ask.role {
            Role::DeltaJudge => delta(ask, false, "no better"),
            _ => willing(ask, &[heavy()]),
        },
    );
    assert_eq!(played.outcome.status, Status::Escalated);
    assert_eq!(played.count("task_started"), 2);
    assert!(played.events.iter().any(|event| matches!(
        &event.kind,
        EventKind::SectionLocked { because, .. } if because == "it was edited 2 times"
    )));
    assert!(
        played
            .because()
            .starts_with("the overall score is 0.800, 0.900 is needed"),
        "{}",
        played.because()
    );
    assert_eq!(played.outcome.issues.len(), 1, "it is told as unresolved");
    assert_eq!(played.result(), KETTLE);
}

#[test]
fn small_gains_converge() {
    // Each round finds something else, and brings a hundredth.
    let played = refined(Mode::SemiAuto, |ask| {
        let (round, verb, section) = parts(ask);
        match (ask.role, verb, section) {
            (Role::JudgeSecondary, ..) => {
                let now = if ask.prompt.user.contains("It is less hot") {
                    (820, vec![])
                } else if ask.prompt.user.contains(PLAINER) {
                    (810, vec![vague()])
                } else {
                    (800, vec![heavy()])
                };
                flat(ask, now.0, "high", &now.1)
            }
            (Role::JudgePrimary | Role::JudgeTiebreaker, ..) => {
                let _ = round;
                fails()
            }
            _ => willing(ask, &[]),
        }
    });
    assert_eq!(played.outcome.status, Status::Escalated);
    assert!(played.has("convergence_detected"), "{}", played.because());
    assert!(
        played
            .because()
            .ends_with("the last two rounds brought less than 0.020"),
        "{}",
        played.because()
    );
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
    assert_eq!(played.outcome.status, Status::Escalated);
    assert!(
        played.because().ends_with("the same text has come back"),
        "{}",
        played.because()
    );
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
    assert_eq!(played.outcome.status, Status::Escalated);
    assert!(
        played
            .because()
            .starts_with("the overall score is 0.800, 0.900 is needed; "),
        "{}",
        played.because()
    );
    assert_eq!(played.outcome.issues.len(), 1, "it is not dropped");
    // And where nobody can edit, that is said.
    let played = tuned(
        Mode::SemiAuto,
        |setup| setup.seats.retain(|seat| seat.role != Role::Patcher),
        |ask| flat(ask, 800, "high", std::slice::from_ref(&everywhere)),
    );
    assert_eq!(played.outcome.status, Status::Escalated);
    assert!(
        played
            .because()
            .ends_with("; no task is left that could be done"),
        "{}",
        played.because()
    );
}

#[test]
fn nobody_answers() {
    for (mode, status) in [
        (Mode::SemiAuto, Status::Escalated),
        (Mode::FullAuto, Status::BestEffort),
    ] {
        let played = refined(mode, |_| fails());
        assert_eq!(played.outcome.status, status);
        assert!(
            played
                .because()
                .starts_with("nobody has scored it: out of order"),
            "{}",
            played.because()
        );
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
    assert_eq!(played.outcome.status, Status::BestEffort);
    assert_eq!(played.result(), KETTLE);
    assert!(
        played
            .outcome
            .tasks
            .iter()
            .all(|task| task.because.as_deref() == Some("out of order"))
    );
    assert_eq!(played.outcome.quality, QualityStatus::BelowStandard);
}

#[test]
fn every_patch_is_refused() {
    let intruding = [
        // A second heading, another number, another language, half the part, nothing.
        patch_text(LIGHTER, "## A heading of its own\n\nThe water rises."),
        patch_text("Look for three signs:", "Look for 17 signs:"),
        patch_text(LIGHTER, ""),
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
        assert!(!played.because().is_empty());
    }
}

fn patch_text(search: &str, replace: &str) -> String {
    format!("<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n")
}

#[test]
fn a_fall_in_score_is_never_accepted() {
    // Good enough by the figures, but worse than what came in.
    let played = refined(Mode::FullAuto, |ask| match ask.role {
        Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => {
            let is_patched = ask.prompt.user.contains(PLAINER);
            flat(ask, if is_patched { 640 } else { 720 }, "high", &[heavy()])
        }
        _ => willing(ask, &[]),
    });
    assert_eq!(played.outcome.status, Status::BestEffort);
    assert_eq!(played.result(), KETTLE, "the best is the text that came in");
    assert_eq!(played.overall(), 720);
    assert_eq!(
        played.outcome.tasks[0].because.as_deref(),
        Some("another text scored higher, and was taken")
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
    assert_eq!(played.outcome.status, Status::BestEffort);
    assert_eq!(played.result(), KETTLE.replace(LIGHTER, PLAINER));
    assert_eq!(played.overall(), 690);
    assert!(played.has("best_effort_selected"));
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
        assert!(
            played.because().contains("placeholder"),
            "{}",
            played.because()
        );
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
        assert!(
            played.because().starts_with(
                "the panel has not confirmed it: judge_primary: asking would need up to"
            ),
            "{}",
            played.because()
        );
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
    assert_eq!(played.outcome.status, Status::BestEffort);
    assert_eq!(played.asked("/patch/"), 0);
    let because = played.outcome.tasks[0].because.as_ref().unwrap();
    assert!(
        because.ends_with("100 are left of the budget for repair"),
        "{because}"
    );
}

#[test]
fn a_person_has_the_last_word() {
    let stuck = |ask: &Ask| match ask.role {
        Role::DeltaJudge => delta(ask, false, "no better"),
        _ => willing(ask, &[heavy()]),
    };
    let decided =
        |decisions: &[Decision]| play(refining(KETTLE, Mode::SemiAuto), stuck, decisions).outcome;
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
    let played = play(
        refining(KETTLE, Mode::SemiAuto),
        |_| fails(),
        &[Decision::Accept { by: by("Ada") }],
    );
    assert_eq!(played.outcome.status, Status::Escalated);
    assert!(played.events.iter().any(|event| matches!(
        event.kind,
        EventKind::HumanDecision {
            refused: Some("nobody has scored this text"),
            ..
        }
    )));
}

#[test]
fn a_person_who_wants_another_try_is_heard() {
    let played = play(
        refining(KETTLE, Mode::SemiAuto),
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
    assert_eq!(
        played.outcome.status,
        Status::Accepted,
        "{}",
        played.because()
    );
    let heard = played
        .asks
        .iter()
        .filter(|ask| ask.role == Role::Patcher && ask.prompt.user.contains("Keep the word kettle"))
        .count();
    assert_eq!(heard, 1);
    assert_eq!(played.result(), KETTLE.replace(LIGHTER, PLAINER));
}

#[test]
fn a_persons_own_text_is_judged_and_not_passed_over() {
    let theirs = KETTLE.replace(LIGHTER, "Warm water rises, for it is lighter.");
    let edit = Decision::Edit {
        by: by("Ada"),
        content: theirs.clone(),
    };
    // They like it better than the judges do.
    let played = play(
        refining(KETTLE, Mode::SemiAuto),
        |ask| match ask.role {
            Role::DeltaJudge => delta(ask, false, "no better"),
            Role::JudgeSecondary if ask.prompt.user.contains("for it is lighter") => {
                flat(ask, 770, "high", &[])
            }
            _ => willing(ask, &[heavy()]),
        },
        &[edit.clone(), Decision::Accept { by: by("Ada") }],
    );
    assert_eq!(played.outcome.status, Status::Accepted);
    assert_eq!(played.result(), theirs);
    assert_eq!(played.overall(), 770);
    // Twice another text: two questions.
    let again = Decision::Edit {
        by: by("Ada"),
        content: theirs.replace("rises, for", "rises because"),
    };
    let played = play(
        refining(KETTLE, Mode::SemiAuto),
        |ask| match ask.role {
            Role::DeltaJudge => delta(ask, false, "no better"),
            _ if parts(ask).1.starts_with("edited") => flat(ask, 770, "high", &[]),
            _ => willing(ask, &[heavy()]),
        },
        &[edit, again],
    );
    assert_eq!(played.outcome.status, Status::Escalated);
    assert_eq!(played.asked("/edited"), 2, "{:?}", played.names());
}

#[test]
fn a_person_who_never_stops_is_stopped() {
    let retry = Decision::Retry {
        by: by("Ada"),
        instruction: by("Again."),
    };
    let played = play(
        refining(KETTLE, Mode::SemiAuto),
        |ask| match ask.role {
            Role::DeltaJudge => delta(ask, false, "no better"),
            _ => willing(ask, &[heavy()]),
        },
        &vec![retry; 100],
    );
    assert_eq!(played.outcome.status, Status::Escalated);
    let edit = Decision::Edit {
        by: by("Ada"),
        content: KETTLE.to_owned(),
    };
    let played = play(
        refining(KETTLE, Mode::SemiAuto),
        |ask| match ask.role {
            Role::DeltaJudge => delta(ask, false, "no better"),
            _ => willing(ask, &[heavy()]),
        },
        &vec![edit; 100],
    );
    assert_eq!(played.outcome.status, Status::Escalated);
}

#[test]
fn one_judge_is_no_panel_where_judges_are_required() {
    let alone = |setup: &mut Setup| {
        setup
            .seats
            .retain(|seat| !matches!(seat.role, Role::JudgePrimary | Role::JudgeTiebreaker));
    };
    let played = tuned(Mode::SemiAuto, alone, |ask| willing(ask, &[heavy()]));
    assert_eq!(played.outcome.status, Status::Accepted);
    let played = tuned(
        Mode::SemiAuto,
        |setup| {
            alone(setup);
            setup.require_judged = true;
        },
        |ask| willing(ask, &[heavy()]),
    );
    assert_eq!(played.outcome.status, Status::Escalated);
    assert!(
        played
            .because()
            .starts_with("the panel has not confirmed it: only one judge is configured"),
        "{}",
        played.because()
    );
}

#[test]
fn scrubbing_at_both_ends_leaves_what_is_between() {
    let chatty = format!("Sure! Here is the lesson:\n\n{KETTLE}\nLet me know if you need more!\n");
    let played = play(
        refining(&chatty, Mode::SemiAuto),
        |ask| flat(ask, 960, "high", &[]),
        &[],
    );
    assert_eq!(
        played.outcome.status,
        Status::Accepted,
        "{}",
        played.because()
    );
    assert!(played.has("scrubbed"));
    let edits = &played.outcome.receipts.as_ref().unwrap().edits;
    let removed: usize = edits.iter().map(|edit| edit.end - edit.start).sum();
    assert!(removed < 100, "{removed} bytes were replaced: {edits:?}");
}

#[test]
fn what_lost_a_conflict_is_no_demand_of_the_repair_nor_of_its_verification() {
    let more = issue(
        "engagement_examples",
        "minor",
        "sec_1",
        RISES,
        "Explain in more detail why it rises.",
    );
    let less = issue(
        "clarity_readability",
        "minor",
        "sec_1",
        RISES,
        "Simplify the sentence.",
    );
    let played = refined(Mode::SemiAuto, |ask| {
        willing(ask, &[less.clone(), more.clone()])
    });
    assert_eq!(
        played.outcome.status,
        Status::Accepted,
        "{}",
        played.because()
    );
    let delta = played.asks.iter().find(|ask| ask.role == Role::DeltaJudge);
    let schema = delta.unwrap().schema.as_ref().unwrap();
    let ids = &schema["properties"]["answers"]["items"]["properties"]["id"]["enum"];
    assert_eq!(
        ids.as_array().unwrap().len(),
        2,
        "one issue, one constraint: {ids}"
    );
    assert!(ids.as_array().unwrap().contains(&"constraint_1".into()));
    // The ledger of the run tells of it, though nothing of it is left.
    assert_eq!(played.outcome.conflicts.len(), 1);
    assert!(played.outcome.issues.is_empty());
}

/// Runs that between them tell of everything that happens while a text is
/// repaired.
pub(crate) fn told_of_everything() -> Vec<Played> {
    let chatty = format!("Sure! Here is the lesson:\n\n{KETTLE}");
    vec![
        refined(Mode::SemiAuto, |ask| falling(ask, 800)),
        refined(Mode::FullAuto, |ask| match ask.role {
            Role::DeltaJudge => delta(ask, false, "no better"),
            Role::Patcher | Role::SectionExpander => willing(ask, &[]),
            _ => flat(ask, 700, "high", &[heavy(), wrong()]),
        }),
        refined(Mode::SemiAuto, |ask| willing(ask, &[wrong()])),
        play(
            refining(&chatty, Mode::SemiAuto),
            |ask| flat(ask, 960, "high", &[]),
            &[],
        ),
        tuned(
            Mode::SemiAuto,
            |setup| setup.seats.retain(|seat| seat.role != Role::DeltaJudge),
            |ask| willing(ask, &[heavy()]),
        ),
    ]
}
