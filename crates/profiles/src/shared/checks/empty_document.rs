//! `empty-document`: nothing for a learner to read.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::content::{TextField, TextRole};
use redraft_gate::finding::Severity;
use redraft_gate::reading::{FormKind, Trouble};
use redraft_text::framing;
use redraft_text::markdown::BlockKind;

use crate::check_list::DEFAULTS;
use crate::shared::prose;

pub(super) static CHECK: Check = Check {
    code: "TXT012",
    name: "empty-document",
    severity: Severity::Error,
    critical: true,
    phase: Phase::Integrity,
    concern: Concern::Truncation,
    summary: "the document has no content",
    what: "Reports a document in which there is nothing to read: an empty file, a lesson of headings alone, a JSON lesson without sections, cards or items without any text, a body of `...` and nothing else, a word or two without a heading (`None`), sentences in which the model asks what to write. Also reports a file that should be read as an item or as cards but has none. A document with only some empty sections is reported by `empty-section`.",
    why: "The model or the pipeline failed, and a program that only looks for errors would publish the empty page.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\n## Heat\n\n...\n",
            passes: "# Water\n\nWater boils at 100 °C.\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"title": "Water", "sections": []}"#,
            passes: r#"{"title": "Water", "sections": [{"title": "Heat", "content": "Heat makes water boil."}]}"#,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let text = document.source().text();
    for recovered in document.recovered() {
        if let Trouble::Nothing { expected } = &recovered.what {
            sink.in_source(
                recovered.range.clone(),
                format!("the document does not contain {expected}"),
            );
            return;
        }
    }
    // What was cut off or is no JSON at all is reported as that.
    let is_unread = document.is_cut_off() || document.form() == FormKind::NoJson;
    if is_unread && !text.trim().is_empty() {
        return;
    }
    let is_talk = is_talk(document.texts());
    let is_bare = document.form() == FormKind::Markdown && is_a_word_or_two(document.texts());
    if !is_talk && !is_bare && document.texts().iter().any(shows_something) {
        return;
    }
    let first = text.len() - text.trim_start().len();
    let line = text[first..].find(['\n', '\r']).map_or(text.len(), |end| first + end);
    let message = match document.form() {
        _ if text.trim().is_empty() => "the file is empty",
        _ if is_bare => "the document is a word or two, and no lesson",
        _ if is_talk => "the model talks about its answer, and there is none",
        FormKind::Markdown => "the document has no text beside its headings",
        _ => "the document has no text beside its titles",
    };
    sink.in_source(first.min(line)..line, message);
}

/// Whether there is nothing but talk about an answer beside the titles: "Could you tell
/// me more about the lesson you want?"
fn is_talk(texts: &[TextField]) -> bool {
    let mut texts = texts.iter().filter(|field| field.role != TextRole::Title).peekable();
    texts.peek().is_some()
        && texts.all(|field| {
            let mut shown = field
                .markdown()
                .blocks
                .iter()
                .filter(|block| {
                    !matches!(block.kind, BlockKind::Heading { .. }) && !block.kind.is_container()
                })
                .peekable();
            field.is_body()
                && shown.peek().is_some()
                && shown.all(|block| {
                    let content = field.text.get(block.content.clone()).unwrap_or_default();
                    block.kind == BlockKind::Paragraph && framing::is_framing(content)
                })
        })
}

/// Whether a text is what programs write for nothing: `None`, `OK`, `[object Object]`.
fn is_a_word_or_two(texts: &[TextField]) -> bool {
    const MOST: usize = 2;
    texts.iter().all(|field| {
        let blocks = &field.markdown().blocks;
        let is_plain = blocks
            .iter()
            .all(|block| matches!(block.kind, BlockKind::Paragraph));
        is_plain && field.text.split_whitespace().count() <= MOST && !field.text.contains("](")
    })
}

/// Whether a text says or shows anything: a letter or digit outside headings, code, a
/// picture. Dots and dashes are no content.
fn shows_something(field: &TextField) -> bool {
    match field.role {
        TextRole::Title => return false,
        TextRole::Code => return !field.text.trim().is_empty(),
        _ => {}
    }
    if !field.is_body() {
        return field.text.contains(char::is_alphanumeric);
    }
    field.markdown().blocks.iter().any(|block| {
        let is_heading = matches!(block.kind, BlockKind::Heading { .. });
        let content = field.text.get(block.content.clone()).unwrap_or_default();
        !is_heading
            && !block.kind.is_container()
            && prose::shows_something(block)
            && content.contains(char::is_alphanumeric)
    })
}
