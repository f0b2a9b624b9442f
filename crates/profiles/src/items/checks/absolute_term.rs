//! `absolute-term`: wrong options say “always” or “never”.

use std::ops::Range;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::{GOOD_ITEM, options_with_terms};
use crate::check_list::DEFAULTS;
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ015",
    name: "absolute-term",
    severity: Severity::Warning,
    summary: "wrong options say “always” or “never”",
    what: "Reports wrong options that contain an absolute term when the key contains none; not instructions such as “Always remove dentures first”. Criterion: `distractor_quality`; field: `distractors`.",
    why: "Hardly anything is always true. Learners rule such options out without knowing the subject.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which statement describes how aspirin works?", "options": ["It thins the blood", "It always cures the attack", "It has never side effects", "It dissolves the clot"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "terms", what: "terms to look for, in lower case" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let terms = examination.texts("terms");
    let comment = "but the key does not; learners rule such options out without thinking";
    options_with_terms(examination, sink, comment, |view, index, found| {
        is_instruction(view.option(index), found) || view.correct()
            .is_none_or(|key| key == index || wording::find_any(view.option(key), terms).is_some())
    });
}

/// “Always remove dentures” tells what to do and claims nothing; “Always fatal” does.
fn is_instruction(option: &str, found: &Range<usize>) -> bool {
    const CLAIMS: &[&str] = &["ed", "al", "ic", "ive", "ous", "ing", "ent", "ant", "ble", "s", "a", "the", "in"];
    let mut after = wording::words(option.get(found.end..).unwrap_or_default());
    let verb = after.next().unwrap_or_default().to_lowercase();
    let is_claim = CLAIMS.iter().any(|ending| verb.ends_with(ending));
    found.start == 0 && !is_claim && after.next().is_some()
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn terms_are_whole_words_of_options() {
        for (options, expected) in [ 
            (r#"["It helps", "It always helps", "It harms"]"#, 1),
            (r#"["It always helps", "It harms", "It heals"]"#, 0),
            (r#"["It never helps", "It always helps", "It harms"]"#, 0),
            (r#"["It helps", "Nevertheless it helps", "It harms"]"#, 0),
            (r#"["Clean the mouth", "Always remove dentures first", "Call a doctor"]"#, 0),
            (r#"["Rarely fatal", "Always associated with pain", "Mild"]"#, 1),
            (r#"["Rarely fatal", "Always fatal", "Mild"]"#, 1),
        ] {
            let json = format!(r#"{{"stem": "q", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{options}");
        }
    }
}
