//! Reads new list entries from the text of an operation.
//!
//! A list of texts has one entry per line. An entry with several fields has one line `name: value`
//! per field; a name that it already has starts the next entry.

use std::collections::BTreeSet;

use redraft_text::json::{self, Node};
use redraft_text::{framing, wrappers};

use super::{Entries, FieldKind, Slot, Texts, Value};
use crate::complaint::{Complaint, ComplaintKind, quoted};

fn rejected(message: impl Into<String>) -> Complaint {
    Complaint::new(ComplaintKind::NotAllowed, message)
}

/// What the file already contains.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The texts of the list.
    texts: BTreeSet<String>,
    /// All ids of the file.
    ids: BTreeSet<String>,
}

impl Known {
    pub(super) fn of(root: Node<'_>, items: &[Node<'_>]) -> Self {
        let mut ids = BTreeSet::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            open.extend(node.items());
            for (key, value) in node.members() {
                if key.text == "id" {
                    ids.extend(value.as_str().map(str::to_owned));
                }
                open.push(value);
            }
        }
        let texts = items.iter().flat_map(|item| {
            let inside = item.members().map(|(_, value)| value);
            std::iter::once(*item)
                .chain(inside)
                .filter_map(Node::as_str)
        });
        Self {
            texts: texts.map(folded).collect(),
            ids,
        }
    }

    fn add(&mut self, slot: &Slot, text: &str) -> Result<(), Complaint> {
        if self.texts.insert(folded(text)) {
            return Ok(());
        }
        Err(rejected(format!(
            "{} is in `{}` already",
            quoted(text),
            slot.path
        )))
    }
}

fn folded(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// New texts, one per line.
pub(super) fn new_texts(
    slot: &Slot,
    texts: &Texts,
    body: &str,
    known: &mut Known,
) -> Result<Vec<Value>, Complaint> {
    let lines: Vec<&str> = body
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    if lines.is_empty() {
        return Err(empty(slot));
    }
    let lines = without_bullets(lines);
    let mut found = Vec::new();
    for line in lines {
        let text = plain(slot, line)?;
        is_allowed(slot, texts, &text)?;
        known.add(slot, &text)?;
        found.push(Value::Text(text));
    }
    Ok(found)
}

/// The text that replaces another one.
pub(super) fn one_text(
    slot: &Slot,
    texts: &Texts,
    body: &str,
    known: &mut Known,
) -> Result<String, Complaint> {
    let text = plain(slot, body.trim())?;
    is_allowed(slot, texts, &text)?;
    known.add(slot, &text)?;
    Ok(text)
}

fn is_allowed(slot: &Slot, texts: &Texts, text: &str) -> Result<(), Complaint> {
    match &texts.allowed {
        Some(allowed) if !allowed.iter().any(|one| one == text) => Err(rejected(format!(
            "{} is not one of those that `{}` may have: {}",
            quoted(text),
            slot.path,
            allowed.join(", ")
        ))),
        _ => Ok(()),
    }
}

/// New entries of several fields.
pub(super) fn new_entries(
    slot: &Slot,
    entries: &Entries,
    body: &str,
    known: &mut Known,
) -> Result<Vec<Value>, Complaint> {
    let mut found = Vec::new();
    for mut fields in split(slot, entries, body)? {
        if let Some(missing) = entries
            .fields
            .iter()
            .find(|field| !fields.iter().any(|(name, _)| *name == field.name))
        {
            return Err(rejected(format!(
                "a new entry of `{}` needs `{}`; write a line `{}: …`",
                slot.path, missing.name, missing.name
            )));
        }
        for (_, value) in &fields {
            if let Value::Text(text) = value {
                known.add(slot, text)?;
            }
        }
        fields.sort_by_key(|(name, _)| entries.fields.iter().position(|field| field.name == *name));
        if let Some(ids) = &entries.ids {
            let fresh = (1..)
                .map(|number: u32| format!("{}{number:0width$}", ids.prefix, width = ids.width))
                .find(|id| !known.ids.contains(id))
                .unwrap_or_default();
            known.ids.insert(fresh.clone());
            fields.insert(0, (ids.field.clone(), Value::Text(fresh)));
        }
        found.push(Value::Object(fields));
    }
    Ok(found)
}

/// The fields that replace those of one entry.
pub(super) fn fields(
    slot: &Slot,
    entries: &Entries,
    body: &str,
) -> Result<Vec<(String, Value)>, Complaint> {
    match split(slot, entries, body)?.as_slice() {
        [one] => Ok(one.clone()),
        many => Err(rejected(format!(
            "{} entries replace one of `{}`; replace one by one, and ADD the others",
            many.len(),
            slot.path
        ))),
    }
}

type Fields = Vec<(String, Value)>;

fn split(slot: &Slot, entries: &Entries, body: &str) -> Result<Vec<Fields>, Complaint> {
    if body.trim().is_empty() {
        return Err(empty(slot));
    }
    let mut written: Vec<Vec<(String, String)>> = Vec::new();
    for line in body.lines().map(str::trim) {
        let bare = line.strip_prefix("- ").unwrap_or(line);
        if let Some((name, words)) = named(entries, bare) {
            let is_new = written
                .last()
                .is_none_or(|fields| fields.iter().any(|(other, _)| *other == name));
            if is_new {
                written.push(Vec::new());
            }
            if let Some(fields) = written.last_mut() {
                fields.push((name, words.to_owned()));
            }
        } else if let Some((_, words)) = written.last_mut().and_then(|fields| fields.last_mut()) {
            if !bare.is_empty() {
                words.push('\n');
                words.push_str(bare);
            }
        } else if !bare.is_empty() {
            let names: Vec<&str> = entries
                .fields
                .iter()
                .map(|field| field.name.as_str())
                .collect();
            return Err(rejected(format!(
                "{} names no field of `{}`; its entries have lines `{}: …`",
                quoted(bare),
                slot.path,
                names.join(": …` and `")
            )));
        }
    }
    let read = |fields: Vec<(String, String)>| -> Result<Fields, Complaint> {
        fields
            .into_iter()
            .map(|(name, words)| {
                let kind = entries.fields.iter().find(|field| field.name == name);
                let value = match kind.map(|field| field.kind) {
                    Some(FieldKind::Number) => number(&words, &slot.path)?,
                    _ => Value::Text(plain(slot, words.trim())?),
                };
                Ok((name, value))
            })
            .collect()
    };
    written.into_iter().map(read).collect()
}

/// The field that a line names, and the value after it.
fn named<'l>(entries: &Entries, line: &'l str) -> Option<(String, &'l str)> {
    let (name, words) = line.split_once(':')?;
    let name = name.trim().trim_matches(['*', '`', '"']);
    let field = entries
        .fields
        .iter()
        .find(|field| field.name.eq_ignore_ascii_case(name))?;
    Some((field.name.clone(), words.trim()))
}

