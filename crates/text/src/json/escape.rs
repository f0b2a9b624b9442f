//! Writing text back into a JSON string in the way the file writes it: which
//! characters it escapes, and how. It knows nothing of spans or edits.

use memchr::memchr;

/// How a document writes its strings. Detected once per document.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct EscapeStyle {
    characters: Characters,
    solidus: Solidus,
    hex: HexCase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Characters {
    #[default]
    Raw,
    AsciiOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Solidus {
    #[default]
    Plain,
    Escaped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum HexCase {
    #[default]
    Lower,
    Upper,
}

impl EscapeStyle {
    /// Reads the style off a document, in one pass over its backslashes.
    ///
    /// Only ASCII is written when the source has a `\uXXXX` escape of a
    /// non-ASCII character and no raw one. `/` is escaped when `\/` occurs. The
    /// case of the first hexadecimal letter counts for all.
    #[must_use]
    pub fn of(json_source: &str) -> Self {
        let bytes = json_source.as_bytes();
        let mut style = Self::default();
        let (mut escapes_non_ascii, mut case_seen) = (false, false);
        let mut at = 0;
        while let Some(found) = bytes.get(at..).and_then(|rest| memchr(b'\\', rest)) {
            let next = at + found + 1;
            match bytes.get(next) {
                Some(b'/') => style.solidus = Solidus::Escaped,
                Some(b'u') => {
                    if let Some(unit) = code_unit(bytes, next + 1) {
                        escapes_non_ascii |= unit >= 0x80;
                        let digits = bytes.get(next + 1..next + 5).unwrap_or_default();
                        if let Some(letter) = digits.iter().find(|d| d.is_ascii_alphabetic())
                            && !case_seen
                        {
                            case_seen = true;
                            if letter.is_ascii_uppercase() {
                                style.hex = HexCase::Upper;
                            }
                        }
                    }
                }
                _ => {}
            }
            at = next + 1;
        }
        if escapes_non_ascii && json_source.is_ascii() {
            style.characters = Characters::AsciiOnly;
        }
        style
    }

    /// The text as it is written between the quotes of a JSON string.
    #[must_use]
    pub fn escape(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 8);
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                '/' if self.solidus == Solidus::Escaped => out.push_str("\\/"),
                c if c < ' ' || (!c.is_ascii() && self.characters == Characters::AsciiOnly) => {
                    let mut units = [0; 2];
                    for unit in c.encode_utf16(&mut units) {
                        self.push_unit(&mut out, *unit);
                    }
                }
                c => out.push(c),
            }
        }
        out
    }

    fn push_unit(&self, out: &mut String, unit: u16) {
        out.push_str("\\u");
        for shift in [12, 8, 4, 0] {
            let digit = char::from_digit(u32::from(unit >> shift) & 0xf, 16).unwrap_or('0');
            out.push(match self.hex {
                HexCase::Lower => digit,
                HexCase::Upper => digit.to_ascii_uppercase(),
            });
        }
    }
}

/// The four hexadecimal digits at `at`, if there are four.
pub(super) fn code_unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0_u16, |unit, &digit| {
        let value = char::from(digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(value).ok()?)
    })
}

/// A text as a plain JSON string with its quotes, for edits that mend.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", EscapeStyle::default().escape(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_of_the_file_is_kept() {
        let cases = [
            ("{}", "é/\"\n\u{1}😀", "é/\\\"\\n\\u0001😀"),
            (r#""\u00e9""#, "é/😀", r"\u00e9/\ud83d\ude00"),
            (r#""\u00E9""#, "é", r"\u00E9"),
            (r#""\u00e9 é""#, "é", "é"),
            (r#""\u001f é""#, "é\u{1f}", "é\\u001f"),
            (r#""<\/a>""#, "a/b", r"a\/b"),
            (r#""\\/""#, "a/b", "a/b"),
            (r#""\\u00e9""#, "é", "é"),
            ("\"\\", "a", "a"),
            ("\"\\u12", "a", "a"),
        ];
        for (source, text, expected) in cases {
            assert_eq!(EscapeStyle::of(source).escape(text), expected, "{source}");
        }
    }
}
