//! Options that speak of all options or of none: “All of the above”, “Options A to D are all
//! correct”, “Aucune des réponses ci-dessus”. They are recognised by kinds of words (`whole_list`
//! of the phrase lists), because nobody can list their wordings. Knows texts alone, not items.
//!
//! | an option of such words alone has | it speaks of |
//! |---|---|
//! | *all*, with *above* or *options* | all |
//! | *all*, with *correct* and a small word | all |
//! | *any*, *each*, *both*, with *above*, or with *correct* and *options* or a small word | all |
//! | *three*, with *options* and *correct* | all |
//! | *none*, with any of these as for *any* | none |

use std::sync::OnceLock;

use redraft_text::phrases::{PhraseFile, PhraseList, is_unspaced};
use rustc_hash::{FxHashMap, FxHashSet};

const SECTIONS: [&str; 9] = [
    "all", "any", "none", "count", "above", "answers", "true", "small", "two",
];

static LIST: PhraseList = PhraseList::new("whole_list", &SECTIONS);

/// Of what an option speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WholeList {
    All,
    None,
}

/// The sections that a word stands in, a bit for each.
type Kinds = u16;

const ALL: Kinds = 1;
const ANY: Kinds = 1 << 1;
const NONE: Kinds = 1 << 2;
const COUNT: Kinds = 1 << 3;
const ABOVE: Kinds = 1 << 4;
const ANSWERS: Kinds = 1 << 5;
const TRUE: Kinds = 1 << 6;
const SMALL: Kinds = 1 << 7;
const TWO: Kinds = 1 << 8;

/// The words of a language with their kinds.
struct Language {
    words: FxHashMap<&'static str, Kinds>,
    is_unspaced: bool,
    /// Whether it may know anything of a text in ASCII.
    has_ascii: bool,
}

struct Languages {
    all: Vec<Language>,
    /// The words of all languages with spaces: nearly every option has a word that none of
    /// them knows.
    spaced: FxHashSet<&'static str>,
}

fn languages() -> &'static Languages {
    static LANGUAGES: OnceLock<Languages> = OnceLock::new();
    LANGUAGES.get_or_init(|| {
        let all: Vec<Language> = LIST.files().iter().map(Language::new).collect();
        let spaced = all.iter().filter(|language| !language.is_unspaced);
        let spaced = spaced
            .flat_map(|language| language.words.keys().copied())
            .collect();
        Languages { all, spaced }
    })
}

/// Whether an option speaks of all options or of none.
pub(super) fn spoken_of(option: &str) -> Option<WholeList> {
    readings(option).find_map(said)
}

/// The same for an option that speaks of all wherever they stand. “Both are correct” speaks of
/// two others, and which these are depends on the order.
pub(super) fn in_any_order(option: &str) -> Option<WholeList> {
    let found = readings(option).find_map(|kinds| Some((said(kinds)?, kinds)));
    found.and_then(|(said, kinds)| (kinds & TWO == 0).then_some(said))
}

/// The kinds of all words of an option, in each language that has them all.
fn readings(option: &str) -> impl Iterator<Item = Kinds> {
    const LONGEST: usize = 100;
    let text = option.trim();
    let is_fit = !text.is_empty() && text.len() <= LONGEST;
    let lower = text.to_lowercase();
    let Languages { all, spaced } = languages();
    let is_spaced = words(&lower).all(|word| is_label(word) || spaced.contains(word));
    let is_ascii = lower.is_ascii();
    let fit = all.iter().filter(move |_| is_fit);
    fit.filter_map(move |language| match language.is_unspaced {
        true if is_ascii && !language.has_ascii => None,
        true => language.signs(&lower),
        false if !is_spaced => None,
        false => language.words(&lower),
    })
}

fn words(lower: &str) -> impl Iterator<Item = &str> {
    let parts = lower.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    parts.map(|word| word.trim_matches('-'))
}

fn is_label(word: &str) -> bool {
    word.chars().nth(1).is_none() || word.bytes().all(|b| b.is_ascii_digit())
}

fn said(kinds: Kinds) -> Option<WholeList> {
    let has = |kind: Kinds| kinds & kind != 0;
    let of_each = has(ABOVE) || has(TRUE) && (has(ANSWERS) || has(SMALL));
    if has(NONE) {
        return of_each.then_some(WholeList::None);
    }
    let is_all = has(ALL) && (has(ABOVE) || has(ANSWERS) || has(TRUE) && has(SMALL))
        || has(ANY) && of_each
        || has(COUNT) && has(ANSWERS) && has(TRUE);
    is_all.then_some(WholeList::All)
}

impl Language {
    fn new(file: &PhraseFile) -> Self {
        let mut words: FxHashMap<&'static str, Kinds> = FxHashMap::default();
        for (bit, section) in SECTIONS.iter().enumerate() {
            for word in file.words(section) {
                *words.entry(word).or_default() |= 1 << bit;
            }
        }
        Self {
            is_unspaced: words.keys().any(|word| is_unspaced(word)),
            has_ascii: words.keys().any(|word| word.is_ascii()),
            words,
        }
    }

    /// The kinds of all words of a text, if each has one.
    fn words(&self, lower: &str) -> Option<Kinds> {
        let mut kinds = 0;
        for word in words(lower) {
            match self.words.get(word) {
                Some(found) => kinds |= found,
                None if is_label(word) => {}
                None => return None,
            }
        }
        Some(kinds)
    }

    /// The same for a script without spaces: the longest known word first.
    fn signs(&self, lower: &str) -> Option<Kinds> {
        const LONGEST: usize = 4;
        let mut kinds = 0;
        let mut rest = lower;
        while let Some(first) = rest.chars().next() {
            let known = (1..=LONGEST).rev().find_map(|length| {
                let end = rest
                    .char_indices()
                    .nth(length)
                    .map_or(rest.len(), |(at, _)| at);
                let word = rest.get(..end)?;
                Some((end, *self.words.get(word)?))
            });
            let is_between = !first.is_alphanumeric() || first.is_ascii_alphanumeric();
            let (length, found) = match known {
                Some(found) => found,
                None if is_between => (first.len_utf8(), 0),
                None => return None,
            };
            kinds |= found;
            rest = rest.get(length..)?;
        }
        Some(kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_every_language_hold() {
        assert_eq!(LIST.faults(), [""; 0]);
        for (section, expected) in [("all", WholeList::All), ("none", WholeList::None)] {
            let wrong = LIST.wrong_examples(section, |_, text| spoken_of(text) == Some(expected));
            assert_eq!(wrong, [""; 0]);
        }
    }
}
