//! A document as a judge sees it: its texts under the names of their components.
//!
//! A Markdown lesson is shown as it is, with a line of ours wherever a component
//! begins. Of JSON the decoded values are shown, each with the name of its
//! field, in the order of the file: not the texts alone, because a judge has to
//! know the key, the minutes and the lesson type as well. What an earlier judge
//! or program said about the document is left out. Nothing is cut here: `blocks`
//! says what stays or goes together where not everything fits.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use redraft_gate::content::{Component, ComponentKind, Document, TextField};
use redraft_gate::reading::{self, Form, FormKind, Hint};
use redraft_gate::span::ComponentId;
use redraft_run::token_estimate::estimated_tokens;
use redraft_text::json::{self, Json, Kind, Node};
use redraft_text::words::count_words;
use serde::Serialize;

use super::untrusted::{Untrusted, one_line};
use crate::front_matter::front_matter_end;

/// Which fields outside of the named components are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outside {
    /// Only those that a learner reads: the rest is the generator's book-keeping.
    TextsOnly,
    /// All but what an earlier judge said: they say what was wanted.
    AllFields,
}

/// What an editor of one component sees of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    /// The sentences on both sides, which the task brings.
    Anchors,
    /// Those, and the fields about the whole: a card serves a lesson of some type
    /// and length.
    Meta,
    /// The rest of the item: options cannot be repaired without the question.
    Item,
}

/// A line of the list of contents.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    id: Untrusted,
    title: Option<Untrusted>,
    #[serde(skip)]
    component: ComponentId,
}

/// What is shown under one name.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Excerpt {
    id: Untrusted,
    passages: Vec<Untrusted>,
    #[serde(skip)]
    component: ComponentId,
}

impl Excerpt {
    pub(crate) fn component(&self) -> &ComponentId {
        &self.component
    }

    /// What it takes in a prompt, in tokens by the upper estimate.
    pub(crate) fn tokens(&self) -> u64 {
        let tag = format!("<redraft:part id=\"{}\">\n", self.id.as_str());
        let passages = self.passages.iter().map(|passage| {
            // With the end of its line.
            estimated_tokens(passage.as_str()) + 1
        });
        estimated_tokens(&tag) + passages.sum::<u64>()
    }

    pub(crate) fn text(&self) -> String {
        Untrusted::joined(&self.passages)
    }
}

/// Excerpts that stay or go together: those of one component of the first rank, with all
/// that lies in it. An example goes with its section, and an item is never read by
/// halves.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) name: String,
    pub(crate) excerpts: Range<usize>,
    /// Its lines of the list of contents, by their places.
    pub(crate) entries: Vec<usize>,
    /// What all of them take in a prompt, in tokens by the upper estimate.
    pub(crate) tokens: u64,
}

/// The blocks of a document, in its order.
pub(crate) fn blocks(document: &Document, excerpts: &[Excerpt], contents: &[Entry]) -> Vec<Block> {
    let components = document.components();
    // Parents come before their children, and the whole before all.
    let mut ranks: Vec<usize> = Vec::with_capacity(components.len());
    let mut indices: HashMap<&ComponentId, usize> = HashMap::new();
    for (index, component) in components.iter().enumerate() {
        let parent = component.parent.filter(|parent| *parent > 0);
        let first = parent.and_then(|parent| ranks.get(parent)).copied();
        ranks.push(first.unwrap_or(index));
        indices.insert(&component.id, index);
    }
    let rank = |id: &ComponentId| indices.get(id).and_then(|index| ranks.get(*index)).copied();
    let mut entries: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, entry) in contents.iter().enumerate() {
        if let Some(rank) = rank(&entry.component) {
            entries.entry(rank).or_default().push(index);
        }
    }
    let mut blocks: Vec<(Option<usize>, Block)> = Vec::new();
    for (index, excerpt) in excerpts.iter().enumerate() {
        let rank = rank(&excerpt.component);
        match blocks.last_mut() {
            Some((last, block)) if *last == rank => {
                block.excerpts.end = index + 1;
                block.tokens += excerpt.tokens();
            }
            _ => {
                let named = rank.and_then(|rank| components.get(rank));
                let entries = rank.and_then(|rank| entries.remove(&rank));
                let block = Block {
                    name: named
                        .map_or(&excerpt.component, |part| &part.id)
                        .to_string(),
                    excerpts: index..index + 1,
                    tokens: excerpt.tokens(),
                    entries: entries.unwrap_or_default(),
                };
                blocks.push((rank, block));
            }
        }
    }
    let mut blocks: Vec<Block> = blocks.into_iter().map(|(_, block)| block).collect();
    for block in &mut blocks {
        let lines = block
            .entries
            .iter()
            .filter_map(|index| contents.get(*index));
        block.tokens += lines.map(Entry::tokens).sum::<u64>();
    }
    blocks
}

