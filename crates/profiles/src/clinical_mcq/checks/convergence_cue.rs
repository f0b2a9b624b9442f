//! `convergence-cue`: the key shares most with the other options.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::clinical_mcq::model::{items, letter};
use crate::clinical_mcq::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ019",
    name: "convergence-cue",
    severity: Severity::Info,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "the key shares most with the other options",
    what: "Where all options are combinations (“aspirin and heparin”), counts in how many other options each part of an option occurs. Reports a key that is ahead of every other option by two or more. Criterion: distractor_quality; the field is `distractors`.",
    why: "Authors make wrong options by changing the right one a little at a time; the one in the middle is the key.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drugs should he be given first?", "options": ["Aspirin, heparin and oxygen", "Aspirin, heparin and digoxin", "Aspirin, insulin and oxygen", "Warfarin, heparin and oxygen"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "ahead", what: "by how many occurrences the key is ahead" },],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let ahead = examination.count("ahead");
    for view in items(examination.document) {
        let count = view.options().len();
        let Some(key) = view.correct().filter(|_| (4..=10).contains(&count)) else {
            continue;
        };
        let mut parts: Vec<Vec<String>> = Vec::with_capacity(count);
        for text in view.option_texts() {
            let of_option = elements(text);
            if of_option.len() < 2 {
                break;
            }
            parts.push(of_option);
        }
        if parts.len() < count {
            continue;
        }
        let shared = |index: usize| -> usize {
            parts[index]
                .iter()
                .map(|part| {
                    let with = parts.iter().enumerate().filter(|(other, _)| *other != index);
                    with.filter(|(_, other)| other.contains(part)).count()
                })
                .sum()
        };
        let own = shared(key);
        let next = (0..count).filter(|index| *index != key).map(shared).max();
        if next.is_some_and(|next| own >= next + ahead) {
            sink.in_source(
                view.option_range(key),
                format!("the parts of the key {} occur in more of the other options than those of any other; vary the wrong options independently", letter(key)),
            );
        }
    }
}

/// The parts of a combination.
fn elements(text: &str) -> Vec<String> {
    if text.len() > 200 || !text.contains([',', '+', '&', '/']) && wording::find_phrase(text, "and").is_none() {
        return Vec::new();
    }
    wording::plain(text)
        .replace(" and ", ",")
        .split([',', '+', '&', '/'])
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}
