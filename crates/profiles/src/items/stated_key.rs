//! The key of an item as its fields state it, before the rest of the bank shows what numbers
//! count from (`counting`). Several fields may state it; what they say must agree.

use std::ops::Range;

use redraft_text::json::{Kind, Node};

use super::counting::NumberedKey;
use super::key::{self, KeyField, Labelled, Reading};
use super::model::Key;
use super::names::{self, Role};
use super::read::{ItemNodes, LayoutKind, OptionNodes};

/// What the fields of an item say about its key.
#[derive(Debug)]
pub(super) struct Stated {
    pub(super) key: Key,
    /// The field that counts, even if it is `null`.
    pub(super) range: Option<Range<usize>>,
    pub(super) more: Box<[Range<usize>]>,
    /// Numbers that wait for the other items.
    pub(super) numbered: Vec<NumberedKey>,
    /// Fields in which a number can only be the text of an option.
    pub(super) by_text: Vec<String>,
}

/// A number in a field, with the option whose text or label it is.
type Counted<'a> = (KeyField<'a>, i64, Option<u16>, Option<u16>);

/// Whether a file distinguishes numbers from texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typing {
    Typed,
    Untyped,
    /// Every cell is a text, and labels are the names of columns: of `Option 3` and the text
    /// `3` either may be meant.
    Cells,
}

/// Reads the key of the item that will have this index in its bank.
pub(super) fn of(nodes: &ItemNodes<'_>, item: usize, typing: Typing) -> Stated {
    let mut stated = Stated {
        key: Key::Missing,
        range: None,
        more: Box::default(),
        numbered: Vec::new(),
        by_text: Vec::new(),
    };
    if nodes.layout.kind == LayoutKind::KeyApart {
        let right = nodes
            .options
            .iter()
            .position(|option| option.node.key().is_some_and(|name| is_key(&name.text)));
        stated.key = right
            .and_then(|right| u16::try_from(right).ok())
            .map_or(Key::Missing, Key::One);
        return stated;
    }
    let labelled = nodes.labelled();
    let mut counted: Vec<Counted<'_>> = Vec::new();
    for (index, field) in nodes.keys.iter().enumerate() {
        match key::read(*field, &labelled) {
            Reading::Number(number) => counted.push((*field, number, None, None)),
            Reading::NumberOrText(number, text) => {
                counted.push((*field, number, Some(text), None));
            }
            Reading::NumberOrLabel(number, label) => {
                let text = (typing == Typing::Cells)
                    .then(|| only_text(&labelled, number))
                    .flatten();
                counted.push((
                    *field,
                    number,
                    text.filter(|text| *text != label),
                    Some(label),
                ));
            }
            Reading::Key(Key::Missing) => {}
            Reading::Key(found) if index == 0 || field.role == Role::Key => {
                // A letter or a text in a column: its numbers are no positions.
                let is_text = key::is_number(field.value) || typing != Typing::Typed;
                if matches!(found, Key::One(_)) && is_text {
                    stated.by_text.push(field.name());
                }
                stated.key = stated.key.and(found);
            }
            Reading::Key(found @ Key::One(_)) => stated.key = stated.key.and(found),
            Reading::Key(found) if stated.key == Key::Missing && counted.is_empty() => {
                stated.key = found;
            }
            Reading::Key(_) => {}
        }
    }
    // Where all are empty, the first one is to be filled.
    let filled = nodes
        .keys
        .iter()
        .find(|field| field.value.kind() != Kind::Null);
    stated.range = filled
        .or(nodes.keys.first())
        .map(|field| field.value.span());
    let others = nodes.keys.iter().map(|field| field.value.span());
    stated.more = others
        .filter(|range| Some(range) != stated.range.as_ref())
        .collect();
    stated.numbered = numbered(nodes, &counted, (stated.key, item), typing);
    stated
}

/// The only option whose whole text is a number.
fn only_text(options: &[Labelled<'_>], number: i64) -> Option<u16> {
    let written = number.to_string();
    let mut same = (0..).zip(options);
    let mut same = same
        .by_ref()
        .filter(|(_, option)| option.text.trim() == written);
    let (index, _) = same.next()?;
    same.next().is_none().then_some(index)
}

/// The numbers of an item, each with what shows which option it means: another field, a flag,
/// or a number beside it in a field that is named as an index.
fn numbered(
    nodes: &ItemNodes<'_>,
    counted: &[Counted<'_>],
    (key, item): (Key, usize),
    typing: Typing,
) -> Vec<NumberedKey> {
    let mut flagged = nodes.options.iter().enumerate();
    let flagged = flagged.find(|(_, option)| option.flag == Some(true));
    let known = match key {
        Key::One(index) => Some(usize::from(index)),
        _ => flagged.map(|(index, _)| index),
    };
    let by_index = counted
        .iter()
        .find(|(field, ..)| field.is_index())
        .and_then(|(_, number, ..)| usize::try_from(*number).ok());
    // A number in quotation marks is a text, if it is the whole text of an option.
    let is_whole = |number: i64, text: Option<u16>| {
        let option = text.and_then(|text| nodes.options.get(usize::from(text)));
        let node = option.and_then(|option| option.text);
        node.is_some_and(|node| match node.as_str() {
            Some(written) => written.trim() == number.to_string(),
            None => node.as_i64() == Some(number),
        })
    };
    let is_truth = are_true_and_false(nodes);
    let all = counted
        .iter()
        .map(|(field, number, text, label)| NumberedKey {
            item,
            field: field.name(),
            is_index: field.is_index(),
            number: *number,
            options: nodes.options.len(),
            known: known.or(by_index.filter(|_| !field.is_index())),
            text: *text,
            label: *label,
            is_weak: matches!(field.role, Role::WeakKey | Role::Solution),
            is_string: typing == Typing::Typed
                && field.value.kind() == Kind::String
                && is_whole(*number, *text),
            is_truth,
        });
    all.collect()
}

/// Whether the options are *yes* and *no*, in this order.
fn are_true_and_false(nodes: &ItemNodes<'_>) -> bool {
    let is = |option: &OptionNodes<'_>, words: &[&str]| {
        let text = option.text.and_then(Node::as_str).unwrap_or_default();
        words.contains(&text.trim().to_lowercase().as_str())
    };
    matches!(&nodes.options[..], [first, second]
        if is(first, names::yes()) && is(second, names::no()))
}

fn is_key(name: &str) -> bool {
    names::role(name).is_some_and(|(role, _)| matches!(role, Role::Key | Role::WeakKey))
}
