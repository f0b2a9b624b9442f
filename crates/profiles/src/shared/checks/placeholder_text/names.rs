//! Names of what is missing: the words that placeholders are made of, in brackets or
//! alone, the names of variables, and numbers that were to be filled in.

use std::ops::Range;
use std::sync::LazyLock;

use redraft_text::light_regex::{Regex, regex};

use super::forms::is_constant;

/// Whether every word in the brackets is one that names or asks for a part of a text
/// ("Здесь добавить определение"), whatever their order.
pub(super) fn is_vocabulary(inner: &str) -> bool {
    static WORDS: LazyLock<Vec<Vocabulary>> = LazyLock::new(|| {
        let files = super::LIST.files().iter();
        files
            .map(|file| Vocabulary {
                telling: file.words("words").collect(),
                joining: file.words("joining words").collect(),
            })
            .collect()
    });
    const MOST: usize = 12;
    let lower = inner.to_lowercase().replace(['_', '-'], " ");
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !word.bytes().all(|byte| byte.is_ascii_digit()))
        .collect();
    (1..=MOST).contains(&words.len())
        && WORDS.iter().any(|vocabulary| vocabulary.covers(&words))
}

/// “Insert diagram here”, “Sample explanation”: a short block of nothing but words of a
/// placeholder, one of which says that something else comes here.
pub(super) fn is_bare_order(text: &str) -> bool {
    static MARKS: LazyLock<Vec<(Vec<&'static str>, Vec<&'static str>)>> = LazyLock::new(|| {
        let files = super::LIST.files().iter();
        files
            .map(|file| (file.words("marks").collect(), file.words("learner's").collect()))
            .collect()
    });
    const MOST: usize = 7;
    fn words(text: &str) -> impl Iterator<Item = &str> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words.filter(|word| !word.is_empty())
    }
    // Most blocks are longer: their words need no comparing.
    if words(text).nth(MOST).is_some() || text.contains(['“', '"', '«', '„', '`']) {
        return false;
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = words(&lower).take(MOST + 1).collect();
    if !(2..=MOST).contains(&words.len()) {
        return false;
    }
    let is_marked = MARKS.iter().any(|(marks, learners)| {
        let has = |list: &[&str]| words.iter().any(|word| list.iter().any(|part| fits(part, word)));
        has(marks) && !has(learners)
    });
    is_marked && is_vocabulary(text)
}

/// Whether brackets in a sentence hold the name of what is missing: `[Course name]`,
/// `[author, year]`.
pub(super) fn is_slot(inner: &str) -> bool {
    static SLOTS: LazyLock<Vec<(Vocabulary, Vec<&'static str>)>> = LazyLock::new(|| {
        let files = super::LIST.files().iter();
        files
            .map(|file| {
                let vocabulary = Vocabulary {
                    telling: file.words("slots").collect(),
                    joining: file.words("slot joining words").collect(),
                };
                (vocabulary, file.words("slot labels").collect())
            })
            .collect()
    });
    const MOST: usize = 6;
    let lower = inner.to_lowercase().replace(['_', '-'], " ");
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_plain = inner
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, ' ' | ',' | '/' | '_' | '-' | '\'' | '’'));
    let is_named = |(vocabulary, labels): &(Vocabulary, Vec<&'static str>)| {
        let is_slot = |word: &&str| vocabulary.telling.iter().any(|part| fits(part, word));
        let is_joining = |word: &&str| vocabulary.joining.iter().any(|part| fits(part, word));
        let is_label = |word: &&str| labels.iter().any(|part| fits(part, word));
        let is_all = words.iter().all(|word| is_slot(word) || is_joining(word));
        let is_lone_label = words.len() == 1 && words.iter().any(is_label);
        is_all && words.iter().any(is_slot) && !is_lone_label
    };
    is_plain && (1..=MOST).contains(&words.len()) && SLOTS.iter().any(is_named)
}

/// `[step 1]`: without its number the name of what is missing. Alone it may be a label.
pub(super) fn is_counted_slot(inner: &str) -> bool {
    let name = inner.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    // Twice, because a label that stands alone is none.
    name.len() < inner.len() && is_slot(&format!("{name}, {name}"))
}

