//! Refinement, case by case (rulings 31–40): the status, the reason, and the final text. `play`
//! checks what holds for every run.

mod asking_less;
mod human_decisions;
mod regressions;
mod small_models;
mod stepping_in;
mod stop_reasons;

use redraft_run::ask::{Ask, Role};
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::reasons::NotAccepted;
use redraft_run::setup::Setup;
use serde_json::Value;

use crate::in_memory::{
    CLEAN_LESSON, Finished, ModelReply, delta, delta_and_next, fails, issue, parts, patch,
    refining, run_to_end, scored_overall, text_reply,
};
use regressions::falling;

const RISES: &str = "becomes lighter and rises";
const LIGHTER: &str = "The water above it takes up the heat, becomes lighter and rises.";
const PLAINER: &str = "The water above it takes up the heat. Warm water is lighter, so it rises.";
const SEASIDE: &str = "Water boils at 90 °C at the seaside.";
const BOILING: &str = "Water boils at 100 °C at the seaside. The heat that is added from then on makes steam, and the temperature stays where it is.\n\nThe energy is $Q = m c \\Delta T$, and a program can work it out:\n\n```python\nenergy = mass * 4186 * rise\n```\n";
const POTATOES: &str = "Therefore water boils sooner there, and potatoes take longer to cook.";

/// A clumsy wording in the first section.
fn heavy() -> Value {
    issue(
        "clarity_readability",
        "minor",
        "sec_1",
        RISES,
        "Say it in two sentences.",
    )
}

/// A wrong number: the section is rewritten.
fn wrong() -> Value {
    issue(
        "factual_accuracy",
        "major",
        "sec_2",
        SEASIDE,
        "Water boils at 100 °C at sea level.",
    )
}

/// A vague wording in the third section.
fn vague() -> Value {
    issue(
        "clarity_readability",
        "minor",
        "sec_3",
        POTATOES,
        "Say why potatoes take longer.",
    )
}

/// Every model does its job: .80 at first, with these issues, and .92 after a repair.
fn willing(ask: &Ask, issues: &[Value]) -> ModelReply {
    let (round, verb, section) = parts(ask);
    match (ask.role, verb, section) {
        (Role::Patcher, "patch", "sec_1") => patch(ask, LIGHTER, PLAINER),
        (Role::Patcher, "patch", "sec_3") => patch(
            ask,
            POTATOES,
            "Therefore water boils sooner there. It is less hot, so potatoes take longer to cook.",
        ),
        (Role::Patcher, ..) => fails(),
        (Role::SectionExpander, ..) => text_reply(ask, BOILING),
        (Role::DeltaJudge, ..) => delta(ask, true, "it does"),
        _ if round == 0 => scored_overall(ask, 800, "high", issues),
        _ => scored_overall(ask, 920, "high", &[]),
    }
}

/// Every model does its job, but the delta judge accepts nothing.
fn stuck(ask: &Ask) -> ModelReply {
    match ask.role {
        Role::DeltaJudge => delta(ask, false, "no better"),
        _ => willing(ask, &[heavy()]),
    }
}

fn refined(mode: Mode, model: impl Fn(&Ask) -> ModelReply) -> Finished {
    run_to_end(refining(CLEAN_LESSON, mode), model, &[])
}

fn tuned(
    mode: Mode,
    tune: impl FnOnce(&mut Setup),
    model: impl Fn(&Ask) -> ModelReply,
) -> Finished {
    let mut setup = refining(CLEAN_LESSON, mode);
    tune(&mut setup);
    run_to_end(setup, model, &[])
}

#[test]
fn nothing_is_not_made_into_a_lesson_without_an_order() {
    for text in ["", "# Kettle\n", "## Heat\n\n"] {
        let setup = refining(text, Mode::FullAuto);
        let finished = run_to_end(setup, |ask| willing(ask, &[heavy()]), &[]);
        assert_eq!(finished.outcome.status, Status::BestEffort, "{text:?}");
        assert!(finished.outcome.score.is_none(), "{text:?}");
        assert_eq!(finished.names(), [""; 0], "{text:?}");
    }
}

#[test]
fn a_repaired_text_is_accepted_with_the_panels_word() {
    let finished = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::JudgePrimary => scored_overall(ask, 910, "high", &[]),
        _ => willing(ask, &[heavy()]),
    });
    finished.ends_as(Status::Accepted);
    assert_eq!(finished.outcome.because, None);
    // The combined score of both, not the single judge's.
    assert_eq!(finished.overall(), 915);
    assert_eq!(
        finished.names(),
        [
            "i0/judge/judge_secondary/try1",
            "i1/patch/sec_1/try1",
            "i1/delta/sec_1/try1",
            "i1/judge/judge_secondary/try1",
            "i1/confirm/judge/judge_primary/try1",
        ]
    );
    assert_eq!(finished.result(), CLEAN_LESSON.replace(LIGHTER, PLAINER));
    let scores: Vec<_> = finished
        .outcome
        .iterations
        .iter()
        .map(|one| (one.iteration, one.score.unwrap().thousandths(), one.judges))
        .collect();
    assert_eq!(scores, [(0, 800, 1), (1, 915, 2)]);
}

