//! `invalid-escape`: an invalid escape sequence in JSON.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::finding::{Fix, Severity};
use redraft_gate::reading::Trouble;
use redraft_text::json::RecoveryKind;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT025",
    name: "invalid-escape",
    severity: Severity::Error,
    mends: Mends::WhereCertain,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "an invalid escape sequence in JSON, or half of a surrogate pair",
    what: "Reports sequences such as `\\alpha` or `\\(` inside a JSON string. They are LaTeX whose backslash was not doubled; `--fix` doubles it. Half of a surrogate pair (`\\ud83d` alone) is not a character and cannot be restored.",
    why: "A strict parser rejects the whole document; a lenient one drops the backslash, so that the learner reads “alpha”.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"intro": "The angle $\alpha$ is small.", "sections": []}"#,
        passes: r#"{"intro": "The angle $\\alpha$ is small.", "sections": []}"#,
        fixed: Some(r#"{"intro": "The angle $\\alpha$ is small.", "sections": []}"#),
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for recovered in document.recovered() {
        match &recovered.what {
            Trouble::Json(RecoveryKind::InvalidEscape) => {
                let edits: Vec<_> = recovered
                    .edits
                    .iter()
                    .map(|(range, text)| document.edit_source(range.clone(), text.as_str()))
                    .collect();
                sink.in_source(
                    recovered.range.clone(),
                    "invalid JSON escape; double the backslash",
                )
                .fix(Fix::safe(edits));
            }
            Trouble::Json(RecoveryKind::LoneSurrogate) => {
                sink.in_source(
                    recovered.range.clone(),
                    "half of a surrogate pair is not a character; write the whole character",
                );
            }
            _ => {}
        }
    }
}
