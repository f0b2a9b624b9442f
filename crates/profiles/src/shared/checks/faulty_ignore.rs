//! `faulty-ignore`: an ignore comment without effect.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::finding::Severity;
use redraft_gate::silence;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT028",
    name: "faulty-ignore",
    severity: Severity::Warning,
    phase: Phase::Acceptance,
    concern: Concern::Hygiene,
    summary: "an ignore comment without a reason, or for a check that does not exist",
    what: "Reports `<!-- redraft-ignore … -->` comments that have no effect because they name no check, name an unknown check, or give no reason after the colon.",
    why: "The next author needs the reason to judge whether it still holds. A misspelt comment looks as if it worked.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater boils.\n\n<!-- redraft-ignore TXT003 -->\n",
        passes: "# Water\n\nWater boils.\n\n<!-- redraft-ignore TXT003: the text shows what a placeholder is -->\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination.document.texts() {
        for directive in silence::directives(field) {
            if directive.checks.is_empty() {
                sink.in_text(
                    field,
                    directive.range.clone(),
                    "this comment names no check to ignore; write `redraft-ignore CODE: reason`",
                );
                continue;
            }
            for name in &directive.checks {
                if !examination.is_known_check(name) {
                    sink.in_text(
                        field,
                        directive.range.clone(),
                        format!("unknown check `{name}`; `redraft explain` lists the checks"),
                    );
                }
            }
            if directive.reason.is_empty() {
                sink.in_text(
                    field,
                    directive.range.clone(),
                    "this comment has no effect without a reason; write it after a colon",
                );
            }
        }
    }
}
