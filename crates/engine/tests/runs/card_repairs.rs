//! Structured repairs of Scottish cards (ruling 59): the five examples of feedback in seed 000, the
//! real templates, and what a patcher must not do to a list.

use redraft_gate::companion::Companions;
use redraft_profiles::companions;
use redraft_run::outcome::{OperationKind, Status};
use redraft_run::policy::EditForm;
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

fn run_beside(cards: &str, script: &str, companions: &Companions) -> Refined {
    let setup = || refinement_beside("sqa-lesson", cards, companions.clone());
    let refined = refined(setup(), script);
    holds(cards, &setup(), &refined);
    refined
}

fn run(cards: &str, script: &str) -> Refined {
    run_beside(cards, script, &Companions::default())
}

fn operation(verb: &str, path: &str, body: &str) -> String {
    format!("issues: issue_1\n<<<<<<< {verb} {path}\n{body}\n>>>>>>> END")
}

/// One issue of a judge, the patcher's answer to it, and a good verdict on the result.
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

/// Cards with a rubric that only gives a mark for the answer, and the replies about them.
fn without_method_mark() -> (String, String) {
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
    let script = script(issue, "card_004", &answer);
    (cards, script)
}

#[test]
fn feedback_example_3_adds_a_method_mark() {
    let (cards, script) = without_method_mark();
    let refined = run(&cards, &script);
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
    // The receipts contain paths as well as bytes.
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

/// Local models are asked for the whole component first, but lists are still changed by operations.
#[test]
fn feedback_example_3_also_works_where_whole_components_are_asked_for() {
    let (cards, script) = without_method_mark();
    let setup = || {
        let mut setup = refinement_beside("sqa-lesson", &cards, Companions::default());
        setup.policy.repair.edit_form = Some(EditForm::Whole);
        setup
    };
    let refined = refined(setup(), &script);
    holds(&cards, &setup(), &refined);
    assert_eq!(refined.outcome.status, Status::Accepted);
    assert!(
        refined
            .text(&cards)
            .contains("\"description\": \"Divides £48 by 4 and shows the working\"")
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
    let refined = run_beside(&sound(), &script(issue, "meta", &answer), &entry());
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
    // No model is paid for what only a reviewer does.
    assert!(
        refined
            .asked()
            .iter()
            .all(|ask| !ask.contains("/patch/") && !ask.contains("/expand/"))
    );
}

const UNITS: &str = include_str!("cards/units.json");

/// A good model's answers about a card without hints and one of the wrong type.
fn good_answers() -> String {
    let hints = "<<<<<<< ADD cards[2].cfu.hints\nWhich number on the label is a weight?\nWhich letters stand after that number?\nWhere does the pound sign go?\n>>>>>>> END";
    let numeric = [
        "<<<<<<< REPLACE cards[3].cfu.type\nnumeric\n>>>>>>> END".to_owned(),
        block(
            "Choose the best answer from the options.",
            "Work out the answer.",
        ),
        block(
            "The answer is chosen from a list.",
            "Work out what you spend.",
        ),
    ]
    .join("\n");
    [
        repair("patcher", "c3_guided_practice", hints),
        repair("patcher", "c4_independent_practice", &numeric),
    ]
    .concat()
}

#[test]
fn a_lesson_of_the_real_shape_passes_and_untouched_cards_keep_their_bytes() {
    let issues: [ScriptedIssue<'_>; 2] = [
        (
            "assessment_design",
            "major",
            "c3_guided_practice",
            "",
            "Guided practice has no hints. Add 3 hints that lead on.",
        ),
        (
            "assessment_design",
            "major",
            "c4_independent_practice",
            "",
            "Independent practice uses multiple choice. Make it a numeric question.",
        ),
    ];
    let script = [
        scored(0, BAD, &issues),
        scored(1, GOOD, &[]),
        good_answers(),
        content(),
    ]
    .concat();
    let refined = run(UNITS, &script);
    let outcome = &refined.outcome;
    assert_eq!(
        outcome.status,
        Status::Accepted,
        "{:?} {:#?}",
        outcome.because,
        outcome.tasks
    );
    assert_eq!(
        changed(&refined),
        ["c3_guided_practice", "c4_independent_practice"]
    );
    let after = refined.text(UNITS);
    // In the file's own indentation.
    assert!(after.contains("        ],\n        \"hints\": [\n          \"Which number on the label is a weight?\",\n          \"Which letters stand after that number?\",\n          \"Where does the pound sign go?\"\n        ]\n      },"), "{after}");
    assert!(after.contains("        \"type\": \"numeric\",\n        \"id\": \"q4\",\n        \"stem\": \"You pay £12.00 for a ticket and get 55p back for a voucher. What have you spent?\",\n        \"expected\": 11.45,\n        \"tolerance\": 0,\n        \"money2dp\": true\n      },"), "{after}");
    serde_json::from_str::<serde_json::Value>(&after).unwrap();
}

/// A good critic's issues about a real template, and a good patcher's answers. The replaced text is
/// read from the file, because it is not ours to copy.
struct Real {
    file: &'static str,
    issues: &'static [ScriptedIssue<'static>],
    answers: &'static [RealAnswer],
    changed: &'static [&'static str],
}

