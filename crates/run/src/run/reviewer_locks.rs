//! Records which components reviewers locked, unlocked or skipped, and whether they edited the
//! text. `by_hand` applies these.

use std::collections::{BTreeMap, BTreeSet};

use redraft_gate::span::ComponentId;

#[derive(Debug, Default)]
pub(super) struct ReviewerLocks {
    /// Each locked component with the reviewer's name.
    pub(super) locked: BTreeMap<ComponentId, String>,
    /// The last reviewer who edited any of the text.
    pub(super) edited: Option<String>,
    pub(super) skipped: BTreeMap<ComponentId, String>,
    /// Unlocked components whose lock by the program must still be removed.
    pub(super) unlocked: BTreeSet<ComponentId>,
}

impl ReviewerLocks {
    /// Whether anything is locked or edited, which forbids rewriting the whole text.
    pub(super) fn has_locks(&self) -> bool {
        !self.locked.is_empty() || self.edited.is_some()
    }

    /// Returns whether the lock is new.
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
