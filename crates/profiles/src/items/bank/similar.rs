//! Finds identical and nearly identical items without comparing all pairs.
//!
//! An item is the set of its runs of three words, within the vignette, the stem
//! and each option, so that the order of the options does not matter. Similar
//! sets share the minimum of some hash functions (MinHash); only items that share
//! a band of three minima are compared, and each with a few others at most, so
//! that the cost grows linearly with the number of items.

use std::collections::HashMap;

use super::statistics::mix;
use crate::items::inverted;
use crate::items::model::ItemView;

/// Bands of hash functions; items with 80% of their runs in common share one in
/// 97 of 100 cases, identical ones always.
const BANDS: usize = 5;
const ROWS: usize = 3;

/// The maximum number of earlier items that an item is compared with.
const COMPARED: usize = 8;

/// Minimum runs for a near duplicate; shorter items must be identical.
const LEAST_RUNS: usize = 8;

/// Minimum words for items that are the same in another order.
const LEAST_WORDS: u32 = 8;

/// The runs of an item and their hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    bands: [u64; BANDS],
    /// Sorted, without duplicates.
    runs: Box<[u32]>,
    /// Its words in any order, and how many there are.
    words: (u64, u32),
}

/// Two similar items, by index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub first: usize,
    pub second: usize,
    /// The share of runs in common.
    pub likeness: f64,
    /// Whether both have the same words, in whatever order.
    pub same_words: bool,
}

/// The fingerprint of an item; `None` if it has no words.
#[must_use]
pub fn fingerprint(view: ItemView<'_>) -> Option<Fingerprint> {
    let mut runs: Vec<u64> = Vec::with_capacity(96);
    let mut words = (0, 0);
    for field in view.vignette().iter().chain(view.stem()) {
        add_runs(&field.text, &mut runs, &mut words);
    }
    for option in view.option_texts() {
        add_runs(&inverted::natural(option), &mut runs, &mut words);
    }
    of_runs(runs, words)
}

/// The fingerprint of any text; `None` if it has no words.
#[must_use]
pub fn fingerprint_of_text(text: &str) -> Option<Fingerprint> {
    let (mut runs, mut words) = (Vec::new(), (0, 0));
    add_runs(text, &mut runs, &mut words);
    of_runs(runs, words)
}

fn of_runs(mut runs: Vec<u64>, words: (u64, u32)) -> Option<Fingerprint> {
    if runs.is_empty() {
        return None;
    }
    runs.sort_unstable();
    runs.dedup();
    let mut least = [u64::MAX; BANDS * ROWS];
    for run in &runs {
        for (seed, least) in (1_u64..).zip(&mut least) {
            // A multiplication and a shift are enough, because `run` is mixed already.
            let hash = (run ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .wrapping_mul(0xff51_afd7_ed55_8ccd);
            *least = (*least).min(hash ^ (hash >> 32));
        }
    }
    let mut bands = [0; BANDS];
    for ((index, band), rows) in bands.iter_mut().enumerate().zip(least.chunks(ROWS)) {
        *band = rows.iter().fold(index as u64, |hash, row| mix(hash ^ row));
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "half of a mixed number identifies a run as well"
    )]
    let mut runs: Vec<u32> = runs.iter().map(|run| *run as u32).collect();
    runs.sort_unstable();
    runs.dedup();
    Some(Fingerprint {
        bands,
        runs: runs.into(),
        words,
    })
}

/// Adds the runs of three words in a text; a shorter text is a single run.
fn add_runs(text: &str, runs: &mut Vec<u64>, all: &mut (u64, u32)) {
    let (mut before, mut last) = (0_u64, 0_u64);
    let mut words = 0;
    let mut word = 0_u64;
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() {
            let c = if c.is_ascii() {
                c.to_ascii_lowercase()
            } else {
                c
            };
            word = (word ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3) | 1 << 63;
        } else if word != 0 {
            words += 1;
            *all = (all.0.wrapping_add(mix(word)), all.1 + 1);
            if words >= 3 {
                runs.push(mix(before ^ last.rotate_left(21) ^ word.rotate_left(42)));
            }
            (before, last, word) = (last, word, 0);
        }
    }
    if words == 1 || words == 2 {
        runs.push(mix(before.rotate_left(7) ^ last));
    }
}

/// The share of runs that two items have in common.
#[must_use]
pub fn likeness(a: &Fingerprint, b: &Fingerprint) -> f64 {
    let (mut i, mut j, mut common) = (0_u32, 0_u32, 0_u32);
    while let (Some(x), Some(y)) = (a.runs.get(i as usize), b.runs.get(j as usize)) {
        i += u32::from(x <= y);
        j += u32::from(y <= x);
        common += u32::from(x == y);
    }
    #[expect(clippy::cast_precision_loss, reason = "the runs of two items")]
    let all = (a.runs.len() + b.runs.len() - common as usize) as f64;
    f64::from(common) / all
}

