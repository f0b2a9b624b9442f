//! `wrapped-output`: a code fence or other text around the content.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::finding::{Fix, Severity};
use redraft_gate::reading::OutsideKind;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT022",
    name: "wrapped-output",
    severity: Severity::Warning,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "the content is wrapped in a code fence or other text",
    what: "Reports a code fence around a whole lesson or JSON document, and any text before or after a JSON value. `--fix` deletes a fence; the deletion of other text is only proposed, because it may be intended. Chat and reasoning around the content have their own checks.",
    why: "A program that expects JSON stops at the first back-tick; a learner sees the whole lesson as one block of code.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: "```json\n{\"intro\": \"Water boils.\", \"sections\": []}\n```\n",
            passes: "{\"intro\": \"Water boils.\", \"sections\": []}\n",
            fixed: Some("{\"intro\": \"Water boils.\", \"sections\": []}\n"),
        },
        Example {
            form: ExampleForm::Markdown,
            fails: "```markdown\n# Water\n\nWater boils at 100 °C.\n```\n",
            passes: "# Water\n\nA fence inside a lesson is fine:\n\n```markdown\n# Title\n```\n",
            fixed: Some("# Water\n\nWater boils at 100 °C.\n"),
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for outside in document.outside() {
        let deletion = vec![document.edit_source(outside.removal.clone(), "")];
        match outside.kind {
            OutsideKind::Fence => {
                sink.in_source(
                    outside.range.clone(),
                    "the whole content is wrapped in a code fence; delete the fence",
                )
                .fix(Fix::safe(deletion));
            }
            OutsideKind::Prose => {
                sink.in_source(
                    outside.range.clone(),
                    "this text is outside the JSON value; delete it",
                )
                .fix(Fix::proposed(deletion));
            }
            OutsideKind::Chat | OutsideKind::Reasoning => {}
        }
    }
}
