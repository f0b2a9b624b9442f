//! Words of stems and options: phrases, quantities, comparison of texts. It knows
//! nothing of items and rules.

use std::ops::Range;

/// The words of a text: runs of letters, digits, apostrophes and hyphens.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’' || c == '-'))
        .map(|word| word.trim_matches(['-', '\'', '’']))
        .filter(|word| !word.is_empty())
}

/// Where a phrase occurs in a text as whole words, in any case. The phrase is in
/// lower case.
pub(super) fn find_phrase(text: &str, phrase: &str) -> Option<Range<usize>> {
    let (haystack, needle) = (text.as_bytes(), phrase.as_bytes());
    let first = *needle.first()?;
    if haystack.len() < needle.len() {
        return None;
    }
    let starts = haystack.get(..=haystack.len() - needle.len())?;
    memchr::memchr2_iter(first, first.to_ascii_uppercase(), starts).find_map(|at| {
        let found = haystack[at..at + needle.len()].eq_ignore_ascii_case(needle)
            && !is_inner(text, at)
            && !is_inner(text, at + needle.len());
        found.then_some(at..at + needle.len())
    })
}

/// Where the first of several phrases occurs that occurs at all. Most do not, and
/// the initials of the words rule them out.
pub(super) fn find_any(text: &str, phrases: &[String]) -> Option<Range<usize>> {
    let mut initials = 0_u128;
    let mut before = b' ';
    for byte in text.bytes() {
        if !before.is_ascii_alphanumeric() {
            initials |= 1 << (byte.to_ascii_lowercase() & 0x7f);
        }
        before = byte;
    }
    phrases
        .iter()
        .filter(|phrase| {
            let first = phrase.as_bytes().first().copied().unwrap_or_default();
            initials & (1 << (first & 0x7f)) != 0
        })
        .find_map(|phrase| find_phrase(text, phrase))
}

/// Whether there are letters or digits on both sides of an offset.
fn is_inner(text: &str, at: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else {
        return true;
    };
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    is_letter(before.chars().next_back()) && is_letter(after.chars().next())
}

/// The last sentence of a text that asks something: what follows the last
/// full stop, question mark or line break that is followed by more.
pub(super) fn last_sentence(text: &str) -> Range<usize> {
    let end = text.trim_end().len();
    let body = text.get(..end).unwrap_or_default();
    let mut start = 0;
    let bytes = body.as_bytes();
    // A sentence has two words at least; this is where the last two begin.
    let last_two = body
        .rsplit(char::is_whitespace)
        .filter(|word| word.contains(char::is_alphanumeric))
        .nth(1)
        .map_or(0, |word| word.as_ptr().addr() - body.as_ptr().addr());
    for (at, byte) in bytes.iter().enumerate() {
        let breaks = match byte {
            b'\n' => true,
            b'.' | b'?' | b'!' => {
                let spaced = bytes.get(at + 1).is_some_and(u8::is_ascii_whitespace);
                let goes_on = body
                    .get(at + 1..)
                    .is_some_and(|rest| rest.trim_start().starts_with(char::is_uppercase));
                // `e.g. `, `Dr. `, `1. ` end no sentence.
                let word = bytes[..at]
                    .iter()
                    .rev()
                    .take_while(|byte| byte.is_ascii_alphanumeric())
                    .count();
                spaced && goes_on && (word > 2 || *byte != b'.')
            }
            _ => false,
        };
        if breaks && at < last_two {
            start = at + 1;
        }
    }
    let skipped = body
        .get(start..)
        .map_or(0, |rest| rest.len() - rest.trim_start().len());
    start + skipped..end
}

/// Whether a text has at least so many words, separated by white space; reads no
/// further than needed.
pub(crate) fn has_words(text: &str, number: usize) -> bool {
    number == 0
        || text
            .split_whitespace()
            .filter(|word| word.contains(char::is_alphanumeric))
            .nth(number - 1)
            .is_some()
}

