//! `empty-section`: a heading, a field or a whole document with nothing in it.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::content::{ComponentKind, TextField, TextRole};
use redraft_gate::finding::Severity;
use redraft_text::markdown::{self, Block, Markdown};

use crate::check_list::DEFAULTS;
use crate::shared::prose::shows_something;

pub(super) static CHECK: Check = Check {
    code: "TXT002",
    name: "empty-section",
    severity: Severity::Error,
    phase: Phase::Integrity,
    concern: Concern::Truncation,
    summary: "a heading or a field with nothing under it",
    what: "Reports a heading directly followed by another of the same or a higher level, a section, card or example whose text is empty, and an empty document. Comments do not count as content; pictures, code and tables do. A heading with nothing under it at the very end of a lesson is reported by `truncated-content`.",
    why: "An empty section shows where the generator failed or the author forgot to write.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\n## Heat\n\n## Steam\n\nSteam is water in the air.\n",
            passes: "# Water\n\n## Heat\n\n### Kettles\n\nA kettle heats water.\n\n## Steam\n\nSteam is water in the air.\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "Water boils.", "sections": [{"title": "Heat", "content": ""}]}"#,
            passes: r#"{"intro": "Water boils.", "sections": [{"title": "Heat", "content": "Heat makes water boil."}]}"#,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    // A document without any text is reported by `empty-document`.
    let is_blank = |field: &TextField| field.text.trim().is_empty();
    if document.texts().iter().all(is_blank) {
        return;
    }
    for field in document.texts().iter().filter(|field| field.is_body()) {
        headings(sink, field);
    }
    if document.shape() != "markdown" {
        fields(examination, sink);
    }
}

fn headings(sink: &mut Sink<'_>, field: &TextField) {
    let analysis = field.markdown();
    let outline = markdown::outline(analysis, &field.text);
    for (number, entry) in outline.iter().enumerate() {
        // Some lessons have their title and their sections on the same level.
        let is_title = number == 0 && entry.level == 1 && outline.len() > 1;
        if is_title {
            continue;
        }
        let has_headings_below = entry.extent.end > entry.body.end;
        let ends_the_lesson = field.is_last && entry.extent.end == field.text.len();
        if has_headings_below || ends_the_lesson {
            continue;
        }
        if shows_more_than_words(analysis, &analysis.blocks[entry.block]) {
            continue;
        }
        let is_shown = analysis
            .blocks
            .iter()
            .skip(entry.block + 1)
            .take_while(|block| block.span.start < entry.body.end)
            .any(shows_something);
        if !is_shown {
            let heading = analysis.blocks[entry.block].span.clone();
            let title = entry.title.trim();
            let message = if title.is_empty() {
                "nothing under this heading".to_owned()
            } else {
                format!("nothing under the heading “{title}”")
            };
            sink.in_text(field, heading, message);
        }
    }
}

/// Whether a heading is a link or a signature in code: a link leads to the content,
/// and a signature shares the text under the next heading.
fn shows_more_than_words(analysis: &Markdown, heading: &Block) -> bool {
    let next = analysis
        .links
        .partition_point(|link| link.span.start < heading.content.start);
    let is_link = analysis
        .links
        .get(next)
        .is_some_and(|link| link.span.start < heading.content.end);
    let is_code = analysis.is_code(heading.content.start)
        && heading.content.end > heading.content.start
        && analysis.is_code(heading.content.end - 1);
    is_link || is_code
}

/// Components of a JSON document without any words of their own.
fn fields(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let components = document.components();
    let mut has_words = vec![false; components.len()];
    for field in document.texts() {
        let counts = field.role != TextRole::Title && !field.text.trim().is_empty();
        has_words[field.component] |= counts;
    }
    let has = |kind: ComponentKind| components.iter().any(|component| component.kind == kind);
    let is_lesson = has(ComponentKind::Introduction) || has(ComponentKind::Conclusion);
    let has_body = [
        ComponentKind::Section,
        ComponentKind::Example,
        ComponentKind::Exercise,
        ComponentKind::Card,
        ComponentKind::Item,
    ]
    .into_iter()
    .any(has);
    if is_lesson && !has_body && components.len() > 2 {
        let first = components.iter().find(|component| component.kind == ComponentKind::Introduction);
        let range = first.map_or(0..0, |first| first.range.clone());
        sink.in_source(range, "the lesson has an introduction and an end, and no section between");
    }
    let mut titles = document.texts().iter();
    if let Some(title) = titles.find(|field| {
        field.component == 0 && field.role == TextRole::Title && field.text.trim().is_empty()
    }) {
        sink.in_text(title, 0..0, "the title is empty");
    }
    for (component, has_words) in components.iter().zip(has_words) {
        let what = match component.kind {
            ComponentKind::Introduction => "the introduction",
            ComponentKind::Section => "this section",
            ComponentKind::Conclusion => "the conclusion",
            ComponentKind::Example => "this example",
            ComponentKind::Exercise => "this exercise",
            ComponentKind::Card => "this card",
            _ => continue,
        };
        if !has_words {
            let title = component
                .title
                .as_deref()
                .filter(|title| !title.trim().is_empty())
                .map(|title| format!(" (“{title}”)"))
                .unwrap_or_default();
            sink.in_source(
                component.range.clone(),
                format!("{what}{title} has no text"),
            );
        }
    }
}
