//! The schemas of companion files and the page that documents them.

use std::collections::BTreeMap;
use std::fs;

use redraft::pages;
use redraft_profiles::companions;
use redraft_profiles::registry;
use serde_json::Value;

use crate::temp_folder::repository;

struct Schemas(BTreeMap<&'static str, jsonschema::Validator>);

impl Schemas {
    fn new() -> Self {
        let made = pages::companion_schemas().into_iter();
        Self(
            made.map(|(name, schema)| (name, jsonschema::validator_for(&schema).unwrap()))
                .collect(),
        )
    }

    fn accepts(&self, name: &str, json: &str) -> bool {
        self.0[name].is_valid(&serde_json::from_str::<Value>(json).unwrap())
    }
}

/// Whether the reader takes a file for this companion.
fn reads(name: &str, json: &str) -> bool {
    let bytes = json.as_bytes().to_vec();
    match name {
        "specification" => companions::specification(bytes).is_ok(),
        "sources" => companions::sources(bytes).is_ok(),
        "scheme-of-work" => companions::scheme_of_work(bytes).is_ok(),
        other => {
            assert_eq!(other, "outcomes", "no such companion");
            companions::outcomes(bytes).is_ok()
        }
    }
}

#[test]
fn examples_of_the_repository_follow_the_schemas() {
    let schemas = Schemas::new();
    for (name, path) in [
        ("specification", "examples/lesson-specification.json"),
        ("specification", "examples/learning-outcome.json"),
        ("scheme-of-work", "examples/scheme-of-work-entry.json"),
    ] {
        let json = fs::read_to_string(repository(path)).unwrap();
        assert!(schemas.accepts(name, &json), "{path}");
        assert!(reads(name, &json), "{path}");
    }
    let mut seen = 0;
    for check in registry::all_checks() {
        let beside = registry::beside_examples(check);
        for (name, json) in [
            ("specification", beside.specification),
            ("scheme-of-work", beside.scheme_of_work),
            ("outcomes", beside.outcomes),
        ] {
            if let Some(json) = json {
                assert!(schemas.accepts(name, json), "{}: {json}", check.name);
                seen += 1;
            }
        }
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn schemas_and_readers_agree_on_samples() {
    let schemas = Schemas::new();
    for (name, json, valid) in [
        ("specification", r#"{"title": "Water"}"#, true),
        (
            "specification",
            r#"{"title": null, "topic": "t", "own": 1}"#,
            true,
        ),
        (
            "specification",
            r#"{"sections": ["Heat", {"title": "Steam"}]}"#,
            true,
        ),
        (
            "specification",
            r#"{"slo": "only this does not identify it"}"#,
            false,
        ),
        ("specification", r#"[1, 2]"#, false),
        (
            "sources",
            r#"[{"content": "c", "page_or_section": 3}, "t"]"#,
            true,
        ),
        ("sources", r#"{"chunks": [{"text": "t"}]}"#, true),
        ("sources", r#"{"content": "c"}"#, true),
        ("scheme-of-work", r#"{"order": 1, "label": "L"}"#, true),
        (
            "scheme-of-work",
            r#"[{"order": 1, "lesson_type": "teach"}]"#,
            true,
        ),
        (
            "scheme-of-work",
            r#"{"courseId": "c", "entries": [{"order": 1, "outcomeRefs": ["O1", {"code": "O2"}]}]}"#,
            true,
        ),
        ("scheme-of-work", r#"{"order": 1}"#, false),
        ("scheme-of-work", r#"{"a": 1}"#, false),
        (
            "outcomes",
            r#"[{"outcomeId": "O1", "assessmentStandards": "[{\"code\": \"AS1\"}]"}]"#,
            true,
        ),
        ("outcomes", r#"{"documents": [{"id": 1}]}"#, true),
        ("outcomes", r#"{"a": []}"#, false),
    ] {
        assert_eq!(schemas.accepts(name, json), valid, "schema: {name} {json}");
        assert_eq!(reads(name, json), valid, "reader: {name} {json}");
    }
    // Values of another type are ignored by the reader, and wrong by the schema.
    for (name, json) in [
        ("specification", r#"{"title": 3}"#),
        (
            "specification",
            r#"{"title": "t", "estimated_duration_minutes": "15"}"#,
        ),
        (
            "scheme-of-work",
            r#"{"order": 1, "label": "L", "policy": {"calculator_allowed": "no"}}"#,
        ),
    ] {
        assert!(reads(name, json) && !schemas.accepts(name, json), "{json}");
    }
}

/// The JSON examples of the page, in order.
fn examples(page: &str) -> Vec<&str> {
    page.split("```json\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect()
}

#[test]
fn the_examples_of_the_page_are_read_as_it_says() {
    let page = pages::all()
        .into_iter()
        .find(|page| page.path == "docs/input.md")
        .unwrap()
        .content;
    assert!(!page.contains("<!-- fields"), "a table is missing");
    let (content, companions) = page.split_once("## Companion files").unwrap();
    let shapes: Vec<&str> = examples(content)
        .iter()
        .map(|json| {
            let source = redraft_gate::source::Source::new(json.as_bytes().to_vec());
            let raw = redraft_gate::reading::read(source, redraft_gate::reading::Hint::Json);
            let profile = registry::recognise(&raw).unwrap();
            profile.parse(raw, None).shape()
        })
        .collect();
    assert_eq!(
        shapes,
        [
            "flat-json",
            "wrapped-json",
            "sqa-template",
            "distractors",
            "options-keyed",
            "options-labelled",
            "bank"
        ]
    );
    let schemas = Schemas::new();
    let names = [
        "specification",
        "specification",
        "sources",
        "scheme-of-work",
        "outcomes",
    ];
    let examples = examples(companions);
    assert_eq!(examples.len(), names.len());
    for (name, json) in names.iter().zip(examples) {
        assert!(schemas.accepts(name, json) && reads(name, json), "{json}");
    }
}
