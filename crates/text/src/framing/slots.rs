//! What stands for something that is missing, though no list knows it: words in brackets
//! ("[example of a solvent]") and short paragraphs ("Question text, at most 200
//! characters"). The sum of their cues says so (`weights.rs`); a person decides.

use std::ops::Range;

use super::weights::{Talk, above};

/// Longer texts in brackets are not looked at, in bytes.
const LONGEST: usize = 160;

/// Longer paragraphs are not looked at, in bytes.
const LONGEST_GAP: usize = 200;

/// Brackets, with the word by which their kind is weighed.
const BRACKETS: [(char, char, &str); 7] = [
    ('[', ']', "insquare"),
    ('【', '】', "insquare"),
    ('<', '>', "inangle"),
    ('〈', '〉', "inangle"),
    ('{', '}', "incurly"),
    ('(', ')', "inround"),
    ('（', '）', "inround"),
];

/// Words in brackets, as they are weighed: the kind of brackets, the word before them and
/// what they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracketed {
    /// With the brackets.
    pub range: Range<usize>,
    pub text: String,
}

/// The words in brackets on one line, except links, code and what is in other brackets.
pub fn bracketed(text: &str) -> Vec<Bracketed> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(opens)) {
        let start = at + start;
        let Some(open) = text.get(start..).and_then(|rest| rest.chars().next()) else {
            break;
        };
        at = start + open.len_utf8();
        let Some((_, close, kind)) = BRACKETS.iter().find(|(one, _, _)| *one == open) else {
            continue;
        };
        let rest = text.get(at..).unwrap_or_default();
        let rest = rest
            .get(..rest.floor_char_boundary(LONGEST))
            .unwrap_or(rest);
        let is_end = |c: char| c == *close || c == '\n' || (opens(c) && c != '(' && c != '（');
        let Some(end) = rest.find(is_end).filter(|end| {
            rest.get(*end..)
                .is_some_and(|rest| rest.starts_with(*close))
        }) else {
            continue;
        };
        let inner = rest.get(..end).unwrap_or_default();
        let end = at + end + close.len_utf8();
        let before = text.get(..start).unwrap_or_default();
        let after = text.get(end..).unwrap_or_default();
        if is_words(open, inner) && !is_markup(open, before, after) {
            found.push(Bracketed {
                range: start..end,
                text: format!("{kind} {inner}"),
            });
            at = end;
        }
    }
    found
}

fn opens(c: char) -> bool {
    BRACKETS.iter().any(|(open, _, _)| *open == c)
}

fn is_words(open: char, inner: &str) -> bool {
    let has_letters = inner.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    let is_tag = open == '<'
        && (!inner.starts_with(char::is_alphabetic)
            || inner.contains(['=', '/', '@', ':', '"'])
            || (inner.is_ascii() && !inner.contains(' ')));
    has_letters && !is_tag && !inner.contains(['`', '\\', '='])
}

/// Links, indexes, types and formulas.
fn is_markup(open: char, before: &str, after: &str) -> bool {
    let before = before.chars().next_back();
    let after = after.chars().next();
    match open {
        '[' => {
            before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '!' | ']' | '\\'))
                || after.is_some_and(|c| matches!(c, '(' | '[' | ':'))
        }
        '<' | '{' => before.is_some_and(|c| c.is_ascii_alphanumeric() || "\\^_$/}=<".contains(c)),
        '(' | '（' => before.is_some_and(|c| c.is_ascii_alphanumeric() || c == ']'),
        _ => false,
    }
}

/// The words in brackets that sound as if something were missing, with their brackets.
///
/// Words with digits or signs are no slots, and words with a capital letter are labels of
/// buttons and names, unless there are several.
pub fn sounds_like_slots(text: &str) -> Vec<Range<usize>> {
    let found = bracketed(text).into_iter();
    found
        .filter(|found| is_slot(&found.text))
        .map(|found| found.range)
        .collect()
}

/// Whether words, after the kind of their brackets, sound as if something were missing.
fn is_slot(text: &str) -> bool {
    let Some((kind, inner)) = text.split_once(' ') else {
        return false;
    };
    matches!(kind, "insquare" | "inangle") && is_plain(inner) && above(text, Talk::Slot) > 0
}

/// Words without digits and signs that are too many for a label.
fn is_plain(inner: &str) -> bool {
    const FEWEST: usize = 3;
    const FEWEST_OF_A_LABEL: usize = 3;
    const FEWEST_UNSPACED: usize = 4;
    const MOST_WORDS: usize = 8;
    let inner = inner.trim();
    let words = inner.split_whitespace().count();
    let letters = inner.chars().filter(|c| c.is_alphabetic()).count();
    let is_unspaced = inner.contains(|c| ('\u{3400}'..='\u{9FFF}').contains(&c));
    let is_long = if is_unspaced {
        letters >= FEWEST_UNSPACED
    } else if inner.starts_with(char::is_uppercase) {
        words >= FEWEST_OF_A_LABEL
    } else {
        letters >= FEWEST
    };
    let is_text = inner
        .chars()
        .all(|c| is_letter_of_a_text(c) || matches!(c, ' ' | ',' | '-' | '，' | '、'));
    is_long && words <= MOST_WORDS && is_text
}

/// Not a sign of a pronunciation, either.
fn is_letter_of_a_text(c: char) -> bool {
    c.is_alphabetic() && !('\u{250}'..='\u{2FF}').contains(&c)
}

/// Whether a short paragraph sounds as if it stood for a text that is missing. One or two
/// words are a label, and words without a full stop often are.
pub fn sounds_like_gap(paragraph: &str) -> bool {
    const FEWEST_WORDS: usize = 3;
    const FEWEST_BYTES: usize = 15;
    paragraph.len() <= LONGEST_GAP
        && (paragraph.split_whitespace().count() >= FEWEST_WORDS
            || (!paragraph.is_ascii() && paragraph.len() >= FEWEST_BYTES))
        && paragraph
            .trim_end_matches(['*', '_', ' '])
            .ends_with(['.', ':', '!', ')', '…', '。', '：', '）', '！'])
        && above(paragraph, Talk::Gap) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_found_with_their_kind() {
        let texts = |text: &str| -> Vec<String> {
            let found = bracketed(text).into_iter();
            found.map(|found| found.text).collect()
        };
        assert_eq!(texts("Dear [first name], hi"), ["insquare first name"]);
        assert_eq!(texts("因为【理由】。"), ["insquare 理由"]);
        assert_eq!(texts("Riddle about <an animal>"), ["inangle an animal"]);
        for text in [
            "a [link](to.md)",
            "an ![image](a.png)",
            "list[index]",
            "Vec<String>",
            "<br>",
            "<a href=x>",
            "[1]",
            "f(x)",
            "\\frac{ab}{cd}",
            "a < b and c > d",
        ] {
            assert_eq!(texts(text), [""; 0], "{text}");
        }
    }
}
