//! What reviews of items come to (seed 004): the fixtures, and the history of a
//! corrected item.

use super::*;

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
            .contains("no judge was asked")
    );
    assert_eq!(
        document["seed"]["review_history"]["finalStatus"],
        "needs_human_review"
    );
    let free = folder.document(&["refine", "--free", "item.json"]);
    assert_eq!(free["seed"]["review_history"]["finalStatus"], "pending");
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
