//! `unexpected-type`: a field has a value of the wrong type.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::content::AN_ITEM;
use redraft_gate::finding::Severity;
use redraft_gate::reading::Trouble;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT026",
    name: "unexpected-type",
    severity: Severity::Warning,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "a field has a value of the wrong type",
    what: "Reports, for example, `sections` that is not a list or `content` that is a number. Values with a clear meaning are still read: a single object instead of a list counts as a list of one.",
    why: "The program that shows the lesson may not understand the value and leave the text out.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"intro": "Water boils.", "sections": {"title": "Heat", "content": "Heat makes water boil."}}"#,
        passes: r#"{"intro": "Water boils.", "sections": [{"title": "Heat", "content": "Heat makes water boil."}]}"#,
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for recovered in examination.document.recovered() {
        if let Trouble::OddField {
            path,
            expected,
            found,
        } = &recovered.what
        {
            let is_item = *expected == AN_ITEM;
            let what = if path.is_empty() { "a value" } else { path };
            let message = format!("`{what}` is {found}; it must be {expected}");
            let finding = sink.in_source(recovered.range.clone(), message);
            // A value that is no item is lost to whoever reads the bank.
            if is_item {
                finding.severity(Severity::Error);
            }
        }
    }
}
