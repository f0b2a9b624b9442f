//! Words that are not about a subject: function words, and words that every lesson uses about
//! itself. The lists are in `crates/text/data/stop_words`; a language without a file has no stop
//! words.

use std::collections::BTreeSet;

use redraft_text::language::Language;
use redraft_text::phrases::PhraseList;

use redraft_gate::vocabulary::normal_keys;

static LIST: PhraseList = PhraseList::new("stop_words", &["function words", "teaching words"]);

/// The stop words of one language, in all their forms.
#[derive(Debug, Default)]
pub(super) struct StopWords {
    keys: BTreeSet<String>,
}

impl StopWords {
    pub(super) fn of(language: Option<Language>) -> Self {
        let file = language
            .as_ref()
            .and_then(|language| LIST.file(language.as_str()));
        let sections = ["function words", "teaching words"];
        let words = file
            .into_iter()
            .flat_map(|file| sections.iter().flat_map(|section| file.words(section)));
        Self {
            // A Chinese word has one key per character.
            keys: words
                .map(|word| normal_keys(word, language).concat())
                .collect(),
        }
    }

    pub(super) fn contains_key(&self, key: &str) -> bool {
        self.keys.contains(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(LIST.faults(), [""; 0]);
        let are_stop_words = |language: &str, text: &str| {
            let language = Language::parse(language);
            let stop_words = StopWords::of(language);
            text.split_whitespace()
                .all(|word| stop_words.contains_key(&normal_keys(word, language).concat()))
        };
        let wrong = LIST.wrong_examples("words", |file, text| are_stop_words(file.language, text));
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn a_language_without_a_file_has_no_stop_words() {
        assert!(StopWords::of(None).keys.is_empty());
        assert!(StopWords::of(Language::parse("fi")).keys.is_empty());
    }
}
