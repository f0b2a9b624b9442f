//! The words of a document as they are looked up: by stem, so that a word is
//! found in all its forms, with their places.
//!
//! | word | its key |
//! |---|---|
//! | in a language with a stemmer | the stem, in lower case |
//! | with a digit or an underscore | itself, in lower case |
//! | in Chinese or Japanese | a key for every character |
//! | anything else | itself, in lower case |
//!
//! Chinese and Japanese are split by a dictionary, which splits a phrase on its
//! own and the same phrase in a sentence differently; so characters are compared
//! there, and a word knows whether a word begins or ends with it. What is looked
//! for, and what follows from its absence, is not known here.

use std::collections::HashMap;
use std::ops::Range;

use redraft_text::language::Language;
use redraft_text::stems;
use redraft_text::words::words;

use crate::content::{Document, TextField, TextRole};

/// A word at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The key it is looked up by.
    pub key: Key,
    /// The index of its text among the document's texts.
    pub text: u32,
    /// First byte in that text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The index of the first-level component it stands in; 0 outside all.
    pub part: u32,
    /// Whether it stands in code.
    pub in_code: bool,
    /// Whether a word begins here; characters inside a Chinese word do not.
    pub begins: bool,
    /// Whether a word ends here.
    pub ends: bool,
}

impl Word {
    /// Its bytes in its text.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What a word is looked up by, within one vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u32);

/// All words of a document.
#[derive(Debug, Default)]
pub struct Vocabulary {
    words: Vec<Word>,
    keys: HashMap<Box<str>, Key>,
    /// For every key the parts in which it occurs, as bits.
    parts: Vec<u64>,
    language: Option<Language>,
}

impl Vocabulary {
    /// Collects the words of a document: its prose and its code, not its
    /// addresses, comments and front matter.
    #[must_use]
    pub(crate) fn of(document: &Document) -> Self {
        let mut vocabulary = Self {
            language: document.language().copied(),
            ..Self::default()
        };
        let mut known: HashMap<&str, Key> = HashMap::new();
        let parts = Parts::of(document);
        for (index, field) in document.texts().iter().enumerate() {
            let mut part = parts.cursor(document, field);
            for (range, in_code) in readable(field) {
                let Some(stretch) = field.text.get(range.clone()) else {
                    continue;
                };
                for piece in pieces(stretch) {
                    let at = range.start + piece.range.start..range.start + piece.range.end;
                    let key = *known
                        .entry(piece.text)
                        .or_insert_with(|| vocabulary.learn(piece.text));
                    let part = part.at(at.start);
                    vocabulary.parts[key.0 as usize] |= 1 << (part % 64);
                    vocabulary.words.push(Word {
                        key,
                        text: narrow(index),
                        start: narrow(at.start),
                        end: narrow(at.end),
                        part,
                        in_code,
                        begins: piece.begins,
                        ends: piece.ends,
                    });
                }
            }
        }
        vocabulary
    }

    /// The words, in the order of the texts.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The keys of a phrase; `None` for a word that the document does not have.
    pub fn keys<'a>(&'a self, phrase: &'a str) -> impl Iterator<Item = Option<Key>> + 'a {
        pieces(phrase)
            .map(|piece| normal(piece.text, self.language))
            .map(|key| self.keys.get(key.as_str()).copied())
    }

    /// Whether all keys occur in one part of the document. Beyond 64 parts some
    /// share a bit, so that the answer may be a mistaken yes.
    #[must_use]
    pub fn share_a_part(&self, keys: &[Key]) -> bool {
        let shared = keys.iter().fold(u64::MAX, |shared, key| {
            shared & self.parts.get(key.0 as usize).copied().unwrap_or(0)
        });
        shared != 0
    }

    fn learn(&mut self, word: &str) -> Key {
        let next = Key(narrow(self.keys.len()));
        let key = *self
            .keys
            .entry(normal(word, self.language).into_boxed_str())
            .or_insert(next);
        if key == next {
            self.parts.push(0);
        }
        key
    }
}

/// Texts beyond four gigabytes are not read at all.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What a phrase is looked up by, one key a word or a Chinese character: equal
/// keys are forms of one word.
#[must_use]
pub fn normal_keys(phrase: &str, language: Option<Language>) -> Vec<String> {
    pieces(phrase)
        .map(|piece| normal(piece.text, language))
        .collect()
}

/// The form by which a word is looked up.
fn normal(word: &str, language: Option<Language>) -> String {
    let word = without_article(word, language);
    if word.contains(|c: char| c.is_numeric() || c == '_') {
        return word.to_lowercase();
    }
    let straight = word.replace('’', "'");
    let stem = language
        .and_then(|language| stems::stem(&straight, &language).map(std::borrow::Cow::into_owned))
        .unwrap_or_else(|| word.to_lowercase());
    match language {
        Some(Language::RU) => without_fleeting_vowel(stem),
        _ => stem,
    }
}

/// Snowball does not know that `о` and `е` come and go in Russian: `список`,
/// `списка`; `ссылка`, `ссылок`; `число`, `чисел`. They are left out everywhere.
fn without_fleeting_vowel(stem: String) -> String {
    let mut last = stem.chars().rev();
    let (end, vowel, before) = (last.next(), last.next(), last.next());
    let fleeting = matches!(end, Some('к' | 'ц' | 'л' | 'н'))
        && matches!(vowel, Some('о' | 'е'))
        && before.is_some_and(|c| c.is_alphabetic() && !"аеиоуыэюя".contains(c))
        && last.next().is_some();
    match (fleeting, vowel, end) {
        (true, Some(vowel), Some(end)) => {
            let kept = stem.len() - vowel.len_utf8() - end.len_utf8();
            format!("{}{end}", stem.get(..kept).unwrap_or_default())
        }
        _ => stem,
    }
}

/// French and Italian write articles on to their words: `l'eau`, `dell'acqua`.
fn without_article(word: &str, language: Option<Language>) -> &str {
    let elides = language.is_some_and(|language| matches!(language.as_str(), "fr" | "it"));
    match word.split_once(['\'', '’']) {
        Some((article, noun)) if elides && article.len() <= 6 && !noun.is_empty() => noun,
        _ => word,
    }
}

/// A word, or a character of a Chinese or Japanese one.
struct Token<'t> {
    text: &'t str,
    range: Range<usize>,
    begins: bool,
    ends: bool,
}

