//! The labels by which options are named: A, B, C or 1, 2, 3, and the series of other
//! scripts (`option_labels` of the phrase lists). A label may be a field of the option, the
//! name of one, or be printed at the start of its text. Knows nothing of keys.

use std::borrow::Cow;
use std::sync::OnceLock;

use redraft_text::phrases::PhraseList;
use redraft_text::scripts::{Script, script};

use super::names;

static LIST: PhraseList = PhraseList::new("option_labels", &["series"]);

/// The series of all languages, each in its order.
fn series() -> &'static [Vec<&'static str>] {
    static SERIES: OnceLock<Vec<Vec<&'static str>>> = OnceLock::new();
    SERIES.get_or_init(|| {
        let lines = LIST.all("series");
        lines
            .map(|line| line.split_whitespace().collect())
            .collect()
    })
}

/// A label at the start of an option's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Printed<'a> {
    pub(super) label: &'a str,
    /// The text without it.
    pub(super) words: &'a str,
}

/// The labels that are printed at the start of all options, if they are one series in its
/// order and the texts differ without them: “1. Klasse” and “2. Klasse” do not.
pub(super) fn printed<'a>(texts: &[&'a str]) -> Option<Vec<Printed<'a>>> {
    let found: Option<Vec<Printed<'a>>> = texts
        .iter()
        .map(|text| split(text.trim()).or_else(|| split_tight(text.trim())))
        .collect();
    let found = found.filter(|found| found.len() > 1)?;
    let is = |wanted: &dyn Fn(usize, &str) -> bool| {
        let mut all = found.iter().enumerate();
        all.all(|(index, option)| wanted(index, &folded(option.label)))
    };
    let is_series = is(&is_letter_of)
        || is(&|index, label| label.parse() == Ok(index + 1))
        || series()
            .iter()
            .any(|series| is(&|index, label| series.get(index) == Some(&label)));
    let differs = found
        .windows(2)
        .any(|pair| pair[0].words.trim() != pair[1].words.trim());
    (is_series && differs).then_some(found)
}

