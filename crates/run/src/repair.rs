//! Repair by a model: the passages of a component that it sees, the form of its answer, and the
//! edits that result. `verify` judges the result, and the run decides what to do about a complaint.
//! Knows the form of answers, not the prompts.
//!
//! # The form of an answer
//!
//! A patcher sees the passages of one component ([`passages`]); each passage of a JSON document is
//! shown with its name (`sections[1].content`). It answers in plain text, never in JSON, so that
//! LaTeX and code survive byte for byte. The answer has one or more blocks, with each marker alone
//! on its line:
//!
//! ```text
//! <<<<<<< SEARCH
//! words of the component, copied exactly
//! =======
//! the words that replace them
//! >>>>>>> REPLACE
//! ```
//!
//! - The search text must occur exactly once in the component. If it cannot, a line such as
//!   `field: sections[1].content` directly before the block names the passage.
//! - To delete: leave the part between `=======` and `>>>>>>> REPLACE` empty. To insert: search for
//!   the sentence next to the place, and repeat it in the replacement. The search text may only be
//!   empty if the named passage is empty.
//! - A line `issues: issue_1, issue_3` before a block names the issues that it solves, so that it
//!   can be kept when others are rolled back (see `served`).
//! - All blocks refer to the text as it was shown, and do not overlap.
//! - If the text itself has a line of seven `=` or such a marker, all three markers use the same
//!   larger number of signs, say ten.
//! - Nothing to change: `NO CHANGE NEEDED`, with a line that gives the reason for each issue
//!   (`issue_1: …`). This is not allowed when the whole component is requested (ruling 72).
//! - Code fences and words around the blocks are ignored.
//! - If the profile declares lists or values that a repair may change (`structure`, ruling 59): an
//!   operation on one of them, also with an `issues:` line before it. `ADD` has one new entry on
//!   each line, or lines `name: value`; `REPLACE` names an entry by its index, or a value; `REMOVE`
//!   has no lines:
//!
//! ```text
//! <<<<<<< ADD cfu.hints
//! What does the question ask for?
//! >>>>>>> END
//! ```
//!
//! If edits did not fit, and from the expander, the whole component is requested:
//!
//! ```text
//! <redraft:part>
//! the text, without the component's own heading
//! </redraft:part>
//! ```
//!
//! The tags may be missing if the answer is nothing but the text. If the answer repeats the frame
//! in which the component was shown, the frame is removed. A component with several passages has a
//! line `field: NAME` before each text; passages that are not named stay unchanged.
//!
//! | an answer | becomes |
//! |---|---|
//! | cut off by the token limit, declined, empty | a form error, never applied |
//! | markers without partners, a block without divider | a form error |
//! | several possible dividers | the one whose search text is in the component; if there are several, a complaint |
//! | a search text that is found once | an edit |
//! | found once, apart from spaces, quotation marks, dashes, emphasis | an edit |
//! | not found, found more than once, overlapping, or in protected text | a complaint; nothing is applied |

mod matching;
mod operations;
mod reply;
mod served;
mod unwrap;
mod whole;

use std::ops::Range;

use crate::structure::{self, Operation, Structure};
use redraft_gate::content::{Document, TextField};
use redraft_gate::edit::{self, Edit};
use redraft_gate::span::ComponentId;

pub(crate) use crate::complaint::quoted;
pub use crate::complaint::{Complaint, ComplaintKind};
pub(crate) use reply::usable;
pub use reply::{Block, FormError, Proposal, check_refusal, read_patch, read_whole};
pub use served::{Split, kept_edits, split};
pub(crate) use whole::below;

/// A text of one component that a patcher sees and may edit.
#[derive(Clone, Debug)]
pub struct Passage<'a> {
    /// The path of its field in JSON; empty in Markdown.
    pub name: &'a str,
    pub field: &'a TextField,
    pub range: Range<usize>,
    pub text: &'a str,
}

