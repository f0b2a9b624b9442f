//! Structured repairs of Scottish cards (ruling 59): seed 000's five examples of feedback,
//! the real templates, and what a patcher must not do to a list.

use redraft_gate::companion::Companions;
use redraft_profiles::companions;
use redraft_run::outcome::Status;
use redraft_run::reasons::RollbackReason;
use redraft_run::repair::OperationKind;
use redraft_run::restructure::{RaisedBy, RestructuringAction};

use crate::cards::{BAD, GOOD, LONG, SHORT, changed, scored, sound};
use crate::fixtures::block;
use crate::json_fixtures::{
    Refined, ScriptedIssue, content, holds, refined, refinement_beside, repair,
};

const ENTRY: &str = r#"{"order": 4, "label": "Sharing Costs: Fractions of an Amount", "lesson_type": "teach", "estMinutes": 50, "outcomeRefs": ["O1"], "assessmentStandardRefs": ["AS1.1", "AS1.3"], "engagement_tags": ["shopping", "transport"], "policy": {"calculator_allowed": false}}"#;

fn entry() -> Companions {
    Companions {
        scheme_of_work: companions::scheme_of_work(ENTRY.as_bytes().to_vec()).unwrap(),
        ..Companions::default()
    }
}

fn run_beside(cards: &str, script: &str, companions: Companions) -> Refined {
    let setup = || refinement_beside("sqa-lesson", cards, companions.clone());
    let refined = refined(setup(), script);
    holds(cards, &setup(), &refined);
    refined
}

fn run(cards: &str, script: &str) -> Refined {
    run_beside(cards, script, Companions::default())
}

fn operation(verb: &str, path: &str, body: &str) -> String {
    format!("issues: issue_1\n<<<<<<< {verb} {path}\n{body}\n>>>>>>> END")
}

/// One judge's issue, the patcher's answer about it, and a good verdict on the result.
fn script(issue: ScriptedIssue<'_>, section: &str, answer: &str) -> String {
    let patched = repair("patcher", section, answer);
    [
        scored(0, BAD, &[issue]),
        scored(1, GOOD, &[]),
        patched,
        content(),
    ]
    .concat()
}

#[test]
fn feedback_example_1_splits_a_long_plain_sentence() {
    let cards = sound().replace(SHORT, LONG);
    let issue = (
        "accessibility",
        "minor",
        "card_003",
        LONG,
        "Card 3 explainer_plain contains a 20-word sentence. Split it into 2 sentences.",
    );
    let refined = run(&cards, &script(issue, "card_003", &block(LONG, SHORT)));
    assert_eq!(refined.outcome.status, Status::Accepted);
    assert_eq!(changed(&refined), ["card_003"]);
    assert!(refined.outcome.proposals.is_empty());
}

#[test]
fn feedback_example_2_turns_dollars_into_pounds_in_explainer_and_stem() {
    let cards = sound()
        .replace("£20", "$20")
        .replace("£5", "$5")
        .replace("a bill of £18", "a bill of $18");
    let issue = (
        "scottish_context",
        "critical",
        "card_002",
        "",
        "Card 2 explainer and CFU stem use $ instead of £. Replace all $ with £.",
    );
    let answer = [
        (
            "Four friends share a bill of $20",
            "Four friends share a bill of £20",
        ),
        (
            "bottom number: $20 ÷ 4 = $5.",
            "bottom number: £20 ÷ 4 = £5.",
        ),
        ("Check: 4 × $5 = $20.", "Check: 4 × £5 = £20."),
        ("share a bill of $18", "share a bill of £18"),
    ]
    .map(|(search, replace)| block(search, replace))
    .join("\n");
    let refined = run(&cards, &script(issue, "card_002", &answer));
    let outcome = &refined.outcome;
    assert_eq!(outcome.status, Status::Accepted, "{:?}", outcome.because);
    assert_eq!(refined.text(&cards), sound());
}

