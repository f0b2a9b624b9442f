//! What several checks need to know about prose: its blocks, their containers, and
//! quotation marks.

use std::ops::Range;

use redraft_gate::content::TextField;
use redraft_text::markdown::{Block, BlockKind};

/// Blocks with prose: paragraphs, headings, tables.
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

/// Whether a block is in a container of this kind, at any depth.
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

/// Whether a range is in quotation marks, as words that are being discussed are.
/// Emphasis markers may come between.
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

/// Whether a reader sees anything of a block.
pub(crate) fn shows_something(block: &Block) -> bool {
    match block.kind {
        BlockKind::FrontMatter | BlockKind::LinkDefinition { .. } | BlockKind::ThematicBreak => {
            false
        }
        // The content is what is outside comments.
        BlockKind::Html => !block.content.is_empty(),
        _ => true,
    }
}