#[test]
fn a_panel_that_does_not_confirm_keeps_a_text_from_being_accepted() {
    // The single judge accepts it; the other two do not.
    let finished = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::JudgePrimary | Role::JudgeTiebreaker => scored_overall(ask, 700, "high", &[]),
        _ => willing(ask, &[heavy()]),
    });
    finished.ends_as(Status::Escalated);
    // By the only judge of both, the repaired text is better (ruling 53).
    assert_eq!(finished.overall(), 773);
    assert!(
        matches!(finished.lacks(), NotAccepted::OverallBelow { score, .. } if score.thousandths() == 773),
        "{}",
        finished.because()
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
    let finished = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::Patcher => text_reply(
            ask,
            "<<<<<<< SEARCH\nenergy = mass * 4186 * rise\n=======\nenergy = mass * 4186 * rise\nprint(energy)\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nThe energy is $Q = m c \\Delta T$, and a program can work it out:\n=======\nThe energy is $Q = m c \\Delta T$ with the mass $m$ and the rise $\\Delta T$. A program can work it out:\n>>>>>>> REPLACE\n",
        ),
        _ => willing(ask, &[about_code.clone(), about_formula.clone()]),
    });
    finished.ends_as(Status::Accepted);
    assert!(finished.result().contains("* rise\nprint(energy)\n```"));
    assert!(
        finished
            .result()
            .contains(r"the rise $\Delta T$. A program")
    );
}

#[test]
fn words_that_are_not_there_lead_to_a_complaint_and_then_to_the_whole_part() {
    let whole = CLEAN_LESSON
        .split("## ")
        .nth(1)
        .unwrap()
        .split_once('\n')
        .unwrap()
        .1
        .replace(LIGHTER, PLAINER);
    let finished = refined(Mode::SemiAuto, |ask| match (ask.role, parts(ask).1) {
        (Role::Patcher, "patch") => patch(ask, "Words that stand nowhere.", "Others."),
        (Role::Patcher, "rewrite") => text_reply(ask, whole.clone()),
        _ => willing(ask, &[heavy()]),
    });
    finished.ends_as(Status::Accepted);
    assert!(
        finished
            .prompt("patch/sec_1/try2")
            .contains("Words that stand nowhere"),
        "the complaint names the words"
    );
    assert_eq!(finished.asked("patch/sec_1"), 2);
    assert_eq!(finished.asked("rewrite/sec_1"), 1);
    assert_eq!(finished.result(), CLEAN_LESSON.replace(LIGHTER, PLAINER));
}

#[test]
fn what_the_delta_judge_refuses_is_undone_and_the_next_attempt_knows_why() {
    let finished = refined(Mode::SemiAuto, |ask| {
        let (round, ..) = parts(ask);
        match ask.role {
            Role::DeltaJudge if round == 1 => delta(ask, false, "it is as heavy as before"),
            _ => willing(ask, &[heavy()]),
        }
    });
    finished.ends_as(Status::Accepted);
    // After the first round the text was the same, so no judge was paid.
    assert_eq!(finished.asked("i1/judge"), 0);
    assert!(
        finished
            .prompt("i2/patch/sec_1")
            .contains("it is as heavy as before")
    );
    let kept: Vec<bool> = finished
        .outcome
        .tasks
        .iter()
        .map(|task| task.kept)
        .collect();
    assert_eq!(kept, [false, false, true]);
    assert!(
        finished.outcome.tasks[0]
            .because
            .as_ref()
            .unwrap()
            .to_string()
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
        let finished = refined(Mode::SemiAuto, |ask| {
            let (_, verb, section) = parts(ask);
            match (ask.role, verb) {
                (Role::DeltaJudge, "consistency") => delta(ask, fits, GONE),
                (Role::DeltaJudge, _) if !apart && section.starts_with("sec_2") => {
                    delta_and_next(ask, fits, GONE)
                }
                _ => willing(ask, &[wrong()]),
            }
        });
        finished.ends_as(Status::Accepted);
        assert_eq!(finished.asked("expand/sec_2"), 1);
        assert_eq!(finished.asked("consistency/sec_3"), usize::from(apart));
        assert_eq!(finished.asked("patch/sec_3"), patches);
        assert!(finished.result().contains("Water boils at 100 °C"));
        if patches > 0 {
            assert!(finished.prompt("patch/sec_3").contains(GONE));
        }
    }
}