#[test]
fn feedback_example_3_adds_a_method_mark() {
    let bare = r#"{"description": "States £12", "points": 1}
          ]"#;
    let method = "            {\"description\": \"Divides £48 by 4 and shows the working\", \"points\": 1},\n";
    let cards = sound().replace(method, "").replacen(
        &format!("\"total_points\": 2,\n          \"criteria\": [\n            {bare}"),
        &format!("\"total_points\": 1,\n          \"criteria\": [\n            {bare}"),
        1,
    );
    assert_ne!(cards, sound());
    let issue = (
        "assessment_design",
        "major",
        "card_004",
        "States £12",
        "Card 4 rubric lacks method marks - it only awards the final answer.",
    );
    let answer = [
        operation(
            "ADD",
            "cards[3].cfu.rubric.criteria",
            "description: Divides £48 by 4 and shows the working\npoints: 1",
        ),
        operation("REPLACE", "cards[3].cfu.rubric.total_points", "2"),
    ]
    .join("\n");
    let refined = run(&cards, &script(issue, "card_004", &answer));
    let outcome = &refined.outcome;
    assert_eq!(
        outcome.status,
        Status::Accepted,
        "{:?} {:?}",
        outcome.because,
        outcome.tasks
    );
    assert_eq!(changed(&refined), ["card_004"]);
    let after = refined.text(&cards);
    assert!(after.contains("\"total_points\": 2,\n          \"criteria\": [\n            {\"description\": \"States £12\", \"points\": 1},\n            {\"description\": \"Divides £48 by 4 and shows the working\", \"points\": 1}\n          ]"), "{after}");
    let done: Vec<_> = outcome.tasks[0]
        .edits
        .iter()
        .filter_map(|edit| edit.operation.as_ref())
        .map(|one| (one.kind, one.path.as_str()))
        .collect();
    assert_eq!(
        done,
        [
            (OperationKind::Add, "cards[3].cfu.rubric.criteria"),
            (OperationKind::Replace, "cards[3].cfu.rubric.total_points"),
        ]
    );
    // The receipts say where, beside the bytes.
    let paths: Vec<Option<&str>> = outcome
        .receipts
        .as_ref()
        .unwrap()
        .edits
        .iter()
        .map(|edit| edit.path.as_deref())
        .collect();
    assert_eq!(
        paths,
        [
            Some("cards[3].cfu.rubric.total_points"),
            Some("cards[3].cfu.rubric.criteria"),
        ]
    );
    // The delta judge sees the list before and after.
    let delta = refined
        .asks
        .iter()
        .find(|ask| ask.id.0.contains("/delta/"))
        .unwrap();
    let asked = format!("{:?}", delta.prompt);
    assert!(
        asked.contains("Divides £48 by 4 and shows the working; points: 1"),
        "{asked}"
    );
}

#[test]
fn feedback_example_4_adds_the_missing_outcome() {
    let issue = (
        "sow_template_fidelity",
        "critical",
        "",
        "",
        "Lesson outcomeRefs lack the required outcome AS1.3 of the scheme of work.",
    );
    let answer = operation("ADD", "outcomeRefs", "AS1.3");
    let refined = run_beside(&sound(), &script(issue, "meta", &answer), entry());
    let outcome = &refined.outcome;
    assert_eq!(
        outcome.status,
        Status::Accepted,
        "{:?} {:?}",
        outcome.because,
        outcome.tasks
    );
    assert_eq!(changed(&refined), ["meta"]);
    assert_eq!(
        refined.text(&sound()),
        sound().replace(r#"["O1", "AS1.1"]"#, r#"["O1", "AS1.1", "AS1.3"]"#)
    );
}

#[test]
fn feedback_example_5_is_proposed_to_a_person() {
    let issue = (
        "pedagogical_design",
        "major",
        "",
        "",
        "The lesson takes longer than its 50 minutes. Merge Card 3 and Card 4 into a single Guided Practice card.",
    );
    let script = [scored(0, BAD, &[issue]), content()].concat();
    let refined = run(&sound(), &script);
    let outcome = &refined.outcome;
    assert_eq!(outcome.status, Status::Escalated);
    assert_eq!(changed(&refined), [] as [&str; 0]);
    let [proposal] = outcome.proposals.as_slice() else {
        panic!("{:?}", outcome.proposals)
    };
    assert_eq!(proposal.action, RestructuringAction::Merge);
    assert_eq!(proposal.raised_by, RaisedBy::Judge);
    let cards: Vec<&str> = proposal.components.iter().map(|id| id.0.as_str()).collect();
    assert_eq!(cards, ["card_003", "card_004"]);
    // Nobody is paid for what only a person does.
    assert!(
        refined
            .asked()
            .iter()
            .all(|ask| !ask.contains("/patch/") && !ask.contains("/expand/"))
    );
}
