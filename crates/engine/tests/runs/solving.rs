//! Items that are solved without their key: when a solver is asked, what it sees, the effect of its
//! answers, and that the key never changes.

use redraft_gate::span::ComponentId;
use redraft_run::ask::Role;
use redraft_run::event::EventKind;
use redraft_run::outcome::Status;
use redraft_run::reasons::{Because, BeyondRepair, NotAccepted, StopReason};
use redraft_run::setup::{Goal, Setup};
use redraft_run::solve::{SolvingResult, letter};

use crate::fixtures::{block, seat};
use crate::items::ITEM;
use crate::json_fixtures::{Refined, content, refined, refinement, repair, verdict};
use crate::kill_and_resume::{Cuts, survives_being_killed};

const NAMES: [&str; 5] = [
    "clinical_accuracy",
    "pedagogical_alignment",
    "distractor_quality",
    "slo_coverage",
    "blooms_match",
];

/// A judge that finds no issue.
fn good(round: u32) -> String {
    scored(round, [0.92, 0.88, 0.9, 0.86, 0.84])
}

fn scored(round: u32, scores: [f64; 5]) -> String {
    let scores: Vec<(&str, f64)> = NAMES.into_iter().zip(scores).collect();
    verdict(round, &scores, &[])
}

fn setup_for(goal: Goal, item: &str) -> Setup {
    let mut setup = refinement("clinical-mcq", item);
    setup.goal = goal;
    setup.seats.push(seat(Role::Solver, &["solver"]));
    setup
}

/// The letter under which an option is shown, in each of the two orders.
fn shown_as(item: &str, option: usize) -> [String; 2] {
    let setup = setup_for(Goal::Judge, item);
    let document = &setup.inspected.document;
    let question = setup.profile.blind_question(document).unwrap();
    let orders = question.orders(document.source().version());
    orders.map(|order| letter(order.iter().position(|index| *index == option).unwrap()))
}

/// What the solver answers to each question.
fn answers(given: [(&str, &str); 2]) -> String {
    let one = |order: &str, (letter, confidence): (&str, &str)| {
        let reply = format!(
            r#"{{"reason": "Because of {order}.", "answer": "{letter}", "confidence": "{confidence}"}}"#
        );
        solver(order, &reply)
    };
    one("first", given[0]) + &one("second", given[1])
}

fn solver(order: &str, reply: &str) -> String {
    format!("[[reply]]\nrole = \"solver\"\nsection = {order:?}\ntext = '''{reply}'''\n")
}

/// The same option both times, with these confidences.
fn both(item: &str, option: usize, sure: [&str; 2]) -> String {
    let letters = shown_as(item, option);
    answers([(&letters[0], sure[0]), (&letters[1], sure[1])])
}

fn run(goal: Goal, script: &str) -> Refined {
    refined(setup_for(goal, ITEM), script)
}

fn questions(refined: &Refined) -> Vec<String> {
    let asked = refined.asked().into_iter();
    asked.filter(|name| name.contains("/solve/")).collect()
}

#[test]
fn a_solver_that_agrees_is_asked_once_and_nothing_else_changes() {
    for goal in [Goal::Judge, Goal::Refine] {
        let refined = run(goal, &(good(0) + &both(ITEM, 0, ["low", "low"])));
        assert_eq!(refined.outcome.status, Status::Accepted, "{goal:?}");
        assert_eq!(questions(&refined), ["i0/solve/first"]);
        let solving = refined.outcome.solving.unwrap();
        assert_eq!(solving.result, SolvingResult::Agrees);
        assert!(refined.outcome.undisputed.is_none());
    }
}

#[test]
fn the_same_other_answer_twice_with_high_confidence_goes_to_a_person() {
    for goal in [Goal::Judge, Goal::Refine] {
        let refined = run(goal, &(good(0) + &both(ITEM, 2, ["high", "high"])));
        let outcome = &refined.outcome;
        assert_eq!(outcome.status, Status::Escalated, "{goal:?}");
        assert!(outcome.needs_review && !outcome.passed);
        // No repair follows, and no byte changes.
        assert!(outcome.tasks.is_empty() && outcome.final_content.is_none());
        let Some(Because {
            not_accepted: NotAccepted::KeyDisputed { key, answers },
            stopped,
        }) = &outcome.because
        else {
            panic!("{:?}", outcome.because);
        };
        assert_eq!((key.letter.as_str(), key.text.as_str()), ("A", "Ramipril"));
        let named: Vec<(&str, &str)> = answers
            .iter()
            .map(|answer| (answer.option.text.as_str(), answer.reason.as_str()))
            .collect();
        assert_eq!(
            named,
            [
                ("Amlodipine", "Because of first."),
                ("Amlodipine", "Because of second.")
            ]
        );
        let beyond = StopReason::BeyondRepair {
            reason: BeyondRepair::KeyDisputed,
        };
        let expected = (goal == Goal::Refine).then_some(beyond);
        assert_eq!(*stopped, expected);
        let told = refined.events.iter().filter_map(|event| match &event.kind {
            EventKind::Solved { solving, .. } => Some(solving.result),
            _ => None,
        });
        assert_eq!(told.collect::<Vec<_>>(), [SolvingResult::Disagrees]);
        // Without the solver it would have passed.
        let undisputed = outcome.undisputed().unwrap();
        assert_eq!(undisputed.status, Status::Accepted);
        assert!(undisputed.passed && !undisputed.needs_review);
        assert_eq!(undisputed.because, None);
    }
}

