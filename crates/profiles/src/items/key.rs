//! Reads an item's answer key as people write it: a letter, a label, the text of
//! the option, an index. A key that may mean two things stays ambiguous, and a key
//! is never invented. What a number counts from is settled in `counting`.

use redraft_text::json::{Kind, Node};

use super::labels;
use super::letters::{entries, is_letter, run_of_letters};
use super::model::Key;
use super::names::{self, Role};
use super::read;

mod naming;
#[cfg(test)]
mod tests;

pub(super) use naming::bare_label;
use naming::{
    at, by_label, by_name, by_position, by_whole_label, letter_and_text, one, only_number, same,
    within,
};

/// A field that states the key.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyField<'a> {
    pub(super) value: Node<'a>,
    pub(super) role: Role,
}

impl<'a> KeyField<'a> {
    pub(super) fn new(value: Node<'a>, role: Role) -> Self {
        Self { value, role }
    }

    /// Whether its name says that a number in it is an index.
    pub(super) fn is_index(self) -> bool {
        self.role == Role::IndexKey
    }

    /// The name of the field.
    pub(super) fn name(self) -> String {
        self.value
            .key()
            .map(|name| names::plain(&name.text))
            .unwrap_or_default()
    }
}

/// What a key says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Key(Key),
    /// A number that may count from 0 or from 1.
    Number(i64),
    /// A number that is also the text of this option: `4` among 2, 4, 6 and 8.
    NumberOrText(i64, u16),
    /// A number that is also the label or id of this option. The rest of the bank may show
    /// that its numbers are positions.
    NumberOrLabel(i64, u16),
}

/// An option with the ways in which a key may name it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Labelled<'a> {
    pub(super) label: Option<&'a str>,
    /// The name of its field (`opb`), or its second text.
    pub(super) name: Option<&'a str>,
    /// The label at the start of its text.
    pub(super) printed: Option<&'a str>,
    pub(super) text: &'a str,
    /// The text without that label.
    pub(super) words: &'a str,
    /// Its text, where that is a number instead of a string.
    pub(super) number: Option<f64>,
    /// Its id, where that is a number instead of a string.
    pub(super) id: Option<i64>,
    /// Whether something numbers or letters the options in another order than they stand in,
    /// so that no number or letter is a position for certain.
    pub(super) unordered: bool,
}

/// Whether each option's label is the letter of its position, or missing.
pub(super) fn have_letters(options: &[Labelled<'_>]) -> bool {
    options.iter().enumerate().all(|(index, option)| {
        option
            .label
            .is_none_or(|label| label == super::model::letter(index))
    })
}

pub(super) fn read(field: KeyField<'_>, options: &[Labelled<'_>]) -> Reading {
    read_value(field.value, field.is_index(), options)
}

fn read_value(value: Node<'_>, is_index: bool, options: &[Labelled<'_>]) -> Reading {
    match value.kind() {
        Kind::Null | Kind::Invalid => Reading::Key(Key::Missing),
        Kind::String => written(value.as_str().unwrap_or_default(), is_index, options),
        Kind::Number if value.as_i64().is_none() => {
            Reading::Key(by_number(value.as_f64(), options).unwrap_or(Key::Unknown))
        }
        Kind::Number => numbered(value.as_i64(), is_index, options),
        Kind::Array => {
            if let Some(found) = flags(value, options.len()) {
                return Reading::Key(found);
            }
            let readings = value
                .items()
                .map(|entry| read_value(entry, is_index, options));
            together(readings)
        }
        Kind::Bool => {
            let word = if value.as_bool() == Some(true) {
                "true"
            } else {
                "false"
            };
            written(word, is_index, options)
        }
        Kind::Object => object(value, is_index, options),
    }
}

