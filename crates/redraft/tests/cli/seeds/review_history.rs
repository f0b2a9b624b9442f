//! The review history of an item as an audit trail (ruling 63): every attempt, a reason
//! for every score, and what is pending because of models.

use super::*;

fn scores(scores: [f64; 5]) -> Vec<(&'static str, f64)> {
    CLINICAL.into_iter().zip(scores).collect()
}

/// A weak item, with one issue of its vignette.
fn weak() -> String {
    let wrong = issue(
        "clinical_accuracy",
        "minor",
        "vignette",
        "The toe would be warm and red",
        "Say that it is red and warm.",
    );
    judge(&scores([0.4, 0.6, 0.74, 0.7, 0.6]), &wrong)
}

fn history(document: &Value) -> Vec<Value> {
    let state = &document["seed"]["review_history"];
    let history = state["reviewHistory"].as_array().unwrap().clone();
    assert_eq!(state["currentReviewCycle"], history.len());
    history
}

fn patcher(replies: &str) -> String {
    format!("[[reply]]\nrole = \"patcher\"\nsection = \"vignette\"\n{replies}\n")
}

fn edit(search: &str, replace: &str) -> String {
    format!("text = '''\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n'''")
}

const RED: (&str, &str) = (
    "a swollen and painful big toe",
    "a red, warm, swollen and painful big toe",
);

#[test]
fn every_dimension_has_the_judges_reason() {
    let folder = Folder::new(CARDS);
    let reasons = "[reply.reasons]\nclinical_accuracy = \"Warmth and redness are missing\"\nblooms_match = \"Application, as promised.\"\nslo_coverage = \"  \"\n";
    folder.write("replies.toml", &format!("{}{reasons}", weak()));
    let document = folder.document(&["judge", "item.json", "--script", "replies.toml"]);
    let history = history(&document);
    let dimensions = history[0]["qualityScore"]["dimensions"].as_array().unwrap();
    let said: Vec<&str> = dimensions
        .iter()
        .map(|dimension| dimension["feedback"].as_str().unwrap())
        .collect();
    assert_eq!(
        said,
        [
            "Warmth and redness are missing. The toe would be warm and red.",
            // What a judge leaves out is no reason to pay it again.
            "The judges raised no issues.",
            "The judges raised no issues.",
            "The judges raised no issues.",
            "Application, as promised.",
        ]
    );
    // The same reasons are what a correction is told.
    let weakest = &history[0]["feedback"]["weakDimensions"][0];
    assert_eq!(weakest["feedback"], said[0]);
}

#[test]
fn a_correction_that_was_rolled_back_is_on_record_with_the_reason() {
    let folder = Folder::new(CARDS);
    let no = "[[reply]]\nrole = \"delta_judge\"\ntext = '{\"answers\": [{\"id\": \"issue_1\", \"reason\": \"Warmth is still missing.\", \"answer\": \"no\"}]}'\n";
    let replies = [weak(), patcher(&edit(RED.0, RED.1)), no.to_owned()].concat();
    folder.write("replies.toml", &replies);
    let document = folder.document(&["refine", "item.json", "--script", "replies.toml"]);
    let history = history(&document);
    let seen: Vec<(&Value, &Value, &Value, Option<&str>)> = history
        .iter()
        .map(|entry| {
            (
                &entry["correctionApplied"],
                &entry["correctionOutcome"],
                &entry["feedback"]["attemptNumber"],
                entry["undoneBecause"].as_str(),
            )
        })
        .collect();
    let (no, rolled_back) = (&json!(false), &json!("rolled_back"));
    let why = Some("Warmth is still missing");
    assert_eq!(
        seen,
        [
            // Each is tried again at once, with the reason why it was not enough.
            (no, rolled_back, &json!(1), why),
            (no, rolled_back, &json!(1), why),
            (no, rolled_back, &json!(2), why),
            (no, rolled_back, &json!(2), why),
            (no, &Value::Null, &Value::Null, None),
        ]
    );
    assert!(
        history
            .iter()
            .all(|entry| entry["content"] == history[0]["content"])
    );
    assert_eq!(
        document["seed"]["review_history"]["finalStatus"],
        "needs_human_review"
    );
}

