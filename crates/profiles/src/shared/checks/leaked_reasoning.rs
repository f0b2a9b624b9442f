//! `leaked-reasoning`: the model thinks aloud in the lesson.
//! `redraft_text::framing` recognises that.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::TextField;
use redraft_gate::finding::{Fix, Severity};
use redraft_gate::reading::{FormKind, OutsideKind};
use redraft_text::framing::{self, Reasoning, ReasoningKind};

pub(super) static CHECK: Check = Check {
    code: "TXT005",
    name: "leaked-reasoning",
    severity: Severity::Error,
    critical: false,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "the model's own reasoning was left in the text",
    what: "Reports blocks such as `<think>…</think>`, and a first paragraph in which the model talks about the user, the request or the output it is about to write. `--fix` deletes a block between its tags, reasoning before the lesson that ends where the lesson begins, and a closing tag alone on its line. A tag that is never closed is only reported, because it is unknown where the reasoning ends. Text before a lonely closing tag inside a section is never deleted. A lesson that shows such a tag in code is left alone, and so is a teacher's “Okay, let's see how a loop works.”",
    why: "Reasoning contains discarded drafts, wrong answers and instructions that were never meant for a learner.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "<think>The user wants a lesson on water. Keep it short.</think>\n\n# Water\n\nWater boils at 100 °C.\n",
        passes: "# Water\n\nOkay, let's see how water boils. The tag `<think>` is code here.\n",
        fixed: Some("# Water\n\nWater boils at 100 °C.\n"),
    }],
    parameters: &[],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for outside in document.outside() {
        if outside.kind == OutsideKind::Reasoning {
            let deletion = vec![document.edit_source(outside.removal.clone(), "")];
            sink.in_source(
                outside.range.clone(),
                "the model's reasoning was left before the lesson",
            )
            .fix(if outside.certain {
                Fix::safe(deletion)
            } else {
                Fix::proposed(deletion)
            });
        }
    }
    let is_text = document.form() == FormKind::Markdown;
    for field in document.texts().iter().filter(|field| field.is_body()) {
        let text = &*field.text;
        let is_code = |at| field.markdown().is_code(at);
        let found = if is_text && field.path.is_empty() {
            framing::reasoning(text, &is_code)
        } else {
            framing::reasoning_in_field(text, &is_code)
        };
        for reasoning in found {
            report(examination, sink, field, &reasoning);
        }
    }
}

fn report(
    examination: &Examination<'_>,
    sink: &mut Sink<'_>,
    field: &TextField,
    reasoning: &Reasoning,
) {
    let text = &*field.text;
    let range = reasoning.range.clone();
    let message = match reasoning.kind {
        ReasoningKind::StrayTag => "a tag that ends the model's reasoning was left in the text",
        _ => "the model's reasoning was left in the text",
    };
    let finding = sink.in_text(field, range.clone(), message);
    let after = &text[range.end..];
    let before = &text[..range.start];
    let is_everything = before.trim().is_empty() && after.trim().is_empty();
    if is_everything || reasoning.kind == (ReasoningKind::Tagged { closed: false }) {
        return;
    }
    // The white space after it is deleted, too, unless words would touch.
    let blank = after.len() - after.trim_start_matches(['\n', '\r', ' ']).len();
    let is_apart = before.is_empty() || before.ends_with(char::is_whitespace);
    let end = range.end + if is_apart { blank } else { 0 };
    let deletion = vec![examination.document.edit(field, range.start..end, "")];
    finding.fix(if reasoning.certain {
        Fix::safe(deletion)
    } else {
        Fix::proposed(deletion)
    });
}
