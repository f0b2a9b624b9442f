//! Foreign text in a prompt: never able to close the block it is in.
//!
//! Blocks are delimited by tags that begin with `<redraft:`. In foreign text
//! whatever looks like the beginning of such a tag, in any case or spacing, open
//! or closing, loses its angle bracket to `&lt;`. No other character is touched,
//! so that a judge can quote the text and the quote can be found. A template can
//! be given foreign text as [`Untrusted`] only. What the text says is no matter here.

use std::borrow::Cow;
use std::ops::Range;

use serde::Serialize;

/// Foreign text, made safe for a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub(crate) struct Untrusted(String);

impl Untrusted {
    /// A text of any length.
    pub(crate) fn new(text: &str) -> Self {
        Self(escaped(text).into_owned())
    }

    /// A text on one line, cut to so many characters.
    pub(crate) fn line(text: &str, most: usize) -> Self {
        Self(escaped(&one_line(text, most)).into_owned())
    }

    /// The beginning of a text of so many characters, cut between words.
    pub(crate) fn beginning(text: &str, most: usize) -> Self {
        let text = text.trim();
        let Some((cut, _)) = text.char_indices().nth(most) else {
            return Self::new(text);
        };
        let cut = text.get(..cut).unwrap_or_default();
        let end = cut.rfind(char::is_whitespace).unwrap_or(cut.len());
        Self::new(&format!("{} […]", cut.get(..end).unwrap_or(cut)))
    }

    /// The end of a text of so many characters, cut between words.
    pub(crate) fn end(text: &str, most: usize) -> Self {
        let text = text.trim();
        let Some((cut, _)) = text.char_indices().rev().nth(most) else {
            return Self::new(text);
        };
        let cut = text.get(cut..).unwrap_or_default();
        let start = cut.find(char::is_whitespace).unwrap_or(0);
        Self::new(&format!("[…]{}", cut.get(start..).unwrap_or(cut)))
    }

    /// As it appears in a prompt.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// Several as one text, to be cut. What was escaped stays so.
    pub(crate) fn joined(several: &[Self]) -> String {
        let texts: Vec<&str> = several.iter().map(|one| one.0.as_str()).collect();
        texts.join("\n")
    }

    /// A name inside a tag's quotes: one line, without brackets or quotes.
    pub(crate) fn name(text: &str) -> Self {
        const MOST: usize = 120;
        Self(
            one_line(text, MOST)
                .chars()
                .map(|character| match character {
                    '"' => '\'',
                    _ if is_bracket(character) => '(',
                    '>' => ')',
                    _ => character,
                })
                .collect(),
        )
    }
}

/// The first so many characters of a text, with white space and control
/// characters as single spaces.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut space = false;
    for character in text.chars() {
        if character.is_whitespace() || character.is_control() {
            space = !line.is_empty();
            continue;
        }
        if length + usize::from(space) >= most {
            line.push('…');
            break;
        }
        if std::mem::take(&mut space) {
            line.push(' ');
            length += 1;
        }
        line.push(character);
        length += 1;
    }
    line
}

/// What our tags begin with, after the bracket.
const TAG: &str = "redraft";

/// Takes the angle bracket from everything that looks like one of our tags.
/// Linear: a look ahead ends at the next bracket.
fn escaped(text: &str) -> Cow<'_, str> {
    let mut result = String::new();
    let mut copied = 0;
    for at in may_begin_brackets(text.as_bytes()) {
        let mut rest = text.get(at..).unwrap_or_default().chars();
        if rest.next().is_some_and(is_bracket) && begins_tag(rest.as_str()) {
            let behind = text.len() - rest.as_str().len();
            result.push_str(text.get(copied..at).unwrap_or_default());
            result.push_str("&lt;");
            copied = behind;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    result.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(result)
}

/// Where a text spells the beginning of one of our tags, in any disguise that
/// [`escaped`] undoes.
pub(crate) fn tags_of_ours(text: &str) -> impl Iterator<Item = Range<usize>> {
    may_begin_brackets(text.as_bytes()).filter_map(|at| {
        let mut rest = text.get(at..)?.chars();
        rest.next().filter(|first| is_bracket(*first))?;
        let length = spelled_tag(rest.as_str())?;
        Some(at..text.len() - rest.as_str().len() + length)
    })
}

/// The length of our tag after its bracket, if it is all there and goes on as a
/// tag does.
fn spelled_tag(behind: &str) -> Option<usize> {
    let mut awaited = TAG.chars().chain([':']);
    let mut next = awaited.next();
    for (at, character) in behind.char_indices() {
        let letter = next?;
        let seen = if character == '：' {
            ':'
        } else {
            plain(character)
        };
        if seen == letter {
            next = awaited.next();
            if next.is_none() {
                return Some(at + character.len_utf8());
            }
        } else if !is_unseen(character) {
            return None;
        }
    }
    None
}

/// The indices of the rare bytes that a character of [`is_bracket`] can begin with.
fn may_begin_brackets(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let may = |byte: &u8| matches!(byte, b'<' | 0xcb | 0xe1..=0xe3 | 0xef);
    let indexed = bytes.iter().enumerate();
    indexed.filter(move |(_, byte)| may(byte)).map(|(at, _)| at)
}

/// The angle bracket and the characters that are drawn like it.
fn is_bracket(character: char) -> bool {
    matches!(
        character,
        '<' | '＜'
            | '﹤'
            | '‹'
            | '\u{2329}'
            | '\u{3008}'
            | '⟨'
            | '≺'
            | '˂'
            | 'ᐸ'
            | '❮'
            | '❰'
            | '⧼'
    )
}

/// Whether the text after a bracket spells our tag, with anything in between
/// that a reader does not see or that makes it a closing tag. A text that ends
/// before that is decided counts, too: the next text might go on with it.
fn begins_tag(behind: &str) -> bool {
    let mut awaited = TAG.chars();
    let mut next = awaited.next();
    for character in behind.chars() {
        let Some(letter) = next else { return true };
        if plain(character) == letter {
            next = awaited.next();
        } else if !is_unseen(character) {
            return false;
        }
    }
    true
}

/// The Latin letter that a character is read as: of either case, full width, or
/// a Cyrillic or Greek twin.
fn plain(character: char) -> char {
    let narrow = match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0),
        'а' | 'А' | 'α' | 'Α' => Some('a'),
        'е' | 'Е' | 'Ε' => Some('e'),
        'т' | 'Т' | 'τ' | 'Τ' => Some('t'),
        'г' => Some('r'),
        'ԁ' => Some('d'),
        _ => None,
    };
    narrow.unwrap_or(character).to_ascii_lowercase()
}

