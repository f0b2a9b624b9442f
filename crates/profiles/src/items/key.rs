//! Reads an item's answer key as people write it: a letter, a label, the text of
//! the option, an index. A key that may mean two things stays ambiguous, and a key
//! is never invented. What a number counts from is settled in `counting`.

use redraft_text::json::{Kind, Node};
use redraft_text::phrases::is_unspaced;

use super::labels;
use super::letters::{is_letter, run_of_letters};
use super::model::Key;
use super::names::{self, Role};
use super::order;

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
    /// The name of its field: `opb`.
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

/// `{"A": false, "B": true}`: a flag under the label of each option.
fn flagged_labels(value: Node<'_>, options: &[Labelled<'_>]) -> Option<Key> {
    let mut right = Vec::new();
    for (name, flag) in value.members() {
        let Reading::Key(Key::One(option)) = written(&name.text, false, options) else {
            return None;
        };
        if flag.as_bool()? {
            right.push(option);
        }
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
        .or_else(|| by_number(key.parse().ok(), options))
        .or_else(|| by_name(key, options));
    if let Some(found) = named {
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

/// `A, C`, `B and D`: several letters, each of which names an option.
fn several(key: &str, options: &[Labelled<'_>]) -> Key {
    let words = || {
        key.split([',', ';', '&', '/', ' ', '、', '，'])
            .filter(|word| !word.is_empty())
    };
    // “A e C”: in some languages a letter is a word between others.
    let is_upper = |word: &str| word.chars().all(char::is_uppercase);
    let has_upper = words().any(is_upper);
    let is_between =
        |word: &str| order::joins(word) && (word.len() > 1 || has_upper && !is_upper(word));
    // “B or C” does not say which.
    if words().any(|word| is_between(word) && order::leaves_open(word)) {
        return Key::Unknown;
    }
    let found: Vec<&str> = words().filter(|word| !is_between(word)).collect();
    if found.len() < 2 || !found.iter().all(|word| is_letter(word)) {
        return Key::Unknown;
    }
    let read = found.iter().map(|letter| {
        let named = by_label(letter, options).or_else(|| by_position(letter, options));
        Reading::Key(named.unwrap_or(Key::Unknown))
    });
    match together(read) {
        Reading::Key(key) => key,
        Reading::Number(_) | Reading::NumberOrText(..) | Reading::NumberOrLabel(..) => Key::Unknown,
    }
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

/// `choice_b`, `Option 2`: the whole label, as it stands.
fn by_whole_label(key: &str, options: &[Labelled<'_>]) -> Option<Key> {
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

fn by_label(bare: &str, options: &[Labelled<'_>]) -> Option<Key> {
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
fn by_name(key: &str, options: &[Labelled<'_>]) -> Option<Key> {
    if key.len() > 40 || options.iter().all(|option| option.name.is_none()) {
        return None;
    }
    let key = names::plain(key);
    one(options, &|option| {
        option.name.is_some_and(|name| names::plain(name) == key)
    })
}

/// The option at the position of a letter; options with other letters have no positions.
fn by_position(bare: &str, options: &[Labelled<'_>]) -> Option<Key> {
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
fn within(
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
fn only_number(text: &str) -> Option<String> {
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
fn letter_and_text(key: &str, options: &[Labelled<'_>]) -> Option<Key> {
    let is_end = |c: char| labels::AFTER_LABEL.contains(&c) || matches!(c, '-' | '–' | '—');
    let (letter, words) = key.split_once(is_end)?;
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
pub(super) fn bare_label(key: &str) -> Option<&str> {
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

/// The option that fits; ambiguous if several do.
fn one(options: &[Labelled<'_>], fits: &dyn Fn(&Labelled<'_>) -> bool) -> Option<Key> {
    let mut fitting = (0..options.len()).filter(|index| fits(&options[*index]));
    let first = fitting.next()?;
    Some(if fitting.next().is_some() {
        Key::Ambiguous
    } else {
        at(first)
    })
}

fn at(index: usize) -> Key {
    u16::try_from(index).map_or(Key::Unknown, Key::One)
}

/// Whether two texts are equal, ignoring case, white space and a full stop. Spaces between
/// digits are part of a number.
fn same(a: &str, b: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn key(json: &str, options: &[(Option<&str>, &str)]) -> Reading {
        let scanned = redraft_text::json::scan(json, 0..json.len());
        let options: Vec<Labelled<'_>> = options
            .iter()
            .map(|(label, text)| Labelled {
                label: *label,
                text,
                words: text,
                ..Labelled::default()
            })
            .collect();
        let (name, value) = scanned.root().unwrap().members().next().unwrap();
        let (role, _) = names::role(&name.text).unwrap();
        read(KeyField::new(value, role), &options)
    }

    #[test]
    fn a_key_is_read_as_people_write_it_and_never_guessed() {
        let plain = [(None, "Aspirin"), (None, "Heparin"), (None, "Warfarin")];
        let labelled = [
            (Some("A"), "Aspirin"),
            (Some("C"), "Heparin"),
            (Some("E"), "Warfarin"),
        ];
        let numbers = [(None, "2"), (None, "4"), (None, "6"), (None, "8")];
        let backwards = [(None, "D"), (None, "C"), (None, "B")];
        let unordered = [(Some("C"), "Aspirin"), (Some("A"), "Heparin")];
        let cyrillic = [
            (Some("А"), "Аспирин"),
            (Some("Б"), "Гепарин"),
            (Some("В"), "Варфарин"),
        ];
        for (json, options, expected) in [
            (r#"{"answerKey": "B"}"#, &plain[..], Key::One(1)),
            (r#"{"answerKey": "b)"}"#, &plain, Key::One(1)),
            (r#"{"answer": "(C)"}"#, &plain, Key::One(2)),
            (r#"{"answer": "'C'"}"#, &plain, Key::One(2)),
            (r#"{"answer": "Option A"}"#, &plain, Key::One(0)),
            (r#"{"respuesta": "Opción B"}"#, &plain, Key::One(1)),
            (r#"{"answer": "heparin"}"#, &plain, Key::One(1)),
            (r#"{"answer": "B. Heparin"}"#, &plain, Key::One(1)),
            (r#"{"answer": "B. Aspirin"}"#, &plain, Key::Unknown),
            (r#"{"answer": "D"}"#, &plain, Key::Unknown),
            (r#"{"answer": "Morphine"}"#, &plain, Key::Unknown),
            (r#"{"answer": ""}"#, &plain, Key::Missing),
            (r#"{"answer": null}"#, &plain, Key::Missing),
            (r#"{"answer": 4}"#, &plain, Key::Unknown),
            (r#"{"answer": -1}"#, &plain, Key::Unknown),
            (r#"{"answer": "C"}"#, &labelled, Key::One(1)),
            (r#"{"answer": "B"}"#, &labelled, Key::Unknown),
            (r#"{"answer": ["A"]}"#, &plain, Key::One(0)),
            (r#"{"answer": {"label": "A"}}"#, &plain, Key::One(0)),
            (r#"{"answer": ["A", "B"]}"#, &plain, Key::Several),
            (r#"{"answer": "A, C"}"#, &plain, Key::Several),
            (r#"{"answer": "AC"}"#, &plain, Key::Several),
            (r#"{"answer": "A、C"}"#, &plain, Key::Several),
            (r#"{"answer": "CA"}"#, &plain, Key::Unknown),
            (r#"{"answer": "AZ"}"#, &plain, Key::Unknown),
            (r#"{"answer": []}"#, &plain, Key::Missing),
            (r#"{"answer": ["B", "B"]}"#, &plain, Key::One(1)),
            (r#"{"answer": ["B", "heparin"]}"#, &plain, Key::One(1)),
            (r#"{"answer": ["A", "Z"]}"#, &plain, Key::Unknown),
            (
                r#"{"answer": ["Aspirin", "Morphine"]}"#,
                &plain,
                Key::Unknown,
            ),
            (r#"{"answer": [0, 9]}"#, &plain, Key::Unknown),
            (r#"{"answer": "A and Q"}"#, &plain, Key::Unknown),
            (r#"{"answer": "B und C"}"#, &plain, Key::Several),
            (r#"{"answer": "A e C"}"#, &plain, Key::Several),
            (r#"{"answer": "A, E"}"#, &plain, Key::Unknown),
            (r#"{"answer": "a, c"}"#, &plain, Key::Several),
            (r#"{"answer": {"reason": "x"}}"#, &plain, Key::Unknown),
            (
                r#"{"answer": {"correct": "Morphine"}}"#,
                &plain,
                Key::Unknown,
            ),
            (r#"{"answer": "**B**"}"#, &plain, Key::One(1)),
            (r#"{"answer": "option_b"}"#, &plain, Key::One(1)),
            (r#"{"answer": "B – Heparin"}"#, &plain, Key::One(1)),
            (r#"{"answer": "Ｂ"}"#, &plain, Key::One(1)),
            (r#"{"answer": "②"}"#, &plain, Key::One(1)),
            (r#"{"answer": "В"}"#, &plain, Key::Unknown),
            (r#"{"ответ": "Б"}"#, &cyrillic, Key::One(1)),
            (r#"{"ответ": "Вариант в)"}"#, &cyrillic, Key::One(2)),
            (r#"{"ответ": "B"}"#, &cyrillic, Key::Unknown),
            (r#"{"answer": 8}"#, &numbers, Key::One(3)),
            (r#"{"answer": "8"}"#, &numbers, Key::One(3)),
            (r#"{"answer": "B or C"}"#, &plain, Key::Unknown),
            (r#"{"answer": "A oder C"}"#, &plain, Key::Unknown),
            (r#"{"answer": "C"}"#, &backwards, Key::Ambiguous),
            (r#"{"answer": "D"}"#, &backwards, Key::One(0)),
            (r#"{"answer": [false, true, false]}"#, &plain, Key::One(1)),
            (r#"{"answer": [0, 0, 1]}"#, &plain, Key::One(2)),
            (r#"{"answer": [1, 0, 1]}"#, &plain, Key::Several),
            (r#"{"answer": [false, false, false]}"#, &plain, Key::Missing),
            (r#"{"answer_index": 1}"#, &unordered, Key::Ambiguous),
        ] {
            assert_eq!(key(json, options), Reading::Key(expected), "{json}");
        }
        for (json, number) in [
            (r#"{"answer": 0}"#, 0),
            (r#"{"answer": "1"}"#, 1),
            (r#"{"answer": 3}"#, 3),
            (r#"{"answer_index": 2}"#, 2),
        ] {
            assert_eq!(key(json, &plain), Reading::Number(number), "{json}");
        }
        assert_eq!(key(r#"{"answer_index": 2}"#, &numbers), Reading::Number(2));
        for json in [r#"{"answer": 4}"#, r#"{"answer": "4"}"#] {
            assert_eq!(key(json, &numbers), Reading::NumberOrText(4, 1), "{json}");
        }
    }
}
