//! Counts tokens with the tokeniser of OpenAI's newer models (o200k), which the program
//! itself does without (`redraft_run::token_estimate`): its vocabulary has 3.6 MB.
//!
//! System prompts and schemas repeat for every document, and counting 8 KB takes a
//! millisecond or more, so counts can be remembered.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{LazyLock, Mutex, PoisonError};

use redraft_run::token_estimate::estimated_tokens;

#[must_use]
fn count(text: &str) -> u64 {
    let tokeniser = tiktoken_rs::o200k_base_singleton();
    let none = HashSet::new();
    let counted = |chunk| match tokeniser.count(chunk, &none) {
        Ok(number) => number as u64,
        // The tokeniser gives up where its search takes too many steps.
        Err(_) => estimated_tokens(chunk),
    };
    chunks(text).map(counted).sum()
}

/// As [`count`], but counts the same text only once.
#[must_use]
pub(crate) fn remembered(text: &str) -> u64 {
    static SEEN: LazyLock<Mutex<HashMap<(u64, usize), u64>>> = LazyLock::new(Mutex::default);
    /// Enough for the prompts of some hundred parallel runs.
    const MOST: usize = 4_096;
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let key = (hasher.finish(), text.len());
    let seen = || SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(number) = seen().get(&key) {
        return *number;
    }
    let number = count(text);
    let mut seen = seen();
    if seen.len() >= MOST {
        seen.clear();
    }
    seen.insert(key, number);
    number
}

/// Splits a text so that counting stays linear: the tokeniser's time grows with the
/// square of a word, and a word may be as long as a file. A cut inside a word adds
/// at most one token.
fn chunks(text: &str) -> impl Iterator<Item = &str> {
    const LONGEST_WORD: usize = 400;
    const LONGEST_CHUNK: usize = 8_000;
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        // A chunk ends before the space of the next word, where a token begins
        // anyway, or inside a word that is too long.
        let (mut end, mut word) = (rest.len(), 0);
        let mut last_break = None;
        for (at, byte) in rest.bytes().enumerate() {
            if at >= LONGEST_CHUNK {
                end = last_break.unwrap_or(at);
                break;
            }
            let is_space = byte == b' ' || byte == b'\n';
            let follows_word = is_space && at > 0 && word > 0;
            if follows_word {
                last_break = Some(at);
            }
            word = if follows_word { 0 } else { word + 1 };
            if word > LONGEST_WORD {
                end = at;
                break;
            }
        }
        let end = rest.floor_char_boundary(end).max(first_char(rest));
        let (chunk, after) = rest.split_at(end);
        rest = after;
        Some(chunk)
    })
}

fn first_char(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use redraft_run::token_estimate::usual_tokens;

    use super::*;

    #[test]
    fn counts_match_the_tokeniser() {
        for (text, expected) in [
            ("", 0),
            ("hello world", 2),
            ("The plant needs light.", 5),
            ("1234567", 3),
        ] {
            assert_eq!(count(text), expected, "{text}");
            assert_eq!(remembered(text), expected, "{text}");
            assert_eq!(remembered(text), expected, "{text}");
        }
    }

    #[test]
    fn hostile_text_is_counted_quickly() {
        for text in [
            "a".repeat(2_000_000),
            " ".repeat(2_000_000),
            "\n".repeat(1_000_000),
            "語".repeat(500_000),
            "é \u{301}".repeat(300_000),
            "0".repeat(1_000_000),
        ] {
            let number = count(&text);
            assert!(number > 0 && number <= text.len() as u64);
        }
    }

    proptest! {
        #[test]
        fn chunks_add_up_to_the_text(text in "[a-z é語\n]{0,60}", times in 1usize..400) {
            let text = text.repeat(times);
            prop_assert_eq!(chunks(&text).collect::<String>(), text);
        }
    }

    #[test]
    fn the_estimates_of_the_program_fit_the_tokeniser() {
        let lessons = lessons();
        assert!(lessons.len() >= 3);
        for (name, text) in &lessons {
            let (number, usual, most) = (count(text), usual_tokens(text), estimated_tokens(text));
            assert!(number <= most, "{name}: {number}, expected at most {most}");
            let percent = usual * 100 / number;
            assert!(
                (80..=120).contains(&percent),
                "{name}: {usual} for {number}"
            );
        }
        let all = |of: fn(&str) -> u64| lessons.iter().map(|(_, text)| of(text)).sum::<u64>();
        let percent = all(usual_tokens) * 100 / all(count);
        assert!((93..=107).contains(&percent), "{percent}% of all tokens");
        eprintln!("{} lessons: {percent}% of their tokens", lessons.len());
    }

    /// The lessons of the examples, and the published ones where the reference data is.
    fn lessons() -> Vec<(String, String)> {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut lessons = Vec::new();
        for name in ["kettle.md", "photosynthesis.md", "refine-chainik/lesson.md"] {
            let text = std::fs::read_to_string(root.join("examples").join(name)).unwrap();
            lessons.push((name.to_owned(), text));
        }
        let data = std::env::var_os("REDRAFT_DATA")
            .map_or_else(|| root.join("../shared/data"), std::path::PathBuf::from);
        match std::fs::read_to_string(data.join("lessons_markdown/lessons.jsonl")) {
            Ok(published) => lessons.extend(published.lines().map(|line| {
                let lesson: serde_json::Value = serde_json::from_str(line).unwrap();
                let text = lesson["text"].as_str().unwrap_or_default().to_owned();
                (lesson["id"].to_string(), text)
            })),
            Err(_) => eprintln!("skipped: no reference data"),
        }
        lessons
    }
}
