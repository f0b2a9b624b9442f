//! Values without quotes: numbers, literals, and the bare words and keys
//! that should have had quotes. It reads a token at a given offset and
//! knows nothing of the tree.

use super::quotes::opening_quote;
use super::tree::Number;
use super::trivia::{Text, is_odd_space};

/// A token without quotes.
#[derive(Debug, PartialEq)]
pub(super) enum Word {
    Null,
    Bool(bool),
    /// `True`, `False`, `None`: what they mean.
    Python(Option<bool>),
    NotFinite,
    Undefined,
    /// A number; with how JSON would write it, if not like this.
    Number(Number, Option<Mended>),
    /// The text of a string without quotes.
    Bare(Bare),
    /// The beginning of a literal at the end of the text.
    CutLiteral,
}

/// An odd number as JSON writes it.
#[derive(Debug, PartialEq)]
pub(super) struct Mended {
    pub(super) text: String,
    /// Leading zeros may mean a code rather than a number.
    pub(super) certain: bool,
}

/// Whether a bare word ended with a quote that had no opening one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    Plain,
    /// The text ends one byte earlier, before the quote.
    ClosedByQuote,
}

/// Reads the value without quotes at `at`; gives it with its end, which is
/// after `at` in any case.
pub(super) fn read_value(text: Text<'_>, at: usize) -> (Word, usize) {
    let end = token_end(text, at, usize::MAX);
    let token = text.slice(at..end);
    let word = literal(token).or_else(|| number(token));
    if let Some(word) = word
        && !prose_follows(text, end)
    {
        return (word, end);
    }
    if end == text.len() && is_cut_literal(token) {
        return (Word::CutLiteral, end);
    }
    let (bare, end) = bare_end(text, at);
    (Word::Bare(bare), end)
}

/// How far ahead a colon is looked for after a bare key of several words.
const KEY_WINDOW: usize = 64;

/// The end of the bare key at `at`: up to its colon when that comes soon and
/// nothing else in between, otherwise one word. May be empty.
pub(super) fn read_key(text: Text<'_>, at: usize) -> (Bare, usize) {
    let bytes = text.bytes();
    let window = bytes.get(at..).unwrap_or_default();
    let stop = window.iter().take(KEY_WINDOW).position(|b| {
        matches!(
            b,
            b':' | b',' | b'{' | b'}' | b'[' | b']' | b'"' | b'\n' | b'\r' | b'='
        )
    });
    if let Some(stop) = stop.map(|found| at + found)
        && bytes.get(stop) == Some(&b':')
        && stop > at
    {
        return (Bare::Plain, trimmed_end(text, at, stop));
    }
    let end = token_end(text, at, usize::MAX);
    if text.byte(end) == Some(b'"')
        && end > at
        && text.byte(text.skip_space(end + 1).at) == Some(b':')
    {
        return (Bare::ClosedByQuote, end + 1);
    }
    (Bare::Plain, end)
}

/// Whether a bare key with its colon and the start of a value is at `at`:
/// one word, so that prose with a colon is not taken for one. The key may have
/// lost only its opening quote.
pub(super) fn bare_member_at(text: Text<'_>, at: usize) -> bool {
    let rest = text.bytes().get(at..).unwrap_or_default();
    let len = rest
        .iter()
        .take(KEY_WINDOW)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'-') || **b >= 0x80)
        .count();
    let quote = usize::from(text.byte(at + len) == Some(b'"'));
    let colon = text.skip_space(at + len + quote).at;
    len > 0 && text.byte(colon) == Some(b':') && value_at(text, colon + 1)
}

/// Whether a value that JSON knows starts after the space at `from`.
pub(super) fn value_at(text: Text<'_>, from: usize) -> bool {
    let at = text.skip_space(from).at;
    match text.byte(at) {
        None => true,
        Some(b'{' | b'[' | b'-' | b'0'..=b'9') => true,
        Some(_) if opening_quote(text, at).is_some() => true,
        Some(_) => literal(text.slice(at..token_end(text, at, WINDOW))).is_some(),
    }
}

