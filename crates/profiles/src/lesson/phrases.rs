//! Finds many phrases in a lesson at once: all phrases go into one tree of words,
//! and the lesson is read through it once, so that the cost grows with the sum of
//! both. Words match by stem, code exactly (ruling 13). It does not know what the
//! phrases are for.

use std::collections::HashMap;

use redraft_gate::content::Document;
use redraft_gate::vocabulary::{Key, Vocabulary, Word};

/// Phrases are compared up to this many words; Chinese characters count as words.
const LONGEST: usize = 24;

/// Spellings of one sequence of words that are distinguished (`C`, `C++`, `C#`).
const MOST_SPELLINGS: usize = 16;

/// Phrases to be looked up in one document.
pub(super) struct Phrases<'d> {
    document: &'d Document,
    vocabulary: &'d Vocabulary,
    next: HashMap<(u32, Key), u32>,
    /// The phrases that end at each node, each spelling once.
    ends: Vec<Vec<Ending>>,
    /// For every phrase the first one that reads the same; `None` where it
    /// cannot occur.
    same_as: Vec<Option<usize>>,
}

struct Ending {
    phrase: usize,
    /// What the text must say exactly, without white space; `None` if the words
    /// suffice.
    exact: Option<String>,
}

/// The caller makes sure that phrases and document are in the same language.
impl<'d> Phrases<'d> {
    pub(super) fn new<'p>(document: &'d Document, phrases: impl Iterator<Item = &'p str>) -> Self {
        let mut tree = Self {
            document,
            vocabulary: document.vocabulary(),
            next: HashMap::new(),
            ends: vec![Vec::new()],
            same_as: Vec::new(),
        };
        for (index, phrase) in phrases.enumerate() {
            let same_as = tree.plant(index, phrase);
            tree.same_as.push(same_as);
        }
        tree
    }

    /// The first phrase that reads like this one, under whose index both are
    /// found; `None` where it cannot occur.
    pub(super) fn same_as(&self, phrase: usize) -> Option<usize> {
        self.same_as.get(phrase).copied().flatten()
    }

    /// A phrase with a word that the document does not have cannot occur, and
    /// is left out.
    fn plant(&mut self, phrase: usize, text: &str) -> Option<usize> {
        let keys: Vec<Key> = self
            .vocabulary
            .keys(text)
            .take(LONGEST)
            .collect::<Option<_>>()?;
        if keys.is_empty() {
            return None;
        }
        let mut node = 0;
        for key in keys {
            let fresh = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
            node = *self.next.entry((node, key)).or_insert(fresh);
            if node == fresh {
                self.ends.push(Vec::new());
            }
        }
        let endings = self.ends.get_mut(node as usize)?;
        let exact = is_code(text)
            .then(|| squeezed(text.trim_matches('`')))
            .filter(|_| endings.len() < MOST_SPELLINGS);
        if let Some(twin) = endings.iter().find(|ending| ending.exact == exact) {
            return Some(twin.phrase);
        }
        endings.push(Ending { phrase, exact });
        Some(phrase)
    }

    /// Calls `found` for every occurrence, with the index of the first phrase
    /// that reads so and the words that it takes.
    pub(super) fn each(&self, mut found: impl FnMut(usize, &[Word])) {
        let words = self.vocabulary.words();
        for (index, first) in words.iter().enumerate() {
            if !first.begins {
                continue;
            }
            let mut node = 0;
            for (length, word) in words.iter().skip(index).take(LONGEST).enumerate() {
                if word.text != first.text {
                    break;
                }
                let Some(next) = self.next.get(&(node, word.key)) else {
                    break;
                };
                node = *next;
                let Some(endings) = self.ends.get(node as usize) else {
                    break;
                };
                if !word.ends || endings.is_empty() {
                    continue;
                }
                let taken = words.get(index..=index + length).unwrap_or_default();
                for ending in endings {
                    if self.occurs(ending, taken) {
                        found(ending.phrase, taken);
                    }
                }
            }
        }
    }

    fn occurs(&self, ending: &Ending, taken: &[Word]) -> bool {
        let (Some(exact), Some(first), Some(last)) = (&ending.exact, taken.first(), taken.last())
        else {
            return true;
        };
        let Some(field) = self.document.texts().get(first.text as usize) else {
            return false;
        };
        let Some(letter) = exact.find(char::is_alphanumeric) else {
            return false;
        };
        let (lead, rest) = exact.split_at(letter);
        let before = field.text.get(..first.start as usize).unwrap_or_default();
        let after = field.text.get(first.start as usize..).unwrap_or_default();
        let reach = last.end as usize - first.start as usize;
        ends_with(before, lead) && begins_with(after, rest, reach)
    }
}

