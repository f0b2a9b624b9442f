//! Receipts: which bytes of a file were changed, for which task, and that nothing
//! else was. `docs/receipts.md` is the page for those who check them with a
//! program of their own.
//!
//! However many iterations a text went through, its receipts hold one list of
//! edits of the *original* bytes. The edits of all steps are composed, not
//! guessed from a comparison, so every edit names the tasks that made it.
//! [`verify`] knows nothing of how they were made.

mod compose;
mod paths;
mod verify;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::content::Document;
use crate::edit::Edit;
use crate::span::ComponentId;

pub use verify::{Discrepancy, Verified, verify};

/// The name and number of the form, the first thing in a receipt.
pub const FORMAT: &str = "redraft-receipts/1";

/// One passage from one version of a file to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The edits, all made on the same version.
    pub edits: Vec<ServedEdit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedEdit {
    pub edit: Edit,
    /// The part that was to be repaired.
    pub component: ComponentId,
    /// The task it served, in a word or an id: `i1/patch/sec_2: issue_1, issue_3`.
    pub task: String,
}

/// What was changed, part by part.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipts {
    /// [`FORMAT`].
    pub format: String,
    /// The file as it came.
    pub original: Hashed,
    /// The file as it went.
    pub result: Hashed,
    /// Every change, in the order of the original, none overlapping.
    pub edits: Vec<ReceiptEdit>,
    /// Every part of the original, parents before their children.
    pub components: Vec<ComponentReceipt>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hashed {
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Its length in bytes.
    pub bytes: usize,
}

/// Some bytes of the original that became others.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiptEdit {
    /// The part it lies in.
    pub component: String,
    /// The JSON value of the original that it lies in: `cards[2].cfu.hints`. Absent where the
    /// file is not JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The first byte of the original that was replaced.
    pub start: usize,
    /// After the last one; equal to `start` for an insertion.
    pub end: usize,
    /// The SHA-256 of the bytes that were replaced.
    pub removed_sha256: String,
    /// Those bytes as text; `null` where they are not UTF-8.
    pub removed: Option<String>,
    /// What stands there now, as it is written in the file.
    pub inserted: String,
    /// The tasks it served, in the order in which they touched it.
    pub tasks: Vec<String>,
}

/// A part of the original, and where its bytes went.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentReceipt {
    /// Its name.
    pub id: String,
    /// The part it lies in; `null` for the whole.
    pub parent: Option<String>,
    /// Its bytes in the original.
    pub before: Extent,
    /// Its bytes in the result; `null` where an edit went beyond its borders, so
    /// that it cannot be said which bytes are its own.
    pub after: Option<Extent>,
    /// The edits that lie in it, by their place in the list.
    pub edits: Vec<usize>,
}

/// A range of bytes and its hash.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extent {
    /// The first byte.
    pub start: usize,
    /// After the last one.
    pub end: usize,
    /// The SHA-256 of what lies between.
    pub sha256: String,
}

/// Why no receipts could be written; always an internal error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReceiptError {
    /// An edit was made for other bytes than those before its step.
    #[error("step {step} of the history does not fit the text before it: {why}")]
    Broken {
        /// Which step, from 1.
        step: usize,
        /// In what way.
        why: String,
    },
    /// The history leads to other bytes than the result.
    #[error("the edits of the history do not lead to the result")]
    AnotherResult,
}

/// The receipts for a text and its history. Steps that were undone are left out
/// of the history, or undone by a later step: both give the same.
///
/// # Errors
/// When the history does not lead from the one to the other.
pub fn receipts(
    original: &Document,
    result: &Document,
    history: &[Step],
) -> Result<Receipts, ReceiptError> {
    let (before, after) = (original.source().bytes(), result.source().bytes());
    let composed = compose::compose(before, history)?;
    if composed.bytes != after {
        return Err(ReceiptError::AnotherResult);
    }
    let paths = paths::Paths::of(original);
    let edits: Vec<ReceiptEdit> = composed
        .changes
        .into_iter()
        .map(|change| {
            let removed = before.get(change.range.clone()).unwrap_or_default();
            ReceiptEdit {
                component: home(original, &change),
                path: paths.around(original, &change.range),
                start: change.range.start,
                end: change.range.end,
                removed_sha256: sha256(removed),
                removed: std::str::from_utf8(removed).ok().map(str::to_owned),
                inserted: change.text,
                tasks: change.tasks,
            }
        })
        .collect();
    let mut components: Vec<ComponentReceipt> = original
        .components()
        .iter()
        .map(|part| {
            let span = original.span(part.range.clone());
            // The bytes of the whole are all there are, a byte-order mark included.
            let range = if part.parent.is_none() {
                0..before.len()
            } else {
                span.range()
            };
            ComponentReceipt {
                id: part.id.0.clone(),
                parent: part
                    .parent
                    .and_then(|parent| original.components().get(parent))
                    .map(|parent| parent.id.0.clone()),
                before: extent(before, range),
                after: None,
                edits: Vec::new(),
            }
        })
        .collect();
    let placed = verify::place(&components, &edits);
    for (part, placed) in components.iter_mut().zip(placed) {
        part.after = placed.after.map(|range| extent(after, range));
        part.edits = placed.edits;
    }
    Ok(Receipts {
        format: FORMAT.to_owned(),
        original: hashed(before),
        result: hashed(after),
        edits,
        components,
    })
}

/// The part that a change lies in: the one it was made for, else the innermost
/// around it.
fn home(original: &Document, change: &compose::Change) -> String {
    let parts = original.components();
    let holds = |index: usize| {
        let part = &parts[index];
        let span = original.span(part.range.clone());
        part.parent.is_none() || (span.start <= change.range.start && change.range.end <= span.end)
    };
    let claimed = change
        .component
        .as_ref()
        .and_then(|id| parts.iter().position(|part| part.id == *id))
        .filter(|index| holds(*index));
    let found = claimed.unwrap_or_else(|| {
        // The last that contains it: children come after their parents.
        (0..parts.len())
            .rev()
            .find(|index| holds(*index))
            .unwrap_or(0)
    });
    parts[found].id.0.clone()
}

fn extent(bytes: &[u8], range: std::ops::Range<usize>) -> Extent {
    Extent {
        sha256: sha256(bytes.get(range.clone()).unwrap_or_default()),
        start: range.start,
        end: range.end,
    }
}

fn hashed(bytes: &[u8]) -> Hashed {
    Hashed {
        sha256: sha256(bytes),
        bytes: bytes.len(),
    }
}

fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string does not fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests;
