//! Changes of slots as the delta judge sees them: a list or value before and after.

use std::collections::BTreeSet;

use redraft_text::json::{Kind, Node};

use crate::request::Change;
use crate::structure::{Slot, find, read};
use redraft_gate::content::Document;

/// The slots that differ between two versions, and their paths. If only the text of an entry was
/// edited, that is a text edit and not included.
#[must_use]
pub fn structured_changes(
    before: (&Document, &[Slot]),
    after: (&Document, &[Slot]),
) -> (Vec<Change>, Vec<String>) {
    let slots: BTreeSet<&str> = before
        .1
        .iter()
        .chain(after.1)
        .map(|slot| slot.path.as_str())
        .collect();
    if slots.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let (Some(old), Some(new)) = (read(before.0), read(after.0)) else {
        return (Vec::new(), Vec::new());
    };
    let (old_texts, new_texts) = (texts(before.0), texts(after.0));
    let none = BTreeSet::new();
    let mut changes = Vec::new();
    let mut changed = Vec::new();
    for path in slots {
        let was = old.root().and_then(|root| find(root, path));
        let is = new.root().and_then(|root| find(root, path));
        let frame = |node: Option<Node<'_>>, texts| node.map(|node| shown(node, texts));
        if frame(was, &old_texts) == frame(is, &new_texts) {
            continue;
        }
        let line = |node: Option<Node<'_>>| match node {
            Some(node) => format!("{path}:{}", shown(node, &none)),
            None => format!("{path}: none"),
        };
        changes.push(Change {
            before: line(was),
            after: line(is),
        });
        changed.push(path.to_owned());
    }
    (changes, changed)
}

/// The paths of a document's texts.
fn texts(document: &Document) -> BTreeSet<&str> {
    document.texts().iter().map(|field| &*field.path).collect()
}

/// A value with one entry per line, without these texts.
fn shown(node: Node<'_>, without: &BTreeSet<&str>) -> String {
    match node.kind() {
        Kind::Array => node
            .items()
            .map(|item| format!("\n- {}", one(item, without)))
            .collect(),
        _ => format!(" {}", one(node, without)),
    }
}

fn one(node: Node<'_>, without: &BTreeSet<&str>) -> String {
    match node.kind() {
        Kind::String if without.contains(node.path().as_str()) => "…".to_owned(),
        Kind::String => node.as_str().unwrap_or_default().replace('\n', " "),
        Kind::Number => node
            .as_f64()
            .map(|number| number.to_string())
            .unwrap_or_default(),
        Kind::Bool => node.as_bool().unwrap_or_default().to_string(),
        Kind::Object => {
            let members = node.members();
            let members =
                members.map(|(key, value)| format!("{}: {}", key.text, one(value, without)));
            members.collect::<Vec<_>>().join("; ")
        }
        Kind::Array => {
            let items: Vec<String> = node.items().map(|item| one(item, without)).collect();
            items.join(", ")
        }
        Kind::Null | Kind::Invalid => "none".to_owned(),
    }
}
