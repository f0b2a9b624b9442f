//! `implausible-distractor`: an option that no learner would choose.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::{items, letter};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ025",
    name: "implausible-distractor",
    severity: Severity::Warning,
    summary: "an option that no learner would choose",
    what: "Reports wrong options that are not answers: left-over placeholders (“Option C”, “Distractor 2”, “TBD”), “I don't know”, punctuation without words. Whether a real answer is plausible is left to a judge. Criterion: `distractor_quality`; field: `distractors`.",
    why: "An option that no one chooses does no work; the item has one option fewer than it seems.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Distractor 3", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "phrases", what: "texts that are not an answer, in lower case" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let phrases = examination.texts("phrases");
    for view in items(examination.document) {
        let key = view.correct();
        for index in (0..view.options().len()).filter(|index| Some(*index) != key) {
            let text = view.option(index);
            if text.is_empty() || text.len() > 30 {
                continue;
            }
            let plain = wording::plain(text);
            if phrases.contains(&plain) || is_placeholder(&plain) {
                sink.in_source(
                    view.option_range(index),
                    format!("option {} is “{text}”, which no learner would choose; write a plausible answer", letter(index)),
                );
            }
        }
    }
}

/// `option c`, `distractor 2`, `answer 3`, or only punctuation.
fn is_placeholder(plain: &str) -> bool {
    let numbered = ["option", "distractor", "answer", "choice", "wrong answer", "incorrect answer"]
        .iter()
        .filter_map(|word| plain.strip_prefix(word))
        .any(|rest| {
            let label = rest.trim_start_matches([' ', '#', '_', '-']);
            rest.len() > label.len() && label.len() == 1 && label.chars().all(char::is_alphanumeric)
        });
    numbered || plain.chars().all(|c| matches!(c, '.' | '-' | '_' | '?' | '…' | '*' | '/'))
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::{count, item};

    #[test]
    fn signs_that_mean_something_are_answers() {
        for (option, expected) in [
            ("Option C", 1),
            ("distractor_2", 1),
            ("I don't know", 1),
            ("TBD", 1),
            ("---", 1),
            ("+", 0),
            ("Option trading", 0),
            ("NA", 0),
            ("7", 0),
        ] {
            let item = item(&format!(r#""options": ["x", "y", "{option}"]"#));
            assert_eq!(count(&super::CHECK, &item), expected, "{option}");
        }
    }
}