#[test]
fn a_solver_that_is_not_sure_or_changes_its_mind_changes_nothing() {
    let (other, third) = (shown_as(ITEM, 2), shown_as(ITEM, 3));
    let key = shown_as(ITEM, 0);
    for (first, second, asked) in [
        ((&other[0], "medium"), (&other[1], "high"), 1),
        ((&other[0], "high"), (&other[1], "medium"), 2),
        ((&other[0], "high"), (&third[1], "high"), 2),
        ((&other[0], "high"), (&key[1], "high"), 2),
        // The same letter both times: another option.
        ((&other[0], "high"), (&other[0], "high"), 2),
    ] {
        let script = answers([(first.0, first.1), (second.0, second.1)]);
        let refined = run(Goal::Judge, &(good(0) + &script));
        assert_eq!(refined.outcome.status, Status::Accepted, "{script}");
        assert_eq!(questions(&refined).len(), asked, "{script}");
        let result = refined.outcome.solving.unwrap().result;
        assert_eq!(result, SolvingResult::Unsure, "{script}");
    }
}

#[test]
fn what_a_hostile_solver_says_is_asked_again_and_then_left() {
    for reply in [
        r#"{"reason": "x", "answer": "A or B", "confidence": "high"}"#,
        r#"{"reason": "x", "answer": "Z", "confidence": "high"}"#,
        r#"{"reason": "x", "answer": "Amlodipine", "confidence": "high"}"#,
        r#"{"reason": "x", "answer": "B", "confidence": "1.0"}"#,
        "B",
        "Ответ: Б, уверенность высокая.",
        "I'm sorry, but I can't help with medical advice.",
        r#"{"scores": {"clinical_accuracy": 0.1}}"#,
        "",
    ] {
        let refined = run(Goal::Judge, &(good(0) + &solver("first", reply)));
        assert_eq!(refined.outcome.status, Status::Accepted, "{reply}");
        let solving = refined.outcome.solving.as_ref().unwrap();
        assert_eq!(solving.result, SolvingResult::Unanswered, "{reply}");
        assert!(solving.unanswered.is_some() && solving.answers.is_empty());
        assert_eq!(questions(&refined), ["i0/solve/first"]);
    }
    // A good answer after a malformed one counts.
    let letters = shown_as(ITEM, 2);
    let bad = "[[reply]]\nrole = \"solver\"\nsection = \"first\"\ntry = 1\ntext = \"B\"\n";
    let script = [
        good(0),
        bad.to_owned(),
        answers([(&letters[0], "high"), (&letters[1], "high")]),
    ];
    let refined = run(Goal::Judge, &script.concat());
    assert_eq!(refined.outcome.status, Status::Escalated);
}

#[test]
fn a_solver_is_not_asked_where_it_cannot_change_anything() {
    let solves = both(ITEM, 2, ["high", "high"]);
    let no_key = ITEM
        .replacen("true", "false", 1)
        .replacen("\"answerKey\": \"A\",", "", 1);
    let combined = ITEM.replacen("\"Simvastatin\"", "\"Both A and C\"", 1);
    let weak = scored(0, [0.6, 0.62, 0.55, 0.64, 0.66]);
    for (item, judged, why) in [
        (ITEM, weak.as_str(), "the item is not accepted anyway"),
        (&no_key, good(0).as_str(), "nobody knows its key"),
        (&combined, good(0).as_str(), "its options name letters"),
    ] {
        let mut setup = setup_for(Goal::Refine, item);
        setup.policy.repair.iterations = 0;
        let refined = refined(setup, &(judged.to_owned() + &solves));
        assert_eq!(questions(&refined), [] as [&str; 0], "{why}");
    }
    // Nor if the policy forbids it, or no solver is configured.
    let mut setup = setup_for(Goal::Judge, ITEM);
    setup.policy.solve = false;
    let off = refined(setup, &(good(0) + &solves));
    assert_eq!(off.outcome.status, Status::Accepted);
    assert!(questions(&off).is_empty() && off.outcome.solving.is_none());
    let mut setup = setup_for(Goal::Judge, ITEM);
    setup.seats.retain(|seat| seat.role != Role::Solver);
    assert!(questions(&refined(setup, &(good(0) + &solves))).is_empty());
}