impl Entry {
    fn tokens(&self) -> u64 {
        let title = self.title.as_ref().map_or("", Untrusted::as_str);
        estimated_tokens(&format!("- {}: {title}\n", self.id.as_str()))
    }
}

/// The document, cut where its components begin.
pub(crate) fn excerpts(document: &Document, outside: Outside) -> Vec<Excerpt> {
    if is_markdown(document) {
        return markdown(document);
    }
    let mut fields = Fields {
        document,
        outside,
        edited: 0..0,
        only_set: false,
        excerpts: Excerpts::default(),
    };
    let text = document.source().text();
    let items: Vec<Range<usize>> = document
        .of_kind(ComponentKind::Item)
        .map(|item| item.range.clone())
        .collect();
    if !items.is_empty() {
        for item in items {
            fields.values(&json::scan(text, item));
        }
        return fields.excerpts.done;
    }
    fields.document();
    fields.excerpts.done
}

/// One component as its editor sees it.
#[derive(Debug)]
pub(crate) struct EditedComponent<'a> {
    pub(crate) component: &'a Component,
    /// Its texts, those of JSON under the names by which an answer calls them
    /// (`redraft_run::repair`).
    pub(crate) passages: Vec<Untrusted>,
    /// Whether they are shown under names.
    pub(crate) has_fields: bool,
    pub(crate) words: usize,
    /// Its fields that hold no text, and what its editor sees of other components.
    pub(crate) around: Vec<Excerpt>,
}

/// The component with this name, with all that lies in it; `None` where there is none.
/// Of a bank only its item is read.
pub(crate) fn edited_component<'a>(
    document: &'a Document,
    id: &ComponentId,
    around: Around,
) -> Option<EditedComponent<'a>> {
    let components = document.components();
    let index = components.iter().position(|part| part.id == *id)?;
    let component = components.get(index)?;
    if is_markdown(document) {
        let text = document.source().text();
        let passage = text.get(component.range.clone()).unwrap_or_default();
        return Some(EditedComponent {
            component,
            passages: vec![Untrusted::new(passage.trim_matches(['\n', '\r']))],
            has_fields: false,
            words: count_words(passage),
            around: Vec::new(),
        });
    }
    let parent = |at: &usize| components.get(*at).and_then(|part| part.parent);
    let item = std::iter::successors(Some(index), parent)
        .filter_map(|at| components.get(at))
        .find(|part| part.kind == ComponentKind::Item);
    let mut fields = Fields {
        document,
        outside: Outside::AllFields,
        edited: component.range.clone(),
        only_set: around == Around::Item,
        excerpts: Excerpts::default(),
    };
    match item {
        Some(item) => fields.values(&json::scan(document.source().text(), item.range.clone())),
        None => fields.document(),
    }
    let shown: HashSet<Untrusted> = components
        .iter()
        .filter(|part| {
            let is_own = !part.range.is_empty() && lies_within(&part.range, &component.range);
            is_own || (around == Around::Meta && part.kind == ComponentKind::Meta)
        })
        .map(|part| Untrusted::name(&part.id.0))
        .collect();
    let is_seen = |excerpt: &Excerpt| around == Around::Item || shown.contains(&excerpt.id);
    let mut seen = fields.excerpts.done;
    seen.retain(is_seen);
    let own: Vec<&TextField> = document
        .texts()
        .iter()
        .filter(|field| lies_within(&field.map.source_span(), &component.range))
        .collect();
    let passages = match own.as_slice() {
        // A single one needs no name.
        [only] => vec![Untrusted::new(&only.text)],
        several => several
            .iter()
            .map(|field| Untrusted::new(&format!("field: {}\n{}", field.path, &*field.text)))
            .collect(),
    };
    Some(EditedComponent {
        component,
        has_fields: own.len() > 1,
        words: own.iter().map(|field| count_words(&field.text)).sum(),
        passages,
        around: seen,
    })
}

