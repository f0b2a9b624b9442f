//! `option-count`: too few or too many options, or an empty one.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use super::true_false_item::judges;
use crate::clinical_mcq::model::{items, letter};

pub(super) static CHECK: Check = Check {
    code: "MCQ006",
    name: "option-count",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "too few or too many options, or an empty one",
    what: "Counts the options. None or one is an error, and so is an option without text; fewer than three or more than ten is a warning. Items with True and False alone are another check's. Criterion: distractor_quality; the field is `distractors`.",
    why: "Two options are a coin; with a dozen the learner reads more than thinks. Three plausible options serve as well as five.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "", "Morphine", "Heparin"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "least", what: "options that an item has at least" },Parameter { name: "most", what: "options that it has at most" },],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let (least, most) = (examination.count("least"), examination.count("most"));
    for view in items(examination.document) {
        let count = view.options().len();
        let at = view.options_range();
        match count {
            0 => {
                sink.in_source(at, "the item has no options to choose from")
                    .severity(Severity::Error);
            }
            1 => {
                sink.in_source(at, "the item has one option; there is nothing to choose")
                    .severity(Severity::Error);
            }
            2 if judges(view) => {}
            _ if count < least => {
                sink.in_source(at, format!("the item has {count} options; {least} is the least"));
            }
            _ if count > most => {
                sink.in_source(at, format!("the item has {count} options; {most} is the most"));
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
    use crate::clinical_mcq::checks::testing::count;

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
