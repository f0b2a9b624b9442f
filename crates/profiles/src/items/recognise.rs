//! Whether content is an item or a bank of them, of medicine or of any subject, and what of
//! an item is in content that is none. Builds nothing; `parse` does.

use redraft_gate::reading::{Form, Raw, Shape as AnswerShape};
use redraft_text::json::{Json, Kind, Node};

use super::lists::{self, is_item};
use super::names::{self, Role};
use super::read;

/// Items of a bank that are looked at to recognise what it is.
const LOOKED_AT: usize = 200;

pub(super) fn recognises(raw: &Raw) -> bool {
    match &raw.form {
        Form::Markdown(_) => false,
        Form::Json(json) => shape_of(json).is_some(),
        Form::JsonLines(values) => {
            // A bank in a format of its own is one, also without a whole question.
            raw.kind.bank_format().is_some()
                || values.iter().any(|value| value.root().is_some_and(is_item))
        }
    }
}

/// An item, or a bank of them. An item that was cut off may lack its options.
pub(super) fn shape_of(value: &Json) -> Option<AnswerShape> {
    let root = value.root()?;
    match root.kind() {
        _ if is_item(root) => Some(AnswerShape::OfABank),
        _ if lists::of(root).is_some() => Some(AnswerShape::Alone),
        _ => (!value.complete() && begins_item(root)).then_some(AnswerShape::OfABank),
    }
}

/// Whether an item, or one of a bank, says that it is about medicine.
pub(super) fn is_clinical(raw: &Raw) -> bool {
    match &raw.form {
        Form::Markdown(_) => false,
        Form::Json(json) => json.root().is_some_and(|root| match lists::of(root) {
            Some(list) if !is_item(root) => list.into_iter().take(LOOKED_AT).any(says_medicine),
            _ => says_medicine(root),
        }),
        Form::JsonLines(values) => {
            let mut first = values.iter().take(LOOKED_AT);
            first.any(|value| value.root().is_some_and(says_medicine))
        }
    }
}

fn says_medicine(item: Node<'_>) -> bool {
    let says = |object: Node<'_>| {
        object.members().any(|(name, value)| {
            let is_subject = || {
                let name = names::plain(&name.text);
                matches!(name.as_str(), "subject" | "subjectname" | "discipline")
            };
            let is_medical = || value.as_str().is_some_and(names::is_medical);
            value.kind() != Kind::Null
                && (names::is_clinical(&name.text) || is_subject() && is_medical())
        })
    };
    // Seed 004's own shape: flagged options under `distractors`.
    let is_seeds = || {
        let options = item.get("distractors");
        options.is_some_and(|list| list.items().any(|option| option.get("isCorrect").is_some()))
    };
    item.kind() == Kind::Object
        && (says(item) || item.get("metadata").is_some_and(says) || is_seeds())
}

/// The part of an item that was found in content without a whole one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fragment {
    /// A question in this field, but no options.
    Question(String),
    /// Options in this field, but no question.
    Options(String),
}

/// What of an item is in content that is none, for a message.
#[must_use]
pub fn fragment(raw: &Raw) -> Option<Fragment> {
    let of = |json: &Json| {
        let root = json.root()?;
        let list = root
            .members()
            .find(|(_, value)| value.kind() == Kind::Array);
        let list = list.map_or(root, |(_, list)| list);
        fragment_of(root).or_else(|| list.items().find_map(fragment_of))
    };
    match &raw.form {
        Form::Markdown(_) => None,
        Form::Json(json) => of(json),
        Form::JsonLines(values) => values.first().and_then(|first| of(&first)),
    }
}

fn fragment_of(node: Node<'_>) -> Option<Fragment> {
    let item = read::item(node);
    let name = |node: Node<'_>| node.key().map(|name| name.text.to_string());
    match (item.stem, item.layout.list) {
        (Some(stem), None) => name(stem).map(Fragment::Question),
        (None, Some(list)) => name(list).map(Fragment::Options),
        _ => None,
    }
}

/// Whether anything in the content looks like an item, also like a broken one.
pub(super) fn has_items(raw: &Raw) -> bool {
    let has = |root: Node<'_>| {
        let list = ["items", "questions"]
            .iter()
            .find_map(|name| root.get(name));
        is_like_item(root)
            || list.unwrap_or(root).items().any(is_like_item)
            || lists::of(root).is_some()
    };
    match &raw.form {
        Form::Markdown(_) => false,
        Form::Json(json) => json.root().is_some_and(has),
        Form::JsonLines(values) => {
            raw.kind.bank_format().is_some()
                || values.iter().any(|value| value.root().is_some_and(has))
        }
    }
}

/// Whether an object has a field that only items have.
fn is_like_item(object: Node<'_>) -> bool {
    object.members().any(|(name, value)| {
        let role = names::role(&name.text).map(|(role, _)| role);
        let is_its = matches!(
            role,
            Some(Role::Vignette | Role::Stem | Role::Options | Role::Explanation)
        );
        is_its && value.kind() != Kind::Null
    })
}

/// Whether an object begins as an item does, with a case or a question.
fn begins_item(node: Node<'_>) -> bool {
    ["vignette", "clinical_vignette", "case", "scenario", "stem"]
        .iter()
        .any(|name| {
            node.get(name)
                .is_some_and(|value| value.kind() != Kind::Null)
        })
}