/// For every item that is similar to an earlier one, the most similar earlier one.
#[must_use]
pub fn pairs(fingerprints: &[Option<Fingerprint>], least: f64) -> Vec<Pair> {
    let mut first_with: HashMap<u64, u32> = HashMap::with_capacity(fingerprints.len() * BANDS);
    let mut first_of_words: HashMap<(u64, u32), u32> = HashMap::with_capacity(fingerprints.len());
    let mut pairs = Vec::new();
    for (second, fingerprint) in fingerprints.iter().enumerate() {
        let Some(own) = fingerprint else { continue };
        let mut candidates: Vec<u32> = Vec::with_capacity(COMPARED);
        let index = u32::try_from(second).unwrap_or(u32::MAX);
        let same = *first_of_words.entry(own.words).or_insert(index);
        candidates.extend((same != index).then_some(same));
        for band in own.bands {
            let earlier = *first_with.entry(band).or_insert(index);
            if earlier != index && !candidates.contains(&earlier) {
                candidates.push(earlier);
            }
        }
        let best = candidates
            .into_iter()
            .take(COMPARED)
            .filter_map(|first| {
                let other = fingerprints.get(first as usize)?.as_ref()?;
                let likeness = likeness(other, own);
                let enough = own.runs.len().min(other.runs.len()) >= LEAST_RUNS || likeness >= 1.0;
                let same_words = own.words == other.words && own.words.1 >= LEAST_WORDS;
                (enough && likeness >= least || same_words).then_some(Pair {
                    first: first as usize,
                    second,
                    likeness,
                    same_words,
                })
            })
            .max_by(|a, b| {
                (a.same_words.cmp(&b.same_words))
                    .then(a.likeness.total_cmp(&b.likeness))
                    .then(b.first.cmp(&a.first))
            });
        pairs.extend(best);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Option<Fingerprint> {
        let (mut runs, mut words) = (Vec::new(), (0, 0));
        for text in texts {
            add_runs(text, &mut runs, &mut words);
        }
        of_runs(runs, words)
    }

    #[test]
    fn likeness_ignores_case_punctuation_and_the_order_of_options() {
        let stem = "A man of fifty has had chest pain for two hours. What is the cause?";
        let first = of(&[stem, "Heart attack", "Pneumonia", "A broken rib"]).unwrap();
        let second = of(&[
            &stem.to_uppercase(),
            "a broken rib",
            "Heart attack!",
            "Pneumonia",
        ])
        .unwrap();
        assert!((likeness(&first, &second) - 1.0).abs() < 1e-9);
        let other = of(&[
            "Which vitamin prevents scurvy?",
            "Vitamin C",
            "Vitamin D",
            "Vitamin K",
        ])
        .unwrap();
        assert!(likeness(&first, &other) < 0.05);
    }

    #[test]
    fn near_duplicates_are_found_among_many_items() {
        let mut generator = super::super::statistics::Generator::new(7);
        let words: Vec<String> = (0..500).map(|number| format!("word{number}")).collect();
        let mut items: Vec<Vec<String>> = (0..2_000)
            .map(|_| {
                (0..40)
                    .map(|_| words[generator.below(500)].clone())
                    .collect()
            })
            .collect();
        // Every item of the last hundred repeats an earlier one with one word changed.
        for copy in 0..100 {
            let mut item = items[copy * 3].clone();
            item[20] = "changed".to_owned();
            items.push(item);
        }
        let fingerprints: Vec<_> = items.iter().map(|item| of(&[&item.join(" ")])).collect();
        let pairs = pairs(&fingerprints, 0.8);
        let right = pairs
            .iter()
            .filter(|pair| pair.second >= 2_000 && pair.first == (pair.second - 2_000) * 3)
            .count();
        assert!(right >= 95, "{right} of 100");
        assert_eq!(pairs.len(), right, "nothing else is alike");
    }

    #[test]
    fn the_same_words_in_another_order_are_the_same_item() {
        let first = of(&[
            "Which drug comes first in acute myocardial infarction?",
            "Aspirin",
            "Heparin",
        ]);
        let turned = of(&[
            "In acute myocardial infarction, which drug comes first?",
            "Heparin",
            "Aspirin",
        ]);
        let other = of(&[
            "In acute myocardial infarction, which test comes first?",
            "Heparin",
            "Aspirin",
        ]);
        let pairs = pairs(&[first, turned, other], 0.8);
        assert_eq!(pairs.len(), 1);
        assert_eq!(
            (pairs[0].first, pairs[0].second, pairs[0].same_words),
            (0, 1, true)
        );
    }

    #[test]
    fn a_bank_of_one_item_repeated_costs_no_more() {
        let one = of(&["the same words again and again in every one of these items"]);
        let fingerprints = vec![one; 50_000];
        assert_eq!(pairs(&fingerprints, 0.8).len(), 49_999);
    }
}
