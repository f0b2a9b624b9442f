//! `missing-explanation`: the key has no explanation.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use redraft_gate::content::TextField;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::{ItemView, Shape, items};

pub(super) static CHECK: Check = Check {
    code: "MCQ008",
    name: "missing-explanation",
    severity: Severity::Warning,
    summary: "the key has no explanation",
    what: "Reports items without an explanation of the key, either for the item or for its right option. An explanation that is there but empty is a warning for items with a vignette or in a shape that includes explanations, and info for plain quizzes; an item without the field is info, because many banks keep explanations elsewhere. Criterion: `pedagogical_alignment`; field: `explanation`.",
    why: "Learners who got it wrong learn from the explanation, and reviewers use it to check the key.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": ""}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let explained = |view: &ItemView<'_>| {
        let said = |text: Option<&TextField>| text.is_some_and(|field| !field.text.trim().is_empty());
        let of_key = view
            .correct()
            .and_then(|key| view.options().get(key))
            .and_then(|option| option.explanation.of(document));
        view.explanation().iter().any(|field| said(Some(field))) || said(of_key)
    };
    // Each item by itself, so that it has the same findings alone and in a bank
    // (ruling 50).
    for view in items(document).filter(|view| !explained(view)) {
        let at = view.item.explanation.as_ref().map(|field| field.range.clone());
        let finding = sink.in_source(
            at.unwrap_or_else(|| view.head()),
            "the item does not explain why the key is right; write an explanation",
        );
        let is_plain = !view.has_vignette() && view.item.shape == Shape::Keyed;
        if is_plain || !view.item.has_explanation_field {
            finding.severity(Severity::Info);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn an_explanation_of_the_key_is_enough() {
        for (json, expected) in [
            (r#"[{"stem": "q", "options": ["a", "b"], "answer": "A"}, {"stem": "q", "options": ["a", "b"], "answer": "A"}]"#, 2),
            (r#"[{"stem": "q", "options": ["a", "b"], "answer": "A", "explanation": "Because."}, {"stem": "q", "options": ["a", "b"], "answer": "A"}]"#, 1),
            (r#"{"stem": "q", "options": [{"text": "a", "is_correct": true, "reasoning": "Because."}, {"text": "b"}]}"#, 0),
            (r#"{"stem": "q", "options": [{"text": "a", "is_correct": true}, {"text": "b", "reasoning": "Not so."}], "rationale": null}"#, 1),
            (r#"{"stem": "q", "options": ["a", "b"], "answer": "A", "rationale": {"correct_explanation": "Because.", "teaching_point": ""}}"#, 0),
        ] {
            assert_eq!(count(&super::CHECK, json), expected, "{json}");
        }
    }
}