#[test]
fn the_solver_sees_neither_key_nor_explanations_and_each_order_once() {
    let refined = run(Goal::Judge, &(good(0) + &both(ITEM, 2, ["high", "high"])));
    let asks: Vec<&redraft_run::ask::Ask> = refined
        .asks
        .iter()
        .filter(|ask| ask.role == Role::Solver)
        .collect();
    assert_eq!(asks.len(), 2);
    let mut orders = Vec::new();
    for ask in asks {
        let words = format!("{}{}", ask.prompt.system, ask.prompt.user);
        for secret in ["isCorrect", "answerKey", "bradykinin", "points to an ACE"] {
            assert!(!words.contains(secret), "{secret}: {words}");
        }
        for shown in ["dry cough for six weeks", "most likely cause of his cough"] {
            assert!(words.contains(shown), "{shown}: {words}");
        }
        let options = words.split("<redraft:options>").nth(1).unwrap();
        let options = options.split("</redraft:options>").next().unwrap();
        assert_eq!(options.trim().lines().count(), 4, "{options}");
        orders.push(options.to_owned());
        let schema = ask.schema.as_ref().unwrap().text();
        assert!(schema.contains(r#""enum":["A","B","C","D"]"#), "{schema}");
    }
    assert_ne!(orders[0], orders[1]);
    // The same text leads to the same questions.
    let again = run(Goal::Judge, &(good(0) + &both(ITEM, 2, ["high", "high"])));
    assert_eq!(
        again.asks.last().unwrap().fingerprint,
        refined.asks.last().unwrap().fingerprint
    );
}

#[test]
fn a_corrected_item_is_solved_as_it_is_then() {
    let weak: crate::json_fixtures::ScriptedIssue<'_> = (
        "distractor_quality",
        "major",
        "",
        "Vitamin C",
        "Nobody takes a vitamin for a drug against high blood pressure.",
    );
    let low: Vec<(&str, f64)> = NAMES
        .into_iter()
        .zip([0.76, 0.77, 0.3, 0.76, 0.76])
        .collect();
    let after = ITEM.replacen("Vitamin C", "Doxazosin", 1);
    let script = [
        verdict(0, &low, &[weak]),
        good(1),
        repair("patcher", "options", &block("Vitamin C", "Doxazosin")),
        content(),
        both(&after, 1, ["high", "high"]),
    ]
    .concat();
    let refined = run(Goal::Refine, &script);
    assert_eq!(questions(&refined), ["i1/solve/first", "i1/solve/second"]);
    assert_eq!(refined.outcome.status, Status::Escalated);
    let text = refined.text(ITEM);
    // The correction stays, and so does the key.
    assert_eq!(text, after);
    let kept: Vec<&ComponentId> = refined
        .outcome
        .tasks
        .iter()
        .map(|one| &one.section_id)
        .collect();
    assert_eq!(kept, [&ComponentId("options".into())]);
}

#[test]
fn a_run_that_is_killed_while_it_solves_comes_to_the_same_end() {
    let script = good(0) + &both(ITEM, 2, ["high", "high"]);
    for goal in [Goal::Judge, Goal::Refine] {
        let make = || setup_for(goal, ITEM);
        let outcome = survives_being_killed(&make, &script, 8, Cuts::Everywhere);
        assert_eq!(outcome.status, Status::Escalated);
    }
}

#[test]
fn a_solver_that_cannot_be_paid_or_reached_changes_nothing() {
    let mut setup = setup_for(Goal::Judge, ITEM);
    setup.seats.last_mut().unwrap().models[0].max_tokens = 1_000_000;
    let solves = both(ITEM, 2, ["high", "high"]);
    let unpaid = refined(setup, &(good(0) + &solves));
    assert_eq!(unpaid.outcome.status, Status::Accepted);
    assert_eq!(questions(&unpaid), [] as [&str; 0]);
    let down = "[[reply]]\nrole = \"solver\"\nfault = \"unauthorised\"\n";
    let down = run(Goal::Judge, &(good(0) + down));
    assert_eq!(down.outcome.status, Status::Accepted);
    let solving = down.outcome.solving.unwrap();
    assert_eq!(solving.result, SolvingResult::Unanswered);
}
