//! Syllables of English words: groups of vowels, and a list of the words for which
//! that rule is wrong by the CMU Pronouncing Dictionary.

use std::cell::RefCell;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{Paragraph, is_term_word, mask};
use crate::markdown::Markdown;
use crate::words::words;

/// What the Flesch-Kincaid grade is made of.
///
/// Its sentences are counted as the grade has always been counted, so that it
/// can be compared with that of other tools (textstat): a sentence is what ends
/// at a `.`, `!` or `?` before a space, if it has more than two words. An
/// abbreviation ends one, too; the universal measures use a real segmenter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnglishWords {
    /// Words; with a hyphen in it, it is one.
    pub words: usize,
    pub syllables: usize,
    /// Sentences of more than two words.
    pub sentences: usize,
}

/// No more words than this make no sentence.
const FRAGMENT: usize = 2;

impl EnglishWords {
    /// Adds the prose of paragraphs; code and formulas count as words of a
    /// sentence only.
    pub fn add(&mut self, text: &str, markdown: &Markdown, paragraphs: &[Paragraph]) {
        let mut masked = String::new();
        for paragraph in paragraphs {
            mask(text, markdown, &paragraph.range, &mut masked);
            REMEMBERED.with_borrow_mut(|known| self.add_prose(&masked, known));
        }
    }

    fn add_prose(&mut self, prose: &str, known: &mut Remembered) {
        let mut before = None;
        let mut in_sentence = 0;
        for (range, word) in words(prose) {
            let gap = before.and_then(|end| prose.get(end..range.start));
            before = Some(range.end);
            if gap.is_some_and(ends_a_sentence) {
                self.sentences += usize::from(in_sentence > FRAGMENT);
                in_sentence = 0;
            }
            let is_joined = gap == Some("-");
            in_sentence += usize::from(!is_joined);
            if is_term_word(word) {
                continue;
            }
            self.words += usize::from(!is_joined);
            self.syllables += known.syllables_of(word);
        }
        self.sentences += usize::from(in_sentence > FRAGMENT);
    }
}

/// Words that come again and again, so that they are not looked up again and
/// again. What is remembered is only ever what would be found.
#[derive(Default)]
struct Remembered(FxHashMap<Box<str>, usize>);

thread_local! {
    static REMEMBERED: RefCell<Remembered> = RefCell::default();
}

impl Remembered {
    fn syllables_of(&mut self, word: &str) -> usize {
        const MOST: usize = 1 << 14;
        if let Some(&syllables) = self.0.get(word) {
            return syllables;
        }
        let syllables = syllables_of(word);
        if word.len() <= LONGEST {
            if self.0.len() >= MOST {
                self.0.clear();
            }
            self.0.insert(word.into(), syllables);
        }
        syllables
    }
}

/// Longer than any word of the list.
const LONGEST: usize = 40;

/// Whether the text between two words ends a sentence.
fn ends_a_sentence(gap: &str) -> bool {
    // Between most words there is a single space.
    gap.len() > 1 && gap.contains(['.', '!', '?', '…']) && gap.contains(char::is_whitespace)
}

/// The syllables of one English word; at least one where it has a letter.
#[must_use]
pub fn syllables_of(word: &str) -> usize {
    if word.len() > LONGEST {
        return by_vowels(word);
    }
    let lower = word.to_lowercase().replace('’', "'");
    if let Some(syllables) = EXCEPTIONS.get(lower.as_str()) {
        return *syllables;
    }
    // A possessive sounds like its owner, but for those in the list.
    match lower.strip_suffix("'s").filter(|owner| !owner.is_empty()) {
        Some(owner) => EXCEPTIONS
            .get(owner)
            .copied()
            .unwrap_or_else(|| by_vowels(owner)),
        None => by_vowels(&lower),
    }
}

/// Words that the rule gets wrong, with their syllables: a line `[2]` stands before
/// all that have two.
static EXCEPTIONS: LazyLock<FxHashMap<&'static str, usize>> = LazyLock::new(|| {
    let mut known = FxHashMap::default();
    let mut syllables = 0;
    let lines = include_str!("../../data/syllables/en.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        match line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            Some(number) => syllables = number.parse().unwrap_or_default(),
            None => known.extend(line.split_whitespace().map(|word| (word, syllables))),
        }
    }
    known
});

/// Groups of vowels, less a silent `e` at the end.
fn by_vowels(word: &str) -> usize {
    let is_vowel = |c: char| {
        matches!(
            c,
            'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'é' | 'è' | 'ö' | 'ü' | 'ä'
        )
    };
    let mut count = 0;
    let mut before = false;
    for c in word.chars() {
        let vowel = is_vowel(c);
        count += usize::from(vowel && !before);
        before = vowel;
    }
    let silent = word.ends_with("es") && !word.ends_with("ies") && !ends_hissing(word)
        || word.ends_with("ed") && !word.ends_with("ted") && !word.ends_with("ded")
        || word.ends_with('e') && !word.ends_with("le");
    if silent && count > 1 {
        count -= 1;
    }
    let has_letter = word.chars().any(char::is_alphanumeric);
    count.max(usize::from(has_letter))
}

/// `boxes`, `houses`: the `e` is spoken.
fn ends_hissing(word: &str) -> bool {
    ["ses", "zes", "xes", "ches", "shes", "ces", "ges"]
        .iter()
        .any(|ending| word.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_a_hyphen_is_one_word() {
        let mut counted = EnglishWords::default();
        counted.add_prose("A well-known kettle - hot", &mut Remembered::default());
        assert_eq!((counted.words, counted.syllables), (4, 6));
    }

    #[test]
    fn a_stop_before_a_space_ends_a_sentence_of_three_words() {
        for (prose, expected) in [
            ("", 0),
            ("Didn't", 0),
            ("It boils. It really boils. Yes", 1),
            ("It is 3.14 metres. See page.html for it!", 2),
            ("She said: “Is it so?” He did not know.", 2),
            ("Turn the T.V. off and read", 2),
            ("Wait ... it will boil", 1),
        ] {
            let mut counted = EnglishWords::default();
            counted.add_prose(prose, &mut Remembered::default());
            assert_eq!(counted.sentences, expected, "{prose}");
        }
    }

    #[test]
    fn syllables_are_counted() {
        for (word, expected) in [
            ("water", 2),
            ("Photosynthesis", 5),
            ("don’t", 1),
            ("day's", 1),
            ("people", 2),
            ("area", 3),
            ("people’s", 2),
            ("stone's", 1),
            ("xylotrope", 3),
            ("refactored", 3),
            ("42", 1),
            ("", 0),
        ] {
            assert_eq!(syllables_of(word), expected, "{word}");
        }
    }
}
