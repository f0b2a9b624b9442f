//! Whether the place of an option matters: options that speak of others, scales and series,
//! numbers, an alphabetical list. And the letters by which a text names options. In doubt the
//! place matters.

use std::ops::Range;

use redraft_text::phrases::is_unspaced;

use super::labels;
use super::model::ItemView;
use super::option_words::{
    joining, labelled, option_points_by_place, options, ordinals, referring, refers, scales, verbs,
};
use super::wording;

/// Why the options of an item keep their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeptOrder {
    /// One speaks of the others: all of the above, both A and B.
    Refers,
    /// Two or more are numbers, or contain some.
    Numbers,
    /// They are in the order of a scale, a series or the alphabet.
    Ordered,
}

/// Whether the options of an item have to keep their places.
pub(super) fn of_options(view: ItemView<'_>) -> Option<KeptOrder> {
    let lower: Vec<String> = view.option_texts().map(str::to_lowercase).collect();
    let combined = |text: &str| wording::combines(text) || names_options(text, lower.len());
    let means_others = |text: &String| refers(text) || option_points_by_place(text);
    if view.option_texts().any(combined) || lower.iter().any(means_others) {
        return Some(KeptOrder::Refers);
    }
    let with_digits = lower.iter().filter(|text| text.contains(char::is_numeric));
    if with_digits.count() >= 2 {
        return Some(KeptOrder::Numbers);
    }
    let on_scale = lower.iter().filter(|text| scales().are_in(text)).count();
    let rises = lower.windows(2).all(|pair| pair[0] <= pair[1]);
    let falls = lower.windows(2).all(|pair| pair[0] >= pair[1]);
    (on_scale >= 2 || lower.len() > 2 && (rises || falls)).then_some(KeptOrder::Ordered)
}

/// Whether an option consists of the letters of others and words between them. “A” alone is
/// an answer: a blood group.
pub(super) fn names_options(option: &str, count: usize) -> bool {
    let words: Vec<&str> = tokens(option).map(|(_, word)| word).collect();
    let is_letter = |word: &str| single(word, count).is_some();
    let is_between = |word: &str| {
        let lower = word.to_lowercase();
        [joining(), referring(), options(), verbs()]
            .iter()
            .any(|words| words.has(&lower))
    };
    words.len() > 1
        && words.iter().any(|word| is_letter(word))
        && words.iter().all(|word| is_letter(word) || is_between(word))
}

/// The letters by which a text names options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    /// These and no others: the place of each letter, and the option it names.
    Certain(Vec<(Range<usize>, usize)>),
    /// Some may be names of options or something else.
    Doubtful,
}

/// Finds the letters by which a text names some of `count` options: after a word such as
/// *option* or *answer*, and after such a letter and an *and*.
pub(super) fn letters(text: &str, count: usize) -> Letters {
    let mut certain = Vec::new();
    // The letter before, if it was certain, with the words since then.
    let mut since: Option<usize> = None;
    let mut before = ["", ""];
    for (at, word) in tokens(text) {
        let lower = word.to_lowercase();
        let previous = before[1].to_lowercase();
        if let Some(index) = single(word, count) {
            let direct = options().has(&previous);
            let named =
                direct || verbs().has(&previous) && options().has(&before[0].to_lowercase());
            let joined = since.is_some_and(|words| words <= 1)
                && (joining().has(&previous) || since == Some(0))
                && is_upper(word)
                && !is_article(text, at);
            // “Option A is wrong” names an option, “to answer a question” may not.
            if named && is_article(text, at) && !(direct && is_upper(word)) {
                return Letters::Doubtful;
            }
            if named || joined {
                certain.push((at..at + word.len(), index));
                since = Some(0);
                before = [before[1], word];
                continue;
            }
            if is_doubtful(text, at, word, &previous) {
                return Letters::Doubtful;
            }
        }
        // “Ответ: Б”: a letter of another alphabet.
        let is_named = options().has(&previous)
            || verbs().has(&previous) && options().has(&before[0].to_lowercase());
        if is_named && labels::is_of_another_alphabet(word, count) {
            return Letters::Doubtful;
        }
        let counts = ordinals().has(&previous) && options().has(&lower);
        let is_number = options().has(&previous)
            && (word.bytes().all(|byte| byte.is_ascii_digit()) || is_roman(&lower));
        if counts || is_number {
            return Letters::Doubtful;
        }
        since = since.map(|words| words + usize::from(!joining().has(&lower)) + 1);
        before = [before[1], word];
    }
    if has_unspaced(text) {
        return Letters::Doubtful;
    }
    Letters::Certain(certain)
}

fn is_roman(lower: &str) -> bool {
    matches!(lower, "i" | "ii" | "iii" | "iv" | "v" | "vi")
}

/// Whether a question lists the letters of several options: “Which of A, B and C”.
pub(super) fn lists_letters(text: &str, count: usize) -> bool {
    let mut before = false;
    tokens(text).any(|(_, word)| {
        let is_letter = single(word, count).is_some() && is_upper(word);
        let is_next = is_letter && before;
        before = is_letter || before && joining().has(&word.to_lowercase());
        is_next
    })
}

