//! Commands that can be pasted: every word quoted as a POSIX shell needs it.
//!
//! | word | becomes |
//! |---|---|
//! | letters, digits and `_ - . / , : @ % + =` | itself |
//! | anything else | `'…'`, with `'` as `'\''` |
//! | control characters, and what turns the direction of text | `$'…'`, escaped |

use std::fmt::Write as _;

use super::plain;

/// A word of a command.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./,:@%+=".contains(c);
    let is_odd = plain::words(word) != word || word.contains(['\n', '\r', '\t']);
    if is_odd {
        let mut out = String::from("$'");
        for c in word.chars() {
            match c {
                '\'' | '\\' => {
                    out.push('\\');
                    out.push(c);
                }
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                c if plain::words(c.encode_utf8(&mut [0; 4])) == c.to_string() => out.push(c),
                c => {
                    let _ = write!(out, "\\U{:08x}", u32::from(c));
                }
            }
        }
        out.push('\'');
        return out;
    }
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A whole command.
#[must_use]
pub fn command<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let words: Vec<String> = words.into_iter().map(quoted).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_only_where_a_shell_needs_it() {
        for (word, expected) in [
            ("lessons/a.md", "lessons/a.md"),
            ("бег.md", "бег.md"),
            ("my lesson.md", "'my lesson.md'"),
            ("bank.jsonl#item_3", "'bank.jsonl#item_3'"),
            ("it's.md", "'it'\\''s.md'"),
            ("$(rm -rf x)", "'$(rm -rf x)'"),
            ("", "''"),
            ("a\nb", "$'a\\nb'"),
            ("a\u{1b}b'c", "$'a\\U0000001bb\\'c'"),
        ] {
            assert_eq!(quoted(word), expected, "{word:?}");
        }
        assert_eq!(
            command(["redraft", "check", "a b.md"]),
            "redraft check 'a b.md'"
        );
    }
}
