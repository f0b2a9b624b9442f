//! Checking receipts against the two files, trusting nothing that they say.
//!
//! | claim | how it is checked |
//! |---|---|
//! | these are the files | their lengths and hashes |
//! | this was replaced | the bytes of the original at those offsets |
//! | nothing else was changed | the edits, applied to the original, give the result byte for byte |
//! | the edit lies in that part | its range lies in the part's range |
//! | the part became this | its place follows from the edits; the bytes there have the hash |
//! | the part was not touched | no edit lies in it, and both hashes are equal |
//!
//! Which task an edit served, and that the parts are cut where a reader would cut
//! them, cannot be seen from bytes; the latter needs a parser of the file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::Serialize;
use thiserror::Error;

use super::{ComponentReceipt, Extent, FORMAT, ReceiptEdit, Receipts, sha256};

/// What was found to be true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// How many edits there are.
    pub edits: usize,
    /// Bytes of the original that were replaced.
    pub bytes_replaced: usize,
    /// Bytes of the original that stand in the result as they were.
    pub bytes_identical: usize,
    /// The parts that an edit lies in, but for the whole.
    pub touched: Vec<String>,
    /// The parts without one.
    pub untouched: Vec<String>,
}

/// Something that is not as the receipts say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
#[error("{message}")]
pub struct Discrepancy {
    /// Where in the receipts: `edits[2]`, `components[0]`, `result`.
    pub at: String,
    /// What is wrong.
    pub message: String,
}

/// Checks receipts against the original and the result.
///
/// # Errors
/// Everything that is not as the receipts say.
pub fn verify(
    receipts: &serde_json::Value,
    original: &[u8],
    result: &[u8],
) -> Result<Verified, Vec<Discrepancy>> {
    let receipts: Receipts = serde_json::from_value(receipts.clone()).map_err(|error| {
        vec![Discrepancy {
            at: "receipts".to_owned(),
            message: format!("invalid receipts: {error}"),
        }]
    })?;
    let mut checker = Checker {
        receipts: &receipts,
        original,
        result,
        found: Vec::new(),
    };
    checker.files();
    // Places are computed from edits, so these come first.
    if checker.edits() {
        checker.components();
    }
    if !checker.found.is_empty() {
        return Err(checker.found);
    }
    let replaced: usize = receipts
        .edits
        .iter()
        .map(|edit| edit.end - edit.start)
        .sum();
    let names = |touched: bool| {
        receipts
            .components
            .iter()
            .filter(|part| part.parent.is_some() && part.edits.is_empty() != touched)
            .map(|part| part.id.clone())
            .collect()
    };
    Ok(Verified {
        edits: receipts.edits.len(),
        bytes_replaced: replaced,
        bytes_identical: original.len() - replaced,
        touched: names(true),
        untouched: names(false),
    })
}

struct Checker<'a> {
    receipts: &'a Receipts,
    original: &'a [u8],
    result: &'a [u8],
    found: Vec<Discrepancy>,
}