#[test]
fn a_part_that_was_patched_and_no_longer_fits_is_asked_about_under_a_new_name() {
    let finished = refined(Mode::SemiAuto, |ask| {
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
    finished.ends_as(Status::Accepted);
    assert_eq!(finished.asked("patch/sec_3"), 2, "{:?}", finished.names());
    assert!(finished.result().contains("as you know"));
    assert!(finished.result().contains("It is less hot"));
}

#[test]
fn scrubbing_at_both_ends_leaves_what_is_between() {
    let chatty =
        format!("Sure! Here is the lesson:\n\n{CLEAN_LESSON}\nLet me know if you need more!\n");
    let finished = run_to_end(
        refining(&chatty, Mode::SemiAuto),
        |ask| scored_overall(ask, 960, "high", &[]),
        &[],
    );
    finished.ends_as(Status::Accepted);
    assert!(finished.has("scrubbed"));
    let edits = &finished.outcome.receipts.as_ref().unwrap().edits;
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
    let finished = refined(Mode::SemiAuto, |ask| {
        willing(ask, &[less.clone(), more.clone()])
    });
    finished.ends_as(Status::Accepted);
    let delta = finished
        .asks
        .iter()
        .find(|ask| ask.role == Role::DeltaJudge);
    let schema = delta.unwrap().schema.as_ref().unwrap().value();
    let ids = &schema["properties"]["answers"]["items"]["properties"]["id"]["enum"];
    assert_eq!(
        ids.as_array().unwrap().len(),
        2,
        "one issue, one constraint: {ids}"
    );
    assert!(ids.as_array().unwrap().contains(&"constraint_1".into()));
    // The run's ledger has it, although no issue is left.
    assert_eq!(finished.outcome.conflicts.len(), 1);
    assert!(finished.outcome.issues.is_empty());
}

/// Runs that together emit every event of a refinement.
pub(crate) fn told_of_everything() -> Vec<Finished> {
    let chatty = format!("Sure! Here is the lesson:\n\n{CLEAN_LESSON}");
    vec![
        refined(Mode::SemiAuto, |ask| falling(ask, 800)),
        refined(Mode::FullAuto, |ask| match ask.role {
            Role::DeltaJudge => delta(ask, false, "no better"),
            Role::Patcher | Role::SectionExpander => willing(ask, &[]),
            _ => scored_overall(ask, 700, "high", &[heavy(), wrong()]),
        }),
        refined(Mode::SemiAuto, |ask| willing(ask, &[wrong()])),
        run_to_end(
            refining(&chatty, Mode::SemiAuto),
            |ask| scored_overall(ask, 960, "high", &[]),
            &[],
        ),
        tuned(
            Mode::SemiAuto,
            |setup| setup.seats.retain(|seat| seat.role != Role::DeltaJudge),
            |ask| willing(ask, &[heavy()]),
        ),
    ]
}

/// Ruling 74: the neighbours of a component may have been repaired in an earlier batch.
#[test]
fn a_later_batch_sees_its_neighbour_as_it_is_by_then() {
    const COOKS: &str = "Cooks in the mountains use a pressure cooker, which is a pot with a lid that lets nothing out.";
    const SEALED: &str =
        "Cooks in the mountains use a pressure cooker, a pot that lets nothing out.";
    const FILL: &str = "Fill a pan with cold water and put it on the stove.";
    const SET: &str = "Fill a pan with cold water. Set it on the stove.";
    let about = |section: &str, quote: &str| {
        issue(
            "clarity_readability",
            "minor",
            section,
            quote,
            "Say it more plainly.",
        )
    };
    let finished = run_to_end(
        refining(CLEAN_LESSON, Mode::FullAuto),
        |ask| match (ask.role, parts(ask).2) {
            (Role::Patcher, "sec_3") => patch(ask, COOKS, SEALED),
            (Role::Patcher, _) => patch(ask, FILL, SET),
            (Role::DeltaJudge, _) => delta(ask, true, "done"),
            _ if ask.prompt.user.contains(SEALED) => scored_overall(ask, 950, "high", &[]),
            _ => scored_overall(
                ask,
                800,
                "high",
                &[about("sec_3", COOKS), about("sec_4", FILL)],
            ),
        },
        &[],
    );
    let later = finished.prompt("i1/patch/sec_4");
    let before = later.split("<redraft:before>").nth(1).unwrap();
    let before = before.split("</redraft:before>").next().unwrap();
    assert!(
        before.contains(SEALED) && !before.contains(COOKS),
        "{before}"
    );
    assert!(finished.result().contains(SET), "{}", finished.because());
}
