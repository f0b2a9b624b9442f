//! How hard a sentence is for a reader at A2 to B1: its words, and those among
//! them that such a reader may not know.
//!
//! The list of easy words is our own (`crates/text/data/easy_words`); regular
//! endings are removed here. A sentence weighs one for each word and [`HARD`] more
//! for each hard one. The weight and the limit in `policy.toml` were chosen on one
//! half of CEFR-SP's sentences and measured on the other (`reference_data.rs`).

use std::collections::HashSet;
use std::sync::LazyLock;

use redraft_text::phrases::PhraseList;

/// What a hard word adds to the weight of a sentence. On the half of CEFR-SP that
/// was used for tuning, weights from 10 to 15 are equally good.
const HARD: usize = 12;

static LIST: PhraseList = PhraseList::new("easy_words", &["words"]);

static EASY: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| LIST.all("words").flat_map(str::split_whitespace).collect());

/// How hard a sentence is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Load<'t> {
    pub(crate) words: usize,
    /// The words that are not easy, in order.
    pub(crate) hard: Vec<&'t str>,
}

impl Load<'_> {
    #[must_use]
    pub(crate) fn weight(&self) -> usize {
        self.words + HARD * self.hard.len()
    }
}

/// How hard a sentence of plain text is.
#[must_use]
pub(crate) fn load(sentence: &str) -> Load<'_> {
    let words: Vec<(std::ops::Range<usize>, &str)> =
        super::plain_language::words(sentence).collect();
    Load {
        words: words.len(),
        hard: words
            .iter()
            .enumerate()
            .filter(|(index, (_, word))| is_hard(word, *index == 0))
            .flat_map(|(_, (_, word))| word.split(['-', '/']))
            .filter(|part| !is_easy(part) && !is_symbol(part))
            .collect(),
    }
}

/// Names and numbers are not hard; neither is a capitalised word that opens a
/// sentence, as it may be a name.
fn is_hard(word: &str, opens: bool) -> bool {
    let is_name = word.starts_with(char::is_uppercase);
    if is_name && !opens {
        return false;
    }
    !is_name
        && word
            .split(['-', '/'])
            .any(|part| !is_easy(part) && !is_symbol(part))
}

/// Numbers, units and single letters.
fn is_symbol(word: &str) -> bool {
    word.chars().count() <= 2
        || word
            .chars()
            .any(|c| !c.is_alphabetic() && !matches!(c, '\'' | '’'))
}

/// Whether a reader at B1 knows a word, with any regular ending.
#[must_use]
pub(crate) fn is_easy(word: &str) -> bool {
    let lower = word.to_lowercase().replace('’', "'");
    let stem = ["'s", "n't", "'re", "'ve", "'ll", "'d", "'m", "s'", "'"]
        .iter()
        .find_map(|ending| lower.strip_suffix(ending))
        .unwrap_or(&lower);
    is_form(stem)
        || ["un", "re", "non"].iter().any(|prefix| {
            stem.strip_prefix(prefix)
                .is_some_and(|rest| rest.len() > 2 && is_form(rest))
        })
}

pub(crate) fn is_listed(word: &str) -> bool {
    EASY.contains(word)
}

fn is_form(word: &str) -> bool {
    is_listed(word) || bases(word).any(|base| is_listed(&base))
}

/// The base forms that a word with a regular ending can have.
pub(crate) fn bases(word: &str) -> impl Iterator<Item = String> {
    const ENDINGS: &[(&str, &[&str])] = &[
        ("ies", &["y"]),
        ("ied", &["y"]),
        ("iest", &["y"]),
        ("ier", &["y"]),
        ("ily", &["y"]),
        ("es", &["", "e"]),
        ("s", &[""]),
        ("ed", &["", "e"]),
        ("ing", &["", "e"]),
        ("er", &["", "e"]),
        ("ers", &["", "e"]),
        ("est", &["", "e"]),
        ("ly", &["", "le"]),
        ("or", &["", "e"]),
        ("ally", &["", "al"]),
    ];
    ENDINGS.iter().flat_map(move |(ending, repairs)| {
        let stem = word.strip_suffix(ending).filter(|stem| stem.len() >= 2);
        let doubled = stem
            .filter(|_| matches!(*ending, "ed" | "ing" | "er" | "est" | "ers"))
            .and_then(|stem| {
                let last = stem.chars().next_back()?;
                let short = stem.strip_suffix(last)?;
                short.ends_with(last).then(|| short.to_owned())
            });
        let repaired: Vec<String> = stem
            .into_iter()
            .flat_map(|stem| repairs.iter().map(move |repair| format!("{stem}{repair}")))
            .chain(doubled)
            .collect();
        repaired
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(LIST.faults(), [""; 0]);
        assert_eq!(
            LIST.wrong_examples("words", |_, word| !is_easy(word)),
            [""; 0]
        );
    }

    #[test]
    fn names_numbers_and_units_weigh_as_words_only() {
        let load = load("Sauchiehall Street in Glasgow is 3 km long, notwithstanding 1/4.");
        assert_eq!((load.words, load.hard), (10, vec!["notwithstanding"]));
    }
}
