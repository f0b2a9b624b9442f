//! Banks and items as their users meet them: the table, the sheet in JSON, the
//! validation result, and folders of single items.

use serde_json::Value;

use crate::temp_folder::{TempFolder, repository};

fn item(number: usize, key: char) -> String {
    format!(
        r#"{{"stem": "What is the answer to question {number}?", "options": ["one {number}", "two {number}", "six {number}", "eleven {number}"], "answer": "{key}"}}"#
    )
}

fn json(temp_folder: &TempFolder, arguments: &[&str]) -> Value {
    let run = temp_folder.run(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn a_bank_has_a_table_and_a_sheet() {
    let bank: Vec<String> = (0..40).map(|number| item(number, 'B')).collect();
    let temp_folder = TempFolder::new(&[("bank.jsonl", &bank.join("\n"))]);
    let run = temp_folder.run(&["check", "bank.jsonl"]);
    for line in [
        "40 of 40 keys are B, where chance gives 10 (p below 0.001",
        "bank.jsonl: bank of 40 items",
        "keys by position  A 0 (10 expected), B 40 (10 expected)",
        "biased: p below 0.001",
        "longest option    is the key in 0% of 40 items",
    ] {
        assert!(run.stdout.contains(line), "{line}\n{}", run.stdout);
    }
    let report = json(&temp_folder, &["check", "bank.jsonl"]);
    let sheet = &report["documents"][0]["bank"];
    assert_eq!(sheet["items"], 40);
    assert_eq!(sheet["key_positions"][1]["keys"], 40);
    assert_eq!(sheet["position_bias"]["verdict"], "striking");
    assert_eq!(sheet["length_cue"]["verdict"], "unremarkable");
}

#[test]
fn the_items_of_a_folder_are_a_bank() {
    let files: Vec<(String, String)> = (0..32)
        .map(|number| (format!("items/{number:02}.json"), item(number % 31, 'C')))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, item)| (name.as_str(), item.as_str()))
        .collect();
    let temp_folder = TempFolder::new(&files);
    let run = temp_folder.run(&["check", "items"]);
    assert!(
        run.stdout.contains("items: bank of 32 items"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("items/00.json:1 and items/31.json:1 (100% in common)"),
        "{}",
        run.stdout
    );
    let report = json(&temp_folder, &["check", "items"]);
    assert_eq!(report["banks"][0]["items"], 32);
    assert_eq!(report["banks"][0]["position_bias"]["verdict"], "striking");
    let alone = json(&temp_folder, &["check", "items/00.json"]);
    assert_eq!(alone["banks"], Value::Null);
    assert_eq!(alone["documents"][0]["bank"], Value::Null);
}

#[test]
fn the_validation_result_names_fields() {
    let example = std::fs::read_to_string(repository("examples/clinical-item.json")).unwrap();
    let broken = example.replace(r#""answerKey": "B""#, r#""answerKey": "A""#);
    let bank = std::fs::read_to_string(repository("examples/question-bank.json")).unwrap();
    let temp_folder = TempFolder::new(&[
        ("bank.json", &bank),
        ("broken.json", &broken),
        ("sound.json", &example),
    ]);
    let report = json(
        &temp_folder,
        &["check", "bank.json", "broken.json", "sound.json"],
    );
    let validation = |index: usize| &report["documents"][index]["seed"]["validation_result"];
    assert_eq!(validation(2)["isValid"], true);
    assert_eq!(validation(2)["errors"], Value::Array(Vec::new()));
    assert_eq!(validation(1)["isValid"], false);
    assert_eq!(validation(1)["errors"][0]["field"], "answer_key");
    assert_eq!(validation(1)["errors"][0]["severity"], "error");
    assert_eq!(validation(0)["isValid"], false);
    let items: Vec<&str> = validation(0)["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|item| item["id"].as_str())
        .collect();
    assert_eq!(items, ["renal-3", "renal-4"]);
}
