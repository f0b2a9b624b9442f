//! Repairs of several issues of which only some are solved (ruling 55), under the shipped policies:
//! edits of solved issues are kept, others are rolled back, and events, tasks and receipts say
//! which.

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

fn shipped() -> Setup {
    let subject = Subject::of("lesson", CLEAN_LESSON, Hint::Markdown);
    Setup {
        goal: Goal::Refine,
        ..setup_about(&subject, everybody(), Mode::FullAuto)
    }
}

/// Without a retry in the same round.
fn setup() -> Setup {
    let mut setup = shipped();
    setup.policy.repair.retries = 0;
    setup
}

/// A section with two issues. The delta judge says no to these ids in the first round.
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

/// The arbiter's ids of the issues about the two sentences.
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

/// The ids in prompts, found by a run in which everything is solved.
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
    // Only the unsolved issue is retried, with the reason.
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
        // Edits that name no issue serve all of them.
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
    // It is unknown which edit broke a constraint; and when both orders are asked, a repair counts
    // as one edit.
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

/// A run in which the second sentence is fixed at the second try, or never.
fn play_again(setup: Setup, is_mended: bool) -> Finished {
    let [first, second] = named();
    let patch = format!(
        "issues: {first}\n{}\n\nissues: {second}\n{}",
        block(FIRST, BETTER),
        block(SECOND, NO_BETTER)
    );
    let again = format!("issues: {second}\n{}", block(SECOND, HIGHER));
    let model = |ask: &Ask| -> ModelReply {
        let is_again = ["/sec_3/2/", "/sec_3/3/"]
            .iter()
            .any(|again| ask.id.0.contains(again));
        match ask.role {
            Role::Patcher if is_again => text_reply(ask, again.clone()),
            Role::Patcher => text_reply(ask, patch.clone()),
            Role::DeltaJudge => {
                let is_no = |id: &str| id == second && !(is_again && is_mended);
                let schema = ask.schema.as_ref().unwrap().value();
                let ids = &schema["properties"]["answers"]["items"]["properties"]["id"]["enum"];
                let answers: Vec<_> = ids
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|id| {
                        let answer = if is_no(id.as_str().unwrap()) {
                            "no"
                        } else {
                            "yes"
                        };
                        json!({"id": id, "reason": "It names no height.", "answer": answer})
                    })
                    .collect();
                text_reply(ask, json!({"answers": answers}).to_string())
            }
            _ if ask.prompt.user.contains(HIGHER) => verdict(ask, 950, &[], "high", &[]),
            _ => {
                let about = |quote: &str, fix: &str| {
                    issue("clarity_readability", "major", "sec_3", quote, fix)
                };
                let all = [
                    about(FIRST, "Say it more plainly."),
                    about(SECOND, "Name the height."),
                ];
                let open = all
                    .into_iter()
                    .filter(|issue| ask.prompt.user.contains(issue["quote"].as_str().unwrap()));
                let open: Vec<_> = open.collect();
                verdict(ask, 800, &[("clarity_readability", 650)], "high", &open)
            }
        }
    };
    run_to_end(setup, model, &[])
}

const HIGHER: &str = "In the high mountains the pressure of the air is lower.";

#[test]
fn what_is_not_solved_is_tried_again_before_anybody_is_paid_to_judge() {
    let finished = play_again(shipped(), true);
    let result = finished.result();
    assert!(
        result.contains(BETTER) && result.contains(HIGHER),
        "{}",
        finished.because()
    );
    // One round, in which the first edit was kept and the second one requested again.
    assert_eq!(
        finished.asked("i1/patch/sec_3"),
        2,
        "{:?}",
        finished.names()
    );
    assert_eq!(finished.asked("i2/"), 0, "{:?}", finished.names());
    assert_eq!(finished.asked("i1/judge/judge_secondary"), 1);
    let again = finished.prompt("i1/patch/sec_3/2/");
    assert!(again.contains("It names no height."), "{again}");
    let issues = again.split("<redraft:issues>").nth(1).unwrap();
    assert!(
        issues.contains(SECOND) && !issues.contains(FIRST),
        "{again}"
    );
    assert!(!issues.contains("more plainly"), "{again}");
    let tasks: Vec<(bool, bool)> = finished
        .outcome
        .tasks
        .iter()
        .map(|task| (task.retry, task.kept))
        .collect();
    assert_eq!(tasks, [(false, true), (true, true)]);
    // It counts as one edit of the section, which is not reported as still changing.
    assert!(finished.outcome.still_changing.is_empty());
}

#[test]
fn it_is_tried_again_as_often_as_the_policy_says_and_counts_as_one_edit() {
    for retries in [0, 1, 2] {
        let mut setup = shipped();
        setup.policy.repair.retries = retries;
        let (rounds, edits) = (
            setup.policy.repair.iterations,
            setup.policy.repair.edits_per_component,
        );
        let finished = play_again(setup, false);
        let in_round = |round: u32| finished.asked(&format!("i{round}/patch/sec_3"));
        assert_eq!(in_round(1), 1 + retries as usize, "{:?}", finished.names());
        let tried = (1..=rounds).filter(|round| in_round(*round) > 0).count();
        assert!(tried as u32 <= edits, "{:?}", finished.names());
    }
}
