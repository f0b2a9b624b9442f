//! What cues are worth: how sure they make it that sentences at an edge of a text are
//! chat about the answer. The weights are data, one file per language
//! (`data/chat_weights`), learned from the sentences in `training` by
//! `cargo run --release -p redraft-text --example learn_chat`.
//!
//! Weights are whole numbers, so that the same sentence gets the same sum everywhere.

use std::sync::{LazyLock, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::cues::{Reading, Words};
use super::lexicon::LEXICON;
use crate::phrases::PhraseList;

pub(super) static WEIGHTS: PhraseList = PhraseList::new("chat_weights", &SECTIONS);

/// In the order of [`Talk`].
const SECTIONS: [&str; 3] = ["opening", "closing", "refusal"];

/// What sentences may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Talk {
    Opening,
    Closing,
    Refusal,
}

/// How sentences sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weighed {
    pub(super) language: &'static str,
    /// In thousandths; above zero it is this talk.
    pub(super) sum: i32,
    /// The words that say most for it, if it is.
    pub(super) telling: Vec<String>,
}

/// The weights of one language, in thousandths.
#[derive(Debug, Default)]
struct Table {
    cues: [FxHashMap<&'static str, i32>; 3],
}

/// By language, in the order of the lexicon; each is read when it is first needed.
static TABLES: LazyLock<Vec<OnceLock<Table>>> = LazyLock::new(|| {
    let languages = LEXICON.languages().iter();
    languages.map(|_| OnceLock::new()).collect()
});

fn table(place: usize) -> Option<&'static Table> {
    let language = LEXICON.languages().get(place)?;
    let read = || {
        let mut table = Table::default();
        let Some(file) = WEIGHTS.file(language) else {
            return table;
        };
        for (cues, section) in table.cues.iter_mut().zip(SECTIONS) {
            let lines = file.phrases(section);
            cues.reserve(lines.len());
            for line in lines {
                if let Some((weight, cue)) = line.split_once(' ')
                    && let Ok(weight) = weight.parse()
                {
                    cues.insert(cue, weight);
                }
            }
        }
        table
    };
    Some(TABLES.get(place)?.get_or_init(read))
}

/// How sentences sound, whether for this talk or against it. `None` if they are none, or
/// longer than chat.
pub(super) fn weigh(text: &str, talk: Talk) -> Option<Weighed> {
    let words = Words::new(text);
    if words.len() == 0 || words.is_long() {
        return None;
    }
    let readings = words.read(&LEXICON);
    let least = readings.iter().map(Reading::unknown).min()?;
    let mut best: Option<(usize, Weighed)> = None;
    for (place, reading) in readings.iter().enumerate() {
        // Two languages may know the same words of a short sentence; then it is in the one
        // that knows more of its cues.
        if reading.unknown() == least
            && let Some((known, found)) = weigh_in(&words, reading, place, talk)
            && best.as_ref().is_none_or(|(most, _)| *most < known)
        {
            best = Some((known, found));
        }
    }
    best.map(|(_, found)| found)
}

/// How the sentences sound in one language, and how many of their cues it knows.
fn weigh_in(
    words: &Words,
    reading: &Reading,
    place: usize,
    talk: Talk,
) -> Option<(usize, Weighed)> {
    let cues = table(place)?.cues.get(talk as usize)?;
    let mut sum = 0;
    let mut told: Vec<(i32, (usize, usize))> = Vec::new();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    words.cues(reading, |cue, at| {
        if let Some((cue, weight)) = cues.get_key_value(cue)
            && seen.insert(cue)
        {
            sum += weight;
            if *weight > 0 && at.1 > at.0 {
                told.push((*weight, at));
            }
        }
    });
    let telling = if sum > 0 {
        telling(words, told)
    } else {
        Vec::new()
    };
    let weighed = Weighed {
        language: LEXICON.languages().get(place).copied()?,
        sum,
        telling,
    };
    Some((seen.len(), weighed))
}

/// The words that say most for it, the most telling first, none twice.
fn telling(words: &Words, mut told: Vec<(i32, (usize, usize))>) -> Vec<String> {
    const MOST: usize = 3;
    told.sort_by_key(|(weight, _)| -*weight);
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

    fn is(text: &str, talk: Talk) -> bool {
        weigh(text, talk).is_some_and(|weighed| weighed.sum > 0)
    }

    #[test]
    fn the_weight_files_are_sound() {
        for file in WEIGHTS.files() {
            for section in SECTIONS {
                let lines = file.phrases(section);
                assert!(lines.len() > 500, "{} [{section}]", file.language);
                for line in lines {
                    let (weight, cue) = line.split_once(' ').expect("a weight and a cue");
                    assert!(weight.parse::<i32>().is_ok() && !cue.is_empty(), "{line}");
                }
            }
        }
        assert_eq!(WEIGHTS.files().len(), LEXICON.languages().len());
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
                "The source text is empty, so the item could not be generated.",
                Talk::Refusal,
                true,
            ),
            (
                "The desert is empty, so nobody could be asked.",
                Talk::Refusal,
                false,
            ),
        ] {
            assert_eq!(is(text, talk), expected, "{text}");
        }
    }

    #[test]
    fn what_tells_is_named() {
        let weighed = weigh("Here's the revised quiz you asked for.", Talk::Opening).unwrap();
        assert_eq!(weighed.language, "en");
        assert!(!weighed.telling.is_empty() && weighed.telling.len() <= 3);
    }
}