fn pieces(text: &str) -> impl Iterator<Item = Token<'_>> {
    words(text).flat_map(|(range, word)| {
        let step = if word.chars().all(is_wide) {
            None
        } else {
            Some(word.len())
        };
        let mut at = 0;
        std::iter::from_fn(move || {
            let rest = word.get(at..).filter(|rest| !rest.is_empty())?;
            let length = step.or_else(|| rest.chars().next().map(char::len_utf8))?;
            let piece = Token {
                text: rest.get(..length)?,
                range: range.start + at..range.start + at + length,
                begins: at == 0,
                ends: at + length == word.len(),
            };
            at += length;
            Some(piece)
        })
    })
}

/// Han, Hiragana and Katakana, which are written without spaces.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Prose and code of a text in order, with whether it is code.
fn readable(field: &TextField) -> Vec<(Range<usize>, bool)> {
    if field.role == TextRole::Code {
        return vec![(0..field.text.len(), true)];
    }
    let markdown = field.markdown();
    let mut ranges: Vec<(Range<usize>, bool)> = markdown
        .prose
        .iter()
        .map(|range| (range.clone(), false))
        .chain(markdown.code.iter().map(|range| (range.clone(), true)))
        .collect();
    ranges.sort_by_key(|(range, _)| range.start);
    ranges
}

/// The components of the first level with their place.
struct Parts {
    ranges: Vec<(Range<usize>, u32)>,
}

impl Parts {
    fn of(document: &Document) -> Self {
        let ranges = document
            .components()
            .iter()
            .enumerate()
            .filter(|(_, component)| component.parent == Some(0))
            .map(|(index, component)| (component.range.clone(), narrow(index)))
            .collect();
        Self { ranges }
    }

    fn cursor<'a>(&'a self, document: &Document, field: &TextField) -> PartCursor<'a> {
        let (ranges, fixed) = if field.path.is_empty() {
            (self.ranges.as_slice(), 0)
        } else {
            (&[] as &[_], narrow(first_level(document, field.component)))
        };
        PartCursor {
            ranges,
            offset: field.map.source_span().start,
            fixed,
        }
    }
}

/// The ancestor of a component that lies directly in the document.
fn first_level(document: &Document, mut component: usize) -> usize {
    while let Some(parent) = document
        .components()
        .get(component)
        .and_then(|component| component.parent)
        && parent != 0
    {
        component = parent;
    }
    component
}

/// Finds the parts of ever later places of a text.
struct PartCursor<'a> {
    ranges: &'a [(Range<usize>, u32)],
    offset: usize,
    fixed: u32,
}

impl PartCursor<'_> {
    fn at(&mut self, at: usize) -> u32 {
        let at = self.offset + at;
        while let Some(((range, _), rest)) = self.ranges.split_first() {
            if at < range.end {
                break;
            }
            self.ranges = rest;
        }
        match self.ranges.first() {
            Some((range, index)) if range.start <= at => *index,
            _ => self.fixed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_key() {
        for (language, one, other, alike) in [
            ("en", "Plants grow", "the plant growing", false),
            ("en", "plants", "Plant", true),
            ("en", "the plant’s", "the plants", true),
            ("ru", "запросами", "Запрос", true),
            ("ru", "список ссылок", "списка ссылки", true),
            ("ru", "число", "чисел", true),
            ("ru", "урок", "урона", false),
            ("fr", "l'eau", "eaux", true),
            ("fr", "l’énergie", "énergies", true),
            ("en", "HTTP2", "http2", true),
            ("en", "HTTP2", "http3", false),
            ("en", "max_words", "max_word", false),
            ("zh", "光合作用", "光合作用", true),
            ("uk", "рослина", "рослини", false),
        ] {
            let language = Language::parse(language);
            let keys = |phrase| normal_keys(phrase, language);
            assert_eq!(keys(one) == keys(other), alike, "{one} {other}");
        }
    }

    #[test]
    fn a_chinese_word_is_a_key_for_every_character() {
        let found: Vec<_> = pieces("学习HTML语言")
            .map(|piece| (piece.text, piece.begins, piece.ends))
            .collect();
        assert_eq!(
            found,
            [
                ("学", true, false),
                ("习", false, true),
                ("HTML", true, true),
                ("语", true, false),
                ("言", false, true)
            ]
        );
    }
}
