//! Asks in one quick pass whether a text holds any of many words, so that the
//! patterns that look closer run only where there is something to see. It finds
//! each word as it is written, with a capital, and in capitals; it knows nothing
//! of what the words are for.

mod table;

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use table::Table;

/// Words to look for.
#[derive(Debug)]
pub struct Hints {
    forms: Vec<String>,
    table: Table,
    /// For where they are; most texts have none of them.
    places: OnceLock<Option<AhoCorasick>>,
}

impl Hints {
    /// Looks for these words, given in lower case.
    #[must_use]
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let mut forms: Vec<String> = Vec::new();
        for word in words {
            let mut rest = word.chars();
            let capital: String = rest
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .chain(rest)
                .collect();
            forms.extend([word.to_owned(), capital, word.to_uppercase()]);
        }
        forms.sort_unstable();
        forms.dedup();
        Self {
            table: Table::new(&forms),
            forms,
            places: OnceLock::new(),
        }
    }

    /// Whether there is any of them.
    #[must_use]
    pub fn any_in(&self, text: &str) -> bool {
        self.table.any_in(text)
    }

    /// Where they are, in order, without overlaps.
    pub fn find_in<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        let places = self.any_in(text).then(|| self.places()).flatten();
        places
            .into_iter()
            .flat_map(move |automaton| automaton.find_iter(text))
            .map(|found| found.range())
    }

    fn places(&self) -> Option<&AhoCorasick> {
        let build = || {
            AhoCorasick::builder()
                .kind(Some(AhoCorasickKind::DFA))
                .match_kind(MatchKind::LeftmostFirst)
                .build(&self.forms)
                .ok()
        };
        self.places.get_or_init(build).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_found_in_the_usual_cases() {
        let hints = Hints::new(["let me", "хотите", "élan"]);
        for (text, expected) in [
            ("please let me know", true),
            ("Let me know", true),
            ("LET ME KNOW", true),
            ("Хотите, чтобы", true),
            ("Élan", true),
            ("outlet merry", true),
            ("nothing here", false),
            ("", false),
        ] {
            assert_eq!(hints.any_in(text), expected, "{text}");
            assert_eq!(hints.find_in(text).next().is_some(), expected, "{text}");
        }
    }

    #[test]
    fn an_empty_word_is_in_every_text_and_no_word_in_none() {
        assert!(Hints::new([""]).any_in(""));
        assert!(Hints::new(["a", ""]).any_in("b"));
        assert!(!Hints::new([]).any_in("a"));
    }

    proptest! {
        #[test]
        fn the_quick_look_finds_what_a_search_finds(
            words in proptest::collection::vec("[abaжé]{1,4}", 0..12),
            text in "[abcAжéЖ]{0,24}",
        ) {
            let hints = Hints::new(words.iter().map(String::as_str));
            let expected = hints.forms.iter().any(|form| text.contains(form.as_str()));
            prop_assert_eq!(hints.any_in(&text), expected);
            prop_assert_eq!(hints.find_in(&text).next().is_some(), expected);
        }
    }
}
