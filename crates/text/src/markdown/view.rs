//! The result of an analysis, and the questions checks ask of it. Knows nothing
//! of parsing: everything here is read off the collected data.

use super::block::{Block, BlockKind};
use super::guard::Degraded;
use super::inline::{FootnoteReference, Fragment, FragmentKind, Link};
use std::ops::Range;

/// What there is to know about one Markdown text. Offsets are bytes of that text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markdown {
    /// In document order, containers before what is in them.
    pub blocks: Vec<Block>,
    /// In document order. A reference without a definition is not a link.
    pub links: Vec<Link>,
    /// Literal prose: sorted, disjoint, never empty, never across a line break,
    /// never in `verbatim`. An entity (`&amp;`) is part of its range; the
    /// backslash of an escape is not, so it splits the range. Link texts and
    /// alternative texts are prose.
    pub prose: Vec<Range<usize>>,
    /// What must not be read as prose: code spans, code blocks with their
    /// fences, HTML and comments, mathematics, front matter, link definitions,
    /// destinations of links, URLs. Sorted, disjoint, not touching.
    pub verbatim: Vec<Range<usize>>,
    /// Code alone, of what is verbatim: code spans and code blocks with their
    /// fences. Sorted, disjoint.
    pub code: Vec<Range<usize>>,
    /// HTML comments outside code, sorted and disjoint. An unclosed one reaches
    /// to the end of its HTML block.
    pub comments: Vec<Range<usize>>,
    /// References to footnotes; their definitions are blocks.
    pub footnotes: Vec<FootnoteReference>,
    /// What was not analysed as written, since it would have cost too much.
    pub degraded: Vec<Degraded>,
    pub(super) fragments: Vec<Fragment>,
}

impl Markdown {
    /// Gives spare memory back: a bank has hundreds of thousands of short texts.
    pub(super) fn shrink(&mut self) {
        self.blocks.shrink_to_fit();
        self.links.shrink_to_fit();
        self.prose.shrink_to_fit();
        self.verbatim.shrink_to_fit();
        self.code.shrink_to_fit();
        self.comments.shrink_to_fit();
        self.fragments.shrink_to_fit();
    }

    /// Whether the byte at `at` is in code, HTML, mathematics, front matter or a
    /// link's destination.
    pub fn is_verbatim(&self, at: usize) -> bool {
        let next = self.verbatim.partition_point(|range| range.end <= at);
        self.verbatim
            .get(next)
            .is_some_and(|range| range.start <= at)
    }

    /// Whether the byte at `at` is in a code span or a code block.
    pub fn is_code(&self, at: usize) -> bool {
        let next = self.code.partition_point(|range| range.end <= at);
        self.code.get(next).is_some_and(|range| range.start <= at)
    }

    /// The blocks that are in no container, with their index.
    pub fn top_level(&self) -> impl Iterator<Item = (usize, &Block)> {
        self.blocks
            .iter()
            .enumerate()
            .filter(|(_, block)| block.parent.is_none())
    }

    /// The top-level headings, with their index: a heading inside a list item, a
    /// quotation or a fence does not divide a document.
    pub fn headings(&self) -> impl Iterator<Item = (usize, &Block)> {
        self.top_level()
            .filter(|(_, block)| matches!(block.kind, BlockKind::Heading { .. }))
    }

    /// The last block that shows something to a reader, with its index: a block
    /// that holds text (inside whatever containers), a rule, or an empty list
    /// item. Front matter, comments, link definitions and footnotes do not count.
    pub fn last_content_block(&self) -> Option<(usize, &Block)> {
        self.last_content_block_before(usize::MAX)
    }

    /// The same in the text before an offset.
    pub fn last_content_block_before(&self, end: usize) -> Option<(usize, &Block)> {
        // Going backwards, a block is seen after all blocks inside it.
        let mut has_children = vec![false; self.blocks.len()];
        for block in &self.blocks {
            if let Some(flag) = block.parent.and_then(|parent| has_children.get_mut(parent)) {
                *flag = true;
            }
        }
        self.blocks
            .iter()
            .enumerate()
            .zip(has_children)
            .rev()
            .find(|((_, block), has_children)| {
                let shows = match block.kind {
                    BlockKind::FrontMatter
                    | BlockKind::LinkDefinition { .. }
                    | BlockKind::FootnoteDefinition { .. }
                    | BlockKind::List { .. }
                    | BlockKind::BlockQuote => false,
                    BlockKind::Item { .. } => !has_children,
                    // Its content is the text outside comments.
                    BlockKind::Html => !block.content.is_empty(),
                    _ => true,
                };
                shows && block.span.start < end && !self.is_in_footnote(block)
            })
            .map(|(entry, _)| entry)
    }

    /// The text a reader reads in `range`, without markup: entities and escapes
    /// resolved, line breaks as spaces, blocks and table rows on lines of their
    /// own, cells separated by tabs. Inline code and mathematics are kept
    /// without their delimiters; code blocks, HTML and front matter are left
    /// out. `text` is the text that was analysed.
    pub fn plain_text(&self, text: &str, range: Range<usize>) -> String {
        let first = self
            .fragments
            .partition_point(|fragment| fragment.span.end <= range.start);
        let fragments = self.fragments.get(first..).unwrap_or_default();
        let within = fragments
            .iter()
            .take_while(|fragment| fragment.span.start < range.end);
        read_fragments(text, within, &range)
    }

    fn is_in_footnote(&self, block: &Block) -> bool {
        let mut parent = block.parent;
        while let Some(container) = parent.and_then(|index| self.blocks.get(index)) {
            if matches!(container.kind, BlockKind::FootnoteDefinition { .. }) {
                return true;
            }
            parent = container.parent;
        }
        false
    }
}

/// Reads fragments out loud, clipped to `range`, trimmed.
pub(super) fn read_fragments<'a>(
    text: &str,
    fragments: impl Iterator<Item = &'a Fragment>,
    range: &Range<usize>,
) -> String {
    let mut read = String::new();
    for fragment in fragments {
        match &fragment.kind {
            FragmentKind::Source => {
                let start = text.ceil_char_boundary(fragment.span.start.max(range.start));
                let end = text.floor_char_boundary(fragment.span.end.min(range.end));
                read.push_str(text.get(start..end).unwrap_or_default());
            }
            FragmentKind::Decoded(decoded) => read.push_str(decoded),
            FragmentKind::Break => separate(&mut read, ' '),
            FragmentKind::Cell => separate(&mut read, '\t'),
            FragmentKind::Block => {
                read.truncate(read.trim_end().len());
                separate(&mut read, '\n');
            }
        }
    }
    read.truncate(read.trim_end().len());
    let lead = read.len() - read.trim_start().len();
    read.drain(..lead);
    read
}

fn separate(read: &mut String, separator: char) {
    if !read.is_empty() && !read.ends_with(['\n', separator]) {
        read.push(separator);
    }
}
