//! Phrase lists that a linguist can extend without knowing Rust: one folder of
//! `data` per list, one file per language. `data/README.md` explains the format.
//! This module reads the files and knows nothing of what the phrases mean.
//!
//! ```text
//! # What the list is for, and how its phrases are matched.
//!
//! [offer]
//! let me know
//! "i can "
//!
//! [offer fails]
//! Let me know if you need any changes.
//! ```

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::light_regex::Parts;

/// Every phrase file: list, language, text; in the order of the names.
static FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/phrase_files.rs"));

/// The language that is tried first; the others follow in alphabetical order.
const FIRST: &str = "en";

/// A phrase list in all its languages, read when first needed.
#[derive(Debug)]
pub struct PhraseList {
    name: &'static str,
    /// The sections that a file may have. `part *` allows any name after `part`.
    sections: &'static [&'static str],
    files: OnceLock<Vec<PhraseFile>>,
    /// Section and word of the sections whose lines hold several words each.
    words: OnceLock<HashSet<(&'static str, &'static str)>>,
}

impl PhraseList {
    #[must_use]
    pub const fn new(name: &'static str, sections: &'static [&'static str]) -> Self {
        Self {
            name,
            sections,
            files: OnceLock::new(),
            words: OnceLock::new(),
        }
    }

    /// The files of all languages, English first.
    pub fn files(&self) -> &[PhraseFile] {
        self.files.get_or_init(|| {
            let mut files: Vec<PhraseFile> = FILES
                .iter()
                .filter(|(list, _, _)| *list == self.name)
                .map(|(_, language, text)| PhraseFile::read(language, text))
                .collect();
            files.sort_by_key(|file| file.language != FIRST);
            files
        })
    }

    pub fn file(&self, language: &str) -> Option<&PhraseFile> {
        self.files().iter().find(|file| file.language == language)
    }

    /// The phrases of a section in all languages.
    pub fn all(&self, section: &str) -> impl Iterator<Item = &'static str> {
        self.files()
            .iter()
            .flat_map(move |file| file.phrases(section))
            .copied()
    }

    /// Whether a word is listed in a section of words, in any language.
    #[must_use]
    pub fn has_word(&self, section: &'static str, word: &str) -> bool {
        let words = self.words.get_or_init(|| {
            let sections = self.files().iter().flat_map(|file| &file.sections);
            let lines =
                sections.flat_map(|(name, lines)| lines.iter().map(move |line| (*name, *line)));
            lines
                .flat_map(|(name, line)| line.split_whitespace().map(move |word| (name, word)))
                .collect()
        });
        words.contains(&(section, word))
    }

    /// The examples of a section that `finds` judges wrongly, for a test of each
    /// list.
    #[must_use]
    pub fn wrong_examples(
        &self,
        section: &str,
        finds: impl Fn(&PhraseFile, &str) -> bool,
    ) -> Vec<String> {
        let mut wrong = Vec::new();
        for file in self.files() {
            let place = format!("data/{}/{}.txt [{section}]", self.name, file.language);
            let examples = file.examples(section);
            if examples.fails.is_empty() || examples.passes.is_empty() {
                wrong.push(format!("{place}: examples are missing"));
            }
            let missed = examples.fails.iter().filter(|text| !finds(file, text));
            wrong.extend(missed.map(|text| format!("{place}: “{text}” is not found")));
            let found = examples.passes.iter().filter(|text| finds(file, text));
            wrong.extend(found.map(|text| format!("{place}: “{text}” is found")));
        }
        wrong
    }

    /// What is wrong with the files, for a test of each list: sections that no
    /// code reads, examples that are missing, phrases that are listed twice.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let mut faults: Vec<String> = self
            .files()
            .iter()
            .flat_map(|file| file.faults(self.sections))
            .map(|fault| format!("data/{}/{fault}", self.name))
            .collect();
        if self.files().is_empty() {
            faults.push(format!("data/{}: there is no file", self.name));
        }
        faults
    }
}

/// Whether a phrase is in a script that writes no spaces between words, so that it may
/// stand anywhere.
#[must_use]
pub fn is_unspaced(phrase: &str) -> bool {
    phrase
        .chars()
        .all(|c| ('\u{2e80}'..='\u{9fff}').contains(&c))
}

/// The phrases of one language.
#[derive(Debug)]
pub struct PhraseFile {
    pub language: &'static str,
    text: &'static str,
    /// The sections except those with examples, in order.
    sections: Vec<(&'static str, Vec<&'static str>)>,
    parts: OnceLock<Parts>,
}

/// Texts that show what a section is to find and what to leave alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    pub fails: Vec<&'static str>,
    pub passes: Vec<&'static str>,
}

const FAILS: &str = " fails";
const PASSES: &str = " passes";

impl PhraseFile {
    fn read(language: &'static str, text: &'static str) -> Self {
        Self {
            language,
            text,
            sections: read(text, |section| !is_example(section)),
            parts: OnceLock::new(),
        }
    }

    /// The phrases of a section, in order; none if the file does not have it.
    #[must_use]
    pub fn phrases(&self, section: &str) -> &[&'static str] {
        self.sections
            .iter()
            .find(|(name, _)| *name == section)
            .map_or(&[], |(_, phrases)| phrases)
    }

