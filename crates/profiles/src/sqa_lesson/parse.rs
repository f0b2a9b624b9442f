//! Cutting a Scottish lesson template: `meta`, then one component a card, by the
//! card's own id. Rubrics are accepted in the check for understanding and on the
//! card; options as strings and as objects.

use redraft_core::content::{ComponentKind, Document, DocumentBuilder, TextRole};
use redraft_core::reading::{Form, Raw};
use redraft_text::json::{Json, Kind, Node};
use redraft_text::language::Language;

use crate::fields::{FieldReader, first_of, id_text};

pub(super) fn recognises(raw: &Raw) -> bool {
    let Form::Json(json) = &raw.form else {
        return false;
    };
    json.root()
        .and_then(|root| root.get("cards"))
        .is_some_and(|cards| {
            cards.kind() == Kind::Array
                && cards.items().next().is_none_or(|card| {
                    ["cfu", "explainer", "explainer_plain"]
                        .iter()
                        .any(|field| card.get(field).is_some())
                })
        })
}

pub(super) fn parse(raw: Raw, language: Option<Language>) -> Document {
    let Form::Json(json) = &raw.form else {
        // Named by the user, but it is no JSON: one text, so that the shared
        // checks and the reading findings still say what is wrong.
        return crate::lesson::parse_markdown(raw, language);
    };
    let mut reader = FieldReader::new(&raw, "sqa-template", span_of(json));
    if let Some(root) = json.root() {
        read(&mut reader, root);
    }
    reader.finish(language)
}

fn span_of(json: &Json) -> std::ops::Range<usize> {
    json.root().map_or(0..0, Node::span)
}

fn read(reader: &mut FieldReader, root: Node<'_>) {
    let title = first_of(root, &["title", "label"]);
    reader.title(title);
    let cards = root.get("cards");
    // Whatever stands before the cards is about the template as a whole.
    let meta_end = cards.map_or(root.span().end, |cards| cards.span().start);
    let meta = reader.component(
        "meta",
        ComponentKind::Meta,
        title,
        root.span().start..meta_end,
    );
    reader.text(meta, TextRole::Title, title);
    if let Some(policy) = root.get("policy") {
        reader.text(meta, TextRole::Short, policy.get("assessment_notes"));
    }
    for (index, card) in reader.list(cards).into_iter().enumerate() {
        read_card(reader, index, card);
    }
}

fn read_card(reader: &mut FieldReader, index: usize, card: Node<'_>) {
    let id = card
        .get("id")
        .and_then(id_text)
        .unwrap_or_else(|| format!("card_{:03}", index + 1));
    let component = reader.child(
        DocumentBuilder::WHOLE,
        id,
        ComponentKind::Card,
        card.get("title"),
        card.span(),
    );
    reader.text(component, TextRole::Title, card.get("title"));
    reader.text(component, TextRole::Body, card.get("explainer"));
    reader.text(component, TextRole::Body, card.get("explainer_plain"));
    if let Some(cfu) = card.get("cfu") {
        read_cfu(reader, component, cfu);
    }
    read_rubric(reader, component, card.get("rubric"));
    for misconception in reader.list(card.get("misconceptions")) {
        reader.text(
            component,
            TextRole::Short,
            misconception.get("misconception"),
        );
        reader.text(
            component,
            TextRole::Short,
            misconception.get("clarification"),
        );
    }
    reader.text(component, TextRole::Short, card.get("context_hooks"));
}

/// A check for understanding; collections and parts hold further ones.
fn read_cfu(reader: &mut FieldReader, component: usize, cfu: Node<'_>) {
    let mut open = vec![cfu];
    while let Some(cfu) = open.pop() {
        for field in ["stem", "question", "prompt", "context"] {
            reader.text(component, TextRole::Short, cfu.get(field));
        }
        for field in [
            "options",
            "hints",
            "answer",
            "explanation",
            "feedback",
            "model_answer",
        ] {
            reader.text(component, TextRole::Short, cfu.get(field));
        }
        read_rubric(reader, component, cfu.get("rubric"));
        for field in ["parts", "cfus", "questions", "items"] {
            open.extend(reader.list(cfu.get(field)));
        }
    }
}

fn read_rubric(reader: &mut FieldReader, component: usize, rubric: Option<Node<'_>>) {
    let Some(rubric) = rubric.filter(|rubric| rubric.kind() == Kind::Object) else {
        return;
    };
    for criterion in reader.list(rubric.get("criteria")) {
        reader.text(component, TextRole::Short, criterion.get("description"));
    }
}