impl Checker<'_> {
    fn say(&mut self, at: impl Into<String>, message: impl Into<String>) {
        self.found.push(Discrepancy {
            at: at.into(),
            message: message.into(),
        });
    }

    fn files(&mut self) {
        if self.receipts.format != FORMAT {
            self.say(
                "format",
                format!(
                    "unknown format `{}`; expected `{FORMAT}`",
                    self.receipts.format
                ),
            );
        }
        for (name, claim, bytes) in [
            ("original", &self.receipts.original, self.original),
            ("result", &self.receipts.result, self.result),
        ] {
            if claim.bytes != bytes.len() {
                self.say(
                    name,
                    format!(
                        "the {name} has {} bytes, but the receipts say {}",
                        bytes.len(),
                        claim.bytes
                    ),
                );
            } else if claim.sha256 != sha256(bytes) {
                self.say(
                    name,
                    format!(
                        "hash mismatch: the SHA-256 of the {name} is {}",
                        sha256(bytes)
                    ),
                );
            }
        }
    }

    /// Whether the edits can be applied at all.
    fn edits(&mut self) -> bool {
        let mut built = Vec::with_capacity(self.result.len());
        let mut done = 0;
        for (index, edit) in self.receipts.edits.iter().enumerate() {
            let at = format!("edits[{index}]");
            if edit.start < done || edit.end < edit.start {
                self.say(
                    at,
                    format!(
                        "starts at byte {}, before the end of the previous edit",
                        edit.start
                    ),
                );
                return false;
            }
            let Some(removed) = self.original.get(edit.start..edit.end) else {
                self.say(
                    at,
                    format!("ends at byte {}, after the end of the original", edit.end),
                );
                return false;
            };
            if sha256(removed) != edit.removed_sha256 {
                self.say(&at, "hash mismatch for the replaced bytes of the original");
            }
            if edit.removed.as_deref().map(str::as_bytes)
                != std::str::from_utf8(removed).ok().map(str::as_bytes)
            {
                self.say(&at, "the replaced text differs from the original");
            }
            built.extend_from_slice(self.original.get(done..edit.start).unwrap_or_default());
            built.extend_from_slice(edit.inserted.as_bytes());
            done = edit.end;
        }
        built.extend_from_slice(self.original.get(done..).unwrap_or_default());
        if built != self.result {
            let first = built
                .iter()
                .zip(self.result)
                .position(|(a, b)| a != b)
                .unwrap_or_else(|| built.len().min(self.result.len()));
            self.say("edits", format!("applied to the original, they do not give the result; the first difference is at byte {first}"));
        }
        true
    }

    fn components(&mut self) {
        let parts = &self.receipts.components;
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, part) in parts.iter().enumerate() {
            let at = format!("components[{index}]");
            if places.insert(&part.id, index).is_some() {
                self.say(at, format!("duplicate component `{}`", part.id));
                continue;
            }
            if part.before.start > part.before.end || part.before.end > self.original.len() {
                self.say(at, format!("`{}` is outside the original", part.id));
                continue;
            }
            match &part.parent {
                None if index > 0 => self.say(
                    at,
                    format!(
                        "`{}` has no parent, but is not the first component",
                        part.id
                    ),
                ),
                None if part.before.start != 0 || part.before.end != self.original.len() => {
                    self.say(
                        at,
                        format!(
                            "`{}` is the whole document, but does not cover the original",
                            part.id
                        ),
                    );
                }
                None => {}
                Some(parent) => match places
                    .get(parent.as_str())
                    .and_then(|parent| parts.get(*parent))
                {
                    Some(around)
                        if around.id != part.id
                            && around.before.start <= part.before.start
                            && part.before.end <= around.before.end => {}
                    _ => self.say(at, format!("`{}` is not inside `{parent}`", part.id)),
                },
            }
        }
        if parts.is_empty() {
            self.say("components", "missing: there are no components");
        }
        for (index, edit) in self.receipts.edits.iter().enumerate() {
            let within = places
                .get(edit.component.as_str())
                .and_then(|part| parts.get(*part))
                .is_some_and(|part| part.before.start <= edit.start && edit.end <= part.before.end);
            if !within {
                self.say(
                    format!("edits[{index}]"),
                    format!("is not inside `{}`", edit.component),
                );
            }
        }
        if !self.found.is_empty() {
            return;
        }
        let placed = place(parts, &self.receipts.edits);
        for (index, (part, placed)) in parts.iter().zip(placed).enumerate() {
            let at = format!("components[{index}]");
            if part.edits != placed.edits {
                self.say(
                    &at,
                    format!(
                        "wrong edits for `{}`: expected {:?}, found {:?}",
                        part.id, placed.edits, part.edits
                    ),
                );
            }
            if !self.is_extent(&part.before, self.original) {
                self.say(
                    &at,
                    format!("hash mismatch for `{}` in the original", part.id),
                );
            }
            let after = part.after.as_ref();
            if after.map(|extent| extent.start..extent.end) != placed.after {
                self.say(
                    &at,
                    format!("wrong position of `{}` in the result", part.id),
                );
            } else if after.is_some_and(|extent| !self.is_extent(extent, self.result)) {
                self.say(
                    &at,
                    format!("hash mismatch for `{}` in the result", part.id),
                );
            }
            let untouched = placed.edits.is_empty() && placed.after.is_some();
            if untouched && after.is_none_or(|extent| extent.sha256 != part.before.sha256) {
                self.say(
                    &at,
                    format!("`{}` changed, but no edit is inside it", part.id),
                );
            }
        }
    }

    fn is_extent(&self, extent: &Extent, bytes: &[u8]) -> bool {
        bytes
            .get(extent.start..extent.end)
            .is_some_and(|bytes| sha256(bytes) == extent.sha256)
    }
}