    /// The words of a section whose lines hold several each.
    pub fn words(&self, section: &str) -> impl Iterator<Item = &'static str> {
        self.phrases(section)
            .iter()
            .flat_map(|line| line.split_whitespace())
    }

    /// The sections whose names begin with `prefix`, by the rest of the name.
    pub fn sections_after<'a>(
        &'a self,
        prefix: &'a str,
    ) -> impl DoubleEndedIterator<Item = (&'static str, &'a [&'static str])> {
        self.sections
            .iter()
            .filter_map(move |(name, phrases)| Some((name.strip_prefix(prefix)?, &**phrases)))
    }

    /// The sections `part name`, which patterns use as `{name}`.
    pub fn parts(&'static self) -> &'static Parts {
        self.parts
            .get_or_init(|| Parts::new(self.sections_after("part ")))
    }

    /// The examples of a section, which only tests read.
    #[must_use]
    pub fn examples(&self, section: &str) -> Examples {
        let mut examples = Examples::default();
        for (name, texts) in read(self.text, is_example) {
            if name.strip_suffix(FAILS) == Some(section) {
                examples.fails = texts;
            } else if name.strip_suffix(PASSES) == Some(section) {
                examples.passes = texts;
            }
        }
        examples
    }

    fn faults(&self, known: &[&str]) -> Vec<String> {
        let mut faults = Vec::new();
        let mut fault = |what: String| faults.push(format!("{}.txt: {what}", self.language));
        if !self.text.starts_with("# ") {
            fault("the file does not begin with a comment".to_owned());
        }
        let all = read(self.text, |_| true);
        if all.iter().any(|(name, _)| name.is_empty()) {
            fault("there are phrases before the first section".to_owned());
        }
        for (index, (name, phrases)) in all.iter().enumerate() {
            let is_known = known.iter().any(|known| match known.strip_suffix('*') {
                Some(start) => name.starts_with(start),
                None => name == known,
            });
            if !is_known && !is_example(name) && !name.is_empty() {
                fault(format!("unknown section [{name}]"));
            }
            if all.iter().take(index).any(|(earlier, _)| earlier == name) {
                fault(format!("there are two sections [{name}]"));
            }
            for (index, phrase) in phrases.iter().enumerate() {
                if phrases.iter().take(index).any(|earlier| earlier == phrase) {
                    fault(format!("“{phrase}” is listed twice in [{name}]"));
                }
            }
        }
        if !all.iter().any(|(name, _)| name.ends_with(FAILS)) {
            fault("there is no section of examples that fail".to_owned());
        }
        if !all.iter().any(|(name, _)| name.ends_with(PASSES)) {
            fault("there is no section of examples that pass".to_owned());
        }
        faults
    }
}

fn is_example(section: &str) -> bool {
    section.ends_with(FAILS) || section.ends_with(PASSES)
}

/// The sections that `wanted` names, with their phrases. Phrases before the first
/// section belong to one without a name.
fn read(
    text: &'static str,
    wanted: impl Fn(&str) -> bool,
) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut is_wanted = wanted("");
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = between(line, '[', ']') {
            is_wanted = wanted(name);
            if is_wanted {
                sections.push((name, Vec::new()));
            }
        } else if is_wanted {
            if sections.is_empty() {
                sections.push(("", Vec::new()));
            }
            if let Some((_, phrases)) = sections.last_mut() {
                phrases.push(between(line, '"', '"').unwrap_or(line));
            }
        }
    }
    sections
}

fn between(line: &str, open: char, close: char) -> Option<&str> {
    line.strip_prefix(open)?.strip_suffix(close)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# What it is for.\n\n[offer]\nlet me know\n\"i can \"\n  \"[inst]\"\n\
        # a remark\n\n[part here]\nhere is\n\n[words]\nthe a\nan\n\n[offer fails]\nLet me know.\n\n\
        [offer passes]\n\"Let me,\" she said.\n";

    #[test]
    fn phrases_are_read_by_section_and_quotes_keep_blanks_and_brackets() {
        let file = PhraseFile::read("en", TEXT);
        assert_eq!(file.phrases("offer"), ["let me know", "i can ", "[inst]"]);
        assert_eq!(file.phrases("none"), [""; 0]);
        assert_eq!(file.words("words").collect::<Vec<_>>(), ["the", "a", "an"]);
        let parts: Vec<_> = file.sections_after("part ").collect();
        assert_eq!(parts, [("here", &["here is"][..])]);
        let examples = file.examples("offer");
        assert_eq!(examples.fails, ["Let me know."]);
        assert_eq!(examples.passes, ["\"Let me,\" she said."]);
        assert_eq!(file.faults(&["offer", "part *", "words"]), [""; 0]);
    }

    #[test]
    fn faults_of_a_file_are_named() {
        let text = "stray\n[offer]\na\na\n[ofer]\nb\n[offer]\nc\n";
        let faults = PhraseFile::read("en", text).faults(&["offer"]);
        assert_eq!(
            faults,
            [
                "en.txt: the file does not begin with a comment",
                "en.txt: there are phrases before the first section",
                "en.txt: “a” is listed twice in [offer]",
                "en.txt: unknown section [ofer]",
                "en.txt: there are two sections [offer]",
                "en.txt: there is no section of examples that fail",
                "en.txt: there is no section of examples that pass",
            ]
        );
    }

    #[test]
    fn english_is_tried_first_and_the_others_in_alphabetical_order() {
        let list = PhraseList::new("framing", &[]);
        let languages: Vec<&str> = list.files().iter().map(|file| file.language).collect();
        assert_eq!(languages.first(), Some(&"en"));
        assert!(languages[1..].is_sorted());
        assert!(list.file("de").is_some() && list.file("xx").is_none());
        let words = PhraseList::new("easy_words", &["words"]);
        assert!(words.has_word("words", "day"));
        assert!(!words.has_word("words", "day night") && !words.has_word("none", "day"));
        assert_eq!(
            PhraseList::new("none", &[]).faults(),
            ["data/none: there is no file"]
        );
    }
}
