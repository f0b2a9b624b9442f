//! `several-correct`: several options are flagged as correct.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::items::model::{Key, items, letter};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ005",
    name: "several-correct",
    severity: Severity::Error,
    summary: "several options are flagged as correct",
    what: "Reports single-answer items in which more than one option is flagged as correct. Items that ask for several answers (a list as key, `multiSelect`, “select all that apply”) are ignored. Criterion: `distractor_quality`; field: `distractors`.",
    why: "With two right answers, a learner who knows more than the author is marked wrong.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": [{"text": "Aspirin", "is_correct": true}, {"text": "Clopidogrel", "is_correct": true}, {"text": "Warfarin", "is_correct": false}], "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"stem": "Which drug should he be given first?", "options": [{"text": "Aspirin", "is_correct": true}, {"text": "Clopidogrel", "is_correct": false}, {"text": "Warfarin", "is_correct": false}], "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for view in items(examination.document) {
        let flagged: Vec<String> = view.flagged().map(letter).collect();
        let several = view.item.wants_several
            || view.item.key == Key::Several
            || view.lead_in().is_some_and(|field| asks_for_several(&field.text));
        if flagged.len() > 1 && !several {
            sink.in_source(
                view.options_range(),
                format!(
                    "{} are all flagged as correct, but the item asks for one answer; a person must decide which is right",
                    flagged.join(", ")
                ),
            );
        }
    }
}

fn asks_for_several(stem: &str) -> bool {
    ["all that apply", "select two", "select three", "choose two", "choose three"]
        .iter()
        .any(|phrase| wording::find_phrase(stem, phrase).is_some())
}
