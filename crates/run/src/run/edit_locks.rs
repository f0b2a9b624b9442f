//! Limits how often a component may be edited.
//!
//! | edits so far | then |
//! |---|---|
//! | fewer than the policy's `edits-per-component` (ruling 34) | it may be edited once more, and that counts |
//! | as many | it is locked: no further edits, and an event says so |
//!
//! `quality_locks` decides about other locks (after a repair that made a component worse), and
//! `by_hand` about those of reviewers.

use redraft_gate::content::Document;
use redraft_gate::span::ComponentId;

use super::by_hand;
use super::context::Context;
use super::progress::Progress;
use crate::event::EventKind;
use crate::reasons::LockReason;

/// Whether a component may be edited again (ruling 34).
pub(super) fn may_edit(
    context: &Context,
    progress: &mut Progress,
    (document, section): (&Document, &ComponentId),
) -> bool {
    lock_if_edited_enough(context, progress, section);
    !progress.locked.contains(section) && !by_hand::is_left_alone(context, document, section)
}

pub(super) fn count_edit(progress: &mut Progress, section: &ComponentId) {
    *progress.edits.entry(section.clone()).or_default() += 1;
}

/// Called before a round is planned, so that no round is wasted on locked components.
pub(super) fn lock_what_was_edited_enough(context: &Context, progress: &mut Progress) {
    by_hand::apply_unlocks(context, progress);
    let edited: Vec<ComponentId> = progress.edits.keys().cloned().collect();
    for section in edited {
        lock_if_edited_enough(context, progress, &section);
    }
}

fn lock_if_edited_enough(context: &Context, progress: &mut Progress, section: &ComponentId) {
    let edits = progress.edits.get(section).copied().unwrap_or(0);
    if edits >= context.setup.policy.repair.edits_per_component {
        lock(
            context,
            progress,
            section,
            LockReason::EditedOften { edits },
        );
    }
}

/// Locks a component against further edits.
pub(super) fn lock(
    context: &Context,
    progress: &mut Progress,
    section: &ComponentId,
    reason: LockReason,
) {
    if progress.locked.insert(section.clone()) {
        context.emit(EventKind::SectionLocked {
            section: section.clone(),
            reason,
        });
    }
}
