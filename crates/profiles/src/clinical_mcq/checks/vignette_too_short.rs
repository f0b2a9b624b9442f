//! `vignette-too-short`: the vignette is too short to present a case.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::items::model::items;
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ001",
    name: "vignette-too-short",
    severity: Severity::Error,
    summary: "the vignette is too short to present a case",
    what: "Counts the words of the vignette, in any script. Fewer than 15 are an error; an empty vignette field is a warning. Items without a vignette are ignored unless the policy requires one. Criterion: `clinical_accuracy`, which cannot be judged without a case; field: `vignette`.",
    why: "A case of a few words cannot be reasoned about; the learner has to guess what the author had in mind.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"vignette": "Chest pain.", "stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"vignette": "A 54-year-old man has had crushing chest pain and sweating for two hours; his left arm feels heavy.", "stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "least", what: "minimum number of words in a vignette" },Parameter { name: "required", what: "1 if every item must have a vignette" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let least = examination.count("least");
    let required = examination.number("required") > 0.0;
    for view in items(examination.document) {
        let Some(vignette) = &view.item.vignette else {
            if required {
                sink.in_source(
                    view.head(),
                    format!("the item has no vignette; present the case in at least {least} words"),
                );
            }
            continue;
        };
        let texts = view.vignette();
        if texts
            .iter()
            .any(|field| wording::has_words(&field.text, least))
        {
            continue;
        }
        let words: usize = texts
            .iter()
            .map(|field| redraft_text::words::count_words(&field.text))
            .sum();
        if words == 0 && !required {
            sink.in_source(
                vignette.range.clone(),
                format!("the vignette is empty; present the case in at least {least} words, or remove the field"),
            )
            .severity(Severity::Warning);
        } else if words < least {
            sink.in_source(
                vignette.range.clone(),
                format!("the vignette has {words} words, but needs at least {least}; describe the patient and the findings"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::{count, item};

    #[test]
    fn words_are_counted_over_all_fields_of_a_vignette() {
        for (vignette, expected) in [
            (r#""One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen.""#, 0),
            (r#""One two three four five six seven eight nine ten eleven twelve thirteen fourteen.""#, 1),
            (r#"{"patient_presentation": "A man of fifty has had a cough for two weeks.", "history": "He smokes and drinks a lot."}"#, 0),
            (r#"{"patient_presentation": "A man coughs.", "history": ""}"#, 1),
            (r#""""#, 1),
            ("null", 0),
        ] {
            let item = item(&format!(r#""vignette": {vignette}"#));
            assert_eq!(count(&super::CHECK, &item), expected, "{vignette}");
        }
    }
}