#[test]
fn an_answer_that_was_rejected_before_the_correction_is_on_record() {
    let folder = Folder::new(CARDS);
    let first = format!("try = 1\n{}", edit("that began during the night.", "Lunch"));
    let replies = [
        weak().replacen("confidence", "round = 0\nconfidence", 1),
        judge(&scores([0.9, 0.8, 0.78, 0.85, 0.8]), "").replacen(
            "confidence",
            "round = 1\nconfidence",
            1,
        ),
        patcher(&first),
        patcher(&format!("try = 2\n{}", edit(RED.0, RED.1))),
        "[[reply]]\nrole = \"delta_judge\"\ntext = '{\"answers\": [{\"id\": \"issue_1\", \"reason\": \"It says so now.\", \"answer\": \"yes\"}]}'\n".to_owned(),
    ];
    folder.write("replies.toml", &replies.concat());
    let document = folder.document(&["refine", "item.json", "--script", "replies.toml"]);
    assert_eq!(document["status"], "accepted", "{document:#}");
    let history = history(&document);
    assert_eq!(history[0]["correctionOutcome"], "kept");
    let rejected = history[0]["rejectedAnswers"].as_array().unwrap();
    assert_eq!(rejected.len(), 1, "{rejected:?}");
    assert!(
        rejected[0].as_str().unwrap().contains("cut off"),
        "{rejected:?}"
    );
    assert_eq!(history.len(), 2);
}

#[test]
fn an_item_that_no_model_scored_is_pending_and_needs_nobody_yet() {
    for fault in ["server-error", "unauthorised", "wrong-schema", "refusal"] {
        let folder = Folder::new(CARDS);
        folder.write(
            "replies.toml",
            &format!("[[reply]]\nrole = \"judge_secondary\"\nfault = \"{fault}\"\n"),
        );
        for command in ["judge", "refine"] {
            let arguments = [command, "item.json", "--script", "replies.toml"];
            let document = folder.document(&arguments);
            let state = &document["seed"]["review_history"];
            assert_eq!(state["finalStatus"], "pending", "{fault}: {state:#}");
            let entry = &state["reviewHistory"][0];
            assert_eq!(entry["qualityScore"], Value::Null, "{fault}");
            assert!(entry["unscored"].is_string(), "{fault}");
        }
    }
}

#[test]
fn anybody_can_compute_the_composite_from_what_is_printed() {
    let folder = Folder::new(CARDS);
    let institutions = [
        [1.0, 1.0, 1.0, 1.0, 3.0],
        [1.0, 1.0, 1.0, 0.0, 0.0],
        [0.3, 0.2, 0.2, 0.2, 0.1],
        [7.0, 11.0, 13.0, 17.0, 19.0],
    ];
    for (case, weights) in institutions.into_iter().enumerate() {
        let table: String = CLINICAL
            .into_iter()
            .zip(weights)
            .map(|(name, weight)| format!("{name} = {weight:?}\n"))
            .collect();
        folder.write("redraft.toml", &format!("[institution.weights]\n{table}"));
        let given = [0.983, 0.777, 0.806, 0.751, 0.969].map(|one| one - case as f64 / 1_000.0);
        folder.write("replies.toml", &judge(&scores(given), ""));
        let document = folder.document(&["judge", "item.json", "--script", "replies.toml"]);
        let score = &history(&document)[0]["qualityScore"];
        let thousandths = |value: &Value| (value.as_f64().unwrap() * 1_000.0).round() as u64;
        let dimensions = score["dimensions"].as_array().unwrap();
        let sum: u64 = dimensions
            .iter()
            .map(|one| thousandths(&one["score"]) * thousandths(&one["weight"]))
            .sum();
        let weights: u64 = dimensions
            .iter()
            .map(|one| thousandths(&one["weight"]))
            .sum();
        assert_eq!(weights, 1_000);
        assert_eq!(
            thousandths(&score["compositeScore"]),
            (sum + 500) / 1_000,
            "{score:#}"
        );
    }
}
