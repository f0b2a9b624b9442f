//! Parses multiple-choice items in the three shapes in use, alone or as a bank.
//!
//! | shape | vignette | stem | options | key | explanation |
//! |---|---|---|---|---|---|
//! | `distractors` | text | text | `distractors[].text` | `answerKey` | `explanation` |
//! | `options-keyed` | text | text | `options[].text` | `correct_answer` | `rationale` |
//! | `options-labelled` | object | `{text, lead_in}` | `options[].text` | `is_correct` | `rationale{…}` |
//!
//! Plain quizzes name the stem `question` and may give options as an object from
//! letters to texts. The components of a bank's items carry the item's id. The
//! result is kept as a [`Bank`]; the checks judge it.

use std::ops::Range;

use redraft_gate::content::{AN_ITEM, ComponentKind, Document, DocumentBuilder, TextRole};
use redraft_gate::reading::{Form, FormKind, OutsideKind, Raw, Shape as AnswerShape};
use redraft_text::json::{Json, Kind, Node};
use redraft_text::language::Language;

use super::key::{self, Labelled};
use super::model::{Bank, Bloom, Choice, FieldValue, Item, Key, Shape, TextRef};
use crate::fields::{self, FieldReader, first_of, id_text};

const EXPECTED: &str = "a multiple-choice item";

const VIGNETTE: &[&str] = &["vignette", "clinical_vignette", "case", "scenario"];
const STEM: &[&str] = &["stem", "question", "question_text", "lead_in", "leadIn"];
const OPTIONS: &[&str] = &["distractors", "options", "choices"];
const EXPLANATION: &[&str] = &["explanation", "rationale"];
const OPTION_TEXT: &[&str] = &["text", "option", "value", "content"];
const OPTION_LABEL: &[&str] = &["key", "label", "letter", "id"];
const OPTION_EXPLANATION: &[&str] = &["explanation", "reasoning", "rationale", "feedback"];
const FLAG: &[&str] = &["isCorrect", "is_correct", "correct"];

pub(super) fn recognises(raw: &Raw) -> bool {
    match &raw.form {
        Form::Markdown(_) => false,
        Form::Json(json) => shape_of(json).is_some(),
        Form::JsonLines(values) => values.iter().any(|value| value.root().is_some_and(is_item)),
    }
}

/// An item, or a bank of them. An item that was cut off may lack its options.
pub(super) fn shape_of(value: &Json) -> Option<AnswerShape> {
    let root = value.root()?;
    match root.kind() {
        Kind::Array => root.items().any(is_item).then_some(AnswerShape::Alone),
        _ if is_item(root) => Some(AnswerShape::OfABank),
        _ if bank_items(root).is_some() => Some(AnswerShape::Alone),
        _ => (!value.complete() && begins_item(root)).then_some(AnswerShape::OfABank),
    }
}

/// Whether anything in the content looks like an item, also like a broken one.
pub(super) fn has_items(raw: &Raw) -> bool {
    let is_like_item = |node: Node<'_>| {
        [VIGNETTE, STEM, OPTIONS, EXPLANATION]
            .iter()
            .any(|names| first_of(node, names).is_some())
    };
    let has = |root: Node<'_>| {
        let list = ["items", "questions"]
            .iter()
            .find_map(|name| root.get(name));
        is_like_item(root) || list.unwrap_or(root).items().any(is_like_item)
    };
    match &raw.form {
        Form::Markdown(_) => false,
        Form::Json(json) => json.root().is_some_and(has),
        Form::JsonLines(values) => values.iter().any(|value| value.root().is_some_and(has)),
    }
}

