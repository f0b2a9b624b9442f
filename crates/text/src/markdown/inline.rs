//! Links, footnote references and the readable fragments of inline text as plain
//! data. Knows nothing of how they are found (`parse`).

use std::ops::Range;

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// How it is written.
    pub kind: LinkKind,
    /// An image rather than a link.
    pub image: bool,
    pub span: Range<usize>,
    /// What a reader sees: the text in brackets, the alternative text, the URL.
    pub text: Range<usize>,
    /// Where it points, escapes and entities resolved, references looked up.
    pub destination: String,
}

/// How a link is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// `[text](destination)`.
    Inline,
    /// `[text][label]`, `[label][]` or `[label]`, with a definition.
    Reference,
    /// `<https://…>`.
    Autolink,
    /// `<name@host>`.
    Email,
    /// `https://…` standing in the text.
    Bare,
}

/// A reference to a footnote that is defined somewhere, `[^label]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FootnoteReference {
    /// Its label, without `^`.
    pub label: String,
    pub span: Range<usize>,
}

/// A fragment of the readable text, in document order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fragment {
    pub(super) span: Range<usize>,
    pub(super) kind: FragmentKind,
}

/// How a fragment is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FragmentKind {
    Source,
    /// Something else than the source says, such as an entity's character.
    Decoded(Box<str>),
    /// A line break within a paragraph.
    Break,
    /// The end of a table's cell.
    Cell,
    /// The end of a block or of a table's row.
    Block,
}
