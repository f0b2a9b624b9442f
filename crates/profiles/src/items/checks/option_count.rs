//! `option-count`: too few or too many options, or an empty one.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::{GOOD_ITEM, true_false_item::judges};
use crate::check_list::DEFAULTS;
use crate::items::model::{items, letter};

pub(super) static CHECK: Check = Check {
    code: "MCQ006",
    name: "option-count",
    severity: Severity::Warning,
    summary: "too few or too many options, or an empty one",
    what: "Counts the options. No option, a single option and an option without text are errors; fewer than three or more than ten options are a warning. Items with only True and False are left to `true-false-item`. Criterion: `distractor_quality`; field: `distractors`.",
    why: "Two options are a coin toss; with a dozen, the learner reads more than thinks. Three plausible options work as well as five.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "", "Morphine", "Heparin"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "least", what: "minimum number of options" },Parameter { name: "most", what: "maximum number of options" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let (least, most) = (examination.count("least"), examination.count("most"));
    for view in items(examination.document) {
        let count = view.options().len();
        let at = view.options_range();
        match count {
            0 => {
                sink.in_source(at, "the item has no options")
                    .severity(Severity::Error);
            }
            1 => {
                sink.in_source(at, "the item has only one option; add plausible wrong options")
                    .severity(Severity::Error);
            }
            2 if judges(view) => {}
            _ if count < least => {
                sink.in_source(at, format!("the item has {count} options; it needs at least {least}"));
            }
            _ if count > most => {
                sink.in_source(at, format!("the item has {count} options; use at most {most}"));
            }
            _ => {}
        }
        for index in (0..count).filter(|index| view.option(*index).is_empty()) {
            sink.in_source(
                view.option_range(index),
                format!("option {} is empty", letter(index)),
            )
            .severity(Severity::Error);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn options_are_counted_and_must_say_something() {
        for (options, expected) in [
            ("[]", 1),
            (r#"["a"]"#, 1),
            (r#"["a", "b"]"#, 1),
            (r#"["True", "False"]"#, 0),
            (r#"["a", "b", "c"]"#, 0),
            ("[1, 2, 3]", 0),
            (r#"{"A": "a", "B": "b", "C": "c", "D": "d"}"#, 0),
            (r#"[{"text": "a"}, {"text": " "}, {"text": "c"}]"#, 1),
            (r#"[{"text": "a"}, {"key": "B"}, {"text": "c"}]"#, 1),
            (r#"["1","2","3","4","5","6","7","8","9","10","11"]"#, 1),
        ] {
            let json = format!(r#"{{"stem": "q", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{options}");
        }
    }
}