pub(super) fn parse(mut raw: Raw, language: Option<Language>) -> Document {
    match &raw.form {
        Form::Markdown(_) => {
            // The user chose this profile: a text without an item is not one.
            let nothing = fields::nothing(raw.source.text(), EXPECTED);
            raw.recovered.push(nothing);
            crate::lesson::parse_markdown(raw, language)
        }
        Form::Json(json) => {
            let Some(root) = json.root() else {
                let mut reader = FieldReader::new(&raw, "empty", 0..0);
                reader.nothing(EXPECTED);
                return reader.finish(language);
            };
            let list = match root.kind() {
                Kind::Array => Some(root),
                _ => bank_items(root),
            };
            match list {
                Some(list) => {
                    let mut parser = ItemParser::bank(&raw, root.span());
                    list.items().for_each(|node| parser.bank_item(node));
                    parser.finish(language)
                }
                None => {
                    let mut parser = ItemParser::new(&raw, shape_name(root), root.span());
                    if has_item_field(root) {
                        parser.item(root, DocumentBuilder::WHOLE, "");
                    }
                    parser.finish(language)
                }
            }
        }
        Form::JsonLines(values) => {
            let mut parser = ItemParser::bank(&raw, 0..raw.source.text().len());
            for value in values.iter() {
                match value.root() {
                    Some(node) => parser.bank_item(node),
                    // `malformed-json` reports it.
                    None => parser.bank.not_items.push(value.end..value.end),
                }
            }
            // A line of other text may be an item that was lost.
            let lines = raw.outside.iter().filter(|outside| {
                raw.kind == FormKind::JsonLines && outside.kind == OutsideKind::Prose
            });
            let not_items = &mut parser.bank.not_items;
            not_items.extend(lines.map(|outside| outside.range.clone()));
            not_items.sort_by_key(|range| range.start);
            parser.finish(language)
        }
    }
}

fn is_item(node: Node<'_>) -> bool {
    let has = |names: &[&str]| first_of(node, names).is_some();
    has(OPTIONS) && (has(STEM) || has(VIGNETTE))
}

/// Whether an object begins as an item does, with a case or a question.
fn begins_item(node: Node<'_>) -> bool {
    [VIGNETTE, &STEM[..1]]
        .iter()
        .any(|names| first_of(node, names).is_some())
}

/// Whether an object has any field of an item.
fn has_item_field(node: Node<'_>) -> bool {
    [VIGNETTE, STEM, OPTIONS]
        .iter()
        .any(|names| first_of(node, names).is_some())
}

