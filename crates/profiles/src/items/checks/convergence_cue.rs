//! `convergence-cue`: the key has the most in common with the other options.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::{items, letter};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ019",
    name: "convergence-cue",
    severity: Severity::Info,
    summary: "the key has the most in common with the other options",
    what: "Where all options are combinations (“aspirin and heparin”), counts in how many other options each element of an option occurs. Reports a key that leads every other option by two or more. Criterion: `distractor_quality`; field: `distractors`.",
    why: "Authors write wrong options by changing the right one a little at a time, so the option that shares most with the others is the key.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drugs should he be given first?", "options": ["Aspirin, heparin and oxygen", "Aspirin, heparin and digoxin", "Aspirin, insulin and oxygen", "Warfarin, heparin and oxygen"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "ahead", what: "lead of the key, in occurrences, at which it is reported" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let ahead = examination.count("ahead");
    for view in items(examination.document) {
        let count = view.options().len();
        let Some(key) = view.correct().filter(|_| (4..=10).contains(&count)) else {
            continue;
        };
        let mut combinations: Vec<Vec<String>> = Vec::with_capacity(count);
        for text in view.option_texts() {
            let of_option = elements(text);
            if of_option.len() < 2 {
                break;
            }
            combinations.push(of_option);
        }
        if combinations.len() < count {
            continue;
        }
        let shared = |index: usize| -> usize {
            combinations[index]
                .iter()
                .map(|element| {
                    let with = combinations.iter().enumerate().filter(|(other, _)| *other != index);
                    with.filter(|(_, other)| other.contains(element)).count()
                })
                .sum()
        };
        let own = shared(key);
        let next = (0..count).filter(|index| *index != key).map(shared).max();
        if next.is_some_and(|next| own >= next + ahead) {
            sink.in_source(
                view.option_range(key),
                format!("the elements of the key {} occur in more of the other options than those of any wrong option; vary the wrong options independently", letter(key)),
            );
        }
    }
}

/// The elements of a combination; empty for an option that is none.
fn elements(text: &str) -> Vec<String> {
    if text.len() > 200 || !text.contains([',', '+', '&', '/']) && wording::find_phrase(text, "and").is_none() {
        return Vec::new();
    }
    wording::plain(text)
        .replace(" and ", ",")
        .split([',', '+', '&', '/'])
        .map(|element| element.trim().to_owned())
        .filter(|element| !element.is_empty())
        .collect()
}