/// Whether a number or literal is at `at` with an end of its own.
pub(super) fn plain_value_at(text: Text<'_>, at: usize) -> bool {
    let end = token_end(text, at, WINDOW);
    let token = text.slice(at..end);
    (literal(token).is_some() || number(token).is_some()) && {
        // A number beyond the window is taken to end properly.
        let next = text.skip_space(end);
        token.len() >= WINDOW
            || next.newline
            || text.comment_at(next.at)
            || matches!(text.byte(next.at), None | Some(b',' | b']' | b'}'))
    }
}

/// How far a look ahead follows a number; the bound keeps repeated looks at the
/// same place cheap.
const WINDOW: usize = 256;

/// The end of the run of characters without space or punctuation of JSON.
fn token_end(text: Text<'_>, at: usize, limit: usize) -> usize {
    let mut end = at;
    while let Some(byte) = text.byte(end) {
        let stops = match byte {
            0..=b' ' | 0x7f | b',' | b'[' | b']' | b'{' | b'}' | b':' | b'"' => true,
            b'/' => text.comment_at(end),
            0xc2 | 0xe1..=0xe3 | 0xef => text.char(end).is_some_and(is_odd_space),
            _ => false,
        };
        if stops {
            break;
        }
        end += 1;
        if end - at >= limit && text.0.is_char_boundary(end) {
            break;
        }
    }
    end
}

/// Whether what looked like a number or literal goes on as prose (`5 apples`,
/// `true story`) on the same line.
fn prose_follows(text: Text<'_>, end: usize) -> bool {
    let gap = text.skip_space(end);
    if text.byte(end).is_some_and(|b| matches!(b, b':')) {
        return true;
    }
    let goes_on =
        gap.at > end && !gap.newline && text.char(gap.at).is_some_and(char::is_alphabetic);
    goes_on
        && literal(text.slice(gap.at..token_end(text, gap.at, WINDOW))).is_none()
        && !bare_member_at(text, gap.at)
}

/// Where a bare word ends: before a comma, a closing or an opening brace, a
/// line break, a comment, or a quote that starts or ends something.
fn bare_end(text: Text<'_>, at: usize) -> (Bare, usize) {
    let mut end = at;
    while let Some(byte) = text.byte(end) {
        let after_space = end > at && matches!(text.byte(end - 1), Some(b' ' | b'\t'));
        match byte {
            b',' | b']' | b'}' | b'{' | b'\n' | b'\r' | 0 => break,
            b'/' if text.starts_with(end, "/*") || (after_space && text.starts_with(end, "//")) => {
                break;
            }
            b'#' if after_space => break,
            b'"' if after_space => break,
            b'"' if end > at => {
                let next = text.skip_space(end + 1);
                if next.newline
                    || matches!(text.byte(next.at), None | Some(b',' | b']' | b'}' | b':'))
                {
                    return (Bare::ClosedByQuote, end + 1);
                }
            }
            _ => {}
        }
        end += 1;
    }
    // Something is always taken, so that the scanner moves on.
    if end == at {
        end += text.char(at).map_or(0, char::len_utf8);
    }
    (Bare::Plain, trimmed_end(text, at, end))
}

/// The end of `at..end` without the space before it, but never before the
/// first character.
fn trimmed_end(text: Text<'_>, at: usize, end: usize) -> usize {
    let word = text.slice(at..end);
    let trimmed = word
        .trim_end_matches(|c: char| c.is_whitespace() || is_odd_space(c))
        .len();
    let first = word.chars().next().map_or(0, char::len_utf8);
    at + trimmed.max(first)
}

fn literal(token: &str) -> Option<Word> {
    Some(match token {
        "null" => Word::Null,
        "true" => Word::Bool(true),
        "false" => Word::Bool(false),
        "True" | "TRUE" => Word::Python(Some(true)),
        "False" | "FALSE" => Word::Python(Some(false)),
        "None" | "NULL" => Word::Python(None),
        "NaN" | "nan" | "Infinity" | "-Infinity" | "+Infinity" | "inf" | "-inf" => Word::NotFinite,
        "undefined" => Word::Undefined,
        _ => return None,
    })
}

fn is_cut_literal(token: &str) -> bool {
    !token.is_empty()
        && ["true", "false", "null"]
            .into_iter()
            .any(|whole| whole.starts_with(token))
}

