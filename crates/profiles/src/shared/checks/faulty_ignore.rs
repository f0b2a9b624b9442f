//! `faulty-ignore`: an ignore comment that silences nothing.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::finding::Severity;
use redraft_gate::silence;

pub(super) static CHECK: Check = Check {
    code: "TXT028",
    name: "faulty-ignore",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Acceptance,
    concern: Concern::Hygiene,
    summary: "an ignore comment without a reason, or for a check that does not exist",
    what: "Reports `<!-- redraft-ignore … -->` comments that have no effect: without a check, with one that does not exist, or without the reason after the colon.",
    why: "A silence needs a reason that the next author can judge. A misspelt one gives a false sense that something was looked at.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater boils.\n\n<!-- redraft-ignore TXT003 -->\n",
        passes: "# Water\n\nWater boils.\n\n<!-- redraft-ignore TXT003: the text shows what a placeholder is -->\n",
        fixed: None,
    }],
    parameters: &[],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination.document.texts() {
        for directive in silence::directives(field) {
            if directive.checks.is_empty() {
                sink.in_text(field, directive.range.clone(), "the comment names no check to ignore");
                continue;
            }
            for name in &directive.checks {
                if !examination.is_known_check(name) {
                    sink.in_text(field, directive.range.clone(), format!("there is no check `{name}`"));
                }
            }
            if directive.reason.is_empty() {
                sink.in_text(
                    field,
                    directive.range.clone(),
                    "the reason is missing: write it after a colon, or the comment silences nothing",
                );
            }
        }
    }
}
