//! What cues are worth: how sure they make it that sentences at an edge of a text are
//! chat about the answer. The weights are learned from the sentences in `training` by
//! `cargo run --release -p redraft-text --example learn_chat -- --write`, all languages
//! together, and embedded as a table that needs no reading.
//!
//! Weights are whole numbers, so that the same sentence gets the same sum everywhere.
//!
//! | part of the file | bytes |
//! |---|---|
//! | what a sum must exceed for each talk, in thousandths | 5 × 4 |
//! | where the cues of each first twelve bits begin, and where the last end | 4097 × 2 |
//! | the last sixteen bits of each cue, in order | 2 each |
//! | the weights of each cue, one for each talk | 5 each |

use super::cues::{Cue, Seen, Words};

/// What sentences may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Talk {
    Opening,
    Closing,
    Refusal,
    /// What stands in brackets for something that is missing.
    Slot,
    /// A short paragraph that stands for a text that is missing.
    Gap,
}

const TALKS: usize = 5;

/// How sentences sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weighed {
    /// In thousandths; above zero it is this talk.
    pub(super) sum: i64,
    /// The words that say most for it, if it is.
    pub(super) telling: Vec<String>,
}

static TABLE: Table = Table {
    bytes: include_bytes!("../../data/chat_weights.bin"),
};

struct Table {
    bytes: &'static [u8],
}

const BUCKETS: usize = 1 << 12;
const LIMITS: usize = TALKS * 4;
const FIRST: usize = LIMITS + (BUCKETS + 1) * 2;

impl Table {
    fn pair(&self, at: usize) -> usize {
        match self.bytes.get(at..at + 2) {
            Some(&[low, high]) => usize::from(u16::from_le_bytes([low, high])),
            _ => 0,
        }
    }

    /// What a sum must exceed, in thousandths.
    fn limit(&self, talk: Talk) -> i64 {
        let at = talk as usize * 4;
        match self.bytes.get(at..at + 4) {
            Some(&[a, b, c, d]) => i64::from(i32::from_le_bytes([a, b, c, d])),
            _ => i64::MAX,
        }
    }

    fn count(&self) -> usize {
        self.pair(LIMITS + BUCKETS * 2)
    }

    fn weight(&self, cue: Cue, talk: Talk) -> i64 {
        let bucket = (cue >> 16) as usize % BUCKETS;
        let from = self.pair(LIMITS + bucket * 2);
        let to = self.pair(LIMITS + bucket * 2 + 2);
        let rest = (cue as u16).to_le_bytes();
        let bucket = self.bytes.get(FIRST + from * 2..FIRST + to * 2);
        let (pairs, _) = bucket.unwrap_or_default().as_chunks();
        let Some(place) = pairs.iter().position(|pair| *pair == rest) else {
            return 0;
        };
        let weights = FIRST + self.count() * 2;
        let weight = self
            .bytes
            .get(weights + (from + place) * TALKS + talk as usize);
        weight.map_or(0, |byte| i64::from(byte.cast_signed()))
    }
}

/// How sentences sound, whether for this talk or against it. `None` if they are none, or
/// longer than chat.
pub(super) fn weigh(text: &str, talk: Talk) -> Option<Weighed> {
    let words = Words::new(text)?;
    let cues = words.cues();
    let sum = sum(&cues, talk);
    let telling = if sum > 0 {
        telling(&words, &cues, talk)
    } else {
        Vec::new()
    };
    Some(Weighed { sum, telling })
}

/// How far words are above the limit of a talk, in thousandths.
pub(super) fn above(text: &str, talk: Talk) -> i64 {
    let Some(words) = Words::new(text) else {
        return i64::MIN;
    };
    sum(&words.cues(), talk)
}

/// How far cues are above the limit of a talk, in thousandths.
fn sum(cues: &[Seen], talk: Talk) -> i64 {
    let weights = cues.iter().map(|seen| TABLE.weight(seen.cue(), talk));
    scaled(weights.sum(), cues.len()) - TABLE.limit(talk)
}

/// Longer sentences have more cues; a sum counts by the root of their number, in
/// thousandths.
#[doc(hidden)]
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a few hundred cues of at most 127 each"
)]
pub fn scaled(sum: i64, cues: usize) -> i64 {
    (sum as f64 * 1000.0 / (cues.max(1) as f64).sqrt()).round() as i64
}

/// The words that say most for it, the most telling first, none twice.
fn telling(words: &Words, cues: &[Seen], talk: Talk) -> Vec<String> {
    const MOST: usize = 3;
    let told = cues
        .iter()
        .map(|seen| (TABLE.weight(seen.cue(), talk), seen.place()));
    let is_told = |(weight, (from, to)): &(i64, (u16, u16))| *weight > 0 && to > from;
    let mut told: Vec<(i64, (u16, u16))> = told.filter(is_told).collect();
    told.sort_by_key(|(weight, at)| (-*weight, *at));
    let mut telling: Vec<String> = Vec::new();
    for shown in told.into_iter().map(|(_, at)| words.shown(at)) {
        let is_new = |one: &String| !one.contains(&shown) && !shown.contains(one.as_str());
        if telling.iter().all(is_new) {
            telling.push(shown);
        }
        if telling.len() == MOST {
            break;
        }
    }
    telling
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_as_long_as_it_says_and_in_order() {
        assert_eq!(TABLE.bytes.len(), FIRST + TABLE.count() * (2 + TALKS));
        for bucket in 0..BUCKETS {
            let from = TABLE.pair(LIMITS + bucket * 2);
            let to = TABLE.pair(LIMITS + bucket * 2 + 2);
            let cues: Vec<usize> = (from..to).map(|at| TABLE.pair(FIRST + at * 2)).collect();
            assert!(from <= to && cues.is_sorted());
        }
    }

    #[test]
    fn chat_is_told_from_what_lessons_say() {
        for (text, talk, expected) in [
            (
                "I reworked the card so that it fits the outline you sent.",
                Talk::Opening,
                true,
            ),
            (
                "I grew up in a small town by the sea.",
                Talk::Opening,
                false,
            ),
            (
                "Shall I prepare three more items in the same style?",
                Talk::Closing,
                true,
            ),
            (
                "Shall we see what happens if the gas is heated?",
                Talk::Closing,
                false,
            ),
            (
                "Water expands when it freezes, which is why pipes burst in winter.",
                Talk::Refusal,
                false,
            ),
        ] {
            let sum = weigh(text, talk).map_or(0, |weighed| weighed.sum);
            assert_eq!(sum > 0, expected, "{text}");
        }
    }

    #[test]
    fn what_tells_is_named() {
        let weighed = weigh("Here's the revised quiz you asked for.", Talk::Opening).unwrap();
        assert!(!weighed.telling.is_empty() && weighed.telling.len() <= 3);
    }
}