/// Whether options begin with letters or numbers of a series that are not in its order, as when
/// a list was shuffled or its beginning is missing. The initials of species are no series.
pub(super) fn printed_in_another_order(texts: &[&str]) -> bool {
    let found: Option<Vec<(Cow<'_, str>, &str)>> =
        texts.iter().map(|text| begun_with(text)).collect();
    let Some(found) = found.filter(|found| found.len() > 1) else {
        return false;
    };
    // “B cells”, “A cells”: the letters are what is asked for.
    let differs = found
        .windows(2)
        .any(|pair| pair[0].1.trim() != pair[1].1.trim());
    if !differs {
        return false;
    }
    if has_gaps(&found) {
        return true;
    }
    let found: Vec<Cow<'_, str>> = found.into_iter().map(|(label, _)| label).collect();
    let letters = |label: &str| match (label.len(), label.bytes().next()) {
        (1, Some(letter @ b'a'..=b'z')) => Some(usize::from(letter - b'a')),
        _ => None,
    };
    let numbers = |label: &str| label.parse::<usize>().ok()?.checked_sub(1);
    let from_zero = |label: &str| label.parse::<usize>().ok();
    let runs = [
        places(&found, &letters),
        places(&found, &numbers),
        places(&found, &from_zero),
    ];
    let others = series().iter().map(|series| {
        places(&found, &|label| {
            series.iter().position(|other| *other == label)
        })
    });
    let runs: Vec<Vec<usize>> = runs.into_iter().chain(others).flatten().collect();
    let in_order = |run: &Vec<usize>| run.iter().enumerate().all(|(index, place)| index == *place);
    !runs.is_empty() && !runs.iter().any(in_order)
}

/// Whether options begin with the first letters of the alphabet, each before a sign and a capital
/// letter, with one left out or twice: “A. Rome”, “C. Oslo”. The initials of species stand before
/// small letters.
fn has_gaps(found: &[(Cow<'_, str>, &str)]) -> bool {
    const LAST: u8 = b'j';
    let is_label = |(label, rest): &(Cow<'_, str>, &str)| {
        let mut rest = rest.chars();
        label.len() == 1
            && label.bytes().all(|letter| (b'a'..=LAST).contains(&letter))
            && rest
                .next()
                .is_some_and(|c| AFTER_LABEL.contains(&c) || c == ']')
            && rest
                .find(|c| c.is_alphanumeric())
                .is_some_and(|c| !c.is_lowercase())
    };
    let in_order = |(index, (label, _)): (usize, &(Cow<'_, str>, &str))| is_letter_of(index, label);
    found.iter().all(is_label) && !found.iter().enumerate().all(in_order)
}

/// The places of labels in a series, if they are a run of it in any order.
fn places(labels: &[Cow<'_, str>], place: &dyn Fn(&str) -> Option<usize>) -> Option<Vec<usize>> {
    let places: Option<Vec<usize>> = labels.iter().map(|label| place(label)).collect();
    let places = places?;
    let mut sorted = places.clone();
    sorted.sort_unstable();
    let is_run = sorted.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    is_run.then_some(places)
}

/// What may be the label of an option, however it is written: `**B.** Rome`, `[B] Rome`,
/// `Option B: Rome`, `B Rome`; and the rest. A number needs a sign after it: “2 mg” has none.
fn begun_with(text: &str) -> Option<(Cow<'_, str>, &str)> {
    const LONGEST: usize = 5;
    let mut rest = text.trim_start();
    while let Some(after) = rest.strip_prefix('<') {
        rest = after.split_once('>')?.1.trim_start();
    }
    let rest = rest.trim_start_matches(['*', '_', '`', '[', '(', '{', '（', '「', ' ']);
    let lower = rest.to_lowercase();
    let word = names::label_words().iter().find(|word| {
        let after = lower.strip_prefix(**word);
        after.is_some_and(|after| after.starts_with(' '))
    });
    let rest = word
        .and_then(|word| rest.get(word.len()..))
        .map_or(rest, str::trim_start);
    let first = rest.chars().next()?;
    let is_sign = first.is_numeric() && !first.is_ascii();
    let end = match is_sign {
        true => first.len_utf8(),
        false => rest
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(rest.len()),
    };
    let (label, words) = rest.split_at_checked(end)?;
    let mut after = words.chars();
    let is_signed = after
        .next()
        .is_some_and(|c| AFTER_LABEL.contains(&c) || c == ']')
        && after.next().is_none_or(|c| !c.is_ascii_digit());
    let is_number = label.bytes().all(|byte| byte.is_ascii_digit());
    let is_label = !label.is_empty() && label.len() <= LONGEST && (is_signed || !is_number);
    is_label.then(|| (folded(label), words))
}

/// Whether a text has a letter before a bracket or a full stop, as a label stands: “, C) Oslo”.
pub(super) fn has_label(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| {
        let word = word.trim_start_matches('(');
        let mut chars = word.chars();
        let (first, second) = (chars.next(), chars.next());
        first.is_some_and(char::is_alphabetic) && matches!(second, Some(')' | '.' | ':'))
    })
}

/// The ends by which labels such as `choice_a` and `choice_b` differ, if all begin alike.
pub(super) fn ends(labels: &[&str]) -> Option<Vec<String>> {
    let cut = |label: &str| -> Option<(String, String)> {
        let label = label.trim();
        let digits = label.len() - label.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let (start, end) = label.split_at(label.len() - digits);
            return Some((start.to_lowercase(), end.to_owned()));
        }
        let end = label
            .chars()
            .next_back()
            .filter(char::is_ascii_alphabetic)?;
        let start = label.strip_suffix(end)?;
        let last = start.chars().next_back()?;
        let is_apart = matches!(last, '_' | '-' | '.' | ' ' | ':')
            || last.is_ascii_digit()
            || end.is_uppercase() && last.is_lowercase();
        is_apart.then(|| (start.to_lowercase(), end.to_lowercase().to_string()))
    };
    let parts: Option<Vec<(String, String)>> = labels.iter().map(|label| cut(label)).collect();
    let parts = parts.filter(|parts| parts.len() > 1)?;
    let is_alike = parts.windows(2).all(|pair| pair[0].0 == pair[1].0) && !parts[0].0.is_empty();
    let mut ends: Vec<String> = parts.into_iter().map(|(_, end)| end).collect();
    let given = ends.clone();
    ends.sort();
    ends.dedup();
    (is_alike && ends.len() == given.len()).then_some(given)
}

/// An option's text without the label of its position (`B. Aspirin`, `б) Аспирин`). Numbers
/// and Roman numerals are no label for one option alone.
#[must_use]
pub(super) fn without_label(text: &str, index: usize) -> &str {
    let Some(found) = split(text).or_else(|| split_tight(text)) else {
        return text;
    };
    let label = folded(found.label);
    let own = is_letter_of(index, &label)
        || series().iter().any(|series| {
            series.get(index) == Some(&label.as_ref())
                && !series.iter().all(|label| label.is_ascii())
        });
    if own { found.words } else { text }
}

/// The position of a label that stands alone in its series. A letter of an alphabet counts
/// among options in that script: elsewhere a Cyrillic В may be meant as a B.
pub(super) fn position(label: &str, options: &[&str]) -> Option<usize> {
    let label = folded(label);
    let own = script(label.chars().next()?);
    let is_at_home = || {
        options
            .iter()
            .any(|option| option.chars().any(|c| script(c) == own))
    };
    if label.is_ascii() || own != Script::Common && !is_at_home() {
        return None;
    }
    let found = series()
        .iter()
        .find_map(|series| series.iter().position(|other| *other == label))?;
    (found < options.len()).then_some(found)
}

/// Whether a word may be the label of one of `count` options in another alphabet.
pub(super) fn is_of_another_alphabet(word: &str, count: usize) -> bool {
    let label = folded(word);
    let position = |series: &Vec<&str>| series.iter().position(|other| *other == label);
    !label.is_ascii()
        && series()
            .iter()
            .any(|series| position(series).is_some_and(|at| at < count))
}

/// A label as it is compared: in lower case, full-width letters and digits as usual ones.
pub(super) fn folded(label: &str) -> Cow<'_, str> {
    let label = label.trim();
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if label.chars().all(is_plain) {
        return Cow::Borrowed(label);
    }
    let usual = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    };
    Cow::Owned(
        label
            .chars()
            .map(usual)
            .flat_map(char::to_lowercase)
            .collect(),
    )
}

/// What separates a label from the words after it.
pub(super) const AFTER_LABEL: [char; 8] = ['.', ')', ':', '．', '）', '：', '、', '﹚'];

/// `B. Aspirin`, `(b) Aspirin`, `②Aspirin`: the label and the words.
fn split(text: &str) -> Option<Printed<'_>> {
    const LONGEST: usize = 12;
    let inner = text.strip_prefix(['(', '（']).unwrap_or(text);
    let first = inner.chars().next()?;
    // Signs that are a number in a circle need nothing after them.
    let is_sign = first.is_numeric()
        && script(first) == Script::Common
        && !folded(first.encode_utf8(&mut [0; 4])).is_ascii();
    let end = match is_sign {
        true => first.len_utf8(),
        false => inner.find(|c: char| !c.is_alphanumeric())?,
    };
    let (label, rest) = inner.split_at_checked(end).filter(|_| end <= LONGEST)?;
    let after = rest.strip_prefix(AFTER_LABEL);
    let is_wide = rest.starts_with(['．', '）', '：', '、', '﹚']);
    // A label is separated from the text.
    let apart = is_sign
        || after.is_some_and(|after| {
            is_wide || after.starts_with(char::is_whitespace) || inner.len() < text.len()
        });
    let words = after.unwrap_or(rest).trim_start();
    (apart && !label.is_empty() && !words.is_empty()).then_some(Printed { label, words })
}

/// `B)Aspirin`: a label only where all options have one.
fn split_tight(text: &str) -> Option<Printed<'_>> {
    let (label, words) = text.split_once(')')?;
    let is_label = label.len() == 1 && label.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_label && !words.is_empty()).then_some(Printed { label, words })
}