/// The blank in a stem: underscores, a run of dots, `<blank>`.
pub(super) fn blank(text: &str) -> Option<Range<usize>> {
    for named in ["<blank>", "[blank]", "(blank)"] {
        if let Some(at) = text.find(named) {
            return Some(at..at + named.len());
        }
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let run = bytes[at..].iter().take_while(|next| *next == byte).count();
        let is_blank = match byte {
            b'_' => run >= 3,
            // Three dots are an ellipsis.
            b'.' => run >= 4,
            _ => false,
        };
        if is_blank {
            return Some(at..at + run);
        }
        at += run;
    }
    None
}

/// A text as it is compared: lower case, single spaces, no closing full stop.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        if word.is_ascii() {
            let start = plain.len();
            plain.push_str(word);
            plain[start..].make_ascii_lowercase();
        } else {
            plain.extend(word.chars().flat_map(char::to_lowercase));
        }
    }
    plain.truncate(plain.trim_end_matches(['.', ';', ',']).len());
    plain
}

/// The start of a text, for a message.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let text = text.trim();
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((at, _)) => {
            let cut = text.get(..at).unwrap_or_default();
            let words = cut.rsplit_once(' ').map_or(cut, |(words, _)| words);
            format!("{words}…")
        }
    }
}

pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// What an option says where it is nothing but a number or a span of numbers
/// with a unit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity<'a> {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Everything that is not a number.
    pub(super) unit: Vec<&'a str>,
}

impl Quantity<'_> {
    /// Whether it is one number and no span.
    #[expect(clippy::float_cmp, reason = "both are the same number read once")]
    pub(super) fn is_point(&self) -> bool {
        self.low == self.high
    }
}

/// Reads an option that is a quantity: `5 mg`, `10-20%`, `< 3`, `more than 2
/// weeks`.
pub(super) fn quantity(text: &str) -> Option<Quantity<'_>> {
    let text = text.trim().trim_end_matches('.');
    if text.len() > 40 {
        return None;
    }
    let mut numbers: Vec<f64> = Vec::new();
    let mut spanned = false;
    let mut unit = Vec::new();
    let mut bound = Bound::None;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next()?;
        if first.is_ascii_digit() {
            let (number, length) = number(rest)?;
            numbers.push(number);
            at += length;
        } else if first.is_alphabetic() || first == '%' || first == '°' {
            let length = rest
                .find(|c: char| {
                    !(c.is_alphabetic() || matches!(c, '%' | '°' | '/' | '²' | '³' | '^'))
                })
                .unwrap_or(rest.len());
            let word = rest.get(..length)?;
            match Bound::of(word) {
                Some(Bound::None) => spanned |= !numbers.is_empty(),
                Some(found) => bound = found,
                // `IL-6` and `15th` are names.
                None if numbers.is_empty() || matches!(word, "st" | "nd" | "rd" | "th") => {
                    return None;
                }
                None => unit.push(word),
            }
            at += length;
        } else {
            match first {
                '<' | '≤' => bound = Bound::Below,
                '>' | '≥' => bound = Bound::Above,
                '-' | '–' | '—' | '~' => spanned |= !numbers.is_empty(),
                ' ' | ',' | '=' | '(' | ')' | '\u{a0}' => {}
                _ => return None,
            }
            at += first.len_utf8();
        }
    }
    let negative = text.starts_with(['-', '−']) && numbers.len() == 1;
    if unit.len() > 3 || negative {
        return None;
    }
    let (low, high) = match (numbers.as_slice(), bound) {
        ([low, high], Bound::None) if low < high && spanned => (*low, *high),
        ([only], Bound::None) => (*only, *only),
        ([only], Bound::Below) => (f64::NEG_INFINITY, *only),
        ([only], Bound::Above) => (*only, f64::INFINITY),
        _ => return None,
    };
    Some(Quantity { low, high, unit })
}

#[derive(Clone, Copy, PartialEq)]
enum Bound {
    None,
    Below,
    Above,
}

