//! Companions as people and generators write them, and every declared field.

use std::collections::BTreeSet;

use serde_json::{Map, Value as JsonValue, json};

use super::fields::{COMPANIONS, Object, Value};
use super::*;

#[test]
fn a_specification_is_read_with_objectives_as_texts_or_objects() {
    let read = specification(
        br#"{"title": "Water", "language": "en-GB", "estimated_duration_minutes": 15,
            "learning_objectives": ["name the boiling point", {"id": "LO2", "objective": "explain steam"}],
            "sections": [{"title": "Heat", "constraints": {"required_keywords": ["steam"], "prohibited_terms": ["magic"]}}],
            "metadata": {"target_audience": "adults", "tone": "calm", "content_archetype": "tutorial"},
            "exercises": [{}, {}]}"#
            .to_vec(),
    )
    .unwrap();
    assert_eq!(read.objectives.len(), 2);
    assert_eq!(read.objectives[1].id.as_deref(), Some("LO2"));
    assert_eq!(read.sections[0].required_keywords, ["steam"]);
    assert_eq!(read.sections[0].prohibited_terms, ["magic"]);
    assert_eq!((read.minutes, read.exercises), (Some(15.0), Some(2)));
    assert!(read.language.is_some());
    assert_eq!(read.audience.as_deref(), Some("adults"));
    assert_eq!(read.tone.as_deref(), Some("calm"));
    assert_eq!(read.archetype.as_deref(), Some("tutorial"));
}

#[test]
fn a_section_is_read_in_every_spelling_and_with_its_constraints_inside_or_beside() {
    let expected = SectionSpecification {
        title: "Heat".to_owned(),
        depth: Some("summary".to_owned()),
        required_keywords: vec!["steam".to_owned()],
        prohibited_terms: vec!["magic".to_owned()],
        key_points: vec!["Water boils".to_owned()],
    };
    for section in [
        r#"{"title": "Heat", "key_points_to_cover": ["Water boils"], "constraints": {"depth": "summary", "required_keywords": ["steam"], "prohibited_terms": ["magic"]}}"#,
        r#"{"title": "Heat", "key_points": ["Water boils"], "depth": "summary", "constraints": {"required_keywords": ["steam"], "prohibited_terms": ["magic"]}}"#,
        r#"{"title": "Heat", "keyPoints": ["Water boils"], "depth": "summary", "requiredKeywords": ["steam"], "prohibitedTerms": ["magic"]}"#,
        r#"{"title": "Heat", "keyPointsToCover": ["Water boils"], "constraints": {"depth": "summary", "requiredKeywords": ["steam"], "prohibitedTerms": ["magic"]}}"#,
    ] {
        let text = format!(r#"{{"sections": [{section}]}}"#);
        let read = specification(text.into_bytes()).unwrap();
        assert_eq!(read.sections, std::slice::from_ref(&expected), "{section}");
    }
}

#[test]
fn a_specification_in_camel_case_is_one() {
    let read = specification(
        br#"{"learningObjectives": ["o"], "estimatedDurationMinutes": 15, "targetAudience": "adults", "metadata": {"difficultyLevel": "beginner", "contentArchetype": "case_study"}}"#.to_vec(),
    )
    .unwrap();
    assert_eq!(read.objectives.len(), 1);
    assert_eq!(read.minutes, Some(15.0));
    assert_eq!(read.audience.as_deref(), Some("adults"));
    assert_eq!(read.difficulty.as_deref(), Some("beginner"));
    assert_eq!(read.archetype.as_deref(), Some("case_study"));
}

#[test]
fn our_own_example_is_read_completely() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/lesson-specification.json"
    );
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(not_read(bytes.clone()), NotRead::default());
    let read = specification(bytes).unwrap();
    for section in &read.sections {
        assert!(section.depth.is_some(), "{section:?}");
        assert_eq!(section.key_points.len(), 2, "{section:?}");
        assert!(!section.required_keywords.is_empty(), "{section:?}");
    }
    assert_eq!(read.sections[1].prohibited_terms, ["torque"]);
}

#[test]
fn a_companion_of_another_kind_is_refused_in_words() {
    assert!(specification(b"[1, 2]".to_vec()).is_err());
    assert!(specification(b"just words".to_vec()).is_err());
    assert!(scheme_of_work(br#"{"a": 1}"#.to_vec()).is_err());
    assert!(outcomes(b"[]".to_vec()).is_err());
}

#[test]
fn sources_are_passages_or_a_plain_text() {
    let chunks = sources(
        br#"[{"chunk_id": "1", "document_name": "d", "content": "c", "page_or_section": 3}]"#
            .to_vec(),
    );
    let page = sources(br#"[{"document": "d", "content": "c", "page": 3}]"#.to_vec());
    assert_eq!(page.unwrap(), *chunks.as_ref().unwrap());
    assert_eq!(
        chunks.unwrap(),
        [SourcePassage {
            document: Some("d".to_owned()),
            place: Some("3".to_owned()),
            content: "c".to_owned()
        }]
    );
    assert_eq!(
        sources(b"plain words".to_vec()).unwrap()[0].content,
        "plain words"
    );
}

#[test]
fn a_scheme_of_work_is_one_entry_or_many() {
    let entry = br#"{"order": 1, "label": "L", "outcomeRefs": ["O1"], "assessmentStandardRefs": [{"code": "AS1.1"}], "policy": {"calculator_section": "non_calc"}}"#;
    let one = scheme_of_work(entry.to_vec()).unwrap();
    assert_eq!(one[0].standards, ["AS1.1"]);
    assert_eq!(one[0].calculator_allowed, Some(false));
    let whole = format!(
        r#"{{"entries": [{0}, {0}]}}"#,
        String::from_utf8_lossy(entry)
    );
    assert_eq!(scheme_of_work(whole.into_bytes()).unwrap().len(), 2);
}

#[test]
fn an_entry_brings_its_course_and_the_cards_of_its_plan() {
    let read = scheme_of_work(
        br#"{"courseId": "course_1", "entries": [{"order": 1, "label": "L", "lesson_plan": {"card_structure": [
            {"card_number": 1, "card_type": "starter", "title": "T", "estimated_minutes": 5, "standards_addressed": [{"code": "AS1.2"}]},
            {"card_type": "modelling"}]}}]}"#
            .to_vec(),
    )
    .unwrap();
    assert_eq!(read[0].course.as_deref(), Some("course_1"));
    assert_eq!(
        read[0].cards[0],
        PlannedCard {
            kind: Some("starter".to_owned()),
            title: Some("T".to_owned()),
            minutes: Some(5.0),
            standards: vec!["AS1.2".to_owned()],
            ..PlannedCard::default()
        }
    );
    assert_eq!((read[0].cards.len(), read[0].cards[1].minutes), (2, None));
}

