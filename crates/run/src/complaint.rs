//! Why a proposal of a repair was not applied, in words for the next prompt.

use thiserror::Error;

/// Why a proposal was not applied, in words for the next prompt.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Complaint {
    pub kind: ComplaintKind,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Complaint {
    pub(crate) fn new(kind: ComplaintKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

/// What kind of trouble a proposal met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComplaintKind {
    /// The words are not in the component.
    NotFound,
    /// The words are in the component more than once, or a block can be read in two
    /// ways.
    Ambiguous,
    /// Two blocks want the same words.
    Overlap,
    /// The words are protected.
    Protected,
    /// A structured operation may not do this.
    NotAllowed,
    /// The named passage does not exist, or none is named where one has to be.
    UnknownField,
    Nothing,
    /// The component has no text, or the file takes none.
    NotEditable,
}

/// The beginning of a text, on one line, for a message.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 120;
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some((at, _)) = line.char_indices().nth(MOST) {
            line.truncate(at);
            line.push('…');
            break;
        }
    }
    format!("“{line}”")
}
