//! The words of a paragraph, and phrases that repeat themselves in it.

use std::hash::Hasher as _;
use std::ops::Range;

use redraft_gate::check::Sink;
use redraft_gate::content::TextField;
use redraft_gate::finding::Severity;
use redraft_text::letters::{end_of_plain, is_letter};
use redraft_text::markdown::Block;
use rustc_hash::FxHasher;

use super::{CERTAIN_LOOP, LONGEST_PHRASE};

/// The words of a paragraph, kept from one to the next for their memory.
#[derive(Default)]
pub(super) struct Words<'a> {
    /// With their offsets; a Chinese character counts as a word.
    pub(super) words: Vec<(usize, &'a str)>,
    /// A hash for each.
    pub(super) ids: Vec<u64>,
    echo: Echo,
}

impl<'a> Words<'a> {
    pub(super) fn read(&mut self, text: &'a str) {
        self.words.clear();
        self.ids.clear();
        let bytes = text.as_bytes();
        let mut start = None;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            // Most text is plain letters, which need no decoding.
            if byte.is_ascii_alphanumeric() {
                start.get_or_insert(at);
                at = end_of_plain(bytes, at + 1);
                continue;
            }
            let (is_part, is_wide, len) = if byte.is_ascii() {
                (false, false, 1)
            } else {
                let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else {
                    break;
                };
                let is_part = is_letter(c) || c.is_numeric();
                let is_wide = is_part && has_no_spaces(c);
                (is_part, is_wide, c.len_utf8())
            };
            if is_part && !is_wide {
                start.get_or_insert(at);
            } else {
                if let Some(from) = start.take() {
                    self.push(from, &text[from..at]);
                }
                if is_wide {
                    self.push(at, &text[at..at + len]);
                }
            }
            at += len;
        }
        if let Some(from) = start {
            self.push(from, &text[from..]);
        }
    }

    fn push(&mut self, at: usize, word: &'a str) {
        self.words.push((at, word));
        let mut hasher = FxHasher::default();
        hasher.write(word.as_bytes());
        self.ids.push(hasher.finish());
    }

    pub(super) fn fingerprint(&self) -> u64 {
        combined_hash(self.ids.iter().copied())
    }

    /// An upper bound of how many words in a row occurred shortly before.
    pub(super) fn longest_echo(&mut self) -> usize {
        self.echo.longest(&self.ids)
    }

    /// Whether to look for loops. In a loop every word after the first round has
    /// occurred just before; in ordinary prose hardly two words in a row have.
    pub(super) fn may_loop(&mut self, least: &Least) -> bool {
        self.longest_echo() * least.rounds >= least.words * (least.rounds - 1)
    }
}

/// Whether a letter belongs to a script that has no spaces between words: Chinese and
/// Japanese, Thai and Lao, Burmese, Khmer.
fn has_no_spaces(c: char) -> bool {
    matches!(
        c,
        '\u{2e80}'..='\u{9fff}' | '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
    )
}

/// FNV-1a, which is fast for short input.
pub(super) fn combined_hash(ids: impl Iterator<Item = u64>) -> u64 {
    ids.fold(0xcbf2_9ce4_8422_2325, |hash, id| {
        (hash ^ id).wrapping_mul(0x0100_0000_01b3)
    })
}

pub(super) fn same_words(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (mut first, mut second) = (Words::default(), Words::default());
    first.read(a);
    second.read(b);
    let second = second.words.iter().map(|(_, word)| *word);
    first.words.iter().map(|(_, word)| *word).eq(second)
}

/// The minimum size of a loop.
pub(super) struct Least {
    pub(super) rounds: usize,
    pub(super) words: usize,
}

/// Where word ids occurred last. A paragraph does not see those of another: its
/// positions start far enough after them.
struct Echo {
    last: [usize; Self::SLOTS],
    next: usize,
}

impl Default for Echo {
    fn default() -> Self {
        Self {
            last: [0; Self::SLOTS],
            next: LONGEST_PHRASE + 1,
        }
    }
}

impl Echo {
    const SLOTS: usize = 512;

    /// An upper bound of the longest run of ids that occurred shortly before: ids may
    /// share a slot, so that the real run may be shorter.
    fn longest(&mut self, ids: &[u64]) -> usize {
        let (mut row, mut longest) = (0, 0);
        for (at, id) in (self.next..).zip(ids) {
            let slot = &mut self.last[(id >> 20) as usize % Self::SLOTS];
            let is_echo = at - *slot <= LONGEST_PHRASE;
            row = if is_echo { row + 1 } else { 0 };
            longest = longest.max(row);
            *slot = at;
        }
        self.next += ids.len() + LONGEST_PHRASE + 1;
        longest
    }
}

/// Reports the longest run of words that repeats itself.
pub(super) fn loops(
    sink: &mut Sink<'_>,
    field: &TextField,
    block: &Block,
    words: &Words<'_>,
    least: &Least,
) {
    let (words, ids) = (&words.words, &words.ids);
    let mut longest: Option<(usize, Range<usize>)> = None;
    for phrase in 1..=LONGEST_PHRASE.min(ids.len() / 2) {
        let mut run = 0;
        for index in phrase..=ids.len() {
            if index < ids.len() && ids[index] == ids[index - phrase] {
                run += 1;
                continue;
            }
            let total = run + phrase;
            let is_loop = run > 0 && total / phrase >= least.rounds && total >= least.words;
            let is_new_word = longest
                .as_ref()
                .is_none_or(|(_, range)| range.len() < total);
            // A row of numbers is a matrix or a bit pattern.
            let has_letters = || {
                words[index - phrase..index]
                    .iter()
                    .any(|(_, word)| word.contains(char::is_alphabetic))
            };
            if is_loop && is_new_word && has_letters() {
                longest = Some((phrase, index - total..index));
            }
            run = 0;
        }
    }
    let Some((phrase, range)) = longest else {
        return;
    };
    let (first, last) = (words[range.start].0, words[range.end - 1]);
    let offset = block.content.start;
    let finding = sink.in_text(
        field,
        offset + first..offset + last.0 + last.1.len(),
        format!(
            "the same {phrase} word(s) are repeated {} times in a row; delete the repetitions",
            range.len() / phrase
        ),
    );
    if range.len() >= CERTAIN_LOOP {
        finding.severity(Severity::Error);
    }
}
