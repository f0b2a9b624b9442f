//! Helpers for words that several card checks share: words and stems of a text,
//! similarity of texts, numbers, lists for messages. Knows nothing of templates.

use std::collections::BTreeMap;
use std::ops::Range;

use redraft_text::language::Language;
use redraft_text::stems;
use redraft_text::words::words;

/// The words of a text in lower case.
pub(crate) fn lower_words(text: &str) -> Vec<String> {
    words(text).map(|(_, word)| word.to_lowercase()).collect()
}

/// The stems of the words of an English text.
pub(crate) fn stems(text: &str) -> Vec<String> {
    words(text)
        .map(|(_, word)| {
            stems::stem(word, &Language::EN).map_or_else(|| word.to_lowercase(), Into::into)
        })
        .collect()
}

/// Whether the words of a phrase occur one after the other; both in lower case.
pub(crate) fn has_phrase(words: &[String], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words
        .windows(phrase.len())
        .any(|window| window.iter().eq(phrase.iter()))
}

/// The share of words that two texts have in common (Dice); repeated words count
/// each time.
pub(crate) fn similarity(a: &str, b: &str) -> f64 {
    Bag::of(a).similarity(&Bag::of(b))
}

/// The words of a text with their counts, to compare many texts.
#[derive(Debug, Default)]
pub(crate) struct Bag {
    counts: BTreeMap<String, usize>,
    words: usize,
}

impl Bag {
    pub(crate) fn of(text: &str) -> Self {
        let mut bag = Self::default();
        for word in lower_words(text) {
            *bag.counts.entry(word).or_default() += 1;
            bag.words += 1;
        }
        bag
    }

    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// See [`similarity`]. Takes time in proportion to the shorter text.
    pub(crate) fn similarity(&self, other: &Self) -> f64 {
        if self.counts.len() > other.counts.len() {
            return other.similarity(self);
        }
        let common: usize = self
            .counts
            .iter()
            .map(|(word, count)| {
                other
                    .counts
                    .get(word)
                    .map_or(0, |others| *count.min(others))
            })
            .sum();
        #[expect(clippy::cast_precision_loss, reason = "texts have few words")]
        let share = 2.0 * common as f64 / (self.words + other.words).max(1) as f64;
        share
    }
}

/// The last word of a text in lower case, found from its end.
pub(crate) fn last_word(text: &str) -> String {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    text.rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default()
        .to_lowercase()
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Number {
    pub range: Range<usize>,
    pub value: f64,
}

/// The numbers of a text as authors write them: `12`, `1,200`, `0.125`. Digits
/// inside a word (`card_001`) do not count.
pub(crate) fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || (matches!(bytes[at], b'.' | b',')
                    && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
        {
            at += 1;
        }
        let joined = start > 0 && matches!(bytes[start - 1], b'_' | b'a'..=b'z' | b'A'..=b'Z');
        let written = text.get(start..at).unwrap_or_default().replace(',', "");
        if let (false, Ok(value)) = (joined, written.parse()) {
            numbers.push(Number {
                range: start..at,
                value,
            });
        }
    }
    numbers
}

/// A list for messages: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [rest @ .., last] => {
            let rest: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", rest.join(", "), last.as_ref())
        }
    }
}

/// A list for messages, with each item in quotation marks.
pub(crate) fn quoted<S: AsRef<str>>(items: &[S]) -> String {
    let quoted: Vec<String> = items
        .iter()
        .map(|item| format!("“{}”", item.as_ref()))
        .collect();
    listed(&quoted)
}

/// A count with its noun: `1 card`, `5 cards`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The beginning of a text, for a message that quotes it.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    let text = text.trim();
    let line = text.lines().next().unwrap_or_default();
    let cut = line
        .get(..line.floor_char_boundary(LONGEST))
        .unwrap_or(line);
    if cut.len() == text.len() {
        return cut.to_owned();
    }
    let whole_words = match cut.rfind(' ') {
        Some(at) if cut.len() < line.len() => cut.get(..at).unwrap_or(cut),
        _ => cut,
    };
    format!("{} …", whole_words.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_the_share_of_common_words() {
        for (a, b, least, most) in [
            ("Divide by four", "divide by four.", 1.0, 1.0),
            ("Divide by four", "Divide by five", 0.6, 0.7),
            ("a a", "a b", 0.5, 0.5),
            ("", "", 0.0, 0.0),
            ("cat", "dog", 0.0, 0.0),
        ] {
            let share = similarity(a, b);
            assert!((least..=most).contains(&share), "{a} {b} {share}");
        }
    }

    #[test]
    fn numbers_are_read_as_authors_write_them() {
        let values = |text: &str| -> Vec<f64> {
            numbers(text)
                .into_iter()
                .map(|number| number.value)
                .collect()
        };
        assert_eq!(values("£1,200.50 and 3 of 4."), [1200.5, 3.0, 4.0]);
        assert_eq!(values("card_001, Q2, 1/4"), [1.0, 4.0]);
        assert!(values("none. ,").is_empty());
    }

    #[test]
    fn lists_and_excerpts_are_written_for_messages() {
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(quoted(&["O1"]), "“O1”");
        assert_eq!(
            (counted(1, "card"), counted(5, "card")),
            ("1 card".into(), "5 cards".into())
        );
        assert_eq!(
            excerpt("A sentence that is rather long and has to be cut somewhere before it ends"),
            "A sentence that is rather long and has to be cut somewhere …"
        );
        assert_eq!(excerpt("first line\nsecond"), "first line …");
    }
}
