//! Why a proposed repair was not applied, worded for the next prompt.

use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Complaint {
    pub kind: ComplaintKind,
    /// What is wrong and what to do.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComplaintKind {
    /// The quoted text is not in the component.
    NotFound,
    /// The quoted text occurs more than once, or a block can be read in two ways.
    Ambiguous,
    /// Two blocks edit the same text.
    Overlap,
    /// The text is protected.
    Protected,
    /// The structured operation is not allowed.
    NotAllowed,
    /// The named passage does not exist, or a required name is missing.
    UnknownField,
    Nothing,
    /// The component has no text, or the file is not UTF-8.
    NotEditable,
}

/// The beginning of a text, on one line, for messages.
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
