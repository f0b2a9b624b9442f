//! `unnumbered-procedure`: steps of a method in running text.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ACCESSIBILITY_MINOR;
use crate::sqa_lesson::card_texts::{CardField, card_texts};
use crate::sqa_lesson::plain_language::{Marker, Plain};

pub(super) static CHECK: Check = Check {
    code: "SQA057",
    name: "unnumbered-procedure",
    severity: Severity::Warning,
    phase: Phase::Acceptance,
    summary: "steps of a method in running text",
    what: "Finds lines in `explainer` and `explainer_plain` in which three or more sentences start with First, Then, Next, After that or Finally, or in which two or more steps are numbered (“Step 1: … Step 2: …”) but share a line. Caps `accessibility` at .90 (seed 000: numbered steps for procedures).",
    why: "Learners keep one finger on the step while they write. In running text they lose their place.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer_plain": "First find the bottom number. Then divide by it. Finally write the £ sign."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer_plain": "1. Find the bottom number.\n2. Divide by it.\n3. Write the £ sign."}]}"#,
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "least",
            what: "number of steps in running text at which they should be numbered",
        },
        Parameter {
            name: "words",
            what: "words that start a step",
        },
    ],
    caps: &[ACCESSIBILITY_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let starters = examination.texts("words");
    let least = examination.count("least").max(1);
    for text in card_texts(examination.document) {
        if !matches!(text.card_field, CardField::Explainer | CardField::Plain) {
            continue;
        }
        let plain = Plain::of(&text);
        for line in plain.lines.iter().filter(|line| line.marker != Marker::Number) {
            let starting = |fits: &dyn Fn(&str) -> bool| -> Vec<std::ops::Range<usize>> {
                line.sentences
                    .iter()
                    .filter(|sentence| fits(&plain.get(sentence).trim_start().to_lowercase()))
                    .cloned()
                    .collect()
            };
            let numbered = starting(&is_numbered_step);
            let described = starting(&|sentence| starters.iter().any(|word| starts_with_word(sentence, word)));
            let (steps, how) = if numbered.len() >= 2 {
                (numbered, "numbers")
            } else if described.len() >= least {
                (described, "describes")
            } else {
                continue;
            };
            let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
                continue;
            };
            let message = format!(
                "{} {how} {} steps in running text; write them as a numbered list, one step per line: “1. …”, “2. …”",
                text.label(),
                steps.len()
            );
            sink.in_text(text.field, first.start..last.end, message).caps(CHECK.caps);
        }
    }
}

/// `step 1: …`
fn is_numbered_step(sentence: &str) -> bool {
    sentence
        .strip_prefix("step ")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn starts_with_word(sentence: &str, word: &str) -> bool {
    sentence
        .strip_prefix(word)
        .is_some_and(|rest| rest.starts_with([' ', ',', ':']))
}

#[cfg(test)]
mod tests {
    use crate::sqa_lesson::testing::findings;

    #[test]
    fn steps_in_running_text_are_found_and_lists_are_not() {
        for (plain, expected) in [
            ("First add. Then divide. Finally write.", 1),
            ("Step 1: Add. Step 2: Divide.", 1),
            ("First add. Then divide.", 0),
            ("Step 1: Add.\\nStep 2: Divide.", 0),
            ("1. First add.\\n2. Then divide.\\n3. Finally write.", 0),
            ("Firstly we look. Thenceforth. Nextdoor.", 0),
        ] {
            let template = format!(r#"{{"cards": [{{"id": "c1", "explainer_plain": "{plain}"}}]}}"#);
            assert_eq!(findings(&super::CHECK, &template).len(), expected, "{plain}");
        }
    }
}
