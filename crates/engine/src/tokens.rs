//! How many tokens a text is, by the tokeniser of OpenAI's newer models (o200k).
//! Others cut otherwise, so what is counted here is marked as estimated wherever
//! it stands in for a provider's own count.

use std::collections::HashSet;

use redraft_run::token_estimate::estimated_tokens;

/// The tokens of a text. Loads the tokeniser when it is first called: some tens of
/// megabytes that nobody needs whose provider counts.
#[must_use]
pub fn count(text: &str) -> u64 {
    let tokeniser = tiktoken_rs::o200k_base_singleton();
    let none = HashSet::new();
    let counted = |piece| match tokeniser.count(piece, &none) {
        Ok(number) => number as u64,
        // The tokeniser gives up where its search takes too many steps.
        Err(_) => estimated_tokens(piece),
    };
    pieces(text).map(counted).sum()
}

/// A text in pieces that the tokeniser takes in its stride: its time grows with
/// the square of a word, and a word may be as long as a file. A cut inside a word
/// adds at most a token.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    const LONGEST_WORD: usize = 400;
    const LONGEST_PIECE: usize = 8_000;
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        // A piece ends before the space of the next word, where a token begins
        // anyway, or inside a word that is too long to be one.
        let (mut end, mut word) = (rest.len(), 0);
        let mut last_break = None;
        for (at, byte) in rest.bytes().enumerate() {
            if at >= LONGEST_PIECE {
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
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(piece)
    })
}

fn first_char(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_are_those_of_the_tokeniser() {
        for (text, expected) in [
            ("", 0),
            ("hello world", 2),
            ("The plant needs light.", 5),
            ("1234567", 3),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
    }

    #[test]
    fn hostile_text_is_counted_in_its_stride() {
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
        fn pieces_are_the_text(text in "[a-z é語\n]{0,60}", times in 1usize..400) {
            let text = text.repeat(times);
            prop_assert_eq!(pieces(&text).collect::<String>(), text);
        }
    }

    #[test]
    fn what_is_reserved_is_no_less_than_what_is_counted() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let data = std::env::var_os("REDRAFT_DATA")
            .map_or_else(|| root.join("../shared/data"), std::path::PathBuf::from);
        let Ok(lessons) = std::fs::read_to_string(data.join("lessons_markdown/lessons.jsonl"))
        else {
            eprintln!("skipped: no reference data");
            return;
        };
        let (mut seen, mut reserved, mut counted) = (0, 0, 0);
        for line in lessons.lines() {
            let lesson: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = lesson["text"].as_str().unwrap_or_default();
            let (most, number) = (estimated_tokens(text), count(text));
            assert!(
                number <= most,
                "{}: {number} tokens, and {most} were expected at most",
                lesson["id"]
            );
            (seen, reserved, counted) = (seen + 1, reserved + most, counted + number);
        }
        assert!(seen > 20, "{seen} lessons are too few to mean something");
        eprintln!("{seen} lessons: {counted} tokens, {reserved} expected at most");
    }
}
