//! Patterns for whole sentences, of all languages at once: one look says which of them may
//! match a sentence at all. It does not know what they mean.

use std::cmp::Reverse;

use crate::light_regex::PatternList;
use crate::phrases::{PhraseFile, PhraseList};

/// How much of a sentence a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Whole,
    Beginning,
    /// A beginning up to a comma or a dash, by any phrase of the section: the longest first,
    /// "gern geschehen" before "gern".
    Yes,
}

/// Patterns for sentences in lower case, with what each means. `{mid}` stands for up to six
/// words that belong to the noun after them. Without it "Here is the code of the lesson"
/// would hand over a lesson.
#[derive(Debug)]
pub(super) struct SentencePatterns<M> {
    patterns: PatternList,
    meanings: Vec<(&'static PhraseFile, M)>,
}

impl<M: Copy> SentencePatterns<M> {
    /// The patterns of these sections, by language and then in this order.
    pub(super) fn new(list: &'static PhraseList, sections: &[(M, &str, Form)]) -> Self {
        let mut patterns = Vec::new();
        let mut meanings = Vec::new();
        for file in list.files() {
            for (meaning, section, form) in sections {
                for pattern in written(file, section, *form) {
                    patterns.push((pattern, file.parts()));
                    meanings.push((file, *meaning));
                }
            }
        }
        Self {
            patterns: PatternList::with_parts(patterns),
            meanings,
        }
    }

    /// The patterns that may match a sentence or a part of it.
    pub(super) fn candidates(&self, sentence: &str) -> Candidates<'_, M> {
        Candidates {
            all: self,
            numbers: self.patterns.candidates(sentence),
        }
    }

    /// The patterns that do not compile.
    #[cfg(test)]
    pub(super) fn faults(&self) -> Vec<&str> {
        self.patterns.faults()
    }
}

/// The patterns of a section as regular expressions.
fn written(file: &PhraseFile, section: &str, form: Form) -> Vec<String> {
    let phrases = file.phrases(section);
    match form {
        Form::Whole => phrases.iter().map(|one| format!("^(?:{one})$")).collect(),
        Form::Beginning => phrases.iter().map(|one| format!("^(?:{one})")).collect(),
        Form::Yes if phrases.is_empty() => Vec::new(),
        Form::Yes => {
            let mut phrases = phrases.to_vec();
            phrases.sort_by_key(|phrase| Reverse(phrase.len()));
            let any = phrases.join("|");
            vec![format!(
                "^(?:{any})(?:$|[ ,，、;]+(?:(?:-|–|—) )?|(?: ?(?:-|–|—) )|(?:—|–)+)"
            )]
        }
    }
}

/// The patterns that may match a sentence.
#[derive(Debug)]
pub(super) struct Candidates<'a, M> {
    all: &'a SentencePatterns<M>,
    numbers: Vec<usize>,
}

impl<'a, M: Copy> Candidates<'a, M> {
    pub(super) fn iter(&self) -> impl Iterator<Item = Candidate<'a, M>> {
        self.numbers.iter().filter_map(|&number| {
            let (file, meaning) = self.all.meanings.get(number)?;
            Some(Candidate {
                patterns: &self.all.patterns,
                number,
                file,
                meaning: *meaning,
            })
        })
    }

    /// The same apart by language, in the order of languages.
    pub(super) fn by_language(&self) -> impl Iterator<Item = Candidates<'a, M>> {
        let language = |number: &usize| {
            self.all
                .meanings
                .get(*number)
                .map(|(file, _)| file.language)
        };
        let groups = self
            .numbers
            .chunk_by(move |a, b| language(a) == language(b));
        groups.map(|numbers| Candidates {
            all: self.all,
            numbers: numbers.to_vec(),
        })
    }

    /// The language of the first.
    pub(super) fn language(&self) -> Option<&'static str> {
        self.iter().next().map(|first| first.file.language)
    }
}

impl<M: Copy + PartialEq> Candidates<'_, M> {
    /// Whether a pattern with this meaning matches.
    pub(super) fn any(&self, meaning: M, part: &str) -> bool {
        let mut with_meaning = self.iter().filter(|pattern| pattern.meaning == meaning);
        with_meaning.any(|pattern| pattern.matches(part))
    }
}

/// A pattern that may match.
pub(super) struct Candidate<'a, M> {
    patterns: &'a PatternList,
    number: usize,
    pub(super) file: &'static PhraseFile,
    pub(super) meaning: M,
}

impl<M> Candidate<'_, M> {
    /// Whether it matches the sentence or a part of it, given in lower case.
    pub(super) fn matches(&self, part: &str) -> bool {
        let Some(pattern) = self.patterns.regex(self.number) else {
            return false;
        };
        if !pattern.is_match(part.as_bytes()) {
            return false;
        }
        let has_middle = pattern.captures_len() > 1;
        let middle = || {
            let captures = pattern.captures(part.as_bytes())?;
            captures.name("mid").map(|mid| mid.range())
        };
        !has_middle || self.is_noun_phrase(middle().and_then(|middle| part.get(middle)))
    }

    /// How much of a text it matches.
    pub(super) fn length(&self, part: &str) -> Option<usize> {
        let found = self.patterns.regex(self.number)?.find(part.as_bytes())?;
        Some(found.end())
    }

    /// Whether these words may stand before a noun. The first is its article.
    fn is_noun_phrase(&self, middle: Option<&str>) -> bool {
        middle.is_none_or(|middle| {
            let mut words = middle.split_whitespace().skip(1);
            words.all(|word| {
                let mut never = self.file.words("not between");
                !never.any(|other| other == word.trim_matches(','))
            })
        })
    }
}
