//! The repairs of a round: those that are being tried, those that were kept, and their labels in
//! receipts.

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

/// Tasks that run in parallel.
pub(super) struct Batch<'a> {
    pub(super) tasks: Vec<RepairTask>,
    /// Number in the round, from 1.
    pub(super) number: usize,
    /// The terms that must not change.
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
    /// Whether the next section still fits, if the delta judge has said so.
    pub(super) next: Option<Fits>,
}

/// A repair that is being tried.
pub(super) struct Tried {
    pub(super) task: RepairTask,
    pub(super) result: Result<Proposal, RollbackReason>,
    /// The edits that were proposed.
    pub(super) edits: Vec<EditDone>,
    /// Why some of its edits were rolled back while others are kept.
    pub(super) unsolved: Option<RollbackReason>,
    /// The issues that the delta judge found unsolved, as a task of their own.
    pub(super) left: Option<RepairTask>,
    pub(super) next: Option<Fits>,
    pub(super) used: Tokens,
    /// What was wrong with earlier answers.
    pub(super) not_used: Vec<Unscored>,
}

impl Tried {
    pub(super) fn issue_ids(&self) -> Vec<&str> {
        let issues = self.task.source_issues.iter();
        issues.map(|issue| issue.id.as_str()).collect()
    }

    /// Keeps the edits whose issues are all solved (ruling 55); if there are none, rolls the repair
    /// back. `fits` checks whether the kept edits work on their own.
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

    /// The task with only its solved issues, and the split of its edits.
    fn solved_part(&self, reason: &RollbackReason) -> Option<(RepairTask, Split)> {
        let (Ok(proposal), RollbackReason::NotSolved { unmet }) = (&self.result, reason) else {
            return None;
        };
        let ids = self.issue_ids();
        let unsolved: BTreeSet<&str> = unmet.iter().map(|one| one.id.as_str()).collect();
        // It is unknown which edit broke a constraint.
        if !unsolved.iter().all(|id| ids.contains(id)) {
            return None;
        }
        let split = repair::split(proposal, &ids, &unsolved)?;
        let mut task = self.task.clone();
        task.source_issues
            .retain(|issue| split.solved.contains(&issue.id));
        Some((task, split))
    }

    pub(super) fn roll_back(&mut self, reason: RollbackReason) {
        for edit in &mut self.edits {
            edit.kept = false;
        }
        self.result = Err(reason);
    }
}

/// A task's label in a receipt: `round 1: patch sec_2 (issue_1, issue_3)`.
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

/// Whether a receipt's label belongs to this task, whichever issues it names.
pub(super) fn is_label_of(made: &str, round: u32, task: (FixAction, &ComponentId)) -> bool {
    let rest = made.strip_prefix(label(round, task, &[]).as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
}

/// The label of a rewrite of the whole text.
pub(super) fn label_of_rewrite(round: u32) -> String {
    format!("round {round}: written again")
}
