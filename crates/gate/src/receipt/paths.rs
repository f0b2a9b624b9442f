//! The value that a changed range lies in, for people who read a receipt: of JSON by its
//! path in the file, of a bank by the item and its field. Checking receipts does not need it.

use std::ops::Range;

use redraft_text::json::{Json, Node};

use crate::content::{ComponentKind, Document};
use crate::reading::{self, Form, Hint};

/// The values of a file.
#[derive(Debug)]
pub(super) struct Paths(Option<Json>);

impl Paths {
    pub(super) fn of(document: &Document) -> Self {
        // Markdown has one text without a path.
        let is_json = document.texts().iter().all(|field| !field.path.is_empty());
        if !is_json {
            return Self(None);
        }
        match reading::read(document.source().clone(), Hint::Json).form {
            Form::Json(json) => Self(Some(json)),
            Form::Markdown(_) | Form::JsonLines(_) => Self(None),
        }
    }

    /// The path of the innermost value around a range of bytes.
    pub(super) fn around(&self, document: &Document, bytes: &Range<usize>) -> Option<String> {
        let Some(root) = self.0.as_ref().and_then(Json::root) else {
            return in_field(document, bytes);
        };
        let span = crate::span::Span {
            start: bytes.start,
            end: bytes.end,
            version: document.source().version(),
        };
        let range = document.source().text_range(span);
        let holds = |node: &Node<'_>| {
            let span = node.span();
            // What is put in beside a value is not in it.
            let edge = usize::from(range.is_empty());
            span.start + edge <= range.start && range.end + edge <= span.end
        };
        let mut found = Some(root).filter(holds)?;
        while let Some(inner) = found
            .items()
            .chain(found.members().map(|(_, value)| value))
            .find(holds)
        {
            found = inner;
        }
        Some(found.path()).filter(|path| !path.is_empty())
    }
}

/// The field of a bank that a range of bytes lies in: `q7/options[2].text`; of an item that is
/// a document of its own, `options[2].text`.
fn in_field(document: &Document, bytes: &Range<usize>) -> Option<String> {
    let span = document.source().file_span(bytes.clone());
    let range = document.source().text_range(span);
    let fields = document.texts();
    // Fields stand in the order of the file.
    let after = fields.partition_point(|field| field.map.source_span().start <= range.start);
    let field = fields.get(after.checked_sub(1)?)?;
    let own = field.map.source_span();
    // A cell that gets quotes is replaced with them.
    if field.path.is_empty() || range.end > own.end + 1 {
        return None;
    }
    let component = document.components().get(field.component)?;
    let id = component.id.0.as_str();
    let item = match component.kind {
        ComponentKind::Item => Some(id),
        _ => id.split_once('/').map(|(item, _)| item),
    };
    Some(match item {
        Some(item) => format!("{item}/{}", field.path),
        None => field.path.to_string(),
    })
}
