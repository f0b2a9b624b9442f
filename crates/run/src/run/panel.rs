//! The verdicts on one version of the text.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use crate::arbitrate::Arbitration;
use crate::ask::Role;
use crate::assess::Vote;
use crate::reasons::Unconfirmed;
use crate::verdict::{Unscored, Verdict};

#[derive(Debug, Default)]
pub(super) struct Panel {
    /// The verdicts by role, with the weights of their votes.
    verdicts: BTreeMap<Role, (u32, Verdict)>,
    /// The judges that gave no verdict.
    unscored: BTreeMap<Role, Unscored>,
    /// Whether a panel was needed, and fewer than two judges gave a verdict.
    pub(super) is_incomplete: bool,
    /// Whether another version was scored by other judges, so that the two cannot be compared
    /// (ruling 53).
    pub(super) is_incomparable: bool,
    /// Tokens committed to judging before this version was judged.
    pub(super) committed_before: Option<u64>,
    /// Whether two judges disagree and the third gave no verdict (ruling 52).
    pub(super) is_disputed: bool,
    /// The arbitration, computed once.
    arbitration: OnceLock<Option<Arc<Arbitration>>>,
}

impl Panel {
    pub(super) fn votes(&self) -> Vec<Vote<'_>> {
        self.verdicts
            .values()
            .map(|(weight, verdict)| Vote {
                verdict,
                weight: *weight,
            })
            .collect()
    }

    pub(super) fn add(&mut self, role: Role, weight: u32, verdict: Verdict) {
        self.verdicts.insert(role, (weight, verdict));
        self.arbitration = OnceLock::new();
    }

    pub(super) fn leave_unscored(&mut self, role: Role, unscored: Unscored) {
        self.unscored.insert(role, unscored);
    }

    pub(super) fn verdicts(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.values().map(|(_, verdict)| verdict)
    }

    pub(super) fn verdict(&self, role: Role) -> Option<&Verdict> {
        self.verdicts.get(&role).map(|(_, verdict)| verdict)
    }

    pub(super) fn size(&self) -> usize {
        self.verdicts.len()
    }

    pub(super) fn was_asked(&self, role: Role) -> bool {
        self.verdicts.contains_key(&role) || self.unscored.contains_key(&role)
    }

    pub(super) fn unscored(&self) -> &BTreeMap<Role, Unscored> {
        &self.unscored
    }

    /// The first judge that gave no verdict, and why.
    pub(super) fn without_verdict(&self) -> Option<Unconfirmed> {
        let (role, unscored) = self.unscored.iter().next()?;
        Some(Unconfirmed::NoVerdict {
            role: *role,
            unscored: unscored.clone(),
        })
    }

    pub(super) fn roles(&self) -> Vec<Role> {
        self.verdicts.keys().copied().collect()
    }

    pub(super) fn voted(&self) -> BTreeSet<String> {
        self.verdicts()
            .map(|verdict| verdict.judge().model.clone())
            .collect()
    }

    pub(super) fn arbitration(
        &self,
        arbitrate: impl FnOnce() -> Option<Arc<Arbitration>>,
    ) -> Option<Arc<Arbitration>> {
        self.arbitration.get_or_init(arbitrate).clone()
    }
}
