//! `invalid-escape`: a backslash sequence that JSON does not know.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::finding::{Fix, Severity};
use redraft_gate::reading::Trouble;
use redraft_text::json::RecoveryKind;

pub(super) static CHECK: Check = Check {
    code: "TXT025",
    name: "invalid-escape",
    severity: Severity::Error,
    critical: false,
    mends: Mends::WhereCertain,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "a backslash sequence that JSON does not know, or half a surrogate pair",
    what: "Reports sequences such as `\\alpha` or `\\(` inside a JSON string. They are LaTeX whose backslash was not doubled; `--fix` doubles it. Half of a surrogate pair (`\\ud83d` alone) stands for no character and cannot be restored.",
    why: "A strict parser refuses the whole document; a lenient one drops the backslash and leaves the learner with “alpha”.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"intro": "The angle $\alpha$ is small.", "sections": []}"#,
        passes: r#"{"intro": "The angle $\\alpha$ is small.", "sections": []}"#,
        fixed: Some(r#"{"intro": "The angle $\\alpha$ is small.", "sections": []}"#),
    }],
    parameters: &[],
    caps: &[],
    run,
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
                sink.in_source(recovered.range.clone(), "JSON knows no such escape; the backslash is to be doubled")
                    .fix(Fix::safe(edits));
            }
            Trouble::Json(RecoveryKind::LoneSurrogate) => {
                sink.in_source(recovered.range.clone(), "half of a surrogate pair stands for no character");
            }
            _ => {}
        }
    }
}
