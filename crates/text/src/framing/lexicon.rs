//! The words of chat about an answer by what they do in it, in all languages: who
//! wrote the answer, who gets it, what it is called, what was done to it, what was
//! asked for. The words are data, one file per language (`data/chat_words`). It does
//! not know which of them make a sentence chat.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::letters::is_letter_or_digit;
use crate::phrases::PhraseList;

pub(super) static WORDS: PhraseList = PhraseList::new(
    "chat_words",
    &[
        "speaker", "we", "reader", "work", "text", "make", "request", "here", "courtesy", "ask",
        "yes", "decline", "plain", "never",
    ],
);

/// A set of kinds of words, and of what else is true of a sentence.
pub(super) type Signs = u32;

pub(super) const SPEAKER: Signs = 1;
pub(super) const READER: Signs = 1 << 1;
pub(super) const WORK: Signs = 1 << 2;
pub(super) const TEXT: Signs = 1 << 3;
pub(super) const MAKE: Signs = 1 << 4;
pub(super) const REQUEST: Signs = 1 << 5;
pub(super) const HERE: Signs = 1 << 6;
pub(super) const COURTESY: Signs = 1 << 7;
pub(super) const ASK: Signs = 1 << 8;
pub(super) const YES: Signs = 1 << 9;
pub(super) const NEVER: Signs = 1 << 12;
/// Speaker and reader together ("let's"), as teachers speak, too.
pub(super) const WE: Signs = 1 << 20;
/// The speaker cannot or will not.
pub(super) const DECLINE: Signs = 1 << 22;
/// The kinds of words by name: the sections of the word files.
pub(super) const KINDS: &[(&str, Signs)] = &[
    ("speaker", SPEAKER),
    ("we", WE),
    ("reader", READER),
    ("work", WORK),
    ("text", TEXT),
    ("make", MAKE),
    ("request", REQUEST),
    ("here", HERE),
    ("courtesy", COURTESY),
    ("ask", ASK),
    ("yes", YES),
    ("decline", DECLINE),
    ("plain", 0),
    ("never", NEVER),
];

/// In a script without spaces a word has about two characters.
pub(super) const CHARACTERS_OF_A_WORD: usize = 2;

pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::new(&WORDS, KINDS));

/// The words of all languages by how they begin.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    languages: Vec<&'static str>,
    phrases: Vec<Phrase>,
    /// The last phrase that begins with a word.
    whole: FxHashMap<&'static str, usize>,
    /// The same by the beginning that a `*` follows.
    stems: FxHashMap<&'static str, usize>,
    /// The lengths of the stems that begin with a byte, in bytes, as bits.
    stem_lengths: FxHashMap<[u8; 2], u64>,
}

#[derive(Debug)]
struct Phrase {
    /// The place of its language.
    language: usize,
    signs: Signs,
    /// Its words after the first; `true` where any ending fits. Most have none.
    rest: Vec<(&'static str, bool)>,
    /// The phrase before it that begins alike.
    before: Option<usize>,
}

/// What begins with a word in one language.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beginning {
    /// How many words the longest phrase has, and what they are.
    pub(super) longest: Option<(usize, Signs)>,
    /// What the word is on its own.
    pub(super) alone: Signs,
}

