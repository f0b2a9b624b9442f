//! `unexpected-type`: a field holds something else than its readers expect.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::finding::Severity;
use redraft_gate::reading::Trouble;

pub(super) static CHECK: Check = Check {
    code: "TXT026",
    name: "unexpected-type",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "a field holds something else than its readers expect",
    what: "Reports a field such as `sections` that is no list, or a `content` that is a number. What can be made sense of is read all the same: a single object in place of a list counts as a list of one.",
    why: "The program that shows the lesson will not make sense of it in the same way, and leaves the part out.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"intro": "Water boils.", "sections": {"title": "Heat", "content": "Heat makes water boil."}}"#,
        passes: r#"{"intro": "Water boils.", "sections": [{"title": "Heat", "content": "Heat makes water boil."}]}"#,
        fixed: None,
    }],
    parameters: &[],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for recovered in examination.document.recovered() {
        if let Trouble::OddField {
            path,
            expected,
            found,
        } = &recovered.what
        {
            sink.in_source(
                recovered.range.clone(),
                format!("`{path}` should be {expected}, but it is {found}"),
            );
        }
    }
}
