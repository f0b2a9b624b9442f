//! How a block ends: in words or in something that needs no full stop, closed or in
//! the middle of a link, bold text or a row of a table.

use std::ops::Range;

use redraft_gate::content::TextField;
use redraft_text::markdown::Block;

use super::Cut;
use super::ending::{is_closing, is_full_stop};

pub(super) fn has_words(text: &str, number: usize) -> bool {
    redraft_text::words::words(text)
        .nth(number.saturating_sub(1))
        .is_some()
}

pub(super) fn ends_as_a_sentence(text: &str) -> bool {
    without_notes(text)
        .trim_end_matches(|c: char| {
            c.is_whitespace() || is_closing(c) || matches!(c, '*' | '_' | '`')
        })
        .chars()
        .next_back()
        .is_some_and(|c| is_full_stop(c) || matches!(c, ':' | ';' | '：' | '；'))
}

/// Without the footnote marks at its end. Where a text was cut, its footnotes
/// are gone and their marks are mere text.
pub(super) fn without_notes(text: &str) -> &str {
    let mut text = text.trim_end();
    while let Some((before, note)) = text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once("[^"))
    {
        if note.contains(char::is_whitespace) {
            break;
        }
        text = before.trim_end();
    }
    text
}

/// A block may end in a link, code, a picture, mathematics, a footnote, an
/// address or emphasis that is closed, which need no full stop.
pub(super) fn ends_in_something_else(field: &TextField, block: &Block) -> bool {
    let analysis = field.markdown();
    let end = block.content.end;
    let text = field.text.get(..end).unwrap_or_default();
    let trimmed = text
        .trim_end_matches(|c: char| is_closing(c) || matches!(c, '*' | '_' | ' '))
        .len();
    let touches = |span: &Range<usize>| span.end >= trimmed && span.start < end;
    let last_link = analysis.links.partition_point(|link| link.span.start < end);
    let last_note = analysis
        .footnotes
        .partition_point(|note| note.span.start < end);
    // `[text][]`: where the text was cut, the link's address may be gone.
    let own = field.text.get(block.content.clone()).unwrap_or_default();
    let is_reference = own
        .trim_end_matches(|c: char| c != ']')
        .rsplit_once('[')
        .is_some_and(|(before, label)| before.ends_with(']') && own.len() - before.len() < 40 && label.len() < 40)
        && text.get(trimmed..).is_some_and(|rest| rest.contains(']'));
    let is_emphasised = text.ends_with(['*', '_']) && !is_prose(field, end - 1);
    // `[Insert a picture]`, `(see the appendix)`: closed as it was opened.
    let whole = field.text.get(block.content.clone()).unwrap_or_default();
    let is_in_brackets = [('[', ']'), ('(', ')')]
        .iter()
        .any(|(open, close)| whole.starts_with(*open) && whole.trim_end().ends_with(*close));
    is_emphasised
        || is_in_brackets
        || is_reference
        || is_address(text)
        || (end > 0 && analysis.is_verbatim(end - 1))
        || (trimmed > 0 && analysis.is_verbatim(trimmed - 1))
        || analysis.links[..last_link]
            .last()
            .is_some_and(|link| touches(&link.span))
        || analysis.footnotes[..last_note]
            .last()
            .is_some_and(|note| touches(&note.span))
        || text.ends_with(['}', '|', '>', '\\', '='])
}

/// Whether the last word is one that no reader would say: a file, a DOI, an
/// address.
fn is_address(text: &str) -> bool {
    let word = text
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default()
        .trim_matches(|c: char| !c.is_alphanumeric());
    if !word.is_ascii() {
        return false;
    }
    let mut marks = word.match_indices(['/', '.', '@', '_', '\\']);
    word.contains("://")
        || marks.next().is_some()
            && (word.contains(|c: char| c.is_ascii_digit()) || marks.next().is_some())
}

/// Whether a byte is shown as it is.
fn is_prose(field: &TextField, at: usize) -> bool {
    let prose = &field.markdown().prose;
    let next = prose.partition_point(|range| range.end <= at);
    prose.get(next).is_some_and(|range| range.start <= at)
}

/// A link, code or a formula at the very end that is opened and never closed.
/// `has_arguments` says whether `**` may mark an argument in this text.
pub(super) fn unclosed_inline(
    field: &TextField,
    block: &Block,
    has_arguments: &dyn Fn() -> bool,
) -> Option<Cut> {
    let start = block.content.start;
    let text = field.text.get(block.content.clone())?;
    let found = |at: usize, what: &str| {
        Some(Cut::certain(
            start + at..block.content.end,
            format!("the text ends inside {what} that is never closed"),
        ))
    };
    if let Some(at) = text.rfind("](") {
        let rest = &text[at..];
        let is_open =
            !rest.contains([')', ' ', '\n', '{']) && !field.markdown().is_verbatim(start + at);
        let opens = text[..at].rfind('[');
        if let Some(opens) = opens.filter(|opens| is_open && is_prose(field, start + opens)) {
            return found(opens, "a link");
        }
    }
    if let Some(at) = open_bold(field, block, has_arguments) {
        return found(at, "bold text");
    }
    if let Some(rest) = text.strip_prefix("$$")
        && !rest.contains("$$")
    {
        return found(0, "a formula");
    }
    None
}

/// The last `**` of a block, if it is shown, begins a word that is no argument
/// (`**kwargs`), and no sentence ends after it.
fn open_bold(
    field: &TextField,
    block: &Block,
    has_arguments: &dyn Fn() -> bool,
) -> Option<usize> {
    let text = field.text.get(block.content.clone())?;
    let at = text.rfind("**")?;
    let after = text.get(at + 2..)?;
    let word: &str = after
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or_default();
    let is_lower = word
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    let is_argument = || is_lower && (word.contains('_') || has_arguments());
    let opens = text[..at]
        .chars()
        .next_back()
        .is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '/' | '*'));
    let ends = after.trim_end().ends_with(|c: char| !c.is_alphanumeric());
    // `** bold **`: spaces keep it from being bold, but it is closed.
    let closes = after.trim().is_empty()
        && text[..at].ends_with(' ')
        && text[..at].contains("**");
    let is_open = !closes && opens && !ends && is_prose(field, block.content.start + at) && !is_argument();
    is_open.then_some(at)
}

/// Whether a text is about a language in which `**` marks an argument.
pub(super) fn names_arguments(text: &str) -> bool {
    ["Python", "python", "kwargs", "Ruby", "ruby", "Julia"]
        .iter()
        .any(|name| text.contains(name))
}

/// Where the last sentence begins in the source: at its first words, else at the
/// block's start.
pub(super) fn place_of(text: &str, block: &Block, sentence: &str) -> usize {
    const HEAD: usize = 24;
    let content = text.get(block.content.clone()).unwrap_or_default();
    let head = sentence
        .char_indices()
        .nth(HEAD)
        .map_or(sentence, |(at, _)| &sentence[..at]);
    // A sentence over several lines is shown where it stops.
    let last_line = content.trim_end().rfind('\n').map_or(0, |at| at + 1);
    block.content.start + content.rfind(head).unwrap_or(0).max(last_line)
}
