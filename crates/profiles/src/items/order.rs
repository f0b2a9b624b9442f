//! Whether the place of an option matters: options that speak of others, scales and series,
//! numbers, an alphabetical list. And the letters by which a text names options. The words
//! are data (`option_order` of the phrase lists). In doubt the place matters.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

use redraft_text::phrases::{PhraseList, is_unspaced};

use super::checks::complex_item_type::combines;
use super::model::ItemView;
use super::wording;

static LIST: PhraseList = PhraseList::new(
    "option_order",
    &["refers", "scale", "option", "and", "ordinal"],
);

/// The words of a section in all languages.
#[derive(Debug)]
struct Words {
    whole: HashSet<&'static str>,
    /// Words of scripts without spaces, which stand anywhere.
    anywhere: Vec<&'static str>,
}

impl Words {
    fn of(section: &'static str) -> Self {
        let words = || LIST.files().iter().flat_map(|file| file.words(section));
        Self {
            whole: words().filter(|word| !is_unspaced(word)).collect(),
            anywhere: words().filter(|word| is_unspaced(word)).collect(),
        }
    }

    fn has(&self, word: &str) -> bool {
        self.whole.contains(word)
    }

    fn are_in(&self, lower: &str) -> bool {
        wording::words(lower).any(|word| self.has(word))
            || self.anywhere.iter().any(|word| lower.contains(word))
    }
}

macro_rules! section {
    ($name:ident, $section:literal) => {
        fn $name() -> &'static Words {
            static WORDS: OnceLock<Words> = OnceLock::new();
            WORDS.get_or_init(|| Words::of($section))
        }
    };
}

section!(referring, "refers");
section!(scales, "scale");
section!(options, "option");
section!(joining, "and");
section!(ordinals, "ordinal");

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
    if view.option_texts().any(combines) || lower.iter().any(|text| referring().are_in(text)) {
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
            let named = direct || is_copula(&previous) && options().has(&before[0].to_lowercase());
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
        let counts = ordinals().has(&previous) && options().has(&lower);
        let is_number = options().has(&previous) && word.bytes().all(|byte| byte.is_ascii_digit());
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

/// `The answer is B`, `Antwort ist B`.
fn is_copula(word: &str) -> bool {
    matches!(
        word,
        "is" | "was" | "ist" | "es" | "est" | "é" | "это" | "correct" | "no"
    )
}

/// Whether a single letter may be the name of an option. The article is not, and neither is
/// a letter after words such as *vitamin*.
fn is_doubtful(text: &str, at: usize, word: &str, previous: &str) -> bool {
    const BEFORE: &[&str] = &[
        "vitamin",
        "vitamins",
        "hepatitis",
        "type",
        "group",
        "factor",
        "class",
        "grade",
        "stage",
        "protein",
        "virus",
        "influenza",
        "coenzyme",
        "blood",
        "complement",
        "point",
        "wave",
    ];
    let after = text.get(at + 1..).unwrap_or_default();
    let front = text.get(..at).unwrap_or_default().chars().next_back();
    let is_marked = matches!(front, Some('(' | '[' | '"' | '\'' | '‘' | '“' | '*'))
        || after.starts_with([')', ']', '"', '\'', '’', '”', ':', '*']);
    is_marked || is_upper(word) && !is_article(text, at) && !BEFORE.contains(&previous)
}

fn is_upper(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether a letter may be the article: an A before another word.
fn is_article(text: &str, at: usize) -> bool {
    let mut rest = text.get(at..).unwrap_or_default().chars();
    let is_a = rest.next().is_some_and(|c| c.eq_ignore_ascii_case(&'a'));
    is_a && rest.next() == Some(' ') && rest.next().is_some_and(char::is_alphanumeric)
}

/// A letter beside a script without spaces: `选项B`, `答案是B`.
fn has_unspaced(text: &str) -> bool {
    let mut before = ' ';
    let is_unspaced = |c: char| ('\u{2e80}'..='\u{9fff}').contains(&c);
    text.chars().any(|c| {
        let touches = c.is_ascii_alphabetic() && is_unspaced(before)
            || is_unspaced(c) && before.is_ascii_alphabetic();
        before = c;
        touches
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_every_language_hold() {
        assert_eq!(LIST.faults(), [""; 0]);
        let wrong =
            LIST.wrong_examples("refers", |_, text| referring().are_in(&text.to_lowercase()));
        assert_eq!(wrong, [""; 0]);
    }

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
            ("B is correct.", Letters::Doubtful),
            ("It cannot be (b), because.", Letters::Doubtful),
            ("Choose D", Letters::Doubtful),
            ("Option 2 is right.", Letters::Doubtful),
            ("The first option is right.", Letters::Doubtful),
            ("选项B是正确的", Letters::Doubtful),
            ("Hepatitis B and C", Letters::Doubtful),
        ] {
            assert_eq!(letters(text, 4), expected, "{text}");
        }
    }
}