/// Where a part's bytes are in the result, and the edits in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) after: Option<Range<usize>>,
    pub(super) edits: Vec<usize>,
}

/// Places the parts by the edits, first rule that applies:
///
/// | the edit | the part |
/// |---|---|
/// | lies in it, and shares a byte with it or was made for it or a part of it | grows or shrinks |
/// | ends where it begins, or before | moves |
/// | begins where it ends, or after it | stays |
/// | anything else: it crosses a border | has no place of its own any more |
pub(super) fn place(parts: &[ComponentReceipt], edits: &[ReceiptEdit]) -> Vec<Placed> {
    let index: BTreeMap<&str, usize> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| (part.id.as_str(), index))
        .collect();
    // The parts around the one that each edit was made for, itself included.
    let around: Vec<BTreeSet<usize>> = edits
        .iter()
        .map(|edit| {
            let mut set = BTreeSet::new();
            let mut at = index.get(edit.component.as_str()).copied();
            while let Some(part) = at.filter(|part| set.insert(*part)) {
                let parent = parts.get(part).and_then(|part| part.parent.as_deref());
                at = parent.and_then(|parent| index.get(parent).copied());
            }
            set
        })
        .collect();
    let grown = |edit: &ReceiptEdit| (edit.inserted.len(), edit.end - edit.start);
    // What all edits before one come to, so that a part looks only at its own.
    let mut sums = vec![(0, 0)];
    for edit in edits {
        let (more, less) = grown(edit);
        let (plus, minus) = sums.last().copied().unwrap_or_default();
        sums.push((plus + more, minus + less));
    }
    parts
        .iter()
        .enumerate()
        .map(|(part_index, part)| {
            let Extent { start, end, .. } = part.before;
            // Edits are in order: all before `first` end before the part begins.
            let first = edits.partition_point(|edit| edit.end < start);
            let (mut plus, mut minus) = sums[first];
            let (mut inner_plus, mut inner_minus) = (0, 0);
            let mut placed = Placed {
                after: None,
                edits: Vec::new(),
            };
            let mut crossed = false;
            for (at, edit) in edits.iter().enumerate().skip(first) {
                if edit.start > end {
                    break;
                }
                let within = start <= edit.start && edit.end <= end;
                let shares = edit.start < end && edit.end > start;
                let (more, less) = grown(edit);
                if within && (shares || around[at].contains(&part_index)) {
                    placed.edits.push(at);
                    inner_plus += more;
                    inner_minus += less;
                } else if edit.end <= start {
                    plus += more;
                    minus += less;
                } else if edit.start < end {
                    crossed = true;
                }
            }
            if !crossed {
                let from = (start + plus).saturating_sub(minus);
                let to = (end + plus + inner_plus).saturating_sub(minus + inner_minus);
                placed.after = Some(from..to.max(from));
            }
            placed
        })
        .collect()
}
