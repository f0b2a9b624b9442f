//! The output for programs: exactly the published format, and fresh pages.

use std::fs;

use redraft::pages;
use serde_json::Value;

use crate::temp_folder::{CHATTY, GOOD, HOLLOW, TempFolder, repository};

/// A schema as `cargo xtask docs` writes it; that the committed one is the same is
/// tested below.
fn schema(name: &str) -> jsonschema::Validator {
    let path = format!("docs/schema/{name}");
    let page = pages::all().into_iter().find(|page| page.path == path);
    jsonschema::validator_for(&serde_json::from_str(&page.unwrap().content).unwrap()).unwrap()
}

#[test]
fn json_output_follows_the_schema_and_has_no_other_fields() {
    let broken = "```json\n{\"intro\": \"Water **boils.\", \"sections\": [{\"title\": \"t\", \"content\": \"Heat, and the";
    let temp_folder = TempFolder::new(&[
        ("a.md", GOOD),
        ("b.md", HOLLOW),
        ("c.md", CHATTY),
        ("d.json", broken),
        ("package.json", "{\"name\": \"package\"}"),
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
    assert_eq!(keys(&report), ["schema", "documents", "skipped", "summary"]);
    assert_eq!(report["schema"], 2);
    assert_eq!(
        keys(&report["summary"]),
        [
            "documents",
            "skipped",
            "errors",
            "warnings",
            "infos",
            "fixable"
        ]
    );
    assert_eq!(report["summary"]["documents"], 4);
    assert_eq!(report["summary"]["skipped"], 1);
    assert_eq!(keys(&report["skipped"][0]), ["path", "reason"]);
    assert_eq!(report["skipped"][0]["path"], "package.json");
    let document = &report["documents"][2];
    assert_eq!(
        keys(document),
        [
            "path",
            "profile",
            "content",
            "language",
            "self_review",
            "findings",
            "metrics",
            "seed"
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
    assert_has_the_seed_heuristics(document);
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

/// Seed 002's names under `seed`, the same in snake_case beside them.
fn assert_has_the_seed_heuristics(document: &Value) {
    let heuristics = &document["seed"]["heuristics"];
    assert_eq!(heuristics["passed"], true);
    for (name, metric) in [
        ("wordCount", "word_count"),
        ("fleschKincaid", "flesch_kincaid"),
        ("fleschKincaidSkipped", "flesch_kincaid_skipped"),
        ("sectionsPresent", "sections_present"),
        ("missingSections", "missing_sections"),
        ("keywordCoverage", "keyword_coverage"),
        ("examplesCount", "examples_count"),
        ("exercisesCount", "exercises_count"),
        ("failureReasons", "failure_reasons"),
        ("warnings", "warnings"),
    ] {
        let measured = document["metrics"].get(metric);
        assert!(measured.is_some(), "{metric}");
        assert_eq!(heuristics.get(name), measured, "{name}");
    }
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
        let differs = (1..)
            .zip(both(committed.lines(), page.content.lines()))
            .find(|(_, (committed, generated))| committed != generated);
        assert!(
            committed == page.content,
            "{} is stale: run `cargo xtask docs`; first difference: {differs:?}",
            page.path
        );
    }
}

/// The lines of two texts side by side; `None` after the end of the shorter one.
fn both<'a>(
    mut one: impl Iterator<Item = &'a str>,
    mut other: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = (Option<&'a str>, Option<&'a str>)> {
    std::iter::from_fn(move || match (one.next(), other.next()) {
        (None, None) => None,
        lines => Some(lines),
    })
}

/// The keys of a JSON value that are not snake_case, with their paths. What is
/// under `seed` has the seeds' names; what is a map from names of checks, roles or
/// asks has theirs.
fn camel_case_keys(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let path = format!("{at}/{key}");
                if key != "seed" {
                    if key.chars().any(char::is_uppercase) {
                        found.push(path.clone());
                    }
                    camel_case_keys(value, &path, found);
                }
            }
        }
        Value::Array(values) => {
            for value in values {
                camel_case_keys(value, at, found);
            }
        }
        _ => {}
    }
}

#[test]
fn our_own_json_is_snake_case_outside_seed() {
    let temp_folder = TempFolder::new(&[]);
    let example = |name: &str| {
        repository(&format!("examples/{name}"))
            .display()
            .to_string()
    };
    let script = |name: &str| format!("--script={}", example(name));
    for arguments in [
        vec!["check".to_owned(), example("")],
        vec!["check".to_owned(), example("question-bank.json")],
        vec![
            "judge".to_owned(),
            example("photosynthesis.md"),
            script("judge-replies.toml"),
        ],
        vec![
            "refine".to_owned(),
            example("refine-kettle/lesson.md"),
            script("refine-kettle/replies.toml"),
        ],
        vec![
            "refine".to_owned(),
            example("refine-item.json"),
            script("refine-item-replies.toml"),
        ],
        vec![
            "refine".to_owned(),
            "--free".to_owned(),
            example("question-bank.json"),
        ],
        vec!["plan".to_owned(), example("photosynthesis.md")],
        vec!["models".to_owned()],
    ] {
        let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        arguments.extend(["--format", "json"]);
        let run = temp_folder.run_among(&[], &arguments);
        let printed: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(printed["schema"], 2, "{arguments:?}");
        let mut found = Vec::new();
        camel_case_keys(&printed, "", &mut found);
        assert!(found.is_empty(), "{arguments:?}: {found:#?}");
    }
}
