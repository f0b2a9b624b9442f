//! The shapes of the seeds as a pipeline reads them, and the schemas of everything
//! that `judge` and `refine` print: whatever comes out follows them.

mod cards;
mod items;
mod review_history;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use redraft::pages;
use serde_json::{Value, json};

use crate::folder::{Folder, ITEM, LESSON};
use crate::temp_folder::repository;

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

pub(crate) const SQA: [&str; 6] = [
    "pedagogical_design",
    "assessment_design",
    "accessibility",
    "scottish_context",
    "coherence",
    "sow_template_fidelity",
];
pub(crate) const CLINICAL: [&str; 5] = [
    "clinical_accuracy",
    "pedagogical_alignment",
    "distractor_quality",
    "slo_coverage",
    "blooms_match",
];
pub(crate) const LESSONS: [&str; 6] = [
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
    folder.write("poor.toml", "[decide]\njudging-tokens = 10\n");
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
    let report = json!({"schema": 2, "documents": [document]});
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

/// Replies to a whole repair: judged, one part edited, verified, judged again.
fn repair(first: &str, then: &str, section: &str, search: &str, replace: &str) -> String {
    let first = first.replacen("confidence", "round = 0\nconfidence", 1);
    let then = then.replacen("confidence", "round = 1\nconfidence", 1);
    format!(
        "{first}{then}[[reply]]\nrole = \"patcher\"\nsection = \"{section}\"\ntext = '''\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n'''\n[[reply]]\nrole = \"delta_judge\"\ntext = '{{\"answers\": [{{\"id\": \"issue_1\", \"reason\": \"It says so now.\", \"answer\": \"yes\"}}]}}'\n"
    )
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
    let mut scores = flat(&LESSONS, 0.76);
    for (name, score) in &mut scores {
        if *name == "engagement_examples" {
            *score = 0.56;
        }
    }
    folder.write("weak.toml", &judge(&scores, &weak));
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
    assert_eq!(verdict["overallScore"], 0.73);
    assert_eq!(verdict["passed"], false);
    assert_eq!(verdict["recommendation"], "ITERATIVE_REFINEMENT");
    assert_eq!(verdict["criteriaScores"]["completeness"], 0.76);
    assert_eq!(verdict["judgeModel"], "scripted/judge_secondary");
    assert!(verdict["tokensUsed"].as_u64().unwrap() > 0);
    assert!(verdict["durationMs"].is_u64() && verdict["temperature"].is_number());
    let plan = &seed["refinement_plan"]["plan"];
    assert_eq!(plan["sectionsToModify"], json!(["sec_1"]));
    assert_eq!(plan["executionBatches"][0][0]["sectionId"], "sec_1");
    let task = &plan["tasks"][0];
    assert_eq!(task["actionType"], "SURGICAL_EDIT");
    assert!(task["synthesizedInstructions"].is_string());
    assert!(task["contextAnchors"]["nextSectionStart"].is_string());
    let source = &task["sourceIssues"][0];
    assert_eq!(source["targetSectionId"], "sec_1");
    assert_eq!(source["suggestedFix"], "Add one about a pan with a lid.");
    assert_eq!(source["contextWindow"]["scope"], "section");
    assert_eq!(plan["iterationHistory"][0]["score"], 0.73);
    assert_eq!(seed["refinement_plan"]["tasks"][0]["status"], "pending");
    let best = &seed["best_effort"];
    assert_eq!(best["bestScore"], 0.73);
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
