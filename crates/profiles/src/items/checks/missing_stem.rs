//! `missing-stem`: the item has no question.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::items::model::items;

pub(super) static CHECK: Check = Check {
    code: "MCQ002",
    name: "missing-stem",
    severity: Severity::Error,
    summary: "the item has no question",
    what: "Reports items whose stem is missing, empty or without words. If the vignette ends in a question, it is only a warning: the question exists, but in the wrong field. Criterion: `pedagogical_alignment`; field: `stem`.",
    why: "Without a question there is nothing to answer.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"vignette": "A 54-year-old man has had crushing chest pain and sweating for two hours; his left arm feels heavy.", "stem": "", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"vignette": "A 54-year-old man has had crushing chest pain and sweating for two hours; his left arm feels heavy.", "stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for view in items(examination.document) {
        if view
            .stem()
            .iter()
            .any(|field| field.text.contains(char::is_alphanumeric))
        {
            continue;
        }
        let asked = view
            .vignette()
            .last()
            .is_some_and(|field| field.text.trim_end().ends_with(['?', '？', '؟']));
        if asked {
            sink.in_source(
                view.stem_range(),
                "the question is at the end of the vignette; move it to the stem",
            )
            .severity(Severity::Warning);
        } else {
            sink.in_source(
                view.stem_range(),
                "the item has no stem; write the question that the options answer",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn an_item_must_ask() {
        for (fields, expected) in [
            (r#""stem": null, "vignette": "A man coughs.""#, 1),
            (r#""stem": "  ", "vignette": "A man coughs.""#, 1),
            (r#""stem": {"text": "A man coughs.", "lead_in": "What is it?"}"#, 0),
            (r#""question": "为什么？""#, 0),
        ] {
            let json = format!(r#"{{{fields}, "options": ["a", "b", "c"], "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{fields}");
        }
    }
}