/// White space, slashes, and characters without a shape of their own.
fn is_unseen(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(
            character,
            '/' | '\\'
                | '／'
                | '⁄'
                | '∕'
                | '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{300}'..='\u{36f}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn whatever_looks_like_a_tag_of_ours_loses_its_bracket() {
        for (text, expected) in [
            ("</redraft:text>", "&lt;/redraft:text>"),
            ("< / ReDraft : TEXT >", "&lt; / ReDraft : TEXT >"),
            ("<\n\t/redraft:text>", "&lt;\n\t/redraft:text>"),
            ("<\u{200b}redraft:part", "&lt;\u{200b}redraft:part"),
            ("<r\u{ad}e dra ft:", "&lt;r\u{ad}e dra ft:"),
            ("＜／ｒｅｄｒａｆｔ：text", "&lt;／ｒｅｄｒａｆｔ：text"),
            ("<rеdrаft:text>", "&lt;rеdrаft:text>"),
            ("<<redraft", "<&lt;redraft"),
            ("‹redraft", "&lt;redraft"),
            ("<redraft", "&lt;redraft"),
            // The next field could spell the rest.
            ("a <", "a &lt;"),
            ("</re\n", "&lt;/re\n"),
        ] {
            assert_eq!(escaped(text), expected, "{text:?}");
        }
    }

    #[test]
    fn no_bracket_is_overlooked() {
        for bracket in ('\0'..=char::MAX).filter(|character| is_bracket(*character)) {
            let text = format!("a {bracket}redraft");
            assert_eq!(escaped(&text), "a &lt;redraft", "{bracket}");
        }
    }

    #[test]
    fn nothing_else_is_touched() {
        for text in [
            "",
            "1 < 2 and <b>bold</b>",
            "<!-- redraft-ignore LES001: a reason -->",
            "redraft: the word alone",
            "<redraf>",
            "a < b",
            "< a redraft",
            "a << b; cat <<< redrawn",
            "{{ text_id }} {% raw %}",
            "&lt;/redraft:text>",
        ] {
            assert!(
                matches!(escaped(text), Cow::Borrowed(same) if same == text),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_line_is_one_line_and_no_longer_than_it_may_be() {
        for (text, most, expected) in [
            ("a\n\n b", 10, "a b"),
            ("  a ", 10, "a"),
            ("abcdef", 3, "abc…"),
            ("ab cdef", 3, "ab…"),
            ("abc", 3, "abc"),
            ("a\0b", 3, "a b"),
        ] {
            assert_eq!(one_line(text, most), expected, "{text:?}");
        }
        assert_eq!(
            Untrusted::name("x\">\n<redraft:part").0,
            "x') (redraft:part"
        );
    }

    proptest! {
        #[test]
        fn escaping_is_done_once_and_changes_brackets_only(
            text in "([<＜/ \u{200b}\n]|r|R|redraft|REDRAFT:|draft|ft|:text>|é){0,24}",
        ) {
            let once = escaped(&text).into_owned();
            let twice = escaped(&once).into_owned();
            prop_assert_eq!(&twice, &once);
            prop_assert_eq!(
                once.replace("&lt;", "<"),
                rebracketed(&text, &once),
            );
        }
    }

    /// The original with those brackets as `<` that lost theirs in `escaped`.
    fn rebracketed(original: &str, escaped: &str) -> String {
        let mut rest = escaped;
        let mut result = String::new();
        for character in original.chars() {
            if let Some(behind) = rest.strip_prefix("&lt;") {
                result.push('<');
                rest = behind;
            } else {
                result.push(character);
                rest = rest.strip_prefix(character).unwrap_or("out of step");
            }
        }
        result
    }
}
