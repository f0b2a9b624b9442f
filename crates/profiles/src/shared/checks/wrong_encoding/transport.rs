//! What a text loses or gains on its way: an encoding for mail that nobody took off, spaces
//! that a program dropped.

use std::ops::Range;

use redraft_gate::content::{Document, TextField};
use redraft_text::markdown::BlockKind;

/// Where a text is still encoded for mail (“quoted-printable”), outside code: letters as
/// `=C3=A9`, or lines of full length that end in `=`.
pub(super) fn quoted_printable(document: &Document) -> Option<(&TextField, Range<usize>)> {
    const FEWEST_LETTERS: usize = 3;
    const FEWEST_BREAKS: usize = 2;
    let (mut letters, mut breaks) = (0, 0);
    let mut first = None;
    for field in document.texts().iter().filter(|field| field.is_body()) {
        let text = &*field.text;
        for (at, _) in text.match_indices('=') {
            let is_letter = encoded_letter(&text[at..]);
            let is_break = !is_letter && breaks_a_full_line(text, at);
            if (is_letter || is_break) && !field.markdown().is_verbatim(at) {
                letters += usize::from(is_letter);
                breaks += usize::from(is_break);
                first.get_or_insert((field, at..at + 1));
            }
        }
    }
    first.filter(|_| letters >= FEWEST_LETTERS || breaks >= FEWEST_BREAKS)
}

/// Whether `=C3=A9` begins a text: two bytes that begin a letter beyond ASCII.
fn encoded_letter(text: &str) -> bool {
    let byte = |at: usize| {
        let digits = text.get(at..at + 3)?.strip_prefix('=')?;
        let is_hex = digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
        is_hex.then(|| u8::from_str_radix(digits, 16).ok()).flatten()
    };
    matches!(byte(0), Some(0xc2..=0xf4)) && matches!(byte(3), Some(0x80..=0xbf))
}

/// Whether a `=` ends a line that is as long as mail allows, and the text goes on below.
fn breaks_a_full_line(text: &str, at: usize) -> bool {
    const LENGTH: Range<usize> = 72..77;
    let after = &text[at + 1..];
    let next = after.strip_prefix('\n').or_else(|| after.strip_prefix("\r\n"));
    let line = text[..=at].rsplit('\n').next().unwrap_or_default();
    LENGTH.contains(&line.len()) && next.is_some_and(|next| !next.starts_with(['\n', '\r']) && !next.is_empty())
}

/// The first paragraph of a text whose words stand without spaces between them. Scripts that
/// need no spaces are not counted.
pub(super) fn lost_spaces(document: &Document) -> Option<(&TextField, Range<usize>)> {
    const FEWEST_LETTERS: usize = 200;
    const LETTERS_A_SPACE: usize = 30;
    const SHOWN: usize = 40;
    let (mut letters, mut spaces) = (0, 0);
    let mut first = None;
    for field in document.texts().iter().filter(|field| field.is_body()) {
        for block in &field.markdown().blocks {
            let text = field.text.get(block.content.clone()).unwrap_or_default();
            if block.kind != BlockKind::Paragraph || text.contains(['`', '<', '_', '/', '$', '\\', '|', '=']) {
                continue;
            }
            letters += text.chars().filter(|c| is_of_a_spaced_script(*c)).count();
            spaces += text.chars().filter(|c| c.is_whitespace()).count();
            let end = block.content.start + text.ceil_char_boundary(SHOWN.min(text.len()));
            first.get_or_insert((field, block.content.start..end));
        }
    }
    first.filter(|_| letters >= FEWEST_LETTERS && letters > LETTERS_A_SPACE * spaces)
}

/// Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic.
fn is_of_a_spaced_script(c: char) -> bool {
    c.is_alphabetic() && c < '\u{700}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_lines_of_mail_are_told_from_formulas() {
        for (text, expected) in [("=C3=A9", true), ("=E6=BD=AE", true), ("=3D20", false), ("=C3", false), ("= C3", false)] {
            assert_eq!(encoded_letter(text), expected, "{text}");
        }
        let line = "x".repeat(75);
        assert!(breaks_a_full_line(&format!("{line}=\ny"), 75));
        assert!(!breaks_a_full_line(&format!("{line}=\n\ny"), 75));
        assert!(!breaks_a_full_line("a =\ny", 2));
    }
}
