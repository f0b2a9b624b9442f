//! Regular expressions of phrase lists, compiled for bytes with small character
//! classes. A Unicode `\w` has thousands of states; hundreds of phrases with it took
//! half a second to compile, more than a lesson takes to be checked.
//!
//! | in a pattern | matches |
//! |---|---|
//! | `.` | a character but a line break |
//! | `\S` | a character but ASCII white space |
//! | `\w` | an ASCII letter, digit or `_`, or any character beyond ASCII |
//! | `\s` | white space: ASCII, no-break, ideographic, the spaces of typographers |
//! | `\d` | an ASCII digit |
//!
//! Classes in brackets stay as they are written. A match begins and ends between
//! characters. A list of patterns compiles those alone whose words are in a text.

mod parts;
mod required;

use std::sync::{Arc, OnceLock};

pub use regex::bytes::Regex;
use regex_automata::meta;
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::syntax;

pub use parts::Parts;

use crate::word_index::WordIndex;
use required::{Words, most_telling_of, required};

/// A character but those of an ASCII class, such as `\n\]`.
#[must_use]
pub fn not_in(ascii: &str) -> String {
    format!(r"(?-u:[^{ascii}\x80-\xBF][\x80-\xBF]*)")
}

/// # Errors
/// The pattern is not a regular expression.
pub fn regex(pattern: &str) -> Result<Regex, regex::Error> {
    Regex::new(&lighten(pattern))
}

/// Patterns for text in lower case, compiled when a text has the words they need, so that
/// a pattern that is added costs nearly nothing. A pattern that is not a regular
/// expression matches nothing; [`PatternList::faults`] names it.
#[derive(Debug)]
pub struct PatternList {
    patterns: Vec<LazyPattern>,
    /// The most telling words of each pattern.
    words: WordIndex,
    /// The list that each of these words is of.
    lists: Vec<usize>,
    /// The patterns that need a word of each list.
    needing: Vec<Vec<usize>>,
    /// The patterns that need no word.
    always: Vec<usize>,
}

#[derive(Debug)]
struct LazyPattern {
    source: String,
    parts: &'static Parts,
    /// One of each is in every text that matches, one after the other.
    required: Vec<Words>,
    compiled: OnceLock<Option<Regex>>,
    /// For a text of which nothing but a yes or no is asked.
    matcher: OnceLock<Option<meta::Regex>>,
}

impl PatternList {
    pub fn new(patterns: impl IntoIterator<Item = String>) -> Self {
        static NONE: OnceLock<Parts> = OnceLock::new();
        let parts = NONE.get_or_init(Parts::default);
        Self::with_parts(patterns.into_iter().map(|source| (source, parts)))
    }

    /// Patterns with the parts that they use.
    pub fn with_parts(patterns: impl IntoIterator<Item = (String, &'static Parts)>) -> Self {
        let patterns: Vec<LazyPattern> = patterns
            .into_iter()
            .map(|(source, parts)| LazyPattern {
                required: required(&source, parts),
                source,
                parts,
                compiled: OnceLock::new(),
                matcher: OnceLock::new(),
            })
            .collect();
        let mut all: Vec<Words> = Vec::new();
        let mut needing: Vec<Vec<usize>> = Vec::new();
        let mut always = Vec::new();
        for (number, pattern) in patterns.iter().enumerate() {
            match most_telling_of(&pattern.required) {
                None => always.push(number),
                // Patterns often share a part.
                Some(words) => match all.iter().rposition(|known| Arc::ptr_eq(known, words)) {
                    Some(known) => needing[known].push(number),
                    None => {
                        all.push(Arc::clone(words));
                        needing.push(vec![number]);
                    }
                },
            }
        }
        let words = || {
            all.iter()
                .enumerate()
                .flat_map(|(list, words)| words.iter().map(move |word| (list, word)))
        };
        Self {
            words: WordIndex::new(words().map(|(_, word)| word.clone())),
            lists: words().map(|(list, _)| list).collect(),
            needing,
            always,
            patterns,
        }
    }

    /// The numbers of the patterns that may match a text in lower case or a part of it,
    /// in order.
    #[must_use]
    pub fn candidates(&self, lower: &str) -> Vec<usize> {
        let mut lists: Vec<usize> = self
            .words
            .find(lower)
            .filter_map(|found| self.lists.get(found.word).copied())
            .collect();
        lists.sort_unstable();
        lists.dedup();
        let needing = lists.iter().filter_map(|list| self.needing.get(*list));
        let numbers = needing.chain([&self.always]).flatten().copied();
        let may_match = |number: &usize| {
            self.patterns
                .get(*number)
                .is_some_and(|pattern| pattern.may_match(lower))
        };
        let mut candidates: Vec<usize> = numbers.filter(may_match).collect();
        candidates.sort_unstable();
        candidates
    }

    /// A pattern by its number.
    #[must_use]
    pub fn regex(&self, number: usize) -> Option<&Regex> {
        self.patterns.get(number).and_then(LazyPattern::regex)
    }

    #[must_use]
    pub fn any_matches(&self, lower: &str) -> bool {
        let candidates = self.candidates(lower).into_iter();
        let mut patterns = candidates.filter_map(|number| self.patterns.get(number));
        patterns.any(|pattern| pattern.is_match(lower))
    }

    /// The patterns that do not compile, for a test of each list.
    #[must_use]
    pub fn faults(&self) -> Vec<&str> {
        let broken = |pattern: &&LazyPattern| pattern.compile().is_err();
        let faults = self.patterns.iter().filter(broken);
        faults.map(|pattern| pattern.source.as_str()).collect()
    }
}

impl LazyPattern {
    fn may_match(&self, lower: &str) -> bool {
        let mut rest = lower.as_bytes();
        self.required.iter().all(|words| {
            let ends = words
                .iter()
                .filter_map(|word| Some(place(rest, word.as_bytes())? + word.len()));
            let first = ends.min();
            rest = first.and_then(|end| rest.get(end..)).unwrap_or_default();
            first.is_some()
        })
    }

