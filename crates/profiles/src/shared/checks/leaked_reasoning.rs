//! `leaked-reasoning`: the model thinks aloud in the lesson.
//! `redraft_text::framing` recognises that.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::finding::{Fix, Severity};
use redraft_gate::reading::OutsideKind;
use redraft_text::framing;

pub(super) static CHECK: Check = Check {
    code: "TXT005",
    name: "leaked-reasoning",
    severity: Severity::Error,
    critical: false,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "the model's own reasoning was left in the text",
    what: "Reports blocks such as `<think>…</think>`, and a first paragraph in which the model talks about the user, the request or the output it is about to write. `--fix` deletes what is closed by its tag or ends where the lesson begins. A tag that is never closed is only reported, because it is unknown where the reasoning ends. A lesson that shows such a tag in code is left alone, and so is a teacher's “Okay, let's see how a loop works.”",
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
            let deletion = document.edit_source(outside.removal.clone(), "");
            let text = document
                .source()
                .text()
                .get(outside.range.clone())
                .unwrap_or_default();
            let fix = if may_be_a_lesson(text) {
                Fix::proposed(vec![deletion])
            } else {
                Fix::safe(vec![deletion])
            };
            sink.in_source(
                outside.range.clone(),
                "the model's reasoning was left before the lesson",
            )
            .fix(fix);
        }
    }
    for field in document.texts().iter().filter(|field| field.is_body()) {
        let text = &*field.text;
        for reasoning in framing::reasoning(text, &|at| field.markdown().is_code(at)) {
            let range = reasoning.range.clone();
            let finding = sink.in_text(
                field,
                range.clone(),
                "the model's reasoning was left in the text",
            );
            let after = &text[range.end..];
            let before = &text[..range.start];
            let is_everything = before.trim().is_empty() && after.trim().is_empty();
            let is_lesson = text.get(range.clone()).is_some_and(may_be_a_lesson);
            if reasoning.certain && !is_everything && !is_lesson {
                // The white space after it is deleted, too; the lesson keeps what
                // comes before it.
                let end =
                    range.end + (after.len() - after.trim_start_matches(['\n', '\r', ' ']).len());
                let deletion = document.edit(field, range.start..end, "");
                finding.fix(Fix::safe(vec![deletion]));
            }
        }
    }
}

/// Where only a closing tag is left, everything before it counts as reasoning. A
/// lesson that mentions such a tag without back-ticks would lose all the text
/// before it; a heading there shows that it is a lesson.
fn may_be_a_lesson(reasoning: &str) -> bool {
    let begins_with_tag = reasoning.starts_with(['<', '[', '◁']);
    let is_heading = |line: &str| {
        let rest = line.trim_start_matches('#');
        rest.len() < line.len() && rest.starts_with(' ')
    };
    !begins_with_tag && reasoning.lines().any(is_heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_before_a_lonely_closing_tag_makes_a_lesson() {
        for (text, expected) in [
            ("<think>\n# Plan\n</think>", false),
            ("I will write about water.\n</think>", false),
            ("# Models\n\nThe tag </think>", true),
            ("Some words.\n\n## Tags\n\nThe tag </think>", true),
            ("#1 of my plan: write.\n</think>", false),
        ] {
            assert_eq!(may_be_a_lesson(text), expected, "{text}");
        }
    }
}
