//! `refusal`: a model declined to write, and its answer stands where the text
//! should be. `redraft_text::framing` recognises the sentences.
//!
//! | where | severity |
//! |---|---|
//! | the whole of a text, or of the section under a heading | error |
//! | a sentence in other text | warning |
//! | the whole of a text or section sounds like a refusal | warning |
//! | … because of an opening or a closing that `chatbot-framing` reports | none |
//! | quoted, in code, a list item, after “Anna:” | none |
//! | “I'm sorry, but I can't help with that.” as a hint or an option | none |

use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::content::{TextField, TextRole};
use redraft_gate::finding::Severity;
use redraft_text::framing::{self, Refusal, RefusalKind};
use redraft_text::markdown::BlockKind;

use crate::check_list::DEFAULTS;
use crate::shared::prose::{is_inside, is_quoted};

pub(super) static CHECK: Check = Check {
    code: "TXT011",
    name: "refusal",
    severity: Severity::Error,
    phase: Phase::Integrity,
    concern: Concern::Truncation,
    summary: "the model refused to write the text",
    what: "Reports sentences such as “I'm sorry, but I can't help with that.” or “As an AI language model, I cannot …”, in English, Russian, German, Spanish, French, Portuguese and Chinese: as an error where the refusal is all there is of a text or of the section under a heading, as a warning in other text, and where a whole text or section only sounds like a refusal. Quotations, code, lists and dialogues are left alone, so that a lesson may show a refusal.",
    why: "A learner who opens the lesson finds an apology instead of it.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Fireworks\n\nI'm sorry, but I can't create content about this topic.\n",
            passes: "# Chatbots\n\nA chatbot may answer: “I'm sorry, but I can't create content about this topic.”\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "Water boils at 100 °C.", "sections": [{"title": "Steam", "content": "К сожалению, я не могу помочь с этим запросом."}]}"#,
            passes: r#"{"intro": "Water boils at 100 °C.", "sections": [{"title": "Steam", "content": "К сожалению, пар не виден."}]}"#,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination.document.texts() {
        if matches!(field.role, TextRole::Body | TextRole::Short) {
            look(sink, field);
        }
    }
}

fn look(sink: &mut Sink<'_>, field: &TextField) {
    let refusals = framing::refusals(&field.text);
    if refusals.is_empty() {
        sounds_like_refusal(sink, field);
        return;
    }
    let headings = headings(field);
    let mut reported = 0;
    for refusal in refusals {
        if refusal.range.start < reported || is_shown(field, &refusal) {
            continue;
        }
        let section = section(field, &headings, refusal.range.start);
        if is_everything(field, &refusal, &section) {
            reported = section.end;
            let message = "the model refused to write this; write it or generate it again";
            sink.in_text(field, refusal.range, message);
        } else if refusal.kind == RefusalKind::Telling {
            let message = "the model seems to refuse here; delete the sentence or write the text again";
            sink.in_text(field, refusal.range, message)
                .severity(Severity::Warning);
        }
    }
}

/// Reports what no list knows, but sounds like a refusal; a person decides. A short text
/// that is one may be an option of a language test.
fn sounds_like_refusal(sink: &mut Sink<'_>, field: &TextField) {
    if field.role != TextRole::Body {
        return;
    }
    for found in framing::sounds_like_refusal(&field.text) {
        if !is_in_a_frame(field, found.range.start)
            && !field.markdown().is_code(found.range.start)
            && !is_quoted(&field.text, &found.range)
            && !is_mere_framing(field, &found.range)
        {
            let message = "the model seems to have refused to write this, or to ask for something";
            sink.in_text(field, found.range, message)
                .severity(Severity::Warning);
        }
    }
}

/// Whether only an opening or a closing that `chatbot-framing` reports makes `range` sound
/// like a refusal: an offer after good text does, and one sentence is reported once.
fn is_mere_framing(field: &TextField, range: &Range<usize>) -> bool {
    let known = [framing::any_opening(&field.text), framing::any_closing(&field.text)];
    known.iter().flatten().any(|framing| {
        let start = framing.range.start.clamp(range.start, range.end);
        let end = framing.range.end.clamp(start, range.end);
        let rest = [&field.text[range.start..start], &field.text[end..range.end]].concat();
        start < end && framing::sounds_like_refusal(&rest).is_empty()
    })
}

/// Whether the text shows the sentence instead of saying it.
fn is_shown(field: &TextField, refusal: &Refusal) -> bool {
    let at = refusal.range.start;
    is_in_a_frame(field, at)
        || field.markdown().is_code(at)
        || is_quoted(&field.text, &refusal.range)
        || (field.role == TextRole::Short && refusal.kind == RefusalKind::Bare)
}

/// Whether what begins at `at` is quoted, listed or no paragraph.
fn is_in_a_frame(field: &TextField, at: usize) -> bool {
    // The blocks are in the order of their starts, containers first.
    let blocks = &field.markdown().blocks;
    let next = blocks.partition_point(|block| block.span.start <= at);
    let block = blocks
        .get(next.saturating_sub(1))
        .filter(|block| block.kind == BlockKind::Paragraph && block.span.contains(&at));
    block.is_none_or(|block| {
        is_inside(field, block, |kind| {
            matches!(kind, BlockKind::BlockQuote | BlockKind::Item { .. })
        })
    })
}

/// Where the headings of a text are, in order.
fn headings(field: &TextField) -> Vec<Range<usize>> {
    let blocks = field.markdown().blocks.iter();
    blocks
        .filter(|block| matches!(block.kind, BlockKind::Heading { .. }))
        .map(|block| block.span.clone())
        .collect()
}

/// The text between two headings that holds `at`.
fn section(field: &TextField, headings: &[Range<usize>], at: usize) -> Range<usize> {
    let next = headings.partition_point(|heading| heading.end <= at);
    let before = next.checked_sub(1).and_then(|before| headings.get(before));
    let start = before.map_or(0, |heading| heading.end);
    let end = headings.get(next).map_or(field.text.len(), |next| next.start);
    start..end.max(at)
}

/// Whether a section begins with the refusal, or has little else.
fn is_everything(field: &TextField, refusal: &Refusal, section: &Range<usize>) -> bool {
    /// An apology with its reasons and its offers.
    const LONGEST: usize = 1200;
    /// "I understand that you want a lesson on this. However, I cannot …"
    const LITTLE: usize = 160;
    if section.len() > LONGEST {
        return false;
    }
    let text = field.text[section.clone()].trim();
    if text.len() <= refusal.range.len() + LITTLE {
        return true;
    }
    let before = field.text[section.start..refusal.range.start].trim();
    let rest = &field.text[refusal.range.start..section.end];
    let paragraph = rest.split("\n\n").next().unwrap_or(rest);
    let after = rest[paragraph.len()..].trim();
    before.is_empty()
        && (after.is_empty() || framing::is_chat(after) || after.len() * 3 <= paragraph.len())
}
