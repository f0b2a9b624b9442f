//! The names of components and numbers in all supported languages, and where they occur in a text.
//! Knows no document.

use std::sync::OnceLock;

use redraft_gate::content::ComponentKind;
use redraft_text::phrases::PhraseList;

/// What a word can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedKind {
    Section,
    Card,
    Question,
    Component(ComponentKind),
}

/// The names, by language (`data/component_names`).
static NAMES: PhraseList = PhraseList::new(
    "component_names",
    &[
        "section",
        "card",
        "question",
        "example",
        "exercise",
        "introduction",
        "conclusion",
        "answer key",
        "explanation",
        "options",
        "vignette",
        "stem",
        "meta",
        "number *",
        "before number",
        "after number",
    ],
);

/// Each kind with the section of the phrase list that has its names.
const KINDS: &[(NamedKind, &str)] = &[
    (NamedKind::Section, "section"),
    (NamedKind::Card, "card"),
    (NamedKind::Question, "question"),
    (NamedKind::Component(ComponentKind::Example), "example"),
    (NamedKind::Component(ComponentKind::Exercise), "exercise"),
    (
        NamedKind::Component(ComponentKind::Introduction),
        "introduction",
    ),
    (
        NamedKind::Component(ComponentKind::Conclusion),
        "conclusion",
    ),
    (NamedKind::Component(ComponentKind::AnswerKey), "answer key"),
    (
        NamedKind::Component(ComponentKind::Explanation),
        "explanation",
    ),
    (NamedKind::Component(ComponentKind::Options), "options"),
    (NamedKind::Component(ComponentKind::Vignette), "vignette"),
    (NamedKind::Component(ComponentKind::Stem), "stem"),
    (NamedKind::Component(ComponentKind::Meta), "meta"),
];

/// The names of all kinds.
fn names() -> &'static [(NamedKind, &'static str)] {
    static FOUND: OnceLock<Vec<(NamedKind, &'static str)>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let named = |(kind, section): &(NamedKind, &str)| {
            let kind = *kind;
            NAMES
                .all(section)
                .map(move |name| (kind, name))
                .collect::<Vec<_>>()
        };
        KINDS.iter().flat_map(named).collect()
    })
}

/// The numerals up to ten, with their values.
fn numerals() -> &'static [(usize, &'static str)] {
    static FOUND: OnceLock<Vec<(usize, &'static str)>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let named = |number: usize| {
            let section = format!("number {number}");
            NAMES
                .all(&section)
                .map(move |name| (number, name))
                .collect::<Vec<_>>()
        };
        (1..=10).flat_map(named).collect()
    })
}

/// The kind named at a token, and by how many tokens. The longest match wins.
pub(super) fn kind_at(words: &[String], at: usize) -> Option<(NamedKind, usize)> {
    // The longest ending that a stem may take.
    const ENDING: usize = 4;
    let mut best: Option<(usize, NamedKind, usize)> = None;
    for (kind, name) in names() {
        let length = if name.chars().all(is_wide) {
            let matches = name.chars().enumerate().all(|(offset, c)| {
                words
                    .get(at + offset)
                    .is_some_and(|word| word.chars().eq(std::iter::once(c)))
            });
            matches.then(|| name.chars().count())
        } else {
            words
                .get(at)
                .and_then(|word| word.strip_prefix(name))
                .filter(|ending| ending.chars().count() <= ENDING)
                // "Partial" is not a part, "cases" are cases, "casual" is not.
                .filter(|ending| {
                    name.len() > 4 || matches!(*ending, "" | "s" | "и" | "ь" | "а" | "е" | "n")
                })
                .map(|_| 1)
        };
        if let Some(length) = length
            && best.is_none_or(|(known, _, _)| name.len() > known)
        {
            best = Some((name.len(), *kind, length));
        }
    }
    best.map(|(_, kind, length)| (kind, length))
}

/// A kind with the number next to it.
pub(super) struct Mention {
    pub(super) kind: NamedKind,
    pub(super) number: Option<usize>,
}

pub(super) fn mentions(words: &[String]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some((kind, length)) = kind_at(words, at) else {
            at += 1;
            continue;
        };
        // An answer key is not an answer.
        if matches!(
            kind_at(words, at + length),
            Some((NamedKind::Component(ComponentKind::AnswerKey), _))
        ) {
            at += length;
            continue;
        }
        let is = |index: usize, section: &str| {
            let word = words.get(index);
            word.is_some_and(|word| NAMES.all(section).any(|listed| listed == word))
        };
        let mut next = at + length;
        if is(next, "before number") {
            next += 1;
        }
        let mut previous = at.checked_sub(1);
        if previous.is_some_and(|index| is(index, "after number")) {
            previous = at.checked_sub(2);
        }
        let number_at = |index: usize| words.get(index).and_then(|word| number(word));
        found.push(Mention {
            kind,
            number: number_at(next).or_else(|| previous.and_then(number_at)),
        });
        at += length;
    }
    found
}

pub(super) fn number(word: &str) -> Option<usize> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.parse().ok();
    }
    let roman = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"];
    if let Some(at) = roman.iter().position(|numeral| *numeral == word) {
        return Some(at + 1);
    }
    let is_it = |name: &str| match name.chars().count() {
        0..=3 => word == name,
        length => word.starts_with(name) && word.chars().count() <= length + 4,
    };
    numerals()
        .iter()
        .filter(|(_, name)| is_it(name))
        .map(|(number, name)| (name.len(), *number))
        .max()
        .map(|(_, number)| number)
}

/// Splits a text into lower-case words, with letters and digits separated and Chinese by character.
pub(super) fn tokens(text: &str) -> Vec<String> {
    #[derive(PartialEq)]
    enum Class {
        Letter,
        Digit,
        Wide,
        Other,
    }
    let class = |c: char| {
        if is_wide(c) {
            Class::Wide
        } else if c.is_numeric() {
            Class::Digit
        } else if c.is_alphabetic() {
            Class::Letter
        } else {
            Class::Other
        }
    };
    let mut words: Vec<String> = Vec::new();
    let mut last = Class::Other;
    for c in text.chars() {
        let here = class(c);
        if here != Class::Other {
            let goes_on = here == last && here != Class::Wide;
            match words.last_mut() {
                Some(word) if goes_on => word.extend(c.to_lowercase()),
                _ => words.push(c.to_lowercase().collect()),
            }
        }
        last = here;
    }
    words
}

pub(super) fn is_wide(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_names_are_in_order_and_their_examples_hold() {
        assert_eq!(NAMES.faults(), [""; 0]);
        let wrong = NAMES.wrong_examples("section", |_, text| {
            let found = mentions(&tokens(text));
            found
                .iter()
                .any(|mention| mention.kind == NamedKind::Section)
        });
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn a_name_is_found_with_its_number_in_every_language() {
        for text in [
            "Section 2",
            "the second section",
            "Abschnitt Nr. 2",
            "der zweite Abschnitt",
            "la sección 2",
            "2ème partie",
            "seção 2",
            "во втором разделе",
            "第二节",
        ] {
            let found = mentions(&tokens(text));
            let of_sections = found
                .iter()
                .filter(|mention| mention.kind == NamedKind::Section);
            let numbers: Vec<_> = of_sections.map(|mention| mention.number).collect();
            assert_eq!(numbers, [Some(2)], "{text}");
        }
    }
}