/// A number above zero, with or without a word for points after it.
pub(super) fn number(words: &str, path: &str) -> Result<Value, Complaint> {
    let bare = words.trim().trim_end_matches(|c: char| {
        c.is_alphabetic() || c.is_whitespace() || matches!(c, '(' | ')')
    });
    let is_plain = bare.chars().all(|c| c.is_ascii_digit() || c == '.');
    match bare.parse::<f64>() {
        Ok(number) if is_plain && number > 0.0 && number.is_finite() => {
            Ok(Value::Number(number.to_string()))
        }
        _ => Err(rejected(format!(
            "{} in `{path}` is not a number above zero",
            quoted(words)
        ))),
    }
}

/// The number in a field of a new entry.
pub(super) fn number_of(value: &Value, name: &str) -> Option<f64> {
    let Value::Object(members) = value else {
        return None;
    };
    members.iter().find_map(|(key, value)| match value {
        Value::Number(number) if key == name => number.parse().ok(),
        _ => None,
    })
}

/// The plain text of an entry; rejects anything else.
fn plain(slot: &Slot, words: &str) -> Result<String, Complaint> {
    let words = match words
        .strip_prefix('"')
        .and_then(|words| words.strip_suffix('"'))
    {
        Some(inner) if !inner.contains('"') => inner.trim(),
        _ => words.trim(),
    };
    if !words.contains(char::is_alphanumeric) {
        return Err(empty(slot));
    }
    let is_json = words.starts_with(['{', '[']) && {
        let value = json::scan(words, 0..words.len());
        value.complete() && value.end == words.len()
    };
    if is_json {
        return Err(rejected(format!(
            "{} is JSON; write the words of the entry alone",
            quoted(words)
        )));
    }
    let is_framed = framing::any_opening(words).is_some_and(|found| found.range.end >= words.len())
        || words.contains("<redraft:")
        || wrappers::whole_block(words).is_some();
    if is_framed {
        return Err(rejected(format!(
            "{} is about the answer and not an entry of `{}`",
            quoted(words),
            slot.path
        )));
    }
    Ok(words.to_owned())
}

/// Removes bullets or numbers if every line has them.
fn without_bullets(lines: Vec<&str>) -> Vec<&str> {
    let bullet = |line: &&str| line.starts_with("- ") || line.starts_with("* ");
    if lines.iter().all(bullet) {
        return lines
            .iter()
            .filter_map(|line| line.get(2..))
            .map(str::trim)
            .collect();
    }
    let numbered: Option<Vec<&str>> = lines
        .iter()
        .enumerate()
        .map(|(index, line)| {
            let rest = line.strip_prefix(&(index + 1).to_string())?;
            rest.strip_prefix(['.', ')']).map(str::trim)
        })
        .collect();
    numbered.unwrap_or(lines)
}

fn empty(slot: &Slot) -> Complaint {
    rejected(format!(
        "an entry of `{}` is empty; write its words",
        slot.path
    ))
}
