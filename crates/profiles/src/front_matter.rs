//! Front matter: the block of metadata before a Markdown text.

use redraft_text::markdown::{BlockKind, Markdown};

/// The offset at which front matter ends; 0 without front matter.
pub(crate) fn front_matter_end(analysis: &Markdown) -> usize {
    analysis
        .blocks
        .first()
        .filter(|block| block.kind == BlockKind::FrontMatter)
        .map_or(0, |block| block.span.end)
}
