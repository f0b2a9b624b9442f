//! Parses multiple-choice items into documents, alone or as a bank. Which value is what is
//! found out in `read`, where the items of a bank are in `lists`.
//!
//! | shape | vignette | stem | options | key | explanation |
//! |---|---|---|---|---|---|
//! | `distractors` | text | text | `distractors[].text` | `answerKey` | `explanation` |
//! | `options-keyed` | text | text | `options[].text` | `correct_answer` | `rationale` |
//! | `options-labelled` | object | `{text, lead_in}` | `options[].text` | `is_correct` | `rationale{…}` |
//!
//! The components of a bank's items carry the item's id. The result is kept as a [`Bank`];
//! the checks judge it.

use std::collections::BTreeSet;
use std::ops::Range;

use redraft_banks::BankFormat;
use redraft_gate::content::{AN_ITEM, ComponentKind, Document, DocumentBuilder, TextRole};
use redraft_gate::reading::{Form, FormKind, OutsideKind, Raw};
use redraft_text::json::{Kind, Node};
use redraft_text::language::Language;

use super::counting::{self, Base, NumberedKey};
use super::key;
use super::lists::{self, is_item};
use super::model::{Bank, Bloom, Choice, FieldValue, Item, Key, Shape, TextRef};
use super::read::{self, ItemNodes, LayoutKind, OptionNodes};
use super::stated_key::{self, Typing};
use crate::fields::{self, FieldReader, first_of, id_text};

const EXPECTED: &str = "a multiple-choice item";

pub(super) fn parse(mut raw: Raw, language: Option<Language>, base: Option<Base>) -> Document {
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
                _ if is_item(root) => None,
                Kind::Array => Some(lists::of(root).unwrap_or_else(|| root.items().collect())),
                _ => lists::of(root),
            };
            match list {
                Some(list) => {
                    let mut parser = ItemParser::bank(&raw, root.span());
                    list.into_iter().for_each(|node| parser.bank_item(node));
                    parser.finish(language, base)
                }
                None => {
                    let mut parser = ItemParser::new(&raw, shape_name(root), root.span());
                    let nodes = read::item(root);
                    if has_item_field(&nodes) {
                        parser.item(root, &nodes, (DocumentBuilder::WHOLE, ""));
                    }
                    parser.finish(language, base)
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
                raw.kind == FormKind::JsonLines
                    && matches!(outside.kind, OutsideKind::Prose | OutsideKind::Chat)
            });
            let not_items = &mut parser.bank.not_items;
            not_items.extend(lines.map(|outside| outside.range.clone()));
            not_items.sort_by_key(|range| range.start);
            parser.finish(language, base)
        }
    }
}

/// Whether an object has any field of an item.
fn has_item_field(item: &ItemNodes<'_>) -> bool {
    item.vignette.is_some() || item.stem.is_some() || item.layout.kind != LayoutKind::None
}

