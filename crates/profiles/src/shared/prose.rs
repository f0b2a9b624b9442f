//! Questions that several checks ask of a text: its blocks of prose, the words
//! that end one, and what stands around a place.

use std::ops::Range;

use redraft_gate::content::TextField;
use redraft_text::markdown::{Block, BlockKind};

/// The blocks in which prose stands: paragraphs, headings, tables.
pub(crate) fn prose_blocks(field: &TextField) -> impl Iterator<Item = (usize, &Block)> {
    field
        .markdown()
        .blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| {
            matches!(
                block.kind,
                BlockKind::Paragraph | BlockKind::Heading { .. } | BlockKind::Table { .. }
            )
        })
}

/// Whether a block stands in a container of this kind.
pub(crate) fn is_inside(
    field: &TextField,
    block: &Block,
    kind: impl Fn(&BlockKind) -> bool,
) -> bool {
    let blocks = &field.markdown().blocks;
    let mut parent = block.parent;
    while let Some(container) = parent.and_then(|index| blocks.get(index)) {
        if kind(&container.kind) {
            return true;
        }
        parent = container.parent;
    }
    false
}

/// Whether a range is put in quotation marks, as words that are talked about
/// are. Markers of emphasis may stand between.
pub(crate) fn is_quoted(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start]
        .trim_end_matches(['*', '_'])
        .chars()
        .next_back();
    let after = text[range.end..]
        .trim_start_matches(['*', '_', '.', ',', '!', '?', '…'])
        .chars()
        .next();
    let opens = |c: char| {
        matches!(
            c,
            '"' | '\'' | '“' | '‘' | '„' | '«' | '‹' | '`' | '「' | '『' | '《'
        )
    };
    let closes = |c: char| {
        matches!(
            c,
            '"' | '\'' | '”' | '’' | '“' | '»' | '›' | '`' | '」' | '』' | '》'
        )
    };
    before.is_some_and(opens) && after.is_some_and(closes)
}

/// Whether a block shows a reader something.
pub(crate) fn shows_something(block: &Block) -> bool {
    match block.kind {
        BlockKind::FrontMatter | BlockKind::LinkDefinition { .. } | BlockKind::ThematicBreak => {
            false
        }
        // What stands outside comments.
        BlockKind::Html => !block.content.is_empty(),
        _ => true,
    }
}
