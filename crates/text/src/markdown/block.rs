//! The blocks of a Markdown text as plain data. Knows nothing of how they are
//! found (`parse`).

use std::ops::Range;

/// One block. A block starts at its own first byte (its marker, its fence, its
/// first letter), never at indentation or at a container's prefix, and ends
/// after its last byte that is not white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// Where it is; inside the span of its parent.
    pub span: Range<usize>,
    /// The block's own text: a heading without its markers, the body of a code
    /// block, HTML from the first to the last byte outside comments (empty if
    /// there is nothing else), otherwise from the first to the last inline
    /// element. For a container it is the span. It lies inside the span.
    pub content: Range<usize>,
    /// Index of the container in `Markdown::blocks`; `None` at top level.
    pub parent: Option<usize>,
    /// Number of containers around it; 0 at top level.
    pub depth: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    /// YAML (`---`) or TOML (`+++`) metadata at the very start, with its fences.
    FrontMatter,
    Heading {
        /// 1 to 6.
        level: u8,
        /// Underlined with `=` or `-` rather than marked with `#`.
        setext: bool,
        /// Its text without markup.
        text: String,
    },
    /// A paragraph; also the text of an item in a tight list.
    Paragraph,
    /// Code, indented or fenced.
    CodeBlock {
        /// The fence; `None` for indented code. In a box, because nearly all blocks are
        /// paragraphs, and a bank has hundreds of thousands of them.
        fence: Option<Box<Fence>>,
    },
    /// A list; its children are items.
    List {
        /// Numbered.
        ordered: bool,
        /// The first number; 0 for a bullet list.
        start: u64,
        /// No blank lines between its items' blocks.
        tight: bool,
    },
    /// An item of a list.
    Item {
        /// The state of a task's box, if the item has one.
        task: Option<bool>,
    },
    /// A quotation, `>`.
    BlockQuote,
    /// A table with its header.
    Table {
        /// Number of columns.
        columns: usize,
    },
    /// A block of HTML, comments included.
    Html,
    /// A rule across the page.
    ThematicBreak,
    /// A footnote's text.
    FootnoteDefinition {
        /// Its label, without `^`.
        label: String,
    },
    /// Displayed mathematics in a paragraph of its own, `$$ … $$`.
    Math,
    /// A link reference definition, `[label]: destination`. Of several with the
    /// same label only the first counts, and only the first is a block.
    LinkDefinition {
        /// Its label as written.
        label: String,
        /// Where it points.
        destination: String,
    },
}

impl BlockKind {
    /// Whether blocks can be inside it.
    pub fn is_container(&self) -> bool {
        matches!(
            self,
            Self::List { .. }
                | Self::Item { .. }
                | Self::BlockQuote
                | Self::FootnoteDefinition { .. }
        )
    }
}

/// The fence around a code block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// A backtick or a tilde.
    pub marker: char,
    /// How many of them open it.
    pub length: usize,
    /// Bytes of spaces and tabs directly before the opening fence, a
    /// container's indentation included.
    pub indent: usize,
    /// What follows the opening fence, trimmed, as written.
    pub info: String,
    /// The opening line, from its first marker to the end of its info.
    pub opening: Range<usize>,
    /// The closing markers; `None` if it is never closed.
    pub closing: Option<Range<usize>>,
    /// Whole lines between opening and closing, with the prefixes of
    /// containers. If it is never closed: up to the end of the block's span.
    pub body: Range<usize>,
}
