//! Decides whether two issues of one component and criterion describe the same problem in different
//! words. Language-independent: compares words by their beginnings, Chinese and Japanese by pairs
//! of characters.
//!
//! | quotes | descriptions and fixes | the same |
//! |---|---|---|
//! | both found, overlapping by half of the shorter | any | yes |
//! | both found, in different places | any | no: each place is repaired |
//! | one or both missing or not found | share enough words | yes |
//! | one or both missing or not found | share too few | no |

use std::collections::BTreeSet;

use crate::verdict::{Issue, Occurrence};
use redraft_gate::vocabulary::normal_keys;

/// The features by which two issues are compared.
#[derive(Debug)]
pub(super) struct Likeness {
    occurrence: Option<Occurrence>,
    description: BTreeSet<String>,
    all: BTreeSet<String>,
}

/// Minimum share of common words (Dice coefficient), in percent.
const ENOUGH: usize = 50;

impl Likeness {
    pub(super) fn of(issue: &Issue, occurrence: Option<&Occurrence>) -> Self {
        let description = keys(&issue.description);
        let mut all = description.clone();
        all.extend(keys(&issue.suggested_fix));
        all.extend(issue.quote.iter().flat_map(|quote| keys(quote)));
        Self {
            occurrence: occurrence.cloned(),
            description,
            all,
        }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (&self.occurrence, &other.occurrence) {
            (Some(one), Some(other)) => overlap(one, other),
            _ => {
                share(&self.description, &other.description) >= ENOUGH
                    || share(&self.all, &other.all) >= ENOUGH
            }
        }
    }
}

/// Whether two quotes overlap by at least half of the shorter one.
pub(super) fn overlap(one: &Occurrence, other: &Occurrence) -> bool {
    let start = one.range.start.max(other.range.start);
    let end = one.range.end.min(other.range.end);
    let shorter = one.range.len().min(other.range.len());
    one.text == other.text && end.saturating_sub(start) * 2 >= shorter.max(1)
}

/// Dice coefficient, in percent.
fn share(one: &BTreeSet<String>, other: &BTreeSet<String>) -> usize {
    let common = one.intersection(other).count();
    let both = one.len() + other.len();
    (200 * common).checked_div(both).unwrap_or(0)
}

/// Whether two texts share enough words to mean the same.
pub(super) fn says_the_same(one: &str, other: &str) -> bool {
    one == other || share(&keys(one), &keys(other)) >= ENOUGH
}

/// The beginnings of the words that carry meaning. Short words are left out: in European languages
/// they are mostly articles and particles.
pub(super) fn keys(text: &str) -> BTreeSet<String> {
    // Long enough to tell words apart, short enough to drop inflections.
    const BEGINNING: usize = 5;
    const SHORT: usize = 3;
    // Bounds the work; 400 words are enough to compare.
    const MOST: usize = 400;
    let pieces = normal_keys(text, None);
    let mut keys = BTreeSet::new();
    for (index, piece) in pieces.iter().take(MOST).enumerate() {
        let length = piece.chars().count();
        if is_wide(piece) {
            if let Some(next) = pieces.get(index + 1).filter(|next| is_wide(next)) {
                keys.insert(format!("{piece}{next}"));
            }
        } else if length > SHORT || piece.contains(|c: char| c.is_numeric()) {
            keys.insert(piece.chars().take(BEGINNING).collect());
        }
    }
    keys
}

/// A Chinese or Japanese character, which `normal_keys` returns one by one.
fn is_wide(piece: &str) -> bool {
    let mut characters = piece.chars();
    let first = characters.next();
    characters.next().is_none() && first.is_some_and(|c| ('\u{3000}'..='\u{3ffff}').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_share_their_words_say_the_same() {
        for (one, other, same) in [
            (
                "The term osmosis is never defined.",
                "Osmosis is used but not defined",
                true,
            ),
            (
                "The term osmosis is never defined.",
                "The second example is too long.",
                false,
            ),
            (
                "Термин «осмос» не определён",
                "Термина осмос нигде не определили",
                true,
            ),
            (
                "Термин «осмос» не определён",
                "Пример слишком длинный",
                false,
            ),
            (
                "Der Begriff Osmose wird nicht erklärt",
                "Nicht erklärter Begriff: Osmose",
                true,
            ),
            ("没有解释光合作用的定义", "光合作用的定义没有说明", true),
            ("没有解释光合作用的定义", "例子太长,应该删去", false),
            ("", "", false),
        ] {
            assert_eq!(
                share(&keys(one), &keys(other)) >= ENOUGH,
                same,
                "{one} | {other}: {}",
                share(&keys(one), &keys(other))
            );
        }
    }

    #[test]
    fn quotes_overlap_when_they_share_half_of_the_shorter() {
        let occurrence = |text, range| Occurrence {
            anchored: crate::verdict::Anchored::Exact,
            text,
            range,
        };
        for (one, other, expected) in [
            (occurrence(0, 0..10), occurrence(0, 5..30), true),
            (occurrence(0, 0..10), occurrence(0, 6..30), false),
            (occurrence(0, 0..100), occurrence(0, 40..50), true),
            (occurrence(0, 0..10), occurrence(1, 0..10), false),
            (occurrence(0, 0..10), occurrence(0, 10..20), false),
        ] {
            assert_eq!(overlap(&one, &other), expected);
            assert_eq!(overlap(&other, &one), expected);
        }
    }
}
