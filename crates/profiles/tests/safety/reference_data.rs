//! Published lessons, real cards, exam items and ordinary sentences hold no injection
//! and no active content, where the reference data is at hand.

use std::fs;

use redraft_gate::examine::Settings;
use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;
use redraft_profiles::{companions, shared};

use crate::findings_of;
use crate::reference_folder::data;

fn alarms(text: &str, hint: Hint) -> Vec<String> {
    let injections = findings_of("prompt-injection", text, hint).into_iter();
    let active = findings_of("active-content", text, hint).into_iter();
    let active = active.filter(|finding| finding.severity == Severity::Error);
    injections
        .chain(active)
        .map(|finding| {
            let range = finding.span.range();
            let words = text.get(range).unwrap_or_default();
            format!("{}: {} in {words:?}", finding.check.name, finding.message)
        })
        .collect()
}

#[test]
fn published_lessons_and_items_hold_nothing() {
    let mut found = Vec::new();
    if let Some(folder) = data("lessons_markdown") {
        for line in fs::read_to_string(folder.join("lessons.jsonl"))
            .unwrap()
            .lines()
        {
            let lesson: serde_json::Value = serde_json::from_str(line).unwrap();
            found.extend(alarms(lesson["text"].as_str().unwrap(), Hint::Markdown));
        }
    }
    if let Some(folder) = data("medmcqa") {
        for entry in fs::read_dir(folder).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            found.extend(alarms(&text, Hint::JsonLines));
        }
    }
    if let Some(folder) = data("sqa") {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            found.extend(alarms(&String::from_utf8_lossy(&bytes), Hint::Json));
            let settings = Settings {
                parameters: shared::parameters().clone(),
                ..Settings::default()
            };
            let suspicious = companions::inspect(bytes, &settings);
            assert!(suspicious.is_none(), "{}: {suspicious:?}", path.display());
        }
    }
    assert_eq!(found, [""; 0]);
}

#[test]
fn ordinary_sentences_hold_nothing() {
    let mut sentences = 0;
    let mut found = Vec::new();
    for (folder, file) in [("cefr", "sentences.jsonl"), ("langid", "testdata.jsonl")] {
        let Some(folder) = data(folder) else { continue };
        let mut text = String::new();
        for line in fs::read_to_string(folder.join(file)).unwrap().lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            for key in ["text", "sentence"] {
                if let Some(sentence) = value[key].as_str() {
                    sentences += 1;
                    text.push_str(sentence);
                    text.push_str("\n\n");
                }
            }
        }
        found.extend(alarms(&text, Hint::Markdown));
    }
    assert!(
        found.len() * 1000 <= sentences,
        "{} of {sentences}: {found:#?}",
        found.len()
    );
    eprintln!(
        "{} alarms in {sentences} sentences: {found:#?}",
        found.len()
    );
}