/// A number, as JSON writes it or nearly so.
fn number(token: &str) -> Option<Word> {
    let (sign, rest) = match token.as_bytes().first()? {
        b'-' => ("-", token.get(1..)?),
        b'+' => ("+", token.get(1..)?),
        b'0'..=b'9' | b'.' => ("", token),
        _ => return None,
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(e) => (rest.get(..e)?, rest.get(e + 1..)),
        None => (rest, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let power = exponent.map(|e| e.strip_prefix(['+', '-']).unwrap_or(e));
    let well_formed = digits(whole)
        && fraction.is_none_or(digits)
        && power.is_none_or(digits)
        && (!whole.is_empty() || fraction.is_some_and(|f| !f.is_empty()));
    if !well_formed {
        return None;
    }
    let zeros = whole.len() > 1 && whole.starts_with('0');
    let no_power = power.is_some_and(str::is_empty);
    let strict = sign != "+" && !zeros && !whole.is_empty() && fraction != Some("") && !no_power;
    let mended = (!strict).then(|| {
        let mut text = sign.trim_matches('+').to_owned();
        let stripped = whole.trim_start_matches('0');
        text.push_str(if stripped.is_empty() { "0" } else { stripped });
        if let Some(fraction) = fraction {
            text.push('.');
            text.push_str(if fraction.is_empty() { "0" } else { fraction });
        }
        if let Some(exponent) = exponent {
            text.push('e');
            text.push_str(exponent);
            text.push_str(if no_power { "0" } else { "" });
        }
        Mended {
            text,
            certain: !zeros && !no_power,
        }
    });
    let spelled = mended.as_ref().map_or(token, |mended| mended.text.as_str());
    Some(Word::Number(value_of(spelled)?, mended))
}

fn value_of(spelled: &str) -> Option<Number> {
    let float: f64 = spelled.parse().ok()?;
    // Beyond 2^53 a double no longer tells neighbouring whole numbers apart.
    let exact = float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
    let integer = spelled
        .parse()
        .ok()
        .or_else(|| exact.then_some(float as i64));
    Some(Number { float, integer })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_are_mended_and_words_are_not_numbers() {
        let cases = [
            ("0", Some(None)),
            ("-0", Some(None)),
            ("12.5e-3", Some(None)),
            ("+1", Some(Some(("1", true)))),
            (".5", Some(Some(("0.5", true)))),
            ("-.5", Some(Some(("-0.5", true)))),
            ("1.", Some(Some(("1.0", true)))),
            ("007", Some(Some(("7", false)))),
            ("000", Some(Some(("0", false)))),
            ("2e", Some(Some(("2e0", false)))),
            ("2e+", Some(Some(("2e+0", false)))),
            ("-", None),
            (".", None),
            ("1.2.3", None),
            ("0x1f", None),
            ("2024-10-18", None),
            ("e5", None),
            ("", None),
        ];
        for (token, expected) in cases {
            let got = number(token).map(|word| match word {
                Word::Number(_, mended) => mended.map(|m| (m.text, m.certain)),
                other => panic!("{token}: {other:?}"),
            });
            let expected =
                expected.map(|mended| mended.map(|(t, c): (&str, bool)| (t.to_owned(), c)));
            assert_eq!(got, expected, "{token}");
        }
    }

    #[test]
    fn a_bare_word_ends_where_the_value_does() {
        let cases = [
            ("hello world, x", "hello world"),
            ("https://a.b/c}", "https://a.b/c"),
            ("12:20]", "12:20"),
            ("foo /* x */", "foo"),
            ("foo // x", "foo"),
            ("foo\nbar", "foo"),
            ("foo\" ,", "foo\""),
            ("foo \"b\"", "foo"),
            ("5 apples]", "5 apples"),
            (")", ")"),
            ("é\u{a0}", "é"),
        ];
        for (source, expected) in cases {
            let (word, end) = read_value(Text(source), 0);
            assert!(matches!(word, Word::Bare(_)), "{source}: {word:?}");
            assert_eq!(&source[..end], expected, "{source}");
        }
    }
}