fn lies_within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The names of a Markdown lesson's components with their titles. The components of JSON
/// show their titles themselves.
pub(crate) fn contents(document: &Document) -> Vec<Entry> {
    const TITLE: usize = 100;
    if !is_markdown(document) {
        return Vec::new();
    }
    document
        .components()
        .iter()
        .filter(|component| component.kind != ComponentKind::Whole)
        .map(|component| Entry {
            id: Untrusted::name(&component.id.0),
            title: component
                .title
                .as_deref()
                .filter(|title| !title.trim().is_empty())
                .map(|title| Untrusted::line(title, TITLE)),
            component: component.id.clone(),
        })
        .collect()
}

fn is_markdown(document: &Document) -> bool {
    document.texts().iter().any(|field| field.path.is_empty())
}

/// Excerpts in the making; what follows under the same name joins it.
#[derive(Default)]
struct Excerpts {
    done: Vec<Excerpt>,
}

impl Excerpts {
    fn add(&mut self, component: &Component, passage: Untrusted) {
        let id = Untrusted::name(&component.id.0);
        match self.done.last_mut() {
            Some(last) if last.id == id => last.passages.push(passage),
            _ => self.done.push(Excerpt {
                id,
                passages: vec![passage],
                component: component.id.clone(),
            }),
        }
    }
}

/// Every place where a component begins or ends is a seam; what lies between two
/// seams belongs to one component. A section goes on after the example within it.
/// Of front matter, which no learner sees, only the title is shown: the rest is
/// book-keeping and may hold what somebody thought of the lesson.
fn markdown(document: &Document) -> Vec<Excerpt> {
    let mut excerpts = Excerpts::default();
    let text = document.source().text();
    for field in document.texts() {
        let mut body = field.map.source_span();
        let front_matter = front_matter_end(field.markdown());
        if front_matter > 0 {
            body.start += front_matter;
            if let Some(title) = document.title() {
                excerpts.add(document.component_at(0), named("title", title));
            }
        }
        let mut seams: Vec<usize> = document
            .components()
            .iter()
            .flat_map(|component| [component.range.start, component.range.end])
            .filter(|seam| body.contains(seam))
            .chain([body.start, body.end])
            .collect();
        seams.sort_unstable();
        seams.dedup();
        for pair in seams.windows(2) {
            let passage = text.get(pair[0]..pair[1]).unwrap_or_default();
            if !passage.trim().is_empty() {
                let passage = passage.trim_matches(['\n', '\r']);
                excerpts.add(document.component_at(pair[0]), Untrusted::new(passage));
            }
        }
    }
    excerpts.done
}

/// Walks over the values of a JSON document.
struct Fields<'a> {
    document: &'a Document,
    outside: Outside,
    /// Where texts are shown as what is edited, and are left out here.
    edited: Range<usize>,
    /// Whether flags that are not set are left out: an editor has to know which option is right.
    only_set: bool,
    excerpts: Excerpts,
}

