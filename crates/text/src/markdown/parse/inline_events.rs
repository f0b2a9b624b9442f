//! The part of the builder that handles what is inside a block: text, code,
//! mathematics, links. It opens no blocks but the paragraphs of tight items.

use super::super::block::BlockKind;
use super::super::inline::{FootnoteReference, Fragment, FragmentKind, Link, LinkKind};
use super::super::ranges::lines_within;
use super::{Builder, OpenLink};
use crate::mathematics;
use pulldown_cmark::{Event, LinkType};
use std::ops::Range;

impl Builder<'_> {
    /// Notes an inline element of the open block; opens the paragraph the parser
    /// leaves out in tight lists.
    pub(super) fn touch_inline(&mut self, range: &Range<usize>) {
        let in_leaf = self
            .open
            .last()
            .is_some_and(|&index| !self.md.blocks[index].kind.is_container());
        if !in_leaf {
            let end = self
                .open
                .last()
                .map_or(self.text.len(), |&index| self.md.blocks[index].span.end);
            self.place_definitions(range.start);
            self.push_block(BlockKind::Paragraph, range.start..end);
            self.leaf.implicit = true;
        }
        let content = self.leaf.content.get_or_insert_with(|| range.clone());
        content.end = content.end.max(range.end);
        if let Some(link) = self.open_links.last_mut() {
            link.text_end = link.text_end.max(range.end);
        }
    }

    pub(super) fn handle_text(&mut self, read: &str, range: Range<usize>) {
        self.touch_inline(&range);
        let block = self.open.last().map(|&index| &self.md.blocks[index].kind);
        if range.is_empty() || matches!(block, Some(BlockKind::CodeBlock { .. } | BlockKind::Html))
        {
            return;
        }
        self.leaf.other_inline += 1;
        if !self.in_autolink() {
            self.push_prose(range.clone());
        }
        self.push_read(read, range);
    }

    pub(super) fn handle_inline(&mut self, event: Event<'_>, range: Range<usize>) {
        self.touch_inline(&range);
        match event {
            Event::SoftBreak | Event::HardBreak => {
                self.push_break(FragmentKind::Break, range.start);
            }
            Event::FootnoteReference(label) => {
                self.leaf.other_inline += 1;
                self.md.footnotes.push(FootnoteReference {
                    label: label.into_string(),
                    span: range,
                });
            }
            Event::InlineHtml(html) => {
                self.leaf.other_inline += 1;
                if html.starts_with("<!--") {
                    self.md.comments.push(range.clone());
                } else if html
                    .get(..3)
                    .is_some_and(|tag| tag.eq_ignore_ascii_case("<br"))
                {
                    self.push_break(FragmentKind::Break, range.start);
                }
                self.md.verbatim.push(range);
            }
            Event::InlineMath(_) | Event::DisplayMath(_) if !self.is_mathematics(&range) => {
                self.leaf.other_inline += 1;
                if let Some(&block) = self.open.last()
                    && self.misread.last() != Some(&block)
                {
                    self.misread.push(block);
                }
                for line in lines_within(self.text, &range) {
                    self.push_prose(line.clone());
                    self.md.fragments.push(Fragment {
                        span: line,
                        kind: FragmentKind::Source,
                    });
                }
            }
            Event::Code(read) => {
                self.leaf.other_inline += 1;
                self.md.code.push(range.clone());
                self.push_delimited(&read, range);
            }
            Event::InlineMath(read) => {
                self.leaf.other_inline += 1;
                self.push_delimited(&read, range);
            }
            Event::DisplayMath(read) => {
                self.leaf.display_math += 1;
                self.push_delimited(&read, range);
            }
            _ => {}
        }
    }

    /// Whether the parser is right about dollar signs.
    fn is_mathematics(&self, range: &Range<usize>) -> bool {
        let Some(whole) = self.text.get(range.clone()) else {
            return true;
        };
        match whole
            .strip_prefix("$$")
            .and_then(|rest| rest.strip_suffix("$$"))
        {
            Some(content) => mathematics::is_displayed(content),
            None => mathematics::is_inline(self.text, range.clone()),
        }
    }

    pub(super) fn push_delimited(&mut self, read: &str, range: Range<usize>) {
        self.md.verbatim.push(range.clone());
        let delimiter = range.len().saturating_sub(read.len()) / 2;
        self.push_read(read, range.start + delimiter..range.end - delimiter);
    }

    pub(super) fn push_prose(&mut self, range: Range<usize>) {
        match self.md.prose.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.md.prose.push(range),
        }
    }

    pub(super) fn push_read(&mut self, read: &str, range: Range<usize>) {
        let seen = self
            .source
            .get(range.start - self.base..range.end - self.base);
        let kind = if seen == Some(read) {
            FragmentKind::Source
        } else {
            FragmentKind::Decoded(read.into())
        };
        // What stands together is one fragment: a paragraph full of stray markers
        // has millions of them.
        if kind == FragmentKind::Source
            && let Some(last) = self.md.fragments.last_mut()
            && last.kind == FragmentKind::Source
            && last.span.end == range.start
        {
            last.span.end = range.end;
            return;
        }
        self.md.fragments.push(Fragment { span: range, kind });
    }

    pub(super) fn push_break(&mut self, kind: FragmentKind, at: usize) {
        // Fragments stay in order even where a block was cut back to its text.
        let at = self.md.fragments.last().map_or(at, |p| p.span.end.max(at));
        self.md.fragments.push(Fragment { span: at..at, kind });
    }

    // --- links ---

    pub(super) fn open_link(
        &mut self,
        link: LinkType,
        image: bool,
        destination: &str,
        range: Range<usize>,
    ) {
        let kind = match link {
            LinkType::Inline | LinkType::WikiLink { .. } => LinkKind::Inline,
            LinkType::Autolink => LinkKind::Autolink,
            LinkType::Email => LinkKind::Email,
            LinkType::Reference
            | LinkType::ReferenceUnknown
            | LinkType::Collapsed
            | LinkType::CollapsedUnknown
            | LinkType::Shortcut
            | LinkType::ShortcutUnknown => LinkKind::Reference,
        };
        self.touch_inline(&range);
        self.leaf.other_inline += 1;
        let text_start = (range.start + 1 + usize::from(image)).min(range.end);
        self.open_links.push(OpenLink {
            index: self.md.links.len(),
            text_end: text_start,
        });
        self.md.links.push(Link {
            kind,
            image,
            span: range,
            text: text_start..text_start,
            destination: destination.to_owned(),
        });
    }

    pub(super) fn close_link(&mut self) {
        let Some(closed) = self.open_links.pop() else {
            return;
        };
        let link = &mut self.md.links[closed.index];
        let span = link.span.clone();
        link.text.end = closed.text_end.clamp(link.text.start, span.end);
        match link.kind {
            LinkKind::Autolink | LinkKind::Email => self.md.verbatim.push(span),
            _ => self.md.verbatim.push(link.text.end..span.end),
        }
    }

    pub(super) fn in_autolink(&self) -> bool {
        self.open_links.last().is_some_and(|open| {
            let kind = self.md.links[open.index].kind;
            matches!(kind, LinkKind::Autolink | LinkKind::Email)
        })
    }
}
