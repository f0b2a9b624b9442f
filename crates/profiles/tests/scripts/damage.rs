//! Damages good lessons at random places and looks whether the damage is found,
//! and undone byte for byte.

use std::ops::Range;

use redraft_gate::companion::Companions;
use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;
use redraft_text::markdown::analyse;
use redraft_text::scripts::{Script, look_alike, script};
use redraft_text::words::words;

use crate::fixtures::{fixed, inspect, inspect_for};
use crate::{lessons, texts};

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit.max(1)
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Letters without a twin in the script of the language.
fn foreign(language: &str) -> Vec<char> {
    match language {
        "ru" => "的是了在我有のをにアハ한국어".chars().collect(),
        "zh" => "ДЖЯшщюбгфлのをアハ한국".chars().collect(),
        _ => "的是了在我ДЖЯшщюбгфлのを한국".chars().collect(),
    }
}

/// The words of a lesson's prose.
fn prose_words(text: &str) -> Vec<Range<usize>> {
    analyse(text)
        .prose
        .iter()
        .flat_map(|range| {
            words(&text[range.clone()])
                .map(|(word, _)| range.start + word.start..range.start + word.end)
        })
        .collect()
}

/// Puts one letter into, at or between words; gives the text and the place.
fn pollute(
    text: &str,
    at: &Range<usize>,
    letter: char,
    dice: &mut Dice,
) -> Option<(String, usize, PlantedAt)> {
    let inner: Vec<usize> = text[at.clone()]
        .char_indices()
        .skip(1)
        .map(|(offset, _)| at.start + offset)
        .collect();
    let (place, inserted, kind) = match dice.below(4) {
        0 if !inner.is_empty() => (*dice.pick(&inner), letter.to_string(), PlantedAt::AtWord),
        1 => (at.start, letter.to_string(), PlantedAt::AtWord),
        2 => (at.end, letter.to_string(), PlantedAt::AtWord),
        // Between two words, with a space of its own.
        _ if text[at.end..].starts_with(' ')
            && text[at.end + 1..].starts_with(char::is_alphabetic) =>
        {
            (at.end + 1, format!("{letter} "), PlantedAt::Alone)
        }
        _ => return None,
    };
    let mut damaged = text.to_owned();
    damaged.insert_str(place, &inserted);
    Some((damaged, place, kind))
}

/// Where a letter was put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlantedAt {
    AtWord,
    Alone,
}

/// Found, undone, tried.
#[derive(Debug, Default)]
struct Tally {
    found: usize,
    undone: usize,
    tried: usize,
}

impl Tally {
    /// At least 95 in a hundred; of a handful one may be missed.
    fn assert(&self, what: &str, language: &str, undone: bool) {
        println!("{what} {language}: {self:?}");
        let least = self.tried - (self.tried / 20).max(1).min(self.tried);
        assert!(self.found >= least, "{what} {language}: {self:?}");
        assert!(
            !undone || self.undone >= least,
            "{what} {language}: {self:?}"
        );
    }
}

/// The shorter ones of the published lessons.
fn published() -> Vec<(String, String)> {
    let mut lessons = lessons::published();
    lessons.retain(|(_, text)| text.len() < 16_000);
    lessons
}

fn own() -> Vec<(String, String)> {
    texts::ALL
        .iter()
        .map(|(language, text)| ((*language).to_owned(), (*text).to_owned()))
        .collect()
}

/// Runs `trial` over lessons, and asserts by language.
fn by_language(
    what: &str,
    lessons: &[(String, String)],
    trials: usize,
    undone: bool,
    trial: impl Fn(&str, &str, &mut Dice, &mut Tally),
) {
    let mut dice = Dice(7);
    let mut languages: Vec<&String> = lessons.iter().map(|(language, _)| language).collect();
    languages.sort();
    languages.dedup();
    for language in languages {
        let mut tally = Tally::default();
        for (_, text) in lessons.iter().filter(|(other, _)| other == language) {
            for _ in 0..trials {
                trial(language, text, &mut dice, &mut tally);
            }
        }
        tally.assert(what, language, undone);
    }
}

fn one_letter(language: &str, text: &str, dice: &mut Dice, tally: &mut Tally) {
    let words = prose_words(text);
    let at = dice.pick(&words).clone();
    let letter = *dice.pick(&foreign(language));
    let Some((damaged, place, kind)) = pollute(text, &at, letter, dice) else {
        return;
    };
    tally.tried += 1;
    let found = inspect_for(&damaged, "TXT031");
    let is_found = found
        .findings
        .iter()
        .any(|finding| finding.span.start <= place && place < finding.span.end);
    // At a word it may stand for a letter that is lost: nothing is undone.
    let expected = match kind {
        PlantedAt::AtWord => &damaged,
        PlantedAt::Alone => text,
    };
    let is_undone = fixed(&damaged, Hint::Markdown, "TXT031") == expected;
    tally.found += usize::from(is_found);
    tally.undone += usize::from(is_undone);
    if !is_found || !is_undone {
        let from = damaged.floor_char_boundary(place.saturating_sub(30));
        let to = damaged.ceil_char_boundary((place + 30).min(damaged.len()));
        println!(
            "{language} found {is_found} undone {is_undone}: {:?}",
            &damaged[from..to]
        );
    }
}

