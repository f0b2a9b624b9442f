//! Reading the fields of a JSON document leniently into components and texts.
//!
//! A field of another type than expected is kept as it is, reported, and read as
//! far as it makes sense. No profile is known here.

use std::collections::BTreeSet;
use std::iter;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

use redraft_gate::content::{
    Component, ComponentKind, Document, DocumentBuilder, NewText, TextRole,
};
use redraft_gate::reading::{Raw, Recovered, Trouble};
use redraft_gate::shared_text::SharedText;
use redraft_gate::span::ComponentId;
use redraft_text::json::{EscapeStyle, Kind, Node, Quotes};
use redraft_text::language::Language;

/// Builds a document out of JSON nodes.
#[derive(Debug)]
pub(crate) struct FieldReader {
    builder: DocumentBuilder,
    odd: Vec<Recovered>,
    /// The source's text.
    text: Arc<str>,
    /// The paths seen so far, so that equal ones are kept once.
    paths: BTreeSet<Arc<str>>,
}

impl FieldReader {
    pub(crate) fn new(raw: &Raw, shape: &'static str, json: Range<usize>) -> Self {
        let mut builder = DocumentBuilder::new(raw.source.clone(), shape);
        builder.escape_style(EscapeStyle::of(
            raw.source.text().get(json).unwrap_or_default(),
        ));
        builder.outside(raw.outside.clone());
        builder.recovered(raw.recovered.iter().cloned());
        builder.form(raw.kind);
        Self {
            text: builder.source_text(),
            builder,
            odd: Vec::new(),
            paths: BTreeSet::new(),
        }
    }

    pub(crate) fn title(&mut self, node: Option<Node<'_>>) {
        self.builder.title(
            node.and_then(|node| node.as_str().map(str::to_owned))
                .filter(|title| !title.trim().is_empty()),
        );
    }

    /// Keeps what was understood beyond the texts, for the profile's checks.
    pub(crate) fn model<M: std::any::Any + std::fmt::Debug + Send + Sync>(&mut self, model: M) {
        self.builder.model(model);
    }

    /// Says that the texts are fields of their own, so that none of them is the end of
    /// the document.
    pub(crate) fn texts_are_fields(&mut self) {
        self.builder.texts_are_fields();
    }

    pub(crate) fn component(
        &mut self,
        id: impl Into<String>,
        kind: ComponentKind,
        title: Option<Node<'_>>,
        range: Range<usize>,
    ) -> usize {
        self.child(DocumentBuilder::WHOLE, id, kind, title, range)
    }

    pub(crate) fn child(
        &mut self,
        parent: usize,
        id: impl Into<String>,
        kind: ComponentKind,
        title: Option<Node<'_>>,
        range: Range<usize>,
    ) -> usize {
        self.builder.component(Component {
            id: ComponentId(id.into()),
            kind,
            title: title.and_then(|title| title.as_str().map(str::to_owned)),
            range,
            parent: Some(parent),
        })
    }

    /// Adds a string as a text; a list of strings as several. Anything else is
    /// odd, except `null`, which says that there is nothing.
    pub(crate) fn text(&mut self, component: usize, role: TextRole, node: Option<Node<'_>>) {
        let Some(node) = node else { return };
        match node.kind() {
            Kind::String => self.string(component, role, node),
            Kind::Array => {
                for item in node.items() {
                    match item.kind() {
                        Kind::String => self.string(component, role, item),
                        Kind::Object => self.strings_below(component, role, item),
                        _ => {}
                    }
                }
            }
            Kind::Object => self.strings_below(component, role, node),
            Kind::Null => {}
            Kind::Bool | Kind::Number | Kind::Invalid => self.odd(node, "a text"),
        }
    }