/// A change to a text.
type Change = fn(&str) -> String;

/// A card, the text in it to search for (by its JSON pointer) and the change to it; and an answer
/// that contains no text of the file.
struct RealAnswer {
    card: &'static str,
    edits: &'static [(&'static str, Change)],
    more: &'static str,
}

/// Puts each sentence on its own line.
fn in_lines(text: &str) -> String {
    text.replace(". ", ".\n")
}

/// Removes the sentence about options.
fn without_options(text: &str) -> String {
    let sentences = text.split_inclusive(". ").map(|sentence| {
        if sentence.contains("options") {
            "Read the question and write the answer with its sign and its two decimals. "
        } else {
            sentence
        }
    });
    sentences.collect()
}

/// Replaces the last sentence.
fn written_as_money(text: &str) -> String {
    let (head, _) = text.trim_end_matches('.').rsplit_once(". ").unwrap();
    format!("{head}. Write the answer as money.")
}

/// Removes the passive.
fn active(text: &str) -> String {
    let lines = text.lines().map(|line| {
        if line.contains(" is ") {
            "The list uses words."
        } else {
            line
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The stem with an example that is not its answer.
fn other_example(text: &str) -> String {
    text.replace("4.00", "7.00")
}

const REAL: [Real; 3] = [
    Real {
        file: "mock_lesson_template.json",
        issues: &[
            (
                "assessment_design",
                "major",
                "card_003",
                "",
                "The stem shows the answer as its example, and hint 3 gives it away. Replace the hint.",
            ),
            (
                "accessibility",
                "minor",
                "card_002",
                "",
                "explainer_plain numbers its steps in running text. Put each step on its own line.",
            ),
        ],
        answers: &[
            RealAnswer {
                card: "card_003",
                edits: &[("/cards/2/cfu/stem", other_example)],
                more: "<<<<<<< REPLACE cards[2].cfu.hints[2]\nLook at your answer again. Is it less than half of the money?\n>>>>>>> END",
            },
            RealAnswer {
                card: "card_002",
                edits: &[("/cards/1/explainer_plain", in_lines)],
                more: "",
            },
        ],
        changed: &["card_002", "card_003"],
    },
    Real {
        file: "lesson_template_authored_mathematics_nat4.json",
        issues: &[
            (
                "assessment_design",
                "major",
                "c3_guided_practice",
                "",
                "Guided practice has no hints. Add 3 hints.",
            ),
            (
                "assessment_design",
                "major",
                "c4_independent_practice",
                "",
                "Independent practice uses multiple choice. Use a numeric question.",
            ),
        ],
        answers: &[
            RealAnswer {
                card: "c3_guided_practice",
                edits: &[],
                more: "<<<<<<< ADD cards[2].cfu.hints\nRead one ingredient at a time.\nAsk what a baker would measure it in.\nIs the amount sensible in that unit?\n>>>>>>> END",
            },
            RealAnswer {
                card: "c4_independent_practice",
                edits: &[
                    ("/cards/3/explainer", without_options),
                    ("/cards/3/explainer_plain", written_as_money),
                ],
                more: "<<<<<<< REPLACE cards[3].cfu.type\nnumeric\n>>>>>>> END",
            },
        ],
        changed: &["c3_guided_practice", "c4_independent_practice"],
    },
    Real {
        file: "lesson_template_authored_mathematics_nat4_original.json",
        issues: &[
            (
                "assessment_design",
                "major",
                "c3_guided_practice",
                "",
                "Guided practice has no hints. Add 3 hints.",
            ),
            (
                "accessibility",
                "major",
                "c4_independent_practice",
                "",
                "A sentence of explainer_plain is passive.",
            ),
        ],
        answers: &[
            RealAnswer {
                card: "c3_guided_practice",
                edits: &[],
                more: "<<<<<<< ADD cards[2].cfu.hints\nFind the number for the weight first.\nWhich letters stand for that unit?\nNow write the price with its sign.\n>>>>>>> END",
            },
            RealAnswer {
                card: "c4_independent_practice",
                edits: &[("/cards/3/explainer_plain", active)],
                more: "",
            },
        ],
        changed: &["c3_guided_practice", "c4_independent_practice"],
    },
];

#[test]
fn the_real_templates_pass_and_untouched_cards_keep_their_bytes() {
    let folder = std::env::var_os("REDRAFT_DATA").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        std::path::PathBuf::from,
    );
    let folder = folder.join("sqa");
    if !folder.is_dir() {
        eprintln!("skipped: no reference data (sqa)");
        return;
    }
    for real in REAL {
        let cards = std::fs::read_to_string(folder.join(real.file)).unwrap();
        let mut script = [scored(0, BAD, real.issues), scored(1, GOOD, &[])].concat();
        let values: serde_json::Value = serde_json::from_str(&cards).unwrap();
        for answer in real.answers {
            let edits = answer.edits.iter().map(|(pointer, change)| {
                let text = values.pointer(pointer).unwrap().as_str().unwrap();
                block(text, &change(text)) + "\n"
            });
            let text = edits.collect::<String>() + answer.more;
            script.push_str(&repair("patcher", answer.card, &text));
        }
        script.push_str(&content());
        let refined = run(&cards, &script);
        let outcome = &refined.outcome;
        assert_eq!(
            outcome.status,
            Status::Accepted,
            "{}: {:?} {:#?}",
            real.file,
            outcome.because,
            outcome.tasks
        );
        assert_eq!(changed(&refined), real.changed, "{}", real.file);
        let after = refined.text(&cards);
        serde_json::from_str::<serde_json::Value>(&after).unwrap();
        let lost = redraft_gate::receipt::verify(
            &serde_json::to_value(outcome.receipts.as_ref().unwrap()).unwrap(),
            cards.as_bytes(),
            after.as_bytes(),
        );
        assert!(lost.is_ok(), "{}", real.file);
    }
}

#[test]
fn an_expected_answer_changes_only_to_what_arithmetic_proves() {
    let cards = sound()
        .replace(
            "A fare is £27. A railcard takes 1/3 off. How much is the discount in pounds?",
            "What is £27 ÷ 3?",
        )
        .replace("\"expected\": 9,", "\"expected\": 8,");
    for (value, expected) in [("9", Status::Accepted), ("7", Status::Escalated)] {
        let script = [
            scored(0, GOOD, &[]),
            scored(1, GOOD, &[]),
            repair(
                "patcher",
                "card_003",
                &format!("<<<<<<< REPLACE cards[2].cfu.expected\n{value}\n>>>>>>> END"),
            ),
            content(),
        ]
        .concat();
        let refined = run(&cards, &script);
        let outcome = &refined.outcome;
        assert_eq!(
            outcome.status, expected,
            "{:?} {:#?}",
            outcome.because, outcome.tasks
        );
        if expected == Status::Accepted {
            let right = cards.replace("\"expected\": 8,", "\"expected\": 9,");
            assert_eq!(refined.text(&cards), right);
        } else {
            assert_eq!(changed(&refined), [] as [&str; 0]);
        }
    }
}

#[test]
fn a_theme_that_no_card_uses_is_repaired_in_a_card() {
    // Themed by the scheme's entry. The tags themselves are correct.
    let themed = ENTRY.replace(
        "[\"shopping\", \"transport\"]",
        "[\"gardening\", \"sport\"]",
    );
    let companions = Companions {
        scheme_of_work: companions::scheme_of_work(themed.into_bytes()).unwrap(),
        ..Companions::default()
    };
    let cards = sound().replace(r#"["O1", "AS1.1"]"#, r#"["O1", "AS1.1", "AS1.3"]"#);
    let script = [
        scored(0, GOOD, &[]),
        scored(1, GOOD, &[]),
        repair(
            "patcher",
            "card_003",
            &block(
                "Let us work this one out together.",
                "Let us work this one out together, on the way to a football match.",
            ),
        ),
        content(),
    ]
    .concat();
    let refined = run_beside(&cards, &script, &companions);
    let sections: Vec<&str> = refined
        .outcome
        .tasks
        .iter()
        .map(|task| task.section_id.0.as_str())
        .collect();
    assert!(
        sections.iter().all(|section| *section == "card_003"),
        "{sections:?}"
    );
    assert_eq!(
        refined.outcome.status,
        Status::Accepted,
        "{:?}",
        refined.outcome.because
    );
}