/// The passages of a component and of the components inside it, in the order of the file. This
/// function defines what belongs to a component: in Markdown its range of the text with its
/// heading; in JSON every text within its own bytes.
#[must_use]
pub fn passages<'a>(document: &'a Document, component: &ComponentId) -> Vec<Passage<'a>> {
    let components = document.components();
    let Some(index) = components.iter().position(|part| part.id == *component) else {
        return Vec::new();
    };
    let range = &components[index].range;
    let belongs = |mut at: usize| {
        // Terminates: parents come before their children.
        loop {
            if at == index {
                return true;
            }
            match components.get(at).and_then(|part| part.parent) {
                Some(parent) if parent < at => at = parent,
                _ => return false,
            }
        }
    };
    let mut found = Vec::new();
    for field in document.texts() {
        let span = field.map.source_span();
        let within = if field.path.is_empty() {
            let start = range.start.clamp(span.start, span.end);
            let end = range.end.clamp(start, span.end);
            field.map.to_decoded(start)..field.map.to_decoded(end)
        } else if belongs(field.component) && range.start <= span.start && span.end <= range.end {
            0..field.text.len()
        } else {
            continue;
        };
        if let Some(text) = field.text.get(within.clone()) {
            found.push(Passage {
                name: &field.path,
                field,
                range: within,
                text,
            });
        }
    }
    found
}

/// The edits of a proposal, and the file with them applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Text edits in the order of the file, then structured operations.
    pub edits: Vec<Edit>,
    /// The issues that each edit claims to solve.
    pub issues: Vec<Vec<String>>,
    /// The file with only the structured operations applied, if there are any. Offsets of text
    /// edits refer to it.
    pub skeleton: Option<Vec<u8>>,
    /// The resulting file.
    pub bytes: Vec<u8>,
}

/// What a proposal is applied to.
#[derive(Clone, Copy, Debug)]
pub struct EditTarget<'a> {
    /// The document as the patcher saw it.
    pub document: &'a Document,
    /// The component that was shown.
    pub component: &'a ComponentId,
    /// Ranges of the source that no repair may change.
    pub protected: &'a [Range<usize>],
}

/// Turns a proposal into edits of one component and applies all of them, or none.
///
/// # Errors
/// If the proposal does not fit the component. The complaint says what to do.
pub fn apply(target: EditTarget<'_>, proposal: &Proposal) -> Result<Applied, Complaint> {
    apply_with(target, None, proposal)
}

/// Like [`apply`], with structured operations if the profile declares any.
pub(crate) fn apply_with(
    target: EditTarget<'_>,
    structure: Option<Structure<'_>>,
    proposal: &Proposal,
) -> Result<Applied, Complaint> {
    let passages = passages(target.document, target.component);
    let operations: Vec<(&Operation, &[String])> = match proposal {
        Proposal::Blocks(blocks) => blocks
            .iter()
            .filter_map(|block| Some((block.operation.as_ref()?, block.issues.as_slice())))
            .collect(),
        Proposal::Whole(_) | Proposal::NoChange { .. } => Vec::new(),
    };
    let has_text = !passages.is_empty() || !operations.is_empty();
    if !has_text || !target.document.source().takes_text() {
        let why = if !has_text {
            "it has no text that can be edited"
        } else {
            "the file is not UTF-8; convert it first"
        };
        return Err(Complaint::new(
            ComplaintKind::NotEditable,
            format!("`{}` cannot be edited: {why}", target.component),
        ));
    }
    let splices = match proposal {
        Proposal::NoChange { reason } => {
            return Err(Complaint::new(
                ComplaintKind::Nothing,
                format!("no change was proposed: {reason}"),
            ));
        }
        Proposal::Blocks(blocks) => {
            let edits = blocks.iter().filter(|block| block.operation.is_none());
            matching::splices(&passages, &edits.cloned().collect::<Vec<_>>())?
        }
        Proposal::Whole(text) => {
            whole::splices(target.document, target.component, &passages, text)?
        }
    };
    let structured = match (structure, operations.as_slice()) {
        (_, []) => Vec::new(),
        (Some(structure), operations) => {
            structure::edits((target.document, target.component), structure, operations)?
        }
        (None, _) => {
            return Err(Complaint::new(
                ComplaintKind::NotAllowed,
                "nothing here can be changed by an operation; edit the texts that are shown",
            ));
        }
    };
    finish(target, &passages, (splices, structured))
}

