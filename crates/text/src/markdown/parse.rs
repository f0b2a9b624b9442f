//! Turns the parser's events into the analysis. Only here (and in `parse/`) is
//! the parser known. What it reports is moved to offsets of the given text and brought to
//! one convention for spans (see `Block`); what it does not report (whether a
//! fence is closed, the text of tight items as paragraphs, comments, bare URLs)
//! is added here.

mod inline_events;
mod raw_blocks;
#[cfg(test)]
mod tests;

use super::block::{Block, BlockKind};
use super::front_matter::find_front_matter;
use super::guard::guard;
use super::inline::FragmentKind;
use super::line_edges::{byte_order_mark, line_end};
use super::ranges::{merge, subtract};
use super::urls::{add_bare_links, find_bare_urls};
use super::view::{Markdown, read_fragments};
use crate::mathematics::plain_dollars;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

/// Analyses a Markdown text: `CommonMark` with tables, footnotes, strike-through,
/// task lists, mathematics, alerts, and front matter. Never fails, and costs time
/// and memory linear in the size of the text.
pub fn analyse(text: &str) -> Markdown {
    let mark = byte_order_mark(text);
    let front_matter = find_front_matter(text, mark);
    let base = front_matter.as_ref().map_or(mark, |range| range.end);
    let guarded = guard(&text[base..]);
    let first = read(text, &guarded.source, base, front_matter.clone());
    let mut md = if first.misread.is_empty() {
        first.md
    } else {
        // The parser took money for mathematics, and what stood between the signs
        // (bold, links) with it. It reads again, without those signs.
        let (source, stand_in) = without_plain_dollars(text, &guarded.source, base, &first);
        drop(first);
        let mut again = read(text, &source, base, front_matter);
        again.restore_dollars(stand_in);
        again.md
    };
    md.degraded = guarded.degraded;
    for degraded in &mut md.degraded {
        degraded.span = base + degraded.span.start..base + degraded.span.end;
    }
    forget_what_was_code(&mut md);
    md.shrink();
    md
}

/// What one pass of the parser gave.
struct Reading {
    md: Markdown,
    /// The blocks where dollar signs were taken for mathematics that are none.
    misread: Vec<usize>,
}

impl Reading {
    /// Puts the dollar sign back where the parser passed its stand-in on.
    fn restore_dollars(&mut self, stand_in: Option<char>) {
        let Some(stand_in) = stand_in else {
            return;
        };
        let restore = |text: &mut String| {
            if text.contains(stand_in) {
                *text = text.replace(stand_in, "$");
            }
        };
        for link in &mut self.md.links {
            restore(&mut link.destination);
        }
        for block in &mut self.md.blocks {
            if let BlockKind::LinkDefinition { destination, .. } = &mut block.kind {
                restore(destination);
            }
        }
        for fragment in &mut self.md.fragments {
            if let FragmentKind::Decoded(read) = &mut fragment.kind
                && read.contains(stand_in)
            {
                *read = read.replace(stand_in, "$").into();
            }
        }
    }
}

/// The source with other punctuation for the dollar signs of misread blocks that
/// are not mathematics, and which punctuation it is: one that means nothing in
/// Markdown, and that the text has nowhere else. `None` if it has them all.
fn without_plain_dollars(
    text: &str,
    source: &str,
    base: usize,
    first: &Reading,
) -> (String, Option<char>) {
    let stand_in = ['%', ';', '^', '@', '}', '?', ',']
        .into_iter()
        .find(|c| !source.contains(*c));
    let byte_for_dollar = stand_in.map_or(b'%', |c| c as u8);
    let mut bytes = source.as_bytes().to_vec();
    for block in first
        .misread
        .iter()
        .filter_map(|at| first.md.blocks.get(*at))
    {
        let content = text.get(block.span.clone()).unwrap_or_default();
        for at in plain_dollars(content) {
            if let Some(byte) = bytes.get_mut(block.span.start + at - base) {
                *byte = byte_for_dollar;
            }
        }
    }
    // Only ASCII has replaced ASCII, so this does not fail.
    let source = String::from_utf8(bytes).unwrap_or_else(|_| source.to_owned());
    (source, stand_in)
}

