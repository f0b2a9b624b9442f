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

mod required;

use std::sync::OnceLock;

pub use regex::bytes::Regex;

use required::required;

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

/// Patterns for text in lower case, compiled when a text has the words they need. A pattern that is
/// not a regular expression matches nothing; [`PatternList::faults`] names it.
#[derive(Debug)]
pub struct PatternList {
    patterns: Vec<LazyPattern>,
}

#[derive(Debug)]
struct LazyPattern {
    source: String,
    /// One of each is in every text that matches.
    required: Vec<Vec<String>>,
    compiled: OnceLock<Option<Regex>>,
}

impl PatternList {
    pub fn new(patterns: impl IntoIterator<Item = String>) -> Self {
        let lazy = |source: String| LazyPattern {
            required: required(&source)
                .into_iter()
                .map(|words| words.into_iter().map(str::to_owned).collect())
                .collect(),
            source,
            compiled: OnceLock::new(),
        };
        Self {
            patterns: patterns.into_iter().map(lazy).collect(),
        }
    }

    /// The patterns that match, in order, in a text in lower case.
    pub fn matching<'a>(&'a self, lower: &'a str) -> impl Iterator<Item = &'a Regex> {
        self.patterns
            .iter()
            .filter(|pattern| pattern.may_match(lower))
            .filter_map(LazyPattern::regex)
            .filter(|regex| regex.is_match(lower.as_bytes()))
    }

    #[must_use]
    pub fn any_matches(&self, lower: &str) -> bool {
        self.matching(lower).next().is_some()
    }

    /// The patterns that do not compile, for a test of each list.
    #[must_use]
    pub fn faults(&self) -> Vec<&str> {
        let broken = |pattern: &&LazyPattern| regex(&pattern.source).is_err();
        let faults = self.patterns.iter().filter(broken);
        faults.map(|pattern| pattern.source.as_str()).collect()
    }
}

impl LazyPattern {
    fn may_match(&self, lower: &str) -> bool {
        let any_in = |words: &Vec<String>| words.iter().any(|word| lower.contains(word.as_str()));
        self.required.iter().all(any_in)
    }

    fn regex(&self) -> Option<&Regex> {
        self.compiled
            .get_or_init(|| regex(&self.source).ok())
            .as_ref()
    }
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
        let list = PatternList::new(["let me know", "^hope .*", "("].map(str::to_owned));
        assert!(list.any_matches("hope it helps"));
        assert!(!list.any_matches("a hope"));
        assert!(list.patterns[0].compiled.get().is_none());
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