/// A replacement of a range in one passage, as an offset into its field's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Splice {
    passage: usize,
    range: Range<usize>,
    text: String,
    /// The issues that it claims to solve.
    issues: Vec<String>,
}

fn finish(
    target: EditTarget<'_>,
    passages: &[Passage<'_>],
    (mut splices, structured): (Vec<Splice>, Vec<(Edit, Vec<String>)>),
) -> Result<Applied, Complaint> {
    splices.retain(|splice| {
        passages.get(splice.passage).is_some_and(|passage| {
            passage.field.text.get(splice.range.clone()) != Some(&*splice.text)
        })
    });
    if splices.is_empty() && structured.is_empty() {
        return Err(Complaint::new(
            ComplaintKind::Nothing,
            "the answer changes nothing: every replacement is what stands there already; change the words, or answer NO CHANGE NEEDED with a reason for each issue",
        ));
    }
    splices.sort_by_key(|splice| (splice.passage, splice.range.start, splice.range.end));
    let overlap = splices.windows(2).find(|pair| {
        pair[0].passage == pair[1].passage
            && (pair[1].range.start < pair[0].range.end
                || pair[1].range.start == pair[0].range.start)
    });
    if let Some(pair) = overlap {
        return Err(Complaint::new(
            ComplaintKind::Overlap,
            format!(
                "two blocks change the same words, near {}; put both changes into one block",
                quoted(&pair[1].text)
            ),
        ));
    }
    let mut edits = Vec::new();
    for splice in &splices {
        let Some(passage) = passages.get(splice.passage) else {
            continue;
        };
        let edit = edit_of(target.document, passage, splice);
        let touched = target.document.source().text_range(edit.span);
        if let Some(protected) = target
            .protected
            .iter()
            .find(|range| overlaps(&touched, range))
        {
            let words = target.document.source().text().get(protected.clone());
            return Err(Complaint::new(
                ComplaintKind::Protected,
                format!(
                    "an edit would change {}, which is protected here; leave it as it is",
                    quoted(words.unwrap_or_default())
                ),
            ));
        }
        edits.push(edit);
    }
    let mut issues: Vec<Vec<String>> = splices.into_iter().map(|splice| splice.issues).collect();
    let source = target.document.source();
    let skeleton: Vec<Edit> = structured.iter().map(|(edit, _)| edit.clone()).collect();
    let skeleton = (!skeleton.is_empty())
        .then(|| edit::apply(source.bytes(), source.version(), &skeleton).ok())
        .flatten();
    for (edit, served) in structured {
        edits.push(edit);
        issues.push(served);
    }
    let bytes = edit::apply(source.bytes(), source.version(), &edits).map_err(|error| {
        Complaint::new(
            ComplaintKind::Overlap,
            format!("the edits do not fit: {error}"),
        )
    })?;
    Ok(Applied {
        edits,
        issues,
        skeleton,
        bytes,
    })
}

/// An edge inside an escape sequence is widened to the whole sequence, and the replacement restores
/// what that adds.
fn edit_of(document: &Document, passage: &Passage<'_>, splice: &Splice) -> Edit {
    let field = passage.field;
    let wide = field.map.widened(splice.range.clone());
    let part = |range: Range<usize>| field.text.get(range).unwrap_or_default();
    let text = [
        part(wide.start..splice.range.start.max(wide.start)),
        &splice.text,
        part(splice.range.end.min(wide.end)..wide.end),
    ]
    .concat();
    document.edit(field, wide, &text)
}

/// Whether an edit changes protected bytes. An insertion at the edge of a protected range does not.
fn overlaps(edit: &Range<usize>, protected: &Range<usize>) -> bool {
    edit.start < protected.end && protected.start < edit.end
}

#[cfg(test)]
mod properties;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