fn shape_name(item: Node<'_>) -> &'static str {
    match shape(item, &read::item(item)) {
        Shape::Distractors => "distractors",
        Shape::Labelled => "options-labelled",
        Shape::Keyed => "options-keyed",
    }
}

fn shape(item: Node<'_>, nodes: &ItemNodes<'_>) -> Shape {
    let is_object = |name| {
        item.get(name)
            .is_some_and(|field| field.kind() == Kind::Object)
    };
    let options = &nodes.layout;
    let is_named = |name: &str| {
        let list = options.list.and_then(Node::key);
        list.is_some_and(|key| key.text == name)
    };
    if options.kind == LayoutKind::List && is_named("distractors") {
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
    /// Keys that are numbers; the whole bank shows what they count from.
    numbered: Vec<NumberedKey>,
    /// Fields in which a number can only be the text of an option.
    by_text: BTreeSet<String>,
    typing: Typing,
}

/// A part of an item, in the order of the file.
#[derive(Clone, Copy)]
enum ItemField<'a> {
    Field(ComponentKind, Node<'a>),
    /// An option, by its index.
    Option(usize),
    /// The explanation of an option, where it stands apart.
    OptionExplanation(usize, Node<'a>),
    StemAfterGap(Node<'a>),
}

impl ItemParser {
    fn new(raw: &Raw, shape: &'static str, json: Range<usize>) -> Self {
        Self {
            reader: FieldReader::new(raw, shape, json),
            bank: Bank::default(),
            number: 0,
            numbered: Vec::new(),
            by_text: BTreeSet::new(),
            typing: match raw.kind.bank_format() {
                Some(BankFormat::Table) => Typing::Cells,
                Some(_) => Typing::Untyped,
                None => Typing::Typed,
            },
        }
    }

    fn bank(raw: &Raw, json: Range<usize>) -> Self {
        let mut parser = Self::new(raw, "bank", json);
        parser.bank.is_bank = true;
        parser
    }

    /// One item of a bank, under its own id or its number.
    fn bank_item(&mut self, node: Node<'_>) {
        const IDS: &[&str] = &["id", "question_id", "questionId", "qid", "item_id", "_id"];
        self.number += 1;
        let id = first_of(node, IDS)
            .and_then(id_text)
            .unwrap_or_else(|| format!("item_{}", self.number));
        let prefix = format!("{id}/");
        let component = self
            .reader
            .component(id, ComponentKind::Item, None, node.span());
        let nodes = read::item(node);
        if has_item_field(&nodes) {
            self.item(node, &nodes, (component, &prefix));
        } else {
            self.reader.odd(node, AN_ITEM);
            self.bank.not_items.push(node.span());
        }
    }

    fn finish(mut self, language: Option<Language>, base: Option<Base>) -> Document {
        if self.bank.items.is_empty() {
            self.reader.nothing(EXPECTED);
        }
        let (settled, index_base) = counting::settle(&self.numbered, base, &self.by_text);
        for (item, key) in settled {
            if let Some(item) = self.bank.items.get_mut(item) {
                item.key = item.key.and(key);
            }
        }
        self.bank.index_base = index_base;
        self.bank.items.shrink_to_fit();
        self.bank.options.shrink_to_fit();
        self.reader.texts_are_fields();
        self.reader.model(self.bank);
        self.reader.finish(language)
    }

    fn item(&mut self, node: Node<'_>, nodes: &ItemNodes<'_>, (parent, prefix): (usize, &str)) {
        let none = self.bank.options.len();
        let mut item = Item {
            component: parent,
            range: node.span(),
            vignette: None,
            stem: None,
            lead_in: TextRef::NONE,
            stem_after_gap: TextRef::NONE,
            option_list: nodes.option_range(),
            option_field: nodes.option_field().unwrap_or(node.span().start),
            options: index(none)..index(none + nodes.options.len()),
            key_range: None,
            key: Key::Missing,
            more_keys: Box::default(),
            explanation: None,
            has_explanation_field: nodes.has_explanation_field,
            bloom: bloom(node),
            by_letters: key::have_letters(&nodes.labelled()),
            has_order: nodes.layout.kind != LayoutKind::KeyApart,
            wants_several: wants_several(node),
            shape: shape(node, nodes),
        };
        self.key(&mut item, nodes);
        let mut choices: Vec<Choice> = nodes.options.iter().map(unread).collect();
        let options = self.components(&item, nodes, (parent, prefix));
        for part in parts(nodes) {
            match part {
                ItemField::Option(index) => {
                    let (Some(choice), Some(option)) =
                        (choices.get_mut(index), nodes.options.get(index))
                    else {
                        continue;
                    };
                    self.choice(options.options, option, choice);
                }
                ItemField::OptionExplanation(index, node) => {
                    let component = options.around(&item, node, parent);
                    let read = self.text(component, node);
                    if let Some(choice) = choices.get_mut(index) {
                        choice.explanation = read;
                    }
                }
                ItemField::StemAfterGap(node) => item.stem_after_gap = self.text(parent, node),
                ItemField::Field(kind, field) => self.field(&mut item, kind, field, &options),
            }
        }
        self.bank.options.extend(choices);
        self.bank.items.push(item);
    }

    /// Adds the components of an item, in the order of the file.
    fn components(
        &mut self,
        item: &Item,
        nodes: &ItemNodes<'_>,
        (parent, prefix): (usize, &str),
    ) -> ItemComponents {
        let key = item.key_range.clone();
        let mut all: Vec<(ComponentKind, Range<usize>)> = [
            (ComponentKind::Vignette, nodes.vignette.map(Node::span)),
            (ComponentKind::Stem, nodes.stem.map(Node::span)),
            (ComponentKind::Options, item.option_list.clone()),
            (
                ComponentKind::Explanation,
                nodes.explanation.map(Node::span),
            ),
            (ComponentKind::AnswerKey, key),
        ]
        .into_iter()
        .filter_map(|(kind, range)| Some((kind, range?)))
        .collect();
        all.sort_by_key(|(_, range)| range.start);
        let mut made = ItemComponents {
            vignette: parent,
            stem: parent,
            options: parent,
            explanation: parent,
        };
        let mut around: Option<(Range<usize>, usize)> = None;
        for (kind, range) in all {
            let name = match kind {
                ComponentKind::Vignette => "vignette",
                ComponentKind::Stem => "stem",
                ComponentKind::Options => "options",
                ComponentKind::AnswerKey => "answer_key",
                _ => "explanation",
            };
            // A field between options that have fields of their own lies in them.
            let outer = around
                .as_ref()
                .filter(|(outer, _)| range.end <= outer.end)
                .map_or(parent, |(_, options)| *options);
            // Exactly as long as it is: a large bank has half a million of them.
            let id = [prefix, name].concat();
            let component = self.reader.child(outer, id, kind, None, range.clone());
            match kind {
                ComponentKind::Vignette => made.vignette = component,
                ComponentKind::Stem => made.stem = component,
                ComponentKind::Options => {
                    made.options = component;
                    around = Some((range, component));
                }
                ComponentKind::Explanation => made.explanation = component,
                _ => {}
            }
        }
        made
    }

    /// Reads the texts of the vignette, the stem or the explanation.
    fn field(
        &mut self,
        item: &mut Item,
        kind: ComponentKind,
        field: Node<'_>,
        made: &ItemComponents,
    ) {
        let (component, role) = match kind {
            ComponentKind::Vignette => (made.vignette, TextRole::Body),
            ComponentKind::Stem => (made.stem, TextRole::Short),
            _ => (made.explanation, TextRole::Body),
        };
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

    /// Reads the key from every field that states it. A number waits for the others.
    fn key(&mut self, item: &mut Item, nodes: &ItemNodes<'_>) {
        let stated = stated_key::of(nodes, self.bank.items.len(), self.typing);
        item.key = stated.key;
        item.key_range = stated.range;
        item.more_keys = stated.more;
        self.numbered.extend(stated.numbered);
        self.by_text.extend(stated.by_text);
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

    /// Reads the texts of an option, in the order of the file.
    fn choice(&mut self, component: usize, option: &OptionNodes<'_>, choice: &mut Choice) {
        let mut texts = [
            (option.text, Which::Text),
            (
                option
                    .explanation
                    .filter(|_| option.explanation_apart().is_none()),
                Which::Explanation,
            ),
        ];
        texts.sort_by_key(|(node, _)| node.map(|node| node.span().start));
        for (node, which) in texts {
            let Some(node) = node else { continue };
            let read = self.text(component, node);
            match which {
                Which::Text => choice.text = read,
                Which::Explanation => choice.explanation = read,
            }
        }
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

/// A text of an option.
#[derive(Clone, Copy)]
enum Which {
    Text,
    Explanation,
}

/// The indexes of an item's components.
struct ItemComponents {
    vignette: usize,
    stem: usize,
    options: usize,
    explanation: usize,
}

impl ItemComponents {
    /// The component of an explanation that stands apart from its option: a repair stays in
    /// its component.
    fn around(&self, item: &Item, node: Node<'_>, whole: usize) -> usize {
        let span = node.span();
        let list = item.option_list.as_ref();
        let is_inside = list.is_some_and(|list| list.start <= span.start && span.end <= list.end);
        if is_inside { self.options } else { whole }
    }
}

/// An option whose texts are still to be read.
fn unread(option: &OptionNodes<'_>) -> Choice {
    Choice {
        range: option.node.span(),
        text: TextRef::NONE,
        explanation: TextRef::NONE,
        flag: option.flag,
    }
}

/// The parts of an item that hold texts, in the order of the file.
fn parts<'a>(nodes: &ItemNodes<'a>) -> Vec<ItemField<'a>> {
    let fields = [
        (ComponentKind::Vignette, nodes.vignette),
        (ComponentKind::Stem, nodes.stem),
        (ComponentKind::Explanation, nodes.explanation),
    ];
    let fields = fields
        .into_iter()
        .filter_map(|(kind, node)| Some((node?.span().start, ItemField::Field(kind, node?))));
    let options = nodes.options.iter().enumerate();
    let options = options.flat_map(|(index, option)| {
        let own = (option.node.span().start, ItemField::Option(index));
        let apart = option.explanation_apart().map(|node| {
            let start = node.span().start;
            (start, ItemField::OptionExplanation(index, node))
        });
        std::iter::once(own).chain(apart)
    });
    let after_gap = nodes.stem_after_gap.into_iter();
    let after_gap = after_gap.map(|node| (node.span().start, ItemField::StemAfterGap(node)));
    let mut parts: Vec<(usize, ItemField<'a>)> = fields.chain(options).chain(after_gap).collect();
    parts.sort_by_key(|(start, _)| *start);
    parts.into_iter().map(|(_, part)| part).collect()
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
    says("type") || says("question_type") || multi.and_then(read::flag) == Some(true)
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
