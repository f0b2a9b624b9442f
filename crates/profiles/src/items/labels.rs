//! The labels by which options are named: A, B, C or 1, 2, 3, and the series of other
//! scripts (`option_labels` of the phrase lists). A label may be a field of the option, the
//! name of one, or be printed at the start of its text. Knows nothing of keys.

use std::borrow::Cow;
use std::sync::OnceLock;

use redraft_text::phrases::PhraseList;
use redraft_text::scripts::{Script, script};

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
