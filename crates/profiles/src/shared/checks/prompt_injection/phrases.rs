//! The phrases by which a text speaks to its judge, from the files in
//! `crates/text/data/prompt_injection`, as two automata: one that finds out in one
//! pass whether there is anything to look at, and one that names the words of a
//! paragraph. What follows from the words is decided in `demands`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use redraft_text::phrases::PhraseList;

use super::fold;

/// What a word does in a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Override,
    OverrideAfter,
    Lead,
    Advice,
    All,
    Own,
    Scope,
    Object,
    JudgingObject,
    SystemObject,
    Give,
    Best,
    Mark,
    BestMark,
    Fraction,
    Number,
    AiJudge,
    Judge,
    Address,
    To,
    AddressAfter,
    Role,
    Modal,
    ThisText,
    TheText,
    AllCriteria,
    Condition,
    Pretend,
    Fulfilled,
    Reveal,
    Secret,
    NoIssues,
    Takeover,
}

/// The sections of a file and what their phrases do.
const SECTIONS: &[(&str, Slot)] = &[
    ("override", Slot::Override),
    ("override after", Slot::OverrideAfter),
    ("lead", Slot::Lead),
    ("advice", Slot::Advice),
    ("all", Slot::All),
    ("own", Slot::Own),
    ("scope", Slot::Scope),
    ("object", Slot::Object),
    ("judging object", Slot::JudgingObject),
    ("system object", Slot::SystemObject),
    ("give", Slot::Give),
    ("best", Slot::Best),
    ("mark", Slot::Mark),
    ("best mark", Slot::BestMark),
    ("ai judge", Slot::AiJudge),
    ("judge", Slot::Judge),
    ("address", Slot::Address),
    ("to", Slot::To),
    ("address after", Slot::AddressAfter),
    ("role", Slot::Role),
    ("modal", Slot::Modal),
    ("this text", Slot::ThisText),
    ("the text", Slot::TheText),
    ("all criteria", Slot::AllCriteria),
    ("condition", Slot::Condition),
    ("pretend", Slot::Pretend),
    ("fulfilled", Slot::Fulfilled),
    ("reveal", Slot::Reveal),
    ("secret", Slot::Secret),
    ("no issues", Slot::NoIssues),
    ("takeover", Slot::Takeover),
];

pub(super) static LIST: PhraseList = PhraseList::new(
    "prompt_injection",
    &[
        "override",
        "override after",
        "lead",
        "advice",
        "all",
        "own",
        "scope",
        "object",
        "judging object",
        "system object",
        "give",
        "best",
        "mark",
        "best mark",
        "ai judge",
        "judge",
        "address",
        "to",
        "address after",
        "role",
        "modal",
        "this text",
        "the text",
        "all criteria",
        "condition",
        "pretend",
        "fulfilled",
        "reveal",
        "secret",
        "no issues",
        "takeover",
    ],
);

/// Marks in figures, in whatever language.
const FRACTIONS: &[&str] = &["10/10", "100/100", "5/5", "20/20", "1/1"];
const NUMBERS: &[&str] = &["1.0", "1,0", "1.00", "100", "100%", "10", "1"];

/// A word of a paragraph and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) slot: Slot,
    /// The language of its phrase, by number; figures belong to every one.
    pub(super) language: Option<u8>,
    pub(super) range: Range<usize>,
}

/// How words are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Boundaries {
    /// By what is not a letter.
    Words,
    /// Not at all: the text lost its blanks.
    None,
}

/// Which words of the phrases lead to a closer look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trigger {
    Plain,
    Reversed,
    Rot13,
}

struct Meaning {
    slot: Slot,
    language: Option<u8>,
    is_open: bool,
}

