//! Single values of a template, each with its range: texts, codes, numbers, truth
//! values. A value of the wrong type is absent. Knows no fields.

use redraft_text::json::{Kind, Node};

use crate::fields::{first_of, id_text};
use crate::sqa_lesson::model::{Listed, Text, Written};

pub(super) fn string(node: Node<'_>) -> Option<Text> {
    Some(Written {
        value: node.as_str()?.to_owned(),
        range: node.span(),
    })
}

/// An id as text; files write ids as texts and as numbers.
pub(super) fn id_string(node: Node<'_>) -> Option<Text> {
    Some(Written {
        value: id_text(node)?,
        range: node.span(),
    })
}

pub(super) fn id_or_number(node: Node<'_>) -> Option<Text> {
    string(node).or_else(|| {
        Some(Written {
            value: node.as_f64()?.to_string(),
            range: node.span(),
        })
    })
}

/// The strings of a list; a single string is a list of one.
pub(super) fn texts(node: Option<Node<'_>>) -> Listed<Text> {
    let single = node.and_then(string);
    let items = node.into_iter().flat_map(Node::items).filter_map(string);
    Listed {
        range: node.map(Node::span),
        items: single.into_iter().chain(items).collect(),
    }
}

/// The codes in a list: texts, numbers, or objects that contain a code.
pub(super) fn codes(node: Option<Node<'_>>) -> Listed<Text> {
    let items = node
        .into_iter()
        .flat_map(Node::items)
        .filter_map(|item| match item.kind() {
            Kind::Object => first_of(item, &["code", "id", "unit"]).and_then(id_string),
            Kind::Number => id_or_number(item),
            _ => id_string(item),
        })
        .collect();
    Listed {
        range: node.map(Node::span),
        items,
    }
}

/// A number, or a number in quotes.
pub(super) fn number(node: Node<'_>) -> Option<Written<f64>> {
    let value = node
        .as_f64()
        .or_else(|| node.as_str()?.trim().parse().ok())
        .filter(|value: &f64| value.is_finite())?;
    Some(Written {
        value,
        range: node.span(),
    })
}

/// A whole number, or one in quotes.
pub(super) fn whole(node: Node<'_>) -> Option<Written<i64>> {
    let value = node
        .as_i64()
        .or_else(|| node.as_str()?.trim().parse().ok())?;
    Some(Written {
        value,
        range: node.span(),
    })
}

pub(super) fn truth(node: Node<'_>) -> Option<Written<bool>> {
    Some(Written {
        value: node.as_bool()?,
        range: node.span(),
    })
}
