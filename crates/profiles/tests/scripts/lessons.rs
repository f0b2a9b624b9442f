//! Published lessons (reference data, not part of the project).

use redraft_gate::companion::Companions;
use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;
use redraft_text::language::Language;

use crate::CODES;
use crate::fixtures::inspect;

/// Language and text of the published lessons; empty without reference data.
pub(crate) fn published() -> Vec<(String, String)> {
    let Some(lines) = reference("lessons_markdown/lessons.jsonl") else {
        return Vec::new();
    };
    lines
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|lesson| {
            Some((
                lesson["lang"].as_str()?.to_owned(),
                lesson["text"].as_str()?.to_owned(),
            ))
        })
        .collect()
}

/// A file of the reference data, wherever the project stands.
fn reference(path: &str) -> Option<String> {
    let named = std::env::var_os("REDRAFT_DATA").map(std::path::PathBuf::from);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = named
        .into_iter()
        .chain(root.ancestors().map(|folder| folder.join("shared/data")))
        .find_map(|folder| std::fs::read_to_string(folder.join(path)).ok());
    if found.is_none() {
        println!("skipped: no reference data ({path})");
    }
    found
}

#[test]
fn published_lessons_get_no_error_and_next_to_no_warning() {
    let mut warnings = 0;
    let lessons = published();
    for (language, text) in &lessons {
        for asked in [None, Language::parse(language)] {
            let companions = Companions {
                language: asked,
                ..Companions::default()
            };
            let inspected = inspect(text, Hint::Markdown, &companions);
            for finding in inspected
                .findings
                .iter()
                .filter(|finding| CODES.contains(&finding.check.code))
            {
                println!(
                    "{language} {} {} {} {}",
                    finding.check.code,
                    finding.severity.name(),
                    finding.message,
                    text[finding.span.start..finding.span.end]
                        .chars()
                        .take(80)
                        .collect::<String>()
                );
                assert!(finding.severity < Severity::Error);
                warnings +=
                    usize::from(finding.severity == Severity::Warning && finding.fix.is_some());
            }
        }
    }
    assert_eq!(
        warnings, 0,
        "nothing in a published lesson is to be scrubbed"
    );
}

#[test]
fn sentences_are_split_as_the_golden_rules_say() {
    let Some(lines) = reference("pysbd_golden/golden_rules.jsonl") else {
        return;
    };
    let mut right = 0;
    let mut all = 0;
    for case in lines
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
    {
        if case["lang"] != "en" {
            continue;
        }
        let text = case["text"].as_str().unwrap_or_default();
        let found: Vec<&str> = redraft_text::sentences::sentences(text, Some(&Language::EN))
            .map(|range| &text[range])
            .collect();
        let expected: Vec<&str> = case["sentences"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|sentence| sentence.as_str().map(str::trim))
            .collect();
        all += 1;
        right += usize::from(found == expected);
    }
    assert!(all - right <= 2, "{right} of {all}");
}