impl Bound {
    /// What a word says about the number beside it; `None` for a unit.
    fn of(word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        Some(match word.as_str() {
            "less" | "below" | "under" | "upto" => Self::Below,
            "more" | "above" | "over" | "greater" | "beyond" => Self::Above,
            "than" | "to" | "and" | "between" | "about" | "approximately" => Self::None,
            _ => return None,
        })
    }
}

/// The number that a text begins with, and how long it is. A comma parts
/// thousands.
fn number(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut length = 0;
    let mut digits = String::new();
    while let Some(byte) = bytes.get(length) {
        let thousands =
            *byte == b',' && (1..=3).all(|ahead| is_digit(length + ahead)) && !is_digit(length + 4);
        match byte {
            b'0'..=b'9' => digits.push(char::from(*byte)),
            b'.' if is_digit(length + 1) && !digits.contains('.') => digits.push('.'),
            b',' if thousands => {}
            _ => break,
        }
        length += 1;
    }
    digits.parse().ok().map(|number| (number, length))
}

/// Whether an option is a combination of others: “Both A and B”, “i and iii only”.
pub(super) fn combines(option: &str) -> bool {
    if option.is_empty() || option.len() > 40 {
        return false;
    }
    let (mut labels, mut joined) = (0, false);
    let words = option.split(|c: char| {
        c.is_whitespace() || matches!(c, ',' | '&' | '+' | '.' | '(' | ')' | ';' | '/')
    });
    for word in words.filter(|word| !word.is_empty()) {
        let lower = word.to_ascii_lowercase();
        match lower.as_str() {
            "and" | "only" | "alone" | "are" | "correct" | "options" | "or" => {
                joined |= lower == "and";
            }
            "both" | "all" => joined = true,
            "a" | "b" | "c" | "d" | "e" | "f" | "i" | "ii" | "iii" | "iv" | "v" | "1" | "2"
            | "3" | "4" | "5" | "6" => labels += 1,
            _ => return false,
        }
    }
    joined |= option.contains(['&', ',', '+']);
    labels >= 2 && joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_as_whole_words() {
        for (text, phrase, expected) in [
            ("All of the Above", "all of the above", true),
            ("Overall of the above", "all of the above", false),
            ("It is never so", "never", true),
            ("Nevertheless", "never", false),
            ("never", "never", true),
            ("", "never", false),
            ("ünever", "never", false),
        ] {
            assert_eq!(find_phrase(text, phrase).is_some(), expected, "{text}");
        }
    }

    #[test]
    fn the_last_sentence_asks() {
        for (text, expected) in [
            ("A man coughs. What is it?", "What is it?"),
            (
                "Given 2.5 mg of i.v. drug, what happens?",
                "Given 2.5 mg of i.v. drug, what happens?",
            ),
            ("All are true except:", "All are true except:"),
            ("He has E. coli sepsis. Treat with", "Treat with"),
            ("Which one? ", "Which one?"),
            ("", ""),
        ] {
            assert_eq!(&text[last_sentence(text)], expected, "{text}");
        }
    }

    #[test]
    fn quantities_are_read_with_their_bounds_and_units() {
        let infinity = f64::INFINITY;
        for (text, expected) in [
            ("5 mg", Some((5.0, 5.0, vec!["mg"]))),
            ("10-20%", Some((10.0, 20.0, vec!["%"]))),
            ("10 to 20 weeks", Some((10.0, 20.0, vec!["weeks"]))),
            ("< 3", Some((-infinity, 3.0, vec![]))),
            ("More than 2 weeks", Some((2.0, infinity, vec!["weeks"]))),
            ("1,500 mL", Some((1500.0, 1500.0, vec!["mL"]))),
            ("0.5", Some((0.5, 0.5, vec![]))),
            ("T4 level", None),
            ("15th April 1987", None),
            ("IL-6", None),
            ("5 of 10", None),
            ("Aspirin", None),
            ("1:4", None),
            ("20-10", None),
        ] {
            let read = quantity(text).map(|quantity| (quantity.low, quantity.high, quantity.unit));
            assert_eq!(read, expected, "{text}");
        }
    }
}
