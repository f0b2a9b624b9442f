//! `chatbot-framing`: a sentence about the answer, left by the model that wrote
//! it. `redraft_text::framing` recognises such sentences.

mod cues;

use std::fmt::Write as _;
use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::{TextField, TextRole};
use redraft_gate::finding::{Fix, Severity};
use redraft_gate::reading::{FormKind, OutsideKind};
use redraft_text::left_out::is_continued;
use redraft_text::framing::{self, Certainty, Following, Framing};
use redraft_text::markdown::BlockKind;

use crate::shared::prose::is_quoted;

pub(super) static CHECK: Check = Check {
    code: "TXT004",
    name: "chatbot-framing",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "a sentence in which the model talks about its answer",
    what: "Reports sentences such as “Sure! Here is the lesson:” or “I hope this helps!” at the start or the end of a text, in English, Russian, German, Spanish, French, Portuguese and Chinese. Only a sentence about the answer itself counts; “Of course, water boils at 100 °C.” and “Here is an example:” belong to the lesson and are left alone. `--fix` deletes the sentence with the blank line that came with it if it can only be about the answer. A sentence that a teacher might write, too (“Feel free to ask if you have questions.”, “Here is the question:”), is reported and kept, and so is one that merely sounds like chat; the message then names the words that tell.",
    why: "Learners see at once that the text was not read before it was published.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "Sure! Here is the lesson:\n\n# Water\n\nWater boils at 100 °C.\n",
            passes: "# Water\n\nOf course, water boils at 100 °C. Here is an example:\n\n- a kettle\n",
            fixed: Some("# Water\n\nWater boils at 100 °C.\n"),
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "Water boils at 100 °C.\n\nI hope this helps! Let me know if you need any changes.", "sections": []}"#,
            passes: r#"{"intro": "Water boils at 100 °C.", "sections": []}"#,
            fixed: Some(r#"{"intro": "Water boils at 100 °C.", "sections": []}"#),
        },
    ],
    parameters: &[],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for outside in document.outside() {
        if outside.kind == OutsideKind::Chat {
            let deletion = vec![document.edit_source(outside.removal.clone(), "")];
            let finding = sink.in_source(outside.range.clone(), "the model talks about its answer");
            finding.fix(if outside.certain {
                Fix::safe(deletion)
            } else {
                Fix::proposed(deletion)
            });
            // With words around it the file is not JSON.
            if document.form() != FormKind::Markdown {
                finding.severity(Severity::Error);
            }
        }
    }
    for field in document.texts() {
        match field.role {
            TextRole::Body => in_body(examination, sink, field),
            TextRole::Short => in_short_text(examination, sink, field),
            TextRole::Title | TextRole::Code => {}
        }
    }
}

fn in_body(examination: &Examination<'_>, sink: &mut Sink<'_>, field: &TextField) {
    self_references(sink, field);
    let opening = framing::any_opening(&field.text);
    let closing = framing::any_closing(&field.text).filter(|closing| {
        opening
            .as_ref()
            .is_none_or(|opening| opening.range.end <= closing.range.start)
    });
    match &opening {
        Some(framing) => report(examination, sink, field, framing, with_separator_after),
        None => {
            let range = cues::before(field).map(|range| (range, Vec::new()));
            if let Some((range, telling)) = range.or_else(|| sounds_like_opening(field)) {
                suspect(examination, sink, field, range, with_separator_after, &telling);
            }
        }
    }
    match &closing {
        Some(framing) => report(examination, sink, field, framing, with_separator_before),
        None => {
            let range = cues::after(field).filter(|_| field.is_last);
            let range = range.map(|range| (range, Vec::new()));
            if let Some((range, telling)) = range.or_else(|| sounds_like_closing(field))
                && opening
                    .as_ref()
                    .is_none_or(|opening| opening.range.end <= range.start)
            {
                suspect(examination, sink, field, range, with_separator_before, &telling);
            }
        }
    }
}

/// What no list knows, but sounds like chat at the start of a text, and by which words.
fn sounds_like_opening(field: &TextField) -> Option<(Range<usize>, Vec<String>)> {
    let following = if cues::is_before_a_heading(field) {
        Following::Content
    } else {
        Following::Anything
    };
    let found = framing::sounds_like_opening(&field.text, following)?;
    is_said(field, &found.range).then_some((found.range, found.telling))
}

/// The same at the end of a text.
fn sounds_like_closing(field: &TextField) -> Option<(Range<usize>, Vec<String>)> {
    let found = framing::sounds_like_closing(&field.text)?;
    is_said(field, &found.range).then_some((found.range, found.telling))
}

/// Whether a text says something itself, in a paragraph: what is quoted, listed or shown
/// as code it does not say.
fn is_said(field: &TextField, range: &Range<usize>) -> bool {
    let blocks = &field.markdown().blocks;
    let next = blocks.partition_point(|block| block.span.start <= range.start);
    let block = next.checked_sub(1).and_then(|at| blocks.get(at));
    block.is_some_and(|block| block.kind == BlockKind::Paragraph && block.parent.is_none())
        && !field.markdown().is_verbatim(range.start)
}

