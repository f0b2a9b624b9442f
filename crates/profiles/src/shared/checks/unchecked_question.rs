//! `unchecked-question`: a question of a bank that is not a choice.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::finding::Severity;
use redraft_gate::reading::Trouble;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT040",
    name: "unchecked-question",
    severity: Severity::Info,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "a question is not multiple-choice and is not checked",
    what: "Lists the questions of a bank that redraft does not check: essays, true or false, short answers, numbers, matching, cloze and descriptions. They stay as they are.",
    why: "A bank that passes must not look fully checked if some questions were not.",
    examples: &[Example {
        form: ExampleForm::Gift,
        fails: "Which gas do plants take in? {=Carbon dioxide ~Oxygen ~Helium}\n\nSay why. {}\n",
        passes: "Which gas do plants take in? {=Carbon dioxide ~Oxygen ~Helium}\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for recovered in examination.document.recovered() {
        if let Trouble::OtherQuestion(kind) = recovered.what {
            let message = format!("not multiple-choice ({kind}), so it is not checked");
            sink.in_source(recovered.range.clone(), message);
        }
    }
}
