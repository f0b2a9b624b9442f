//! What a few sentences sound like: their words, pairs of words, and the kinds of
//! words that meet in them, as cues that can be counted and weighed. A cue is known
//! by a number that is made of what it says, so that no list of cues is needed. It
//! does not know what a cue is worth (`weights.rs`).
//!
//! | cue | example |
//! |---|---|
//! | a word, how a longer word begins | `lesson`, `подго…` |
//! | two words in a row, with signs and edges; their beginnings; one word apart | `let me`, `^ sure`, `ready .` |
//! | three ideographs | `给你的` |
//! | the first word, the first two, the last word, the last sign | `here is`, `:` |
//! | a kind of words, the first kind, two kinds in a row, two kinds that meet | `here work` |
//! | how many words there are, how many of them of no kind, their share, how many kinds | `2` |
//!
//! The kinds of words are data, one file per language (`data/chat_kinds`).

use std::sync::LazyLock;

use super::lexicon::{Beginning, Lexicon, Signs, WORDS, is_ideograph, weight};
use crate::letters::lower;
use crate::phrases::PhraseList;

/// The kinds of words that tell chat about an answer, by what they do in it.
const KINDS: [&str; 24] = [
    "speaker",
    "we",
    "reader",
    "do",
    "make",
    "work",
    "piece",
    "form",
    "version",
    "request",
    "here",
    "yes",
    "thanks",
    "praise",
    "ask",
    "learner",
    "usage",
    "limit",
    "assistant",
    "quality",
    "decline",
    "lack",
    "story",
    "plain",
];

/// Words of this kind say nothing.
const PLAIN: Signs = 1 << 23;

pub(super) static LIST: PhraseList = PhraseList::new("chat_kinds", &KINDS);

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let kind = |name: &str| {
        let at = KINDS.iter().position(|kind| *kind == name);
        at.map_or(0, |at| 1 << at)
    };
    let own: Vec<(&str, Signs)> = KINDS.iter().map(|name| (*name, kind(name))).collect();
    let mut lexicon = Lexicon::new(&LIST, &own);
    let shared = OF_RULES.map(|(section, name)| (section, kind(name)));
    lexicon.add(&WORDS, &shared);
    lexicon
});

/// The sections of `chat_words`, with the kinds that they are here.
const OF_RULES: [(&str, &str); 14] = [
    ("speaker", "speaker"),
    ("we", "we"),
    ("reader", "reader"),
    ("work", "work"),
    ("text", "piece"),
    ("make", "make"),
    ("request", "request"),
    ("here", "here"),
    ("courtesy", "thanks"),
    ("ask", "ask"),
    ("yes", "yes"),
    ("decline", "decline"),
    ("plain", "plain"),
    ("never", "story"),
];

/// What a cue says, as a number of 28 bits.
pub type Cue = u32;

/// A cue with the words it was found in, as places from the first word to after the
/// last one: one number, because hundreds of them are sorted for every sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seen(u64);

impl Seen {
    fn new(cue: Cue, from: usize, to: usize) -> Self {
        Self(u64::from(cue) << 32 | u64::from(place(from)) << 16 | u64::from(place(to)))
    }

    pub(super) fn cue(self) -> Cue {
        (self.0 >> 32) as Cue
    }

    pub(super) fn place(self) -> (u16, u16) {
        ((self.0 >> 16) as u16, self.0 as u16)
    }
}

/// Longer texts are no chat, in half-words.
const LONGEST: usize = 140;

/// How many letters of a longer word count as its beginning, alone and in a pair.
const BEGINNING: usize = 5;
const SHORT_BEGINNING: usize = 4;

/// Sentences cut into words, each with the sign after it.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// All words in lower case, one after the other.
    letters: String,
    words: Vec<Word>,
    /// In half-words.
    length: usize,
}

#[derive(Debug)]
struct Word {
    start: usize,
    end: usize,
    sign: Option<Sign>,
}

/// A sign after a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Stop = 1,
    Comma,
    Call,
    Question,
    Colon,
    Dash,
}

