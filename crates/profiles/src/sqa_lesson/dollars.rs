//! Distinguishes mathematics from money where both are written with `$` (ruling 7).
//! Everything between dollar signs that reads as a formula, everything between
//! `\(` and `\)`, and an escaped `\$` is mathematics; the rest may be money. Knows
//! nothing of amounts.
//!
//! | text | read as |
//! |---|---|
//! | `$x = 3$`, `$20$`, `$$…$$` | mathematics |
//! | `$3 and $4`, `$3-$5`, `$3/$4` | money: the second sign opens an amount |
//! | `$5 or 10$` | money: words between, and no sign of a formula |
//! | `$20 ($x$)` | money, then mathematics: the bracket is not closed |

use std::ops::Range;

/// The ranges of mathematics and escaped signs in a text, in order. `code` are the
/// ranges of code, which is neither.
pub(crate) fn mathematics(text: &str, code: &[Range<usize>]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut closers = Closers::default();
    let mut code = code.iter().peekable();
    let mut at = 0;
    while let Some(offset) = next_sign(bytes, at) {
        at = offset;
        while code.next_if(|range| range.end <= at).is_some() {}
        if let Some(range) = code.peek().filter(|range| range.start <= at) {
            at = range.end;
            continue;
        }
        let range = match bytes.get(at) {
            Some(b'\\') => closers.escaped(text, at),
            _ => dollars(text, at),
        };
        match range {
            Some(range) => {
                at = range.end;
                found.push(range);
            }
            // An escape includes the sign after it; of `$$` each sign is tried.
            None => at += 1,
        }
    }
    found
}

/// The next dollar sign or backslash.
fn next_sign(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.iter()
        .position(|byte| matches!(byte, b'$' | b'\\'))
        .map(|at| from + at)
}

/// Remembers which closing sign does not occur any more, so that the rest of the
/// text is not searched again for every opening sign.
#[derive(Default)]
struct Closers {
    no_round: bool,
    no_square: bool,
}

impl Closers {
    /// A sequence that starts with a backslash: `\$`, `\(…\)`, `\[…\]`.
    fn escaped(&mut self, text: &str, at: usize) -> Option<Range<usize>> {
        let (closer, is_gone) = match text.as_bytes().get(at + 1)? {
            b'$' => return Some(at..at + 2),
            b'(' => ("\\)", &mut self.no_round),
            b'[' => ("\\]", &mut self.no_square),
            _ => return None,
        };
        if *is_gone {
            return None;
        }
        match text.get(at + 2..)?.find(closer) {
            Some(len) => Some(at..at + 2 + len + closer.len()),
            None => {
                *is_gone = true;
                None
            }
        }
    }
}

/// The formula that starts with this dollar sign.
fn dollars(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if bytes.get(at + 1) == Some(&b'$') {
        let start = at + 2;
        let len = next_dollar(bytes, start)?;
        let content = text.get(start..start + len)?;
        let end = start + len + 2;
        let closes = bytes.get(start + len + 1) == Some(&b'$');
        return (closes && is_one_paragraph(content) && !content.trim().is_empty())
            .then_some(at..end);
    }
    // `US$12` is always an amount.
    if at > 0
        && bytes.get(at - 1).is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    {
        return None;
    }
    let start = at + 1;
    let len = next_dollar(bytes, start)?;
    let content = text.get(start..start + len)?;
    let end = start + len + 1;
    let after = text.get(end..)?.chars().next();
    is_formula(content, after).then_some(at..end)
}

/// The bytes up to the next dollar sign that is not escaped.
fn next_dollar(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let mut escaped = false;
    rest.iter().position(|byte| {
        let is_sign = *byte == b'$' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        is_sign
    })
}

fn is_one_paragraph(content: &str) -> bool {
    !content.contains("\n\n") && !content.contains("\r\n\r\n")
}

/// Whether the text between two dollar signs is a formula.
fn is_formula(content: &str, after: Option<char>) -> bool {
    let tight =
        !content.starts_with(char::is_whitespace) && !content.ends_with(char::is_whitespace);
    let opens_amount = after.is_some_and(|c| c.is_ascii_digit());
    if content.is_empty() || !tight || opens_amount || !is_one_paragraph(content) {
        return false;
    }
    if !content.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return true;
    }
    // From here on, the sign is followed by a number, as in `$3.50`.
    let next_opens = after.is_some_and(|c| c.is_alphanumeric() || matches!(c, '\\' | '('));
    let unfinished = content.ends_with([
        '+', '-', '−', '–', '*', '/', '×', '÷', '=', ',', ':', '(', '[', '{', '&',
    ]);
    let is_open =
        count(content, '(') != count(content, ')') || count(content, '{') != count(content, '}');
    !(is_open || (unfinished && next_opens) || is_prose(content))
}

fn count(text: &str, sign: char) -> usize {
    text.matches(sign).count()
}

/// Words without any sign of a formula.
fn is_prose(content: &str) -> bool {
    let has_sign = content.chars().any(|c| {
        matches!(
            c,
            '\\' | '=' | '^' | '_' | '+' | '<' | '>' | '×' | '÷' | '{' | '√'
        )
    });
    let has_word = content
        .split(|c: char| !c.is_alphabetic())
        .any(|word| word.chars().count() >= 2);
    has_word && !has_sign
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formulas(text: &str) -> Vec<&str> {
        mathematics(text, &[])
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn mathematics_is_distinguished_from_money() {
        for (text, expected) in [
            ("$x = 3$", &["$x = 3$"][..]),
            ("$20$ and $5", &["$20$"]),
            ("$$x^2$$ and $3", &["$$x^2$$"]),
            ("costs $3.50 and $4.00", &[]),
            ("$3-$5", &[]),
            ("$3/$4", &[]),
            ("$3 + $2 = $5", &[]),
            ("Pay $5 or 10$", &[]),
            ("$3.50 where $x$ is 2", &["$x$"]),
            ("$20 ($x$)", &["$x$"]),
            ("$20/$x$", &["$x$"]),
            ("US$12 is $y$", &["$y$"]),
            (r"\$5 and \(a\) and \[b\]", &[r"\$", r"\(a\)", r"\[b\]"]),
            (r"$\frac{1}{4}$ of £20", &[r"$\frac{1}{4}$"]),
            ("$5 \\times 3 = 15$", &["$5 \\times 3 = 15$"]),
            ("$3x + 2$", &["$3x + 2$"]),
            ("the $n$th term, $2$nd", &["$n$", "$2$"]),
            ("$\n\nx$", &[]),
            ("$", &[]),
            ("$$", &[]),
            ("\\(", &[]),
        ] {
            assert_eq!(formulas(text), expected, "{text}");
        }
    }

    #[test]
    fn code_is_neither() {
        let code = std::iter::once(0..5).collect::<Vec<_>>();
        let found = mathematics("`$x$` $y$", &code);
        assert_eq!(found.first(), Some(&(6..9)));
        assert_eq!(found.len(), 1);
    }
}