    /// Asked about sentences and what is in brackets. For so little text it is enough to
    /// search forwards, which takes half as long to compile.
    fn is_match(&self, lower: &str) -> bool {
        let compiled = self.matcher.get_or_init(|| {
            let config = meta::Config::new()
                .hybrid(false)
                .dfa(false)
                .onepass(false)
                .which_captures(WhichCaptures::None)
                .utf8_empty(false);
            meta::Builder::new()
                .configure(config)
                .syntax(syntax::Config::new().utf8(false))
                .build(&lighten(&self.parts.fill(&self.source)))
                .ok()
        });
        let matches = |matcher: &meta::Regex| matcher.is_match(lower.as_bytes());
        compiled.as_ref().is_some_and(matches)
    }

    fn compile(&self) -> Result<Regex, regex::Error> {
        regex(&self.parts.fill(&self.source))
    }

    fn regex(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| self.compile().ok()).as_ref()
    }
}

/// Where a word is in a text. Sentences and words are so short that preparing a search
/// would take longer than this.
fn place(text: &[u8], word: &[u8]) -> Option<usize> {
    let Some(first) = word.first() else {
        return Some(0);
    };
    let mut starts = memchr::memchr_iter(*first, text);
    starts.find(|start| {
        text.get(*start..)
            .is_some_and(|rest| rest.starts_with(word))
    })
}

/// The pattern with small classes in place of large ones.
fn lighten(pattern: &str) -> String {
    let mut light = String::with_capacity(pattern.len() * 2);
    let mut characters = pattern.chars();
    let mut is_in_class = false;
    while let Some(c) = characters.next() {
        match c {
            '\\' => {
                let escaped = characters.next();
                match escaped {
                    Some('w') if !is_in_class => {
                        light.push_str(r"(?-u:[0-9A-Za-z_]|[\xC0-\xFF][\x80-\xBF]*)");
                    }
                    Some('S') if !is_in_class => light.push_str(&not_in(r"\s")),
                    Some('s') if !is_in_class => {
                        light.push_str(r"(?-u:\s|\xC2\xA0|\xE2\x80[\x80-\x8A\xAF]|\xE3\x80\x80)");
                    }
                    Some('d') if !is_in_class => light.push_str("[0-9]"),
                    _ => {
                        light.push('\\');
                        light.extend(escaped);
                    }
                }
            }
            '.' if !is_in_class => light.push_str(&not_in(r"\n")),
            '[' | ']' => {
                is_in_class = c == '[';
                light.push(c);
            }
            _ => light.push(c),
        }
    }
    light
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_patterns_match_what_full_ones_match() {
        for pattern in [
            r"^a .*\bb$",
            r"^(?:\S+ ){0,2}?урок\w*$",
            r"^\w{2}$",
            r"^[^:.]*: \S\S$",
            r"^nach\s+\d+\.$",
            r"^.{3}$",
            r"(?i)^Über\w*\b",
            r"^a\.b$",
        ] {
            let full = regex::Regex::new(pattern).unwrap();
            let light = regex(pattern).unwrap();
            for text in [
                "a b",
                "a с ü b",
                "мой новый урок",
                "ещё один мой урок",
                "уроки",
                "äö",
                "日本",
                "日本語",
                "say: äö",
                "say. x: ab",
                "nach 12.",
                "nach\u{a0}12.",
                "nach\u{3000}1.",
                "über alles",
                "ÜBERALL",
                "a.b",
                "aXb",
                "",
            ] {
                let found = light.is_match(text.as_bytes());
                assert_eq!(found, full.is_match(text), "{pattern} in {text}");
            }
        }
    }

    #[test]
    fn a_list_compiles_only_what_may_match() {
        let list =
            PatternList::new(["let me know", "^hope .*", "(", "one.*two"].map(str::to_owned));
        assert!(list.any_matches("hope it helps"));
        assert!(!list.any_matches("two and one"));
        assert!(list.patterns[3].matcher.get().is_none());
        assert!(!list.any_matches("a hope"));
        assert!(list.patterns[0].matcher.get().is_none());
        assert_eq!(list.faults(), ["("]);
    }

    #[test]
    fn matches_lie_between_characters() {
        let light = regex(r"\w+|\S.").unwrap();
        let text = "naïve “日本” … ½x";
        for found in light.find_iter(text.as_bytes()) {
            assert!(text.get(found.range()).is_some());
        }
    }
}
