//! Asks in one quick pass whether a text holds any of many words, so that the
//! patterns that look closer run only where there is something to see. It finds
//! each word as it is written, with a capital, and in capitals; it knows nothing
//! of what the words are for.

use crate::word_index::WordIndex;

/// Words to look for.
#[derive(Debug)]
pub struct Hints {
    forms: WordIndex,
    /// Whether nothing at all is one of the words.
    is_always: bool,
}

impl Hints {
    /// Looks for these words, given in lower case.
    #[must_use]
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let mut forms: Vec<String> = Vec::new();
        let mut is_always = false;
        for word in words {
            is_always |= word.is_empty();
            let mut rest = word.chars();
            let capital: String = rest
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .chain(rest)
                .collect();
            forms.extend([word.to_owned(), capital, word.to_uppercase()]);
        }
        Self {
            forms: WordIndex::new(forms),
            is_always,
        }
    }

    /// Whether there is any of them.
    #[must_use]
    pub fn any_in(&self, text: &str) -> bool {
        self.is_always || self.forms.any_in(text)
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
        }
    }

    #[test]
    fn an_empty_word_is_in_every_text_and_no_word_in_none() {
        assert!(Hints::new([""]).any_in(""));
        assert!(Hints::new(["a", ""]).any_in("b"));
        assert!(!Hints::new([]).any_in("a"));
    }
}
