//! `absolute-term`: wrong options say “always” or “never”.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::clinical_mcq::model::{items, letter};
use crate::clinical_mcq::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ015",
    name: "absolute-term",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "wrong options say “always” or “never”",
    what: "Reports wrong options that contain an absolute term when the key contains none. Criterion: `distractor_quality`; field: `distractors`.",
    why: "Hardly anything is always true. Learners rule such options out without knowing the subject.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which statement describes how aspirin works?", "options": ["It thins the blood", "It always cures the attack", "It has never side effects", "It dissolves the clot"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "terms", what: "terms to look for, in lower case" },],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let terms = examination.texts("terms");
    for view in items(examination.document) {
        let Some(key) = view.correct() else { continue };
        let term = |index: usize| {
            let text = view.option(index);
            wording::find_any(text, terms)
                .and_then(|found| text.get(found))
        };
        for index in 0..view.options().len() {
            let found = term(index).filter(|_| index != key && term(key).is_none());
            if let Some(words) = found {
                sink.in_source(
                    view.option_range(index),
                    format!("option {} says “{words}”, but the key does not; learners rule such options out without thinking", letter(index)),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::clinical_mcq::checks::testing::count;

    #[test]
    fn terms_are_whole_words_of_options() {
        for (options, expected) in [ 
            (r#"["It helps", "It always helps", "It harms"]"#, 1),
            (r#"["It always helps", "It harms", "It heals"]"#, 0),
            (r#"["It never helps", "It always helps", "It harms"]"#, 0),
            (r#"["It helps", "Nevertheless it helps", "It harms"]"#, 0),
        ] {
            let json = format!(r#"{{"stem": "q", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{options}");
        }
    }
}
