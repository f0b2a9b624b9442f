//! Asks in one quick pass whether a text holds any of many words, so that the
//! patterns that look closer run only where there is something to see. It finds
//! each word as it is written, with a capital, and in capitals; it knows nothing
//! of what the words are for.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// Words to look for.
#[derive(Debug)]
pub struct Hints(Option<AhoCorasick>);

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
        let automaton = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::DFA))
            .match_kind(MatchKind::LeftmostFirst)
            .build(forms);
        Self(automaton.ok())
    }

    /// Whether there may be any of them. Where the words could not be compiled,
    /// there always may.
    #[must_use]
    pub fn any_in(&self, text: &str) -> bool {
        self.0
            .as_ref()
            .is_none_or(|automaton| automaton.is_match(text))
    }

    /// Where they are, in order, without overlaps.
    pub fn find_in<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        self.0
            .iter()
            .flat_map(move |automaton| automaton.find_iter(text))
            .map(|found| found.range())
    }
}

#[cfg(test)]
mod tests {
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
}
