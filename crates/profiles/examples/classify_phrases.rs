//! Counts what the checks say of phrases: each is put before, behind or into a text of
//! each profile, and the real checks are run on the document.
//!
//! `cargo run -p redraft-profiles --example classify_phrases -- FOLDER [--show NAME]`
//!
//! The folder holds files `LANG.openers.txt`, `LANG.innocent_openers.txt`, the same of
//! `closers`, `refusals` and `placeholders`, one phrase a line. Prints counts alone, and
//! of the file `--show` the lines that are missed, or reported although innocent.

#![expect(
    clippy::unwrap_used,
    reason = "a program for contributors reads and prints, and stops at the first surprise"
)]

use std::collections::BTreeMap;

use redraft_gate::companion::Companions;
use redraft_gate::examine::{self, Settings};
use redraft_gate::profile::GateProfile;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::clinical_mcq::CLINICAL_MCQ;
use redraft_profiles::lesson::Lesson;
use redraft_profiles::registry;
use redraft_profiles::sqa_lesson::SqaLesson;

const PROFILES: [&str; 3] = ["lesson", "cards", "items"];

fn main() {
    let (mut folder, mut shown) = (String::new(), String::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--show" => shown = arguments.next().unwrap(),
            _ => folder = argument,
        }
    }
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let mut sums: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let Some((language, kind)) = name.split_once('.') else {
            continue;
        };
        let (talk, checks): (&str, &[&str]) = match kind.trim_start_matches("innocent_") {
            "openers" => ("opener", &["chatbot-framing"]),
            "closers" => ("closer", &["chatbot-framing"]),
            "refusals" => ("refusal", &["refusal", "empty-document"]),
            "placeholders" => ("placeholder", &["placeholder-text"]),
            _ => continue,
        };
        let phrases = std::fs::read_to_string(&path).unwrap();
        let mut counts = [0; 4];
        for phrase in phrases.lines().filter(|line| !line.trim().is_empty()) {
            counts[3] += 1;
            for (count, profile) in counts.iter_mut().zip(PROFILES) {
                let text = document(profile, language, talk, phrase);
                let found = message(profile, &text, checks);
                *count += usize::from(found.is_some());
                if name == shown && found.is_some() == kind.starts_with("innocent") {
                    println!("{profile}\t{phrase}\t{}", found.unwrap_or_default());
                }
            }
        }
        let sum = sums.entry(kind.to_owned()).or_default();
        for (sum, count) in sum.iter_mut().zip(counts) {
            *sum += count;
        }
        print(&name, counts);
    }
    for (kind, counts) in sums {
        print(&format!("all {kind}"), counts);
    }
}

fn print(name: &str, [lesson, cards, items, all]: [usize; 4]) {
    println!("{name}: of {all} in lessons {lesson}, in cards {cards}, in items {items}");
}

/// Two sentences of a lesson in the language of the phrase.
fn body(language: &str) -> &'static str {
    match language {
        "de" => {
            "Wärme geht von einem warmen Körper auf einen kalten über. Am Ende sind beide gleich warm."
        }
        "es" => {
            "El calor pasa de un cuerpo caliente a uno frío. Al final ambos están igual de calientes."
        }
        "fr" => {
            "La chaleur passe d'un corps chaud à un corps froid. À la fin, tous deux sont aussi chauds."
        }
        "pt" => {
            "O calor passa de um corpo quente para um frio. No fim, ambos ficam igualmente quentes."
        }
        "ru" => "Тепло переходит от тёплого тела к холодному. В конце оба одинаково теплы.",
        "zh" => "热量从较热的物体传到较冷的物体。最后两者一样热。",
        _ => "Heat moves from a warm body to a cold one. In the end both are equally warm.",
    }
}

/// A document with the phrase in its prose.
fn document(profile: &str, language: &str, talk: &str, phrase: &str) -> String {
    let body = body(language);
    let is_lesson = profile == "lesson";
    let text = match talk {
        "opener" if is_lesson => format!("{phrase}\n\n# 1\n\n{body}"),
        "opener" => format!("{phrase}\n\n{body}"),
        "closer" => format!("{body}\n\n{phrase}"),
        "refusal" => phrase.to_owned(),
        _ => format!("{body}\n\n{phrase}\n\n{body}"),
    };
    match profile {
        "cards" => serde_json::json!({"cards": [{"id": "card_001", "title": "Heat", "explainer": text}]}).to_string(),
        "items" => serde_json::json!({"question": "Which one is right?",
            "options": {"A": "a", "B": "b", "C": "c", "D": "d"}, "answer": "A", "explanation": text})
        .to_string(),
        _ if talk == "opener" => format!("{text}\n"),
        _ => format!("# 1\n\n{text}\n"),
    }
}

/// What the first finding of these checks says.
fn message(name: &str, text: &str, checks: &[&str]) -> Option<String> {
    let (profile, hint): (&dyn GateProfile, Hint) = match name {
        "cards" => (&SqaLesson, Hint::Json),
        "items" => (&CLINICAL_MCQ, Hint::Json),
        _ => (&Lesson, Hint::Markdown),
    };
    let raw = reading::read(Source::new(text.as_bytes().to_vec()), hint);
    let companions = Companions::default();
    let document = profile.parse(raw, None);
    let checks: Vec<_> = profile
        .checks()
        .iter()
        .copied()
        .filter(|known| checks.contains(&known.name))
        .collect();
    let settings = Settings {
        parameters: profile.parameters().clone(),
        known_checks: registry::all_checks(),
        ..Settings::default()
    };
    let found = examine::examine(&checks, &document, &companions, &settings).findings;
    let first = found.first()?;
    Some(format!("{:?}: {}", first.severity, first.message))
}
