//! How many placeholders are found, and that nothing else is.

use std::fmt::Write as _;

use redraft_gate::reading::Hint;
use redraft_profiles::lesson::Lesson;

use crate::{Recall, is_held_out, sections, severities};

const GOAL: f64 = 0.95;

/// A lesson with the text in its middle.
fn lesson(line: &str) -> String {
    let text = line.strip_prefix("~ ").unwrap_or(line);
    format!(
        "# Water\n\nWater boils when it is hot enough.\n\n## Heat\n\nHeat moves.\n\n{text}\n\nThat is all.\n"
    )
}

fn is_found(text: &str) -> bool {
    !severities(&Lesson, text, Hint::Markdown, "placeholder-text").is_empty()
}

#[test]
fn placeholders_are_found_in_every_language() {
    let mut table = String::new();
    let mut is_met = true;
    for (language, lines) in sections("placeholders.txt") {
        if language == "innocent" {
            continue;
        }
        for held_out in [false, true] {
            let mut recall = Recall::default();
            for line in lines.iter().filter(|line| is_held_out(line) == held_out) {
                recall.add(line, is_found(&lesson(line)));
            }
            let (all, share) = (recall.all, recall.share());
            let half = if held_out { "held out" } else { "tuned" };
            let _ = writeln!(table, "{language} {half}: {share:.3} of {all}");
            for text in &recall.missed {
                let _ = writeln!(table, "    {text}");
            }
            // With a dozen texts one miss is more than a twentieth.
            is_met &= share >= GOAL || recall.missed.len() <= 1;
        }
    }
    println!("{table}");
    assert!(is_met, "\n{table}");
}

#[test]
fn what_only_looks_like_a_placeholder_is_left_alone() {
    let (_, lines) = sections("placeholders.txt").pop().unwrap();
    let mut texts: Vec<String> = Vec::new();
    let mut code: Option<String> = None;
    for line in lines {
        let is_fence = line.starts_with("```");
        match &mut code {
            Some(block) => {
                block.push('\n');
                block.push_str(&line);
                if is_fence {
                    texts.extend(code.take());
                }
            }
            None if is_fence => code = Some(line),
            None => texts.push(line),
        }
    }
    let wrong: Vec<&String> = texts
        .iter()
        .filter(|text| is_found(&lesson(text)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn dots_that_are_a_whole_section_are_an_error() {
    use redraft_gate::finding::Severity;
    for body in ["...", "…", "[...]"] {
        let whole = format!("# Water\n\n## Heat\n\n{body}\n\n## Steam\n\nSteam is water.\n");
        let found = severities(&Lesson, &whole, Hint::Markdown, "placeholder-text");
        assert_eq!(found, [Severity::Error], "{body}");
        let json = format!(
            r#"{{"intro": "Water boils.", "sections": [{{"title": "Heat", "content": "{body}"}}]}}"#
        );
        let found = severities(&Lesson, &json, Hint::Json, "placeholder-text");
        assert_eq!(found, [Severity::Error], "{body}");
    }
}
