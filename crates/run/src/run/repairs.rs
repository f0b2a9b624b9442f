//! Repairs of a round: those that are tried, those that are kept, and what they are
//! called.

use std::collections::BTreeSet;

use crate::ask::Tokens;
use crate::outcome::EditDone;
use crate::reasons::RollbackReason;
use crate::repair::{self, Proposal, Split};
use crate::route::RepairTask;
use crate::rubric::FixAction;
use crate::verdict::Unscored;
use crate::verify::Fits;
use redraft_gate::span::ComponentId;

/// Tasks that run side by side.
pub(super) struct Batch<'a> {
    pub(super) tasks: Vec<RepairTask>,
    /// Its number in the round, from 1.
    pub(super) number: usize,
    /// The terms that must be kept.
    pub(super) terms: &'a [String],
    /// The tasks of later batches.
    pub(super) later: &'a [RepairTask],
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
    /// Its edits, as far as any were proposed.
    pub(super) edits: Vec<EditDone>,
    /// Why some of its edits were rolled back, where the others stay.
    pub(super) unsolved: Option<RollbackReason>,
    /// What the delta judge has not found solved, as a task of its own.
    pub(super) left: Option<RepairTask>,
    pub(super) next: Option<Fits>,
    pub(super) used: Tokens,
    /// What was wrong with answers before this one.
    pub(super) not_used: Vec<Unscored>,
}

impl Tried {
    pub(super) fn issue_ids(&self) -> Vec<&str> {
        let issues = self.task.source_issues.iter();
        issues.map(|issue| issue.id.as_str()).collect()
    }

    /// Keeps the edits whose issues are all solved, where there are any (ruling 55);
    /// otherwise nothing of it. `fits` says whether they can stand alone.
    pub(super) fn keep_what_is_solved(
        &mut self,
        reason: RollbackReason,
        fits: impl Fn(&RepairTask, &Proposal) -> bool,
    ) {
        let left = self
            .solved_part(&reason)
            .filter(|(task, split)| fits(task, &split.kept));
        match left {
            Some((task, split)) => {
                self.left = Some(self.task.without_issues(&split.solved));
                self.task = task;
                self.edits = split.edits;
                self.result = Ok(split.kept);
                self.unsolved = Some(reason);
            }
            None => {
                let is_answer = matches!(
                    reason,
                    RollbackReason::NotSolved { .. } | RollbackReason::NotBetter { .. }
                );
                self.left = is_answer.then(|| self.task.clone());
                self.roll_back(reason);
            }
        }
    }

    /// The task with its solved issues alone, and the edits that serve them.
    fn solved_part(&self, reason: &RollbackReason) -> Option<(RepairTask, Split)> {
        let (Ok(proposal), RollbackReason::NotSolved { unmet }) = (&self.result, reason) else {
            return None;
        };
        let ids = self.issue_ids();
        let unsolved: BTreeSet<&str> = unmet.iter().map(|one| one.id.as_str()).collect();
        // Who broke a constraint is not known.
        if !unsolved.iter().all(|id| ids.contains(id)) {
            return None;
        }
        let split = repair::split(proposal, &ids, &unsolved)?;
        let mut task = self.task.clone();
        task.source_issues
            .retain(|issue| split.solved.contains(&issue.id));
        Some((task, split))
    }

    /// Nothing of it is kept.
    pub(super) fn roll_back(&mut self, reason: RollbackReason) {
        for edit in &mut self.edits {
            edit.kept = false;
        }
        self.result = Err(reason);
    }
}

/// The name of a task in a receipt: `round 1: patch sec_2 (issue_1, issue_3)`.
pub(super) fn label(
    round: u32,
    (action, section): (FixAction, &ComponentId),
    issues: &[String],
) -> String {
    let verb = match action {
        FixAction::SurgicalEdit => "patch",
        FixAction::RegenerateSection => "rewrite",
    };
    match issues {
        [] => format!("round {round}: {verb} {section}"),
        issues => format!("round {round}: {verb} {section} ({})", issues.join(", ")),
    }
}

/// Whether a label in a receipt is one of this task, whichever issues it names.
pub(super) fn is_label_of(made: &str, round: u32, task: (FixAction, &ComponentId)) -> bool {
    let rest = made.strip_prefix(label(round, task, &[]).as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
}

/// The same, of a rewrite of the whole text.
pub(super) fn label_of_rewrite(round: u32) -> String {
    format!("round {round}: written again")
}
