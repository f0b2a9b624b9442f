//! The terms that a text defines.
//!
//! | written | a definition where |
//! |---|---|
//! | `**term** is …`, `**термин** — это …` | always |
//! | `… called **term**`, `…, the **term**` | always |
//! | `**term**: …`, `**term** — …`, `**term** (…` | the term comes again, and not in bold: labels look the same |
//! | `A term is a …`, `Термин — это …`, `术语是指…` at the start of a sentence | the term comes again |

use std::collections::BTreeMap;
use std::ops::Range;

use redraft_text::words::words;

use super::tokens::Tokens;
use redraft_gate::content::{Document, TextField};

/// Words and characters of a term, at most.
const WORDS: usize = 4;
const LETTERS: usize = 40;

/// Terms of one text, at most.
const MOST: usize = 300;

/// What comes after a term that is defined: verbs of the languages we know.
const BEHIND: &[&str] = &[
    "is ",
    "are ",
    "means ",
    "mean ",
    "refers to ",
    "refer to ",
    "stands for ",
    "describes ",
    "это ",
    "означает ",
    "называ",
    "представляет ",
    "ist ",
    "sind ",
    "bedeutet ",
    "heißt ",
    "est ",
    "sont ",
    "désigne ",
    "es ",
    "son ",
    "significa ",
    "é ",
    "são ",
    "è ",
    "sono ",
    "是",
    "指",
    "即",
    "表示",
    "— это",
    "– это",
    "- это",
];

/// What may come after a label as well.
const PERHAPS: &[&str] = &[":", "：", "— ", "– ", "- ", "(", "（"];

/// What comes before a term that is introduced.
const BEFORE: &[&str] = &[
    "called",
    "known as",
    "named",
    "termed",
    "call it",
    "call this",
    "call them",
    ", the",
    ", a",
    ", an",
    "называется",
    "называются",
    "называют",
    "называем",
    "genannt",
    "heißt",
    "appelé",
    "appelée",
    "appelle",
    "llamado",
    "llamada",
    "llama",
    "chamado",
    "chamada",
    "chiamato",
    "chiamata",
    "称为",
    "叫做",
    "叫作",
    "所谓",
];

/// What comes after the subject of a sentence that defines it.
const DEFINES: &[&str] = &[
    " is a ",
    " is an ",
    " is the ",
    " are the ",
    " is any ",
    " means ",
    " refers to ",
    " is called ",
    " is defined as ",
    " — это ",
    " – это ",
    " - это ",
    " это ",
    " называется ",
    " называют ",
    " ist ein ",
    " ist eine ",
    " ist die ",
    " ist der ",
    " ist das ",
    " est un ",
    " est une ",
    " est le ",
    " est la ",
    " es un ",
    " es una ",
    " es el ",
    " es la ",
    " é um ",
    " é uma ",
    " è un ",
    " è una ",
    "是指",
    "指的是",
    "是一种",
    "是一个",
    "就是",
];

/// Articles that are not part of a term.
const ARTICLES: &[&str] = &[
    "a", "an", "the", "der", "die", "das", "ein", "eine", "le", "la", "les", "un", "une", "el",
    "los", "las", "una", "o", "os", "as", "um", "uma", "il", "lo", "gli", "i",
];

/// The terms that a document defines, as words and as written, in the order of
/// the text.
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
                // A subject is in plain print itself.
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

/// What is printed in bold and defined there.
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

/// Two stars.
const MARK: usize = 2;

/// What is printed in bold, without its marks, in order.
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
    let behind = text.get(end..)?.trim_start_matches('*');
    let spaced = behind.trim_start_matches(' ');
    let before = text.get(..inside.start.checked_sub(MARK)?)?;
    let before = before
        .trim_end_matches(['*', '_', '“', '"', '«', '‘'])
        .trim_end_matches(' ');
    let before = lowered_end(before);
    if BEFORE.iter().any(|word| before.ends_with(word))
        || (!ends_in_colon && BEHIND.iter().any(|word| spaced.starts_with(word)))
    {
        Some((range, Certainty::Certain))
    } else if ends_in_colon || PERHAPS.iter().any(|sign| spaced.starts_with(sign)) {
        Some((range, Certainty::IfUsedAgain))
    } else {
        None
    }
}

/// Without quotation marks, colons and articles around it.
fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let is_edge = |c: char| !c.is_alphanumeric() && !matches!(c, ')' | '）' | '+' | '#');
    let written = text.get(range.clone())?;
    let start = range.start + (written.len() - written.trim_start_matches(is_edge).len());
    let end = range.end - (written.len() - written.trim_end_matches(is_edge).len());
    let written = text.get(start..end)?;
    let start = match written.split_once(' ') {
        Some((article, rest)) if ARTICLES.contains(&article.to_lowercase().as_str()) => {
            end - rest.len()
        }
        _ => start,
    };
    (start < end).then_some(start..end)
}

/// The last few characters in lower case.
fn lowered_end(text: &str) -> String {
    let start = text.len().saturating_sub(40);
    let start = text.ceil_char_boundary(start);
    text.get(start..).unwrap_or_default().to_lowercase()
}

/// Subjects of sentences that say what they are.
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
            let verb = DEFINES
                .iter()
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