/// A short text that is framing and nothing else may be an option of a language
/// test.
fn in_short_text(examination: &Examination<'_>, sink: &mut Sink<'_>, field: &TextField) {
    if !framing::may_be_sentences(&field.text) {
        return;
    }
    let opening = framing::any_opening(&field.text);
    if let Some(framing) = opening.filter(|framing| !is_everything(field, framing)) {
        report(examination, sink, field, &framing, with_separator_after);
        return;
    }
    let closing = framing::any_closing(&field.text);
    if let Some(framing) = closing.filter(|framing| !is_everything(field, framing)) {
        report(examination, sink, field, &framing, with_separator_before);
    }
}

fn self_references(sink: &mut Sink<'_>, field: &TextField) {
    let found = framing::self_reference(&field.text);
    if found.is_empty() {
        return;
    }
    // `refusal` reports those that refuse.
    let refusals = framing::refusals(&field.text);
    for framing in found {
        let refuses = refusals
            .iter()
            .any(|refusal| refusal.range.start == framing.range.start);
        if !refuses
            && !field.markdown().is_code(framing.range.start)
            && !is_quoted(&field.text, &framing.range)
        {
            sink.in_text(field, framing.range, "the model talks about itself");
        }
    }
}

/// Framing and nothing else: deleting it would leave an empty text.
fn is_everything(field: &TextField, framing: &Framing) -> bool {
    field.text[..framing.range.start].trim().is_empty()
        && field.text[framing.range.end..].trim().is_empty()
}

fn report(
    examination: &Examination<'_>,
    sink: &mut Sink<'_>,
    field: &TextField,
    framing: &Framing,
    with_separator: fn(&str, &Range<usize>) -> Range<usize>,
) {
    if framing.certainty == Certainty::Likely {
        let range = framing.range.clone();
        suspect(examination, sink, field, range, with_separator, &[]);
        return;
    }
    let finding = sink.in_text(
        field,
        framing.range.clone(),
        format!("the model talks about its answer ({})", framing.what),
    );
    if !is_everything(field, framing) {
        let removal = with_separator(&field.text, &framing.range);
        let deletion = vec![examination.document.edit(field, removal, "")];
        // An offer to continue is evidence that the rest is missing.
        let is_evidence = is_continued(&field.text[framing.range.clone()]);
        finding.fix(if is_evidence {
            Fix::proposed(deletion)
        } else {
            Fix::safe(deletion)
        });
    }
}

/// Reports what only seems to be chat, and by which words; a person decides.
fn suspect(
    examination: &Examination<'_>,
    sink: &mut Sink<'_>,
    field: &TextField,
    range: Range<usize>,
    with_separator: fn(&str, &Range<usize>) -> Range<usize>,
    telling: &[String],
) {
    let mut message = String::from("this seems to be about the answer, not about the topic");
    for (at, words) in telling.iter().enumerate() {
        let _ = write!(message, "{}“{words}”", if at == 0 { " (" } else { ", " });
    }
    if !telling.is_empty() {
        message.push(')');
    }
    let removal = with_separator(&field.text, &range);
    let deletion = examination.document.edit(field, removal, "");
    sink.in_text(field, range, message)
        .fix(Fix::proposed(vec![deletion]));
}

/// A sentence before the lesson came with at most one blank line after it.
fn with_separator_after(text: &str, range: &Range<usize>) -> Range<usize> {
    let mut end = range.end;
    let rest = text[end..].trim_start_matches([' ', '\t']);
    end = text.len() - rest.len();
    for _ in 0..2 {
        end += line_break(&text[end..]);
    }
    range.start..end
}

/// A sentence after the lesson came with at most one blank line before it; the
/// white space at the end of the file stays.
fn with_separator_before(text: &str, range: &Range<usize>) -> Range<usize> {
    let mut start = text[..range.start].trim_end_matches([' ', '\t']).len();
    for _ in 0..2 {
        let before = &text[..start];
        let shorter = before
            .strip_suffix("\r\n")
            .or_else(|| before.strip_suffix('\n'));
        start = shorter.unwrap_or(before).len();
    }
    start..range.end
}

fn line_break(text: &str) -> usize {
    if text.starts_with("\r\n") {
        2
    } else {
        usize::from(text.starts_with('\n'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deleting_a_sentence_before_a_lesson_is_the_inverse_of_adding_it() {
        for lesson in ["# T\n\nText.\n", "\n# T\n", "Text."] {
            for separator in ["\n\n", "\n", " \n\n"] {
                let sentence = "Sure! Here is the lesson:";
                let text = format!("{sentence}{separator}{lesson}");
                let range = with_separator_after(&text, &(0..sentence.len()));
                let left = format!("{}{}", &text[..range.start], &text[range.end..]);
                if separator.ends_with("\n\n") || !lesson.starts_with('\n') {
                    assert_eq!(left, lesson, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn deleting_a_sentence_after_a_lesson_is_the_inverse_of_adding_it() {
        let sentence = "I hope this helps!";
        for lesson in ["Text.\n", "Text.", "Text.\r\n"] {
            let text = format!("{lesson}\n\n{sentence}");
            let start = text.len() - sentence.len();
            let range = with_separator_before(&text, &(start..text.len()));
            assert_eq!(&text[..range.start], lesson);
        }
    }
}
