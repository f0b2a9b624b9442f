//! `unclosed-fence`: a code block that is never closed.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::content::TextField;
use redraft_gate::finding::Severity;
use redraft_text::markdown::{Block, BlockKind, Fence};

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT007",
    name: "unclosed-fence",
    severity: Severity::Error,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "a code block is never closed, so that the text after it is shown as code",
    what: "Reports a code fence (``` or ~~~) that is opened and never closed, so that everything after it is shown as code. A lesson that stops inside its last code block is reported by `truncated-content`. There is no fix, because only the author knows where the code ends.",
    why: "The learner sees the rest of the lesson, headings included, as one block of code.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Loops\n\n```python\nfor i in range(3):\n    print(i)\n\n## Summary\n\nA loop repeats.\n\n```text\n0 1 2\n",
        passes: "# Loops\n\n```python\nfor i in range(3):\n    print(i)\n```\n\n## Summary\n\nA loop repeats.\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination
        .document
        .texts()
        .iter()
        .filter(|field| field.is_body())
    {
        for block in &field.markdown().blocks {
            let BlockKind::CodeBlock { fence: Some(fence) } = &block.kind else {
                continue;
            };
            let is_open = fence.closing.is_none() && !is_cut(field, block, fence);
            if is_open || is_turned(field, fence) {
                sink.in_text(
                    field,
                    fence.opening.clone(),
                    "this code block is never closed, so the text after it is shown as code; add the closing fence",
                );
            }
        }
    }
}

/// Whether a block without a language holds the opening fence of another and a heading: its
/// own opening closes something else, and from there on text is code and code is text.
fn is_turned(field: &TextField, fence: &Fence) -> bool {
    let opening = field.text[fence.opening.clone()].trim();
    let is_bare = opening.trim_start_matches(fence.marker).trim().is_empty();
    let code = &field.text[fence.body.clone()];
    let marker: String = std::iter::repeat_n(fence.marker, opening.len()).collect();
    let mut fences = code.lines().filter(|line| {
        line.strip_prefix(&marker)
            .is_some_and(|info| info.starts_with(|c: char| c.is_ascii_alphabetic()))
    });
    let has_heading = || code.lines().any(|line| line.starts_with("## "));
    is_bare && fence.closing.is_some() && fences.next().is_some() && has_heading()
}

/// Whether the text was cut inside an unclosed block: the block is the last one and
/// contains nothing that looks like the rest of a lesson.
pub(super) fn is_cut(field: &TextField, block: &Block, fence: &Fence) -> bool {
    let ends_the_text = field.text[block.span.end..].trim().is_empty();
    fence.closing.is_none() && ends_the_text && !swallows(&field.text[fence.body.clone()], fence)
}

/// Whether code contains another fence with a language, or a heading between
/// blank lines that is not a comment.
fn swallows(code: &str, fence: &Fence) -> bool {
    let marker: String = std::iter::repeat_n(fence.marker, 3).collect();
    let mut before_is_blank = false;
    let mut lines = code.lines().peekable();
    while let Some(line) = lines.next() {
        let opens_another =
            line.starts_with(&marker) && !line.trim_start_matches(fence.marker).trim().is_empty();
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = (2..=6).contains(&level)
            && line[level..].starts_with(' ')
            && before_is_blank
            && lines.peek().is_none_or(|next| next.trim().is_empty());
        if opens_another || is_heading {
            return true;
        }
        before_is_blank = line.trim().is_empty();
    }
    false
}
