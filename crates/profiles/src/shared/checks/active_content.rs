//! `active-content`: HTML that does something in a learner's browser, or hides
//! something from the learner.
//!
//! Outside code, a tag is read as a browser would (`tags`) and weighed (`dangers`);
//! links of Markdown are weighed like those of HTML. A tag that is shown rather than
//! used, in backticks, a code block or with `&lt;`, is no tag.

mod dangers;


use std::ops::Range;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::content::{TextField, TextRole};
use redraft_gate::finding::Severity;
use redraft_text::html_tags as tags;
use redraft_text::markdown::BlockKind;

use crate::fields::outside_texts;
use dangers::Danger;

pub(super) static CHECK: Check = Check {
    code: "TXT016",
    name: "active-content",
    severity: Severity::Error,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "HTML that runs code, loads foreign pages or hides text",
    what: "Reports HTML outside code that acts in a learner's browser: scripts, event handlers such as `onerror`, links that begin with `javascript:`, `vbscript:` or `data:text/html` (including with entities, spaces or capitals in them), `<object>`, `<embed>`, forms that submit data, `<meta http-equiv=\"refresh\">`, `<base>`, styles with `expression()` or `@import`. These are errors. Frames other than those of known video hosts, and blocks that are hidden from the reader (`hidden`, `display:none`, `font-size:0`, white on white), are warnings. Code blocks, code in backticks, escaped tags (`&lt;script>`), comments and `<details>` are left alone.",
    why: "Generated lessons are shown in web pages: whatever runs there runs with the learner's rights, and text that a learner does not see may still influence a model.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\nWater boils at a hundred degrees. <img src=\"x\" onerror=\"alert(1)\">\n",
            passes: "# Water\n\nWater boils at a hundred degrees. In HTML, `<img onerror=\"…\">` runs code.\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "Read [more](javascript:alert(1)).", "sections": [{"title": "Heat", "content": "Heat moves from warm to cold."}]}"#,
            passes: r#"{"intro": "Read [more](https://example.org/).", "sections": [{"title": "Heat", "content": "Heat moves from warm to cold."}]}"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter {
        name: "video-hosts",
        what: "hosts whose frames are allowed, with their subdomains",
    }],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let hosts = examination.texts("video-hosts");
    let document = examination.document;
    for field in document
        .texts()
        .iter()
        .filter(|field| field.role != TextRole::Code)
    {
        for (range, danger) in in_field(field, hosts) {
            sink.in_text(field, range, danger.message)
                .severity(danger.severity);
        }
    }
    // What is no text of the document may still be shown by the page around it.
    let source = document.source().text();
    if memchr::memchr(b'<', source.as_bytes()).is_none() {
        return;
    }
    for gap in outside_texts(document, &(0..source.len())) {
        let text = source.get(gap.clone()).unwrap_or_default();
        for (range, danger) in in_html(text, hosts, |_| None) {
            if danger.severity == Severity::Error {
                let range = gap.start + range.start..gap.start + range.end;
                sink.in_source(range, danger.message)
                    .severity(danger.severity);
            }
        }
    }
}

fn in_field(field: &TextField, hosts: &[String]) -> Vec<(Range<usize>, Danger)> {
    let text: &str = &field.text;
    let has_markup = memchr::memchr3(b'<', b'[', b'&', text.as_bytes()).is_some();
    if !has_markup {
        return Vec::new();
    }
    let markdown = field.markdown();
    let after_code = |at: usize| {
        let within = |ranges: &[Range<usize>]| {
            let next = ranges.partition_point(|range| range.end <= at);
            ranges
                .get(next)
                .filter(|range| range.start <= at)
                .map(|range| range.end)
        };
        within(&markdown.code)
            .or_else(|| within(&markdown.comments))
            .or_else(|| is_escaped(text, at).then_some(at + 1))
    };
    let mut found = in_html(text, hosts, after_code);
    for link in markdown
        .links
        .iter()
        .filter(|link| dangers::runs_code(&link.destination))
    {
        found.push((link.span.clone(), code_link()));
    }
    for block in &markdown.blocks {
        if let BlockKind::LinkDefinition { destination, .. } = &block.kind
            && dangers::runs_code(destination)
        {
            found.push((block.span.clone(), code_link()));
        }
    }
    found
}

fn code_link() -> Danger {
    Danger {
        severity: Severity::Error,
        message: "this link runs code in the learner's browser; link to a page instead".to_owned(),
    }
}

/// Whether a backslash before it makes a bracket a mere character.
fn is_escaped(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before
        .iter()
        .rev()
        .take_while(|byte| **byte == b'\\')
        .count()
        % 2
        == 1
}

/// The dangers of the tags in a text. `skip` gives the end of what is no HTML.
fn in_html(
    text: &str,
    hosts: &[String],
    skip: impl Fn(usize) -> Option<usize>,
) -> Vec<(Range<usize>, Danger)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'<', text.as_bytes().get(at..).unwrap_or_default()) {
        let start = at + next;
        if let Some(end) = skip(start) {
            at = end.max(start + 1);
            continue;
        }
        let Some(tag) = tags::tag_at(text, start) else {
            at = start + 1;
            continue;
        };
        at = tag.range.end.max(start + 1);
        if let Some(danger) = dangers::of_tag(&tag, hosts) {
            found.push((tag.range.clone(), danger));
        }
        if tag.name == "style" {
            let sheet_end = text[at..].find("</").map_or(text.len(), |end| at + end);
            if let Some(danger) = dangers::of_style(&text[at..sheet_end]) {
                found.push((start..sheet_end, danger));
            }
            at = sheet_end;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_hostile_text_is_read_promptly() {
        for unit in [
            "<a ",
            "<a x=\"",
            "<a x='",
            "<",
            "<style>",
            "<style>/*",
            "&#",
            "<a &#106;=",
            "<a b=c/",
        ] {
            let text = unit.repeat(60_000 / unit.len());
            let _ = in_html(&text, &[], |_| None);
        }
    }
}
