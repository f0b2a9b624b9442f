//! Chat in front of and behind a text, as the three profiles see it: the same
//! sentences that `redraft-text` measures, through the real check.

use redraft_gate::profile::GateProfile;
use redraft_gate::reading::Hint;
use redraft_profiles::clinical_mcq::CLINICAL_MCQ;
use redraft_profiles::lesson::Lesson;
use redraft_profiles::sqa_lesson::SqaLesson;

use crate::{Recall, sections, severities};

const OPENER: &str = "Certainly! Here is the revised version you asked for:";
const CLOSER: &str = "Let me know if you would like me to adjust the difficulty.";
const BODY: &str = "Heat moves from a warm body to a cold one until both are equally warm.";

/// A document of each kind with a text in its prose.
fn documents(text: &str) -> [(&'static dyn GateProfile, String, Hint); 4] {
    let lesson = serde_json::json!({"intro": text, "sections": [
        {"title": "Heat", "content": BODY}]});
    let card =
        serde_json::json!({"cards": [{"id": "card_001", "title": "Heat", "explainer": text}]});
    let item = serde_json::json!({"question": "Which one is right?", "options": {"A": "a", "B": "b", "C": "c", "D": "d"},
        "answer": "A", "explanation": text});
    [
        (&Lesson, format!("{text}\n"), Hint::Markdown),
        (&Lesson, lesson.to_string(), Hint::Json),
        (&SqaLesson, card.to_string(), Hint::Json),
        (&CLINICAL_MCQ, item.to_string(), Hint::Json),
    ]
}

#[test]
fn chat_is_found_in_every_profile() {
    for text in [
        format!("{OPENER}\n\n{BODY}"),
        format!("{BODY}\n\n{CLOSER}"),
        format!("Great question!\n\n{BODY}"),
        format!("{BODY}\n\nFeel free to ask if you have any questions."),
    ] {
        for (profile, document, hint) in documents(&text) {
            let found = severities(profile, &document, hint, "chatbot-framing");
            assert_eq!(found.len(), 1, "{document}");
        }
    }
    for (profile, document, hint) in documents(BODY) {
        let found = severities(profile, &document, hint, "chatbot-framing");
        assert!(found.is_empty(), "{document}");
    }
}

/// The least share of the sentences of `chat.txt` that is found in each language. The goal
/// is .95; farewells and thanks that a teacher writes, too, are left alone on purpose.
const SHARE: f64 = 0.6;

fn is_found(text: &str) -> bool {
    !severities(&Lesson, text, Hint::Markdown, "chatbot-framing").is_empty()
}

#[test]
fn sentences_about_the_answer_are_found_in_every_language() {
    let mut failures = Vec::new();
    for (name, sentences) in sections("chat.txt") {
        let (language, kind) = name.split_once(' ').unwrap();
        let mut recall = Recall::default();
        for sentence in &sentences {
            let before = format!("{sentence}\n\n# Heat\n\n{BODY}\n");
            let after = format!("# Heat\n\n{BODY}\n\n{sentence}\n");
            match kind {
                "openers" => recall.add(sentence, is_found(&before)),
                "closers" => recall.add(sentence, is_found(&after)),
                _ => {
                    for text in [before, after].iter().filter(|text| is_found(text)) {
                        failures.push(format!("{language}: {text}"));
                    }
                }
            }
        }
        if recall.all > 0 && recall.share() < SHARE {
            failures.push(format!(
                "{name}: {:.3}, missed {:#?}",
                recall.share(),
                recall.missed
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
