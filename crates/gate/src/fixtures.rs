//! Documents for the tests of this crate and of those above it: a Markdown lesson cut
//! at its `##` headings, and a flat JSON lesson. Profiles have their own parsers;
//! these are just enough.

use std::sync::Arc;

use redraft_text::json::{self, EscapeStyle, Kind};
use redraft_text::markdown;
use redraft_text::text_map::TextMap;

use crate::content::{Component, ComponentKind, Document, DocumentBuilder, NewText, TextRole};
use crate::shared_text::SharedText;
use crate::source::Source;
use crate::span::ComponentId;

#[must_use]
pub fn markdown_lesson(text: &str) -> Document {
    let source = Source::new(text.as_bytes().to_vec());
    let text = source.shared_text();
    let mut builder = DocumentBuilder::new(source, "markdown");
    let analysis = markdown::analyse(&text);
    let sections = markdown::outline(&analysis, &text);
    for (number, entry) in sections.iter().filter(|entry| entry.level == 2).enumerate() {
        builder.component(Component {
            id: ComponentId(format!("sec_{}", number + 1)),
            kind: ComponentKind::Section,
            title: Some(entry.title.clone()),
            range: entry.extent.clone(),
            parent: Some(DocumentBuilder::WHOLE),
        });
    }
    builder.text(NewText {
        component: DocumentBuilder::WHOLE,
        path: Arc::from(""),
        role: TextRole::Body,
        map: TextMap::identity(0, text.len()),
        text: text.into(),
        markdown: Some(analysis),
    });
    builder.finish(None)
}

/// `{"sections": [{"title": …, "content": …}, …]}`
#[must_use]
pub fn json_lesson(text: &str) -> Document {
    let source = Source::new(text.as_bytes().to_vec());
    let mut builder = DocumentBuilder::new(source, "flat-json");
    builder.escape_style(EscapeStyle::of(text));
    let value = json::scan(text, 0..text.len());
    let sections = value.root().and_then(|root| root.get("sections"));
    for (index, section) in sections.iter().flat_map(|list| list.items()).enumerate() {
        let part = builder.component(Component {
            id: ComponentId(format!("sec_{}", index + 1)),
            kind: ComponentKind::Section,
            title: section
                .get("title")
                .and_then(json::Node::as_str)
                .map(str::to_owned),
            range: section.span(),
            parent: Some(DocumentBuilder::WHOLE),
        });
        for (name, role) in [("title", TextRole::Title), ("content", TextRole::Body)] {
            let Some(node) = section.get(name).filter(|node| node.kind() == Kind::String) else {
                continue;
            };
            let Some(string) = node.string() else {
                continue;
            };
            builder.text(NewText {
                component: part,
                path: Arc::from(format!("sections[{index}].{name}")),
                role,
                text: SharedText::from(node.as_str().unwrap_or_default()),
                map: string.map.clone(),
                markdown: None,
            });
        }
    }
    builder.finish(None)
}