/// The list of items in a bank that is an object.
fn bank_items(root: Node<'_>) -> Option<Node<'_>> {
    ["items", "questions"]
        .iter()
        .filter_map(|name| root.get(name))
        .find(|items| items.kind() == Kind::Array && items.items().any(is_item))
}

fn shape_name(item: Node<'_>) -> &'static str {
    match shape(item) {
        Shape::Distractors => "distractors",
        Shape::Labelled => "options-labelled",
        Shape::Keyed => "options-keyed",
    }
}

fn shape(item: Node<'_>) -> Shape {
    let is_object = |name| {
        item.get(name)
            .is_some_and(|field| field.kind() == Kind::Object)
    };
    if item.get("distractors").is_some() {
        Shape::Distractors
    } else if is_object("stem") || is_object("vignette") {
        Shape::Labelled
    } else {
        Shape::Keyed
    }
}

/// Splits items into components and texts, and fills the bank.
struct ItemParser {
    reader: FieldReader,
    bank: Bank,
    number: usize,
}

impl ItemParser {
    fn new(raw: &Raw, shape: &'static str, json: Range<usize>) -> Self {
        Self {
            reader: FieldReader::new(raw, shape, json),
            bank: Bank::default(),
            number: 0,
        }
    }

    fn bank(raw: &Raw, json: Range<usize>) -> Self {
        let mut parser = Self::new(raw, "bank", json);
        parser.bank.is_bank = true;
        parser
    }

    /// One item of a bank, under its own id or its number.
    fn bank_item(&mut self, node: Node<'_>) {
        self.number += 1;
        let id = node
            .get("id")
            .and_then(id_text)
            .unwrap_or_else(|| format!("item_{}", self.number));
        let prefix = format!("{id}/");
        let component = self
            .reader
            .component(id, ComponentKind::Item, None, node.span());
        if node.kind() == Kind::Object {
            self.item(node, component, &prefix);
        } else {
            self.reader.odd(node, AN_ITEM);
            self.bank.not_items.push(node.span());
        }
    }

    fn finish(mut self, language: Option<Language>) -> Document {
        if self.bank.items.is_empty() {
            self.reader.nothing(EXPECTED);
        }
        self.reader.texts_are_fields();
        self.reader.model(self.bank);
        self.reader.finish(language)
    }

    fn item(&mut self, node: Node<'_>, parent: usize, prefix: &str) {
        let none = self.bank.options.len();
        let mut item = Item {
            component: parent,
            range: node.span(),
            vignette: None,
            stem: None,
            lead_in: TextRef::NONE,
            option_list: None,
            option_field: node.span().start,
            options: index(none)..index(none),
            key_range: None,
            key: Key::Missing,
            explanation: None,
            has_explanation_field: EXPLANATION.iter().any(|name| node.get(name).is_some()),
            bloom: bloom(node),
            by_letters: true,
            wants_several: wants_several(node),
            shape: shape(node),
        };
        let mut labels = Vec::new();
        let key = key::field(node);
        for (kind, field) in fields(node, key.map(|key| key.value)) {
            let name = match kind {
                ComponentKind::Vignette => "vignette",
                ComponentKind::Stem => "stem",
                ComponentKind::Options => "options",
                ComponentKind::AnswerKey => "answer_key",
                _ => "explanation",
            };
            let id = format!("{prefix}{name}");
            let component = self.reader.child(parent, id, kind, None, field.span());
            let role = match kind {
                ComponentKind::Vignette | ComponentKind::Explanation => TextRole::Body,
                _ => TextRole::Short,
            };
            if kind == ComponentKind::AnswerKey {
                continue;
            }
            if kind == ComponentKind::Options {
                item.option_list = Some(field.span());
                item.option_field = field.key().map_or(field.span().start, |key| key.span.start);
                item.options = self.options(component, field, &mut labels);
                continue;
            }
            let start = self.reader.text_count();
            if kind == ComponentKind::Stem {
                item.lead_in = self.stem(component, field);
            } else if field.kind() == Kind::Object {
                for (_, value) in field.members() {
                    self.reader.text(component, role, Some(value));
                }
            } else {
                self.reader.text(component, role, Some(field));
            }
            let read = Some(FieldValue {
                range: field.span(),
                texts: start..self.reader.text_count(),
            });
            match kind {
                ComponentKind::Vignette => item.vignette = read,
                ComponentKind::Stem => item.stem = read,
                _ => item.explanation = read,
            }
        }
        item.by_letters = key::have_letters(&labels);
        if let Some(named) = key {
            item.key_range = Some(named.value.span());
            item.key = key::read(named, &labels);
        }
        self.bank.items.push(item);
    }

    /// Reads the texts of a stem; returns the one that asks, if the stem names it.
    fn stem(&mut self, component: usize, stem: Node<'_>) -> TextRef {
        if stem.kind() != Kind::Object {
            self.reader.text(component, TextRole::Short, Some(stem));
            return TextRef::NONE;
        }
        let mut lead_in = TextRef::NONE;
        for (name, value) in stem.members() {
            if matches!(name.text.as_ref(), "lead_in" | "leadIn" | "question")
                && value.kind() == Kind::String
            {
                lead_in = TextRef(self.reader.text_count());
            }
            self.reader.text(component, TextRole::Short, Some(value));
        }
        lead_in
    }

    fn options<'a>(
        &mut self,
        component: usize,
        list: Node<'a>,
        labels: &mut Vec<Labelled<'a>>,
    ) -> Range<u32> {
        let start = index(self.bank.options.len());
        if list.kind() == Kind::Object {
            for (label, option) in list.members() {
                let choice = self.choice(component, option);
                labels.push(Labelled {
                    label: Some(&label.text),
                    text: choice.1,
                });
                self.bank.options.push(choice.0);
            }
        } else {
            for option in self.reader.list(Some(list)) {
                let choice = self.choice(component, option);
                labels.push(Labelled {
                    label: first_of(option, OPTION_LABEL).and_then(Node::as_str),
                    text: choice.1,
                });
                self.bank.options.push(choice.0);
            }
        }
        start..index(self.bank.options.len())
    }

    /// An option and its text.
    fn choice<'a>(&mut self, component: usize, option: Node<'a>) -> (Choice, &'a str) {
        let mut choice = Choice {
            range: option.span(),
            text: TextRef::NONE,
            explanation: TextRef::NONE,
            flag: None,
        };
        if option.kind() != Kind::Object {
            choice.text = self.text(component, option);
            return (choice, option.as_str().unwrap_or_default());
        }
        let text = first_of(option, OPTION_TEXT);
        let explanation = first_of(option, OPTION_EXPLANATION);
        choice.flag = first_of(option, FLAG).and_then(flag);
        // In the order of the file.
        if explanation.map(|node| node.span().start) < text.map(|node| node.span().start) {
            choice.explanation =
                explanation.map_or(TextRef::NONE, |node| self.text(component, node));
            choice.text = text.map_or(TextRef::NONE, |node| self.text(component, node));
        } else {
            choice.text = text.map_or(TextRef::NONE, |node| self.text(component, node));
            choice.explanation =
                explanation.map_or(TextRef::NONE, |node| self.text(component, node));
        }
        (choice, text.and_then(Node::as_str).unwrap_or_default())
    }

    fn text(&mut self, component: usize, node: Node<'_>) -> TextRef {
        let next = self.reader.text_count();
        // Numbers are valid options, but not texts.
        if node.kind() != Kind::Number {
            self.reader.text(component, TextRole::Short, Some(node));
        }
        if self.reader.text_count() > next {
            TextRef(next)
        } else {
            TextRef::NONE
        }
    }
}

