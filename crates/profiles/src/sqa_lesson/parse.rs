//! Parses a Scottish lesson template in one pass: a component `meta`, one component
//! per card under the card's own id, and the model that the checks read. Accepts
//! rubrics in the check for understanding and on the card, options as strings and
//! as objects, questions with subquestions and in collections.

use std::ops::Range;

use redraft_gate::content::{ComponentKind, Document, DocumentBuilder, TextRole};
use redraft_gate::reading::{Form, Raw};
use redraft_text::json::{Json, Kind, Node};
use redraft_text::language::Language;

use super::model::{
    Answer, Card, Cfu, CfuKind, Choice, ChoiceForm, Criterion, Key, LessonType, Listed,
    Misconception, Rubric, Template, Written,
};
use super::roles::Role;
use crate::companions::calculator_section;
use crate::fields::{self, FieldReader, first_of, id_text};
use values::{codes, id_or_number, id_string, number, string, texts, truth, whole};

const EXPECTED: &str = "lesson cards";

pub(super) fn recognises(raw: &Raw) -> bool {
    let Form::Json(json) = &raw.form else {
        return false;
    };
    is_template(json)
}

/// Whether a value is a template, or the beginning of one that was cut off before its
/// cards.
pub(super) fn is_template(value: &Json) -> bool {
    let Some(root) = value.root() else {
        return false;
    };
    let begins = ["lesson_type", "courseId", "sow_order"]
        .iter()
        .any(|name| root.get(name).is_some());
    if !value.complete() && begins && root.get("cards").is_none() {
        return true;
    }
    root.get("cards").is_some_and(|cards| {
        cards.kind() == Kind::Array
            && cards.items().next().is_none_or(|card| {
                ["cfu", "explainer", "explainer_plain"]
                    .iter()
                    .any(|field| card.get(field).is_some())
            })
    })
}

/// Whether the content has a list of cards, whatever the cards are like.
pub(super) fn has_cards(raw: &Raw) -> bool {
    match &raw.form {
        Form::Json(json) => json.root().is_some_and(|root| root.get("cards").is_some()),
        Form::Markdown(_) | Form::JsonLines(_) => false,
    }
}

pub(super) fn parse(mut raw: Raw, language: Option<Language>) -> Document {
    let Form::Json(json) = &raw.form else {
        // The user chose this profile, but the file is not JSON: read it as one text,
        // so that the shared checks and the reading findings still report problems.
        let nothing = fields::nothing(raw.source.text(), EXPECTED);
        raw.recovered.push(nothing);
        return crate::lesson::parse_markdown(raw, language);
    };
    let mut reader = FieldReader::new(&raw, "sqa-template", span_of(json));
    if json.root().and_then(|root| root.get("cards")).is_none() {
        reader.nothing(EXPECTED);
    }
    if let Some(root) = json.root() {
        let template = read(&mut reader, root);
        reader.model(template);
    }
    reader.finish(language)
}

fn span_of(json: &Json) -> Range<usize> {
    json.root().map_or(0..0, Node::span)
}

fn read(reader: &mut FieldReader, root: Node<'_>) -> Template {
    let title = first_of(root, &["title", "label"]);
    reader.title(title);
    let cards = root.get("cards");
    // Everything before the cards belongs to the template as a whole.
    let meta_end = cards.map_or(root.span().end, |cards| cards.span().start);
    let meta = reader.component(
        "meta",
        ComponentKind::Meta,
        title,
        root.span().start..meta_end,
    );
    reader.text(meta, TextRole::Title, title);
    let policy = root.get("policy");
    let notes = policy.and_then(|policy| policy.get("assessment_notes"));
    reader.text(meta, TextRole::Short, notes);
    Template {
        range: root.span(),
        course: root.get("courseId").and_then(id_string),
        title: title.and_then(string),
        lesson_type: root
            .get("lesson_type")
            .and_then(string)
            .map(|written| Written {
                value: LessonType::parse(&written.value),
                range: written.range,
            }),
        minutes: root.get("estMinutes").and_then(number),
        order: root.get("sow_order").and_then(whole),
        outcomes: codes(root.get("outcomeRefs")),
        standards: codes(root.get("assessmentStandardRefs")),
        engagement_tags: codes(root.get("engagement_tags")),
        calculator_allowed: policy.and_then(calculator),
        assessment_notes: notes.and_then(string),
        cards: reader
            .list(cards)
            .into_iter()
            .enumerate()
            .map(|(index, card)| read_card(reader, index, card))
            .collect(),
    }
}

