//! Words by which options speak of each other, count, join letters or lie on a scale. They
//! are data (`option_order` of the phrase lists). Knows nothing of keys and items.

use std::collections::HashSet;
use std::sync::OnceLock;

use redraft_text::language::Language;
use redraft_text::phrases::{PhraseList, is_unspaced};

use super::whole_list;
use super::wording;

static LIST: PhraseList = PhraseList::new(
    "option_order",
    &[
        "refers", "scale", "option", "and", "or", "ordinal", "counted", "place", "is", "labelled",
    ],
);

/// The words of a section in all languages.
#[derive(Debug)]
pub(super) struct Words {
    whole: HashSet<&'static str>,
    /// Words of scripts without spaces, which stand anywhere.
    anywhere: Vec<&'static str>,
}

impl Words {
    fn of(section: &'static str) -> Self {
        let words = || LIST.files().iter().flat_map(|file| file.words(section));
        Self {
            whole: words().filter(|word| !is_unspaced(word)).collect(),
            anywhere: words().filter(|word| is_unspaced(word)).collect(),
        }
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.whole.contains(word)
    }

    pub(super) fn are_in(&self, lower: &str) -> bool {
        wording::words(lower).any(|word| self.has(word))
            || self.anywhere.iter().any(|word| lower.contains(word))
    }
}

macro_rules! section {
    ($name:ident, $section:literal) => {
        pub(super) fn $name() -> &'static Words {
            static WORDS: OnceLock<Words> = OnceLock::new();
            WORDS.get_or_init(|| Words::of($section))
        }
    };
}

section!(referring, "refers");
section!(scales, "scale");
section!(options, "option");
section!(joining, "and");
section!(leaving_open, "or");
section!(ordinals, "ordinal");
section!(counted, "counted");
section!(places, "place");
section!(verbs, "is");
section!(labelled, "labelled");

/// Whether an option speaks of others by words such as *above* or *both*.
pub(super) fn refers(option: &str) -> bool {
    referring().are_in(&option.to_lowercase()) || whole_list::spoken_of(option).is_some()
}

/// Whether an option counts others by a word such as *first*.
pub(super) fn counts(option: &str) -> bool {
    ordinals().are_in(&option.to_lowercase())
}

/// Whether a text points at options by their places: “the last two”, “the former is”, “listed
/// first”. It may mean something else: what is asked is whether it is safe to move options.
pub(super) fn points_by_place(text: &str) -> bool {
    let lower = lower(text);
    let words: Vec<&str> = wording::words(&lower).collect();
    let at = |index: Option<usize>| index.and_then(|index| words.get(index)).copied();
    let is_one =
        |word: Option<&str>| word.is_some_and(|word| options().has(word) || counted().has(word));
    let points = |(index, word): (usize, &&str)| {
        let (before, after) = (at(index.checked_sub(1)), at(Some(index + 1)));
        let beside = is_one(before) || is_one(after);
        let is_ordinal = ordinals().has(word)
            && (beside
                || after.is_some_and(|after| verbs().has(after))
                || before.is_some_and(|before| referring().has(before)));
        is_ordinal || places().has(word) && beside
    };
    words.iter().enumerate().any(points)
        || places().anywhere.iter().any(|word| lower.contains(word))
}

/// In lower case. The Turkish capital of “İlk” leaves a dot of its own behind, which goes.
fn lower(text: &str) -> String {
    text.to_lowercase().replace('\u{307}', "")
}

/// The same of a whole option, which may end with what it means: “the same as the first”.
pub(super) fn option_points_by_place(option: &str) -> bool {
    let lower = lower(option);
    let mut words = wording::words(&lower);
    let ends = words.next().is_some() && words.last().is_some_and(|last| ordinals().has(last));
    ends || points_by_place(option)
}

/// Whether a word joins the letters of options: *and*, *or*.
pub(super) fn joins(word: &str) -> bool {
    joining().has(&word.to_lowercase())
}

/// The same in one language, where its words are known: *of* joins in Dutch alone.
pub(super) fn joins_in(word: &str, language: Option<&Language>) -> bool {
    let mut files = LIST.files().iter();
    let own = language.and_then(|language| files.find(|file| file.language == language.as_str()));
    match own {
        Some(file) => file.words("and").any(|joining| joining == word),
        None => joins(word),
    }
}

/// Whether a word between letters leaves open which of them is meant: *or*.
pub(super) fn leaves_open(word: &str) -> bool {
    leaving_open().has(&word.to_lowercase())
}

/// Whether a letter after this word belongs to it and names no option: “vitamin C”.
pub(super) fn is_labelled(word: &str) -> bool {
    labelled().has(&word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_every_language_hold() {
        assert_eq!(LIST.faults(), [""; 0]);
        let wrong =
            LIST.wrong_examples("refers", |_, text| referring().are_in(&text.to_lowercase()));
        assert_eq!(wrong, [""; 0]);
        let wrong = LIST.wrong_examples("points", |_, text| points_by_place(text));
        assert_eq!(wrong, [""; 0]);
    }
}