/// The fields of an item, in the order of the file.
fn fields<'a>(item: Node<'a>, key: Option<Node<'a>>) -> Vec<(ComponentKind, Node<'a>)> {
    let mut fields: Vec<(ComponentKind, Node<'_>)> = [
        (ComponentKind::Vignette, VIGNETTE),
        (ComponentKind::Stem, STEM),
        (ComponentKind::Options, OPTIONS),
        (ComponentKind::Explanation, EXPLANATION),
    ]
    .into_iter()
    .filter_map(|(kind, names)| first_of(item, names).map(|node| (kind, node)))
    .chain(key.map(|key| (ComponentKind::AnswerKey, key)))
    .collect();
    fields.sort_by_key(|(_, node)| node.span().start);
    fields
}

fn flag(node: Node<'_>) -> Option<bool> {
    match node.kind() {
        Kind::Bool => node.as_bool(),
        Kind::String => match node.as_str() {
            Some("true" | "True" | "yes") => Some(true),
            Some("false" | "False" | "no") => Some(false),
            _ => None,
        },
        Kind::Number => node.as_i64().map(|number| number != 0),
        _ => None,
    }
}

/// Whether a field says that the item asks for several answers.
fn wants_several(item: Node<'_>) -> bool {
    let says = |name| {
        item.get(name).and_then(Node::as_str).is_some_and(|kind| {
            matches!(
                kind,
                "multi_select"
                    | "multiSelect"
                    | "multiple_response"
                    | "multiple_answer"
                    | "multi-select"
                    | "select_all"
            )
        })
    };
    let multi = first_of(item, &["multiSelect", "multi_select", "multiple_answers"]);
    says("type") || says("question_type") || multi.and_then(flag) == Some(true)
}

/// The level that an item says it tests, on the item or in its metadata.
fn bloom(item: Node<'_>) -> Option<Bloom> {
    const NAMES: &[&str] = &["bloom_level", "bloomLevel", "blooms_level", "bloom"];
    let level = first_of(item, NAMES).or_else(|| {
        item.get("metadata")
            .and_then(|metadata| first_of(metadata, NAMES))
    })?;
    match level.kind() {
        Kind::String => Bloom::parse(level.as_str()?),
        Kind::Number => Bloom::parse(&level.as_i64()?.to_string()),
        _ => None,
    }
}

fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
