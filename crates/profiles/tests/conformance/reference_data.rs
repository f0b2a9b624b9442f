//! Published lessons and real templates, where the reference data is at hand
//! (`../shared/data` beside the project, or `REDRAFT_DATA`). It is not part of
//! the project.

use std::fs;
use std::path::Path;

use redraft_gate::companion::Companions;
use redraft_gate::edit;
use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;
use redraft_profiles::{companions, registry};

use crate::fixtures::{fix, inspect, inspect_beside};
use crate::reference_folder::data;

#[test]
fn no_published_lesson_has_an_error_and_no_fix_touches_one() {
    let Some(folder) = data("lessons_markdown") else {
        return;
    };
    let lines = fs::read_to_string(folder.join("lessons.jsonl")).unwrap();
    let mut lessons = 0;
    for line in lines.lines() {
        let lesson: serde_json::Value = serde_json::from_str(line).unwrap();
        let (id, text) = (
            lesson["id"].as_str().unwrap(),
            lesson["text"].as_str().unwrap(),
        );
        let inspected = inspect(text.as_bytes(), Hint::Markdown);
        let errors: Vec<_> = inspected
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{id}: {errors:?}");
        let fixed = fix(text.as_bytes(), Hint::Markdown);
        // Four of them hold the same diagram with quotation marks inside a label,
        // which Mermaid itself refuses; nothing else may change.
        let unexpected: Vec<_> = fixed
            .applied
            .iter()
            .filter(|finding| finding.check.name != "invalid-mermaid")
            .collect();
        assert!(unexpected.is_empty(), "{id}: {unexpected:?}");
        let after = fixed.inspected.document.source().text();
        assert_eq!(without_diagrams(after), without_diagrams(text), "{id}");
        if fixed.applied.is_empty() {
            assert_eq!(after, text, "{id}");
        }
        let language = inspected.document.language().map(ToString::to_string);
        assert_eq!(language.as_deref(), lesson["lang"].as_str(), "{id}");
        lessons += 1;
    }
    assert!(lessons > 30, "only {lessons} lessons");
}

/// A lesson with its diagrams taken out, byte for byte otherwise.
fn without_diagrams(text: &str) -> String {
    let mut in_diagram = false;
    text.split_inclusive('\n')
        .filter(|line| {
            let opens = line.trim_start().starts_with("```mermaid");
            let closes = in_diagram && line.trim_start().starts_with("```");
            let is_inside = in_diagram && !closes;
            in_diagram = opens || is_inside;
            !is_inside
        })
        .collect()
}

#[test]
fn every_real_scottish_file_is_written_back_byte_for_byte() {
    let Some(folder) = data("sqa") else { return };
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let document = inspect(&bytes, Hint::Json).document;
        assert!(document.recovered().iter().all(|recovered| {
            !matches!(recovered.what, redraft_gate::reading::Trouble::Json(_))
        }));
        let written =
            edit::apply(document.source().bytes(), document.source().version(), &[]).unwrap();
        assert_eq!(written, bytes, "{}", path.display());
        let fixed = fix(&bytes, Hint::Json);
        // One of them has the American “practiced”; nothing else may change.
        assert!(
            fixed
                .applied
                .iter()
                .all(|finding| finding.check.name == "us-spelling"),
            "{}",
            path.display()
        );
        let british = String::from_utf8_lossy(&bytes).replace("practiced", "practised");
        let after = String::from_utf8_lossy(fixed.inspected.document.source().bytes());
        let expected = if fixed.applied.is_empty() {
            String::from_utf8_lossy(&bytes)
        } else {
            british.into()
        };
        assert_eq!(after, expected, "{}", path.display());
        files += 1;
    }
    assert!(files > 10, "only {files} files");
}

/// The real templates, each with the scheme of work that it was written for.
const TEMPLATES: [(&str, &str); 3] = [
    ("mock_lesson_template.json", "sow_entry_input_example.json"),
    (
        "lesson_template_authored_mathematics_nat4.json",
        "mathematics_national-4.json",
    ),
    (
        "lesson_template_authored_mathematics_nat4_original.json",
        "mathematics_national-4.json",
    ),
];

