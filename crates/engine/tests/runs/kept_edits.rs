//! Repairs of several issues of which only some are solved (ruling 55), under the shipped
//! policies: the edits of the solved ones stay, the others are rolled back, and events,
//! tasks and receipts say which is which.

use redraft_gate::reading::Hint;
use redraft_run::ask::{Ask, Role};
use redraft_run::event::EventKind;
use redraft_run::outcome::EditDone;
use redraft_run::policy::{Delta, Mode};
use redraft_run::setup::{Goal, Setup};
use serde_json::json;

use crate::fixtures::{Subject, block, setup_about};
use crate::in_memory::{
    CLEAN_LESSON, Finished, ModelReply, everybody, issue, parts, run_to_end, text_reply, verdict,
};

const FIRST: &str = "Therefore water boils sooner there, and potatoes take longer to cook.";
const BETTER: &str = "So water boils sooner there, and potatoes cook more slowly.";
const SECOND: &str = "High up the pressure of the air is lower.";
const NO_BETTER: &str = "Up there the pressure of the air is low.";

fn setup() -> Setup {
    let subject = Subject::of("lesson", CLEAN_LESSON, Hint::Markdown);
    Setup {
        goal: Goal::Refine,
        ..setup_about(&subject, everybody(), Mode::FullAuto)
    }
}

/// A section with two issues; the delta judge says no to these ids in the first round.
fn play(setup: Setup, patch: &str, unsolved: &[&str]) -> Finished {
    let model = |ask: &Ask| -> ModelReply {
        let (round, ..) = parts(ask);
        match ask.role {
            Role::Patcher if round == 1 => text_reply(ask, patch),
            Role::Patcher => text_reply(ask, "NO CHANGE NEEDED"),
            Role::DeltaJudge => {
                let schema = ask.schema.as_ref().unwrap().value();
                let ids = &schema["properties"]["answers"]["items"]["properties"]["id"]["enum"];
                let answers: Vec<_> = ids
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|id| {
                        let is_no = unsolved.iter().any(|unsolved| id == unsolved);
                        json!({"id": id, "reason": "looked at", "answer": if is_no { "no" } else { "yes" }})
                    })
                    .collect();
                text_reply(ask, json!({"answers": answers}).to_string())
            }
            _ => {
                let about = |quote: &str, fix: &str| {
                    issue("clarity_readability", "major", "sec_3", quote, fix)
                };
                let all = [
                    about(FIRST, "Say it more plainly."),
                    about(SECOND, "Name the height."),
                ];
                let issues = match round {
                    0 => &all[..],
                    _ => &all[1..],
                };
                verdict(ask, 800, &[("clarity_readability", 650)], "high", issues)
            }
        }
    };
    run_to_end(setup, model, &[])
}

/// The ids of the issues about the two sentences, as the arbiter has named them.
fn ids(finished: &Finished) -> [String; 2] {
    let prompt = finished.prompt("i1/patch/sec_3");
    [FIRST, SECOND].map(|quote| {
        let line = prompt
            .lines()
            .find(|line| line.contains(quote) && line.starts_with("issue_"));
        line.unwrap().split([' ', ':']).next().unwrap().to_owned()
    })
}

fn edits(finished: &Finished) -> Vec<EditDone> {
    let found = finished.events.iter().find_map(|event| match &event.kind {
        EventKind::VerificationResult { edits, .. } => Some(edits.clone()),
        _ => None,
    });
    found.unwrap()
}

/// The ids that the prompts use, found with a run in which all is solved.
fn named() -> [String; 2] {
    ids(&play(setup(), &block(FIRST, BETTER), &[]))
}

#[test]
fn the_edits_of_solved_issues_stay_and_the_others_are_rolled_back() {
    let [first, second] = named();
    let patch = format!(
        "issues: {first}\n{}\n\nissues: {second}\n{}",
        block(FIRST, BETTER),
        block(SECOND, NO_BETTER)
    );
    let finished = play(setup(), &patch, &[&second]);
    let result = finished.result();
    assert!(
        result.contains(BETTER) && result.contains(SECOND),
        "{}",
        finished.because()
    );
    let expected = [(&first, true), (&second, false)].map(|(id, kept)| EditDone {
        issues: vec![id.clone()],
        kept,
        operation: None,
    });
    assert_eq!(edits(&finished), expected);
    let rolled_back = finished.events.iter().find_map(|event| match &event.kind {
        EventKind::RolledBack { edits, .. } => Some(edits.clone()),
        _ => None,
    });
    assert_eq!(rolled_back.unwrap(), expected[1..]);
    let task = &finished.outcome.tasks[0];
    assert!(task.kept && task.because.is_some());
    assert_eq!(task.edits, expected);
    let receipts = finished.outcome.receipts.as_ref().unwrap();
    assert_eq!(
        receipts.edits[0].tasks,
        [format!("round 1: patch sec_3 ({first})")]
    );
    // Only what is not solved is tried again, and the reason is told.
    let again = finished.prompt("i2/patch/sec_3");
    assert!(
        again.contains(SECOND) && !again.contains(&format!("at “{FIRST}”")),
        "{again}"
    );
    assert!(again.contains("looked at"), "{again}");
}

#[test]
fn what_belongs_to_an_unsolved_issue_does_not_stay() {
    let [first, second] = named();
    let two = |one: &str, other: &str| {
        format!(
            "{one}{}\n\n{other}{}",
            block(FIRST, BETTER),
            block(SECOND, NO_BETTER)
        )
    };
    for patch in [
        // Nobody says what an edit is for, so it is for everything.
        two("", ""),
        two("issues: issue_99\n", &format!("issues: {second}\n")),
        // One edit for both.
        two(
            &format!("issues: {first}, {second}\n"),
            &format!("issues: {second}\n"),
        ),
    ] {
        let finished = play(setup(), &patch, &[&second]);
        assert_eq!(finished.result(), CLEAN_LESSON, "{patch}");
        assert!(edits(&finished).iter().all(|edit| !edit.kept), "{patch}");
    }
    // Who broke a constraint is not known; and in both orders a repair is one edit.
    let patch = two(
        &format!("issues: {first}\n"),
        &format!("issues: {second}\n"),
    );
    let mut both_orders = setup();
    both_orders.policy.repair.delta = Delta::BothOrders;
    let finished = run_to_end(
        both_orders,
        |ask| match ask.role {
            Role::Patcher => text_reply(ask, patch.clone()),
            Role::DeltaJudge => {
                text_reply(ask, json!({"reason": "no", "better": "same"}).to_string())
            }
            _ => {
                let issue = issue(
                    "clarity_readability",
                    "major",
                    "sec_3",
                    FIRST,
                    "Say it plainly.",
                );
                verdict(ask, 800, &[("clarity_readability", 650)], "high", &[issue])
            }
        },
        &[],
    );
    assert_eq!(finished.result(), CLEAN_LESSON);
}
