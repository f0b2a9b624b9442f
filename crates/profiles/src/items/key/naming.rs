//! Which option a key names, as people write it: by its label, the name of its field, its words,
//! or the letter of its position. Knows no JSON.

use redraft_text::phrases::is_unspaced;

use super::Labelled;
use crate::items::labels;
use crate::items::letters::is_letter;
use crate::items::model::Key;
use crate::items::names;

/// `choice_b`, `Option 2`: the whole label, as it stands.
pub(super) fn by_whole_label(key: &str, options: &[Labelled<'_>]) -> Option<Key> {
    let is_long = key.chars().nth(LONGEST_LABEL).is_some();
    if is_long || options.iter().all(|option| option.label.is_none()) {
        return None;
    }
    let key = names::plain(&labels::folded(key));
    let same = |label: &str| names::plain(&labels::folded(label)) == key;
    one(options, &|option| option.label.is_some_and(same))
}

/// The most characters of a label that is compared as a whole.
const LONGEST_LABEL: usize = 80;

pub(super) fn by_label(bare: &str, options: &[Labelled<'_>]) -> Option<Key> {
    let bare = labels::folded(bare);
    let own = one(options, &|option| {
        let label = option.label.or(option.printed);
        label.is_some_and(|label| labels::folded(label) == bare)
    });
    own.or_else(|| {
        let given: Option<Vec<&str>> = options.iter().map(|option| option.label).collect();
        let ends = labels::ends(&given?)?;
        let mut found = (0..ends.len()).filter(|index| ends[*index] == bare);
        found.next().map(at)
    })
}

/// `opb`, `option_2`: the name of the option's field.
pub(super) fn by_name(key: &str, options: &[Labelled<'_>]) -> Option<Key> {
    if key.len() > 40 || options.iter().all(|option| option.name.is_none()) {
        return None;
    }
    let key = names::plain(key);
    one(options, &|option| {
        option.name.is_some_and(|name| names::plain(name) == key)
    })
}

/// The option at the position of a letter; options with other letters have no positions.
pub(super) fn by_position(bare: &str, options: &[Labelled<'_>]) -> Option<Key> {
    let bare = labels::folded(bare);
    let is_lettered = |label: &str| is_letter(&labels::folded(label)) || !label.is_ascii();
    let labelled = options
        .iter()
        .any(|option| option.label.or(option.printed).is_some_and(is_lettered));
    let position = match bare.bytes().next().filter(|_| is_letter(&bare)) {
        Some(letter) => usize::from(letter.to_ascii_lowercase() - b'a'),
        None => {
            let texts: Vec<&str> = options.iter().map(|option| option.text).collect();
            labels::position(&bare, &texts).filter(|_| !labelled)?
        }
    };
    Some(if position >= options.len() || labelled {
        Key::Unknown
    } else if options.iter().any(|option| option.unordered)
        || are_numbered_otherwise(options)
        || [
            &last_letter as &dyn Fn(&str) -> Option<String>,
            &first_letter,
        ]
        .iter()
        .filter_map(|letter| within(&bare, options, *letter))
        .any(|named| named != at(position))
    {
        Key::Ambiguous
    } else {
        at(position)
    })
}

/// The option that has a label in its text, where each option has its own: the letter of
/// *Hepatitis B* among other kinds, the number of *Stage 3* among other stages.
pub(super) fn within(
    label: &str,
    options: &[Labelled<'_>],
    of: &dyn Fn(&str) -> Option<String>,
) -> Option<Key> {
    let labels: Option<Vec<String>> = options.iter().map(|option| of(option.words)).collect();
    let labels = labels?;
    let mut named = (0..labels.len()).filter(|index| labels[*index] == label);
    named.next().map(at)
}

/// The letter that is the last word of several.
fn last_letter(text: &str) -> Option<String> {
    let mut words = text.split_whitespace().rev();
    let last = words.next()?;
    (is_letter(last) && words.next().is_some()).then(|| last.to_lowercase())
}

/// The letter with a full stop or a bracket at the beginning of a text: “E. coli”.
fn first_letter(text: &str) -> Option<String> {
    let mut chars = text.trim_start_matches(['(', '[']).chars();
    let first = chars.next().filter(char::is_ascii_alphabetic)?;
    let is_label = chars
        .next()
        .is_some_and(|c| matches!(c, '.' | ')' | ':' | ']'));
    is_label.then(|| first.to_ascii_lowercase().to_string())
}

/// The only number in a text that has more to say.
pub(super) fn only_number(text: &str) -> Option<String> {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| !run.is_empty());
    let (number, next) = (numbers.next()?, numbers.next());
    (next.is_none() && text.contains(char::is_alphabetic)).then(|| number.to_owned())
}

/// Whether the options have numbers that do not rise, so that a letter may be no position.
fn are_numbered_otherwise(options: &[Labelled<'_>]) -> bool {
    let number = |option: &Labelled<'_>| option.id.or_else(|| option.label?.trim().parse().ok());
    let numbers: Option<Vec<i64>> = options.iter().map(number).collect();
    numbers.is_some_and(|numbers| !numbers.is_sorted())
}

/// `B. Aspirin`, `B) Aspirin, which thins the blood`: the letter and the text must agree. A
/// letter before other words may be no label (“E. coli infection”).
pub(super) fn letter_and_text(key: &str, options: &[Labelled<'_>]) -> Option<Key> {
    let is_end = |c: char| labels::AFTER_LABEL.contains(&c) || matches!(c, '-' | '–' | '—');
    let Some((letter, words)) = key.split_once(is_end) else {
        return letter_before_text(key, options);
    };
    let letter = letter.trim_start_matches(['(', '（']).trim();
    if letter.chars().count() != 1 || words.trim().is_empty() {
        return None;
    }
    let of_words = one(options, &|option| same(option.words, words))
        .or_else(|| only_begun(words.trim(), options));
    if of_words.is_none() && is_letter(words.trim()) {
        // “A、C” lists two letters.
        return None;
    }
    let of_letter = by_label(letter, options).or_else(|| by_position(letter, options));
    Some(match (of_letter, of_words) {
        (Some(Key::One(a)), Some(Key::One(b))) if a == b => Key::One(a),
        // Text and number: “2. Rome”. The text is certain.
        (None, Some(found)) => found,
        // Printed letters in another order: the text settles it.
        (Some(Key::Ambiguous), Some(found)) => found,
        _ => Key::Unknown,
    })
}

/// `B Rome`, without a sign between them: only if letter and text name the same option.
fn letter_before_text(key: &str, options: &[Labelled<'_>]) -> Option<Key> {
    let (letter, words) = key
        .split_once(' ')
        .filter(|(letter, _)| is_letter(letter))?;
    let of_words = one(options, &|option| same(option.words, words))?;
    let of_letter = by_label(letter, options).or_else(|| by_position(letter, options))?;
    (matches!(of_words, Key::One(_)) && of_words == of_letter).then_some(of_words)
}

/// The option with whose words a text begins, before a remark that names no other option.
fn only_begun(text: &str, options: &[Labelled<'_>]) -> Option<Key> {
    let text = text.to_lowercase();
    let begun = |option: &Labelled<'_>| {
        let words = option.words.trim().trim_end_matches('.').to_lowercase();
        let rest = text
            .strip_prefix(words.as_str())
            .filter(|_| !words.is_empty())?;
        let is_remark = rest
            .trim_start()
            .starts_with([',', ';', '.', '(', '–', '—', '，', '。', '（']);
        is_remark.then(|| rest.to_owned())
    };
    let (index, rest) =
        (0..options.len()).find_map(|index| Some((index, begun(&options[index])?)))?;
    let mut others = options
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != index);
    let is_named = |words: &str| {
        let words = words.trim().to_lowercase();
        !words.is_empty() && rest.contains(&words)
    };
    let has_label = labels::has_label(&rest);
    (!has_label && !others.any(|(_, option)| is_named(option.words))).then(|| at(index))
}

/// `B`, `(b)`, `B.`, `Option B`, `2`: the label alone.
pub(in crate::items) fn bare_label(key: &str) -> Option<&str> {
    let key = key.trim_matches(['*', '`', '_']);
    let after = |word: &&str| {
        let start = key.get(..word.len())?;
        let rest = key.get(word.len()..)?;
        let is_apart = rest.starts_with([' ', '_', '-']) || is_unspaced(word);
        (start.to_lowercase() == **word && is_apart).then(|| rest.trim_start_matches(['_', '-']))
    };
    let key = names::label_words()
        .iter()
        .find_map(after)
        .unwrap_or(key)
        .trim()
        .trim_start_matches(['(', '[', '\'', '"', '（', '*', '`'])
        .trim_end_matches([
            ')', ']', '.', ':', '\'', '"', '）', '．', '。', '、', '*', '`',
        ])
        .trim();
    let short = !key.is_empty()
        && key.chars().nth(LONGEST).is_none()
        && key.chars().all(|c| c.is_alphanumeric() || c == '_');
    short.then_some(key)
}

/// The most characters that a label has.
const LONGEST: usize = 8;

/// The option that fits; ambiguous if several do.
pub(super) fn one(options: &[Labelled<'_>], fits: &dyn Fn(&Labelled<'_>) -> bool) -> Option<Key> {
    let mut fitting = (0..options.len()).filter(|index| fits(&options[*index]));
    let first = fitting.next()?;
    Some(if fitting.next().is_some() {
        Key::Ambiguous
    } else {
        at(first)
    })
}

pub(super) fn at(index: usize) -> Key {
    u16::try_from(index).map_or(Key::Unknown, Key::One)
}

/// Whether two texts are equal, ignoring case, white space and a full stop. Spaces between
/// digits are part of a number.
pub(super) fn same(a: &str, b: &str) -> bool {
    let trimmed = |text: &str| text.trim().trim_end_matches('.').to_lowercase();
    let (a, b) = (a.trim(), b.trim());
    if b.is_empty() || a.len().abs_diff(b.len()) > 4 {
        return false;
    }
    let (a, b) = (trimmed(a), trimmed(b));
    let has_digits = || a.contains(|c: char| c.is_numeric());
    let letters = |text: &str| -> String { text.split_whitespace().collect() };
    a == b || !has_digits() && letters(&a) == letters(&b)
}