/// Whether a text ends with letters, white space left out.
fn ends_with(text: &str, letters: &str) -> bool {
    let mut there = text.chars().rev().filter(|c| !c.is_whitespace());
    letters
        .chars()
        .rev()
        .all(|letter| there.next() == Some(letter))
}

/// Whether a text begins with letters, white space left out, and with all of its
/// first `reach` bytes.
fn begins_with(text: &str, letters: &str, reach: usize) -> bool {
    let mut there = text.char_indices().filter(|(_, c)| !c.is_whitespace());
    let mut at = 0;
    for letter in letters.chars() {
        match there.next() {
            Some((start, c)) if c == letter => at = start + c.len_utf8(),
            _ => return false,
        }
    }
    // `C+` is not `C++`.
    let goes_on = there
        .next()
        .is_some_and(|(start, c)| start == at && is_code_sign(c) && letters.ends_with(c));
    at >= reach && !goes_on
}

/// Whether a phrase is code, which is compared to the letter.
fn is_code(phrase: &str) -> bool {
    phrase.contains(is_code_sign)
}

fn is_code_sign(c: char) -> bool {
    matches!(
        c,
        '_' | '('
            | ')'
            | '{'
            | '}'
            | '['
            | ']'
            | '<'
            | '>'
            | '='
            | '\\'
            | ';'
            | '@'
            | '$'
            | '#'
            | '+'
            | '*'
            | '&'
            | '|'
            | '^'
            | '~'
            | '`'
    )
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;
    use redraft_text::language::Language;

    use super::*;
    use crate::lesson::Lesson;

    fn found(language: &str, text: &str, phrase: &str) -> usize {
        let raw = reading::read(Source::new(text.as_bytes().to_vec()), Hint::Markdown);
        let document = Lesson.parse(raw, Language::parse(language));
        let mut count = 0;
        Phrases::new(&document, [phrase].into_iter()).each(|_, _| count += 1);
        count
    }

    #[test]
    fn words_are_found_by_stem_and_code_to_the_letter() {
        for (language, text, phrase, expected) in [
            ("en", "Plants need light.", "plant", 1),
            ("en", "The planet is big.", "plan", 0),
            (
                "en",
                "A client-server model; clients and servers.",
                "client server",
                1,
            ),
            ("en", "Call `fetch()` now.", "fetch", 1),
            ("en", "Call `fetch()` now.", "fetch()", 1),
            ("en", "We fetch it.", "fetch()", 0),
            ("en", "Write C++ or C# code in C.", "C++", 1),
            ("en", "Write C+++ code.", "C++", 0),
            ("en", "Write C++ or C# code in C.", "C#", 1),
            ("en", "At 100 °C it boils, not at 1000.", "100", 1),
            ("en", "```js\nconst x = await fetch(url);\n```", "await", 1),
            ("en", "use max_words here", "max_word", 0),
            ("ru", "Работаем с запросами к базам данных.", "запрос", 1),
            (
                "ru",
                "Работаем с запросами к базам данных.",
                "база данных",
                1,
            ),
            ("de", "Die Pflanzen brauchen Licht.", "Pflanze", 1),
            ("fr", "L’énergie de l'eau.", "eau", 1),
            ("zh", "植物通过光合作用制造养分。", "光合作用", 1),
            ("zh", "植物通过光合作用制造养分。", "合作", 0),
            ("zh", "使用 HTML 和 CSS 学习网页。", "HTML", 1),
        ] {
            assert_eq!(found(language, text, phrase), expected, "{text} / {phrase}");
        }
    }

    #[test]
    fn many_phrases_and_a_long_lesson_cost_their_sum() {
        let text = "alpha beta c++ gamma alpha alpha. ".repeat(30_000);
        let raw = reading::read(Source::new(text.into_bytes()), Hint::Markdown);
        let document = Lesson.parse(raw, Language::parse("en"));
        let phrases: Vec<String> = (0..100_000)
            .map(|number| match number % 4 {
                0 => "alpha ".repeat(number % 40 + 1),
                1 => format!("c{}", "+".repeat(number % 1000)),
                2 => format!("keyword{number}"),
                _ => "alpha beta".to_owned(),
            })
            .collect();
        let mut seen = 0_usize;
        let tree = Phrases::new(&document, phrases.iter().map(String::as_str));
        tree.each(|_, _| seen += 1);
        assert!(seen > 0);
    }
}
