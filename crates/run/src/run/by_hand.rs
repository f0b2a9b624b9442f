//! Reviewers' interventions during a run: locked components, skipped tasks, and text that they
//! edited, which no repair changes.
//!
//! | a reviewer | then |
//! |---|---|
//! | locks a component | no repair edits it, a component inside it or one around it; a repair that is under way is rolled back, and the whole text is not rewritten |
//! | unlocks it | it may be edited again, even if the program had locked it |
//! | skips it | its repair of this round is left out, otherwise its next one |
//! | edits the text | the components that the edit touches are locked for the reviewer |
//!
//! These enter a run as recorded inputs at any time, and a replay applies them at the same point.
//! They survive retries, which reset the program's own locks.

use std::collections::BTreeSet;
use std::ops::Range;

use redraft_gate::content::{Component, Document};
use redraft_gate::span::ComponentId;

use super::context::Context;
use super::progress::Progress;
use super::repairs::Tried;
use super::text::Text;
use crate::event::EventKind;
use crate::reasons::{LockReason, RollbackReason};

/// The components that may not be edited: those that the program or a reviewer locked, and those
/// that contain one that a reviewer locked.
pub(super) fn locked(
    context: &Context,
    progress: &Progress,
    document: &Document,
) -> BTreeSet<ComponentId> {
    let mut locked = progress.locked.clone();
    let mailbox = context.mailbox.lock();
    for section in mailbox.reviewer_locks.locked.keys() {
        locked.insert(section.clone());
        locked.extend(ancestors(document, section));
    }
    locked
}

/// Whether a reviewer wants this component left alone, directly or through a component around it.
pub(super) fn is_left_alone(context: &Context, document: &Document, section: &ComponentId) -> bool {
    why_left_alone(context, document, section).is_some()
}

fn why_left_alone(
    context: &Context,
    document: &Document,
    section: &ComponentId,
) -> Option<RollbackReason> {
    let mailbox = context.mailbox.lock();
    let locks = &mailbox.reviewer_locks;
    if let Some(by) = locks.skipped.get(section) {
        return Some(RollbackReason::Skipped { by: by.clone() });
    }
    let is_whole = *section == ComponentId::whole();
    if let Some(by) = locks.edited.as_ref().filter(|_| is_whole) {
        return Some(RollbackReason::Locked { by: by.clone() });
    }
    let within = path_to_root(document, section);
    let (_, by) = locks.locked.iter().find(|(locked, _)| {
        *locked == section
            || within.contains(locked)
            || ancestors(document, locked).contains(section)
    })?;
    Some(RollbackReason::Locked { by: by.clone() })
}

/// Rolls back repairs of components that a reviewer wants left alone, even though they were
/// requested.
pub(super) fn roll_back_what_is_left_alone(context: &Context, base: &Text, tried: &mut [Tried]) {
    for one in tried {
        let why = why_left_alone(context, base.document(), &one.task.section_id);
        if let Some(reason) = why
            && one.result.is_ok()
        {
            one.roll_back(reason);
        }
    }
}

/// Forgets skips of these components, because they were applied or there is nothing left to skip.
pub(super) fn forget_skipped<'a>(
    context: &Context,
    sections: impl IntoIterator<Item = &'a ComponentId>,
) {
    let mut mailbox = context.mailbox.lock();
    for section in sections {
        mailbox.reviewer_locks.skipped.remove(section);
    }
}

/// Removes the program's own locks from components that a reviewer unlocked.
pub(super) fn apply_unlocks(context: &Context, progress: &mut Progress) {
    let unlocked = std::mem::take(&mut context.mailbox.lock().reviewer_locks.unlocked);
    for section in unlocked {
        progress.locked.remove(&section);
        progress.edits.remove(&section);
    }
}

/// Locks what a reviewer edited. Earlier locks move along with their components, whose ids may have
/// changed.
pub(super) fn lock_what_was_edited(context: &Context, before: &Text, after: &Text, by: &str) {
    let touched = touched(before, after);
    let mut mailbox = context.mailbox.lock();
    // The title and the text before the first section belong to no component, but the whole text
    // must not be rewritten over them.
    mailbox.reviewer_locks.edited = Some(by.to_owned());
    let locked = std::mem::take(&mut mailbox.reviewer_locks.locked);
    for (section, who) in locked {
        let now = moved(before.document(), after.document(), &section);
        mailbox.reviewer_locks.locked.insert(now, who);
    }
    for section in touched {
        if mailbox.reviewer_locks.lock(&section, by) {
            mailbox.emit(EventKind::SectionLocked {
                section,
                reason: LockReason::EditedByReviewer { by: by.to_owned() },
            });
        }
    }
}

/// The components that the edits of the last step touch.
fn touched(before: &Text, after: &Text) -> Vec<ComponentId> {
    let Some(step) = after.made.last() else {
        return Vec::new();
    };
    let source = before.document().source();
    let mut edits: Vec<(Range<usize>, usize)> = step
        .edits
        .iter()
        .map(|served| {
            let range = source.text_range(served.edit.span);
            (range, served.edit.text.len())
        })
        .collect();
    edits.sort_by_key(|(range, _)| range.start);
    let (mut added, mut removed) = (0, 0);
    let mut ranges = Vec::new();
    for (range, length) in edits {
        let start = (range.start + added).saturating_sub(removed);
        ranges.push(start..start + length);
        added += length;
        removed += range.len();
    }
    let is_touched = |component: &&Component| {
        let own = &component.range;
        ranges.iter().any(|range| {
            if range.is_empty() {
                own.start <= range.start && range.start <= own.end
            } else {
                own.start < range.end && range.start < own.end
            }
        })
    };
    let parts = after.document().components().iter();
    let parts = parts.filter(|component| component.parent.is_some());
    parts
        .filter(is_touched)
        .map(|part| part.id.clone())
        .collect()
}

/// The id of a component after a reviewer's edit: that of the component with the same text,
/// otherwise the same id.
fn moved(before: &Document, after: &Document, section: &ComponentId) -> ComponentId {
    let words = |document: &Document, component: &Component| {
        let text = document.source().text();
        text.get(component.range.clone())
            .map(|text| text.trim().to_owned())
    };
    let known = find(before, section).and_then(|component| words(before, component));
    let Some(known) = known else {
        return section.clone();
    };
    let is_same = |component: &&Component| words(after, component).as_ref() == Some(&known);
    let own = find(after, section).filter(is_same);
    own.or_else(|| after.components().iter().find(is_same))
        .map_or_else(|| section.clone(), |component| component.id.clone())
}

fn find<'a>(document: &'a Document, section: &ComponentId) -> Option<&'a Component> {
    let mut components = document.components().iter();
    components.find(|component| component.id == *section)
}

/// The components around this one, without the whole document.
fn ancestors(document: &Document, section: &ComponentId) -> Vec<ComponentId> {
    let mut ancestors = path_to_root(document, section);
    ancestors.pop();
    ancestors
}

/// The components around this one, ending with the whole document.
fn path_to_root(document: &Document, section: &ComponentId) -> Vec<ComponentId> {
    let components = document.components();
    let mut found = Vec::new();
    let mut next = find(document, section).and_then(|component| component.parent);
    while let Some(component) = next.and_then(|index| components.get(index)) {
        found.push(component.id.clone());
        next = component.parent;
    }
    found
}
