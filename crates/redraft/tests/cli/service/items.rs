//! Items: the nodes of a pipeline, and banks in all formats.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::http::Answer;
use super::{JUDGE, Service, databases};
use crate::bank_packages;
use crate::temp_folder::repository;

const ITEM: &str = "examples/refine-item-replies.toml";

fn item() -> Value {
    let text = fs::read_to_string(repository("examples/refine-item.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn node(service: &Service, name: &str, state: &Value) -> Answer {
    service.post(&format!("/v1/nodes/{name}"), state)
}

fn next(service: &Service, state: &Value) -> Value {
    node(service, "review-router", state).json()["next"].clone()
}

#[test]
fn a_pipeline_goes_through_the_nodes() {
    for database in databases() {
        let service = Service::start(database, ITEM);
        // Fields of the pipeline that are not ours come back.
        let start = json!({"question": item(), "sloId": "resp-7"});
        let valid = node(&service, "validation-check", &start).json();
        assert_eq!(valid["validationResult"]["isValid"], true, "{valid}");
        assert_eq!(valid["sloId"], "resp-7");

        let scored = node(&service, "quality-score", &start);
        assert_eq!(scored.status, 200, "{}", scored.text);
        let scored = scored.json();
        let entry = &scored["reviewHistory"][0];
        assert_eq!(entry["cycle"], 1);
        assert_eq!(entry["qualityScore"]["passesThreshold"], false, "{entry}");
        assert_eq!(scored["finalStatus"], "pending");
        assert_eq!(scored["question"], item(), "judging changes nothing");
        assert_eq!(next(&service, &scored), "self_correction");

        let corrected = node(&service, "self-correction", &scored);
        assert_eq!(corrected.status, 200, "{}", corrected.text);
        let corrected = corrected.json();
        let mut expected = item();
        expected["distractors"][1]["text"] = "Doxazosin".into();
        expected["distractors"][1]["explanation"] =
            "Its usual complaint is dizziness on standing.".into();
        assert_eq!(corrected["question"], expected, "the weak component alone");
        assert_eq!(corrected["currentReviewCycle"], 2);
        let entry = &corrected["reviewHistory"][1];
        assert_eq!(
            (
                &entry["cycle"],
                &entry["correctionApplied"],
                &entry["correctionTarget"]
            ),
            (&2.into(), &true.into(), &"distractors".into()),
            "{entry}"
        );
        assert_eq!(corrected["finalStatus"], "corrected");
        assert_eq!(next(&service, &corrected), "format_output");

        // The same state again is the same run.
        let asks = |service: &Service| {
            let metrics = service.get("/v1/metrics").text;
            let line = metrics
                .lines()
                .find(|line| line.starts_with("redraft_model_asks_total"));
            line.unwrap().to_owned()
        };
        let before = asks(&service);
        assert_eq!(node(&service, "quality-score", &start).json(), scored);
        assert_eq!(asks(&service), before);

        // The fields may stand in the state itself, and the state may say what passes.
        let mut flat = item();
        flat["config"] = json!({"qualityThreshold": 0.5});
        let passed = node(&service, "quality-score", &flat).json();
        assert_eq!(passed["finalStatus"], "passed", "{passed}");
        assert_eq!(passed["stem"], flat["stem"]);
    }
}

#[test]
fn the_router_follows_its_table_and_mistakes_are_named() {
    let service = Service::start(None, ITEM);
    let state = |passes: Option<bool>, cycle: u32, most: Option<u32>| {
        let score = passes.map(|passes| json!({"passesThreshold": passes}));
        json!({
            "reviewHistory": [{"qualityScore": score}],
            "currentReviewCycle": cycle,
            "config": {"maxCorrectionLoops": most.unwrap_or(2)},
        })
    };
    for (passes, cycle, most, expected) in [
        (Some(true), 1, None, "format_output"),
        (Some(true), 9, None, "format_output"),
        (Some(false), 1, None, "self_correction"),
        (Some(false), 2, None, "self_correction"),
        (Some(false), 3, None, "human_review"),
        (Some(false), 1, Some(0), "human_review"),
        (None, 1, None, "self_correction"),
        (None, 3, None, "human_review"),
    ] {
        let answer = next(&service, &state(passes, cycle, most));
        assert_eq!(answer, expected, "{passes:?} {cycle} {most:?}");
    }
    assert_eq!(next(&service, &json!({})), "self_correction");
    for (name, body, words) in [
        ("quality-score", json!({}), "question: missing"),
        (
            "validation-check",
            json!({"question": {}}),
            "question: missing",
        ),
        (
            "quality-score",
            json!({"question": item(), "config": {"qualityThreshold": 7}}),
            "config.qualityThreshold: expected",
        ),
        (
            "quality-score",
            json!({"question": item(), "config": {"dimensionWeights": {"beauty": 1}}}),
            "unknown criterion",
        ),
        (
            "quality-score",
            json!({"question": item(), "config": {"treshold": 1}}),
            "unknown field",
        ),
    ] {
        let answer = node(&service, name, &body);
        assert_eq!(answer.status, 422, "{body} {}", answer.text);
        assert!(answer.text.contains(words), "{body} {}", answer.text);
    }
}

/// Waits until every item of a bank is done.
fn done(service: &Service, batch: &str) -> Value {
    loop {
        let bank = service.get(&format!("/v1/banks/{batch}")).json();
        if bank["is_done"] == true {
            return bank;
        }
        assert_eq!(bank["states"].get("failed"), None, "{bank}");
        std::thread::sleep(std::time::Duration::from_millis(30));
    }
}

#[test]
fn a_bank_in_any_format_comes_back_as_it_was_but_for_what_was_repaired() {
    let gift = "// our course\n::One:: Which planet is nearest to the sun? {=Mercury ~Venus ~Mars}\n\n::Two:: What do plants take up from the air? {=carbon dioxide ~helium ~neon}\n";
    let aiken = "Which planet is nearest to the sun?\nA. Mercury\nB. Venus\nC. Mars\nANSWER: A\n\nWhat do plants take up from the air?\nA. Helium\nB. Carbon dioxide\nC. Neon\nANSWER: B\n";
    let table = "question,A,B,C,answer\nWhich planet is nearest to the sun?,Mercury,Venus,Mars,A\nWhat do plants take up from the air?,Helium,Carbon dioxide,Neon,B\n";
    let moodle = "<?xml version=\"1.0\"?>\n<quiz>\n<question type=\"multichoice\"><name><text>One</text></name><questiontext format=\"html\"><text>Which planet is nearest to the sun?</text></questiontext><single>true</single><answer fraction=\"100\"><text>Mercury</text></answer><answer fraction=\"0\"><text>Venus</text></answer><answer fraction=\"0\"><text>Mars</text></answer></question>\n<question type=\"multichoice\"><name><text>Two</text></name><questiontext format=\"html\"><text>What do plants take up from the air?</text></questiontext><single>true</single><answer fraction=\"100\"><text>Carbon dioxide</text></answer><answer fraction=\"0\"><text>Neon</text></answer><answer fraction=\"0\"><text>Helium</text></answer></question>\n</quiz>\n";
    let json_bank = fs::read_to_string(repository("examples/question-bank.json")).unwrap();
    let service = Service::start(None, JUDGE);
    for (name, text, items) in [
        ("bank.gift", gift, 2),
        ("bank.txt", aiken, 2),
        ("bank.csv", table, 2),
        ("bank.xml", moodle, 2),
        ("bank.json", json_bank.as_str(), 3),
    ] {
        let order = json!({"document": text, "name": name, "goal": "check"});
        let answer = service.post("/v1/banks", &order);
        assert_eq!(answer.status, 201, "{name} {}", answer.text);
        let batch = answer.json()["batch"].as_str().unwrap().to_owned();
        let bank = done(&service, &batch);
        assert!(bank["items"].as_i64() >= Some(items), "{name} {bank}");
        let after = service.get(&format!("/v1/banks/{batch}/document"));
        assert_eq!(after.text, text, "{name}");
    }
    let one = json!({"document": "# Water\n\nWater boils.\n", "name": "water.md"});
    let answer = service.post("/v1/banks", &one);
    assert_eq!(answer.status, 422, "{}", answer.text);
}

#[test]
fn packages_workbooks_and_other_encodings_are_taken_as_base64() {
    for database in databases() {
        let mut service = Service::idle(database, ITEM);
        fs::write(
            service.place.path("replies.toml"),
            bank_packages::replies_without_feedback(),
        )
        .unwrap();
        service.models = vec!["--script".to_owned(), "replies.toml".to_owned()];
        service.serve(&[]);
        let package = |qti: &str| {
            let others = [
                ("imsmanifest.xml", "<manifest/>"),
                ("a/image.png", "not really"),
            ];
            bank_packages::zipped(&[others[0], ("a/q.xml", qti), others[1]])
        };
        let qti = bank_packages::QTI_2;
        let order = |bytes: &[u8], name: Option<&str>| {
            json!({
                "document_base64": STANDARD.encode(bytes),
                "name": name,
                "profile": "clinical-mcq",
            })
        };
        let table = "Frage,A,B,C,Antwort\nWelches Gas nehmen Pflanzen auf? Gemeint ist nicht Sauerstoff für Tiere.,Kohlendioxid,Helium,Neon,A\nWelcher Planet ist der Sonne am nächsten?,Merkur,Venus,Mars,A\n";
        let latin: Vec<u8> = table
            .chars()
            .map(|char| u8::try_from(u32::from(char)).unwrap())
            .collect();
        for (order, after) in [
            // Without a name, by what it holds.
            (
                order(&package(qti), None),
                package(&qti.replacen("Vitamin C", "Doxazosin", 1)),
            ),
            (
                json!({"document_base64": STANDARD.encode(&latin), "name": "bank.csv", "goal": "check"}),
                latin.clone(),
            ),
        ] {
            let answer = service.post("/v1/banks", &order);
            assert_eq!(answer.status, 201, "{}", answer.text);
            let batch = answer.json()["batch"].as_str().unwrap().to_owned();
            done(&service, &batch);
            let document = service.get(&format!("/v1/banks/{batch}/document"));
            assert_eq!(document.status, 200, "{}", document.text);
            assert!(document.bytes == after, "{}", document.text);
        }
        let checked = service.post("/v1/check", &order(&package(qti), Some("quiz.zip")));
        assert_eq!(checked.status, 200, "{}", checked.text);
        for (order, words) in [
            (json!({"document_base64": "%%"}), "expected base64"),
            (
                json!({"document": "# A", "document_base64": "IyBB"}),
                "expected either",
            ),
            (json!({"document_base64": ""}), "missing or empty"),
            (
                order(&package(qti)[..300], Some("quiz.zip")),
                "the archive is damaged",
            ),
            (
                order(&package(qti), Some("quiz.zip")),
                "submit it to /v1/banks",
            ),
        ] {
            let answer = service.post("/v1/runs", &order);
            assert_eq!(answer.status, 422, "{}", answer.text);
            assert!(answer.text.contains(words), "{words} {}", answer.text);
        }
    }
}

#[test]
fn an_item_that_was_run_again_counts_once() {
    let service = Service::start(None, JUDGE);
    let gift = "::One:: Which planet is nearest to the sun? {=Mercury ~Venus ~Mars}\n\n::Two:: What do plants take up from the air? {=carbon dioxide ~helium ~neon}\n";
    let order = json!({"document": gift, "name": "bank.gift", "goal": "check"});
    let answer = service.post("/v1/banks", &order);
    let batch = answer.json()["batch"].as_str().unwrap().to_owned();
    let before = done(&service, &batch);
    let runs = service.get(&format!("/v1/runs?batch={batch}")).json();
    let run = runs["runs"][0]["run"].as_str().unwrap();
    let again = service.post(&format!("/v1/runs/{run}/again"), &json!({}));
    assert_eq!(again.status, 201, "{}", again.text);
    let after = done(&service, &batch);
    assert_eq!(before["items"], after["items"]);
    let text = service.get(&format!("/v1/banks/{batch}/document")).text;
    assert_eq!(text, gift);
}

#[test]
fn a_repaired_bank_changes_in_its_items_alone_and_has_receipts() {
    for database in databases() {
        let service = Service::start(database, ITEM);
        let mut second = item();
        second["id"] = "second".into();
        let mut first = item();
        first["id"] = "first".into();
        let text = serde_json::to_string_pretty(&json!([first, second])).unwrap() + "\n";
        let order = json!({"document": text, "name": "bank.json"});
        let answer = service.post("/v1/banks", &order);
        assert_eq!(answer.status, 201, "{}", answer.text);
        let batch = answer.json()["batch"].as_str().unwrap().to_owned();
        let early = service.get(&format!("/v1/banks/{batch}/document"));
        assert!([200, 409].contains(&early.status), "{}", early.text);
        done(&service, &batch);
        let after = service.get(&format!("/v1/banks/{batch}/document")).text;
        let expected = text.replace("Vitamin C", "Doxazosin").replace(
            "It is not known to cause a cough.",
            "Its usual complaint is dizziness on standing.",
        );
        assert_eq!(after, expected);
        let report = service.get(&format!("/v1/banks/{batch}/receipts")).json();
        assert_eq!(report["corrected"], 2, "{report}");
        assert_eq!(report["receipts"]["edits"].as_array().unwrap().len(), 4);
        // An erased item takes the bank with it, which holds its text.
        let runs = service.get(&format!("/v1/runs?batch={batch}")).json();
        assert_eq!(runs["runs"].as_array().unwrap().len(), 2);
        let bank = service.get(&format!("/v1/banks/{batch}")).json();
        let hash = bank["document"].as_str().unwrap();
        service.admin(&["erase", "document", hash]);
        assert_eq!(service.get(&format!("/v1/banks/{batch}")).status, 404);
        let runs = service.get(&format!("/v1/runs?batch={batch}")).json();
        assert_eq!(runs["runs"], json!([]));
    }
}

#[test]
fn accepted_cards_are_templates() {
    let service = Service::start(None, "examples/refine-cards-replies.toml");
    let cards = fs::read_to_string(repository("examples/refine-cards.json")).unwrap();
    let order = json!({"document": cards, "name": "cards.json"});
    let run = service.submit(&order);
    let info = service.settled(&run);
    let listed = service.get("/v1/templates").json();
    assert_eq!(info["status"], "accepted", "{info}");
    assert_eq!(listed["runs"][0]["run"], run.as_str());
    let row = service.get(&format!("/v1/templates/{run}"));
    assert_eq!(row.status, 200, "{}", row.text);
    let row = row.json();
    assert!(
        row["cards"].is_array() && row["cards_gzip"].is_string(),
        "{row}"
    );
    // What was not accepted is none.
    let checked =
        service.submit(&json!({"document": cards, "name": "cards.json", "goal": "check"}));
    service.settled(&checked);
    assert_eq!(service.get(&format!("/v1/templates/{checked}")).status, 404);
    assert_eq!(
        service.get("/v1/templates").json()["runs"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}
