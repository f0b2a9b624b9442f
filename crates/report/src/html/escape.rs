//! Foreign text in HTML: shown, never obeyed. Besides markup these are characters that a
//! page cannot hold (controls) and those that turn the direction of what follows; they are
//! shown by their code. Marks of direction within a line (U+200E, U+200F, U+061C) stay:
//! right-to-left texts need them, and they turn nothing but themselves.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text as content of an element or value of a quoted attribute.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_markup(c) || is_hidden(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    push(&mut out, text);
    Cow::Owned(out)
}

/// A sentence of ours or of a judge: what stands between backticks becomes code.
pub(super) fn with_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(text).into_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (index, part) in parts.iter().enumerate() {
        let is_code = index % 2 == 1;
        out.push_str(if is_code { "<code>" } else { "" });
        push(&mut out, part);
        out.push_str(if is_code { "</code>" } else { "" });
    }
    out
}

/// Appends text, escaped.
pub(super) fn push(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_hidden(c) => {
                let _ = write!(out, "⟦U+{:04X}⟧", u32::from(c));
            }
            c => out.push(c),
        }
    }
}

fn is_markup(c: char) -> bool {
    matches!(c, '&' | '<' | '>' | '"' | '\'')
}

/// Characters that would do something instead of being seen.
pub(super) fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
        || matches!(
            c,
            '\u{202A}'..='\u{202E}'
                | '\u{2066}'..='\u{2069}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{FFFE}'
                | '\u{FFFF}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_a_sentence_is_code_and_still_escaped() {
        assert_eq!(with_code("the `<b>` tag"), "the <code>&lt;b&gt;</code> tag");
        assert_eq!(with_code("one ` alone <"), "one ` alone &lt;");
    }

    #[test]
    fn nothing_of_a_text_is_markup_or_turns_the_page() {
        for (text, expected) in [
            ("вода 水 שלום می‌خواهم", "вода 水 שלום می‌خواهم"),
            (
                "</style><script>'\"&amp;",
                "&lt;/style&gt;&lt;script&gt;&#39;&quot;&amp;amp;",
            ),
            ("a\u{202e}b\u{0}", "a⟦U+202E⟧b⟦U+0000⟧"),
            ("a\nb\tc", "a\nb\tc"),
        ] {
            assert_eq!(escape(text), expected, "{text:?}");
        }
    }
}
