//! One round of repair: the plan, its batches and tasks, and what is kept of them.
//!
//! | a repair | then |
//! |---|---|
//! | does not fit the part, or the program objects (tier 1) | asked again with the complaint; edits that do not fit, then the whole part as text; then undone |
//! | the delta judge says no, or nothing that can be read (tier 2) | undone byte for byte |
//! | both are content | kept |
//! | a section was written again | the one behind it is looked at, along with the repair where that is asked yes or no, and patched where it no longer fits |
//!
//! Why a repair was undone goes into the next attempt's prompt. Undoing is
//! building the text again from the state before, without that repair: nothing is
//! reverted by hand.

use super::flow::Flow;
use super::text::Text;
use crate::arbitrate::TargetedIssue;
use crate::ask::{Budget, Tokens};
use crate::event::EventKind;
use crate::outcome::TaskDone;
use crate::prompt::PromptError;
use crate::repair::{self, Proposal};
use crate::route::{RefinementPlan, RepairTask};
use crate::rubric::FixAction;
use crate::verdict::IssueSeverity;
use crate::verify::Fits;
use redraft_gate::span::ComponentId;

/// A repair that was kept.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) component: ComponentId,
    pub(super) task: RepairTask,
    pub(super) proposal: Proposal,
    /// Whether the part behind still fits, where the delta judge has said so.
    pub(super) next: Option<Fits>,
}

/// A repair in the making.
pub(super) struct Tried {
    pub(super) task: RepairTask,
    pub(super) result: Result<Proposal, String>,
    pub(super) next: Option<Fits>,
    pub(super) used: Tokens,
}

impl Flow {
    /// Carries a plan out, batch by batch. Gives the text that came of it, and
    /// what was kept.
    pub(super) async fn execute(
        &mut self,
        start: &Text,
        plan: &RefinementPlan,
    ) -> Result<(Text, Vec<Kept>), PromptError> {
        let mut text = start.clone();
        let mut all = Vec::new();
        for (index, batch) in plan.execution_batches.iter().enumerate() {
            let mut tasks: Vec<RepairTask> = batch
                .iter()
                .filter_map(|section| plan.tasks.iter().find(|task| task.section_id == *section))
                .cloned()
                .collect();
            tasks.retain(|task| self.may_edit(&task.section_id));
            if tasks.is_empty() {
                continue;
            }
            self.hold_back(plan, index);
            let (after, kept) = self
                .batch(&text, tasks, index + 1, &plan.preserve_terminology)
                .await?;
            text = after;
            all.extend(kept);
            for (rewritten, said) in self.parts_to_look_at(&all, index, plan) {
                let (after, kept) = self
                    .look_behind(&text, (&rewritten, said), index + 1, plan)
                    .await?;
                text = after;
                all.extend(kept);
            }
        }
        self.post.lock().ledger.hold_back(Budget::Repair, 0);
        Ok((text, all))
    }

    /// Whether a part may be edited once more (ruling 34); if so, it counts.
    pub(super) fn may_edit(&mut self, section: &ComponentId) -> bool {
        self.lock_where_edited_enough(section);
        if self.progress.locked.contains(section) {
            return false;
        }
        *self.progress.edits.entry(section.clone()).or_default() += 1;
        true
    }

    /// Before a round is planned, so that no round is spent on learning it.
    pub(super) fn lock_what_was_edited_enough(&mut self) {
        let edited: Vec<ComponentId> = self.progress.edits.keys().cloned().collect();
        for section in edited {
            self.lock_where_edited_enough(&section);
        }
    }

    fn lock_where_edited_enough(&mut self, section: &ComponentId) {
        let edits = self.progress.edits.get(section).copied().unwrap_or(0);
        if edits >= self.setup.policy.repair.edits_per_component {
            self.lock(section, &format!("it was edited {edits} times"));
        }
    }

    /// What critical tasks of later batches need is kept for them (ruling 30).
    fn hold_back(&self, plan: &RefinementPlan, batch: usize) {
        let later = plan
            .execution_batches
            .iter()
            .skip(batch + 1)
            .flatten()
            .filter_map(|section| plan.tasks.iter().find(|task| task.section_id == *section))
            .filter(|task| task.priority == IssueSeverity::Critical)
            .map(|task| task.estimated_tokens.total())
            .fold(0, u64::saturating_add);
        self.post.lock().ledger.hold_back(Budget::Repair, later);
    }