/// Whether a calculator is allowed; `None` for a mixed section.
fn calculator(policy: Node<'_>) -> Option<Written<bool>> {
    if let Some(allowed) = policy.get("calculator_allowed").and_then(truth) {
        return Some(allowed);
    }
    let section = string(policy.get("calculator_section")?)?;
    let value = calculator_section(&section.value)?;
    Some(Written {
        value,
        range: section.range,
    })
}

fn read_card(reader: &mut FieldReader, index: usize, card: Node<'_>) -> Card {
    let written_id = card.get("id").and_then(id_text);
    let id = written_id
        .clone()
        .unwrap_or_else(|| format!("card_{:03}", index + 1));
    let component = reader.child(
        DocumentBuilder::WHOLE,
        id,
        ComponentKind::Card,
        card.get("title"),
        card.span(),
    );
    let mut text = |role, name: &str| {
        let node = card.get(name);
        reader.text(component, role, node);
        node.and_then(string)
    };
    let title = text(TextRole::Title, "title");
    let explainer = text(TextRole::Body, "explainer");
    let explainer_plain = text(TextRole::Body, "explainer_plain");
    let picture = first_of(
        card,
        &["diagram_description", "image_description", "alt_text"],
    );
    reader.text(component, TextRole::Short, picture);
    let mut cfus = Vec::new();
    for node in CFUS.iter().filter_map(|name| card.get(name)) {
        for cfu in questions(reader, node) {
            cfus.push(read_cfu(reader, component, cfu));
        }
    }
    let rubric = read_rubric(reader, component, card.get("rubric"));
    let misconceptions = read_misconceptions(reader, component, card.get("misconceptions"));
    let hooks = card.get("context_hooks");
    reader.text(component, TextRole::Short, hooks);
    let kind = first_of(card, &["card_type", "type"]).and_then(string);
    let role = kind
        .and_then(|kind| Role::of(Some(&kind.value.replace('_', " ")), None))
        .or_else(|| {
            let title = title.as_ref().map(|title| title.value.as_str());
            Role::of(title, written_id.as_deref())
        });
    Card {
        range: card.span(),
        number: index + 1,
        id: card.get("id").and_then(id_string),
        title,
        role,
        explainer,
        explainer_plain,
        picture: picture.and_then(string),
        cfus,
        rubric,
        misconceptions,
        context_hooks: texts(hooks),
        minutes: first_of(card, &["estMinutes", "minutes", "estimated_minutes"]).and_then(number),
    }
}

/// The fields with a card's checks for understanding.
const CFUS: &[&str] = &["cfu", "cfus"];

/// The fields with a question's subquestions.
const SUBQUESTIONS: &[&str] = &["parts", "cfus", "questions", "items"];

/// A question or a list of them.
fn questions<'a>(reader: &mut FieldReader, node: Node<'a>) -> Vec<Node<'a>> {
    match node.kind() {
        Kind::Object => vec![node],
        Kind::Array => node.items().collect(),
        Kind::Null => Vec::new(),
        _ => {
            reader.odd(node, "a question with its type and stem");
            Vec::new()
        }
    }
}

/// A check for understanding, with its subquestions.
fn read_cfu(reader: &mut FieldReader, component: usize, cfu: Node<'_>) -> Cfu {
    for field in ["stem", "question", "prompt", "context"] {
        reader.text(component, TextRole::Short, cfu.get(field));
    }
    let options = read_options(reader, component, cfu.get("options"));
    let hints = cfu.get("hints");
    reader.text(component, TextRole::Short, hints);
    let mut expected = Vec::new();
    for field in ["expected", "answer", "expected_answer", "correct_answer"] {
        read_answers(reader, component, cfu.get(field), &mut expected);
    }
    let mut explanations = Vec::new();
    for field in ["explanation", "feedback", "model_answer"] {
        reader.text(component, TextRole::Short, cfu.get(field));
        explanations.extend(cfu.get(field).and_then(string));
    }
    let indices = first_of(cfu, &["answerIndices", "answer_indices"]);
    let keys = first_of(cfu, &["answerIndex", "answer_index", "correctIndex"])
        .into_iter()
        .chain(indices.into_iter().flat_map(Node::items))
        .map(key)
        .collect();
    let rubric = read_rubric(reader, component, cfu.get("rubric"));
    let kind_written = cfu.get("type").and_then(string);
    let mut subquestions = Vec::new();
    for node in SUBQUESTIONS.iter().filter_map(|name| cfu.get(name)) {
        for subquestion in reader.list(Some(node)) {
            subquestions.push(read_cfu(reader, component, subquestion));
        }
    }
    Cfu {
        range: cfu.span(),
        kind: kind_written
            .as_ref()
            .map_or(CfuKind::Other, |written| CfuKind::parse(&written.value)),
        kind_written,
        id: cfu.get("id").and_then(id_string),
        stem: first_of(cfu, &["stem", "question", "prompt"]).and_then(string),
        context: cfu.get("context").and_then(string),
        options,
        keys,
        indices_range: indices.map(Node::span),
        multi_select: first_of(cfu, &["multiSelect", "multi_select"]).and_then(truth),
        expected,
        tolerance: cfu.get("tolerance").and_then(number),
        money: first_of(cfu, &["money2dp", "money_2dp"]).and_then(truth),
        hints: texts(hints),
        rubric,
        points: first_of(cfu, &["points", "marks"]).and_then(number),
        explanations,
        subquestions,
    }
}

