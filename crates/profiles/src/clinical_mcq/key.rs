//! Reads an item's answer key as people write it: a letter, a label, the text of
//! the option, an index. A key that may mean two things stays ambiguous, and a key
//! is never invented.

use redraft_text::json::{Kind, Node};

use super::model::Key;

/// The names of the key field, and what a number in it counts from.
const NAMES: &[(&str, Counting)] = &[
    ("answerKey", Counting::Unknown),
    ("answer_key", Counting::Unknown),
    ("correct_answer", Counting::Unknown),
    ("correctAnswer", Counting::Unknown),
    ("answer", Counting::Unknown),
    ("correct_option", Counting::Unknown),
    ("correctOption", Counting::Unknown),
    ("answerIndex", Counting::FromZero),
    ("answer_index", Counting::FromZero),
    ("correct_index", Counting::FromZero),
    ("correctIndex", Counting::FromZero),
    ("correct_answers", Counting::Unknown),
    ("answers", Counting::Unknown),
];

/// What a number in a field counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counting {
    /// The name says that it is an index.
    FromZero,
    /// It may count from 0 or from 1.
    Unknown,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub(super) value: Node<'a>,
    counting: Counting,
}

/// An option with the ways in which a key may name it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Labelled<'a> {
    pub(super) label: Option<&'a str>,
    pub(super) text: &'a str,
}

