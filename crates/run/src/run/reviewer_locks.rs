//! Which components reviewers locked, unlocked or skipped, and whether they edited the text.
//! What follows from it is decided in `by_hand`.

use std::collections::{BTreeMap, BTreeSet};

use redraft_gate::span::ComponentId;

/// The locks, skips and edits of reviewers.
#[derive(Debug, Default)]
pub(super) struct ReviewerLocks {
    /// By whom.
    pub(super) locked: BTreeMap<ComponentId, String>,
    /// Who edited the text, wherever.
    pub(super) edited: Option<String>,
    pub(super) skipped: BTreeMap<ComponentId, String>,
    /// Unlocked, and the program's own lock is still to be taken off.
    pub(super) unlocked: BTreeSet<ComponentId>,
}

impl ReviewerLocks {
    /// Whether anything is locked or edited, so that the whole must not be rewritten.
    pub(super) fn has_locks(&self) -> bool {
        !self.locked.is_empty() || self.edited.is_some()
    }

    /// Says whether this is new.
    pub(super) fn lock(&mut self, section: &ComponentId, by: &str) -> bool {
        self.unlocked.remove(section);
        self.locked.insert(section.clone(), by.to_owned()).is_none()
    }

    pub(super) fn unlock(&mut self, section: &ComponentId) {
        self.locked.remove(section);
        self.unlocked.insert(section.clone());
    }

    pub(super) fn skip(&mut self, section: &ComponentId, by: &str) {
        self.skipped.insert(section.clone(), by.to_owned());
    }
}
