//! Whether a text talks *about* a foreign character: it calls it a letter, it
//! explains it, it names the language. The words for that are in
//! `crates/text/data/script_names`.

use std::sync::LazyLock;

use redraft_text::phrases::PhraseList;
use redraft_text::scripts::Script;
use redraft_text::words::words;

static LIST: PhraseList = PhraseList::new(
    "script_names",
    &[
        "called",
        "cyrillic",
        "han",
        "hangul",
        "arabic",
        "hebrew",
        "armenian",
        "georgian",
        "thai",
        "devanagari",
        "other",
    ],
);

/// Phrases of all languages, by how they are written.
struct Names {
    /// Beginnings of words.
    spaced: Vec<&'static str>,
    /// Chinese and Japanese, where words have no spaces between them.
    unspaced: Vec<&'static str>,
}

impl Names {
    fn of(section: &str) -> Self {
        let (unspaced, spaced) = LIST
            .all(section)
            .partition(|name| name.starts_with(|c: char| c > '\u{2e80}'));
        Self { spaced, unspaced }
    }
}

/// Whether the words around it call it a letter, a character or a word of some
/// language.
pub(super) fn names_it(before: &str, after: &str) -> bool {
    let before = tail(before);
    let after = head(after);
    static CALLED: LazyLock<Names> = LazyLock::new(|| Names::of("called"));
    if CALLED
        .unspaced
        .iter()
        .any(|name| before.trim_end().ends_with(name) || after.trim_start().starts_with(name))
    {
        return true;
    }
    let is_called = |word: &str| {
        let word = word.to_lowercase();
        CALLED
            .spaced
            .iter()
            .any(|name| word.starts_with(name))
    };
    let last = before.split_whitespace().rev().take(2);
    let next = after.split_whitespace().next();
    // Glued to a word it is not a name of anything.
    let starts_alone = before.is_empty() || before.ends_with(char::is_whitespace);
    let ends_alone = after.is_empty() || !after.starts_with(char::is_alphanumeric);
    starts_alone && ends_alone && last.chain(next).any(is_called)
}

/// Whether it is explained: `的 — a particle`, `water: 水`, `水 = water`.
pub(super) fn is_gloss(before: &str, after: &str) -> bool {
    let line = tail(before).rsplit('\n').next().unwrap_or_default().trim();
    let after = head(after).trim_start();
    let starts = line.is_empty()
        || line.ends_with(['.', '-', '*', '+', '|'])
        || line.ends_with(|c: char| c.is_ascii_digit());
    line.ends_with([':', '=', '→', '≈', '：', '(', '/'])
        || after.starts_with(['=', '→', '≈', '(', '/'])
        || starts && after.starts_with(['—', '–', '-', ':', '：'])
}

fn tail(text: &str) -> &str {
    let from = text.ceil_char_boundary(text.len().saturating_sub(64));
    &text[from..]
}

fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(text.len().min(64))]
}

/// Whether a text names a language that is written in this script.
pub(super) fn names_language(text: &str, script: Script) -> bool {
    let section = match script {
        Script::Cyrillic => "cyrillic",
        Script::Han | Script::Kana => "han",
        Script::Hangul => "hangul",
        Script::Arabic => "arabic",
        Script::Hebrew => "hebrew",
        Script::Armenian => "armenian",
        Script::Georgian => "georgian",
        Script::Thai => "thai",
        Script::Devanagari => "devanagari",
        Script::Greek | Script::Latin | Script::Common => return false,
        _ => "other",
    };
    let own = script.name().to_lowercase();
    let names = Names::of(section);
    names.unspaced.iter().any(|name| text.contains(name))
        || words(text).any(|(_, word)| {
            let word = word.to_lowercase();
            word.starts_with(&own) || names.spaced.iter().any(|name| word.starts_with(name))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(LIST.faults(), [""; 0]);
        let is_called = |text: &str| {
            let (before, rest) = text.split_once('⟪').unwrap();
            let (_, after) = rest.split_once('⟫').unwrap();
            names_it(before, after)
        };
        assert_eq!(LIST.wrong_examples("called", |_, text| is_called(text)), [""; 0]);
    }

    #[test]
    fn a_language_is_named_in_any_language() {
        for (text, script, expected) in [
            ("Russian has six cases.", Script::Cyrillic, true),
            ("El ruso tiene seis casos.", Script::Cyrillic, true),
            ("俄语有六个格。", Script::Cyrillic, true),
            ("German has four cases.", Script::Cyrillic, false),
            ("日本的火车", Script::Kana, true),
            ("A text in Greek.", Script::Greek, false),
        ] {
            assert_eq!(names_language(text, script), expected, "{text}");
        }
    }
}