impl Words {
    /// `None` if there are no words, or too many for chat.
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut found = Self::default();
        let mut is_open = false;
        for c in text.chars() {
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
                    _ => {
                        found.length += if alone { 1 } else { 2 };
                        found.words.push(Word {
                            start,
                            end,
                            sign: None,
                        });
                    }
                }
                is_open = !alone;
                if found.length > LONGEST {
                    return None;
                }
            } else {
                is_open = false;
                if let (Some(sign), Some(last)) = (sign(c), found.words.last_mut()) {
                    last.sign = Some(sign);
                }
            }
        }
        (!found.words.is_empty()).then_some(found)
    }

    fn word(&self, at: usize) -> &str {
        self.words
            .get(at)
            .and_then(|word| self.letters.get(word.start..word.end))
            .unwrap_or_default()
    }

    /// The cues of the words and their order, each once, with the first words it was found
    /// in.
    pub(super) fn cues(&self) -> Vec<Seen> {
        let count = self.words.len();
        let mut seen: Vec<Seen> = Vec::with_capacity(count * 12);
        let mut add = |tag: Tag, one: u64, two: u64, from: usize, to: usize| {
            seen.push(Seen::new(cue(tag, one, two), from, to));
        };
        let mut before = EDGE;
        let mut words: [(u64, u64); 2] = [(0, 0); 2];
        for (at, word) in self.words.iter().enumerate() {
            let text = self.word(at);
            let is_unspaced = text.starts_with(is_ideograph);
            let Hashes {
                whole: here,
                beginning,
                short,
            } = Hashes::of(text);
            let short = short.unwrap_or(here);
            add(Tag::Word, here, 0, at, at + 1);
            add(Tag::Pair, before, here, at.saturating_sub(1), at + 1);
            if let Some(beginning) = beginning {
                add(Tag::Beginning, beginning, 0, at, at + 1);
            }
            let [(apart, _), (last, short_last)] = words;
            if at >= 2 {
                add(Tag::Apart, apart, here, at - 2, at + 1);
                let in_a_row = [at - 2, at - 1].map(|at| self.word(at));
                if is_unspaced && in_a_row.iter().all(|word| word.starts_with(is_ideograph)) {
                    add(
                        Tag::Three,
                        apart.rotate_left(17) ^ last,
                        here,
                        at - 2,
                        at + 1,
                    );
                }
            }
            if at >= 1 && !is_unspaced && (short_last != last || short != here) {
                add(Tag::Beginnings, short_last, short, at - 1, at + 1);
            }
            match at {
                0 => add(Tag::First, here, 0, 0, 1),
                1 => add(Tag::FirstTwo, words[1].0, here, 0, 2),
                _ => {}
            }
            words = [words[1], (here, short)];
            before = here;
            if let Some(sign) = word.sign {
                let sign = sign as u64;
                add(Tag::Pair, here, sign, at, at + 1);
                before = sign;
            }
        }
        add(Tag::Pair, before, EDGE, count - 1, count);
        add(Tag::Last, words[1].0, 0, count - 1, count);
        if let Some(sign) = self.words.last().and_then(|last| last.sign) {
            add(Tag::End, sign as u64, 0, count - 1, count);
        }
        add(Tag::Length, bucket(count), 0, 0, 0);
        self.kinds(&mut add);
        each_once(seen)
    }

    /// The cues that are made of kinds of words, in the language that has most of them.
    fn kinds(&self, add: &mut impl FnMut(Tag, u64, u64, usize, usize)) {
        let (stretches, unknown) = self.read();
        let mut all: Signs = 0;
        let mut at = 0;
        let mut last: Option<(Signs, usize)> = None;
        for (signs, length) in stretches {
            let (start, end) = (at, at + length);
            at = end;
            let signs = signs & !PLAIN;
            if signs == 0 {
                continue;
            }
            for kind in each(signs) {
                match last {
                    Some((last, from)) => {
                        each(last).for_each(|before| add(Tag::KindPair, before, kind, from, end));
                    }
                    None => add(Tag::FirstKind, kind, 0, start, end),
                }
                if all & (1 << kind) == 0 {
                    add(Tag::Kind, kind, 0, start, end);
                }
            }
            last = Some((signs, start));
            all |= signs;
        }
        for kind in each(all) {
            for other in each(all).filter(|other| *other > kind) {
                add(Tag::KindsMeet, kind, other, 0, 0);
            }
        }
        add(Tag::Kinds, u64::from(all.count_ones()), 0, 0, 0);
        add(Tag::Unknown, bucket(unknown.div_ceil(2)), 0, 0, 0);
        let share = 10 * unknown / self.length.max(1);
        add(Tag::UnknownShare, share as u64, 0, 0, 0);
    }

    /// The words from left to right as the language that knows most of them reads them,
    /// the longest phrase first: what each stretch is, and of how many words. Also how
    /// many half-words it does not know.
    fn read(&self) -> (Vec<(Signs, usize)>, usize) {
        let words: Vec<&str> = (0..self.words.len()).map(|at| self.word(at)).collect();
        let languages = LEXICON.languages().len();
        let mut readings: Vec<(usize, usize)> = vec![(0, 0); languages];
        let mut beginnings = vec![Beginning::default(); languages * words.len()];
        let by_word = beginnings.chunks_exact_mut(languages.max(1));
        for ((at, word), of_word) in words.iter().enumerate().zip(by_word) {
            LEXICON.begin(&words, at, of_word);
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            for ((covered, unknown), beginning) in readings.iter_mut().zip(of_word) {
                if *covered > 0 {
                    *covered -= 1;
                    continue;
                }
                match beginning.longest {
                    Some((length, _)) => *covered = length - 1,
                    None if is_number => {}
                    None => *unknown += weight(word),
                }
            }
        }
        let unknown = readings.iter().map(|(_, unknown)| *unknown);
        let best = unknown.enumerate().min_by_key(|(_, unknown)| *unknown);
        let (best, unknown) = best.unwrap_or_default();
        let mut stretches: Vec<(Signs, usize)> = Vec::with_capacity(words.len());
        let mut at = 0;
        while at < words.len() {
            let beginning = beginnings.get(at * languages + best);
            let longest = beginning.and_then(|beginning| beginning.longest);
            let (length, signs) = longest.unwrap_or((1, 0));
            stretches.push((signs, length));
            at += length.max(1);
        }
        (stretches, unknown)
    }

    /// Words in a row as they stand in the text, for people.
    pub(super) fn shown(&self, (start, end): (u16, u16)) -> String {
        let mut shown = String::new();
        for at in usize::from(start)..usize::from(end).min(self.words.len()) {
            let word = self.word(at);
            if !shown.is_empty() && !word.starts_with(is_ideograph) {
                shown.push(' ');
            }
            shown.push_str(word);
        }
        shown
    }
}

