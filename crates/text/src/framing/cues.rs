//! What a few sentences sound like: their words, pairs of words, and the kinds of
//! words that meet in them, as cues that can be counted and weighed. It does not
//! know what a cue is worth (`weights.rs`).
//!
//! | cue | example |
//! |---|---|
//! | `w` a word, `b` two words in a row, `t` three ideographs | `w lesson`, `b let me` |
//! | `p` how a longer word begins | `p подгот` |
//! | `c` a kind of words, `n` two kinds in a row, `m` two kinds that meet | `n here work` |
//! | `s` the first kind, `e` the last sign | `s yes`, `e :` |
//! | `o` how many words are of no kind, `l` how many words there are | `o 2` |

use std::fmt::Write as _;

use super::lexicon::{CHARACTERS_OF_A_WORD, KINDS, LEXICON, Lexicon, Signs, is_ideograph, weight};
use crate::letters::lower;

/// Sentences cut into words, each with the sign after it.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// All words in lower case, one after the other.
    letters: String,
    words: Vec<Word>,
}

#[derive(Debug)]
struct Word {
    start: usize,
    end: usize,
    sign: Option<char>,
}

/// The words of one language that a reading found, from left to right.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// What each stretch of words is, and of how many words it is.
    stretches: Vec<(Signs, usize)>,
    /// Words of no kind, in half-words.
    unknown: usize,
}

/// Longer texts are no chat, in words.
const MOST_WORDS: usize = 70;

impl Words {
    pub(super) fn new(text: &str) -> Self {
        let mut found = Self::default();
        let mut is_open = false;
        for c in text.chars() {
            if found.words.len() > MOST_WORDS * 2 {
                break;
            }
            let c = match lower(c) {
                'ё' => 'е',
                other => other,
            };
            if c.is_alphanumeric() {
                let alone = is_ideograph(c);
                let start = found.letters.len();
                found.letters.push(c);
                let end = found.letters.len();
                match found.words.last_mut() {
                    Some(last) if is_open && !alone => last.end = end,
                    _ => found.words.push(Word {
                        start,
                        end,
                        sign: None,
                    }),
                }
                is_open = !alone;
            } else {
                is_open = false;
                if let (Some(sign), Some(last)) = (sign(c), found.words.last_mut()) {
                    last.sign = Some(sign);
                }
            }
        }
        found
    }

