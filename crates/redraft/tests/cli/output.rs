//! The output for programs: exactly the published format, and fresh pages.

use std::fs;

use redraft::pages;
use serde_json::Value;

use crate::temp_folder::{CHATTY, GOOD, HOLLOW, TempFolder, repository};

fn schema(name: &str) -> jsonschema::Validator {
    let text = fs::read_to_string(repository("docs/schema").join(name)).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

#[test]
fn json_output_follows_the_committed_schema_and_nothing_is_beside_it() {
    let broken = "```json\n{\"intro\": \"Water **boils.\", \"sections\": [{\"title\": \"t\", \"content\": \"Heat, and the";
    let temp_folder = TempFolder::new(&[
        ("a.md", GOOD),
        ("b.md", HOLLOW),
        ("c.md", CHATTY),
        ("d.json", broken),
    ]);
    let run = temp_folder.run(&["check", ".", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let errors: Vec<String> = schema("check-output.schema.json")
        .iter_errors(&report)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");

    let keys = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(&report), ["schema", "documents", "summary"]);
    assert_eq!(report["schema"], 1);
    assert_eq!(
        keys(&report["summary"]),
        ["documents", "errors", "warnings", "infos", "fixable"]
    );
    assert_eq!(report["summary"]["documents"], 4);
    let document = &report["documents"][2];
    assert_eq!(
        keys(document),
        [
            "path",
            "profile",
            "language",
            "self_review",
            "findings",
            "metrics"
        ]
    );
    assert_eq!(
        keys(&document["self_review"]),
        ["status", "reasoning", "issues"]
    );
    assert_eq!(
        keys(&document["findings"][0]),
        [
            "code",
            "name",
            "severity",
            "critical",
            "component",
            "start",
            "end",
            "line",
            "column",
            "message",
            "fix"
        ]
    );
    assert_eq!(
        keys(&document["findings"][0]["fix"]),
        ["applicability", "edits"]
    );
    assert_eq!(
        keys(&document["findings"][0]["fix"]["edits"][0]),
        ["start", "end", "text"]
    );
    for name in [
        "wordCount",
        "fleschKincaid",
        "fleschKincaidSkipped",
        "sectionsPresent",
        "missingSections",
        "keywordCoverage",
        "examplesCount",
        "exercisesCount",
        "failureReasons",
        "warnings",
    ] {
        assert!(document["metrics"].get(name).is_some(), "{name}");
    }
    let paths: Vec<&str> = report["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|document| document["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["a.md", "b.md", "c.md", "d.json"]);
    let statuses: Vec<&str> = report["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|document| document["self_review"]["status"].as_str().unwrap())
        .collect();
    assert_eq!(statuses, ["PASS", "REGENERATE", "FIXED", "REGENERATE"]);
}

#[test]
fn offsets_are_bytes_and_columns_count_characters() {
    let text = "# Вода\n\nВода 😀 кипит, и **пар ** горяч.\n";
    let temp_folder = TempFolder::new(&[("a.md", text)]);
    let run = temp_folder.run(&["check", "a.md", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let finding = &report["documents"][0]["findings"][0];
    let start = usize::try_from(finding["start"].as_u64().unwrap()).unwrap();
    assert!(text[start..].starts_with("**пар **"));
    assert_eq!(
        (finding["line"].as_u64(), finding["column"].as_u64()),
        (Some(3), Some(17))
    );
    let edit = &finding["fix"]["edits"][0];
    let at = |name: &str| usize::try_from(edit[name].as_u64().unwrap()).unwrap();
    let mut fixed = text.to_owned();
    fixed.replace_range(at("start")..at("end"), edit["text"].as_str().unwrap());
    assert_eq!(fixed, "# Вода\n\nВода 😀 кипит, и **пар** горяч.\n");
}

#[test]
fn a_line_of_jsonl_is_a_document_of_the_json() {
    let temp_folder = TempFolder::new(&[("a.md", GOOD), ("b.md", HOLLOW)]);
    let json: Value =
        serde_json::from_str(&temp_folder.run(&["check", ".", "--format", "json"]).stdout).unwrap();
    let lines: Vec<Value> = temp_folder
        .run(&["check", ".", "--format", "jsonl"])
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(Value::Array(lines), json["documents"]);
}

#[test]
fn the_schema_of_the_configuration_takes_what_the_program_takes() {
    let validator = schema("redraft.toml.schema.json");
    for (text, valid) in [
        (
            "ignore = [\"TXT\"]\n[checks.repeated-text]\nmin-words = 3\n",
            true,
        ),
        (
            "[[override]]\npaths = [\"a\"]\nseverity = { broken-link = \"info\" }\n",
            true,
        ),
        ("ignroe = []\n", false),
        ("[severity]\nbroken-link = \"fatal\"\n", false),
    ] {
        let table: toml::Table = text.parse().unwrap();
        assert_eq!(
            validator.is_valid(&serde_json::to_value(table).unwrap()),
            valid,
            "{text}"
        );
    }
}

#[test]
fn generated_pages_are_fresh() {
    for page in pages::all() {
        let path = repository(&page.path);
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            committed, page.content,
            "{} is stale: run `cargo xtask docs`",
            page.path
        );
    }
}
