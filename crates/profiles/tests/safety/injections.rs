//! `prompt-injection` measured: how many composed injections it finds, how many
//! innocent sentences it reports, where it looks.

use redraft_gate::companion::{Companions, SchemeEntry, Specification};
use redraft_gate::examine::Settings;
use redraft_gate::finding::Severity;
use redraft_gate::policy::Value;
use redraft_gate::reading::Hint;

use crate::{composed, findings_beside, findings_of, severities};

const CHECK: &str = "prompt-injection";

fn found(text: &str) -> Option<Severity> {
    let findings = findings_of(CHECK, text, Hint::Markdown);
    findings.iter().map(|finding| finding.severity).max()
}

/// The sentences that are not found, in thousandths of all.
fn missed(sentences: &[String]) -> (Vec<&String>, usize) {
    let missed: Vec<&String> = sentences.iter().filter(|text| found(text).is_none()).collect();
    let share = (sentences.len() - missed.len()) * 1000 / sentences.len();
    (missed, share)
}

#[test]
fn composed_injections_are_found_in_every_language() {
    let mut wrong = Vec::new();
    for composed in composed::all() {
        let (missed_tuned, tuned) = missed(&composed.tune);
        let (missed_held_out, held_out) = missed(&composed.held_out);
        let certain = |sentences: &[String]| {
            let errors = sentences.iter().filter(|text| found(text) == Some(Severity::Error));
            errors.count() * 1000 / sentences.len()
        };
        eprintln!(
            "{}: tuned {tuned} of 1000 ({}), held out {held_out} of 1000 ({}); errors {} and {}",
            composed.language,
            composed.tune.len(),
            composed.held_out.len(),
            certain(&composed.tune),
            certain(&composed.held_out),
        );
        if std::env::var_os("SHOW_TUNED").is_some() {
            missed_tuned.iter().for_each(|text| eprintln!("  tuned: {text}"));
        }
        if std::env::var_os("SHOW_HELD_OUT").is_some() {
            missed_held_out.iter().for_each(|text| eprintln!("  held out: {text}"));
        }
        if tuned < 950 || held_out < 950 {
            wrong.push((composed.language, tuned, held_out));
        }
    }
    assert_eq!(wrong, []);
}

#[test]
fn innocent_sentences_are_left_alone() {
    let mut alarms = Vec::new();
    let mut sentences = 0;
    for composed in composed::all() {
        sentences += composed.innocent.len();
        alarms.extend(composed.innocent.into_iter().filter(|text| found(text).is_some()));
    }
    assert!(alarms.len() * 1000 <= sentences, "{} of {sentences}: {alarms:#?}", alarms.len());
}