fn a_few_letters(language: &str, text: &str, dice: &mut Dice, tally: &mut Tally) {
    let mut damaged = text.to_owned();
    let mut put_in = 0;
    let alphabet = foreign(language);
    while put_in < 2 + tally.tried % 2 {
        let words = prose_words(&damaged);
        let at = dice.pick(&words).clone();
        // Two of them side by side would be a word.
        let around = damaged.floor_char_boundary(at.start.saturating_sub(3))
            ..damaged.ceil_char_boundary((at.end + 3).min(damaged.len()));
        if damaged[around].chars().any(|c| alphabet.contains(&c)) {
            continue;
        }
        if let Some((more, ..)) = pollute(&damaged, &at, *dice.pick(&alphabet), dice) {
            damaged = more;
            put_in += 1;
        }
    }
    tally.tried += 1;
    tally.found += usize::from(inspect_for(&damaged, "TXT031").findings.len() == put_in);
}

fn many_letters(language: &str, text: &str, dice: &mut Dice, tally: &mut Tally) {
    let mut damaged = text.to_owned();
    let alphabet = foreign(language);
    for _ in 0..8 + dice.below(20) {
        let words = prose_words(&damaged);
        let at = dice.pick(&words).clone();
        if let Some((more, ..)) = pollute(&damaged, &at, *dice.pick(&alphabet), dice) {
            damaged = more;
        }
    }
    tally.tried += 1;
    let found = inspect_for(&damaged, "TXT031");
    let is_found = found
        .findings
        .iter()
        .any(|finding| finding.severity == Severity::Error);
    tally.found += usize::from(is_found);
}

fn hybrid(language: &str, text: &str, dice: &mut Dice, tally: &mut Tally) {
    let other = if language == "ru" {
        Script::Latin
    } else {
        Script::Cyrillic
    };
    let words: Vec<Range<usize>> = prose_words(text)
        .into_iter()
        .filter(|range| {
            let word = &text[range.clone()];
            let home = if language == "ru" {
                Script::Cyrillic
            } else {
                Script::Latin
            };
            word.chars().count() > 2 && word.chars().all(|c| script(c) == home)
        })
        .collect();
    if words.is_empty() {
        return;
    }
    let at = dice.pick(&words).clone();
    let twins: Vec<(usize, char, char)> = text[at.clone()]
        .char_indices()
        .filter_map(|(offset, c)| look_alike(c, other).map(|twin| (at.start + offset, c, twin)))
        .collect();
    if twins.is_empty() || twins.len() == text[at].chars().count() {
        return;
    }
    let (place, old, new) = *dice.pick(&twins);
    let mut damaged = text.to_owned();
    damaged.replace_range(place..place + old.len_utf8(), new.encode_utf8(&mut [0; 4]));
    tally.tried += 1;
    let found = inspect_for(&damaged, "TXT032");
    let is_found = found
        .findings
        .iter()
        .any(|finding| finding.span.start <= place && place < finding.span.end);
    let is_undone = fixed(&damaged, Hint::Markdown, "TXT032") == text;
    tally.found += usize::from(is_found);
    tally.undone += usize::from(is_undone);
    if !is_found || !is_undone {
        let from = damaged.floor_char_boundary(place.saturating_sub(20));
        let to = damaged.ceil_char_boundary((place + 20).min(damaged.len()));
        println!(
            "{language} found {is_found} undone {is_undone}: {:?}",
            &damaged[from..to]
        );
    }
}

#[test]
fn a_stray_letter_is_found_and_removed_where_it_stands_alone() {
    by_language("one letter", &own(), 60, true, one_letter);
    by_language("one letter, published", &published(), 2, true, one_letter);
}

#[test]
fn two_or_three_stray_letters_are_found() {
    by_language("few letters", &own(), 40, false, a_few_letters);
    by_language(
        "few letters, published",
        &published(),
        1,
        false,
        a_few_letters,
    );
}

#[test]
fn many_stray_letters_are_an_error() {
    by_language("many letters", &own(), 15, false, many_letters);
    by_language(
        "many letters, published",
        &published(),
        1,
        false,
        many_letters,
    );
}

#[test]
fn a_letter_of_another_script_in_a_word_is_found_and_exchanged() {
    by_language("hybrid", &own(), 60, true, hybrid);
    by_language("hybrid, published", &published(), 4, true, hybrid);
}

#[test]
fn good_lessons_are_left_alone() {
    for (language, text) in own() {
        let found = inspect(&text, Hint::Markdown, &Companions::default());
        let mine: Vec<_> = found
            .findings
            .iter()
            .filter(|finding| crate::CODES.contains(&finding.check.code))
            .map(|finding| (finding.check.code, &finding.message))
            .collect();
        assert!(mine.is_empty(), "{language} {mine:?}");
    }
}
