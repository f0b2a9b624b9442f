//! The shapes of the seeds as a pipeline reads them, and the schemas of everything
//! that `judge` and `refine` print: whatever comes out follows them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use redraft::pages;
use serde_json::{Value, json};

use crate::folder::{Folder, ITEM, LESSON};
use crate::workplace::repository;

/// Four cards, the third with a sentence of 17 words, the second with dollars.
const CARDS: &str = r#"{"title": "Sharing a bill fairly", "lesson_type": "teach", "outcomeRefs": ["O1"], "estMinutes": 40, "cards": [
  {"id": "card_001", "title": "Starter", "explainer": "We share a bill of £20.", "explainer_plain": "We share £20.",
   "cfu": {"type": "mcq", "stem": "Which is half of £20?", "options": ["£5", "£10", "£15"], "answerIndex": 1}},
  {"id": "card_002", "title": "I Do", "explainer": "A meal costs $20. We share it between 4 people.", "explainer_plain": "We share $20.",
   "cfu": {"type": "numeric", "stem": "Share £20 between 4 people.", "expected": 5}},
  {"id": "card_003", "title": "We Do", "explainer": "Let us share £20 together.", "explainer_plain": "When we cut £20 into 4 equal heaps we can all see that each heap is £5.",
   "cfu": {"type": "structured_response", "stem": "Share £24 between 4 people. Show your working.",
     "rubric": {"total_points": 2, "criteria": [{"description": "States the correct answer", "points": 2}]}}},
  {"id": "card_004", "title": "You Do", "explainer": "Now share a bill of £30 on your own.", "explainer_plain": "Share £30 on your own.",
   "cfu": {"type": "numeric", "stem": "Share £30 between 5 people.", "expected": 6}}]}"#;

/// The same without anything that a check looks at.
const SILENT: &str = "ignore = [\"SQA\", \"TXT\"]\n";

const SQA: [&str; 6] = [
    "pedagogical_design",
    "assessment_design",
    "accessibility",
    "scottish_context",
    "coherence",
    "sow_template_fidelity",
];
const CLINICAL: [&str; 5] = [
    "clinical_accuracy",
    "pedagogical_alignment",
    "distractor_quality",
    "slo_coverage",
    "blooms_match",
];
const LESSONS: [&str; 6] = [
    "learning_objective_alignment",
    "pedagogical_structure",
    "factual_accuracy",
    "clarity_readability",
    "engagement_examples",
    "completeness",
];

impl Folder {
    /// What a command prints; all of it follows the schemas.
    fn document(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        let report = serde_json::from_slice::<Value>(&output.stdout);
        assert!(report.is_ok(), "{arguments:?}: {report:?}\n{shown}");
        let report = report.unwrap();
        let schemas = Schemas::new();
        schemas.follows("judge-output", &report);
        let document = report["documents"][0].clone();
        for (name, shape) in document["seed"].as_object().unwrap() {
            schemas.follows(name, shape);
        }
        if let Some(receipts) = document.get("receipts") {
            schemas.follows("receipts", receipts);
        }
        let journal = self.path().join(document["journal"].as_str().unwrap());
        for line in fs::read_to_string(journal).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            if let Some(event) = line.get("event") {
                schemas.follows("events", event);
            }
        }
        document
    }
}

