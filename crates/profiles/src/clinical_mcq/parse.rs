//! Cutting multiple-choice items in the three shapes in use, alone or as a bank.
//!
//! | shape | vignette | stem | options | key | explanation |
//! |---|---|---|---|---|---|
//! | `distractors` | text | text | `distractors[].text` | `answerKey` | `explanation` |
//! | `options-keyed` | text | text | `options[].text` | `correct_answer` | `rationale` |
//! | `options-labelled` | object | `{text, lead_in}` | `options[].text` | `is_correct` | `rationale{…}` |
//!
//! Plain quizzes name the stem `question` and may give options as an object from
//! letters to texts. The components of a bank's items carry the item's id.

use redraft_core::content::{ComponentKind, Document, DocumentBuilder, TextRole};
use redraft_core::reading::{Form, Raw};
use redraft_text::json::{Json, Kind, Node};
use redraft_text::language::Language;

use crate::fields::{FieldReader, first_of, id_text};

pub(super) fn recognises(raw: &Raw) -> bool {
    match &raw.form {
        Form::Markdown(_) => false,
        Form::Json(json) => json.root().is_some_and(|root| match root.kind() {
            Kind::Array => root.items().next().is_some_and(is_item),
            _ => is_item(root) || bank_items(root).is_some(),
        }),
        Form::JsonLines(values) => values.iter().find_map(Json::root).is_some_and(is_item),
    }
}

pub(super) fn parse(raw: Raw, language: Option<Language>) -> Document {
    match &raw.form {
        Form::Markdown(_) => crate::lesson::parse_markdown(raw, language),
        Form::Json(json) => {
            let Some(root) = json.root() else {
                return FieldReader::new(&raw, "empty", 0..0).finish(language);
            };
            let items: Option<Vec<Node<'_>>> = match root.kind() {
                Kind::Array => Some(root.items().collect()),
                _ => bank_items(root).map(|items| items.items().collect()),
            };
            match items {
                Some(items) => bank(&raw, &items, root.span(), language),
                None => {
                    let mut reader = FieldReader::new(&raw, shape(root), root.span());
                    item(&mut reader, root, DocumentBuilder::WHOLE, "");
                    reader.finish(language)
                }
            }
        }
        Form::JsonLines(values) => {
            let items: Vec<Node<'_>> = values.iter().filter_map(Json::root).collect();
            let end = raw.source.text().len();
            bank(&raw, &items, 0..end, language)
        }
    }
}

fn is_item(node: Node<'_>) -> bool {
    let has = |names: &[&str]| first_of(node, names).is_some();
    has(&["options", "distractors", "choices"]) && has(&["stem", "question", "vignette", "lead_in"])
}

/// The items of a bank that is an object around a list.
fn bank_items(root: Node<'_>) -> Option<Node<'_>> {
    ["items", "questions"]
        .iter()
        .filter_map(|name| root.get(name))
        .find(|items| items.kind() == Kind::Array && items.items().next().is_some_and(is_item))
}

fn shape(item: Node<'_>) -> &'static str {
    if item.get("distractors").is_some() {
        "distractors"
    } else if item
        .get("stem")
        .is_some_and(|stem| stem.kind() == Kind::Object)
        || item
            .get("vignette")
            .is_some_and(|vignette| vignette.kind() == Kind::Object)
    {
        "options-labelled"
    } else {
        "options-keyed"
    }
}

fn bank(
    raw: &Raw,
    items: &[Node<'_>],
    span: std::ops::Range<usize>,
    language: Option<Language>,
) -> Document {
    let mut reader = FieldReader::new(raw, "bank", span);
    for (index, node) in items.iter().enumerate() {
        let id = node
            .get("id")
            .and_then(id_text)
            .unwrap_or_else(|| format!("item_{}", index + 1));
        let component = reader.component(id.clone(), ComponentKind::Item, None, node.span());
        if node.kind() == Kind::Object {
            item(&mut reader, *node, component, &format!("{id}/"));
        } else {
            reader.odd(*node, "an item");
        }
    }
    reader.finish(language)
}

fn item(reader: &mut FieldReader, item: Node<'_>, parent: usize, prefix: &str) {
    let parts: [(&str, ComponentKind, &[&str]); 4] = [
        ("vignette", ComponentKind::Vignette, &["vignette"]),
        (
            "stem",
            ComponentKind::Stem,
            &["stem", "question", "lead_in"],
        ),
        (
            "options",
            ComponentKind::Options,
            &["distractors", "options", "choices"],
        ),
        (
            "explanation",
            ComponentKind::Explanation,
            &["explanation", "rationale"],
        ),
    ];
    for (name, kind, fields) in parts {
        let Some(node) = first_of(item, fields) else {
            continue;
        };
        let component = reader.child(parent, format!("{prefix}{name}"), kind, None, node.span());
        let role = match kind {
            ComponentKind::Vignette | ComponentKind::Explanation => TextRole::Body,
            _ => TextRole::Short,
        };
        match (kind, node.kind()) {
            (ComponentKind::Options, _) => options(reader, component, node),
            (_, Kind::Object) => {
                for (_, value) in node.members() {
                    reader.text(component, role, Some(value));
                }
            }
            _ => reader.text(component, role, Some(node)),
        }
    }
    let key = first_of(
        item,
        &[
            "answerKey",
            "correct_answer",
            "answer",
            "answer_key",
            "correctAnswer",
        ],
    );
    if let Some(key) = key {
        reader.child(
            parent,
            format!("{prefix}answer_key"),
            ComponentKind::AnswerKey,
            None,
            key.span(),
        );
    }
}

fn options(reader: &mut FieldReader, component: usize, node: Node<'_>) {
    match node.kind() {
        Kind::Object => {
            for (_, text) in node.members() {
                reader.text(component, TextRole::Short, Some(text));
            }
        }
        _ => {
            for option in reader.list(Some(node)) {
                if option.kind() == Kind::Object {
                    for field in ["text", "explanation", "reasoning", "rationale", "feedback"] {
                        reader.text(component, TextRole::Short, option.get(field));
                    }
                } else {
                    reader.text(component, TextRole::Short, Some(option));
                }
            }
        }
    }
}
