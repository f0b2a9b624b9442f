//! Which of many words a text holds, in one pass. A word is found by its first bytes
//! in a table of hashes, so that making an index costs a few instructions a word: the
//! automata that this replaces took longer to build than a lesson takes to be checked.
//! It knows bytes only, and neither cases nor where words end.

use std::ops::Range;

/// Words to look for. Each has a number, in the order in which they were given.
#[derive(Debug)]
pub struct WordIndex {
    words: Vec<Box<[u8]>>,
    /// Words by their first four bytes.
    long: Table,
    /// Shorter words, by fewer.
    short: Table,
}

/// A word in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The number of the word.
    pub word: usize,
    pub range: Range<usize>,
}

/// First bytes by which words are looked up.
const KEY: usize = 4;

impl WordIndex {
    /// An index of these words. An empty word is in no text.
    pub fn new<W: Into<Box<str>>>(words: impl IntoIterator<Item = W>) -> Self {
        let words: Vec<Box<[u8]>> = words
            .into_iter()
            .map(|word| word.into().into_boxed_bytes())
            .collect();
        let of_length = |lengths: Range<usize>| {
            let numbered = words.iter().enumerate();
            numbered.filter(move |(_, word)| lengths.contains(&word.len()))
        };
        Self {
            long: Table::new(of_length(KEY..usize::MAX)),
            short: Table::new(of_length(1..KEY)),
            words,
        }
    }

    /// Whether any of the words is in a text.
    #[must_use]
    pub fn any_in(&self, text: &str) -> bool {
        self.find(text).next().is_some()
    }

    /// The words in a text, by where they begin.
    #[must_use]
    pub fn find<'t>(&'t self, text: &'t str) -> Matches<'t> {
        Matches {
            index: self,
            text: text.as_bytes(),
            read: 0,
            waiting: [0; 2],
        }
    }
}

/// Words by the hash of their first bytes.
#[derive(Debug)]
struct Table {
    /// The last entry with each hash, counted from one.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Leaves of a key the bytes that every word has.
    mask: u32,
    /// Leaves of a hash what `heads` has room for.
    shift: u32,
}

#[derive(Debug)]
struct Entry {
    word: usize,
    key: u32,
    /// The entry before it with the same hash, counted from one.
    before: u32,
}

impl Table {
    fn new<'w>(words: impl Iterator<Item = (usize, &'w Box<[u8]>)> + Clone) -> Self {
        let count = words.clone().count();
        let shortest = words.clone().map(|(_, word)| word.len().min(KEY)).min();
        let bits = (count * 8).next_power_of_two().ilog2().clamp(8, 16);
        let mut table = Self {
            heads: vec![0; if count == 0 { 0 } else { 1 << bits }],
            entries: Vec::with_capacity(count),
            mask: u32::MAX >> (8 * (KEY - shortest.unwrap_or(KEY))),
            shift: u32::BITS - bits,
        };
        for (entry, (word, bytes)) in (1..).zip(words) {
            let key = key(bytes) & table.mask;
            let head = table.heads.get_mut((hash(key) >> table.shift) as usize);
            let before = head.map_or(0, |head| std::mem::replace(head, entry));
            table.entries.push(Entry { word, key, before });
        }
        table
    }

    /// The last entry that may have this key, counted from one.
    #[inline]
    fn head(&self, key: u32) -> u32 {
        let head = self
            .heads
            .get((hash(key & self.mask) >> self.shift) as usize);
        head.copied().unwrap_or_default()
    }
}

/// The words in a text.
#[derive(Debug)]
pub struct Matches<'t> {
    index: &'t WordIndex,
    text: &'t [u8],
    /// Up to where words were looked up.
    read: usize,
    /// The next entries of both tables to compare at the last place, counted from one.
    waiting: [u32; 2],
}

impl Iterator for Matches<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        let WordIndex { words, long, short } = self.index;
        loop {
            for (table, waiting) in [long, short].into_iter().zip(&mut self.waiting) {
                while let Some(entry) = (*waiting as usize).checked_sub(1) {
                    let entry = table.entries.get(entry)?;
                    *waiting = entry.before;
                    let at = self.read - 1;
                    let (rest, word) = (self.text.get(at..)?, words.get(entry.word)?);
                    if key(rest) & table.mask == entry.key && rest.starts_with(word) {
                        return Some(Found {
                            word: entry.word,
                            range: at..at + word.len(),
                        });
                    }
                }
            }
            self.look_up()?;
        }
    }
}

impl Matches<'_> {
    /// Goes on to the next place that has the hash of a word.
    fn look_up(&mut self) -> Option<()> {
        let WordIndex { long, short, .. } = self.index;
        let has_short = !short.heads.is_empty();
        while self.read < self.text.len() {
            let key = key(self.text.get(self.read..)?);
            self.read += 1;
            let heads = [long.head(key), if has_short { short.head(key) } else { 0 }];
            if heads != [0; 2] {
                self.waiting = heads;
                return Some(());
            }
        }
        None
    }
}

/// The first bytes of a word as a number; what is missing counts as zeros.
#[inline]
fn key(bytes: &[u8]) -> u32 {
    if let Some(first) = bytes.first_chunk() {
        return u32::from_le_bytes(*first);
    }
    let mut first = [0; KEY];
    for (to, from) in first.iter_mut().zip(bytes) {
        *to = *from;
    }
    u32::from_le_bytes(first)
}

/// Spreads keys over all bits, the best of them in front.
fn hash(key: u32) -> u32 {
    key.wrapping_mul(0x9E37_79B1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_that_overlap_or_begin_alike_are_all_found() {
        let index = WordIndex::new(["here is", "is", "here", "", "isle", "here"]);
        let mut found: Vec<_> = index
            .find("here isle")
            .map(|one| (one.range.start, one.word))
            .collect();
        found.sort_unstable();
        assert_eq!(found, [(0, 0), (0, 2), (0, 5), (5, 1), (5, 4)]);
        assert!(!WordIndex::new([""]).any_in("a"));
        assert!(!WordIndex::new([""; 0]).any_in("a"));
    }

    proptest! {
        #[test]
        fn every_occurrence_is_found_once(
            words in proptest::collection::vec("[abжé]{0,5}", 0..12),
            text in "[abcжé]{0,24}",
        ) {
            let index = WordIndex::new(words.iter().map(String::as_str));
            let mut found: Vec<_> = index.find(&text).map(|one| (one.range.start, one.word)).collect();
            found.sort_unstable();
            let mut expected: Vec<_> = words
                .iter()
                .enumerate()
                .filter(|(_, word)| !word.is_empty())
                .flat_map(|(number, word)| {
                    let starts = text.char_indices().map(|(at, _)| at);
                    starts.filter(|&at| text[at..].starts_with(word.as_str())).map(move |at| (at, number)).collect::<Vec<_>>()
                })
                .collect();
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
