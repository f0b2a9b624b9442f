//! Where a dollar sign opens mathematics, and where it is money, a variable or a
//! prompt (rulings 7 and 46): the one rule that the Markdown analysis and all checks
//! use. It is Pandoc's, with what its authors leave to the writer added: no space
//! after the opening sign, none before the closing one, no digit after it, and
//! between the two what can be a formula. Knows nothing of amounts.
//!
//! | text | read as |
//! |---|---|
//! | `$x = 3$`, `$20$`, `$$…$$`, `\(…\)`, `\[…\]` | mathematics |
//! | `\$` | neither |
//! | `$3 and $4`, `$3-$5`, `**$3** to **$4**` | money: the second sign opens an amount |
//! | `$5 or 10$` | money: words between, and no sign of a formula |
//! | `$20 ($x$)` | money, then mathematics: the bracket is not closed |
//! | `US$12 … AU$` | money: a letter before, a digit after |
//! | `**$x** and **y$**`, `$a [b](c$d)` | markup, which no formula has in it |
//! | `$HOME/$USER`, `($), ($$)` | neither: no formula ends in `/` or begins with `)` |

use std::collections::HashMap;
use std::ops::Range;

/// The ranges of mathematics and escaped signs in a text, in order. `code` are the
/// ranges of code, which is neither.
pub fn mathematics(text: &str, code: &[Range<usize>]) -> Vec<Range<usize>> {
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
        return (closes && is_displayed(content)).then_some(at..end);
    }
    let start = at + 1;
    let len = next_dollar(bytes, start)?;
    let end = start + len + 1;
    is_inline(text, at..end).then_some(at..end)
}

/// Whether what stands between `$$` and `$$` can be a formula.
pub(crate) fn is_displayed(content: &str) -> bool {
    is_one_paragraph(content)
        && !content.trim().is_empty()
        && !has_markup(content)
        && !content.starts_with([')', ',', ';', '$'])
}

/// Whether two dollar signs of a text and what they enclose are a formula.
pub(crate) fn is_inline(text: &str, range: Range<usize>) -> bool {
    let bytes = text.as_bytes();
    // `US$12` is always an amount.
    let before = range.start.checked_sub(1).and_then(|at| bytes.get(at));
    if before.is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(range.start + 1).is_some_and(u8::is_ascii_digit)
    {
        return false;
    }
    let after = text.get(range.end..).and_then(|rest| rest.chars().next());
    text.get(range.start + 1..range.end.saturating_sub(1))
        .is_some_and(|content| is_formula(content, after))
}

/// The dollar signs of one block's text that are neither mathematics nor in code
/// nor escaped, in order.
pub(crate) fn plain_dollars(text: &str) -> Vec<usize> {
    let code = code_spans(text);
    let mut taken = mathematics(text, &code);
    taken.extend(code);
    taken.sort_by_key(|range| range.start);
    let mut taken = taken.into_iter().peekable();
    memchr::memchr_iter(b'$', text.as_bytes())
        .filter(|at| {
            while taken.next_if(|range| range.end <= *at).is_some() {}
            taken.peek().is_none_or(|range| range.start > *at)
        })
        .collect()
}

/// The code spans of one block's text: from a run of backticks to the next run of
/// the same length.
fn code_spans(text: &str) -> Vec<Range<usize>> {
    let runs = backtick_runs(text.as_bytes());
    // The next run of the same length, found from the end.
    let mut next_of_length: HashMap<usize, usize> = HashMap::new();
    let mut closer = vec![None; runs.len()];
    for (index, run) in runs.iter().enumerate().rev() {
        closer[index] = next_of_length.insert(run.len(), index);
    }
    let mut spans = Vec::new();
    let mut index = 0;
    while let Some(run) = runs.get(index) {
        index = match closer.get(index).copied().flatten() {
            Some(close) => {
                spans.push(run.start..runs[close].end);
                close + 1
            }
            None => index + 1,
        };
    }
    spans
}

fn backtick_runs(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'`', rest)) {
        let start = at + found;
        let length = bytes[start..]
            .iter()
            .take_while(|byte| **byte == b'`')
            .count();
        runs.push(start..start + length);
        at = start + length;
    }
    runs
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
    if content.is_empty()
        || !tight
        || opens_amount
        || !is_one_paragraph(content)
        || has_markup(content)
        || content.starts_with([')', ',', ';', '!', '?', '"', '”', '»'])
        || content.ends_with(['/', '(', '{', '"', '“', '«'])
    {
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

/// Bold, a link or code, which no formula has in it.
fn has_markup(content: &str) -> bool {
    content.contains("**") || content.contains("](") || content.contains('`')
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
            ("from **$100** to **$80**", &[]),
            ("from **$100** to **80$**", &[]),
            ("**$x** and **y$**", &[]),
            ("R$ 5 e R$ 10, R$5 e R$10", &[]),
            ("5$ and 10$", &[]),
            ("A$5 or NZ$", &[]),
            ("$x$ costs $5", &["$x$"]),
            ("$HOME/$USER", &[]),
            ("${a}/${b}", &[]),
            ("cheap ($), fair ($$), dear ($$$)", &[]),
            ("$f'(x)$ and $a_{**}$", &["$f'(x)$"]),
            ("[a](x$y) and [b](z$w)", &[]),
            ("$S_{круга}$", &["$S_{круга}$"]),
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

    #[test]
    fn plain_signs_are_outside_code_and_mathematics() {
        for (text, expected) in [
            ("`$a` and ($x$) for $5", &[19][..]),
            ("``a`$`` $x$", &[]),
            ("\\$5 and $6", &[8]),
            ("$1 $2 $3", &[0, 3, 6]),
            ("`$x", &[1]),
        ] {
            assert_eq!(plain_dollars(text), expected, "{text}");
        }
    }
}