/// Words of letters and digits, with their offsets.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let start = text.as_ptr().addr();
    parts
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr().addr() - start, word))
}

fn single(word: &str, count: usize) -> Option<usize> {
    let byte = word.bytes().next().filter(|_| word.len() == 1)?;
    let index = usize::from(byte.to_ascii_uppercase().checked_sub(b'A')?);
    (byte.is_ascii_alphabetic() && index < count).then_some(index)
}

/// Whether a single letter may be the name of an option. The article is not, and neither is
/// a letter after words such as *vitamin*.
fn is_doubtful(text: &str, at: usize, word: &str, previous: &str) -> bool {
    let after = text.get(at + 1..).unwrap_or_default();
    let front = text.get(..at).unwrap_or_default().chars().next_back();
    let is_marked = matches!(front, Some('(' | '[' | '"' | '\'' | '‘' | '“' | '*'))
        || after.starts_with([')', ']', '"', '\'', '’', '”', ':', '*']);
    let is_spoken_of = is_upper(word) && !is_article(text, at) || says_of_it(next_word(text, at));
    is_marked || is_spoken_of && !labelled().has(previous)
}

fn is_upper(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether a letter may be the article: an A before a word that can follow one, and a
/// capital only where a sentence begins.
fn is_article(text: &str, at: usize) -> bool {
    let letter = text.get(at..at + 1).unwrap_or_default();
    let next = next_word(text, at);
    let begins = || {
        let front = text.get(..at).unwrap_or_default();
        let last = front.trim_end().chars().next_back();
        last.is_none_or(|c| ".!?:;。".contains(c)) || front.ends_with('\n')
    };
    match letter {
        "a" => !next.is_empty(),
        "A" => !next.is_empty() && begins() && !says_of_it(next) && !is_verb(next),
        _ => false,
    }
}

/// The word after a letter and a space.
fn next_word(text: &str, at: usize) -> &str {
    let rest = text.get(at + 1..).and_then(|rest| rest.strip_prefix(' '));
    let rest = rest.unwrap_or_default();
    let end = rest.find(|c: char| !c.is_alphanumeric());
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}

fn says_of_it(next: &str) -> bool {
    verbs().has(&next.to_lowercase())
}

/// Whether a word after a capital A is its verb, as in *A describes*: what follows the
/// article is singular.
fn is_verb(word: &str) -> bool {
    const SINGULAR: [&str; 5] = ["ss", "us", "is", "as", "os"];
    word.ends_with('s') && !SINGULAR.iter().any(|end| word.ends_with(end))
}

/// A letter beside a script without spaces: `选项B`, `答案是B`.
fn has_unspaced(text: &str) -> bool {
    let mut before = ' ';
    let unspaced = |c: char| is_unspaced(c.encode_utf8(&mut [0; 4]));
    text.chars().any(|c| {
        let touches = c.is_ascii_alphabetic() && unspaced(before)
            || unspaced(c) && before.is_ascii_alphabetic();
        before = c;
        touches
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_certain_after_words_for_options_and_doubtful_otherwise() {
        let certain = |places: &[(usize, usize)]| {
            let places = places.iter().map(|(at, index)| (*at..*at + 1, *index));
            Letters::Certain(places.collect())
        };
        for (text, expected) in [
            ("Rome has been the capital since 1871.", certain(&[])),
            ("A vein is cut. It is a vessel.", certain(&[])),
            ("The answer is B.", certain(&[(14, 1)])),
            ("Ans. (c) i.e. Rome", certain(&[(6, 2)])),
            ("Option A is wrong.", certain(&[(7, 0)])),
            ("Options A and C are wrong.", certain(&[(8, 0), (14, 2)])),
            ("Antwort B ist richtig.", certain(&[(8, 1)])),
            ("Vitamin C is needed.", certain(&[])),
            ("To answer a question, read it.", Letters::Doubtful),
            ("The answer is a drug.", Letters::Doubtful),
            ("Option B or a drug", certain(&[(7, 1)])),
            ("Правильный ответ: Б.", Letters::Doubtful),
            ("Ответ дан в тексте.", certain(&[])),
            ("B is correct.", Letters::Doubtful),
            ("It cannot be (b), because.", Letters::Doubtful),
            (
                "A is correct because it thins the blood.",
                Letters::Doubtful,
            ),
            ("A ist richtig.", Letters::Doubtful),
            (
                "It is late. A describes the wrong nerve.",
                Letters::Doubtful,
            ),
            ("b is wrong", Letters::Doubtful),
            ("The nerve is cut: A causes pain.", Letters::Doubtful),
            ("A previous stroke and a virus.", certain(&[])),
            ("Options C and A are wrong.", certain(&[(8, 2), (14, 0)])),
            ("Choose D", Letters::Doubtful),
            ("Option 2 is right.", Letters::Doubtful),
            ("The first option is right.", Letters::Doubtful),
            ("Choice (ii) is right.", Letters::Doubtful),
            ("选项B是正确的", Letters::Doubtful),
            ("Hepatitis B and C", Letters::Doubtful),
        ] {
            assert_eq!(letters(text, 4), expected, "{text}");
        }
    }
}