struct Vocabulary {
    automaton: Option<AhoCorasick>,
    meanings: Vec<Vec<Meaning>>,
    /// Languages in which a verb may follow its object, so that the beginning of a
    /// clause says nothing.
    free_order: Vec<bool>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut phrases: BTreeMap<String, Vec<Meaning>> = BTreeMap::new();
    let mut add = |phrase: &str, slot: Slot, language: Option<u8>| {
        let (phrase, is_open) = match phrase.strip_suffix('*') {
            Some(stem) => (stem, true),
            None => (phrase, false),
        };
        phrases
            .entry(fold::phrase(phrase))
            .or_default()
            .push(Meaning {
                slot,
                language,
                is_open,
            });
    };
    let mut free_order = Vec::new();
    for (number, file) in (0..).zip(LIST.files()) {
        for (section, slot) in SECTIONS {
            for phrase in file.phrases(section) {
                add(phrase, *slot, Some(number));
            }
        }
        free_order.push(!file.phrases("override after").is_empty() || file.language == "zh");
    }
    for fraction in FRACTIONS {
        add(fraction, Slot::Fraction, None);
    }
    for figure in NUMBERS {
        add(figure, Slot::Number, None);
    }
    phrases.remove("");
    Vocabulary {
        automaton: AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(phrases.keys())
            .ok(),
        meanings: phrases.into_values().collect(),
        free_order,
    }
});

/// Whether verbs of a language may follow their objects.
pub(super) fn has_free_order(language: u8) -> bool {
    VOCABULARY
        .free_order
        .get(usize::from(language))
        .is_some_and(|free| *free)
}

pub(super) fn languages() -> u8 {
    u8::try_from(LIST.files().len()).unwrap_or(u8::MAX)
}

/// The words of a folded text, in order.
pub(super) fn words(text: &str, boundaries: Boundaries) -> Vec<Word> {
    let Some(automaton) = &VOCABULARY.automaton else {
        return Vec::new();
    };
    let mut words = Vec::new();
    for found in automaton.find_overlapping_iter(text) {
        let range = found.range();
        if boundaries == Boundaries::Words && !starts_word(text, &range) {
            continue;
        }
        let ends = boundaries == Boundaries::None || ends_word(text, &range);
        let meanings = VOCABULARY.meanings.get(found.pattern().as_usize());
        for meaning in meanings.into_iter().flatten() {
            if ends || meaning.is_open {
                words.push(Word {
                    slot: meaning.slot,
                    language: meaning.language,
                    range: range.clone(),
                });
            }
        }
    }
    words.sort_by_key(|word| (word.range.start, word.range.end, word.slot));
    words
}

fn starts_word(text: &str, range: &Range<usize>) -> bool {
    let mut before = text[..range.start].chars().rev();
    let (Some(first), Some(last)) = (text[range.clone()].chars().next(), before.next()) else {
        return true;
    };
    if is_spaceless(first) || is_spaceless(last) {
        return true;
    }
    // Arabic joins “and”, “so”, “with”, “to” and “as” to the next word.
    if matches!(last, 'و' | 'ف' | 'ب' | 'ل' | 'ك') {
        return !before.next().is_some_and(char::is_alphanumeric);
    }
    if first.is_ascii_digit() && matches!(last, '.' | ',' | '/') {
        return !before.next().is_some_and(|c| c.is_ascii_digit());
    }
    !last.is_alphanumeric()
}

fn ends_word(text: &str, range: &Range<usize>) -> bool {
    let last = text[range.clone()].chars().next_back();
    let mut after = text[range.end..].chars();
    let (Some(last), Some(next)) = (last, after.next()) else {
        return true;
    };
    if is_spaceless(last) || is_spaceless(next) || is_devanagari(last) {
        return true;
    }
    // Short words of Arabic are in many others; longer ones take endings.
    if is_arabic(last) && text[range.clone()].chars().nth(3).is_some() {
        return true;
    }
    if last.is_ascii_digit() {
        let goes_on = match next {
            '.' | ',' | '/' => after.next().is_some_and(|c| c.is_ascii_digit()),
            '%' => true,
            _ => next.is_alphanumeric(),
        };
        return !goes_on;
    }
    !next.is_alphanumeric()
}

/// Whether a letter is of a script that is written without blanks, or joins endings
/// to its words.
fn is_spaceless(c: char) -> bool {
    matches!(
        c,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
    )
}

fn is_arabic(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{6ff}')
}

fn is_devanagari(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{97f}')
}

struct Triggers {
    automaton: Option<AhoCorasick>,
    kinds: Vec<Trigger>,
}

/// Sections of which every demand has a phrase.
const TRIGGERING: &[&str] = &[
    "override",
    "override after",
    "best mark",
    "ai judge",
    "judge",
    "pretend",
    "system object",
    "secret",
    "no issues",
    "takeover",
];

