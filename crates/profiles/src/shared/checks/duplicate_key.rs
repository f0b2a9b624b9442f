//! `duplicate-key`: a JSON object has the same field twice.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::finding::Severity;
use redraft_gate::reading::Trouble;
use redraft_text::json::RecoveryKind;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT024",
    name: "duplicate-key",
    severity: Severity::Error,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "a JSON object has the same field twice",
    what: "Reports the second of two fields with the same name in one object. redraft reads the last of them, as most programs do; the earlier one is not checked.",
    why: "One of the two texts is silently lost, and which one depends on the program that reads the file.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"intro\": \"Water boils.\", \"intro\": \"Ice melts.\", \"sections\": []}",
        passes: "{\"intro\": \"Water boils.\", \"sections\": []}",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let text = examination.document.source().text();
    for recovered in examination.document.recovered() {
        if recovered.what == Trouble::Json(RecoveryKind::DuplicateKey) {
            let key = text.get(recovered.range.clone()).unwrap_or_default();
            sink.in_source(
                recovered.range.clone(),
                format!("duplicate field {key}; the earlier value is lost"),
            );
        }
    }
}
