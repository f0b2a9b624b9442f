//! `several-instructions-in-a-line`: a question gives several instructions in
//! one line.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ACCESSIBILITY_MINOR;
use crate::sqa_lesson::card_texts::{CardField, card_texts};
use crate::sqa_lesson::plain_language::Plain;
use crate::sqa_lesson::wording::quoted;

pub(super) static CHECK: Check = Check {
    code: "SQA056",
    name: "several-instructions-in-a-line",
    severity: Severity::Warning,
    phase: Phase::Acceptance,
    summary: "a question gives several instructions in one line",
    what: "Counts the sentences in each line of a CFU stem that start with an instruction (Match, Write, Find), including after “For each …,” or “If …,”. Two or more are reported, as info if all but one only ask learners to show their working. Caps `accessibility` at .90 (seed 000: one instruction per line for CFU stems).",
    why: "A learner who does the first thing and looks up again has to find the second one in the middle of a line. Many do not.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "cfu": {"type": "structured", "stem": "Match each item with a unit. Write the unit next to the item."}}]}"#,
        passes: r#"{"cards": [{"id": "c1", "cfu": {"type": "structured", "stem": "Match each item with a unit.\nWrite the unit next to the item."}}]}"#,
        fixed: None,
    }],
    parameters: &[Parameter {
        name: "verbs",
        what: "words that start an instruction",
    }],
    caps: &[ACCESSIBILITY_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let verbs = examination.texts("verbs");
    for text in card_texts(examination.document) {
        if text.card_field != CardField::Stem {
            continue;
        }
        let plain = Plain::of(&text);
        for line in &plain.lines {
            let instructions: Vec<_> = line
                .sentences
                .iter()
                .filter(|sentence| is_instruction(plain.get(sentence), verbs))
                .collect();
            let (Some(first), Some(last)) = (instructions.first(), instructions.last()) else {
                continue;
            };
            if instructions.len() < 2 {
                continue;
            }
            let openings: Vec<String> = instructions
                .iter()
                .map(|sentence| opening(plain.get(sentence)))
                .collect();
            let message = format!(
                "{} gives {} instructions in one line: {}; put each on its own line",
                text.label(),
                instructions.len(),
                quoted(&openings)
            );
            let range = first.start..last.end;
            let for_working = instructions
                .iter()
                .filter(|sentence| asks_for_working(plain.get(sentence)))
                .count();
            let finding = sink.in_text(text.field, range, message).caps(CHECK.caps);
            if instructions.len() - for_working < 2 {
                finding.severity(Severity::Info);
            }
        }
    }
}

/// The first words of an instruction.
fn opening(sentence: &str) -> String {
    let words: Vec<&str> = sentence.split_whitespace().take(4).collect();
    format!("{} …", words.join(" ").trim_end_matches(['.', ',', ':']))
}

fn is_instruction(sentence: &str, verbs: &[String]) -> bool {
    let trimmed = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
    let first = |text: &str| -> String {
        text.trim_start()
            .chars()
            .take_while(|c| c.is_alphabetic())
            .collect::<String>()
            .to_lowercase()
    };
    let is_verb = |text: &str| {
        let word = first(text);
        verbs.contains(&word) && !sentence.trim_end().ends_with('?')
    };
    let opens_with_condition = ["for", "if", "then", "next", "now", "first", "when", "using", "finally"].contains(&first(trimmed).as_str());
    is_verb(trimmed)
        || (opens_with_condition
            && (trimmed.split(',').skip(1).any(is_verb)
                || is_verb(trimmed.get(first(trimmed).len()..).unwrap_or_default())))
}

fn asks_for_working(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    lower.contains("working") || lower.contains("your steps") || lower.contains("your method")
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{self, Info, Warning};

    use crate::sqa_lesson::testing::findings;

    #[test]
    fn one_instruction_a_line_passes_and_two_do_not() {
        for (stem, expected) in [
            ("Match the items. Write the unit.", &[Warning][..]),
            ("Match the items.\\nWrite the unit.", &[]),
            ("Find 1/4 of £28. Show each step of your working.", &[Info]),
            ("For each item, state the unit. If it is wrong, write the right one.", &[Warning]),
            ("A can costs 75p. What is the right way to write it?", &[]),
            ("Write down the price and the weight.", &[]),
            ("Which unit fits? Why?", &[]),
            ("Calculate:\\n(a) The discount\\n(b) The price", &[]),
        ] {
            let template = format!(r#"{{"cards": [{{"id": "c1", "cfu": {{"stem": "{stem}"}}}}]}}"#);
            let severities: Vec<Severity> = findings(&super::CHECK, &template).into_iter().map(|said| said.severity).collect();
            assert_eq!(severities, expected, "{stem}");
        }
    }
}
