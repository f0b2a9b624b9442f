//! `true-false-item`: the options are True and False.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::{ItemView, items};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ021",
    name: "true-false-item",
    severity: Severity::Warning,
    summary: "the options are True and False",
    what: "Reports items whose two options are True and False, Yes and No, or Correct and Incorrect. Criterion: `distractor_quality`; field: `distractors`.",
    why: "Half of the learners who know nothing get it right, and few statements in medicine are entirely true or false.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Aspirin thins the blood.", "options": ["True", "False"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for view in items(examination.document).filter(|view| judges(*view)) {
        sink.in_source(
            view.options_range(),
            format!("the options are “{}” and “{}”; ask for the fact itself, with at least three options", view.option(0), view.option(1)),
        );
    }
}

/// Whether an item has two options that only agree or disagree with the stem.
pub(super) fn judges(view: ItemView<'_>) -> bool {
    if view.options().len() != 2 {
        return false;
    }
    let (a, b) = (wording::plain(view.option(0)), wording::plain(view.option(1)));
    [("true", "false"), ("yes", "no"), ("correct", "incorrect"), ("right", "wrong")]
        .iter()
        .any(|(yes, no)| (a == *yes && b == *no) || (a == *no && b == *yes))
}
