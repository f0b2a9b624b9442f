//! Splits a card's text into lines, sentences and words as a reader would see them.
//! Formulas and code count as one word, markup as none. Limits are up to the
//! checks.
//!
//! In a card's JSON a line break is intended, unless the next line continues in
//! lower case; a `\n` that was escaped twice is a line break, too.

use std::ops::Range;

use redraft_text::language::Language;
use redraft_text::sentences::sentences;

use super::card_texts::CardText;

/// A text of the same length with everything masked that is not read as words.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    text: String,
    pub(crate) lines: Vec<Line>,
}

/// A line of a text: a paragraph, an item of a list, a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Without its marker.
    pub(crate) range: Range<usize>,
    pub(crate) marker: Marker,
    pub(crate) sentences: Vec<Range<usize>>,
}

/// What a line starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    None,
    Bullet,
    Number,
    Heading,
    Table,
}

impl Plain {
    pub(crate) fn of(text: &CardText<'_>) -> Self {
        let mut plain = text.text().to_owned();
        for range in text.unread() {
            if plain.get(range.clone()).is_some() {
                plain.replace_range(range.clone(), &" ".repeat(range.len()));
            }
        }
        Self::read(&plain, &text.masked())
    }

    /// Reads a text with the ranges of its formulas and code.
    pub(crate) fn read(text: &str, formulas: &[Range<usize>]) -> Self {
        let masked = mask(text, formulas);
        let lines = joined_lines(&masked)
            .filter_map(|range| line(&masked, range))
            .collect();
        Self {
            text: masked,
            lines,
        }
    }

    /// The masked text of a range.
    pub(crate) fn get(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The whole masked text, as long as the original.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// All sentences in order.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = &Range<usize>> {
        self.lines.iter().flat_map(|line| &line.sentences)
    }

    /// The words of a sentence as a person counts them, with their ranges in the
    /// text.
    pub(crate) fn words(&self, sentence: &Range<usize>) -> Vec<(Range<usize>, &str)> {
        words(self.get(sentence))
            .map(|(range, word)| {
                (
                    sentence.start + range.start..sentence.start + range.end,
                    word,
                )
            })
            .collect()
    }
}

/// The words of a text as a person counts them: everything between spaces that
/// has a letter or a digit, without surrounding punctuation.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '—' | '–' | '…'))
        .filter_map(|word| {
            let start = word.as_ptr().addr() - text.as_ptr().addr();
            let inner = word
                .trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '£' | '€' | '$'))
                .trim_end_matches(|c: char| !c.is_alphanumeric() && c != '%');
            let inner = if inner.contains(char::is_alphanumeric) {
                inner
            } else {
                ""
            };
            let lead = word.find(inner).unwrap_or_default();
            (!inner.is_empty()).then_some((start + lead..start + lead + inner.len(), inner))
        })
}

/// Where a long sentence can be split: the index of the word that starts the second
/// half, as close to the middle as a comma or a conjunction allows.
pub(crate) fn halfway(text: &str, words: &[(Range<usize>, &str)]) -> Option<usize> {
    const JOINING: &[&str] = &[
        "and", "but", "so", "because", "when", "which", "who", "that", "then", "if", "while",
        "until", "or", "where", "since", "before", "after", "although", "whereas",
    ];
    // Minimum words in each half.
    const LEAST: usize = 4;
    let last = words.len().checked_sub(LEAST)?;
    (LEAST..=last)
        .filter(|index| {
            let joins = words
                .get(*index)
                .is_some_and(|(_, word)| JOINING.contains(&word.to_lowercase().as_str()));
            let gap = index
                .checked_sub(1)
                .and_then(|before| words.get(before))
                .zip(words.get(*index))
                .and_then(|((before, _), (after, _))| text.get(before.end..after.start))
                .unwrap_or_default();
            joins || gap.contains([',', ';', ':', '–', '—', '('])
        })
        .min_by_key(|index| (2 * index).abs_diff(words.len()))
}

/// Replaces each byte of a formula.
const FORMULA: char = 'X';

/// Replaces formulas with one long word and markup with spaces, byte for byte.
fn mask(text: &str, formulas: &[Range<usize>]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut formulas = formulas.iter().peekable();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        while formulas.next_if(|range| range.end <= at).is_some() {}
        if let Some(range) = formulas.peek().filter(|range| range.start <= at) {
            let end = range.end.min(text.len()).max(at + 1);
            masked.extend(std::iter::repeat_n(FORMULA, end - at));
            at = end;
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with("\\n") {
            masked.push_str(" \n");
            at += 2;
            continue;
        }
        match c {
            '*' | '`' | '_' if !is_bullet(&masked, rest) => masked.push(' '),
            _ => masked.push(c),
        }
        at += c.len_utf8();
    }
    masked
}

