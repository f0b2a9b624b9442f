//! Foreign text in output for people. A lesson, a file name, a reply of a model or an
//! error of a server may contain anything; on a terminal it must not move the cursor,
//! forge a line or turn the direction of what follows (ruling 66).
//!
//! | what | becomes |
//! |---|---|
//! | control characters, also C1; characters that turn the direction; line separators | `\u{1b}` |
//! | line breaks and tabs | a space |
//! | a file name that contains any of them, or begins or ends with a space | the same in quotation marks, `"a\nb.md"` |
//!
//! [`words`] and [`path`] are for what is put into a sentence; [`screen`] is for finished
//! output, which has our own line breaks and colours, and is what everything passes last.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Words from outside, on one line.
#[must_use]
pub fn words(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_break(c) || is_dangerous(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            c if is_break(c) => out.push(' '),
            c => push(&mut out, c),
        }
    }
    Cow::Owned(out)
}

/// The name of a file, in quotation marks if it contains anything odd.
#[must_use]
pub fn path(path: &str) -> Cow<'_, str> {
    let is_odd = path.chars().any(|c| is_break(c) || is_dangerous(c))
        || path.is_empty()
        || path.starts_with(' ')
        || path.ends_with(' ');
    if !is_odd {
        return Cow::Borrowed(path);
    }
    let mut out = String::from("\"");
    for c in path.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c => push(&mut out, c),
        }
    }
    out.push('"');
    Cow::Owned(out)
}

/// Finished output for a terminal: line breaks and colours stay, everything else that a
/// terminal would obey is shown escaped.
#[must_use]
pub fn screen(text: &str) -> Cow<'_, str> {
    if !text
        .chars()
        .any(|c| c != '\n' && (c == '\r' || is_dangerous(c)))
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = style_length(rest);
        if length > 0 {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        match c {
            '\n' | '\t' => out.push(c),
            '\r' => out.push_str("\\r"),
            c => push(&mut out, c),
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

/// The length of the colour or weight that a text begins with: `ESC [ 1 ; 31 m`.
fn style_length(text: &str) -> usize {
    let Some(inner) = text.strip_prefix("\u{1b}[") else {
        return 0;
    };
    let digits = inner
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || *byte == b';')
        .count();
    match inner.as_bytes().get(digits) {
        Some(b'm') => digits + 3,
        _ => 0,
    }
}

fn push(out: &mut String, c: char) {
    if is_dangerous(c) {
        let _ = write!(out, "{}", c.escape_unicode());
    } else {
        out.push(c);
    }
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\t')
}

/// Whether a terminal or a reader's eye would obey a character instead of showing it.
fn is_dangerous(c: char) -> bool {
    let is_break = is_break(c);
    (c.is_control() && !is_break) || turns_direction(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Characters that turn the direction of what follows, beyond their own text.
fn turns_direction(c: char) -> bool {
    matches!(
        c,
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' | '\u{61C}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown_instead() {
        for (text, in_words, as_path) in [
            (
                "вода 水 😀 می‌خواهم",
                "вода 水 😀 می‌خواهم",
                "вода 水 😀 می‌خواهم",
            ),
            ("a\nb", "a b", "\"a\\nb\""),
            ("a\r\nb\tc", "a b c", "\"a\\r\\nb\\tc\""),
            ("a\rb", "a\\u{d}b", "\"a\\rb\""),
            ("\u{1b}[31mred", "\\u{1b}[31mred", "\"\\u{1b}[31mred\""),
            ("\u{9b}31m", "\\u{9b}31m", "\"\\u{9b}31m\""),
            ("\u{202e}dm.exe", "\\u{202e}dm.exe", "\"\\u{202e}dm.exe\""),
            ("a\u{2028}b\0", "a\\u{2028}b\\u{0}", "\"a\\u{2028}b\\u{0}\""),
            ("a b", "a b", "a b"),
            (" a", " a", "\" a\""),
            ("", "", "\"\""),
        ] {
            assert_eq!(words(text), in_words, "{text:?}");
            assert_eq!(path(text), as_path, "{text:?}");
        }
    }

    #[test]
    fn finished_output_keeps_its_lines_and_colours_and_nothing_else() {
        for (text, expected) in [
            ("a\n\u{1b}[1;31mb\u{1b}[0m\n", "a\n\u{1b}[1;31mb\u{1b}[0m\n"),
            (
                "\u{1b}[2J\u{1b}]0;title\u{7}",
                "\\u{1b}[2J\\u{1b}]0;title\\u{7}",
            ),
            ("a\rb\u{85}\u{202e}", "a\\rb\\u{85}\\u{202e}"),
            ("\u{1b}[31", "\\u{1b}[31"),
        ] {
            assert_eq!(screen(text), expected, "{text:?}");
        }
    }
}