/// The companions that files of the reference data make.
fn beside(folder: &Path, scheme: &str) -> Companions {
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    Companions {
        scheme_of_work: companions::scheme_of_work(read(scheme)).unwrap(),
        outcomes: companions::outcomes(read("course_outcomes_import.json")).unwrap(),
        ..Companions::default()
    }
}

/// What the profile's own checks find beside companions: code and message.
fn found_beside(companions: &Companions, template: &[u8]) -> Vec<(Severity, &'static str, String)> {
    let profile = registry::profile("sqa-lesson").unwrap();
    let content = (template.to_vec(), Hint::Json);
    inspect_beside(companions, profile.checks(), profile, content)
        .findings
        .into_iter()
        .map(|finding| (finding.severity, finding.check.name, finding.message))
        .collect()
}

#[test]
fn every_scheme_of_work_and_the_outcomes_are_read() {
    let Some(folder) = data("sqa") else { return };
    for (scheme, entries, planned) in [
        ("application-of-mathematics_national-3.json", 104, 0),
        ("application-of-mathematics_national-4.json", 84, 0),
        ("mathematics_national-4.json", 105, 0),
        (
            "sow_course_c84474_391eef16-0498-47aa-bc2d-aa7ac75a5888.json",
            3,
            14,
        ),
        (
            "sow_course_c84474_af65031f-2c70-473c-abea-84baedc938f3.json",
            7,
            41,
        ),
        ("sow_entry_input_example.json", 1, 0),
    ] {
        let read = beside(&folder, scheme).scheme_of_work;
        let cards: usize = read.iter().map(|entry| entry.cards.len()).sum();
        assert_eq!((read.len(), cards), (entries, planned), "{scheme}");
        assert!(
            read.iter()
                .all(|entry| entry.label.is_some() && entry.lesson_type.is_some())
        );
    }
    let outcomes = beside(&folder, "sow_entry_input_example.json").outcomes;
    assert_eq!(outcomes.len(), 92);
}

#[test]
fn no_real_template_has_an_error_alone_or_misses_what_its_own_scheme_asks_for() {
    let Some(folder) = data("sqa") else { return };
    let about_scheme = [
        "missing-outcome",
        "unknown-outcome",
        "missing-assessment-standard",
        "calculator-policy",
        "timing-mismatch",
        "engagement-tag-unused",
    ];
    for (template, scheme) in TEMPLATES {
        let bytes = fs::read(folder.join(template)).unwrap();
        for companions in [Companions::default(), beside(&folder, scheme)] {
            let found = found_beside(&companions, &bytes);
            let wrong: Vec<_> = found
                .iter()
                .filter(|(severity, check, _)| {
                    *severity == Severity::Error || about_scheme.contains(check)
                })
                .collect();
            assert!(wrong.is_empty(), "{template}: {wrong:?}");
        }
    }
}

/// A critic said of the third lesson of this scheme that its cards take 45 minutes
/// and the lesson 50; a program can find that, too.
#[test]
fn the_time_that_a_critic_found_wrong_is_found() {
    let Some(folder) = data("sqa") else { return };
    let scheme = "sow_course_c84474_391eef16-0498-47aa-bc2d-aa7ac75a5888.json";
    let companions = beside(&folder, scheme);
    for (order, expected) in [(1, false), (2, false), (3, true)] {
        let entry = &companions.scheme_of_work[order - 1];
        let template = serde_json::json!({
            "title": entry.label, "lesson_type": entry.lesson_type, "estMinutes": entry.minutes,
            "sow_order": order, "outcomeRefs": entry.outcomes, "cards": [{"explainer": "e"}],
        });
        let found = found_beside(&companions, template.to_string().as_bytes());
        let is_found = found.iter().any(|(_, check, message)| {
            *check == "timing-mismatch"
                && message.contains("45 minutes in total, but the lesson says 50")
        });
        assert_eq!(is_found, expected, "{order}: {found:?}");
    }
}