fn is_letter_of(index: usize, label: &str) -> bool {
    let own = u8::try_from(index).ok().filter(|index| *index < 26);
    own.is_some_and(|own| label.len() == 1 && label.as_bytes()[0] == b'a' + own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_series_that_are_read() {
        assert_eq!(LIST.faults(), [""; 0]);
        // The examples are second options.
        let wrong = LIST.wrong_examples("series", |_, text| {
            split(text).is_some_and(|found| {
                let label = folded(found.label);
                series()
                    .iter()
                    .any(|series| series.get(1) == Some(&label.as_ref()))
            })
        });
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn only_the_label_of_its_position_is_removed() {
        for (text, index, expected) in [
            ("B. Aspirin", 1, "Aspirin"),
            ("(b) Aspirin", 1, "Aspirin"),
            ("b) Aspirin", 1, "Aspirin"),
            ("(b)Aspirin", 1, "Aspirin"),
            ("Ｂ．巴黎", 1, "巴黎"),
            ("б) Париж", 1, "Париж"),
            ("②파리", 1, "파리"),
            ("C. difficile", 1, "C. difficile"),
            ("E. coli", 0, "E. coli"),
            ("V. cava", 4, "V. cava"),
            ("2. Klasse", 1, "2. Klasse"),
            ("B.Aspirin", 1, "B.Aspirin"),
            ("A", 0, "A"),
            ("A.", 0, "A."),
            ("Aspirin", 0, "Aspirin"),
            ("(a)", 0, "(a)"),
            ("É. x", 0, "É. x"),
            ("", 0, ""),
        ] {
            assert_eq!(without_label(text, index), expected, "{text}");
        }
    }

    #[test]
    fn printed_labels_are_a_series_of_all_options() {
        for (texts, expected) in [
            (&["1) Rome", "2) Oslo"][..], true),
            (&["i) Rome", "ii) Oslo", "iii) Bern"], true),
            (&["А) Рим", "Б) Осло", "В) Берн"], true),
            (&["A、柏林", "B、巴黎"], true),
            (&["① 로마", "② 오슬로"], true),
            (&["A)Rome", "B)Oslo"], true),
            (&["a)b", "c)d"], false),
            (&["1. Klasse", "2. Klasse"], false),
            (&["2) Rome", "1) Oslo"], false),
            (&["1) Rome", "Oslo"], false),
            (&["1.5 mg", "2.5 mg"], false),
            (&["Rome", "Oslo"], false),
            (&["A) Rome"], false),
        ] {
            assert_eq!(printed(texts).is_some(), expected, "{texts:?}");
        }
    }

    #[test]
    fn labels_that_are_not_in_order_are_seen_however_they_are_written() {
        for (texts, expected) in [
            (&["C. Madrid", "A. Paris", "B. Rome"][..], true),
            (&["B) Rome", "C) Madrid"], true),
            (&["③ Madrid", "① Paris", "② Rome"], true),
            (&["В) Мадрид", "А) Париж", "Б) Рим"], true),
            (&["[C] Madrid", "[A] Paris", "[B] Rome"], true),
            (&["C Madrid", "A Paris", "B Rome"], true),
            (&["**C.** Madrid", "**A.** Paris", "**B.** Rome"], true),
            (
                &["<b>C.</b> Madrid", "<b>A.</b> Paris", "<b>B.</b> Rome"],
                true,
            ),
            (
                &["Option C: Madrid", "Option A: Paris", "Option B: Rome"],
                true,
            ),
            (&["B cells", "A cells", "C cells"], false),
            (&["2 mg", "1 mg", "3 mg"], false),
            (&["2.5 mg", "1.5 g", "3.5 mg"], false),
            (&["2", "1", "3"], false),
            (&["III. Madrid", "I. Paris", "II. Rome"], true),
            (&["2) Rome", "1) Paris"], true),
            (&["A. Paris", "B. Rome", "C. Madrid"], false),
            (&["0. Paris", "1. Rome"], false),
            (&["i. Paris", "ii. Rome"], false),
            (&["C. difficile", "E. coli", "S. aureus"], false),
            (&["A. Paris", "C. Rome", "D. Madrid"], true),
            (&["A. Paris", "A. Rome", "B. Madrid"], true),
            (&["A. niger", "C. albicans", "D. radiodurans"], false),
            (&["Madrid", "Paris"], false),
            (&["10 mg", "1 mg"], false),
            (&["A", "B", "AB", "O"], false),
        ] {
            assert_eq!(printed_in_another_order(texts), expected, "{texts:?}");
        }
    }

    #[test]
    fn a_letter_counts_among_options_in_its_script() {
        let russian = ["Рим", "Осло", "Берн"];
        let latin = ["Rome", "Oslo", "Bern"];
        for (label, options, expected) in [
            ("В", russian, Some(2)),
            ("б", russian, Some(1)),
            ("Г", russian, None),
            ("В", latin, None),
            ("②", latin, Some(1)),
            ("⑨", latin, None),
            ("b", latin, None),
        ] {
            assert_eq!(position(label, &options), expected, "{label}");
        }
    }
}