/// The source as it is shown: without the dollar signs that are money, so that nobody takes
/// them for mathematics.
pub(super) fn without_money<'a>(
    text: &str,
    source: Cow<'a, str>,
    base: usize,
    front_matter: Option<Range<usize>>,
) -> Cow<'a, str> {
    let first = read(text, &source, base, front_matter);
    if first.misread.is_empty() {
        return source;
    }
    Cow::Owned(without_plain_dollars(text, &source, base, &first).0)
}

/// One pass of the parser over the source, which is the text from `base` on.
fn read(text: &str, source: &str, base: usize, front_matter: Option<Range<usize>>) -> Reading {
    let parser = Parser::new_ext(source, options());
    let mut definitions: Vec<Definition> = parser
        .reference_definitions()
        .iter()
        .map(|(label, definition)| Definition {
            label: label.to_owned(),
            destination: definition.dest.to_string(),
            raw: definition.span.clone(),
        })
        .collect();
    definitions.sort_by_key(|definition| Reverse(definition.raw.start));

    let mut builder = Builder {
        text,
        source,
        base,
        md: Markdown::default(),
        open: Vec::new(),
        open_links: Vec::new(),
        definitions,
        leaf: Leaf::default(),
        blank: 0..0,
        misread: Vec::new(),
    };
    if let Some(span) = front_matter {
        builder.md.verbatim.push(span.clone());
        builder.open_block(BlockKind::FrontMatter, span);
        builder.close_block();
    }
    for (event, raw) in parser.into_offset_iter() {
        let range = builder.in_text(&raw);
        builder.handle_event(event, range);
    }
    builder.finish()
}

pub(super) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
}

/// The guard does not know code from prose; inside a fence nothing was lost.
fn forget_what_was_code(md: &mut Markdown) {
    if md.degraded.is_empty() {
        return;
    }
    let bodies: Vec<&Range<usize>> = md
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::CodeBlock { fence: Some(fence) } => Some(&fence.body),
            _ => None,
        })
        .collect();
    md.degraded.retain(|degraded| {
        let next = bodies.partition_point(|body| body.end <= degraded.span.start);
        !bodies
            .get(next)
            .is_some_and(|body| body.start <= degraded.span.start && degraded.span.end <= body.end)
    });
}

struct Definition {
    label: String,
    destination: String,
    /// In the offsets of the parser.
    raw: Range<usize>,
}

struct Builder<'a> {
    text: &'a str,
    /// What the parser sees: the text from `base` on, perhaps with changed bytes.
    source: &'a str,
    base: usize,
    md: Markdown,
    /// Open blocks, outermost first.
    open: Vec<usize>,
    open_links: Vec<OpenLink>,
    /// Not yet placed, last one first. The parser reports them apart from the
    /// events.
    definitions: Vec<Definition>,
    leaf: Leaf,
    /// A stretch known to be white space. Many containers can end after the
    /// same blank lines, and those must not be walked through for each.
    blank: Range<usize>,
    misread: Vec<usize>,
}

struct OpenLink {
    index: usize,
    /// Where the text so far ends.
    text_end: usize,
}

/// What is gathered about the open block that holds text. Such blocks do not nest.
#[derive(Default)]
struct Leaf {
    content: Option<Range<usize>>,
    first_fragment: usize,
    display_math: usize,
    other_inline: usize,
    /// A paragraph the parser does not report, in a tight list.
    implicit: bool,
}

