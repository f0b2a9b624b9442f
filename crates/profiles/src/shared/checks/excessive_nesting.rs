//! `excessive-nesting`: brackets, lists or quotes nested too deeply.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::finding::Severity;
use redraft_gate::reading::Trouble;
use redraft_text::json::RecoveryKind;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT027",
    name: "excessive-nesting",
    severity: Severity::Error,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "brackets, lists or quotes nested too deeply",
    what: "Reports JSON nested deeper than 256 levels, and Markdown whose quotes, lists or markers are nested too deeply, or whose tables lack most of their cells. The passage is not analysed any further.",
    why: "No real lesson looks like this. It comes from a model stuck in a loop, or from an attempt to crash the program that shows the text.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\n> > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > deep\n",
        passes: "# Water\n\n> > a quote in a quote\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for recovered in examination.document.recovered() {
        match &recovered.what {
            Trouble::Json(RecoveryKind::TooDeep) => {
                sink.in_source(
                    recovered.range.clone(),
                    "nested too deeply; the rest was not read",
                );
            }
            Trouble::Degraded(why) => {
                sink.in_source(
                    recovered.range.clone(),
                    format!("{why}; the passage was not analysed"),
                );
            }
            _ => {}
        }
    }
}
