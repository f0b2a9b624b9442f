//! What a critic says about cards (seed 000): its figures, its feedback, and a result
//! for every attempt.

use super::*;

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
        let report = &document["seed"]["report"];
        assert_eq!(report["interpretation"], interpretation);
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
    let names =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    for entry in feedback {
        assert_eq!(
            names(entry),
            ["dimension", "severity", "issue", "action"],
            "{entry}"
        );
    }
    for (dimension, severity, location, observed) in [
        ("scottish_context", "critical", "Card 2", "$20"),
        ("accessibility", "high", "Card 3", "17"),
        (
            "assessment_design",
            "high",
            "Card 3",
            "only gives marks for the answer",
        ),
        (
            "pedagogical_design",
            "medium",
            "Card 4",
            "same as on card 1",
        ),
    ] {
        let entry = feedback.iter().find(|entry| {
            entry["dimension"] == dimension && entry["issue"].as_str().unwrap().contains(observed)
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
    let report = &document["seed"]["report"];
    assert_eq!(report["interpretation"], Value::Null);
    assert_eq!(result["dimension_scores"]["accessibility"], Value::Null);
    assert_eq!(result["overall_status"], "needs_revision");
    assert!(
        report["unscored"].as_str().unwrap().contains("declined"),
        "{report:#}"
    );
    // What the free checks found is said all the same.
    assert!(!result["feedback"].as_array().unwrap().is_empty());
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
        "report.json",
    ];
    assert_eq!(files_in(&folder, "critic"), names);
    let schemas = Schemas::new();
    let fields = [
        "overall_status",
        "overall_score",
        "dimension_scores",
        "feedback",
    ];
    for (name, status) in [
        (names[0], "needs_revision"),
        (names[1], "pass"),
        (names[2], "pass"),
    ] {
        // Every score has two decimals, as the seed prints them.
        let text = fs::read_to_string(folder.path().join("critic").join(name)).unwrap();
        let scores = text.lines().filter_map(|line| line.rsplit_once(": 0."));
        for (_, decimals) in scores {
            assert_eq!(decimals.trim_end_matches(',').len(), 2, "{name}: {text}");
        }
        let result = read(&format!("critic/{name}"));
        schemas.follows("critic_result", &result);
        assert_eq!(result["overall_status"], status, "{name}");
        let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
        assert_eq!(keys, fields, "{name}");
    }
    let feedback = &read("critic/critic_result.1.json")["feedback"];
    assert_eq!(feedback[0]["severity"], "critical");
    assert!(feedback[0]["issue"].as_str().unwrap().contains("ard 2"));
    // What the seed has no field for.
    let report = read("critic/report.json");
    schemas.follows("report", &report);
    assert_eq!(report["content"], document["content"]);
    // A later run that needs fewer attempts leaves none of the earlier behind.
    folder.write("replies.toml", &judge(&flat(&SQA, 0.95), ""));
    folder.write("redraft.toml", SILENT);
    refine("critic");
    assert_eq!(
        files_in(&folder, "critic"),
        ["critic_result.1.json", "critic_result.json", "report.json"]
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
    assert_eq!(
        files_in(&folder, "critic"),
        ["critic_result.json", "report.json"]
    );
}

/// The same fault, found by a check and by the critic.
#[test]
fn a_fault_that_a_check_and_the_critic_found_is_listed_once() {
    let folder = Folder::new(CARDS);
    let again = issue(
        "scottish_context",
        "critical",
        "card_002",
        "Card 2 explainer uses the foreign currency $20 instead of pounds.",
        "Give every price of this card in pounds.",
    );
    folder.write("replies.toml", &judge(&flat(&SQA, 0.95), &again));
    let document = folder.document(&["judge", "cards.json", "--script", "replies.toml"]);
    let feedback = document["seed"]["critic_result"]["feedback"]
        .as_array()
        .unwrap();
    let about_money: Vec<&Value> = feedback
        .iter()
        .filter(|entry| {
            entry["dimension"] == "scottish_context"
                && entry["issue"].as_str().unwrap().contains("ard 2")
        })
        .collect();
    assert_eq!(about_money.len(), 1, "{feedback:#?}");
    assert_eq!(
        about_money[0]["action"],
        "Give every price of this card in pounds."
    );
}