    /// Tasks side by side.
    pub(super) async fn batch(
        &mut self,
        base: &Text,
        mut tasks: Vec<RepairTask>,
        number: usize,
        terms: &[String],
    ) -> Result<(Text, Vec<Kept>), PromptError> {
        // The urgent ones reserve first.
        tasks.sort_by_key(|task| std::cmp::Reverse(task.priority));
        self.post.emit(EventKind::BatchStarted {
            batch: number,
            sections: tasks.iter().map(|task| task.section_id.clone()).collect(),
        });
        for task in &tasks {
            self.post.emit(EventKind::TaskStarted {
                section: task.section_id.clone(),
                task: task.action_type,
                batch: number,
            });
        }
        let mut tried = self.ask_for_repairs(base, tasks, terms).await?;
        let together = self.put_together(base, &mut tried);
        if together.version() != base.version() {
            self.progress.proposed_in = self.progress.round;
        }
        let deltas = self.ask_delta_judge(base, &together, &tried).await?;
        for (tried, delta) in tried.iter_mut().zip(deltas) {
            tried.used = tried.used.plus(delta.used);
            tried.next = delta.next;
            if tried.result.is_ok()
                && let Err(because) = delta.result
            {
                tried.result = Err(because);
            }
        }
        let text = self.put_together(base, &mut tried);
        let mut kept = Vec::new();
        let (mut good, mut bad) = (0, 0);
        for tried in tried {
            match self.settle(&text, tried) {
                Some(one) => {
                    good += 1;
                    kept.push(one);
                }
                None => bad += 1,
            }
        }
        self.post.emit(EventKind::BatchComplete {
            batch: number,
            kept: good,
            undone: bad,
        });
        Ok((text, kept))
    }

    /// Tells of a task's end, and keeps it in mind.
    fn settle(&mut self, text: &Text, tried: Tried) -> Option<Kept> {
        let Tried {
            task,
            result,
            next,
            used,
        } = tried;
        let section = task.section_id.clone();
        let because = result.as_ref().err().cloned();
        if result.is_ok() {
            let content = text_of(text, &section);
            let diff_summary = summary(&task);
            self.post.emit(match task.action_type {
                FixAction::SurgicalEdit => EventKind::PatchApplied {
                    section: section.clone(),
                    content,
                    diff_summary,
                },
                FixAction::RegenerateSection => EventKind::SectionRegenerated {
                    section: section.clone(),
                    content,
                    diff_summary,
                },
            });
        }
        self.post.emit(EventKind::VerificationResult {
            section: section.clone(),
            passed: result.is_ok(),
            because: because.clone(),
            tokens: used,
        });
        match &because {
            Some(because) => self
                .progress
                .undone
                .insert(section.clone(), because.clone()),
            None => self.progress.undone.remove(&section),
        };
        self.progress.done.push(TaskDone {
            iteration: self.progress.round,
            section_id: section.clone(),
            section_title: task.section_title.clone(),
            action_type: task.action_type,
            priority: task.priority,
            issues: task
                .source_issues
                .iter()
                .map(|issue| issue.issue.description.clone())
                .collect(),
            synthesized_instructions: task.synthesized_instructions.clone(),
            kept: because.is_none(),
            because,
            tokens: used,
        });
        result.ok().map(|proposal| Kept {
            component: section,
            task,
            proposal,
            next,
        })
    }
}

/// The name of a task in a receipt: `round 1: patch sec_2`.
pub(super) fn label(round: u32, action: FixAction, section: &ComponentId) -> String {
    let verb = match action {
        FixAction::SurgicalEdit => "patch",
        FixAction::RegenerateSection => "rewrite",
    };
    format!("round {round}: {verb} {section}")
}

/// What a task did, in a line.
fn summary(task: &RepairTask) -> String {
    let solved: Vec<&str> = task
        .source_issues
        .iter()
        .map(|issue: &TargetedIssue| issue.issue.description.as_str())
        .collect();
    if solved.is_empty() {
        task.synthesized_instructions.clone()
    } else {
        solved.join("; ")
    }
}

/// The words of a part, for an event.
fn text_of(text: &Text, component: &ComponentId) -> String {
    repair::passages(text.document(), component)
        .iter()
        .map(|passage| passage.text)
        .collect::<Vec<_>>()
        .join("\n")
}
