//! Existing lessons that are rewritten: when, how often, in which form, and what the receipt says.

use redraft_gate::reading::Hint;
use redraft_gate::span::ComponentId;
use redraft_gate::{receipt, review};
use redraft_run::ask::Role;
use redraft_run::event::EventKind;
use redraft_run::outcome::Status;
use redraft_run::reasons::{CannotWrite, NotWritten, NothingToRepair, StopReason};

use super::hostile::{Answers, run_to_end};
use super::{HEAT, INTRODUCTION, STEAM, SUMMARY, refining, reply, run, script, text_of, written};

/// A judge that scores every text so low that it must be rewritten, and others that answer well.
fn weak(round: &str) -> String {
    let mut script = format!(
        "[[reply]]\nrole = \"judge_secondary\"\n{round}\nconfidence = \"high\"\n[reply.scores]\n\
         learning_objective_alignment = 0.45\npedagogical_structure = 0.3\nfactual_accuracy = 0.4\n\
         clarity_readability = 0.45\nengagement_examples = 0.4\ncompleteness = 0.45\n\
         [[reply.issues]]\ncriterion = \"pedagogical_structure\"\nseverity = \"critical\"\nlocation = \"sec_global\"\n\
         quote = \"\"\ndescription = \"It has no thread.\"\nsuggested_fix = \"Begin with the hiss.\"\n"
    );
    // Low scores are only credible with an explanation.
    for criterion in [
        "learning_objective_alignment",
        "factual_accuracy",
        "clarity_readability",
        "engagement_examples",
        "completeness",
    ] {
        script.push_str(&format!(
            "[[reply.issues]]\ncriterion = \"{criterion}\"\nseverity = \"minor\"\nlocation = \"sec_global\"\n\
             quote = \"\"\ndescription = \"{criterion} is weak.\"\nsuggested_fix = \"Improve it.\"\n"
        ));
    }
    script
}

const OLD: &str = "# Boiling water\n\nThis lesson is about what happens in a kettle.\n\n## Heat\n\nThe plate under the kettle gets hot, and the water takes the heat up until it boils.\n\n## Steam\n\nBubbles of steam rise from the bottom and burst at the surface.\n";

