//! `missing-answer-key`: no option is marked as the answer.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Mends, Sink};
use redraft_gate::finding::{Fix, Severity};

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::{Key, Shape, items, letter};

pub(super) static CHECK: Check = Check {
    code: "MCQ003",
    name: "missing-answer-key",
    severity: Severity::Error,
    mends: Mends::WhereCertain,
    summary: "no option is marked as the answer",
    what: "Reports items whose key is missing, `null` or empty. Where exactly one option is flagged as correct, the fix writes the key from that flag; otherwise a person must supply it, and the key is never guessed. Items that only use flags are complete, except in the shape with `distractors`, which needs an `answerKey` as well. Criterion: `clinical_accuracy`; field: `answer_key`.",
    why: "An item without a key cannot be marked.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"vignette": "A 54-year-old man has had crushing chest pain and sweating for two hours; his left arm feels heavy.", "stem": "Which drug should he be given first?", "distractors": [{"text": "Aspirin", "isCorrect": true}, {"text": "Warfarin", "isCorrect": false}, {"text": "Morphine", "isCorrect": false}], "answerKey": null, "explanation": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"vignette": "A 54-year-old man has had crushing chest pain and sweating for two hours; his left arm feels heavy.", "stem": "Which drug should he be given first?", "distractors": [{"text": "Aspirin", "isCorrect": true}, {"text": "Warfarin", "isCorrect": false}, {"text": "Morphine", "isCorrect": false}], "answerKey": "A", "explanation": "Aspirin lowers mortality at once."}"#,
            fixed: Some(r#"{"vignette": "A 54-year-old man has had crushing chest pain and sweating for two hours; his left arm feels heavy.", "stem": "Which drug should he be given first?", "distractors": [{"text": "Aspirin", "isCorrect": true}, {"text": "Warfarin", "isCorrect": false}, {"text": "Morphine", "isCorrect": false}], "answerKey": "A", "explanation": "Aspirin lowers mortality at once."}"#),
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for view in items(document) {
        let item = view.item;
        if item.key != Key::Missing {
            continue;
        }
        let Some(flagged) = view.only_flagged() else {
            // `several-correct` reports several flags.
            if view.flagged().next().is_none() {
                let at = item.key_range.clone();
                sink.in_source(
                    at.unwrap_or_else(|| view.options_range()),
                    "no option is marked as the answer; a person must supply the key",
                );
            }
            continue;
        };
        let key = letter(flagged);
        let (at, edit) = match (&item.key_range, &item.option_list) {
            (Some(range), _) => (
                range.clone(),
                document.edit_source(range.clone(), format!("\"{key}\"")),
            ),
            (None, Some(list)) if item.shape == Shape::Distractors => {
                let gap = gap_before(document.source().text(), item.option_field);
                let field = format!(",{gap}\"answerKey\": \"{key}\"");
                (
                    list.clone(),
                    document.edit_source(list.end..list.end, field),
                )
            }
            // The flags are the key.
            _ => continue,
        };
        let finding = sink.in_source(
            at,
            format!("the key is missing; option {key} is the only one flagged as correct"),
        );
        if item.by_letters {
            finding.fix(Fix::safe(vec![edit]));
        }
    }
}

/// The white space before a field, used to lay out a new field the same way.
fn gap_before(text: &str, field: usize) -> &str {
    let before = text.get(..field).unwrap_or_default();
    match before.get(before.trim_end().len()..) {
        Some("") | None => " ",
        Some(gap) => gap,
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn a_key_is_asked_for_where_neither_field_nor_flags_give_one() {
        for (json, expected) in [
            (r#"{"stem": "q", "options": ["a", "b"], "answer": "A"}"#, 0),
            (r#"{"stem": "q", "options": ["a", "b"]}"#, 1),
            (r#"{"stem": "q", "options": ["a", "b"], "answer": " "}"#, 1),
            (r#"{"stem": "q", "options": [{"text": "a", "is_correct": true}, {"text": "b", "is_correct": false}]}"#, 0),
            (r#"{"stem": "q", "options": [{"text": "a", "is_correct": false}, {"text": "b", "is_correct": false}]}"#, 1),
            (r#"{"stem": "q", "distractors": [{"text": "a", "isCorrect": true}, {"text": "b"}]}"#, 1),
            (r#"{"stem": "q", "distractors": [{"text": "a", "isCorrect": true}, {"text": "b", "isCorrect": true}]}"#, 0),
        ] {
            assert_eq!(count(&super::CHECK, json), expected, "{json}");
        }
    }
}
