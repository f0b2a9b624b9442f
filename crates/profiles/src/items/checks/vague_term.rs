//! `vague-term`: an option uses a vague frequency term.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::{GOOD_ITEM, options_with_terms};
use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "MCQ016",
    name: "vague-term",
    severity: Severity::Warning,
    summary: "an option uses a vague frequency term",
    what: "Reports options with a vague frequency term (usually, often, rarely). Criterion: `distractor_quality`; field: `distractors`.",
    why: "People disagree on how often “often” is, so experts disagree on whether such an option is right.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which statement describes how aspirin works?", "options": ["It is usually given by mouth", "It is given into a vein", "It is given as a spray", "It is given through the skin"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "terms", what: "terms to look for, in lower case" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let comment = "which means different things to different people; give a number or a definite statement";
    options_with_terms(examination, sink, comment, |view, index, found| {
        // “most commonly” compares and is not vague.
        let before = view.option(index).get(..found.start).unwrap_or_default();
        let last = before.trim_end().rsplit(' ').next().unwrap_or_default();
        last.eq_ignore_ascii_case("most") || last.eq_ignore_ascii_case("more")
    });
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

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
