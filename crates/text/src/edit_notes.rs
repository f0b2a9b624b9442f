//! Notes about an edit that a model leaves in the text it has edited: “(revised)”,
//! “[Note: I changed the figure.]”. The words are data (`data/edit_notes`). Whether a
//! note is new is for the caller: a lesson may have such words of its own.

use std::ops::Range;

use crate::phrases::{PhraseList, is_unspaced};

static LIST: PhraseList = PhraseList::new(
    "edit_notes",
    &["phrase", "opening", "verb", "tag", "purpose"],
);

/// Characters of a note in brackets, at most.
const LONGEST: usize = 300;

/// The notes about an edit in a text, in its order.
#[must_use]
pub fn edit_notes(text: &str) -> Vec<Range<usize>> {
    let mut found = phrases_in(text);
    found.extend(bracketed(text).filter(|range| is_note(text, range)));
    found.extend(beginnings(text).filter(|range| is_spoken_note(text, range)));
    found.sort_by_key(|range| (range.start, range.end));
    found.dedup_by(|next, before| next.start < before.end);
    found
}

fn phrases_in(text: &str) -> Vec<Range<usize>> {
    let folded = fold(text);
    // Lower case may be longer or shorter; then places cannot be told.
    if folded.len() != text.len() {
        let is_found = LIST.all("phrase").any(|phrase| has_word(&folded, phrase));
        return is_found.then_some(0..text.len()).into_iter().collect();
    }
    LIST.all("phrase")
        .flat_map(|phrase| places(&folded, phrase))
        .collect()
}

/// What stands in brackets, without them.
fn bracketed(text: &str) -> impl Iterator<Item = Range<usize>> {
    const PAIRS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('（', '）'), ('【', '】')];
    text.char_indices().filter_map(move |(at, c)| {
        let (_, close) = PAIRS.iter().find(|(open, _)| *open == c)?;
        let start = at + c.len_utf8();
        let inside = text.get(start..)?;
        let mut rest = inside.char_indices().take(LONGEST);
        let (length, _) = rest.find(|(_, next)| next == close)?;
        Some(start..start + length)
    })
}

/// What begins a line or a sentence, to the end of its line.
fn beginnings(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let lines = text.split('\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    });
    lines.flat_map(move |line| {
        let words = text.get(line.clone()).unwrap_or_default();
        let ends = words.char_indices().filter_map(|(at, c)| match c {
            '.' | '!' | '?' => {
                let next = at + c.len_utf8();
                words.get(next..)?.starts_with(' ').then_some(next)
            }
            '。' | '！' | '？' => Some(at + c.len_utf8()),
            _ => None,
        });
        let starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
        starts.into_iter().map(move |at| line.start + at..line.end)
    })
}

fn is_note(text: &str, range: &Range<usize>) -> bool {
    let inside = fold(text.get(range.clone()).unwrap_or_default());
    let words = trimmed(&inside);
    LIST.all("tag")
        .any(|tag| tag == words || says_what_for(tag, words))
        || speaks_of_an_edit(words)
}

/// “edited to fix the wording”, “überarbeitet, um …”: a tag and a purpose.
fn says_what_for(tag: &str, words: &str) -> bool {
    let Some(rest) = words.strip_prefix(tag) else {
        return false;
    };
    let rest = rest.trim_start_matches([',', ' ', '，', '\u{a0}']);
    LIST.all("purpose").any(|purpose| {
        rest.strip_prefix(purpose)
            .is_some_and(|after| is_unspaced(purpose) || !after.starts_with(char::is_alphanumeric))
    })
}

/// What begins with a word like “Note” and a colon, or with a label such as “Revised:”.
fn is_spoken_note(text: &str, range: &Range<usize>) -> bool {
    let line = fold(text.get(range.clone()).unwrap_or_default());
    let is_heading = line.starts_with('#');
    let line = trimmed(line.trim_start_matches('#'));
    let head = line.split([':', '：']).next().unwrap_or_default();
    let is_label = LIST.all("tag").any(|tag| tag == trimmed(head));
    if is_label && (is_heading || head.len() < line.len()) {
        return true;
    }
    let is_opening = LIST.all("opening").any(|opening| opening == trimmed(head));
    is_opening && head.len() < line.len() && speaks_of_an_edit(line)
}

fn speaks_of_an_edit(words: &str) -> bool {
    let begins = |opening: &str| {
        words.strip_prefix(opening).is_some_and(|rest| {
            let next = rest.chars().next();
            next.is_none_or(|c| !c.is_alphanumeric()) || is_unspaced(opening)
        })
    };
    LIST.all("opening").any(begins) && LIST.all("verb").any(|verb| has_word(words, verb))
}

fn has_word(text: &str, word: &str) -> bool {
    places(text, word).next().is_some()
}

/// Where a phrase stands as whole words.
fn places<'t>(text: &'t str, phrase: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let is_free = is_unspaced(phrase);
    text.match_indices(phrase).filter_map(move |(at, _)| {
        let end = at + phrase.len();
        let before = text.get(..at)?.chars().next_back();
        let after = text.get(end..)?.chars().next();
        let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        (is_free || (is_edge(before) && is_edge(after))).then_some(at..end)
    })
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '.' | '。' | '>'))
}

/// Lower case, with plain apostrophes.
fn fold(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_every_language_hold() {
        assert_eq!(LIST.faults(), [""; 0]);
        for section in ["phrase", "opening", "tag", "purpose"] {
            let wrong = LIST.wrong_examples(section, |_, text| !edit_notes(text).is_empty());
            assert_eq!(wrong, [""; 0]);
        }
    }
}