/// Shorter words are in too many others.
const SHORTEST: usize = 4;

static TRIGGERS: LazyLock<Triggers> = LazyLock::new(|| {
    let mut forms: BTreeMap<String, Trigger> = BTreeMap::new();
    for section in TRIGGERING {
        for phrase in LIST.all(section) {
            for form in written_forms(phrase.trim_end_matches('*')) {
                if form.len() >= SHORTEST {
                    forms.insert(form, Trigger::Plain);
                }
            }
        }
    }
    for figure in FRACTIONS.iter().chain(&["1.0", "1,0"]) {
        forms.insert((*figure).to_owned(), Trigger::Plain);
    }
    for section in ["override", "object", "judging object"] {
        for phrase in LIST.all(section) {
            let stem = phrase.trim_end_matches('*');
            let is_word = stem.chars().all(char::is_alphabetic) && stem.chars().count() >= 6;
            if is_word && !stem.chars().any(is_spaceless) {
                let reversed: String = stem.chars().rev().collect();
                forms.entry(reversed).or_insert(Trigger::Reversed);
                if stem.is_ascii() {
                    let turned = stem.chars().map(rot13).collect();
                    forms.entry(turned).or_insert(Trigger::Rot13);
                }
            }
        }
    }
    Triggers {
        automaton: AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(forms.keys())
            .ok(),
        kinds: forms.into_values().collect(),
    }
});

/// A phrase as texts write it: with and without accents, with a capital, in
/// capitals, with a line break for a blank.
fn written_forms(phrase: &str) -> Vec<String> {
    let mut forms = vec![phrase.to_owned(), fold::phrase(phrase)];
    if phrase.contains(' ') && phrase.is_ascii() {
        forms.push(phrase.replacen(' ', "\n", 1));
    }
    if !phrase.is_ascii() {
        let mut rest = phrase.chars();
        let first: String = rest
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        forms.push(first + rest.as_str());
        forms.push(phrase.to_uppercase());
    }
    forms
}

/// The first trigger from an offset on.
pub(super) fn first_trigger(text: &str, from: usize) -> Option<Range<usize>> {
    let input = aho_corasick::Input::new(text).span(from..text.len());
    TRIGGERS
        .automaton
        .as_ref()?
        .find(input)
        .map(|found| found.range())
}

/// The kinds of triggers in a text.
pub(super) fn triggers_in(text: &str) -> Vec<Trigger> {
    let mut kinds = Vec::new();
    for found in TRIGGERS
        .automaton
        .iter()
        .flat_map(|all| all.find_overlapping_iter(text))
    {
        let kind = TRIGGERS.kinds.get(found.pattern().as_usize()).copied();
        if let Some(kind) = kind.filter(|kind| !kinds.contains(kind)) {
            kinds.push(kind);
        }
    }
    kinds
}

/// The letter thirteen places on.
pub(super) fn rot13(c: char) -> char {
    let turn = |base: u8, c: char| {
        let place = (u32::from(c) - u32::from(base) + 13) % 26;
        char::from_u32(u32::from(base) + place).unwrap_or(c)
    };
    match c {
        'a'..='z' => turn(b'a', c),
        'A'..='Z' => turn(b'A', c),
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_its_slot() {
        assert_eq!(LIST.faults(), [""; 0]);
        for file in LIST.files() {
            for section in ["override", "object", "scope", "give", "this text"] {
                let has = !file.phrases(section).is_empty()
                    || section == "override" && !file.phrases("override after").is_empty();
                assert!(has, "{} [{section}]", file.language);
            }
        }
    }

    #[test]
    fn figures_are_whole_figures() {
        let figures = |text: &str| -> Vec<String> {
            let words = words(text, Boundaries::Words);
            let figures = words
                .iter()
                .filter(|word| word.slot <= Slot::Number && word.slot >= Slot::Fraction);
            figures
                .map(|word| text[word.range.clone()].to_owned())
                .collect()
        };
        assert_eq!(figures("score 1.0 now"), ["1.0"]);
        assert_eq!(figures("version 1.0.3"), [""; 0]);
        assert_eq!(figures("21.0 and 0.1"), [""; 0]);
        assert_eq!(figures("110/100"), [""; 0]);
        assert_eq!(figures("10/10."), ["10/10"]);
    }
}
