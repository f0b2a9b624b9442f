//! `vague-term`: an option uses a vague frequency term.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::clinical_mcq::model::{items, letter};
use crate::clinical_mcq::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ016",
    name: "vague-term",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "an option uses a vague frequency term",
    what: "Reports options with a vague frequency term (usually, often, rarely). Criterion: `distractor_quality`; field: `distractors`.",
    why: "People disagree on how often “often” is, so experts disagree on whether such an option is right.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which statement describes how aspirin works?", "options": ["It is usually given by mouth", "It is given into a vein", "It is given as a spray", "It is given through the skin"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
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
        
        let term = |index: usize| {
            let text = view.option(index);
            wording::find_any(text, terms)
                // “most commonly” compares and is not vague.
                .filter(|found| {
                    let before = text.get(..found.start).unwrap_or_default();
                    let last = before.trim_end().rsplit(' ').next().unwrap_or_default();
                    !last.eq_ignore_ascii_case("most") && !last.eq_ignore_ascii_case("more")
                })
                .and_then(|found| text.get(found))
        };
        for index in 0..view.options().len() {
            let found = term(index);
            if let Some(words) = found {
                sink.in_source(
                    view.option_range(index),
                    format!("option {} says “{words}”, which means different things to different people; give a number or a definite statement", letter(index)),
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
            (r#"["It usually helps", "It harms", "It heals"]"#, 1),
            (r#"["It helps", "It often harms", "It rarely heals"]"#, 2),
            (r#"["Common cold", "Rare earths", "Soften"]"#, 0),
        ] {
            let json = format!(r#"{{"stem": "q", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{options}");
        }
    }
}