impl Builder<'_> {
    fn handle_event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.handle_start(tag, range),
            Event::End(tag) => self.handle_end(tag, range),
            Event::Rule => {
                self.open_block(BlockKind::ThematicBreak, range);
                self.close_block();
            }
            Event::TaskListMarker(checked) => self.set_task(checked),
            Event::Html(_) => {}
            Event::Text(read) => self.handle_text(&read, range),
            inline => self.handle_inline(inline, range),
        }
    }

    fn handle_start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let kind = match tag {
            Tag::Paragraph => BlockKind::Paragraph,
            Tag::Heading { level, .. } => BlockKind::Heading {
                level: level as u8,
                setext: false,
                text: String::new(),
            },
            Tag::BlockQuote(_) => BlockKind::BlockQuote,
            Tag::CodeBlock(CodeBlockKind::Indented) => BlockKind::CodeBlock { fence: None },
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => BlockKind::CodeBlock {
                fence: Some(Box::new(self.opening_fence(range.start))),
            },
            Tag::HtmlBlock | Tag::MetadataBlock(_) => BlockKind::Html,
            Tag::List(start) => BlockKind::List {
                ordered: start.is_some(),
                start: start.unwrap_or(0),
                tight: true,
            },
            Tag::Item => BlockKind::Item { task: None },
            Tag::FootnoteDefinition(label) => BlockKind::FootnoteDefinition {
                label: label.into_string(),
            },
            Tag::Table(alignments) => BlockKind::Table {
                columns: alignments.len(),
            },
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => return self.open_link(link_type, false, &dest_url, range),
            Tag::Image {
                link_type,
                dest_url,
                ..
            } => return self.open_link(link_type, true, &dest_url, range),
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript => return self.touch_inline(&range),
            Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition => return,
        };
        self.open_block(kind, range);
    }

    fn handle_end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Link | TagEnd::Image => self.close_link(),
            TagEnd::TableCell => self.push_break(FragmentKind::Cell, range.end),
            TagEnd::TableHead | TagEnd::TableRow => self.push_break(FragmentKind::Block, range.end),
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::BlockQuote(_)
            | TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::MetadataBlock(_)
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::FootnoteDefinition
            | TagEnd::Table => {
                self.close_implicit();
                self.place_definitions(range.end);
                self.close_block();
            }
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition => {}
        }
    }

    fn open_block(&mut self, kind: BlockKind, range: Range<usize>) {
        self.close_implicit();
        self.place_definitions(range.start);
        if matches!(kind, BlockKind::Paragraph) {
            self.loosen_list();
        }
        self.push_block(kind, range);
    }

    fn push_block(&mut self, kind: BlockKind, range: Range<usize>) {
        let parent = self.open.last().copied();
        let around = parent.map_or(0..self.text.len(), |p| self.md.blocks[p].span.clone());
        let end = range.end.clamp(around.start, around.end);
        let mut start = range.start.clamp(around.start, end);
        if matches!(kind, BlockKind::List { .. } | BlockKind::Item { .. }) {
            // The parser subtracts columns from bytes here: with a tab before
            // the marker, the item would start in the line before.
            let bytes = &self.text.as_bytes()[start..end];
            start += bytes
                .iter()
                .take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'>'))
                .count();
        }
        if !kind.is_container() {
            self.leaf = Leaf {
                first_fragment: self.md.fragments.len(),
                ..Leaf::default()
            };
        }
        self.open.push(self.md.blocks.len());
        let depth = self.open.len() - 1;
        self.md.blocks.push(Block {
            kind,
            span: start..end,
            content: start..end,
            parent,
            depth: u32::try_from(depth).unwrap_or(u32::MAX),
        });
    }

    fn close_block(&mut self) {
        let Some(index) = self.open.pop() else {
            return;
        };
        let raw = self.md.blocks[index].span.clone();
        let span = raw.start..self.trim_end(&raw);
        let leaf = std::mem::take(&mut self.leaf);
        let hull = leaf.content.unwrap_or(span.start..span.start);
        let hull = hull.start.clamp(span.start, span.end)..hull.end.clamp(span.start, span.end);
        let mut content = span.clone();
        let mut kind = std::mem::replace(&mut self.md.blocks[index].kind, BlockKind::Paragraph);
        match &mut kind {
            BlockKind::Heading { setext, text, .. } => {
                // A marked heading is one line; an underlined one is not.
                *setext = line_end(self.text, span.start) < span.end;
                let fragments = self.md.fragments[leaf.first_fragment..].iter();
                *text = read_fragments(self.text, fragments, &span);
                content = hull;
            }
            BlockKind::Paragraph => {
                if leaf.display_math == 1 && leaf.other_inline == 0 {
                    kind = BlockKind::Math;
                }
                content = hull;
            }
            BlockKind::CodeBlock { fence } => {
                if let Some(fence) = fence {
                    self.close_fence(fence, &span, &hull);
                    content = fence.body.clone();
                }
                self.md.code.push(span.clone());
                self.md.verbatim.push(span.clone());
            }
            BlockKind::Html => {
                content = self.find_comments(&span);
                self.md.verbatim.push(span.clone());
            }
            _ => {}
        }
        if !kind.is_container() {
            self.push_break(FragmentKind::Block, span.end);
        }
        let block = &mut self.md.blocks[index];
        (block.kind, block.span, block.content) = (kind, span, content);
    }

    fn trim_end(&mut self, range: &Range<usize>) -> usize {
        let mut end = range.end;
        if self.blank.start <= end && end <= self.blank.end {
            end = self.blank.start;
        }
        let end = end.max(range.start);
        let trimmed = self.text.as_bytes()[range.start..end].trim_ascii_end();
        let trimmed = range.start + trimmed.len();
        self.blank = trimmed..range.end;
        trimmed
    }

    /// The text of a tight item has no paragraph of its own in the parser.
    fn close_implicit(&mut self) {
        if !self.leaf.implicit {
            return;
        }
        if let (Some(&index), Some(content)) = (self.open.last(), &self.leaf.content) {
            self.md.blocks[index].span.end = content.end;
        }
        self.close_block();
    }

    /// A paragraph of its own directly in an item makes the list loose.
    fn loosen_list(&mut self) {
        let Some(&[list, item]) = self.open.last_chunk() else {
            return;
        };
        if matches!(self.md.blocks[item].kind, BlockKind::Item { .. })
            && let BlockKind::List { tight, .. } = &mut self.md.blocks[list].kind
        {
            *tight = false;
        }
    }

    fn set_task(&mut self, checked: bool) {
        let open = self.open.iter().rev().take(2);
        for &index in open {
            if let BlockKind::Item { task } = &mut self.md.blocks[index].kind {
                *task = Some(checked);
                return;
            }
        }
    }

    /// Places the definitions that start before `before` in the open container.
    fn place_definitions(&mut self, before: usize) {
        while let Some(next) = self
            .definitions
            .pop_if(|next| self.base + next.raw.start < before)
        {
            let range = self.in_text(&next.raw);
            let kind = BlockKind::LinkDefinition {
                label: next.label,
                destination: next.destination,
            };
            let leaf = std::mem::take(&mut self.leaf);
            self.push_block(kind, range);
            self.close_block();
            self.leaf = leaf;
            if let Some(block) = self.md.blocks.last() {
                self.md.verbatim.push(block.span.clone());
            }
        }
    }

    /// Moves a range of the parser to the text, on boundaries of characters.
    fn in_text(&self, raw: &Range<usize>) -> Range<usize> {
        let end = self.text.ceil_char_boundary(self.base + raw.end);
        let start = self.text.floor_char_boundary(self.base + raw.start);
        start.min(end)..end
    }

    fn finish(mut self) -> Reading {
        self.close_implicit();
        self.place_definitions(usize::MAX);
        let mut md = self.md;
        merge(&mut md.prose);
        let urls = find_bare_urls(self.text, &md.prose);
        add_bare_links(&mut md, self.text, &urls);
        md.prose = subtract(&md.prose, &urls);
        md.verbatim.extend(urls);
        merge(&mut md.verbatim);
        merge(&mut md.code);
        md.prose = subtract(&md.prose, &md.verbatim);
        Reading {
            md,
            misread: self.misread,
        }
    }
}
