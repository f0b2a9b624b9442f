//! `all-of-the-above`: an option is “All of the above”.

use redraft_core::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink};
use redraft_core::finding::Severity;

use crate::clinical_mcq::model::{items, letter};
use crate::clinical_mcq::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ012",
    name: "all-of-the-above",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "an option is “All of the above”",
    what: "Reports options that say “All of the above” in one of its usual forms, alone. Criterion: distractor_quality; the field is `distractors`.",
    why: "Who sees that two options are right knows the answer, and who sees that one is wrong has ruled it out; the item no longer tests the others.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "All of the above"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "phrases", what: "the ways to say it, in lower case" },],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let phrases = examination.texts("phrases");
    for view in items(examination.document) {
        for index in 0..view.options().len() {
            let text = view.option(index);
            if text.len() < 40 && phrases.contains(&wording::plain(text)) {
                sink.in_source(
                    view.option_range(index),
                    format!("option {} is “{}”; write a plausible option in its place, or have one less", letter(index), wording::shortened(text)),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::clinical_mcq::checks::testing::{count, item};

    #[test]
    fn the_phrase_alone_counts() {
        for (option, expected) in [
            ("ALL OF THE ABOVE", 1),
            ("All of the above.", 1),
            ("All of the above cells", 0),
            ("Aspirin", 0),
        ] {
            let item = item(&format!(r#""options": ["x", "y", "{option}"]"#));
            assert_eq!(count(&super::CHECK, &item), expected, "{option}");
        }
    }
}