    /// Whether it is too long for chat.
    pub(super) fn is_long(&self) -> bool {
        let halves: usize = (0..self.len()).map(|at| weight(self.word(at))).sum();
        halves > MOST_WORDS * CHARACTERS_OF_A_WORD
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    fn word(&self, at: usize) -> &str {
        self.words
            .get(at)
            .and_then(|word| self.letters.get(word.start..word.end))
            .unwrap_or_default()
    }

    fn sign(&self, at: usize) -> Option<char> {
        self.words.get(at)?.sign
    }

    /// What each language has of the words, in the order of the lexicon's languages.
    pub(super) fn read(&self, lexicon: &Lexicon) -> Vec<Reading> {
        let words: Vec<&str> = (0..self.len()).map(|at| self.word(at)).collect();
        lexicon.stretches(&words)
    }

    /// Shows every cue to `see`, with the words it was found in.
    pub(super) fn cues(&self, reading: &Reading, mut see: impl FnMut(&str, (usize, usize))) {
        let mut cue = String::new();
        let mut show = |at: (usize, usize), parts: &[&str]| {
            cue.clear();
            for part in parts {
                if !cue.is_empty() {
                    cue.push(' ');
                }
                cue.push_str(part);
            }
            see(&cue, at);
        };
        let mut before = "^";
        let mut sign = [0; 4];
        for at in 0..self.len() {
            let word = self.word(at);
            show((at, at + 1), &["w", word]);
            show((at.saturating_sub(1), at + 1), &["b", before, word]);
            if let Some((end, _)) = word.char_indices().nth(BEGINNING) {
                show((at, at + 1), &["p", word.get(..end).unwrap_or_default()]);
            }
            let ideographs = [self.word(at), self.word(at + 1), self.word(at + 2)];
            if ideographs.iter().all(|word| word.starts_with(is_ideograph)) {
                show(
                    (at, at + 3),
                    &["t", ideographs[0], ideographs[1], ideographs[2]],
                );
            }
            before = word;
            if let Some(c) = self.sign(at) {
                let sign: &str = c.encode_utf8(&mut sign);
                show((at, at + 1), &["b", word, sign]);
                before = match c {
                    ',' => ",",
                    ':' => ":",
                    '!' => "!",
                    '?' => "?",
                    '—' => "—",
                    _ => ".",
                };
            }
        }
        if let Some(c) = self.words.last().and_then(|last| last.sign) {
            let at = self.len();
            show((at - 1, at), &["e", c.encode_utf8(&mut sign)]);
        }
        self.kinds(reading, &mut show);
        let mut number = String::new();
        for (name, count) in [("o", reading.unknown), ("l", self.len())] {
            number.clear();
            let _ = write!(number, "{}", bucket(count));
            show((0, 0), &[name, &number]);
        }
        show((0, 0), &["bias"]);
    }

    /// Shows the cues that are made of kinds of words.
    fn kinds(&self, reading: &Reading, show: &mut impl FnMut((usize, usize), &[&str])) {
        let mut all: Signs = 0;
        let mut at = 0;
        let mut last: Option<(Signs, usize)> = None;
        for (signs, length) in &reading.stretches {
            let here = (at, at + length);
            at += length;
            if *signs == 0 {
                continue;
            }
            for kind in named(*signs) {
                match last {
                    Some((last, start)) => {
                        for before in named(last) {
                            show((start, here.1), &["n", before, kind]);
                        }
                    }
                    None => show(here, &["s", kind]),
                }
                if all & signs != *signs {
                    show(here, &["c", kind]);
                }
            }
            last = Some((*signs, here.0));
            all |= signs;
        }
        let mut kinds = named(all);
        while let Some(kind) = kinds.next() {
            for other in kinds.clone() {
                show((0, 0), &["m", kind, other]);
            }
        }
    }

    /// Words in a row as they stand in the text, for people.
    pub(super) fn shown(&self, (start, end): (usize, usize)) -> String {
        let mut shown = String::new();
        for at in start..end.min(self.len()) {
            let word = self.word(at);
            if !shown.is_empty() && !word.starts_with(is_ideograph) {
                shown.push(' ');
            }
            shown.push_str(word);
        }
        shown
    }
}

impl Reading {
    pub(super) fn new(stretches: Vec<(Signs, usize)>, unknown: usize) -> Self {
        Self { stretches, unknown }
    }

    pub(super) fn unknown(&self) -> usize {
        self.unknown
    }
}

/// How many letters of a longer word count as its beginning.
const BEGINNING: usize = 5;

fn named(signs: Signs) -> impl Iterator<Item = &'static str> + Clone {
    KINDS
        .iter()
        .filter(move |(_, kind)| signs & kind != 0)
        .map(|(name, _)| *name)
}

fn sign(c: char) -> Option<char> {
    Some(match c {
        '.' | '。' | '…' | ';' | '；' => '.',
        ',' | '，' | '、' => ',',
        '!' | '！' => '!',
        '?' | '？' => '?',
        ':' | '：' => ':',
        '—' | '–' => '—',
        _ => return None,
    })
}

/// Counts that differ little are the same cue.
fn bucket(count: usize) -> usize {
    match count {
        0..=4 => count,
        5..=6 => 5,
        7..=9 => 7,
        10..=13 => 10,
        14..=18 => 14,
        19..=25 => 19,
        26..=35 => 26,
        _ => 36,
    }
}

/// The cues of a text in a language as the lexicon names it, for the program that
/// learns their weights.
#[doc(hidden)]
#[must_use]
pub fn cues(text: &str, language: &str) -> Vec<String> {
    let words = Words::new(text);
    let mut found = Vec::new();
    let place = LEXICON.languages().iter().position(|one| *one == language);
    let readings = words.read(&LEXICON);
    if let Some(reading) = place.and_then(|place| readings.get(place)) {
        words.cues(reading, |cue, _| found.push(cue.to_owned()));
    }
    found.sort_unstable();
    found.dedup();
    found
}
