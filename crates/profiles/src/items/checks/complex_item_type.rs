//! `complex-item-type`: options are combinations of other options.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::{items, letter};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ020",
    name: "complex-item-type",
    severity: Severity::Warning,
    summary: "options are combinations of other options",
    what: "Reports options that refer to other options or to numbered statements (“Both A and B”, “1, 2 and 3”, “i and iii only”). Criterion: `distractor_quality`; field: `distractors`.",
    why: "Such items test logic, not knowledge: one known statement rules out half of the options, and reading takes longer than answering.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Both A and B", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for view in items(examination.document) {
        let combined: Vec<usize> = (0..view.options().len())
            .filter(|index| wording::combines(view.option(*index)))
            .collect();
        let Some(first) = combined.first() else {
            continue;
        };
        // The same labels in different orders: the item asks for a sequence.
        let ordered = combined.len() == view.options().len()
            && combined
                .iter()
                .all(|index| sorted(view.option(*index)) == sorted(view.option(*first)));
        if ordered {
            continue;
        }
        // Two numbers may be a real answer, unless the stem numbers its statements.
        let numbers = |index: &usize| view.option(*index).contains(|c: char| c.is_ascii_digit());
        let listed = view.stem().iter().any(|field| lists_statements(&field.text));
        if combined.iter().all(numbers) && !listed {
            continue;
        }
        sink.in_source(
            view.option_range(*first),
            format!(
                "option {} combines other options (“{}”); ask for a single answer",
                letter(*first),
                wording::shortened(view.option(*first))
            ),
        );
    }
}

/// The letters and digits of an option, sorted.
fn sorted(option: &str) -> Vec<char> {
    let mut letters: Vec<char> = option.chars().filter(|c| c.is_alphanumeric()).collect();
    letters.sort_unstable();
    letters
}

/// Whether a stem numbers statements: `1.` or `(i)` and `2.` or `(ii)`.
fn lists_statements(stem: &str) -> bool {
    let has = |marks: &[&str]| marks.iter().any(|mark| stem.contains(mark));
    has(&["1.", "1)", "(1", "I.", "i)", "i."]) && has(&["2.", "2)", "(2", "II.", "ii)", "ii."])
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::{count, item};

    #[test]
    fn labels_joined_are_combinations_and_names_are_not() {
        for (option, expected) in [
            ("Both A and B", 1),
            ("A & C", 1),
            ("i and iii only", 1),
            ("Vitamins A and D", 0),
            ("2 and 3", 0),
            ("A", 0),
            ("Type I and II", 0),
        ] {
            let item = item(&format!(r#""options": ["x", "y", "{option}"]"#));
            assert_eq!(count(&super::CHECK, &item), expected, "{option}");
        }
        let numbered = r#"{"stem": "Signs are: 1. cough 2. fever 3. rash", "options": ["1 and 2", "2 and 3", "1, 2 and 3"], "answer": "A"}"#;
        assert_eq!(count(&super::CHECK, numbered), 1);
    }
}