/// A key that is an object: what its fields say together. What is not understood must not
/// pass as a key.
fn object(value: Node<'_>, is_index: bool, options: &[Labelled<'_>]) -> Reading {
    if let Some(found) = flagged_labels(value, options) {
        return Reading::Key(found);
    }
    let is_denied = value.members().any(|(name, flag)| {
        names::is_one_of(&name.text, names::flags()).is_some() && flag.as_bool() == Some(false)
    });
    let mut said: Vec<Reading> = NAMING
        .iter()
        .filter_map(|name| value.get(name))
        .filter(|value| matches!(value.kind(), Kind::String | Kind::Number))
        .map(|value| read_value(value, is_index, options))
        .collect();
    let Some(first) = said.first().copied().filter(|_| !is_denied) else {
        return Reading::Key(Key::Unknown);
    };
    said.retain(|reading| !matches!(reading, Reading::Key(Key::Unknown | Key::Missing)));
    let settled = said.iter().find_map(|reading| match reading {
        Reading::Key(Key::One(found)) => Some(*found),
        _ => None,
    });
    let Some(settled) = settled else {
        return said.first().copied().unwrap_or(first);
    };
    let agrees = |reading: &Reading| match reading {
        Reading::Key(found) => *found == Key::One(settled),
        Reading::NumberOrText(number, index) | Reading::NumberOrLabel(number, index) => {
            *index == settled || is_at(*number, settled)
        }
        Reading::Number(number) => is_at(*number, settled),
    };
    Reading::Key(match said.iter().all(agrees) {
        true => Key::One(settled),
        false => Key::Disagreeing,
    })
}

/// Whether a number is this position, counted from 0 or from 1.
fn is_at(number: i64, position: u16) -> bool {
    number == i64::from(position) || number == i64::from(position) + 1
}

/// `{"A": false, "B": true}`: a flag under the label of each option. What no option has may be
/// denied: `"answer_e_correct": "false"`.
fn flagged_labels(value: Node<'_>, options: &[Labelled<'_>]) -> Option<Key> {
    const SUFFIX: &str = "_correct";
    let mut right = Vec::new();
    let mut found_one = false;
    for (name, flag) in value.members() {
        let label = name.text.strip_suffix(SUFFIX);
        let is_right = match flag.kind() {
            Kind::String if label.is_some() => read::flag(flag)?,
            _ => flag.as_bool()?,
        };
        match written(label.unwrap_or(&name.text), false, options) {
            Reading::Key(Key::One(option)) => {
                found_one = true;
                right.extend(is_right.then_some(option));
            }
            _ if label.is_some() && !is_right => {}
            _ => return None,
        }
    }
    if !found_one {
        return None;
    }
    Some(match right[..] {
        [] => Key::Missing,
        [only] => Key::One(only),
        _ => Key::Several,
    })
}

/// The fields of a key that is an object.
const NAMING: [&str; 10] = [
    "label", "key", "letter", "option", "text", "index", "value", "id", "answer", "correct",
];

/// `[false, true, false]`, `[0, 1, 0, 0]`: a flag for each option. A list of indices names
/// none twice.
fn flags(list: Node<'_>, options: usize) -> Option<Key> {
    let flag = |entry: Node<'_>| match entry.kind() {
        Kind::Bool => entry.as_bool(),
        Kind::Number => entry
            .as_i64()
            .filter(|number| matches!(number, 0 | 1))
            .map(|number| number == 1),
        _ => None,
    };
    let flags: Option<Vec<bool>> = list.items().map(flag).collect();
    let flags = flags.filter(|flags| flags.len() == options && options > 1)?;
    let are_numbers = list.items().any(|entry| entry.kind() == Kind::Number);
    if are_numbers && options < 3 {
        return Some(Key::Unknown);
    }
    let mut set = (0..options).filter(|index| flags[*index]);
    Some(match (set.next(), set.next()) {
        (Some(only), None) => at(only),
        (Some(_), Some(_)) => Key::Several,
        _ => Key::Missing,
    })
}

/// What the entries of a list say together: several options, if each names one.
fn together(readings: impl Iterator<Item = Reading>) -> Reading {
    let readings: Vec<Reading> = readings.collect();
    let Some(first) = readings.first().copied() else {
        return Reading::Key(Key::Missing);
    };
    let names_one =
        |reading: &Reading| !matches!(reading, Reading::Key(key) if !matches!(key, Key::One(_)));
    if readings.iter().all(|reading| *reading == first) {
        first
    } else if readings.iter().all(names_one) {
        Reading::Key(Key::Several)
    } else {
        Reading::Key(Key::Unknown)
    }
}