/// Leaves the first place of every cue. Cues are hashes already, so that a table by their
/// first bits takes a quarter of what sorting them takes.
fn each_once(mut seen: Vec<Seen>) -> Vec<Seen> {
    let bits = (seen.len() * 2).next_power_of_two().ilog2().max(1);
    let mask = (1_usize << bits) - 1;
    // The places of the cues that are left, counted from one.
    let mut table = vec![0_u32; mask + 1];
    let mut left = 0;
    for at in 0..seen.len() {
        let one = seen[at];
        let mut slot = one.cue() as usize & mask;
        loop {
            let known = table[slot] as usize;
            if known == 0 {
                seen[left] = one;
                left += 1;
                table[slot] = u32::try_from(left).unwrap_or(u32::MAX);
                break;
            }
            let before = &mut seen[known - 1];
            if before.cue() == one.cue() {
                *before = one.min(*before);
                break;
            }
            slot = (slot + 1) & mask;
        }
    }
    seen.truncate(left);
    seen
}

/// What a cue is of.
#[derive(Clone, Copy)]
enum Tag {
    Word = 1,
    Pair,
    Beginning,
    Beginnings,
    Apart,
    Three,
    First,
    FirstTwo,
    Last,
    End,
    Length,
    Kind,
    FirstKind,
    KindPair,
    KindsMeet,
    Unknown,
    UnknownShare,
    Kinds,
}

/// The edge of the text, beside its first and its last word.
const EDGE: u64 = 0;

/// A word and how it begins as numbers, by FNV-1a, the same everywhere.
struct Hashes {
    whole: u64,
    /// Of its first letters, if it has more.
    beginning: Option<u64>,
    short: Option<u64>,
}

