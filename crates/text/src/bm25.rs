//! Which of several passages a text is most about: Okapi BM25 over stems.
//!
//! It knows nothing of sources or budgets. Words are compared by their stems
//! where the language has a stemmer, else as they are in lower case; numbers
//! count as words. The order of equal passages is their own.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::language::Language;
use crate::stems::{has_stemmer, stem};
use crate::words::words;

/// How fast a repeated word stops counting, and how much length matters: the
/// values that Robertson and Zaragoza (2009) report as good for most collections.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Different words of a text that are looked up. More tell nothing new, and the
/// work stays in proportion to the passages.
const WORDS: usize = 400;

/// Passages that can be searched.
#[derive(Clone, Debug, Default)]
pub struct Index {
    language: Option<Language>,
    /// The place of each term in `postings`.
    terms: FxHashMap<String, usize>,
    /// For each term the passages that have it, with how often.
    postings: Vec<Vec<(usize, u32)>>,
    lengths: Vec<u32>,
    mean_length: f64,
}

impl Index {
    /// Reads passages. Costs their length once.
    pub fn new<'t>(
        passages: impl IntoIterator<Item = &'t str>,
        language: Option<Language>,
    ) -> Self {
        let mut index = Self {
            language: language.filter(has_stemmer),
            ..Self::default()
        };
        // Stems are slow to find, and a megabyte has some thousand different words.
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        for (number, passage) in passages.into_iter().enumerate() {
            let mut length = 0u32;
            for (_, word) in words(passage) {
                length = length.saturating_add(1);
                let place = match known.get(word) {
                    Some(place) => *place,
                    None => {
                        let place = index.place(word);
                        known.insert(word, place);
                        place
                    }
                };
                let Some(found) = index.postings.get_mut(place) else {
                    continue;
                };
                match found.last_mut() {
                    Some((last, count)) if *last == number => *count = count.saturating_add(1),
                    _ => found.push((number, 1)),
                }
            }
            index.lengths.push(length);
        }
        let total: u64 = index.lengths.iter().map(|length| u64::from(*length)).sum();
        index.mean_length = total as f64 / (index.lengths.len().max(1)) as f64;
        index
    }

    /// The place of a word's term, which gets one if it has none.
    fn place(&mut self, word: &str) -> usize {
        let term = term(word, self.language.as_ref());
        if let Some(place) = self.terms.get(term.as_ref()) {
            return *place;
        }
        let place = self.postings.len();
        self.postings.push(Vec::new());
        self.terms.insert(term.into_owned(), place);
        place
    }

    /// How many passages there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// How much each passage has to do with a text, in the passages' order; 0
    /// means that they share no word.
    pub fn scores(&self, text: &str) -> Vec<f64> {
        let mut scores = vec![0.0; self.lengths.len()];
        // Each word of the text counts once: a long text would otherwise ask for
        // its commonest words only. In the order of the text, so that the sums are
        // the same every time.
        let mut seen = FxHashMap::default();
        for (_, word) in words(text) {
            if seen.len() >= WORDS {
                break;
            }
            let term = term(word, self.language.as_ref());
            if seen.insert(term.to_string(), ()).is_some() {
                continue;
            }
            let place = self.terms.get(term.as_ref());
            let Some(found) = place.and_then(|place| self.postings.get(*place)) else {
                continue;
            };
            let rarity = self.rarity(found.len());
            for (number, count) in found {
                let length = self.lengths.get(*number).copied().unwrap_or_default();
                let relative = f64::from(length) / self.mean_length.max(1.0);
                let count = f64::from(*count);
                let weight = count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * relative));
                if let Some(score) = scores.get_mut(*number) {
                    *score += rarity * weight;
                }
            }
        }
        scores
    }

    /// The passages that share a word with a text, the nearest first.
    pub fn nearest(&self, text: &str) -> Vec<usize> {
        let scores = self.scores(text);
        let mut ranked: Vec<(usize, f64)> = scores
            .into_iter()
            .enumerate()
            .filter(|(_, score)| *score > 0.0)
            .collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked.into_iter().map(|(number, _)| number).collect()
    }

    /// A word that few passages have tells more. Never below zero, so that a word
    /// which all have does no harm.
    fn rarity(&self, having: usize) -> f64 {
        let (all, having) = (self.lengths.len() as f64, having as f64);
        (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
    }
}

fn term<'w>(word: &'w str, language: Option<&Language>) -> Cow<'w, str> {
    match language.and_then(|language| stem(word, language)) {
        Some(stem) => stem,
        None if word.chars().any(char::is_uppercase) => Cow::Owned(word.to_lowercase()),
        None => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PASSAGES: [&str; 4] = [
        "Plants take in carbon dioxide through small openings of their leaves.",
        "The Highland Clearances emptied many glens of their people.",
        "In the leaves, light splits water. The leaf gives oxygen away.",
        "A lease is a contract between a landlord and a tenant.",
    ];

    #[test]
    fn what_a_text_is_about_comes_first_in_every_form_of_its_words() {
        let index = Index::new(PASSAGES, Some(Language::EN));
        for (text, expected) in [
            ("How does a leaf open itself for light?", &[2, 0, 3][..]),
            ("tenants and contracts", &[3, 1]),
            ("Clearance of the glen", &[1, 2, 0]),
            ("quantum chromodynamics", &[]),
            ("", &[]),
        ] {
            let nearest = index.nearest(text);
            assert_eq!(nearest.first(), expected.first(), "{text}: {nearest:?}");
        }
        assert_eq!(index.len(), 4);
        assert!(index.nearest("photosynthesis").is_empty());
    }

    #[test]
    fn russian_is_stemmed_and_chinese_is_cut_into_words() {
        let russian = Index::new(
            ["Запросы к базе данных", "Растения и свет"],
            Some(Language::RU),
        );
        assert_eq!(russian.nearest("растению нужен свет"), [1]);
        let chinese = Index::new(["植物需要阳光", "数据库查询"], Some(Language::ZH));
        assert_eq!(chinese.nearest("阳光"), [0]);
    }

    #[test]
    fn a_rare_word_outweighs_a_common_one_and_equals_keep_their_order() {
        let index = Index::new(["water water water", "water osmosis", "water"], None);
        assert_eq!(index.nearest("osmosis of water").first(), Some(&1));
        let same = Index::new(["a b", "a b", "a b"], None);
        assert_eq!(same.nearest("a"), [0, 1, 2]);
    }

    #[test]
    fn figures_are_those_of_the_formula() {
        // Three passages of two words; the term is in one of them, once:
        // ln(1 + 2.5 / 1.5) × 2.2 / 2.2.
        let index = Index::new(["x y", "a b", "c d"], None);
        let score = index.scores("x")[0];
        assert!((score - (1.0f64 + 2.5 / 1.5).ln()).abs() < 1e-12, "{score}");
    }

    proptest! {
        #[test]
        fn whatever_comes_in_every_passage_has_a_score(
            passages in prop::collection::vec("\\PC{0,40}", 0..6),
            text in "\\PC{0,60}",
        ) {
            let index = Index::new(passages.iter().map(String::as_str), Some(Language::EN));
            let scores = index.scores(&text);
            prop_assert_eq!(scores.len(), passages.len());
            prop_assert!(scores.iter().all(|score| score.is_finite() && *score >= 0.0));
            let nearest = index.nearest(&text);
            prop_assert!(nearest.windows(2).all(|pair| scores[pair[0]] >= scores[pair[1]]));
        }
    }
}
