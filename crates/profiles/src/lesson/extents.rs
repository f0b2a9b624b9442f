//! The size of the components of a lesson: their words, and whether they contain
//! more than prose.

use redraft_gate::content::{Document, TextField, TextRole};
use redraft_text::markdown::BlockKind;

use super::structure::top_level;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// The words of its prose, headings not counted.
    pub(super) words: usize,
    /// Whether it also shows something that is not prose: code, a list, a table,
    /// a picture, a link, headings of its own.
    pub(super) shows_more: bool,
}

/// The extents of all components of the first level, by the component's index.
pub(super) fn extents(document: &Document) -> Vec<Extent> {
    let mut extents = vec![Extent::default(); document.components().len()];
    for field in document.texts() {
        if field.role == TextRole::Title {
            continue;
        }
        let markdown = field.markdown();
        let mut cursor = ComponentCursor::new(document, field);
        let mut headings = markdown.headings().map(|(_, block)| &block.span).peekable();
        for (range, words) in markdown.prose.iter().zip(field.prose_words()) {
            while headings
                .next_if(|heading| heading.end <= range.start)
                .is_some()
            {}
            let in_heading = headings
                .peek()
                .is_some_and(|heading| heading.start <= range.start);
            if in_heading {
                continue;
            }
            if let Some(extent) = extents.get_mut(cursor.at(range.start)) {
                extent.words += words;
            }
        }
        let mut more: Vec<usize> = markdown
            .blocks
            .iter()
            .filter(|block| is_more_than_prose(&block.kind))
            .map(|block| block.span.start)
            .chain(markdown.links.iter().map(|link| link.span.start))
            .chain(markdown.code.iter().map(|range| range.start))
            .collect();
        more.sort_unstable();
        let mut cursor = ComponentCursor::new(document, field);
        for at in more {
            let index = cursor.at(at);
            if let Some(extent) = extents.get_mut(index) {
                extent.shows_more = true;
            }
        }
        headings_below(document, field, &mut extents);
    }
    extents
}

fn is_more_than_prose(kind: &BlockKind) -> bool {
    !matches!(
        kind,
        BlockKind::Paragraph
            | BlockKind::Heading { .. }
            | BlockKind::ThematicBreak
            | BlockKind::LinkDefinition { .. }
            | BlockKind::FrontMatter
    )
}

/// A section with headings below its own shows more than prose.
fn headings_below(document: &Document, field: &TextField, extents: &mut [Extent]) {
    let mut cursor = ComponentCursor::new(document, field);
    let mut before = None;
    for (_, block) in field.markdown().headings() {
        let index = cursor.at(block.span.start);
        if (before == Some(index) || !field.path.is_empty())
            && let Some(extent) = extents.get_mut(index)
        {
            extent.shows_more = true;
        }
        before = Some(index);
    }
}

/// Finds the top-level components of increasing offsets in a text.
struct ComponentCursor<'a> {
    document: &'a Document,
    components: Vec<usize>,
    next: usize,
    offset: usize,
    fixed: Option<usize>,
}

impl<'a> ComponentCursor<'a> {
    fn new(document: &'a Document, field: &TextField) -> Self {
        let is_markdown = field.path.is_empty();
        Self {
            document,
            components: if is_markdown {
                top_level(document).map(|(index, _)| index).collect()
            } else {
                Vec::new()
            },
            next: 0,
            offset: field.map.source_span().start,
            fixed: (!is_markdown).then_some(field.component),
        }
    }

    fn at(&mut self, at: usize) -> usize {
        if let Some(fixed) = self.fixed {
            return fixed;
        }
        let at = self.offset + at;
        let all = self.document.components();
        while let Some(index) = self.components.get(self.next) {
            if at < all[*index].range.end {
                break;
            }
            self.next += 1;
        }
        match self.components.get(self.next) {
            Some(index) if all[*index].range.start <= at => *index,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use super::*;
    use crate::lesson::Lesson;

    #[test]
    fn sections_are_measured_with_what_else_they_show() {
        let text =
            "# T\n\nLead.\n\n## A\n\nOne two.\n\n## B\n\nOne.\n\n- item\n\n## C\n\n### D\n\nOne.\n";
        let raw = reading::read(Source::new(text.as_bytes().to_vec()), Hint::Markdown);
        let document = Lesson.parse(raw, None);
        let found: Vec<(usize, bool)> = extents(&document)
            .iter()
            .map(|extent| (extent.words, extent.shows_more))
            .collect();
        assert_eq!(
            found,
            [(0, false), (1, false), (2, false), (2, true), (1, true)]
        );
    }
}
