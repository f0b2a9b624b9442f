//! A refusal is an error where it is all there is, and nothing where it is shown.

use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;
use redraft_profiles::lesson::Lesson;

use crate::{sections, severities};

fn found(text: &str, hint: Hint) -> Vec<Severity> {
    severities(&Lesson, text, hint, "refusal")
}

#[test]
fn a_refusal_instead_of_a_text_is_an_error() {
    let mut wrong = Vec::new();
    for (language, lines) in sections("refusals.txt") {
        if language == "innocent" {
            continue;
        }
        for line in lines {
            let section =
                format!("# T\n\nWater boils.\n\n## Heat\n\n{line}\n\n## Steam\n\nIt is wet.\n");
            let whole = format!("{line}\n");
            for text in [section, whole] {
                if found(&text, Hint::Markdown) != [Severity::Error] {
                    wrong.push(text);
                }
            }
            let json = serde_json::json!({"intro": "Water boils.", "sections": [
                {"title": "Heat", "content": line}]});
            if found(&json.to_string(), Hint::Json) != [Severity::Error] {
                wrong.push(json.to_string());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_a_text_shows_or_a_person_says_is_left_alone() {
    let (_, lines) = sections("refusals.txt").pop().unwrap();
    let shown = [
        "> I'm sorry, but I can't help with that.",
        "```\nI'm sorry, but I can't help with that.\n```",
        "- I'm sorry, but I can't assist with that request.",
        "Bot: I'm sorry, but I can't assist with that request.",
    ];
    let texts = lines.iter().map(String::as_str).chain(shown);
    let wrong: Vec<&str> = texts
        .filter(|text| !found(&format!("# T\n\n{text}\n"), Hint::Markdown).is_empty())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_refusing_sentence_in_other_text_is_a_warning() {
    let text = "# T\n\nWater boils at one hundred degrees. It then becomes steam, which is a gas. \
        I'm sorry, but I can't provide instructions for this topic. Steam rises because it is lighter \
        than air. Clouds are made of small drops of water.\n\nMore follows here, and then more again.\n";
    assert_eq!(found(text, Hint::Markdown), [Severity::Warning]);
}

#[test]
fn an_offer_after_a_text_is_reported_as_framing_alone() {
    for text in [
        "Heat moves from warm to cold. Please send me the outline if you would like me to go on.",
        "Heat moves. If you send me your notes, I can adapt this lesson to them.",
        "Wärme geht von warm nach kalt über. Schicken Sie mir gern den Text, dann passe ich die Karten an.",
    ] {
        let text = format!("# T\n\n{text}\n");
        let framing = severities(&Lesson, &text, Hint::Markdown, "chatbot-framing");
        assert!(!framing.is_empty(), "{text}");
        assert_eq!(found(&text, Hint::Markdown), [], "{text}");
    }
    // What refuses by itself is still reported.
    let refused = "# T\n\nI don't have the source text, so I cannot write the item.\n";
    assert!(!found(refused, Hint::Markdown).is_empty());
}