impl Fields<'_> {
    fn document(&mut self) {
        let hint = match self.document.form() {
            FormKind::Bank(format) => Hint::Bank(format),
            FormKind::Question(format) => Hint::Question(format),
            _ => Hint::Json,
        };
        match reading::read(self.document.source().clone(), hint).form {
            Form::Json(json) => self.values(&json),
            Form::JsonLines(values) => values.iter().for_each(|json| self.values(&json)),
            Form::Markdown(_) => self.texts(),
        }
    }

    fn values(&mut self, json: &Json) {
        let mut open: Vec<(Node<'_>, Rc<str>)> = Vec::new();
        open.extend(json.root().map(|root| (root, Rc::from(""))));
        while let Some((node, mut name)) = open.pop() {
            let component = self.document.component_at(node.span().start);
            let is_part = component.kind != ComponentKind::Whole && component.range == node.span();
            if is_part {
                // A component's own fields are named from the component on.
                name = match (node.kind(), node.key()) {
                    (Kind::Object | Kind::Array, _) | (_, None) => Rc::from(""),
                    (_, Some(key)) => member("", &key.text),
                };
            }
            match node.kind() {
                Kind::Object | Kind::Array => {
                    let children = self.children(node, &name);
                    open.extend(children.into_iter().rev());
                }
                Kind::String => {
                    let text = node.as_str().unwrap_or_default();
                    self.leaf(component, &node.span(), &name, text);
                }
                Kind::Bool if self.only_set && node.as_bool() == Some(false) => {}
                Kind::Number | Kind::Bool => {
                    let value = self.bare_value(node);
                    self.leaf(component, &node.span(), &name, &value);
                }
                Kind::Null | Kind::Invalid => {}
            }
        }
    }

    /// A number or a truth value as the file writes it; other formats than JSON write
    /// signs for them.
    fn bare_value(&self, node: Node<'_>) -> String {
        let is_json = self.document.form().bank_format().is_none();
        let written = self.document.source().text().get(node.span());
        match (node.as_bool(), node.as_i64()) {
            (Some(value), _) if !is_json => value.to_string(),
            (_, Some(number)) if !is_json => number.to_string(),
            _ => written.unwrap_or_default().to_owned(),
        }
    }

    fn children<'n>(&self, node: Node<'n>, within: &str) -> Vec<(Node<'n>, Rc<str>)> {
        let elements = node
            .items()
            .enumerate()
            .map(|(index, value)| (value, Rc::from(format!("{within}[{index}]"))));
        let members = node
            .members()
            .filter(|(key, value)| !self.is_earlier_judgement(&key.text, *value))
            .map(|(key, value)| (value, member(within, &key.text)));
        elements.chain(members).collect()
    }

    /// The texts alone, where the values cannot be read again.
    fn texts(&mut self) {
        for field in self.document.texts() {
            if let Some(component) = self.document.components().get(field.component) {
                self.excerpts
                    .add(component, named(&field.path, &field.text));
            }
        }
    }

    fn leaf(&mut self, component: &Component, span: &Range<usize>, name: &str, value: &str) {
        let is_text = || self.document.text_within(span).is_some();
        let is_shown = component.kind != ComponentKind::Whole
            || self.outside == Outside::AllFields
            || is_text();
        if lies_within(span, &self.edited) && is_text() {
            return;
        }
        if is_shown && !value.trim().is_empty() {
            self.excerpts.add(component, named(name, value));
        }
    }

    /// Whether a field says what a judge or a program thought of the document
    /// earlier. It would sway the next one. Only fields outside of what is taught
    /// or asked are looked at: in a vignette a score is a finding.
    fn is_earlier_judgement(&self, key: &str, value: Node<'_>) -> bool {
        const WORDS: &[&str] = &[
            "score",
            "review",
            "verdict",
            "critic",
            "quality",
            "threshold",
            "passes",
            "judge",
            "finalstatus",
        ];
        let span = value.span();
        let component = self.document.component_at(span.start);
        let is_about_the_whole = matches!(
            component.kind,
            ComponentKind::Whole | ComponentKind::Meta | ComponentKind::Item
        );
        if !is_about_the_whole {
            return false;
        }
        let key: String = one_line(key, 60)
            .chars()
            .filter(|character| character.is_alphanumeric())
            .collect::<String>()
            .to_lowercase();
        if !WORDS.iter().any(|word| key.contains(word)) {
            return false;
        }
        let components = self.document.components();
        let next = components.partition_point(|component| component.range.start < span.start);
        let holds_a_part = components
            .get(next)
            .is_some_and(|part| part.range.start < span.end);
        !holds_a_part
    }
}

/// `policy.calculator_allowed`. Names are cut: a key may be of any length, and
/// would be repeated with everything below it.
fn member(within: &str, key: &str) -> Rc<str> {
    const KEY: usize = 60;
    const NAME: usize = 200;
    let key = one_line(key, KEY);
    if within.is_empty() || within.len() > NAME {
        Rc::from(key)
    } else {
        Rc::from(format!("{within}.{key}"))
    }
}

/// A value with its name; a text of several lines begins on its own line.
fn named(name: &str, value: &str) -> Untrusted {
    let value = value.trim_matches(['\n', '\r']);
    let between = match (name.is_empty(), value.contains('\n')) {
        (true, _) => "",
        (false, true) => ":\n",
        (false, false) => ": ",
    };
    Untrusted::new(&format!("{name}{between}{value}"))
}