#[test]
fn a_calculator_section_is_read_in_every_spelling() {
    for (section, expected) in [
        ("non_calc", Some(false)),
        ("noncalc", Some(false)),
        ("non-calculator", Some(false)),
        ("calc", Some(true)),
        ("mixed", None),
        ("exam_conditions", None),
    ] {
        assert_eq!(calculator_section(section), expected, "{section}");
    }
}

#[test]
fn standards_written_into_a_string_are_read_too() {
    let read = outcomes(
        br#"[{"outcomeId": "O1", "outcomeTitle": "t", "assessmentStandards": "[{\"code\": \"AS1.1\", \"desc\": \"d\"}]"}]"#.to_vec(),
    )
    .unwrap();
    let codes: Vec<&str> = read.iter().map(|outcome| outcome.code.as_str()).collect();
    assert_eq!(codes, ["O1", "AS1.1"]);
}

/// A whole file around an object.
type Wrap<'a> = &'a dyn Fn(Map<String, JsonValue>) -> JsonValue;

/// What is read, or why not, to compare.
fn read(companion: &str, file: &JsonValue) -> String {
    let bytes = file.to_string().into_bytes();
    match companion {
        "specification" => format!("{:?}", specification(bytes)),
        "sources" => format!("{:?}", sources(bytes)),
        "scheme-of-work" => format!("{:?}", scheme_of_work(bytes)),
        "outcomes" => format!("{:?}", outcomes(bytes)),
        other => panic!("no reader for {other}"),
    }
}

fn example(field: &Field) -> JsonValue {
    serde_json::from_str(field.example).unwrap()
}

/// The least that makes an object readable, without the names of one field.
fn base(object: &Object, without: &Field) -> Map<String, JsonValue> {
    let names = object.required.names.iter();
    names
        .filter(|name| !without.names.contains(name))
        .take(object.required.least)
        .map(|name| {
            let field = object
                .all_fields()
                .find(|field| field.names.contains(name))
                .unwrap_or_else(|| panic!("{name} of {} is not declared", object.name));
            ((*name).to_owned(), example(field))
        })
        .collect()
}

/// Checks every name of every field below an object; returns how many it saw.
fn names_that_matter(companion: &str, object: &Object, wrap: Wrap<'_>) -> usize {
    let mut seen = 0;
    for field in object.all_fields() {
        let base = base(object, field);
        let without = read(companion, &wrap(base.clone()));
        let with = |name: &str, value: JsonValue| {
            let mut members = base.clone();
            members.insert(name.to_owned(), value);
            wrap(members)
        };
        for name in field.names {
            let file = with(name, example(field));
            assert_ne!(
                read(companion, &file),
                without,
                "`{name}` has no effect in {file}"
            );
            seen += 1;
        }
        let name = field.names[0];
        seen += match field.value {
            Value::Object(inner) | Value::TextOrObject(inner) => {
                names_that_matter(companion, inner, &|members| {
                    with(name, JsonValue::Object(members))
                })
            }
            Value::Objects(inner) | Value::TextsOrObjects(inner) | Value::ObjectsOrJson(inner) => {
                names_that_matter(companion, inner, &|members| with(name, json!([members])))
            }
            Value::Codes => names_that_matter(companion, &fields::code::OBJECT, &|members| {
                with(name, json!([members]))
            }),
            Value::Text
            | Value::Number
            | Value::Integer
            | Value::Flag
            | Value::Id
            | Value::Count => 0,
        };
    }
    seen
}

#[test]
fn every_declared_name_of_a_field_is_read() {
    let mut readers = BTreeSet::new();
    for companion in COMPANIONS {
        for form in companion.forms {
            let seen = match *form {
                fields::Form::Object(object) => {
                    names_that_matter(companion.name, object, &JsonValue::Object)
                }
                fields::Form::Objects(object) | fields::Form::TextsOrObjects(object) => {
                    names_that_matter(companion.name, object, &|members| json!([members]))
                }
            };
            assert!(seen > 0, "{} {form:?}", companion.name);
        }
        readers.insert(companion.name);
    }
    assert_eq!(readers.len(), 4);
}
