//! Several steps of edits as one list of edits of the original.
//!
//! The present text is kept as pieces that tile the original: each stands for a
//! range of it, unchanged or with a new text. An edit takes the pieces it touches
//! together; what it leaves of a changed piece stays in the new one. Nothing is
//! compared and nothing is guessed.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{ReceiptError, ServedEdit, Step};
use crate::edit::{self, Edit};
use crate::span::{ComponentId, Version};

/// What the steps come to.
#[derive(Debug)]
pub(super) struct Composed {
    pub(super) bytes: Vec<u8>,
    pub(super) changes: Vec<Change>,
}

/// A range of the original with a new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) range: Range<usize>,
    pub(super) text: String,
    /// The part it was made for; `None` where several were.
    pub(super) component: Option<ComponentId>,
    pub(super) tasks: Vec<String>,
}

#[derive(Clone, Debug)]
enum Stretch {
    Kept(Range<usize>),
    Changed(Change),
}

impl Stretch {
    /// The range of the original that it stands for.
    fn origin(&self) -> &Range<usize> {
        match self {
            Self::Kept(range) => range,
            Self::Changed(change) => &change.range,
        }
    }

    /// Its length in the present version.
    fn len(&self) -> usize {
        match self {
            Self::Kept(range) => range.len(),
            Self::Changed(change) => change.text.len(),
        }
    }
}

pub(super) fn compose(original: &[u8], history: &[Step]) -> Result<Composed, ReceiptError> {
    let mut pieces = vec![Stretch::Kept(0..original.len())];
    let mut bytes = original.to_vec();
    for (number, step) in history.iter().enumerate() {
        let broken = |why: String| ReceiptError::Broken {
            step: number + 1,
            why,
        };
        let mut edits: Vec<&ServedEdit> = step.edits.iter().collect();
        edits.sort_by_key(|served| (served.edit.span.start, served.edit.span.end));
        let plain: Vec<Edit> = edits.iter().map(|served| served.edit.clone()).collect();
        let next = edit::apply(&bytes, Version::of(&bytes), &plain)
            .map_err(|error| broken(error.to_string()))?;
        let groups = groups(&bytes, &pieces, &edits)
            .ok_or_else(|| broken("an edit cuts a letter of an earlier one apart".to_owned()))?;
        pieces = lay_down(pieces, groups);
        bytes = next;
    }
    let changes = pieces
        .into_iter()
        .filter_map(|piece| match piece {
            Stretch::Changed(change) => Some(change),
            Stretch::Kept(_) => None,
        })
        // What was undone is no change.
        .filter(|change| original.get(change.range.clone()) != Some(change.text.as_bytes()))
        .collect();
    Ok(Composed { bytes, changes })
}

/// Edits that go together, because they cut into the same earlier change. The
/// range counts the present version and never ends inside a changed piece.
struct Group {
    range: Range<usize>,
    text: String,
    components: Vec<ComponentId>,
    tasks: Vec<String>,
}

fn groups(bytes: &[u8], pieces: &[Stretch], edits: &[&ServedEdit]) -> Option<Vec<Group>> {
    let mut starts = Vec::with_capacity(pieces.len());
    let mut at = 0;
    for piece in pieces {
        starts.push(at);
        at += piece.len();
    }
    // The changed piece that an offset lies strictly inside of.
    let cut_piece = |offset: usize| {
        let index = starts
            .partition_point(|start| *start < offset)
            .checked_sub(1)?;
        let piece = pieces.get(index)?;
        let range = starts[index]..starts[index] + piece.len();
        (matches!(piece, Stretch::Changed(_)) && offset < range.end).then_some(range)
    };
    let mut groups: Vec<(Range<usize>, Vec<&ServedEdit>)> = Vec::new();
    for served in edits {
        let mut range = served.edit.span.range();
        if let Some(piece) = cut_piece(range.start) {
            range.start = piece.start;
        }
        if let Some(piece) = cut_piece(served.edit.span.end) {
            range.end = piece.end;
        }
        match groups.last_mut() {
            Some((last, members)) if range.start < last.end => {
                last.end = last.end.max(range.end);
                members.push(served);
            }
            _ => groups.push((range, vec![served])),
        }
    }
    groups
        .into_iter()
        .map(|(range, members)| {
            let mut group = Group {
                range: range.clone(),
                text: String::new(),
                components: Vec::new(),
                tasks: Vec::new(),
            };
            let mut done = range.start;
            for served in members {
                let between = bytes.get(done..served.edit.span.start)?;
                group.text.push_str(std::str::from_utf8(between).ok()?);
                group.text.push_str(&served.edit.text);
                group.components.push(served.component.clone());
                group.tasks.push(served.task.clone());
                done = served.edit.span.end;
            }
            group
                .text
                .push_str(std::str::from_utf8(bytes.get(done..range.end)?).ok()?);
            Some(group)
        })
        .collect()
}

/// The pieces of the next version.
fn lay_down(pieces: Vec<Stretch>, groups: Vec<Group>) -> Vec<Stretch> {
    let mut laid = Vec::with_capacity(pieces.len() + 2 * groups.len());
    let mut rest = pieces.into_iter().peekable();
    // Bytes of the present version, and of the original, that were read.
    let (mut at, mut origin) = (0, 0);
    for group in groups {
        while let Some(piece) = rest.next_if(|piece| at + piece.len() <= group.range.start) {
            at += piece.len();
            origin = piece.origin().end;
            laid.push(piece);
        }
        if let Some(Stretch::Kept(range)) = rest.peek_mut()
            && at < group.range.start
        {
            let cut = range.start + (group.range.start - at);
            laid.push(Stretch::Kept(range.start..cut));
            range.start = cut;
            (at, origin) = (group.range.start, cut);
        }
        let mut made = Change {
            range: origin..origin,
            text: group.text,
            component: None,
            tasks: Vec::new(),
        };
        let mut components = group.components;
        while at < group.range.end {
            match rest.peek_mut() {
                Some(Stretch::Kept(range)) if range.len() > group.range.end - at => {
                    range.start += group.range.end - at;
                    at = group.range.end;
                    origin = range.start;
                }
                Some(_) => {
                    let Some(piece) = rest.next() else { break };
                    at += piece.len();
                    origin = piece.origin().end;
                    if let Stretch::Changed(earlier) = piece {
                        made.tasks.extend(earlier.tasks);
                        // Of several parts: none in particular.
                        components.push(earlier.component.unwrap_or_else(ComponentId::whole));
                    }
                }
                None => break,
            }
        }
        made.range.end = origin;
        made.tasks.extend(group.tasks);
        let mut seen = BTreeSet::new();
        made.tasks.retain(|task| seen.insert(task.clone()));
        let first = components.first().cloned();
        made.component = first.filter(|first| components.iter().all(|other| other == first));
        laid.push(Stretch::Changed(made));
    }
    laid.extend(rest);
    laid
}
