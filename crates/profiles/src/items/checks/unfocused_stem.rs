//! `unfocused-stem`: the stem cannot be answered without the options.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::items;
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ010",
    name: "unfocused-stem",
    severity: Severity::Warning,
    summary: "the stem cannot be answered without the options",
    what: "Reports stems that only ask for a true or correct statement (“Which of the following is true about X?”), and stems of one or two words. A short lead-in after a vignette and a stem with a blank are fine. Criterion: `pedagogical_alignment`; field: `stem`.",
    why: "A learner who covers the options should be able to answer. “Which is true?” turns one item into four unrelated true-or-false questions and tests reading more than knowledge.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which of the following is true about aspirin?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "phrases", what: "phrases that ask for a true statement, in lower case" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let phrases = examination.texts("phrases");
    for view in items(examination.document) {
        let Some(field) = view.lead_in() else {
            continue;
        };
        let range = wording::last_sentence(&field.text);
        let Some(asked) = field.text.get(range.clone()) else {
            continue;
        };
        let found = wording::find_any(asked, phrases);
        if let Some(found) = found {
            let at = range.start + found.start..range.start + found.end;
            let words = wording::shortened(asked.get(found).unwrap_or_default());
            sink.in_text(
                field,
                at,
                format!("the stem only asks which statement is true (“{words}”); ask a question that can be answered with the options covered"),
            );
        } else if !view.has_vignette()
            // A sentence with a gap says what is missing, also before and after it.
            && view.stem_after_gap().is_none()
            && field.text.is_ascii()
            && !wording::has_words(&field.text, 3)
            && !field.text.contains(['?', '_', '='])
            && !field.text.contains(|c: char| c.is_ascii_digit())
        {
            sink.in_text(
                field,
                0..field.text.len(),
                format!("“{}” is not a question; write the question out", field.text.trim()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::{count, item};

    #[test]
    fn a_question_with_a_focus_is_left_alone() {
        for (stem, expected) in [
            ("Which of the following is true about aspirin?", 1),
            ("True statement regarding the heart is", 1),
            ("All are true about aspirin except", 1),
            ("Aspirin:", 1),
            ("Which of the following is the true vocal cord?", 0),
            ("Which drug is given first?", 0),
            ("2 + 2 =", 0),
            ("Treatment of choice for asthma", 0),
        ] {
            let item = item(&format!(r#""stem": "{stem}""#));
            assert_eq!(count(&super::CHECK, &item), expected, "{stem}");
        }
    }
}