#[test]
fn what_repair_does_not_help_is_written_anew_and_the_receipt_says_so() {
    let ran = run(refining(OLD, Hint::Markdown), &script(&weak("round = 0")));
    let outcome = &ran.outcome;
    assert_eq!(outcome.status, Status::Accepted, "{:?}", outcome.because);
    assert_eq!(text_of(outcome), written());
    let receipts = serde_json::to_value(outcome.receipts.as_ref().unwrap()).unwrap();
    receipt::verify(&receipts, OLD.as_bytes(), written().as_bytes()).unwrap();
    let edits = receipts["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 1);
    assert_eq!(edits[0]["tasks"][0], "round 1: written again");
    assert_eq!(edits[0]["removed"], OLD);
    // The planner of the rewrite is told what was wrong.
    assert_eq!(outcome.tasks.len(), 1);
    assert!(
        outcome.tasks[0]
            .issues
            .contains(&"It has no thread.".to_owned())
    );
    assert!(outcome.tasks[0].kept, "{:?}", outcome.tasks[0].because);
    let started = ran.events.iter().any(|event| {
        matches!(&event.kind, EventKind::RefinementStart { target_sections, estimated_tokens, .. }
            if target_sections[..] == [ComponentId::whole()] && *estimated_tokens > 0)
    });
    assert!(started, "{:?}", ran.events);
    let tasks = ran.events.iter().filter(|event| {
        matches!(&event.kind, EventKind::TaskStarted { section, .. }
            if *section == ComponentId::whole())
    });
    assert_eq!(tasks.count(), 1);
}

#[test]
fn a_lesson_in_json_stays_one() {
    let old = r#"{"lesson_id": 7, "title": "Old", "introduction": "About kettles.", "sections": [{"title": "Heat", "content": "The plate under the kettle gets hot."}], "conclusion": "It boils."}"#;
    let ran = run(refining(old, Hint::Json), &script(&weak("round = 0")));
    let lesson: serde_json::Value = serde_json::from_str(&text_of(&ran.outcome)).unwrap();
    assert_eq!(lesson["lesson_id"], 7);
    assert_eq!(lesson["introduction"], INTRODUCTION);
    assert_eq!(lesson["sections"][1]["title"], "Steam");
    assert_eq!(lesson["sections"][1]["content"], STEAM);
}

#[test]
fn examples_and_exercises_of_an_old_lesson_in_json_do_not_stay_beside_the_new_text() {
    let old = r#"{"lesson_id": 7, "title": "Old", "introduction": "About kettles.", "sections": [{"title": "Heat", "content": "The plate under the kettle gets hot."}], "examples": [{"title": "A pan", "content": "A pan of milk boils over."}], "exercises": [{"question": "Why does milk boil over?", "solution": "Its skin holds the steam."}], "conclusion": "It boils."}"#;
    let ran = run(refining(old, Hint::Json), &script(&weak("round = 0")));
    assert_eq!(ran.outcome.status, Status::Accepted);
    let text = text_of(&ran.outcome);
    assert!(!text.contains("milk"), "{text}");
    let lesson: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(lesson["lesson_id"], 7);
    assert_eq!(lesson["exercises"], serde_json::json!([]));
    // Nothing is removed silently: the receipt has the old text.
    let receipts = serde_json::to_value(ran.outcome.receipts.as_ref().unwrap()).unwrap();
    receipt::verify(&receipts, old.as_bytes(), text.as_bytes()).unwrap();
    let removed = receipts["edits"][0]["removed"].as_str().unwrap();
    assert!(removed.contains("Its skin holds the steam."), "{removed}");
}

#[test]
fn the_whole_is_written_anew_at_most_twice_a_run() {
    let another = |round: u32| {
        // A different text each time, because the same one would end the run.
        reply(
            "expander",
            &format!("round = {round}\nsection = \"sec_1\""),
            &format!("{HEAT} It takes about {round} minutes in a kettle of this size."),
        )
    };
    let first = [weak(""), another(1), another(2), another(3)].concat();
    for (most, planned) in [(0, 0), (1, 1), (2, 2)] {
        let mut setup = refining(OLD, Hint::Markdown);
        setup.policy.repair.whole_regenerations = most;
        setup.policy.repair.iterations = 5;
        // Three texts with the same score would end it as well.
        setup.policy.repair.converged_below = redraft_gate::score::Score::parse("0").unwrap();
        let ran = run(setup, &script(&first));
        assert_eq!(ran.asked_of("/plan/"), planned, "{:?}", ran.asked);
        assert_eq!(ran.outcome.status, Status::BestEffort);
        let because = ran.outcome.because.unwrap();
        assert!(
            matches!(
                because.stopped,
                Some(StopReason::NothingToRepair {
                    reason: NothingToRepair::WholeNeeded { .. }
                })
            ),
            "{because:?}"
        );
        // On a tie the earlier version (ruling 39).
        assert!(ran.outcome.final_content.is_none());
    }
}

#[test]
fn without_a_writer_the_reason_is_told_and_the_text_stays() {
    let mut setup = refining(OLD, Hint::Markdown);
    setup.seats.retain(|seat| seat.role != Role::Planner);
    let ran = run(setup, &script(&weak("")));
    assert_eq!(ran.outcome.status, Status::BestEffort);
    let because = ran.outcome.because.unwrap();
    assert!(
        matches!(
            because.stopped,
            Some(StopReason::NothingToRepair {
                reason: NothingToRepair::WholeNeeded {
                    obstacle: CannotWrite::NoModel {
                        role: Role::Planner
                    },
                    ..
                }
            })
        ),
        "{because:?}"
    );
    assert!(ran.outcome.final_content.is_none());
}

#[test]
fn a_planner_that_fails_leaves_the_best_text_so_far() {
    let down = "[[reply]]\nrole = \"planner\"\nfault = \"unauthorised\"\n";
    let ran = run(
        refining(OLD, Hint::Markdown),
        &script(&format!("{down}{}", weak(""))),
    );
    assert_eq!(ran.outcome.status, Status::BestEffort);
    let because = ran.outcome.because.unwrap();
    assert!(
        matches!(&because.stopped, Some(StopReason::NotRewritten {
            reason: NotWritten::NoAnswer(unscored)
        }) if unscored.message.contains("401")),
        "{because:?}"
    );
    assert!(ran.outcome.final_content.is_none());
}

#[test]
fn a_whole_that_nobody_can_read_is_written_anew_with_a_higher_limit() {
    let cut = r#"{"title": "Boiling water", "introduction": "A kettle hisses long bef"#;
    let setup = refining(cut, Hint::Json);
    assert_eq!(setup.self_review.status, review::Status::Regenerate);
    let run_of = setup;
    let (outcome, _, asks) = run_to_end(run_of, &Answers::default(), &[]);
    let limits: Vec<u32> = asks
        .iter()
        .filter(|ask| ask.role == Role::Expander)
        .map(|ask| ask.model.max_tokens)
        .collect();
    assert_eq!(limits, [4_000; 4]);
    assert_eq!(outcome.status, Status::Accepted, "{:?}", outcome.because);
    let lesson: serde_json::Value = serde_json::from_str(&text_of(&outcome)).unwrap();
    assert_eq!(lesson["conclusion"], SUMMARY);
}
