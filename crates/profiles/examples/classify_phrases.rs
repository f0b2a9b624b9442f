//! Shows what the checks say of phrases, one a line: each is put before, behind or into a
//! text of the profile, and the real checks are run on the document.
//!
//! `cargo run -p redraft-profiles --example classify_phrases -- --as opener --language en --profile lesson < FILE`
//!
//! `--as` is `opener`, `closer`, `refusal` or `placeholder`; `--profile` is `lesson`, `cards`
//! or `items`. Prints `found` or `-` with the message and the phrase, and a count at the end.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a program for contributors reads and prints, and stops at the first surprise"
)]

use std::io::Read as _;

use redraft_gate::companion::Companions;
use redraft_gate::examine::{self, Settings};
use redraft_gate::profile::GateProfile;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::clinical_mcq::CLINICAL_MCQ;
use redraft_profiles::lesson::Lesson;
use redraft_profiles::registry;
use redraft_profiles::sqa_lesson::SqaLesson;

fn main() {
    let (mut kind, mut language, mut profile) =
        (String::new(), "en".to_owned(), "lesson".to_owned());
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().unwrap();
        match name.as_str() {
            "--as" => kind = value,
            "--language" => language = value,
            "--profile" => profile = value,
            _ => panic!("unknown argument {name}"),
        }
    }
    let checks: &[&str] = match kind.as_str() {
        "opener" | "closer" => &["chatbot-framing"],
        "refusal" => &["refusal", "empty-document"],
        "placeholder" => &["placeholder-text"],
        _ => panic!("--as opener, closer, refusal or placeholder"),
    };
    let mut phrases = String::new();
    std::io::stdin().read_to_string(&mut phrases).unwrap();
    let (mut found, mut all) = (0, 0);
    for phrase in phrases.lines().filter(|line| !line.trim().is_empty()) {
        let message = message(
            &profile,
            &document(&profile, &text(&kind, &language, phrase)),
            checks,
        );
        all += 1;
        found += usize::from(message.is_some());
        println!(
            "{}\t{phrase}\t{}",
            if message.is_some() { "found" } else { "-" },
            message.unwrap_or_default()
        );
    }
    println!("{kind} {language} {profile}: {found} of {all}");
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

fn text(kind: &str, language: &str, phrase: &str) -> String {
    let body = body(language);
    match kind {
        "opener" => format!("{phrase}\n\n{body}"),
        "closer" => format!("{body}\n\n{phrase}"),
        "refusal" => phrase.to_owned(),
        _ => format!("{body}\n\n{phrase}\n\n{body}"),
    }
}

/// A document with the text in its prose.
fn document(profile: &str, text: &str) -> String {
    match profile {
        "cards" => serde_json::json!({"cards": [{"id": "card_001", "title": "Heat", "explainer": text}]}).to_string(),
        "items" => serde_json::json!({"question": "Which one is right?",
            "options": {"A": "a", "B": "b", "C": "c", "D": "d"}, "answer": "A", "explanation": text})
        .to_string(),
        _ => format!("{text}\n"),
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
