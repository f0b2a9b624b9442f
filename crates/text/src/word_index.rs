//! Which of many words a text holds, in one pass. A word is found by its first bytes
//! in a table of hashes, so that making an index costs a few instructions a word: the
//! automata that this replaces took longer to build than a lesson takes to be checked.
//! It knows bytes only, and neither cases nor where words end.

use std::ops::Range;

/// Words to look for. Each has a number, in the order in which they were given.
#[derive(Debug)]
pub struct WordIndex {
    words: Vec<Box<[u8]>>,
    /// Which two bytes words begin with, a bit for each pair: a quick look, since most
    /// places of a text begin no word.
    beginnings: Box<Marks>,
    /// The same for three bytes, by their hash: a second look where two bytes fit.
    triples: Box<Marks>,
    /// Which bytes are words of their own, where nothing is said by what follows.
    singles: [bool; 256],
    tables: [Table; LENGTHS.len()],
}

/// A word in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordMatch {
    /// The number of the word.
    pub word: usize,
    pub range: Range<usize>,
}

/// First bytes by which words are looked up, at most.
const KEY: usize = 8;

/// The lengths of words that share a table. They are looked up by as many bytes as each of
/// them has: a short word among the others would make the keys of all short, and many
/// words begin with the same two bytes.
const LENGTHS: [Range<usize>; 4] = [KEY..usize::MAX, 4..KEY, 2..4, 1..2];

impl WordIndex {
    /// An index of these words. An empty word is in no text.
    pub fn new<W: Into<Box<str>>>(words: impl IntoIterator<Item = W>) -> Self {
        let words: Vec<Box<[u8]>> = words
            .into_iter()
            .map(|word| word.into().into_boxed_bytes())
            .collect();
        let mut beginnings: Box<Marks> = Box::new([0; PLACES / BITS]);
        let mut triples: Box<Marks> = Box::new([0; PLACES / BITS]);
        let mut singles = [false; 256];
        for word in &words {
            match **word {
                [] => {}
                [only] => {
                    (0..=u8::MAX).for_each(|any| mark(&mut beginnings, pair(only, any)));
                    singles[usize::from(only)] = true;
                }
                [first, second] => {
                    mark(&mut beginnings, pair(first, second));
                    let each = (0..=u8::MAX).map(|any| triple(first, second, any));
                    each.for_each(|place| mark(&mut triples, place));
                }
                [first, second, third, ..] => {
                    mark(&mut beginnings, pair(first, second));
                    mark(&mut triples, triple(first, second, third));
                }
            }
        }
        let tables = LENGTHS.map(|lengths| {
            let numbered = words.iter().enumerate();
            Table::new(numbered.filter(move |(_, word)| lengths.contains(&word.len())))
        });
        Self {
            words,
            beginnings,
            triples,
            singles,
            tables,
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
            waiting: [0; LENGTHS.len()],
        }
    }
}

const BITS: usize = u64::BITS as usize;

/// Pairs of bytes, and hashes of three.
const PLACES: usize = 1 << 16;

/// A bit for each place.
type Marks = [u64; PLACES / BITS];

/// The place of two bytes among all pairs.
#[inline]
fn pair(first: u8, second: u8) -> usize {
    usize::from(u16::from_le_bytes([first, second]))
}

/// The place of three bytes.
#[inline]
fn triple(first: u8, second: u8, third: u8) -> usize {
    let bytes = u32::from_le_bytes([first, second, third, 0]);
    (bytes.wrapping_mul(0x9E37_79B1) >> 16) as usize
}

fn mark(places: &mut Marks, place: usize) {
    places[place / BITS] |= 1 << (place % BITS);
}

#[inline]
fn is_marked(places: &Marks, place: usize) -> bool {
    places[place / BITS] >> (place % BITS) & 1 == 1
}

/// Words by the hash of their first bytes.
#[derive(Debug)]
struct Table {
    /// The last entry with each hash, counted from one.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Leaves of a key the bytes that every word has.
    mask: u64,
    /// Leaves of a hash what `heads` has room for.
    shift: u32,
}

#[derive(Debug)]
struct Entry {
    word: usize,
    key: u64,
    /// The entry before it with the same hash, counted from one.
    before: u32,
}

impl Table {
    fn new<'w>(words: impl Iterator<Item = (usize, &'w Box<[u8]>)> + Clone) -> Self {
        let count = words.clone().count();
        let shortest = words.clone().map(|(_, word)| word.len().min(KEY)).min();
        let bits = (count * 4).next_power_of_two().ilog2().clamp(4, 16);
        let mut table = Self {
            heads: vec![0; if count == 0 { 0 } else { 1 << bits }],
            entries: Vec::with_capacity(count),
            mask: u64::MAX >> (8 * (KEY - shortest.unwrap_or(KEY))),
            shift: u64::BITS - bits,
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
    fn head(&self, key: u64) -> u32 {
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
    /// The next entry of each table to compare at the last place, counted from one.
    waiting: [u32; LENGTHS.len()],
}

impl Iterator for Matches<'_> {
    type Item = WordMatch;

    fn next(&mut self) -> Option<WordMatch> {
        let WordIndex { words, tables, .. } = self.index;
        loop {
            for (table, waiting) in tables.iter().zip(&mut self.waiting) {
                while let Some(entry) = (*waiting as usize).checked_sub(1) {
                    let entry = table.entries.get(entry)?;
                    *waiting = entry.before;
                    let at = self.read - 1;
                    let (rest, word) = (self.text.get(at..)?, words.get(entry.word)?);
                    if key(rest) & table.mask == entry.key && rest.starts_with(word) {
                        return Some(WordMatch {
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
        let WordIndex {
            beginnings,
            triples,
            singles,
            tables,
            ..
        } = self.index;
        loop {
            let rest = self.text.get(self.read..)?;
            let begins = |[first, second]: &[u8; 2]| is_marked(beginnings, pair(*first, *second));
            let skipped = match rest.array_windows().position(begins) {
                Some(skipped) => skipped,
                // The last byte of a text begins a word of one byte alone.
                None if rest.last().is_some_and(|last| begins(&[*last, 0])) => rest.len() - 1,
                None => return None,
            };
            let rest = rest.get(skipped..)?;
            self.read += skipped + 1;
            if let [first, second, third, ..] = *rest
                && !is_marked(triples, triple(first, second, third))
                && !singles[usize::from(first)]
            {
                continue;
            }
            let key = key(rest);
            for (table, waiting) in tables.iter().zip(&mut self.waiting) {
                *waiting = table.head(key);
            }
            if self.waiting != [0; LENGTHS.len()] {
                return Some(());
            }
        }
    }
}

/// The first bytes of a word as a number; what is missing counts as zeros.
#[inline]
fn key(bytes: &[u8]) -> u64 {
    if let Some(first) = bytes.first_chunk() {
        return u64::from_le_bytes(*first);
    }
    let mut first = [0; KEY];
    for (to, from) in first.iter_mut().zip(bytes) {
        *to = *from;
    }
    u64::from_le_bytes(first)
}

/// Spreads keys over all bits, the best of them in front.
#[inline]
fn hash(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15)
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
            words in proptest::collection::vec("[abжé]{0,9}|[ab]{0,3}", 0..12),
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
