//! Sentences of a case or a question that point at an option. Knows texts alone.

use std::sync::LazyLock;

use redraft_text::phrases::is_unspaced;
use redraft_text::word_index::WordIndex;

use super::{LIST, folded, says};

/// How many sentences of a text point at an option: a short one with the letter of an option
/// (“Kreuzen Sie A an.”), one that speaks of the answer beside such a letter, and a statement
/// that counts the options (“It is the first option.”). What is said before the options must
/// not; whether it names the right one does not matter.
pub(in crate::items) fn pointing(text: &str, options: usize) -> usize {
    let sentences = sentences(text);
    let points = |sentence: &str| {
        let lower = folded(sentence);
        let of_answer = || {
            ["the answer", "is right"]
                .into_iter()
                .any(|section| LIST.all(section).any(|phrase| says(&lower, phrase)))
        };
        names_letter(sentence, options) && (is_short(sentence) || of_answer())
            || !sentence.ends_with(['?', '？', '؟']) && counts_options(&lower, &of_answer)
    };
    sentences
        .into_iter()
        .filter(|sentence| points(sentence))
        .count()
}

/// Sentences and what is in brackets; a single letter before a full stop begins a name
/// (“E. coli”).
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let is_lone = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let mut back = before.chars().rev();
        let is_letter = back.next().is_some_and(char::is_uppercase);
        let after = text.get(at + 1..).unwrap_or_default().trim_start();
        is_letter
            && back.next().is_none_or(|c| !c.is_alphanumeric())
            && after.starts_with(char::is_lowercase)
    };
    for (at, c) in text.char_indices() {
        let is_end = match c {
            '.' => {
                !is_lone(at)
                    && !text
                        .get(at + 1..)
                        .is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
            }
            '!' | '?' | '。' | '！' | '？' | '؟' | '\n' | ')' | ']' | '）' => true,
            '(' | '[' | '（' => {
                found.push(text.get(start..at).unwrap_or_default());
                start = at + c.len_utf8();
                false
            }
            _ => false,
        };
        if is_end {
            let end = at + c.len_utf8();
            found.push(text.get(start..end).unwrap_or_default());
            start = end;
        }
    }
    found.push(text.get(start..).unwrap_or_default());
    let trimmed = found.into_iter().map(str::trim);
    trimmed.filter(|sentence| !sentence.is_empty()).collect()
}

/// The most words of a sentence that says nothing but which option to take.
const SHORT: usize = 6;
/// The same in a script without spaces, in signs.
const SHORT_SIGNS: usize = 14;

fn is_short(sentence: &str) -> bool {
    let unspaced = |c: char| is_unspaced(c.encode_utf8(&mut [0; 4]));
    let signs = sentence.chars().filter(|c| unspaced(*c)).count();
    let words = sentence.split(|c: char| !c.is_alphanumeric());
    signs <= SHORT_SIGNS && words.filter(|word| !word.is_empty()).count() <= SHORT
}

/// Whether a sentence has the letter of an option that no word before it claims (“vitamin C”),
/// and that is no article.
fn names_letter(sentence: &str, options: usize) -> bool {
    let is_foreign = |c: char| is_unspaced(c.encode_utf8(&mut [0; 4]));
    let mut previous = "";
    let mut is_first = true;
    for word in sentence.split(|c: char| !c.is_alphanumeric() || is_foreign(c)) {
        if word.is_empty() {
            continue;
        }
        let at = word.as_ptr().addr() - sentence.as_ptr().addr();
        let after = sentence.get(at + word.len()..).unwrap_or_default();
        let letter = word.bytes().next().filter(|_| word.len() == 1);
        let is_latin =
            letter.is_some_and(|letter| usize::from(letter.wrapping_sub(b'A')) < options.min(26));
        let is_other = || {
            let is_long = word.chars().nth(1).is_some();
            // In small letters such a word is a preposition: “в”, “а”.
            let is_small = word.chars().all(char::is_lowercase);
            !is_long && !is_small && crate::items::labels::is_of_another_alphabet(word, options)
        };
        // “E. coli”, “B-cell”, “p.o.”, and “A man” at the beginning.
        let is_part = after.starts_with(['-', '\'', '’', '/', '+', '=', '²'])
            || after.starts_with('.')
                && after
                    .trim_start_matches('.')
                    .trim_start()
                    .starts_with(char::is_lowercase);
        let next = after.trim_start();
        // “G.A agent”, “C = gravid”
        let is_part = is_part
            || next.starts_with('=')
            || sentence
                .get(..at)
                .is_some_and(|before| before.ends_with(['.', '-', '/', '=']));
        let opens = is_first && after.starts_with(' ') && next.starts_with(char::is_alphanumeric);
        let is_named = || {
            let next = next.to_lowercase();
            LIST.all("option").any(|noun| next.starts_with(noun))
        };
        if (is_latin || is_other())
            && !is_part
            && (!opens || is_named())
            && !crate::items::option_words::is_labelled(previous)
        {
            return true;
        }
        previous = word;
        is_first = false;
    }
    false
}

/// Whether a statement counts the options: an ordinal, and an option or the answer.
fn counts_options(lower: &str, of_answer: &dyn Fn() -> bool) -> bool {
    static ORDINALS: LazyLock<WordIndex> = LazyLock::new(|| {
        let lines = LIST.all("ordinal").filter_map(|line| line.split_once(' '));
        WordIndex::new(lines.map(|(_, ordinal)| ordinal))
    });
    if !ORDINALS.any_in(lower) {
        return false;
    }
    let ordinals = LIST.all("ordinal").filter_map(|line| line.split_once(' '));
    let mut ordinals = ordinals.map(|(_, ordinal)| ordinal);
    let mut nouns = LIST.all("option").filter(|noun| noun.chars().count() > 1);
    ordinals.any(|ordinal| says(lower, ordinal))
        && (nouns.any(|noun| says(lower, noun)) || of_answer())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_point_at_an_option_are_counted() {
        for (text, expected) in [
            ("Welche Untersuchung ist angezeigt? Kreuzen Sie A an.", 1),
            ("Quel examen ? Cochez la case A.", 1),
            ("Welke keus? Kruis A aan.", 1),
            ("En olası tanı hangisidir? A şıkkını işaretleyiniz.", 1),
            ("どれか。正解はAです。", 1),
            ("ما الدواء؟ الإجابة الصحيحة هي أ.", 1),
            ("Какой препарат? Отметьте Б.", 1),
            ("Which is it? (Solution: A)", 1),
            ("Which is it? Circle A.", 1),
            (
                "The retina is pale with a red spot, so that A is the answer.",
                1,
            ),
            ("Which is it? The first one listed is right.", 1),
            ("Welche? Tipp: Es ist die erste Option.", 1),
            ("Какая река впадает в море?", 0),
            ("Какой газ преобладает в воздухе?", 0),
            ("A man coughs.", 0),
            ("He has hepatitis B.", 0),
            ("It was E. coli.", 0),
            ("The culture grew C. difficile.", 0),
            ("He lacks vitamin D.", 0),
            ("The B-cells are few.", 0),
            ("Which drug is the first choice?", 0),
            ("E depois?", 0),
            ("It is a G.A agent.", 0),
            ("C = gravid, P = para?", 0),
            (
                "A 58-year-old man with a dry cough takes a tablet of 5 mg.",
                0,
            ),
            (
                "Which antibody attacks the A antigen on the cells of this donor?",
                0,
            ),
        ] {
            assert_eq!(pointing(text, 4), expected, "{text}");
        }
    }
}
