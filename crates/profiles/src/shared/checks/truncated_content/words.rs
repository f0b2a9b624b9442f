//! Words that show whether a text goes on, by language, from the files in
//! `crates/text/data/sentence_ends`. Where they are found and what follows from them
//! is not known here.

use std::sync::LazyLock;

use redraft_text::phrases::{PhraseFile, PhraseList};

pub(super) static LIST: PhraseList = PhraseList::new(
    "sentence_ends",
    &[
        "unfinished",
        "hanging",
        "starters",
        "elided",
        "questions",
        "abbreviations",
        "farewells",
    ],
);

/// The telling words of one language, in lower case. The files say what each list
/// means.
#[derive(Debug)]
pub(super) struct Telling {
    language: &'static str,
    pub(super) unfinished: Vec<&'static str>,
    pub(super) hanging: Vec<&'static str>,
    pub(super) starters: Vec<&'static str>,
    pub(super) questions: Vec<&'static str>,
}

impl Telling {
    fn new(file: &PhraseFile) -> Self {
        let words = |section| file.words(section).collect();
        Self {
            language: file.language,
            unfinished: words("unfinished"),
            hanging: words("hanging"),
            starters: words("starters"),
            questions: words("questions"),
        }
    }

    /// In German every noun begins with a capital letter, as names do.
    pub(super) fn capitalises_nouns(&self) -> bool {
        self.language == "de"
    }
}

/// The words of a language; `None` for a language without a file.
pub(super) fn of(language: &str) -> Option<&'static Telling> {
    static ALL: LazyLock<Vec<Telling>> =
        LazyLock::new(|| LIST.files().iter().map(Telling::new).collect());
    ALL.iter().find(|telling| telling.language == language)
}

/// How people take their leave; such a line needs no full stop in any language.
pub(super) fn is_farewell(line: &str) -> bool {
    let line = line
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    LIST.all("farewells").any(|farewell| {
        line.strip_prefix(farewell)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric) || !farewell.is_ascii())
    })
}

/// Whether a word is an article that loses its vowel before an apostrophe.
pub(super) fn is_elided(word: &str) -> bool {
    all_words("elided").any(|elided| elided == word)
}

/// Whether a word in lower case is an abbreviation, in any language.
pub(super) fn is_abbreviation(word: &str) -> bool {
    all_words("abbreviations").any(|known| known == word)
}

fn all_words(section: &str) -> impl Iterator<Item = &'static str> {
    LIST.all(section).flat_map(str::split_whitespace)
}
