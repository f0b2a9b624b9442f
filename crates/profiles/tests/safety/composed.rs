//! Sentences composed by grammar from the files in `injections/`: slots are filled
//! from their lists, so that every phrase of a slot is used with every frame in turn.

use std::collections::BTreeMap;

/// The sentences of one language.
pub(crate) struct Composed {
    pub(crate) language: &'static str,
    /// Injections on which the phrase lists were tuned.
    pub(crate) tune: Vec<String>,
    /// Injections of other frames, never looked at while tuning.
    pub(crate) held_out: Vec<String>,
    pub(crate) innocent: Vec<String>,
}

macro_rules! files {
    ($($language:literal)*) => {
        &[$(($language, include_str!(concat!("injections/", $language, ".txt")))),*]
    };
}

const FILES: &[(&str, &str)] =
    files!("en" "ru" "de" "es" "fr" "pt" "zh" "it" "nl" "pl" "tr" "ar" "hi" "ja" "ko" "uk");

pub(crate) fn all() -> Vec<Composed> {
    FILES
        .iter()
        .map(|(language, text)| read(language, text))
        .collect()
}

fn read(language: &'static str, text: &str) -> Composed {
    let mut sections: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut name = "";
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        match line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            Some(section) => name = section,
            None => sections.entry(name).or_default().push(line),
        }
    }
    let of = |section: &str| -> Vec<String> {
        let frames = &sections[section];
        frames
            .iter()
            .flat_map(|frame| fill(frame, &sections))
            .collect()
    };
    Composed {
        language,
        tune: of("tune"),
        held_out: of("held out"),
        innocent: of("innocent"),
    }
}

/// A frame with its slots filled so often that every word of each has its turn.
fn fill(frame: &str, sections: &BTreeMap<&str, Vec<&str>>) -> Vec<String> {
    let slots: Vec<&str> = frame
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split('}').next())
        .collect();
    let list = |slot: &str| &sections[format!("slot {}", slot.to_lowercase()).as_str()];
    let longest = slots.iter().map(|slot| list(slot).len()).max();
    let turns = longest.map_or(1, |longest| 2 * longest);
    (0..turns)
        .map(|turn| {
            let mut text = frame.to_owned();
            for (step, slot) in slots.iter().enumerate() {
                let words = list(slot);
                // Slots of the same length do not go in step.
                let word = words[(turn + step * (1 + turn / words.len())) % words.len()];
                let capital = slot.starts_with(char::is_uppercase);
                let word = if capital {
                    capitalised(word)
                } else {
                    word.to_owned()
                };
                text = text.replacen(&format!("{{{slot}}}"), &word, 1);
            }
            text
        })
        .collect()
}

fn capitalised(word: &str) -> String {
    let mut rest = word.chars();
    let first: String = rest
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    first + rest.as_str()
}