    /// Adds every string below a node that reads like prose: with white space in
    /// it. Ids, types and addresses have none.
    pub(crate) fn strings_below(&mut self, component: usize, role: TextRole, node: Node<'_>) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match node.kind() {
                Kind::String
                    if node
                        .as_str()
                        .is_some_and(|text| text.contains(char::is_whitespace)) =>
                {
                    self.string(component, role, node);
                }
                Kind::Array | Kind::Object => {
                    // The last in goes first, and texts are to keep the order of
                    // the file.
                    let start = open.len();
                    open.extend(node.items());
                    open.extend(node.members().map(|(_, value)| value));
                    open[start..].reverse();
                }
                _ => {}
            }
        }
    }

    /// How many texts were added so far: the index of the next one in the
    /// document, if texts are added in the order of the file.
    pub(crate) fn text_count(&self) -> u32 {
        self.builder.text_count()
    }

    /// The items of a list. A single object is read as a list of one, which is
    /// what models mean by it.
    pub(crate) fn list<'a>(&mut self, node: Option<Node<'a>>) -> Vec<Node<'a>> {
        let Some(node) = node else { return Vec::new() };
        match node.kind() {
            Kind::Array => node.items().collect(),
            Kind::Null => Vec::new(),
            Kind::Object => {
                self.odd(node, "a list");
                vec![node]
            }
            _ => {
                self.odd(node, "a list");
                Vec::new()
            }
        }
    }

    pub(crate) fn odd(&mut self, node: Node<'_>, expected: &'static str) {
        self.odd.push(Recovered {
            what: Trouble::OddField {
                path: node.path(),
                expected,
                found: kind_name(node.kind()),
            },
            range: node.span(),
            edits: Vec::new(),
            certain: false,
        });
    }

    /// Says that nothing of what the profile reads is there.
    pub(crate) fn nothing(&mut self, expected: &'static str) {
        self.odd.push(nothing(&self.text, expected));
    }

    pub(crate) fn finish(mut self, language: Option<Language>) -> Document {
        self.builder.recovered(self.odd);
        self.builder.finish(language)
    }

    /// Where a node stands. The items of a bank that is read value by value have
    /// the same few paths, which are kept once.
    fn path(&mut self, node: Node<'_>) -> Arc<str> {
        const KEPT: usize = 1_000;
        let path = node.path();
        if let Some(path) = self.paths.get(path.as_str()) {
            return Arc::clone(path);
        }
        let path: Arc<str> = Arc::from(path);
        if self.paths.len() < KEPT {
            self.paths.insert(Arc::clone(&path));
        }
        path
    }

    fn string(&mut self, component: usize, role: TextRole, node: Node<'_>) {
        if let Some(string) = node.string() {
            let as_written = self.text.get(string.inner.clone()) == Some(string.text.as_ref());
            let text = if as_written {
                SharedText::within(&self.text, string.inner.clone())
            } else {
                SharedText::from(string.text.as_ref())
            };
            let path = self.path(node);
            let writing = match string.quotes {
                Quotes::Foreign(writing) => Some(writing),
                _ => None,
            };
            let text = NewText {
                component,
                path,
                role,
                text,
                map: string.map.clone(),
                markdown: None,
            };
            self.builder.written_text(text, writing);
        }
    }
}

/// Nothing of what a profile reads is in a text.
pub(crate) fn nothing(text: &str, expected: &'static str) -> Recovered {
    let start = text.len() - text.trim_start().len();
    let line = text[start..]
        .find(['\n', '\r'])
        .unwrap_or(text.len() - start);
    Recovered {
        what: Trouble::Nothing { expected },
        range: start..start + line,
        edits: Vec::new(),
        certain: false,
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "true or false",
        Kind::Number => "a number",
        Kind::String => "a text",
        Kind::Array => "a list",
        Kind::Object => "an object",
        Kind::Invalid => "something unreadable",
    }
}

/// What lies in a range of the source's text beside the document's texts: the
/// braces, names, flags and numbers between them.
pub(crate) fn outside_texts<'d>(
    document: &'d Document,
    within: &Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<'d> {
    let Range { start, end } = *within;
    let texts = document.texts();
    let first = texts.partition_point(|field| field.map.source_span().start < start);
    let spans = texts.iter().skip(first);
    let spans = spans.map(|field| field.map.source_span());
    let spans = spans.take_while(move |span| span.start < end);
    let mut at = start;
    spans
        .chain(iter::once(end..end))
        .map(move |span| mem::replace(&mut at, span.end)..span.start)
        .filter(|range| range.start < range.end)
}

/// The first of several names under which a field is seen.
pub(crate) fn first_of<'a>(node: Node<'a>, names: &[&str]) -> Option<Node<'a>> {
    names
        .iter()
        .filter_map(|name| node.get(name))
        .find(|field| field.kind() != Kind::Null)
}

/// The value of a string or number as text, as ids are written either way.
pub(crate) fn id_text(node: Node<'_>) -> Option<String> {
    match node.kind() {
        Kind::String => node.as_str().map(str::to_owned),
        Kind::Number => node.as_i64().map(|number| number.to_string()),
        _ => None,
    }
    .filter(|id| !id.trim().is_empty())
}