/// Whether this is a star at the start of a line, followed by a space.
fn is_bullet(before: &str, rest: &str) -> bool {
    rest.starts_with("* ") && before.trim_end_matches([' ', '\t']).is_empty_or_ends_line()
}

trait LineStart {
    fn is_empty_or_ends_line(&self) -> bool;
}

impl LineStart for str {
    fn is_empty_or_ends_line(&self) -> bool {
        self.is_empty() || self.ends_with('\n')
    }
}

/// The lines of a text, joined if the next one continues in lower case.
fn joined_lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let start = at;
        loop {
            let rest = text.get(at..).unwrap_or_default();
            let len = rest.find('\n').unwrap_or(rest.len());
            let end = at + len;
            at = (end + 1).min(text.len());
            let line = text.get(start..end).unwrap_or_default().trim_end();
            let next = text.get(at..).unwrap_or_default();
            let continues = end < text.len()
                && !line.is_empty()
                && !line.ends_with(['.', '!', '?', ':', ';'])
                && next
                    .trim_start_matches(' ')
                    .starts_with(|c: char| c.is_lowercase());
            if !continues {
                return Some(start..end);
            }
        }
    })
}

fn line(text: &str, range: Range<usize>) -> Option<Line> {
    let whole = text.get(range.clone())?;
    let (marker, lead) = marker(whole);
    let start = range.start + lead;
    let content = text.get(start..range.end)?;
    if content.trim().is_empty() {
        return None;
    }
    let sentences = if matches!(marker, Marker::Heading | Marker::Table) {
        Vec::new()
    } else {
        sentences(content, Some(&Language::EN))
            .map(|sentence| start + sentence.start..start + sentence.end)
            .collect()
    };
    Some(Line {
        range: start..range.end,
        marker,
        sentences,
    })
}

/// What a line starts with, and how long that is.
fn marker(line: &str) -> (Marker, usize) {
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    if trimmed.starts_with('|') {
        return (Marker::Table, indent);
    }
    let hashes = trimmed.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&hashes)
        && trimmed
            .get(hashes..)
            .is_some_and(|rest| rest.starts_with(' '))
    {
        return (Marker::Heading, indent + hashes + 1);
    }
    for bullet in ["- ", "* ", "+ ", "• ", "– "] {
        if trimmed.starts_with(bullet) {
            return (Marker::Bullet, indent + bullet.len());
        }
    }
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=2).contains(&digits)
        && trimmed
            .get(digits..)
            .is_some_and(|rest| rest.starts_with(". ") || rest.starts_with(") "))
    {
        return (Marker::Number, indent + digits + 2);
    }
    (Marker::None, indent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences_of(text: &str) -> Vec<(String, usize)> {
        let plain = Plain::read(text, &redraft_text::mathematics::mathematics(text, &[]));
        plain
            .sentences()
            .map(|range| (text[range.clone()].to_owned(), plain.words(range).len()))
            .collect()
    }

    #[test]
    fn a_text_is_read_as_its_reader_does() {
        for (text, expected) in [
            (
                "Hi. You use these.",
                &[("Hi.", 1), ("You use these.", 3)][..],
            ),
            (
                "Work with a partner\nTalk.",
                &[("Work with a partner", 4), ("Talk.", 1)],
            ),
            (
                "It goes on\nin lower case.",
                &[("It goes on\nin lower case.", 6)],
            ),
            (
                "Look.\\nMoney is £1.65.",
                &[("Look.", 1), ("Money is £1.65.", 3)],
            ),
            (
                "- For less than £1, use 'p'. A banana is 9p.",
                &[("For less than £1, use 'p'.", 6), ("A banana is 9p.", 4)],
            ),
            (
                "**Money**\nUse pounds (£) or pence (p).",
                &[("Money", 1), ("Use pounds (£) or pence (p).", 5)],
            ),
            (
                "We get $\\frac{1}{4} \\times 8$ here.",
                &[("We get $\\frac{1}{4} \\times 8$ here.", 4)],
            ),
            (
                "1. Divide by 4.\n2) Stop.",
                &[("Divide by 4.", 3), ("Stop.", 1)],
            ),
            ("20 ÷ 4 = 5", &[("20 ÷ 4 = 5", 3)]),
            ("# Heading\n\nText.", &[("Text.", 1)]),
            ("A warm-up – of 1/4.", &[("A warm-up – of 1/4.", 4)]),
            ("", &[]),
        ] {
            let expected: Vec<(String, usize)> = expected
                .iter()
                .map(|(text, words)| ((*text).to_owned(), *words))
                .collect();
            assert_eq!(sentences_of(text), expected, "{text}");
        }
    }

    #[test]
    fn the_mask_keeps_every_offset() {
        let text = "é **ü** `x` $y$ \\n ¾ end";
        let plain = Plain::read(text, std::slice::from_ref(&(16..19)));
        assert_eq!(plain.text.len(), text.len());
    }
}
