//! Finds the terms that a text defines.
//!
//! | written | a definition if |
//! |---|---|
//! | `**term** is …`, `**термин** — это …` | always |
//! | `… called **term**`, `…, the **term**` | always |
//! | `**term**: …`, `**term** — …`, `**term** (…` | the term is used again without bold: labels look the same |
//! | `A term is a …`, `Термин — это …`, `术语是指…` at the start of a sentence | the term is used again |

use std::collections::BTreeMap;
use std::ops::Range;

use redraft_text::phrases::PhraseList;
use redraft_text::words::words;

use super::tokens::Tokens;
use redraft_gate::content::{Document, TextField};

/// The maximum length of a term, in words and in characters.
const WORDS: usize = 4;
const LETTERS: usize = 40;

/// The maximum number of terms in one text.
const MOST: usize = 300;

/// How a text defines a term, by language (`data/definitions`).
static DEFINITIONS: PhraseList =
    PhraseList::new("definitions", &["after", "before", "defines", "articles"]);

/// Punctuation that follows a label as well as a term.
const PERHAPS: &[&str] = &[":", "：", "— ", "– ", "- ", "(", "（"];

/// The terms that a document defines, as word numbers and as written, in text order.
pub(super) fn terms(document: &Document, tokens: &Tokens<'_>) -> Vec<(Vec<u32>, String)> {
    let mut found: BTreeMap<Vec<u32>, (usize, String)> = BTreeMap::new();
    for (text, field) in document.texts().iter().enumerate() {
        if !field.is_body() {
            continue;
        }
        let sentences = in_sentences(document, field).into_iter();
        let sentences = sentences.map(|range| (range, Certainty::IfUsedAgain));
        for (range, certainty) in in_bold(field).into_iter().chain(sentences) {
            let words = tokens.within(text, &range);
            let names = |word: &u32| !tokens.kind(*word).is_stop;
            let is_term = (1..=WORDS).contains(&words.len())
                && words.first().is_some_and(names)
                && words.last().is_some_and(names);
            if !is_term || found.contains_key(&words) || found.len() >= MOST {
                continue;
            }
            let comes_again = || {
                let plain = tokens.plain_uses(&words);
                // The subject itself is not in bold and counts as one use.
                plain >= if is_bold(field, range.start) { 1 } else { 2 }
            };
            if certainty == Certainty::Certain || comes_again() {
                let written = field.text.get(range).unwrap_or_default();
                let shown = written.split_whitespace().collect::<Vec<_>>().join(" ");
                let order = found.len();
                found.insert(words, (order, shown));
            }
        }
    }
    let mut terms: Vec<_> = found.into_iter().collect();
    terms.sort_by_key(|(_, (order, _))| *order);
    terms
        .into_iter()
        .map(|(words, (_, shown))| (words, shown))
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Certain,
    IfUsedAgain,
}

/// Bold text that is defined where it occurs.
fn in_bold(field: &TextField) -> Vec<(Range<usize>, Certainty)> {
    bold_ranges(field)
        .into_iter()
        .filter_map(|range| bold(&field.text, range.clone(), range.end + MARK))
        .collect()
}

fn is_bold(field: &TextField, at: usize) -> bool {
    let before = field.text.get(..at).unwrap_or_default();
    before
        .trim_end_matches(|c: char| c.is_whitespace() || "“\"«_".contains(c))
        .ends_with("**")
}

/// The length of `**`.
const MARK: usize = 2;

/// The bold ranges without their marks, in order.
pub(super) fn bold_ranges(field: &TextField) -> Vec<Range<usize>> {
    let text = &*field.text;
    let markdown = field.markdown();
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (at, _) in text.match_indices("**") {
        if markdown.is_verbatim(at) {
            continue;
        }
        match open.take() {
            Some(start) if is_on_one_line(text, start, at) => found.push(start..at),
            _ => open = Some(at + MARK),
        }
    }
    found
}