impl Lexicon {
    /// The words of all languages of a list, by the sections that they are in.
    pub(super) fn new(list: &'static PhraseList, kinds: &[(&'static str, Signs)]) -> Self {
        let mut lexicon = Self::default();
        lexicon.add(list, kinds);
        lexicon
    }

    /// More words, of the sections of another list.
    pub(super) fn add(&mut self, list: &'static PhraseList, kinds: &[(&'static str, Signs)]) {
        for file in list.files() {
            let known = self.languages.iter().position(|one| *one == file.language);
            let language = known.unwrap_or(self.languages.len());
            if known.is_none() {
                self.languages.push(file.language);
            }
            for (section, signs) in kinds {
                for phrase in file.words(section) {
                    self.insert(language, phrase, *signs);
                }
            }
        }
    }

    fn insert(&mut self, language: usize, phrase: &'static str, signs: Signs) {
        let mut first: Option<(&str, bool)> = None;
        let mut rest: Vec<(&str, bool)> = Vec::new();
        // Most phrases are one word, and need not be taken apart.
        let word = phrase.strip_suffix('*').unwrap_or(phrase);
        if is_one_word(word) {
            self.push(language, (word, word.len() < phrase.len()), rest, signs);
            return;
        }
        for part in phrase.split('_') {
            let stem = part.strip_suffix('*');
            for word in tokens(stem.unwrap_or(part)) {
                match first {
                    None => first = Some((word, false)),
                    Some(_) => rest.push((word, false)),
                }
            }
            if let (Some(last), Some(_)) = (rest.last_mut().or(first.as_mut()), stem) {
                last.1 = true;
            }
        }
        if let Some(first) = first {
            self.push(language, first, rest, signs);
        }
    }

    /// Adds a phrase by its first word and the others, each with whether any ending fits.
    fn push(
        &mut self,
        language: usize,
        (first, any_ending): (&'static str, bool),
        rest: Vec<(&'static str, bool)>,
        signs: Signs,
    ) {
        let beginnings = if any_ending {
            *self.stem_lengths.entry(two_bytes(first)).or_default() |= 1 << first.len().min(63);
            &mut self.stems
        } else {
            &mut self.whole
        };
        let before = beginnings.insert(first, self.phrases.len());
        self.phrases.push(Phrase {
            language,
            signs,
            rest,
            before,
        });
    }

    pub(super) fn languages(&self) -> &[&'static str] {
        &self.languages
    }

    /// What begins with the word at `at` in each language.
    pub(super) fn begin(&self, words: &[&str], at: usize, found: &mut [Beginning]) {
        found.fill(Beginning::default());
        let Some((word, after)) = words.get(at..).and_then(<[_]>::split_first) else {
            return;
        };
        for phrase in self.phrases(word) {
            let Some(found) = found.get_mut(phrase.language) else {
                continue;
            };
            if phrase.rest.is_empty() {
                found.alone |= phrase.signs;
            }
            if phrase.fits(after) {
                let length = phrase.rest.len() + 1;
                found.longest = match found.longest {
                    Some((best, signs)) if best == length => Some((best, signs | phrase.signs)),
                    Some(best) if best.0 > length => Some(best),
                    _ => Some((length, phrase.signs)),
                };
            }
        }
    }

    /// The phrases whose first word this is.
    fn phrases<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a Phrase> {
        // A stem of one byte would have to be looked up on its own; there is none.
        let lengths = self.stem_lengths.get(&two_bytes(word)).copied();
        let lengths = lengths.unwrap_or_default();
        let stems = (2..=word.len().min(63))
            .filter(move |end| lengths & (1 << end) != 0)
            .filter_map(|end| self.stems.get(word.get(..end)?));
        let last = self.whole.get(word).into_iter().chain(stems);
        last.flat_map(|last| {
            let before = |phrase: &&Phrase| self.phrases.get(phrase.before?);
            std::iter::successors(self.phrases.get(*last), before)
        })
    }
}

/// How a word begins; zero stands for what it does not have.
fn two_bytes(word: &str) -> [u8; 2] {
    let byte = |at: usize| word.as_bytes().get(at).copied().unwrap_or_default();
    [byte(0), byte(1)]
}

impl Phrase {
    fn fits(&self, after: &[&str]) -> bool {
        after.len() >= self.rest.len()
            && self
                .rest
                .iter()
                .zip(after)
                .all(|((part, any_ending), word)| {
                    if *any_ending {
                        word.starts_with(part)
                    } else {
                        word == part
                    }
                })
    }
}

/// How much a word counts, in half-words.
pub(super) fn weight(word: &str) -> usize {
    if word.starts_with(is_ideograph) {
        1
    } else {
        CHARACTERS_OF_A_WORD
    }
}

/// The words of a text; in a script without spaces, its characters.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_letter_or_digit(c))
        .filter(|part| !part.is_empty())
        .flat_map(|part| {
            let mut rest = part;
            std::iter::from_fn(move || {
                let first = rest.chars().next()?;
                let end = if is_ideograph(first) {
                    first.len_utf8()
                } else {
                    rest.find(is_ideograph).unwrap_or(rest.len())
                };
                let (word, after) = rest.split_at_checked(end)?;
                rest = after;
                Some(word)
            })
        })
}

/// Whether a text is one word, without a character that [`tokens`] would cut it at.
fn is_one_word(text: &str) -> bool {
    let is_part = |c: char| is_letter_or_digit(c) && !is_ideograph(c);
    !text.is_empty() && text.chars().all(is_part)
}

pub(super) fn is_ideograph(c: char) -> bool {
    ('\u{3400}'..='\u{9FFF}').contains(&c)
}