fn read_options(
    reader: &mut FieldReader,
    component: usize,
    options: Option<Node<'_>>,
) -> Listed<Choice> {
    let items = reader
        .list(options)
        .into_iter()
        .map(|option| {
            let is_object = option.kind() == Kind::Object;
            let words = if is_object {
                first_of(option, &["text", "label", "option", "content", "value"])
            } else {
                Some(option)
            };
            // Numbers are valid options, but not texts.
            if let Some(words) = words.filter(|words| words.kind() != Kind::Number) {
                reader.text(component, TextRole::Short, Some(words));
            }
            if is_object {
                for field in ["explanation", "feedback", "rationale"] {
                    reader.text(component, TextRole::Short, option.get(field));
                }
            }
            Choice {
                range: option.span(),
                text: words.and_then(id_or_number),
                correct: first_of(option, &["isCorrect", "is_correct", "correct"])
                    .and_then(Node::as_bool),
                form: if is_object {
                    ChoiceForm::Object
                } else {
                    ChoiceForm::Plain
                },
            }
        })
        .collect();
    Listed {
        range: options.map(Node::span),
        items,
    }
}

/// Reads an expected answer: a text, a number, or a list of accepted ones.
fn read_answers(
    reader: &mut FieldReader,
    component: usize,
    node: Option<Node<'_>>,
    into: &mut Vec<Answer>,
) {
    let Some(node) = node else { return };
    let single = (node.kind() != Kind::Array).then_some(node);
    for answer in single.into_iter().chain(node.items()) {
        if answer.kind() == Kind::Number {
            into.extend(id_or_number(answer).map(|text| Answer {
                range: text.range,
                text: text.value,
                number: answer.as_f64(),
            }));
        } else if answer.kind() != Kind::Bool {
            reader.text(component, TextRole::Short, Some(answer));
            into.extend(string(answer).map(|text| Answer {
                range: text.range,
                text: text.value,
                number: None,
            }));
        }
    }
}

fn key(node: Node<'_>) -> Key {
    Key {
        range: node.span(),
        index: whole(node).map(|written| written.value),
    }
}

fn read_rubric(
    reader: &mut FieldReader,
    component: usize,
    rubric: Option<Node<'_>>,
) -> Option<Rubric> {
    let rubric = rubric.filter(|rubric| rubric.kind() == Kind::Object)?;
    let criteria = reader
        .list(rubric.get("criteria"))
        .into_iter()
        .map(|criterion| {
            // Some authors write a criterion as a bare text.
            let description = match criterion.kind() {
                Kind::String => Some(criterion),
                _ => first_of(
                    criterion,
                    &["description", "descriptor", "criterion", "text"],
                ),
            };
            reader.text(component, TextRole::Short, description);
            Criterion {
                range: criterion.span(),
                description: description.and_then(string),
                points: first_of(criterion, &["points", "marks"]).and_then(number),
            }
        })
        .collect();
    Some(Rubric {
        range: rubric.span(),
        total: first_of(rubric, &["total_points", "total_marks", "total"]).and_then(number),
        criteria,
    })
}

fn read_misconceptions(
    reader: &mut FieldReader,
    component: usize,
    node: Option<Node<'_>>,
) -> Listed<Misconception> {
    let items = reader
        .list(node)
        .into_iter()
        .map(|item| {
            let bare = (item.kind() == Kind::String).then_some(item);
            let misconception =
                bare.or_else(|| first_of(item, &["misconception", "error_pattern"]));
            let clarification = first_of(item, &["clarification", "how_to_address"]);
            reader.text(component, TextRole::Short, misconception);
            reader.text(component, TextRole::Short, clarification);
            Misconception {
                range: item.span(),
                id: item.get("id").and_then(id_string),
                misconception: misconception.and_then(string),
                clarification: clarification.and_then(string),
            }
        })
        .collect();
    Listed {
        range: node.map(Node::span),
        items,
    }
}

mod values;

#[cfg(test)]
mod tests;