/// The key field: the first that is not `null`, otherwise the first.
pub(super) fn field(item: Node<'_>) -> Option<Field<'_>> {
    let mut empty = None;
    for (name, counting) in NAMES {
        if let Some(value) = item.get(name) {
            let field = Field {
                value,
                counting: *counting,
            };
            if value.kind() != Kind::Null {
                return Some(field);
            }
            empty = empty.or(Some(field));
        }
    }
    empty
}

/// Whether each option's label is the letter of its position, or missing.
pub(super) fn have_letters(options: &[Labelled<'_>]) -> bool {
    options.iter().enumerate().all(|(index, option)| {
        option
            .label
            .is_none_or(|label| label == super::model::letter(index))
    })
}

pub(super) fn read(field: Field<'_>, options: &[Labelled<'_>]) -> Key {
    match field.value.kind() {
        Kind::Null | Kind::Invalid => Key::Missing,
        Kind::String => written(field.value.as_str().unwrap_or_default(), options),
        Kind::Number => numbered(field.value.as_i64(), field.counting, options),
        Kind::Array => {
            let mut items = field.value.items();
            match (items.next(), items.next()) {
                (None, _) => Key::Missing,
                (Some(only), None) => read(
                    Field {
                        value: only,
                        counting: field.counting,
                    },
                    options,
                ),
                _ => Key::Several,
            }
        }
        Kind::Bool => written(
            if field.value.as_bool() == Some(true) {
                "true"
            } else {
                "false"
            },
            options,
        ),
        Kind::Object => ["label", "key", "letter", "option", "text"]
            .iter()
            .find_map(|name| field.value.get(name))
            .filter(|value| value.kind() == Kind::String)
            .map_or(Key::Ambiguous, |value| {
                written(value.as_str().unwrap_or_default(), options)
            }),
    }
}

/// Reads a key that is a string: first as a label, then as the text of an option,
/// then as the letter of a position.
fn written(key: &str, options: &[Labelled<'_>]) -> Key {
    let key = key.trim();
    if key.is_empty() {
        return Key::Missing;
    }
    let by = |test: &dyn Fn(&Labelled<'_>) -> bool| one(options, test);
    let bare = bare_label(key);
    if let Some(bare) = bare
        && let Some(found) = by(&|option| {
            option
                .label
                .is_some_and(|label| label.trim().eq_ignore_ascii_case(bare))
        })
    {
        return found;
    }
    if let Some(found) = by(&|option| same(option.text, key)) {
        return found;
    }
    if let Some(bare) = bare {
        let labelled = options
            .iter()
            .any(|option| option.label.is_some_and(is_letter));
        let position = bare
            .bytes()
            .next()
            .filter(|byte| bare.len() == 1 && byte.is_ascii_alphabetic())
            .map(|byte| usize::from(byte.to_ascii_uppercase() - b'A'));
        if let Some(position) = position {
            return if position < options.len() && !labelled {
                at(position)
            } else {
                Key::Unknown
            };
        }
        if let Ok(number) = bare.parse() {
            return numbered(Some(number), Counting::Unknown, options);
        }
    }
    // `B. Aspirin`, `B) Aspirin`: the letter and the text must agree.
    if let Some((letter, words)) = key.split_once(['.', ')', ':', '-']) {
        let letter = letter.trim_start_matches('(').trim();
        if letter.len() == 1 && !words.trim().is_empty() {
            let of_words = by(&|option| same(option.text, words));
            let of_letter = written(letter, options);
            return match (of_letter, of_words) {
                (Key::One(a), Some(Key::One(b))) if a == b => Key::One(a),
                (Key::One(_), Some(Key::One(_))) => Key::Unknown,
                (Key::One(a), _) => Key::One(a),
                (_, Some(found)) => found,
                _ => Key::Unknown,
            };
        }
    }
    let mut letters = key
        .split([',', ';', '&', '/', ' '])
        .filter(|word| !word.is_empty());
    let several = letters.clone().count() > 1
        && letters.all(|word| is_letter(word.trim()) || word.eq_ignore_ascii_case("and"));
    if several { Key::Several } else { Key::Unknown }
}

fn is_letter(label: &str) -> bool {
    label.len() == 1 && label.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// `B`, `(b)`, `B.`, `Option B`, `2`: the label alone.
fn bare_label(key: &str) -> Option<&str> {
    let lower = key
        .get(..7)
        .filter(|start| start.eq_ignore_ascii_case("option "));
    let key = lower.map_or(key, |_| key.get(7..).unwrap_or_default());
    let key = key
        .trim()
        .trim_start_matches('(')
        .trim_end_matches([')', '.', ':'])
        .trim();
    let short = !key.is_empty()
        && key.len() <= 8
        && key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    short.then_some(key)
}

fn numbered(number: Option<i64>, counting: Counting, options: &[Labelled<'_>]) -> Key {
    let Some(number) = number else {
        return Key::Unknown;
    };
    let written = number.to_string();
    if let Some(found) = one(options, &|option| {
        option.label.is_some_and(|label| label.trim() == written)
    }) {
        return found;
    }
    if counting == Counting::Unknown
        && let Some(found) = one(options, &|option| option.text.trim() == written)
    {
        return found;
    }
    let count = i64::try_from(options.len()).unwrap_or(i64::MAX);
    match (counting, number) {
        (_, number) if number < 0 || number > count => Key::Unknown,
        (Counting::FromZero, number) if number == count => Key::Unknown,
        (Counting::FromZero, number) => at(usize::try_from(number).unwrap_or(usize::MAX)),
        (Counting::Unknown, 0) => at(0),
        (Counting::Unknown, number) if number == count => at(options.len() - 1),
        (Counting::Unknown, _) => Key::Ambiguous,
    }
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

/// Whether two texts are equal, ignoring case, outer white space and a full stop.
fn same(a: &str, b: &str) -> bool {
    let trimmed = |text: &str| text.trim().trim_end_matches('.').to_lowercase();
    let (a, b) = (a.trim(), b.trim());
    a.len().abs_diff(b.len()) <= 2 && !b.is_empty() && trimmed(a) == trimmed(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(json: &str, options: &[(Option<&str>, &str)]) -> Key {
        let scanned = redraft_text::json::scan(json, 0..json.len());
        let options: Vec<Labelled<'_>> = options
            .iter()
            .map(|(label, text)| Labelled {
                label: *label,
                text,
            })
            .collect();
        read(field(scanned.root().unwrap()).unwrap(), &options)
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
        for (json, options, expected) in [
            (r#"{"answerKey": "B"}"#, &plain[..], Key::One(1)),
            (r#"{"answerKey": "b)"}"#, &plain, Key::One(1)),
            (r#"{"answer": "(C)"}"#, &plain, Key::One(2)),
            (r#"{"answer": "Option A"}"#, &plain, Key::One(0)),
            (r#"{"answer": "heparin"}"#, &plain, Key::One(1)),
            (r#"{"answer": "B. Heparin"}"#, &plain, Key::One(1)),
            (r#"{"answer": "B. Aspirin"}"#, &plain, Key::Unknown),
            (r#"{"answer": "D"}"#, &plain, Key::Unknown),
            (r#"{"answer": "Morphine"}"#, &plain, Key::Unknown),
            (r#"{"answer": ""}"#, &plain, Key::Missing),
            (r#"{"answer": null}"#, &plain, Key::Missing),
            (r#"{"answer": null, "answerIndex": 2}"#, &plain, Key::One(2)),
            (r#"{"answer": 0}"#, &plain, Key::One(0)),
            (r#"{"answer": 3}"#, &plain, Key::One(2)),
            (r#"{"answer": 1}"#, &plain, Key::Ambiguous),
            (r#"{"answer": 4}"#, &plain, Key::Unknown),
            (r#"{"answerIndex": 1}"#, &plain, Key::One(1)),
            (r#"{"answerIndex": 3}"#, &plain, Key::Unknown),
            (r#"{"answer": "C"}"#, &labelled, Key::One(1)),
            (r#"{"answer": "B"}"#, &labelled, Key::Unknown),
            (r#"{"answer": ["A"]}"#, &plain, Key::One(0)),
            (r#"{"answer": ["A", "B"]}"#, &plain, Key::Several),
            (r#"{"answer": "A, C"}"#, &plain, Key::Several),
            (r#"{"answer": []}"#, &plain, Key::Missing),
            (r#"{"answer": 4}"#, &numbers, Key::One(1)),
            (r#"{"answer": "4"}"#, &numbers, Key::One(1)),
        ] {
            assert_eq!(key(json, options), expected, "{json}");
        }
    }
}
