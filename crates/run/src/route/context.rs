//! The context of a component: the last three sentences before it and the first three after it
//! (seed 003 §3.2), as a reader sees them.
//!
//! | component | before it | after it |
//! |---|---|---|
//! | on the first level | the end of the previous component | the beginning of the next component |
//! | inside another | the parent's text before it, else the context of the parent | the parent's text after it, else the context of the parent |
//! | first or last | nothing | nothing |
//!
//! Headings, tables and code do not count as sentences; a component without sentences gives no
//! context.

use std::ops::Range;

use redraft_text::language::Language;
use redraft_text::markdown::{Block, BlockKind};
use redraft_text::sentences::sentences;

use super::ContextAnchors;
use super::component_tree::ComponentTree;
use redraft_gate::content::{Document, TextField, TextRole};

/// The number that seed 003 §3.2 asks for.
const SENTENCES: usize = 3;

/// Longer text without a full stop is cut, in characters.
const LONGEST: usize = 800;

/// The text on both sides of a component.
pub(super) fn anchors(tree: &ComponentTree<'_>, index: usize) -> ContextAnchors {
    ContextAnchors {
        prev_section_end: beside(tree, index, Side::Before),
        next_section_start: beside(tree, index, Side::After),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

fn beside(tree: &ComponentTree<'_>, index: usize, side: Side) -> Option<String> {
    let document = tree.document();
    let mut inner = index;
    loop {
        let neighbour = match side {
            Side::Before => tree.before(inner),
            Side::After => tree.after(inner),
        };
        let parent = tree.get(inner).parent.filter(|parent| *parent != 0);
        let range = match (parent, neighbour) {
            // The parent's own text can also lie between its components.
            (Some(parent), _) => {
                let (inner, parent) = (&tree.get(inner).range, &tree.get(parent).range);
                match side {
                    Side::Before => parent.start..inner.start,
                    Side::After => inner.end..parent.end,
                }
            }
            (None, Some(neighbour)) => tree.get(neighbour).range.clone(),
            (None, None) => return None,
        };
        let found = nearest(document, &range, side);
        match (found, parent) {
            (Some(found), _) => return Some(found),
            (None, Some(parent)) => inner = parent,
            (None, None) => return None,
        }
    }
}

/// The three sentences in `range` that are nearest to the component. Reads no more of the text than
/// that needs.
fn nearest(document: &Document, range: &Range<usize>, side: Side) -> Option<String> {
    let texts = document.texts();
    let first = texts.partition_point(|field| field.map.source_span().end <= range.start);
    let last = texts.partition_point(|field| field.map.source_span().start < range.end);
    let fields = texts.get(first..last).unwrap_or_default();
    let mut found = Passages::default();
    let mut collect_from = |field: &TextField| found.collect_from(document, field, range, side);
    match side {
        Side::Before => fields.iter().rev().any(&mut collect_from),
        Side::After => fields.iter().any(&mut collect_from),
    };
    let joined = found.0.join(" ");
    (!joined.is_empty()).then(|| shortened(&joined, side))
}

/// The sentences found so far, in text order.
#[derive(Default)]
struct Passages(Vec<String>);

impl Passages {
    /// Adds the sentences of a text; `true` if there are enough.
    fn collect_from(
        &mut self,
        document: &Document,
        field: &TextField,
        range: &Range<usize>,
        side: Side,
    ) -> bool {
        if matches!(field.role, TextRole::Code | TextRole::Title) {
            return false;
        }
        let within = field.map.to_decoded(range.start)..field.map.to_decoded(range.end);
        let blocks = &field.markdown().blocks;
        let begin = blocks.partition_point(|block| block.span.start < within.start);
        let end = blocks.partition_point(|block| block.span.start < within.end);
        let blocks = blocks.get(begin..end).unwrap_or_default();
        // Includes the paragraphs of lists and quotations.
        let mut take = |block: &Block| {
            if block.kind == BlockKind::Paragraph && block.content.end <= within.end {
                let content = block.content.clone();
                let passage = field.markdown().plain_text(&field.text, content);
                self.take(&passage, document.language(), side);
            }
            self.0.len() >= SENTENCES
        };
        match side {
            Side::Before => blocks.iter().rev().any(&mut take),
            Side::After => blocks.iter().any(&mut take),
        }
    }

    fn take(&mut self, passage: &str, language: Option<&Language>, side: Side) {
        let wanted = SENTENCES.saturating_sub(self.0.len());
        let all = sentences(passage, language).filter_map(|range| passage.get(range));
        match side {
            Side::Before => {
                let all: Vec<&str> = all.collect();
                let kept = all.get(all.len().saturating_sub(wanted)..);
                let kept = kept.unwrap_or_default().iter().map(|text| one_line(text));
                self.0.splice(0..0, kept);
            }
            Side::After => self.0.extend(all.take(wanted).map(one_line)),
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cuts a text, keeping the end nearest to the component.
fn shortened(text: &str, side: Side) -> String {
    let letters = text.chars().count();
    if letters <= LONGEST {
        return text.to_owned();
    }
    match side {
        Side::Before => {
            let kept: String = text.chars().skip(letters - LONGEST).collect();
            format!("…{kept}")
        }
        Side::After => {
            let kept: String = text.chars().take(LONGEST).collect();
            format!("{kept}…")
        }
    }
}