/// The schemas as the pages have them.
pub(crate) struct Schemas(BTreeMap<&'static str, jsonschema::Validator>);

impl Schemas {
    pub(crate) fn new() -> Self {
        let made = pages::printed_schemas().into_iter();
        Self(
            made.map(|(name, schema)| (name, jsonschema::validator_for(&schema).unwrap()))
                .collect(),
        )
    }

    pub(crate) fn follows(&self, name: &str, printed: &Value) {
        let errors: Vec<String> = self.0[name]
            .iter_errors(printed)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}\n{printed:#}");
    }
}

/// A judge's reply with these scores.
fn judge(scores: &[(&str, f64)], more: &str) -> String {
    let scores: String = scores
        .iter()
        .map(|(name, score)| format!("{name} = {score}\n"))
        .collect();
    format!(
        "[[reply]]\nrole = \"judge_secondary\"\nconfidence = \"high\"\n[reply.scores]\n{scores}{more}\n"
    )
}

fn flat(names: &[&'static str], score: f64) -> Vec<(&'static str, f64)> {
    names.iter().map(|name| (*name, score)).collect()
}

fn issue(criterion: &str, severity: &str, location: &str, description: &str, fix: &str) -> String {
    format!(
        "[[reply.issues]]\ncriterion = \"{criterion}\"\nseverity = \"{severity}\"\nlocation = \"{location}\"\nquote = \"\"\ndescription = \"{description}\"\nsuggested_fix = \"{fix}\"\n"
    )
}

#[test]
fn every_result_follows_its_schema() {
    let folder = Folder::new(CARDS);
    for (name, criteria) in [
        ("sqa", &SQA[..]),
        ("clinical", &CLINICAL),
        ("lesson", &LESSONS),
    ] {
        let weak = issue(
            criteria[0],
            "major",
            "",
            "It is not what was asked for.",
            "Do it.",
        );
        folder.write(
            &format!("{name}-good.toml"),
            &judge(&flat(criteria, 0.95), ""),
        );
        folder.write(
            &format!("{name}-weak.toml"),
            &judge(&flat(criteria, 0.65), &weak),
        );
        folder.write(
            &format!("{name}-broken.toml"),
            "[[reply]]\nrole = \"judge_secondary\"\nfault = \"score-85\"\n",
        );
    }
    folder.write(
        "poor.toml",
        "[decide]\njudging-tokens = 10\njudging-factor = 0\n",
    );
    folder.write(
        "cut.md",
        "# Water\n\n## Heat\n\nThe plate gets hot.\n\n```python\nprint(1)\n",
    );
    folder.write(
        "chatty.md",
        &format!("Sure! Here is the lesson you asked for:\n\n{LESSON}"),
    );
    let mut statuses: BTreeMap<String, usize> = BTreeMap::new();
    for (file, name) in [
        ("cards.json", "sqa"),
        ("item.json", "clinical"),
        ("lesson.md", "lesson"),
    ] {
        for replies in ["good", "weak", "broken"] {
            let script = format!("{name}-{replies}.toml");
            for command in ["judge", "refine"] {
                let document = folder.document(&[command, file, "--script", &script]);
                let status = document["status"].as_str().unwrap().to_owned();
                *statuses.entry(status).or_default() += 1;
            }
        }
        let script = format!("{name}-good.toml");
        let poor = ["judge", file, "--script", &script, "--policy", "poor.toml"];
        assert_eq!(folder.document(&poor)["unscored"]["reason"], "over_budget");
        assert_eq!(
            folder.document(&["refine", "--free", file])["status"],
            "checked"
        );
    }
    for more in [
        &["judge", "cut.md"][..],
        &["judge", "chatty.md"],
        &["refine", "chatty.md"],
        &["judge", "lesson.md", "--mode", "semi-auto"],
    ] {
        let arguments = [more, &["--script", "lesson-weak.toml"]].concat();
        let status = folder.document(&arguments)["status"]
            .as_str()
            .unwrap()
            .to_owned();
        *statuses.entry(status).or_default() += 1;
    }
    // All ends were seen.
    for status in ["accepted", "best_effort", "escalated"] {
        assert!(statuses.contains_key(status), "{statuses:?}");
    }
}

#[test]
fn a_schema_refuses_what_it_does_not_name() {
    let folder = Folder::new(CARDS);
    folder.write("good.toml", &judge(&flat(&LESSONS, 0.95), ""));
    let document = folder.document(&["judge", "lesson.md", "--script", "good.toml"]);
    let report = json!({"schema": 1, "documents": [document]});
    let schemas = Schemas::new();
    let refuses = |pointer: &str| {
        let mut changed = report.clone();
        let place = changed
            .pointer_mut(pointer)
            .unwrap()
            .as_object_mut()
            .unwrap();
        place.insert("invented".to_owned(), json!(1));
        !schemas.0["judge-output"].is_valid(&changed)
    };
    for pointer in [
        "",
        "/documents/0",
        "/documents/0/score",
        "/documents/0/verdicts/0",
        "/documents/0/seed",
        "/documents/0/seed/judge_verdict",
        "/documents/0/iterations/0",
    ] {
        assert!(refuses(pointer), "{pointer}");
    }
}

/// Seed 000's two complete examples: the first comes to .91 by the formula, not to
/// the .92 that stands there (ruling 1).
#[test]
fn the_complete_examples_of_the_critic_come_to_what_their_figures_say() {
    let folder = Folder::new(CARDS);
    folder.write("redraft.toml", SILENT);
    for (scores, overall, status, interpretation) in [
        (
            [0.95, 0.90, 0.88, 0.93, 0.90, 0.92],
            0.91,
            "pass",
            "excellent",
        ),
        (
            [0.90, 0.85, 0.82, 0.88, 0.88, 0.85],
            0.86,
            "needs_revision",
            "borderline",
        ),
        // Every dimension at its threshold, but not the mean of them.
        (
            [0.88, 0.88, 0.88, 0.88, 0.85, 0.88],
            0.88,
            "pass",
            "acceptable",
        ),
        // The mean is high, but one dimension is not.
        (
            [0.99, 0.99, 0.87, 0.99, 0.99, 0.99],
            0.97,
            "needs_revision",
            "excellent",
        ),
    ] {
        let scores: Vec<(&str, f64)> = SQA.into_iter().zip(scores).collect();
        folder.write("replies.toml", &judge(&scores, ""));
        let document = folder.document(&["judge", "cards.json", "--script", "replies.toml"]);
        let result = &document["seed"]["critic_result"];
        assert_eq!(result["overall_score"], overall, "{result:#}");
        assert_eq!(result["overall_status"], status, "{result:#}");
        assert_eq!(result["interpretation"], interpretation);
        assert_eq!(result["feedback"], json!([]));
        for (name, score) in scores {
            assert_eq!(result["dimension_scores"][name], score);
        }
        assert_eq!(result["dimension_scores"].as_object().unwrap().len(), 6);
    }
}

/// Seed 000's single examples of feedback, as far as a program sees them: a long
/// sentence, foreign money, a rubric without a method mark.
#[test]
fn feedback_names_the_card_the_observation_and_the_action() {
    let folder = Folder::new(CARDS);
    let wanted = issue(
        "pedagogical_design",
        "minor",
        "card_004",
        "The task is the same as on card 1.",
        "Ask for a bill with a tip.",
    );
    folder.write("replies.toml", &judge(&flat(&SQA, 0.95), &wanted));
    let document = folder.document(&["judge", "cards.json", "--script", "replies.toml"]);
    let result = &document["seed"]["critic_result"];
    assert_eq!(result["overall_status"], "needs_revision");
    let feedback = result["feedback"].as_array().unwrap();
    assert!(feedback.len() <= 10);
    let rank = |entry: &Value| match entry["severity"].as_str().unwrap() {
        "critical" => 0,
        "high" => 1,
        "medium" => 2,
        _ => 3,
    };
    assert!(feedback.iter().map(rank).is_sorted(), "{feedback:#?}");
    for (dimension, severity, location, observed) in [
        ("scottish_context", "critical", "Card 2", "$20"),
        ("accessibility", "high", "Card 3", "17"),
        ("assessment_design", "high", "Card 3", "only for the answer"),
        (
            "pedagogical_design",
            "medium",
            "Card 4",
            "same as on card 1",
        ),
    ] {
        let entry = feedback.iter().find(|entry| {
            entry["dimension"] == dimension
                && entry["location"] == location
                && entry["issue"].as_str().unwrap().contains(observed)
        });
        assert!(entry.is_some(), "{dimension} {observed}: {feedback:#?}");
        let entry = entry.unwrap();
        assert_eq!(entry["severity"], severity, "{entry}");
        let said = entry["issue"].as_str().unwrap();
        assert!(
            said.to_lowercase().contains(&location.to_lowercase()),
            "{said}"
        );
        assert!(entry["action"].as_str().unwrap().len() > 10, "{entry}");
    }
}

#[test]
fn cards_that_nobody_scored_get_no_score_and_the_reason() {
    let folder = Folder::new(CARDS);
    folder.write(
        "broken.toml",
        "[[reply]]\nrole = \"judge_secondary\"\nfault = \"refusal\"\n",
    );
    let document = folder.document(&["judge", "cards.json", "--script", "broken.toml"]);
    let result = &document["seed"]["critic_result"];
    assert_eq!(result["overall_score"], Value::Null);
    assert_eq!(result["interpretation"], Value::Null);
    assert_eq!(result["dimension_scores"]["accessibility"], Value::Null);
    assert_eq!(result["overall_status"], "needs_revision");
    assert!(
        result["unscored"].as_str().unwrap().contains("declined"),
        "{result:#}"
    );
    // What the free checks found is said all the same.
    assert!(!result["feedback"].as_array().unwrap().is_empty());
}

/// Seed 004's fixtures: .83 passes, .54 does not, and an item without a key is
/// scored by nobody.
#[test]
fn the_fixtures_of_items_come_to_what_their_figures_say() {
    let folder = Folder::new(CARDS);
    for (scores, composite, passes, status) in [
        ([0.9, 0.8, 0.75, 0.85, 0.8], 0.83, true, "passed"),
        ([0.4, 0.6, 0.5, 0.7, 0.6], 0.54, false, "needs_human_review"),
    ] {
        let scores: Vec<(&str, f64)> = CLINICAL.into_iter().zip(scores).collect();
        let wrong = issue(
            "clinical_accuracy",
            "major",
            "vignette",
            "The toe would be warm and red.",
            "Say so.",
        );
        let more = if passes { "" } else { &wrong };
        folder.write("replies.toml", &judge(&scores, more));
        let document = folder.document(&["judge", "item.json", "--script", "replies.toml"]);
        let state = &document["seed"]["review_history"];
        assert_eq!(state["finalStatus"], status);
        assert_eq!(state["currentReviewCycle"], 1);
        assert_eq!(state["config"]["maxCorrectionLoops"], 2);
        let entry = &state["reviewHistory"][0];
        assert_eq!(entry["cycle"], 1);
        assert_eq!(entry["validationResult"]["isValid"], true);
        assert_eq!(entry["qualityScore"]["compositeScore"], composite);
        assert_eq!(entry["qualityScore"]["passesThreshold"], passes);
        assert_eq!(entry["qualityScore"]["threshold"], 0.7);
        assert_eq!(entry["correctionApplied"], false);
        let weights: Vec<f64> = entry["qualityScore"]["dimensions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|dimension| dimension["weight"].as_f64().unwrap())
            .collect();
        assert_eq!(weights, [0.3, 0.2, 0.2, 0.2, 0.1]);
        // The time is the journal's, not ours.
        let at = entry["timestamp"].as_str().unwrap();
        assert!(at.starts_with("20") && at.ends_with('Z'), "{at}");
        if passes {
            assert_eq!(entry["feedback"], Value::Null);
        } else {
            let feedback = &entry["feedback"];
            assert_eq!(feedback["targetComponent"], "vignette");
            assert_eq!(feedback["attemptNumber"], 1);
            let weak: Vec<&str> = feedback["weakDimensions"]
                .as_array()
                .unwrap()
                .iter()
                .map(|dimension| dimension["name"].as_str().unwrap())
                .collect();
            assert_eq!(
                weak,
                [
                    "clinical_accuracy",
                    "pedagogical_alignment",
                    "distractor_quality",
                    "blooms_match"
                ]
            );
            assert!(
                feedback["correctionPrompt"]
                    .as_str()
                    .unwrap()
                    .contains("Say so")
            );
        }
    }
    let invalid = ITEM
        .replace("\"answerKey\": \"A\",", "\"answerKey\": null,")
        .replace("\"isCorrect\": true", "\"isCorrect\": false");
    folder.write("item.json", &invalid);
    let document = folder.document(&["judge", "item.json", "--script", "replies.toml"]);
    let entry = &document["seed"]["review_history"]["reviewHistory"][0];
    assert_eq!(entry["validationResult"]["isValid"], false);
    let errors = entry["validationResult"]["errors"].as_array().unwrap();
    let key = errors
        .iter()
        .find(|error| error["severity"] == "error")
        .unwrap();
    assert_eq!(key["field"], "answer_key");
    assert_eq!(entry["qualityScore"], Value::Null);
    assert!(
        entry["unscored"]
            .as_str()
            .unwrap()
            .contains("before a judge was paid")
    );
    assert_eq!(
        document["seed"]["review_history"]["finalStatus"],
        "needs_human_review"
    );
    let free = folder.document(&["refine", "--free", "item.json"]);
    assert_eq!(free["seed"]["review_history"]["finalStatus"], "pending");
}

/// Replies to a whole repair: judged, one part edited, verified, judged again.
fn repair(first: &str, then: &str, section: &str, search: &str, replace: &str) -> String {
    let first = first.replacen("confidence", "round = 0\nconfidence", 1);
    let then = then.replacen("confidence", "round = 1\nconfidence", 1);
    format!(
        "{first}{then}[[reply]]\nrole = \"patcher\"\nsection = \"{section}\"\ntext = '''\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n'''\n[[reply]]\nrole = \"delta_judge\"\ntext = '{{\"answers\": [{{\"id\": \"issue_1\", \"reason\": \"It says so now.\", \"answer\": \"yes\"}}]}}'\n"
    )
}

#[test]
fn a_corrected_item_has_an_entry_for_each_review() {
    let folder = Folder::new(CARDS);
    let wrong = issue(
        "clinical_accuracy",
        "minor",
        "vignette",
        "The toe would be warm and red.",
        "Say that it is red and warm.",
    );
    let scores = |scores: [f64; 5]| CLINICAL.into_iter().zip(scores).collect::<Vec<_>>();
    folder.write(
        "replies.toml",
        &repair(
            &judge(&scores([0.4, 0.6, 0.5, 0.7, 0.6]), &wrong),
            &judge(&scores([0.9, 0.8, 0.75, 0.85, 0.8]), ""),
            "vignette",
            "a swollen and painful big toe",
            "a red, warm, swollen and painful big toe",
        ),
    );
    let document = folder.document(&["refine", "item.json", "--script", "replies.toml"]);
    assert_eq!(document["status"], "accepted", "{document:#}");
    let state = &document["seed"]["review_history"];
    assert_eq!(state["finalStatus"], "corrected");
    assert_eq!(state["currentReviewCycle"], 2);
    let history = state["reviewHistory"].as_array().unwrap();
    let seen: Vec<(&Value, &Value, &Value)> = history
        .iter()
        .map(|entry| {
            (
                &entry["qualityScore"]["compositeScore"],
                &entry["correctionApplied"],
                &entry["correctionTarget"],
            )
        })
        .collect();
    let (yes, no) = (json!(true), json!(false));
    let expected = [
        (json!(0.54), yes, json!("vignette")),
        (json!(0.83), no, Value::Null),
    ];
    for (found, (score, applied, target)) in seen.iter().zip(&expected) {
        assert_eq!(*found, (score, applied, target));
    }
    let told = &history[0]["feedback"];
    assert_eq!(told["attemptNumber"], 1);
    let prompt = told["correctionPrompt"].as_str().unwrap();
    assert!(prompt.contains("Say that it is red and warm"), "{prompt}");
    // The same from the journal.
    let journal = document["journal"].as_str().unwrap();
    let again = folder.document(&["replay", journal]);
    assert_eq!(again["seed"], document["seed"]);
}

#[test]
fn a_repaired_lesson_tells_what_was_done() {
    let folder = Folder::new(CARDS);
    let weak = issue(
        "engagement_examples",
        "minor",
        "sec_1",
        "No example from a kitchen.",
        "Add one about a pan with a lid.",
    );
    folder.write(
        "replies.toml",
        &repair(
            &judge(&flat(&LESSONS, 0.7), &weak),
            &judge(&flat(&LESSONS, 0.95), ""),
            "sec_1",
            "until it boils.",
            "until it boils. A pan with a lid boils sooner.",
        ),
    );
    let document = folder.document(&["refine", "lesson.md", "--script", "replies.toml"]);
    assert_eq!(document["status"], "accepted", "{document:#}");
    let refinement = &document["seed"]["refinement_plan"];
    assert_eq!(refinement["plan"], Value::Null);
    assert_eq!(refinement["tasks"][0]["status"], "completed");
    assert_eq!(refinement["tasks"][0]["editCount"], 1);
    let state = &refinement["iterationState"];
    assert_eq!(state["scoreHistory"], json!([0.7, 0.95]));
    assert_eq!(
        (&state["tasksTotal"], &state["tasksFailed"]),
        (&json!(1), &json!(0))
    );
    assert!(state["tokensUsed"].as_u64().unwrap() > 0);
    assert!(document["seed"].get("best_effort").is_none());
}

#[test]
fn a_lesson_has_its_verdict_plan_and_best_effort() {
    let folder = Folder::new(CARDS);
    let weak = issue(
        "engagement_examples",
        "major",
        "sec_1",
        "No example from a kitchen.",
        "Add one about a pan with a lid.",
    );
    folder.write("weak.toml", &judge(&flat(&LESSONS, 0.65), &weak));
    let document = folder.document(&["judge", "lesson.md", "--script", "weak.toml"]);
    let seed = &document["seed"];
    let names: Vec<&str> = seed
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        names,
        [
            "self_review",
            "judge_verdict",
            "refinement_plan",
            "best_effort"
        ]
    );
    let verdict = &seed["judge_verdict"]["verdicts"][0];
    assert_eq!(verdict["overallScore"], 0.65);
    assert_eq!(verdict["passed"], false);
    assert_eq!(verdict["recommendation"], "ITERATIVE_REFINEMENT");
    assert_eq!(verdict["criteriaScores"]["completeness"], 0.65);
    assert_eq!(verdict["judgeModel"], "scripted/judge_secondary");
    assert!(verdict["tokensUsed"].as_u64().unwrap() > 0);
    assert!(verdict["durationMs"].is_u64() && verdict["temperature"].is_number());
    let plan = &seed["refinement_plan"]["plan"];
    assert_eq!(plan["sectionsToModify"], json!(["sec_1"]));
    assert_eq!(plan["executionBatches"][0][0]["sectionId"], "sec_1");
    assert_eq!(plan["iterationHistory"][0]["score"], 0.65);
    assert_eq!(seed["refinement_plan"]["tasks"][0]["status"], "pending");
    let best = &seed["best_effort"];
    assert_eq!(best["bestScore"], 0.65);
    assert_eq!(best["qualityStatus"], "below_standard");
    assert_eq!(best["content"], LESSON);
    assert_eq!(best["unresolvedIssuesCount"], 1);
    assert_eq!(best["improvementHints"].as_array().unwrap().len(), 1);
    // The noise is scrubbed in what the self-review hands on, and nowhere else.
    folder.write(
        "chatty.md",
        &format!("Sure! Here is the lesson you asked for:\n\n{LESSON}"),
    );
    let document = folder.document(&["judge", "chatty.md", "--script", "weak.toml"]);
    let review = &document["seed"]["self_review"];
    assert_eq!(review["status"], "FIXED");
    assert_eq!(review["patched_content"], LESSON);
}

/// The names of the files in a folder.
fn files_in(folder: &Folder, into: &str) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join(into)).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn every_attempt_on_cards_has_a_critic_result_of_its_own() {
    let folder = Folder::new(CARDS);
    let example = |name: &str| fs::read_to_string(repository(&format!("examples/{name}"))).unwrap();
    folder.write("cards.json", &example("refine-cards.json"));
    let replies = example("refine-cards-replies.toml");
    folder.write("replies.toml", &replies);
    let refine = |into: &str| {
        folder.document(&[
            "refine",
            "cards.json",
            "--script",
            "replies.toml",
            "--seed-report",
            into,
        ])
    };
    let read = |name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(folder.path().join(name)).unwrap()).unwrap()
    };
    let document = refine("critic");
    let names = [
        "critic_result.1.json",
        "critic_result.2.json",
        "critic_result.json",
    ];
    assert_eq!(files_in(&folder, "critic"), names);
    let schemas = Schemas::new();
    for (name, iteration, status) in [
        (names[0], 0, "needs_revision"),
        (names[1], 1, "pass"),
        (names[2], 1, "pass"),
    ] {
        let result = read(&format!("critic/{name}"));
        schemas.follows("critic_result", &result);
        assert_eq!(result["overall_status"], status, "{name}");
        // Each speaks of the text that the critic saw then.
        assert_eq!(
            result["content"],
            document["iterations"][iteration]["content"]
        );
    }
    let feedback = &read("critic/critic_result.1.json")["feedback"];
    assert_eq!(feedback[0]["severity"], "critical");
    assert_eq!(feedback[0]["location"], "Card 2");
    // A later run that needs fewer attempts leaves none of the earlier behind.
    folder.write("replies.toml", &judge(&flat(&SQA, 0.95), ""));
    folder.write("redraft.toml", SILENT);
    refine("critic");
    assert_eq!(
        files_in(&folder, "critic"),
        ["critic_result.1.json", "critic_result.json"]
    );
    // What is only judged is no attempt.
    folder.document(&[
        "judge",
        "cards.json",
        "--script",
        "replies.toml",
        "--seed-report",
        "critic",
    ]);
    assert_eq!(files_in(&folder, "critic"), ["critic_result.json"]);
}

#[test]
fn the_shapes_are_written_as_files_beside_each_other() {
    let folder = Folder::new(CARDS);
    folder.write(
        "good.toml",
        &judge(&flat(&[&SQA[..], &CLINICAL, &LESSONS].concat(), 0.95), ""),
    );
    let written = |into: &str| files_in(&folder, into);
    folder.document(&[
        "judge",
        "cards.json",
        "--script",
        "good.toml",
        "--seed-report",
        "one",
    ]);
    assert_eq!(written("one"), ["critic_result.json"]);
    let path: PathBuf = folder.path().join("one/critic_result.json");
    let result: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    Schemas::new().follows("critic_result", &result);
    folder.document(&[
        "judge",
        "cards.json",
        "item.json",
        "lesson.md",
        "--script",
        "good.toml",
        "--seed-report",
        "all",
    ]);
    assert_eq!(
        written("all"),
        [
            "cards.critic_result.json",
            "item.review_history.json",
            "lesson.judge_verdict.json",
            "lesson.self_review.json"
        ]
    );
}