/// What stands for a number after a word that a number follows: “see Figure XX”, “p. ??”,
/// “section X.X”.
pub(super) fn missing_numbers(block: &str) -> Vec<Range<usize>> {
    static NUMBERED: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let files = super::LIST.files().iter();
        files.flat_map(|file| file.words("numbered")).collect()
    });
    let mut found = Vec::new();
    let mut at = 0;
    let is_sign = |c: char| matches!(c, 'X' | '#' | '?' | '？');
    while let Some(start) = block.get(at..).and_then(|rest| rest.find(is_sign)) {
        let start = at + start;
        let rest = block.get(start..).unwrap_or_default();
        let signs = rest.find(|c: char| !is_sign(c) && c != '.').unwrap_or(rest.len());
        let signs = rest.get(..signs).unwrap_or_default().trim_end_matches('.');
        let end = start + signs.len().max(1);
        at = end;
        let before = block.get(..start).unwrap_or_default();
        let stem = before.trim_end_matches([' ', '.', '\u{a0}']);
        let word = stem
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let next = block.get(end..).and_then(|rest| rest.chars().next());
        let is_free = next.is_none_or(|c| !c.is_ascii_alphanumeric());
        // “这是什么图？？” ends a question.
        let is_question = signs.starts_with('？') && !next.is_some_and(char::is_alphabetic);
        let is_number = signs.chars().count() > 1 && !signs.contains("..") && is_free && !is_question;
        let follows = NUMBERED.iter().any(|known| {
            let is_apart = stem.len() < before.len();
            (is_apart && *known == word) || (!known.is_ascii() && word.ends_with(known))
        });
        if is_number && follows && !word.is_empty() {
            found.push(start..end);
        }
    }
    found
}

/// Signs for a value that is missing, wherever they stand: `XX mg`, `19XX`, ` ??? `, `XXXX`,
/// `a XX-year-old`.
pub(super) static VALUES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?:^|[\s(])((?:[Xx]{2,}\s?(?:%|mg|µg|ml|mL|kg|km|cm|mm|°C|°|€|£|\$)|(?:1[0-9]|20)XX|X{4,}|(?:Х){4,}|(?:X|Х){2,}(?:-year-old|-jährig[a-z]*| years old| años| лет|岁)|\?{3,}|\?\?\s?(?:%|mg|ml|kg))(?:[\s.,;:!)]|$))",
    )
    .ok()
});

/// A name that a program was to replace: `%TOPIC%`, `@@name@@`, `INSERT_TEXT_HERE`.
pub(super) fn program_names(block: &str) -> Vec<Range<usize>> {
    const ORDERS: [&str; 7] = ["INSERT", "YOUR", "HERE", "PLACEHOLDER", "TODO", "TBD", "FIXME"];
    let mut found = Vec::new();
    let mut at = 0;
    for part in block.split_inclusive(char::is_whitespace) {
        let start = at;
        at += part.len();
        let word = part.trim_matches(|c: char| c.is_whitespace() || ".,;:!?()\"'".contains(c));
        let offset = part.find(word).unwrap_or_default();
        let framed = ["%", "@@", "##"].iter().any(|sign| {
            let inner = word.strip_prefix(sign).and_then(|rest| rest.strip_suffix(sign));
            inner.is_some_and(is_constant)
        });
        let is_order = is_constant(word)
            && word.contains('_')
            && word.split('_').any(|piece| ORDERS.contains(&piece));
        let is_variable = ["${", "#{"].iter().any(|open| {
            let inner = word.strip_prefix(open).and_then(|rest| rest.strip_suffix('}'));
            inner.is_some_and(is_variable)
        });
        if framed || is_order || is_variable {
            found.push(start + offset..start + offset + word.len());
        }
    }
    found
}

/// The words of placeholders in a language.
struct Vocabulary {
    telling: Vec<&'static str>,
    joining: Vec<&'static str>,
}

impl Vocabulary {
    /// A single word may be a label or a key ("[Text]", "[Enter]").
    fn covers(&self, words: &[&str]) -> bool {
        const FEWEST: usize = 2;
        let is_telling = |word: &&&str| self.telling.iter().any(|part| fits(part, word));
        let is_joining = |word: &&str| self.joining.iter().any(|part| fits(part, word));
        words.iter().filter(is_telling).count() >= FEWEST
            && words
                .iter()
                .all(|word| is_telling(&word) || is_joining(word))
    }
}

/// A word, or a stem with `*` for any ending or beginning.
pub(super) fn fits(part: &str, word: &str) -> bool {
    if let Some(end) = part.strip_prefix('*') {
        return word.ends_with(end);
    }
    match part.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => word == part,
    }
}

/// The name of a variable: at least three letters, no formula and no file name.
pub(super) fn is_variable(inner: &str) -> bool {
    // "the text between {{ and }}"
    const JOINERS: [&str; 6] = ["and", "und", "oder", "или", "any", "the"];
    // Without a filter (`content | safe`).
    let inner = inner.split(" | ").next().unwrap_or_default().trim();
    if JOINERS.contains(&inner) {
        return false;
    }
    let letters = inner.chars().filter(|c| c.is_alphabetic()).count();
    let wide = !inner.is_ascii();
    (letters >= 3 || (wide && letters >= 2))
        && inner
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && !inner.ends_with('.')
        && inner.starts_with(char::is_alphabetic)
}