fn is_on_one_line(text: &str, start: usize, end: usize) -> bool {
    text.get(start..end)
        .is_some_and(|inside| !inside.contains('\n') && inside.len() < LETTERS * 8)
}

fn bold(text: &str, inside: Range<usize>, end: usize) -> Option<(Range<usize>, Certainty)> {
    let written = text.get(inside.clone())?;
    let ends_in_colon = written.trim_end().ends_with([':', '：']);
    let range = trimmed(text, inside.clone())?;
    let term = text.get(range.clone())?;
    if term.chars().count() > LETTERS || term.contains(['.', '?', '!', '。', '`', '=', '/']) {
        return None;
    }
    let after = text.get(end..)?.trim_start_matches('*');
    let spaced = after.trim_start_matches(' ');
    let before = text.get(..inside.start.checked_sub(MARK)?)?;
    let before = before
        .trim_end_matches(['*', '_', '“', '"', '«', '‘'])
        .trim_end_matches(' ');
    let before = lowered_end(before);
    if DEFINITIONS.all("before").any(|word| before.ends_with(word))
        || (!ends_in_colon
            && DEFINITIONS
                .all("after")
                .any(|word| spaced.starts_with(word)))
    {
        Some((range, Certainty::Certain))
    } else if ends_in_colon || PERHAPS.iter().any(|sign| spaced.starts_with(sign)) {
        Some((range, Certainty::IfUsedAgain))
    } else {
        None
    }
}

/// Trims quotation marks, colons and articles.
fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let is_edge = |c: char| !c.is_alphanumeric() && !matches!(c, ')' | '）' | '+' | '#');
    let written = text.get(range.clone())?;
    let start = range.start + (written.len() - written.trim_start_matches(is_edge).len());
    let end = range.end - (written.len() - written.trim_end_matches(is_edge).len());
    let written = text.get(start..end)?;
    let start = match written.split_once(' ') {
        Some((article, rest)) if is_article(article) => end - rest.len(),
        _ => start,
    };
    (start < end).then_some(start..end)
}

fn is_article(word: &str) -> bool {
    let word = word.to_lowercase();
    DEFINITIONS.all("articles").any(|article| article == word)
}

/// The last few characters in lower case.
fn lowered_end(text: &str) -> String {
    let start = text.len().saturating_sub(40);
    let start = text.ceil_char_boundary(start);
    text.get(start..).unwrap_or_default().to_lowercase()
}

/// Subjects of sentences that define them.
fn in_sentences(document: &Document, field: &TextField) -> Vec<Range<usize>> {
    let text = &*field.text;
    let sentences = document
        .paragraphs(field)
        .iter()
        .flat_map(|paragraph| &paragraph.sentences);
    sentences
        .filter_map(|sentence| {
            let start = sentence.range.start;
            let limit = text.floor_char_boundary((start + LETTERS * 4).min(sentence.range.end));
            let beginning = text.get(start..limit)?;
            let verb = DEFINITIONS
                .all("defines")
                .filter_map(|verb| beginning.find(verb))
                .min()?;
            let range = trimmed(text, start..start + verb)?;
            let subject = text.get(range.clone())?;
            let plain = !subject.contains([',', '*', '`', '[', '_', ':', '，', '(', '\n']);
            let short = subject.chars().count() <= LETTERS && words(subject).count() <= WORDS;
            (plain && short).then_some(range)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_definitions_are_in_order_and_their_examples_hold() {
        assert_eq!(DEFINITIONS.faults(), [""; 0]);
        let wrong = DEFINITIONS.wrong_examples("after", |_, text| {
            let start = text.find("**").unwrap() + MARK;
            let end = text.rfind("**").unwrap();
            matches!(
                bold(text, start..end, end + MARK),
                Some((_, Certainty::Certain))
            )
        });
        assert_eq!(wrong, [""; 0]);
    }
}
