//! Sentences that break off inside a text, found by words of its language: one that stops
//! at a word that needs another, and one in the middle of which the next begins. What a
//! text looked like before is not known here.
//!
//! | found | left alone |
//! |---|---|
//! | `the lower is the. Cooks use` | words in quotation marks or italics, letters (`the value of a.`), dots |
//! | `a hundred deg The heat makes` | titles (`The Hobbit`), a new line, marks before the word |

use std::ops::Range;

use crate::phrases::{PhraseFile, PhraseList};

static LIST: PhraseList = PhraseList::new("cut_sentences", &["needs-more", "openers"]);

/// Where sentences break off in a text of a language, in its order.
#[must_use]
pub fn cut_sentences(text: &str, language: &str) -> Vec<Range<usize>> {
    let Some(file) = LIST.file(language) else {
        return Vec::new();
    };
    let mut found = stops_early(text, file);
    found.extend(begins_inside(text, file));
    found.sort_by_key(|range| range.start);
    found
}

/// Words before a full stop that need another, with the full stop.
fn stops_early(text: &str, file: &PhraseFile) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, stop) in text.match_indices(['.', '!', '?', '。', '！', '？']) {
        let after = text.get(at + stop.len()..).unwrap_or_default();
        // Dots leave something out on purpose; a name of a file goes on.
        if stop.is_ascii() && after.starts_with(|c: char| c.is_alphanumeric() || c == '.') {
            continue;
        }
        let before = text.get(..at).unwrap_or_default();
        let start = if stop.is_ascii() {
            let word = |c: &char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-');
            let length: usize = before
                .chars()
                .rev()
                .take_while(word)
                .map(char::len_utf8)
                .sum();
            at - length
        } else {
            let mut words = file
                .words("needs-more")
                .filter(|word| before.ends_with(word));
            at - words.next().map_or(0, str::len)
        };
        let word = text.get(start..at).unwrap_or_default();
        let is_marked = text
            .get(..start)
            .is_some_and(|before| before.ends_with(['*', '_', '`', '“', '"', '„', '«', '\\', '.']));
        if word.chars().count() > 1 && !is_marked && file.words("needs-more").any(|one| one == word)
        {
            found.push(start..at + stop.len());
        }
    }
    found
}

/// Words with a capital letter that begin a sentence, after a word without any mark; with
/// the word before.
fn begins_inside(text: &str, file: &PhraseFile) -> Vec<Range<usize>> {
    let words: Vec<(usize, &str)> = spaced(text).collect();
    let is_plain = |word: &str| word.chars().all(char::is_alphabetic);
    let begins_small = |word: &str| word.starts_with(char::is_lowercase);
    let mut found = Vec::new();
    for three in words.windows(3) {
        let [(start, before), (at, word), (_, after)] = *three else {
            continue;
        };
        let gap = text.get(start + before.len()..at).unwrap_or_default();
        let is_opener = is_plain(word)
            && word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().skip(1).all(char::is_lowercase)
            && word.chars().count() > 1;
        if gap != " " || !is_opener || !is_plain(before) {
            continue;
        }
        // In German a noun has a capital letter, too, on either side.
        let is_prose = match file.language {
            "de" => before.chars().count() > 1,
            _ => begins_small(before) && begins_small(after),
        };
        let small = word.to_lowercase();
        if is_prose && file.words("openers").any(|one| one == small) {
            found.push(start..at + word.len());
        }
    }
    found
}

/// Words as white space separates them.
fn spaced(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(char::is_whitespace).filter_map(move |word| {
        let start = at;
        at = start + word.len();
        at += text
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_in_order_and_their_examples_hold() {
        assert_eq!(LIST.faults(), [""; 0]);
        let wrong = LIST.wrong_examples("needs-more", |file, text| {
            !stops_early(text, file).is_empty()
        });
        assert_eq!(wrong, [""; 0]);
        let wrong = LIST.wrong_examples("openers", |file, text| {
            !begins_inside(text, file).is_empty()
        });
        // Chinese has no capital letters.
        let wrong: Vec<String> = wrong
            .into_iter()
            .filter(|one| !one.contains("/zh.txt"))
            .collect();
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn places_are_those_of_the_words() {
        let text = "It is the lower. It is the. A hundred deg The heat\nThe end is near it";
        let found: Vec<&str> = cut_sentences(text, "en")
            .into_iter()
            .map(|range| &text[range])
            .collect();
        assert_eq!(found, ["the.", "deg The"]);
        assert!(cut_sentences(text, "xx").is_empty());
    }
}
