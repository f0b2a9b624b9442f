//! Where the items of a bank are: a list, or a list in an object such as
//! `{"quiz": {"questions": […]}}`. Says nothing about single items.

use redraft_text::json::{Kind, Node};

use super::names;
use super::read;

/// How deep a list may be.
const DEEP: usize = 4;

pub(super) fn is_item(node: Node<'_>) -> bool {
    node.kind() == Kind::Object && read::item(node).is_item()
}

/// The values of a bank's list, or of its lists; `None` if there is no list with an item.
pub(super) fn of(root: Node<'_>) -> Option<Vec<Node<'_>>> {
    match root.kind() {
        Kind::Array => of_array(root, 0),
        Kind::Object if is_lesson(root) => old_names(root),
        Kind::Object => of_object(root, 0),
        _ => None,
    }
}

fn of_array(list: Node<'_>, depth: usize) -> Option<Vec<Node<'_>>> {
    if list.items().any(is_item) {
        return Some(list.items().collect());
    }
    if depth >= DEEP {
        return None;
    }
    // `[{"topic": "…", "questions": […]}, …]`
    let lists: Vec<Node<'_>> = list
        .items()
        .filter(|node| node.kind() == Kind::Object)
        .filter_map(|node| of_object(node, depth + 1))
        .flatten()
        .collect();
    Some(lists).filter(|lists| !lists.is_empty())
}

fn of_object(object: Node<'_>, depth: usize) -> Option<Vec<Node<'_>>> {
    let is_list = |name: &str| names::is_one_of(name, names::lists()).is_some();
    // A list of items counts by whatever name (`"easy"`, `"hard"`): no item stays unread.
    let lists: Vec<Vec<Node<'_>>> = object
        .members()
        .filter_map(|(name, value)| match value.kind() {
            Kind::Array if is_list(&name.text) => of_array(value, depth + 1),
            Kind::Array if value.items().any(is_item) => Some(value.items().collect()),
            // `{"status": "ok", "data": {"question": …}}`
            Kind::Object if is_list(&name.text) && is_item(value) => Some(vec![value]),
            Kind::Object if is_list(&name.text) && depth < DEEP => of_object(value, depth + 1),
            _ => None,
        })
        .collect();
    match lists.is_empty() {
        true => of_map(object),
        false => Some(lists.concat()),
    }
}

/// `{"q1": {…}, "q2": {…}}`: every value is an item.
fn of_map(object: Node<'_>) -> Option<Vec<Node<'_>>> {
    let mut values = object.members().map(|(_, value)| value);
    let is_map = object.members().next().is_some() && values.all(is_item);
    is_map.then(|| object.members().map(|(_, value)| value).collect())
}

/// A lesson may hold a quiz and is still a lesson.
fn is_lesson(root: Node<'_>) -> bool {
    let has = |name| root.get(name).is_some();
    let has_text = |section: Node<'_>| {
        ["content", "text", "body"].iter().any(|name| {
            section
                .get(name)
                .is_some_and(|text| text.kind() == Kind::String)
        })
    };
    let sections = root.get("sections");
    has("intro")
        || has("introduction")
        || sections.is_some_and(|sections| sections.items().any(has_text))
        || root.get("content").is_some_and(|content| {
            content.get("sections").is_some() || content.get("intro").is_some()
        })
}

fn old_names(root: Node<'_>) -> Option<Vec<Node<'_>>> {
    ["items", "questions"]
        .iter()
        .filter_map(|name| root.get(name))
        .find(|list| list.kind() == Kind::Array && list.items().any(is_item))
        .map(|list| list.items().collect())
}
