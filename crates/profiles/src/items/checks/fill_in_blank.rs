//! `fill-in-blank`: the stem has a blank to fill in.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::items;
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ022",
    name: "fill-in-blank",
    severity: Severity::Info,
    summary: "the stem has a blank to fill in",
    what: "Reports stems with a blank: underscores, dots, `<blank>`. Vocabulary exercises are written this way on purpose, so it is only info. Criterion: `pedagogical_alignment`; field: `stem`.",
    why: "The learner has to hold the sentence in mind and try every option in it; a plain question asks the same with less to read.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "The drug of first choice is ______ in this case.", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for view in items(examination.document) {
        for field in view.stem() {
            if let Some(blank) = wording::blank(&field.text) {
                sink.in_text(field, blank, "the stem has a blank to fill in; a plain question is quicker to read");
                break;
            }
        }
    }
}
