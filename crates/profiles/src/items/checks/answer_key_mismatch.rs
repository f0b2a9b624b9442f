//! `answer-key-mismatch`: the key does not match the options.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::{Key, items, letter};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ004",
    name: "answer-key-mismatch",
    severity: Severity::Error,
    summary: "the key does not match the options",
    what: "Reports a key that names no option or may mean several, a list of keys of which one names no option, a key that names a different option from the one flagged as correct, and several fields that state different keys. Understands letters, labels, indices and the text of an option; a number that could count from 0 or from 1 is left to `ambiguous-answer-index`. The program never changes the key. Criterion: `clinical_accuracy`; field: `answer_key`.",
    why: "Learners are marked by the key. If it points at no option, or at a different option from the one the explanation supports, right answers are marked wrong.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"vignette": "A 54-year-old man has had crushing chest pain and sweating for two hours; his left arm feels heavy.", "stem": "Which drug should he be given first?", "distractors": [{"text": "Aspirin", "isCorrect": true}, {"text": "Warfarin", "isCorrect": false}, {"text": "Morphine", "isCorrect": false}], "answerKey": "B", "explanation": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"vignette": "A 54-year-old man has had crushing chest pain and sweating for two hours; his left arm feels heavy.", "stem": "Which drug should he be given first?", "distractors": [{"text": "Aspirin", "isCorrect": true}, {"text": "Warfarin", "isCorrect": false}, {"text": "Morphine", "isCorrect": false}], "answerKey": "A", "explanation": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "E", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let source = examination.document.source().text();
    for view in items(examination.document) {
        let options = view.options().len();
        let Some(range) = view.item.key_range.clone().filter(|_| options > 0) else {
            continue;
        };
        match view.item.key {
            Key::Unknown => {
                let written = source.get(range.clone()).unwrap_or_default();
                let written = wording::shortened(written.trim_matches('"'));
                let last = letter(options - 1);
                sink.in_source(
                    range,
                    format!("the key “{written}” does not match any of the {options} options (A to {last})"),
                );
            }
            Key::One(key) => {
                let flags: Vec<usize> = view.flagged().collect();
                if flags.is_empty() || flags.contains(&usize::from(key)) {
                    continue;
                }
                let flagged: Vec<String> = flags.iter().map(|index| letter(*index)).collect();
                let key = letter(usize::from(key));
                sink.in_source(
                    range,
                    format!(
                        "the key is {key}, but {} is flagged as correct; a person must decide which is right",
                        flagged.join(" and ")
                    ),
                );
            }
            Key::Disagreeing => {
                let fields = std::iter::once(&range).chain(&view.item.more_keys);
                let written: Vec<&str> = fields.filter_map(|range| source.get(range.clone())).collect();
                let message = format!(
                    "the fields that state the key disagree: {}; a person must decide which is right",
                    wording::shortened(&written.join(" and "))
                );
                sink.in_source(range, message);
            }
            // Flags settle it.
            Key::Ambiguous if view.only_flagged().is_none() => {
                let written = source.get(range.clone()).unwrap_or_default();
                let written = wording::shortened(written.trim_matches('"'));
                sink.in_source(range, format!("the key “{written}” may mean several options; a person must decide which is right"));
            }
            Key::Missing | Key::Several | Key::Ambiguous | Key::Number => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn key_and_flags_have_to_agree() {
        for (fields, expected) in [
            (r#""correct_answer": "C""#, 0),
            (r#""correct_answer": "D""#, 1),
            (r#""correct_answer": "gamma""#, 0),
            (r#""correct_answer": "delta""#, 1),
            (r#""correct_answer": 1"#, 0),
            (r#""correct_answer": 7"#, 1),
            (r#""correct_answer": ["A", "B"]"#, 0),
            (r#""correct_answer": ["A", "D"]"#, 1),
            (r#""correct_answer": "A, D""#, 1),
            (r#""correct_answer": {"why": "beta"}"#, 1),
            (r#""correct_answer": null"#, 0),
            (r#""correct_answer": "B", "answer_index": 1"#, 0),
            (r#""correct_answer": "B", "answer_index": 0"#, 1),
            (r#""correct_answer": "beta", "answer": "A""#, 1),
            (r#""correct_answer": "B", "key": "Q12""#, 0),
        ] {
            let json = format!(r#"{{"stem": "q", "options": ["alpha", "beta", "gamma"], {fields}}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{fields}");
        }
    }
}
