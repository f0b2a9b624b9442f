//! `missing-explanation`: nothing says why the key is right.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::finding::Severity;

use redraft_gate::content::TextField;

use crate::clinical_mcq::model::{ItemView, Shape, items};

pub(super) static CHECK: Check = Check {
    code: "MCQ008",
    name: "missing-explanation",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "nothing says why the key is right",
    what: "Reports items without an explanation of the key, neither for the item nor for its right option. Where other items of the bank have one, or the field is there and empty, it is reported at the item: a warning for items with a vignette or in a shape that has explanations, a remark for plain quizzes, of which many have none. A bank without any explanation gets one remark. Criterion: pedagogical_alignment; the field is `explanation`.",
    why: "The learner who was wrong learns from the explanation; the reviewer checks the key by it.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": ""}"#,
            passes: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    parameters: &[],
    caps: &[],
    run,
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
    let any = items(document).any(|view| explained(&view));
    let mut remarked = false;
    for view in items(document).filter(|view| !explained(view)) {
        let at = view.item.explanation.as_ref().map(|part| part.range.clone());
        if any || view.item.has_explanation_field {
            let finding = sink.in_source(
                at.unwrap_or_else(|| view.head()),
                "nothing says why the key is right; write an explanation",
            );
            if !view.has_vignette() && view.item.shape == Shape::Keyed {
                finding.severity(Severity::Info);
            }
        } else if !remarked {
            remarked = true;
            sink.in_source(view.head(), "no item has an explanation of its key")
                .severity(Severity::Info);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::clinical_mcq::checks::testing::count;

    #[test]
    fn an_explanation_of_the_key_is_enough() {
        for (json, expected) in [
            (r#"[{"stem": "q", "options": ["a", "b"], "answer": "A"}, {"stem": "q", "options": ["a", "b"], "answer": "A"}]"#, 1),
            (r#"[{"stem": "q", "options": ["a", "b"], "answer": "A", "explanation": "Because."}, {"stem": "q", "options": ["a", "b"], "answer": "A"}]"#, 1),
            (r#"{"stem": "q", "options": [{"text": "a", "is_correct": true, "reasoning": "Because."}, {"text": "b"}]}"#, 0),
            (r#"{"stem": "q", "options": [{"text": "a", "is_correct": true}, {"text": "b", "reasoning": "Not so."}], "rationale": null}"#, 1),
            (r#"{"stem": "q", "options": ["a", "b"], "answer": "A", "rationale": {"correct_explanation": "Because.", "teaching_point": ""}}"#, 0),
        ] {
            assert_eq!(count(&super::CHECK, json), expected, "{json}");
        }
    }
}
