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
    what: "Reports, for example, `sections` that is not a list or `content` that is a number. Values with a clear meaning are still read: a single object instead of a list counts as a list of one. A value of a bank that is not an item at all is an error, because none of it is read.",
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
            // A value of a bank that is not an item would go unread.
            if *expected == AN_ITEM {
                sink.in_source(
                    recovered.range.clone(),
                    format!("this value of the bank is {found}, not an item"),
                )
                .severity(Severity::Error);
                continue;
            }
            sink.in_source(
                recovered.range.clone(),
                format!("`{path}` is {found}; it must be {expected}"),
            );
        }
    }
}
