//! Repairs of a round: those that are tried, those that are kept, and what they are
//! called.

use crate::ask::Tokens;
use crate::reasons::RollbackReason;
use crate::repair::Proposal;
use crate::route::RepairTask;
use crate::rubric::FixAction;
use crate::verify::Fits;
use redraft_gate::span::ComponentId;

/// Tasks that run side by side.
pub(super) struct Batch<'a> {
    pub(super) tasks: Vec<RepairTask>,
    /// Its number in the round, from 1.
    pub(super) number: usize,
    /// The terms that must be kept.
    pub(super) terms: &'a [String],
}

/// A repair that was kept.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) component: ComponentId,
    pub(super) task: RepairTask,
    pub(super) proposal: Proposal,
    /// Whether the following section still fits, where the delta judge has said so.
    pub(super) next: Option<Fits>,
}

/// A repair in the making.
pub(super) struct Tried {
    pub(super) task: RepairTask,
    pub(super) result: Result<Proposal, RollbackReason>,
    pub(super) next: Option<Fits>,
    pub(super) used: Tokens,
}

/// The name of a task in a receipt: `round 1: patch sec_2`.
pub(super) fn label(round: u32, action: FixAction, section: &ComponentId) -> String {
    let verb = match action {
        FixAction::SurgicalEdit => "patch",
        FixAction::RegenerateSection => "rewrite",
    };
    format!("round {round}: {verb} {section}")
}

/// The same, of a rewrite of the whole text.
pub(super) fn label_of_rewrite(round: u32) -> String {
    format!("round {round}: written anew")
}
