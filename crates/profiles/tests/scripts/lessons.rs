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

/// Language, kind and text of the samples of languages; empty without reference data.
pub(crate) fn langid() -> Vec<(String, String, String)> {
    let lines = reference("langid/testdata.jsonl").unwrap_or_default();
    lines
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|sample| {
            let of = |name: &str| sample[name].as_str().map(ToOwned::to_owned);
            Some((of("lang")?, of("kind")?, of("text")?))
        })
        .collect()
}

#[test]
fn sentences_are_recognised() {
    let mut counts: std::collections::BTreeMap<String, (usize, usize)> =
        std::collections::BTreeMap::new();
    for (language, kind, text) in langid() {
        if kind == "sentences" {
            let (right, all) = counts.entry(language.clone()).or_default();
            let detected = redraft_text::language::detect(&text).language;
            *right += usize::from(detected == Language::parse(&language));
            *all += 1;
        }
    }
    println!("{counts:?}");
    for (language, (right, all)) in counts {
        let percent = match language.as_str() {
            "en" | "ru" | "zh" | "de" | "es" => 97,
            // Where it stands today; why it is lower has not been looked into.
            "ga" => 80,
            _ => 93,
        };
        assert!(right * 100 >= all * percent, "{language}: {right} of {all}");
    }
}

/// Sentences of one language after another: hardly one of them has letters or
/// passages that look foreign, and if so they are.
#[test]
fn published_sentences_get_next_to_no_finding() {
    let mut by_language: std::collections::BTreeMap<String, Vec<String>> =
        std::collections::BTreeMap::new();
    for (language, kind, text) in langid() {
        if kind == "sentences" {
            by_language.entry(language).or_default().push(text);
        }
    }
    let mut findings = 0;
    let mut passages = 0;
    let mut sentences = 0;
    for (language, texts) in &by_language {
        for lesson in texts.chunks(15) {
            sentences += lesson.len();
            let inspected = inspect(&lesson.join("\n\n"), Hint::Markdown, &Companions::default());
            for finding in &inspected.findings {
                if ["TXT017", "TXT030", "TXT031", "TXT032"].contains(&finding.check.code) {
                    println!("{language} {} {}", finding.check.code, finding.message);
                    findings += 1;
                    passages += usize::from(finding.check.code != "TXT032");
                }
            }
        }
    }
    println!("{findings} findings in {sentences} sentences");
    // Many of the Belarusian ones write a Latin “i”.
    assert!(findings * 50 <= sentences, "{findings} of {sentences}");
    assert!(passages * 1000 <= sentences, "{passages} of {sentences}");
}

/// Texts of the reference data with a name and the form they come in: the files
/// that hold documents as they are, and from the other ones every string of some
/// length.
pub(crate) fn reference_texts() -> Vec<(String, String, Hint)> {
    let mut texts = Vec::new();
    for name in JSON_FILES {
        texts.extend(reference(name).map(|text| (name.to_owned(), text, Hint::Json)));
    }
    for name in LINES {
        let Some(lines) = reference(name) else {
            continue;
        };
        for (index, line) in lines.lines().enumerate() {
            let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else {
                continue;
            };
            // One string in twenty of the many short ones.
            let is_sampled = lines.len() < 1_000_000 || index % 20 == 0;
            if is_sampled {
                collect(&value, &format!("{name}:{}", index + 1), &mut texts);
            }
        }
    }
    texts
}

fn collect(value: &serde_json::Value, name: &str, texts: &mut Vec<(String, String, Hint)>) {
    match value {
        serde_json::Value::String(text) if text.len() > 60 => {
            texts.push((name.to_owned(), text.clone(), Hint::Markdown));
        }
        serde_json::Value::Array(values) => {
            values.iter().for_each(|value| collect(value, name, texts));
        }
        serde_json::Value::Object(fields) => fields
            .values()
            .for_each(|value| collect(value, name, texts)),
        _ => {}
    }
}

const JSON_FILES: [&str; 6] = [
    "sqa/lesson_template_authored_mathematics_nat4.json",
    "sqa/lesson_template_authored_mathematics_nat4_original.json",
    "sqa/mock_lesson_template.json",
    "sqa/mathematics_national-4.json",
    "sqa/course_outcomes_import.json",
    "r3_edits/documents.json",
];

const LINES: [&str; 6] = [
    "lessons_markdown/lessons.jsonl",
    "pysbd_golden/golden_rules.jsonl",
    "langid/testdata.jsonl",
    "textstat/cases.jsonl",
    "cefr/sentences.jsonl",
    "medmcqa/medmcqa_dev_1500.jsonl",
];

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
