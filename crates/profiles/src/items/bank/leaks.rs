//! Finds texts of items that state the answer of another item: one sentence with the words of
//! the answer and most of the words of the question. Each sentence looks its runs of words up
//! among all answers, and each answer is compared a few times at most, so that the cost grows
//! linearly with the number of items.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::statistics::mix;
use crate::items::model::ItemView;
use crate::items::wording;

/// What a sentence must have in common with a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needed {
    pub(crate) words: usize,
    /// Of the words of the question.
    pub(crate) share: f64,
}

/// A sentence that states the answer of another item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stated {
    /// The item that it stands in.
    pub(crate) by: usize,
    /// The item whose answer it is.
    pub(crate) answer_of: usize,
    /// The text that it stands in, in the source of its item.
    pub(crate) range: Range<usize>,
}

/// The longest answer that is looked for, in words; a longer one is hardly repeated.
const LONGEST: usize = 6;

/// The most items with the same answer that a sentence is compared with.
const COMPARED: usize = 16;

/// Finds the sentences that state the answers of other items.
pub(crate) fn find(items: &[ItemView<'_>], needed: Needed) -> Vec<Stated> {
    let mut answers: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, view) in items.iter().enumerate() {
        let Some(answer) = view.correct().map(|key| view.option(key)) else {
            continue;
        };
        let words: Vec<u64> = hashes(answer).map(|(_, hash)| hash).collect();
        let is_long = wording::length(answer) >= LETTERS;
        if is_long && (1..=LONGEST).contains(&words.len()) {
            let same = answers.entry(joined(&words)).or_default();
            if same.len() < COMPARED {
                same.push(index);
            }
        }
    }
    let mut questions: HashMap<usize, Box<[u64]>> = HashMap::new();
    let mut found = Vec::new();
    for (by, view) in items.iter().enumerate() {
        for field in view.vignette().iter().chain(view.stem()) {
            for sentence in sentences(&field.text) {
                // A question asks; what it states it does not ask.
                let words: Vec<u64> = hashes(sentence).map(|(_, hash)| hash).collect();
                let own: HashSet<u64> = words.iter().copied().collect();
                for answer_of in candidates(&words, &answers) {
                    if answer_of == by {
                        continue;
                    }
                    let question = questions
                        .entry(answer_of)
                        .or_insert_with(|| question_words(items[answer_of]));
                    if states(&own, question, needed) {
                        found.push(Stated {
                            by,
                            answer_of,
                            range: field.map.source_span(),
                        });
                    }
                }
            }
        }
    }
    found.dedup();
    found
}

/// The least letters of an answer; *5* and *Na* stand in many texts.
const LETTERS: usize = 4;

/// The items whose answers are among the runs of a sentence.
fn candidates(words: &[u64], answers: &HashMap<u64, Vec<usize>>) -> Vec<usize> {
    let mut found: Vec<usize> = (1..=LONGEST)
        .flat_map(|length| words.windows(length))
        .filter_map(|run| answers.get(&joined(run)))
        .flatten()
        .copied()
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn states(own: &HashSet<u64>, question: &[u64], needed: Needed) -> bool {
    let common = question.iter().filter(|word| own.contains(word)).count();
    #[expect(clippy::cast_precision_loss, reason = "the words of a question")]
    let share = common as f64 / question.len().max(1) as f64;
    common >= needed.words && share >= needed.share
}

/// The words of a question that matter, each once.
fn question_words(view: ItemView<'_>) -> Box<[u64]> {
    let asked = view.lead_in().map_or("", |field| &*field.text);
    let sentence = asked.get(wording::last_sentence(asked)).unwrap_or(asked);
    let mut words: Vec<u64> = hashes(sentence)
        .filter(|(word, _)| wording::length(word) >= LETTERS && !is_common(word))
        .map(|(_, hash)| hash)
        .collect();
    words.sort_unstable();
    words.dedup();
    words.into()
}

/// Words that stand in any question.
fn is_common(word: &str) -> bool {
    const COMMON: &[&str] = &[
        "which",
        "what",
        "where",
        "when",
        "whose",
        "following",
        "most",
        "this",
        "that",
        "these",
        "with",
        "from",
        "have",
        "does",
        "been",
        "likely",
        "true",
        "false",
        "correct",
        "statement",
        "about",
        "except",
        "best",
        "regarding",
        "seen",
        "used",
        "caused",
        "cause",
        "called",
        "known",
        "common",
        "commonly",
        "patient",
        "diagnosis",
        "treatment",
    ];
    COMMON
        .iter()
        .any(|common| word.eq_ignore_ascii_case(common))
}

/// The sentences of a text, roughly: this only has to keep statements apart.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', '?', '!', '\n', '。', '？', '！'])
        .filter(|sentence| sentence.contains(char::is_alphanumeric))
}

/// The words of a text with their hashes, in lower case.
fn hashes(text: &str) -> impl Iterator<Item = (&str, u64)> {
    wording::words(text).map(|word| {
        let letters = word.chars().flat_map(char::to_lowercase);
        let hash = letters.fold(0xcbf2_9ce4_8422_2325_u64, |hash, c| {
            (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3)
        });
        (word, mix(hash))
    })
}

fn joined(run: &[u64]) -> u64 {
    run.iter()
        .fold(run.len() as u64, |hash, word| mix(hash ^ word))
}
