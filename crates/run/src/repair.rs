//! A repair by a model: which texts of a component it sees, what its answer says, and
//! the edits that come of it. Whether the result is any good is for `verify`;
//! what to do with a complaint is for the run. No prompt is known here, only the
//! form of the answers.
//!
//! # The form of an answer
//!
//! A patcher is shown the passages of one component ([`passages`]), those of a JSON
//! document each under its name (`sections[1].content`). It answers in plain
//! text, never in JSON, so that LaTeX and code survive byte for byte. One or more
//! blocks, each marker alone on its line:
//!
//! ```text
//! //! what is to stand there instead
//! //! ```
//!
//! - The search text must occur exactly once in the component. Where one does not
//!   suffice, a line `field: sections[1].content` directly before the block names
//!   the passage.
//! - To delete: nothing between `=======` and `>>>>>>> REPLACE`. To insert: search
//!   for the sentence beside the place, and repeat it in the replacement. The
//!   search text may be empty only where the named passage is empty.
//! - A line `issues: issue_1, issue_3` before a block names the issues that it serves,
//!   so that it can stay where others are rolled back (see `served`).
//! - Blocks all speak of the text as it was shown, and do not overlap.
//! - Where the text itself has a line of seven `=`, or markers like these, all
//!   three markers are written with the same larger number of signs, say ten.
//! - Nothing to do: `NO CHANGE NEEDED`, and a line with the reason for each issue
//!   (`issue_1: …`). The whole component has no such way out (ruling 72).
//! - Fences and words around the blocks are ignored.
//! - Where the profile declares lists or values that a repair may change (`structure`,
//!   ruling 59), an operation on one of them, with a line `issues:` before it as above.
//!   `ADD` has one new entry on each line, or lines `name: value`; `REPLACE` names an
//!   entry by its index, or a value; `REMOVE` has no lines:
//!
//! ```text
//! <<<<<<< ADD cfu.hints
//! What does the question ask for?
//! >>>>>>> END
//! ```
//!
//! Where edits did not fit, and from the expander, the whole component is wanted:
//!
//! ```text
//! <redraft:part>
//! the text, without the component's own heading
//! </redraft:part>
//! ```
//!
//! The tags may be left out of an answer that is nothing but the text, and an echo of
//! the frame that the component was shown in is taken off. A component
//! with several passages has a line `field: NAME` before each one's text; what is
//! not named stays as it is.
//!
//! | an answer | becomes |
//! |---|---|
//! | cut off by the token limit, declined, empty | a form error, never applied |
//! | markers without partners, a block without divider | a form error |
//! | several possible dividers | the one whose search text is in the component; several such: a complaint |
//! | a search text found once | an edit |
//! | found once but for spaces, quotation marks, dashes, emphasis | an edit |
//! | not found, found often, overlapping, or over protected text | a complaint, nothing is applied |

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

/// A text of one component, as a patcher sees it and may edit it.
#[derive(Clone, Debug)]
pub struct Passage<'a> {
    /// Its name: the path of its field in JSON, empty in Markdown.
    pub name: &'a str,
    pub field: &'a TextField,
    pub range: Range<usize>,
    pub text: &'a str,
}

/// The texts of one component and of what lies in it, in the order of the file. This
/// alone decides what belongs to a component: in Markdown its range of the text, with
/// its heading; in JSON every text of it that lies within its own bytes.
#[must_use]
pub fn passages<'a>(document: &'a Document, component: &ComponentId) -> Vec<Passage<'a>> {
    let components = document.components();
    let Some(index) = components.iter().position(|part| part.id == *component) else {
        return Vec::new();
    };
    let range = &components[index].range;
    let belongs = |mut at: usize| {
        // Parents come before their children, so this ends.
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

/// Edits that a proposal came to, and the file with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The edits of texts in the order of the file, then those of structured operations.
    pub edits: Vec<Edit>,
    /// The issues that each of them says it serves.
    pub issues: Vec<Vec<String>>,
    /// The file with the structured operations alone, where there are any: what the edits of
    /// texts are measured by.
    pub skeleton: Option<Vec<u8>>,
    /// The file afterwards.
    pub bytes: Vec<u8>,
}

/// What is needed to apply a proposal.
#[derive(Clone, Copy, Debug)]
pub struct EditTarget<'a> {
    /// The text as the patcher saw it.
    pub document: &'a Document,
    /// The component it was shown.
    pub component: &'a ComponentId,
    /// Ranges of the source's text that no repair may change.
    pub protected: &'a [Range<usize>],
}

/// Turns a proposal into edits of one component and applies them: all, or none.
///
/// # Errors
/// When the proposal does not fit the component; the complaint says what to do.
pub fn apply(target: EditTarget<'_>, proposal: &Proposal) -> Result<Applied, Complaint> {
    apply_with(target, None, proposal)
}

/// The same, with structured operations where a profile declares any.
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

/// New words for a range of one passage, counted in its field's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Splice {
    passage: usize,
    range: Range<usize>,
    text: String,
    /// The issues it says that it serves.
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
        if let Some(protected) = target.protected.iter().find(|range| meets(&touched, range)) {
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

/// An edge inside an escape widens to the escape; what the widening takes in is
/// written back.
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

/// Whether an edit changes protected bytes. An insertion at the edge of a
/// protected range leaves it whole.
fn meets(edit: &Range<usize>, protected: &Range<usize>) -> bool {
    edit.start < protected.end && protected.start < edit.end
}

#[cfg(test)]
mod properties;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
