//! The phrases by which a text speaks to its judge, from the files in
//! `crates/text/data/prompt_injection`, as two indices: one that finds out in one
//! pass whether there is anything to look at, and one that names the words of a
//! paragraph. What follows from the words is decided in `demands`.

use std::ops::Range;
use std::sync::LazyLock;

use redraft_text::phrases::PhraseList;
use redraft_text::word_index::WordIndex;
use rustc_hash::FxHashMap;

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

impl Slot {
    /// Whether no demand is without such a word.
    pub(super) fn is_core(self) -> bool {
        matches!(
            self,
            Self::Override
                | Self::OverrideAfter
                | Self::Give
                | Self::Pretend
                | Self::Reveal
                | Self::NoIssues
                | Self::Takeover
        )
    }
}

struct Meaning {
    slot: Slot,
    language: Option<u8>,
    is_open: bool,
}

/// Phrases with what each does; one that does several things is there several times.
struct Phrases {
    index: WordIndex,
    meanings: Vec<Meaning>,
    /// The length of the longest, in bytes.
    longest: usize,
}

impl Phrases {
    fn new(phrases: Vec<(String, Meaning)>) -> Self {
        let (phrases, meanings): (Vec<String>, Vec<Meaning>) = phrases.into_iter().unzip();
        Self {
            longest: phrases.iter().map(String::len).max().unwrap_or_default(),
            index: WordIndex::new(phrases),
            meanings,
        }
    }

    /// The words that begin in a range of a folded text.
    fn words<'t>(
        &'t self,
        text: &'t str,
        within: Range<usize>,
        boundaries: Boundaries,
    ) -> impl Iterator<Item = Word> {
        let end = text.ceil_char_boundary((within.end + self.longest).min(text.len()));
        let part = text.get(within.start..end).unwrap_or_default();
        self.index.find(part).filter_map(move |found| {
            let meaning = self.meanings.get(found.word)?;
            let range = within.start + found.range.start..within.start + found.range.end;
            let has_edges = boundaries == Boundaries::None
                || starts_word(text, &range) && (meaning.is_open || ends_word(text, &range));
            (range.start < within.end && has_edges).then_some(Word {
                slot: meaning.slot,
                language: meaning.language,
                range,
            })
        })
    }
}

struct Vocabulary {
    /// The words of which every demand has one, apart from the others: few paragraphs
    /// have any, and all have many of the others.
    core: Phrases,
    others: Phrases,
    /// Languages in which a verb may follow its object, so that the beginning of a
    /// clause says nothing.
    free_order: Vec<bool>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let (mut core, mut others) = (Vec::new(), Vec::new());
    let mut add = |phrase: &str, slot: Slot, language: Option<u8>| {
        let stem = phrase.strip_suffix('*');
        let meaning = Meaning {
            slot,
            language,
            is_open: stem.is_some(),
        };
        let phrases = if slot.is_core() { &mut core } else { &mut others };
        phrases.push((fold::phrase(stem.unwrap_or(phrase)), meaning));
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
    Vocabulary {
        core: Phrases::new(core),
        others: Phrases::new(others),
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

/// The words of a folded text that every demand has one of.
pub(super) fn core_words(text: &str, boundaries: Boundaries) -> Vec<Word> {
    let words = VOCABULARY.core.words(text, 0..text.len(), boundaries);
    words.collect()
}

/// The core words of a folded text with the others in some ranges of it, in order.
pub(super) fn words(
    text: &str,
    boundaries: Boundaries,
    core: Vec<Word>,
    within: &[Range<usize>],
) -> Vec<Word> {
    let mut words = core;
    for range in within {
        words.extend(VOCABULARY.others.words(text, range.clone(), boundaries));
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
    forms: WordIndex,
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
    let mut forms: FxHashMap<String, Trigger> = FxHashMap::default();
    for section in TRIGGERING {
        for phrase in LIST.all(section) {
            for form in written_forms(phrase.trim_end_matches('*')) {
                if form.len() >= SHORTEST {
                    forms.insert(form.to_ascii_lowercase(), Trigger::Plain);
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
    let (forms, kinds): (Vec<String>, Vec<Trigger>) = forms.into_iter().unzip();
    Triggers {
        forms: WordIndex::new(forms),
        kinds,
    }
});

/// A phrase as texts write it: with and without accents, with a capital, in
/// capitals, with a line break for a blank.
fn written_forms(phrase: &str) -> Vec<String> {
    let mut forms = vec![fold::phrase(phrase)];
    if forms.first().is_none_or(|folded| folded != phrase) {
        forms.push(phrase.to_owned());
    }
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

/// The first trigger from an offset on, in a text with small ASCII letters.
pub(super) fn first_trigger(lower: &str, from: usize) -> Option<Range<usize>> {
    let found = TRIGGERS.forms.find(lower.get(from..)?).next()?;
    Some(from + found.range.start..from + found.range.end)
}

/// The kinds of triggers in a text with small ASCII letters.
pub(super) fn triggers_in(lower: &str) -> Vec<Trigger> {
    let mut kinds = Vec::new();
    for found in TRIGGERS.forms.find(lower) {
        let kind = TRIGGERS.kinds.get(found.word).copied();
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
            let words = words(text, Boundaries::Words, Vec::new(), std::slice::from_ref(&(0..text.len())));
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