impl Hashes {
    fn of(word: &str) -> Self {
        let mut hashes = Self {
            whole: 0xcbf2_9ce4_8422_2325,
            beginning: None,
            short: None,
        };
        let mut letters = 0;
        for byte in word.bytes() {
            let begins_letter = !matches!(byte, 0x80..0xC0);
            if begins_letter {
                match letters {
                    SHORT_BEGINNING => hashes.short = Some(hashes.whole),
                    BEGINNING => hashes.beginning = Some(hashes.whole),
                    _ => {}
                }
                letters += 1;
            }
            hashes.whole = (hashes.whole ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        hashes
    }
}

fn cue(tag: Tag, one: u64, two: u64) -> Cue {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let tag = (tag as u64).wrapping_mul(SPREAD);
    let mixed = (one ^ tag).wrapping_mul(SPREAD).rotate_left(29) ^ two;
    let mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(SPREAD);
    (mixed >> 36) as Cue
}

fn place(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}

/// The kinds of a set, in order.
fn each(signs: Signs) -> impl Iterator<Item = u64> + Clone {
    let mut rest = signs;
    std::iter::from_fn(move || {
        let kind = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (kind < Signs::BITS).then_some(u64::from(kind))
    })
}

fn sign(c: char) -> Option<Sign> {
    Some(match c {
        '.' | '。' | '…' | ';' | '；' => Sign::Stop,
        ',' | '，' | '、' => Sign::Comma,
        '!' | '！' => Sign::Call,
        '?' | '？' => Sign::Question,
        ':' | '：' => Sign::Colon,
        '—' | '–' => Sign::Dash,
        _ => return None,
    })
}

/// Counts that differ little are the same cue.
fn bucket(count: usize) -> u64 {
    const LIMITS: [usize; 11] = [0, 1, 2, 3, 4, 6, 9, 13, 18, 25, 35];
    let place = LIMITS.iter().position(|limit| count <= *limit);
    place.unwrap_or(LIMITS.len()) as u64
}

/// The cues of a text, each once and in order, for the program that learns their weights.
#[doc(hidden)]
#[must_use]
pub fn cues(text: &str) -> Vec<Cue> {
    let words = Words::new(text);
    let mut seen = words.map(|words| words.cues()).unwrap_or_default();
    seen.sort_unstable();
    seen.into_iter().map(Seen::cue).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_files_are_sound() {
        // The words are weighed, so that no single text shows what they do.
        let is_example = |fault: &&String| fault.contains("section of examples");
        assert!(LIST.faults().iter().all(|fault| is_example(&fault)));
        assert_eq!(KINDS.iter().position(|kind| *kind == "plain"), Some(23));
        for file in LIST.files() {
            for kind in KINDS {
                let is_lower = |word: &str| word.chars().all(|c| lower(c) == c && c != 'ё');
                assert!(file.words(kind).all(is_lower), "{} {kind}", file.language);
            }
        }
    }

    #[test]
    fn the_same_words_have_the_same_cues() {
        assert_eq!(cues("Here is the lesson:"), cues("here is the  LESSON："));
        assert_ne!(cues("Here is the lesson:"), cues("Here is the lesson."));
        assert_eq!(cues("…"), [0; 0]);
    }

    #[test]
    fn a_cue_counts_once_at_its_first_place() {
        let words = Words::new("Let me know, let me know, and let me know!").unwrap();
        let mut seen = words.cues();
        seen.sort_unstable();
        assert!(seen.is_sorted_by(|one, next| one.cue() < next.cue()));
        let pair =
            |one: &str, two: &str| cue(Tag::Pair, Hashes::of(one).whole, Hashes::of(two).whole);
        let place = |cue: Cue| seen.iter().find(|seen| seen.cue() == cue).unwrap().place();
        assert_eq!(place(pair("let", "me")), (0, 2));
        assert_eq!(place(pair("me", "know")), (1, 3));
    }

    #[test]
    fn long_texts_have_no_cues() {
        assert!(cues(&"word ".repeat(80)).is_empty());
        assert!(!cues(&"word ".repeat(60)).is_empty());
    }
}