/// Whether a field that may be something else than a key is one.
pub(super) fn is_plausible(reading: Reading, value: Node<'_>) -> bool {
    let mut entries = value.items();
    if let (Some(only), None) = (entries.next(), entries.next()) {
        return is_plausible(reading, only);
    }
    match reading {
        Reading::Number(_) | Reading::NumberOrText(..) => {
            value.kind() == Kind::Number || value.as_str().is_some_and(is_bare)
        }
        Reading::Key(Key::Unknown) => value.as_str().is_some_and(is_bare),
        Reading::Key(Key::Missing) => value.kind() != Kind::Array,
        Reading::Key(_) | Reading::NumberOrLabel(..) => true,
    }
}

/// Whether a key is written as a number.
pub(super) fn is_number(value: Node<'_>) -> bool {
    value.kind() == Kind::Number
}

/// Whether a key is only a letter or a number.
pub(super) fn is_bare(key: &str) -> bool {
    bare_label(key.trim()).is_some_and(|bare| {
        let bare = labels::folded(bare);
        is_letter(&bare) || (bare.len() <= 2 && bare.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// Reads a key that is a string: first as a label, then as the text of an option,
/// then as the letter of a position.
fn written(key: &str, is_index: bool, options: &[Labelled<'_>]) -> Reading {
    let key = key.trim();
    if key.is_empty() {
        return Reading::Key(Key::Missing);
    }
    let bare = bare_label(key);
    let labelled = by_whole_label(key, options).or_else(|| by_label(bare?, options));
    if let Some(found) = labelled {
        let number = bare.and_then(|bare| labels::folded(bare).parse().ok());
        return match (number, found) {
            (Some(number), Key::One(index)) => labelled_number(number, index, is_index),
            _ => Reading::Key(found),
        };
    }
    let named = one(options, &|option| same(option.text, key))
        .or_else(|| one(options, &|option| same(option.words, key)))
        .or_else(|| by_number(key.parse().ok(), options));
    if let Some(found) = named {
        return also_a_position(found, (bare, is_index), options);
    }
    if let Some(found) = by_name(key, options) {
        // `option_1` is the name of a field, and no number.
        let is_name = bare.is_none_or(|bare| names::plain(key) != names::plain(bare));
        let bare = bare.filter(|_| !is_name);
        return also_a_position(found, (bare, is_index), options);
    }
    if let Some(bare) = bare {
        if let Some(found) = by_position(bare, options) {
            return Reading::Key(found);
        }
        if let Ok(number) = labels::folded(bare).parse() {
            return numbered(Some(number), is_index, options);
        }
    }
    if let Some(found) = letter_and_text(key, options) {
        return Reading::Key(found);
    }
    let unknown = Reading::Key(Key::Unknown);
    let mut led = names::without_lead(key).map(|rest| written(rest, is_index, options));
    if let Some(found) = led.find(|found| *found != unknown) {
        return found;
    }
    Reading::Key(match run_of_letters(key, options.len()) {
        Some(_) => Key::Several,
        None => several(key, options),
    })
}

/// The text of an option that may also name a position: “C” among D, C, B and A, or a number
/// among numbers, which the rest of the bank may settle.
fn also_a_position(
    found: Key,
    (bare, is_index): (Option<&str>, bool),
    options: &[Labelled<'_>],
) -> Reading {
    let (Some(bare), Key::One(text)) = (bare, found) else {
        return Reading::Key(found);
    };
    if let Ok(number) = labels::folded(bare).parse() {
        return numbered_or_text(number, text, options.len());
    }
    Reading::Key(match by_position(bare, options) {
        Some(Key::One(position)) if !is_index && position != text => Key::Ambiguous,
        _ => found,
    })
}

/// A number that is the text of an option, unless it cannot be anything else.
fn numbered_or_text(number: i64, text: u16, options: usize) -> Reading {
    let count = i64::try_from(options).unwrap_or(i64::MAX);
    if (0..=count).contains(&number) {
        Reading::NumberOrText(number, text)
    } else {
        Reading::Key(Key::One(text))
    }
}

/// The option that is this number.
fn by_number(number: Option<f64>, options: &[Labelled<'_>]) -> Option<Key> {
    let number = number?;
    one(options, &|option| option.number == Some(number))
}

/// `A, C`, `B and D`, `1 und 3`: several letters or numbers, each of which names an option.
fn several(key: &str, options: &[Labelled<'_>]) -> Key {
    let Some(found) = entries(key, options.len()).filter(|found| found.len() > 1) else {
        return Key::Unknown;
    };
    let named = |entry: &&str| {
        if is_letter(entry) {
            let named = by_label(entry, options).or_else(|| by_position(entry, options));
            return Some(Reading::Key(named.unwrap_or(Key::Unknown)));
        }
        let number: Option<i64> = entry.parse().ok().filter(|_| !is_one_number(key));
        number.map(|number| numbered(Some(number), false, options))
    };
    let Some(read) = found.iter().map(named).collect::<Option<Vec<Reading>>>() else {
        return Key::Unknown;
    };
    if names_one_twice(&found) {
        return written_flags(&found, options.len());
    }
    match together(read.into_iter()) {
        Reading::Key(key) => key,
        Reading::Number(_) | Reading::NumberOrText(..) | Reading::NumberOrLabel(..) => Key::Unknown,
    }
}

/// Whether a number stands twice in a list of numbers, which no list of positions has.
fn names_one_twice(entries: &[&str]) -> bool {
    let mut numbers: Vec<i64> = entries.iter().filter_map(|e| e.parse().ok()).collect();
    let count = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len() < count
}

/// `0 1 0 0`: whether each option is right, as Anki and spreadsheets write it.
fn written_flags(entries: &[&str], options: usize) -> Key {
    let mut right = (0..options).filter(|index| entries.get(*index) == Some(&"1"));
    let are_flags = entries.iter().all(|entry| matches!(*entry, "0" | "1"));
    match (right.next(), right.next()) {
        (Some(only), None) if are_flags && entries.len() == options => at(only),
        // Those that are right have no letters by which they could be named.
        _ => Key::Unknown,
    }
}

/// Whether digits with a sign between them may be one number: `1/2`, `1,5`.
fn is_one_number(key: &str) -> bool {
    let digits =
        |pair: &[u8]| matches!(pair, [a, b',', b] if a.is_ascii_digit() && b.is_ascii_digit());
    key.contains('/') || key.as_bytes().windows(3).any(digits)
}

/// A number that is the label of an option: ids that count from 1 are not the positions of a
/// field that says that it is an index.
fn labelled_number(number: i64, label: u16, is_index: bool) -> Reading {
    if is_index && i64::from(label) != number {
        Reading::Key(Key::Ambiguous)
    } else {
        Reading::NumberOrLabel(number, label)
    }
}

fn numbered(number: Option<i64>, is_index: bool, options: &[Labelled<'_>]) -> Reading {
    let Some(number) = number else {
        return Reading::Key(Key::Unknown);
    };
    let written = number.to_string();
    let label = one(options, &|option| {
        let label = option.label.or(option.printed);
        label.is_some_and(|label| labels::folded(label) == written) || option.id == Some(number)
    });
    match label.or_else(|| by_label(&written, options)) {
        Some(Key::One(found)) => return labelled_number(number, found, is_index),
        Some(found) => return Reading::Key(found),
        None => {}
    }
    if !is_index {
        let text = one(options, &|option| option.text.trim() == written);
        #[expect(
            clippy::cast_precision_loss,
            reason = "only small numbers are positions"
        )]
        let text = text.or_else(|| by_number(Some(number as f64), options));
        match text {
            Some(Key::One(text)) => return numbered_or_text(number, text, options.len()),
            Some(found) => return Reading::Key(found),
            None => {}
        }
        if let Some(Key::One(text)) = within(&written, options, &only_number) {
            return numbered_or_text(number, text, options.len());
        }
    }
    let count = i64::try_from(options.len()).unwrap_or(i64::MAX);
    if !(0..=count).contains(&number) || count == 0 {
        return Reading::Key(Key::Unknown);
    }
    // Letters in another order than the options: a number may count either.
    let is_lettered = options
        .iter()
        .any(|option| option.label.is_some_and(is_letter));
    if is_lettered && !have_letters(options) || options.iter().any(|option| option.unordered) {
        return Reading::Key(Key::Ambiguous);
    }
    Reading::Number(number)
}
