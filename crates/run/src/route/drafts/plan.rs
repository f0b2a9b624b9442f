//! Turns drafts into a plan: tasks in text order, their batches, the preserved components and the
//! estimate. All decisions have been made by then.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::super::batches::{self, Entry};
use super::super::wording::{self, Demands};
use super::super::{
    RefinementPlan, RepairTask, ServedFinding, context, estimate, rank, terms, without_tasks,
};
use super::{Draft, Drafts};
use crate::arbitrate::{Conflict, TargetedIssue};
use crate::ask::Tokens;
use crate::rubric::FixAction;
use crate::verdict::IssueSeverity;
use redraft_gate::content::ComponentKind;
use redraft_gate::finding::Finding;
use redraft_gate::span::ComponentId;

impl<'a> Drafts<'a> {
    pub(super) fn into_plan(self) -> RefinementPlan {
        let global = self.everywhere.clone();
        let mut plan = without_tasks(self.request, None, Vec::new());
        let touched: BTreeSet<usize> = self.by_component.keys().copied().collect();
        let is_touched = |index: usize| {
            touched.contains(&index)
                || self
                    .tree
                    .ancestors(index)
                    .any(|outer| touched.contains(&outer))
        };
        // A component also contains the changes to the components inside it.
        let outer: BTreeSet<usize> = touched
            .iter()
            .flat_map(|index| self.tree.ancestors(*index))
            .collect();
        plan.sections_to_preserve = (0..self.request.document.components().len())
            .filter(|index| self.tree.get(*index).kind != ComponentKind::Whole)
            .filter(|index| !is_touched(*index) && !outer.contains(index))
            .map(|index| self.tree.get(index).id.clone())
            .collect();
        plan.preserve_terminology = terms::terminology(
            self.tree,
            self.request.companions,
            &touched,
            self.request.figures.most_terms,
        );
        for (index, draft) in &self.by_component {
            let task = self.task(*index, draft, &global, &plan.preserve_terminology);
            plan.served_findings
                .extend(draft.findings.iter().map(|finding| ServedFinding {
                    section_id: task.section_id.clone(),
                    code: finding.check.code,
                    name: finding.check.name,
                    severity: finding.severity,
                    message: finding.message.clone(),
                }));
            plan.sections_to_modify.push(task.section_id.clone());
            plan.tasks.push(task);
        }
        let mut entries: Vec<(Reverse<IssueSeverity>, Entry)> = plan
            .tasks
            .iter()
            .zip(self.by_component.keys())
            .enumerate()
            .map(|(task, (of, index))| {
                let entry = Entry {
                    task,
                    path: self.tree.path(*index).clone(),
                    action: of.action_type,
                };
                (Reverse(of.priority), entry)
            })
            .collect();
        entries.sort_by_key(|(priority, entry)| (*priority, entry.task));
        let entries: Vec<Entry> = entries.into_iter().map(|(_, entry)| entry).collect();
        plan.execution_batches = batches::batches(&entries)
            .into_iter()
            .map(|batch| {
                let ids = batch.into_iter().filter_map(|task| plan.tasks.get(task));
                ids.map(|task| task.section_id.clone()).collect()
            })
            .collect();
        plan.estimated_cost = plan
            .tasks
            .iter()
            .map(|task| task.estimated_tokens.total())
            .fold(0, u64::saturating_add);
        plan.global_issues = global.into_iter().cloned().collect();
        plan.unserved = self.unserved;
        plan.unserved
            .sort_by(|a, b| rank(&a.issue).cmp(&rank(&b.issue)));
        plan
    }

    fn task(
        &self,
        index: usize,
        draft: &Draft<'a>,
        global: &[&'a TargetedIssue],
        terms: &[String],
    ) -> RepairTask {
        let component = self.tree.get(index);
        let conflicts: Vec<&Conflict> = self
            .request
            .arbitration
            .conflicts
            .iter()
            .filter(|conflict| {
                let is_about = |issue: &&TargetedIssue| {
                    issue.id == conflict.winner || issue.id == conflict.loser
                };
                conflict.section_id == component.id || draft.issues.iter().any(is_about)
            })
            .collect();
        let mut constraints: Vec<String> = conflicts
            .iter()
            .map(|conflict| conflict.constraint.clone())
            .chain(
                global
                    .iter()
                    .map(|issue| format!("The text as a whole: {}", wording::asked(issue))),
            )
            .collect();
        let mut said = BTreeSet::new();
        constraints.retain(|constraint| said.insert(wording::bare(constraint)));
        // The loser of a conflict is a constraint and not a demand (ruling 27), provided that the
        // winner is served here.
        let lost = |issue: &&&TargetedIssue| {
            conflicts.iter().any(|conflict| {
                conflict.loser == issue.id
                    && draft.issues.iter().any(|other| other.id == conflict.winner)
            })
        };
        let raise = draft.raise.map(|name| {
            let criterion = self.request.rubric.criterion(name);
            (
                name,
                criterion.map_or("", |criterion| criterion.description.as_str()),
            )
        });
        let demands = Demands {
            issues: draft
                .issues
                .iter()
                .filter(|issue| !lost(issue))
                .copied()
                .collect(),
            findings: draft.findings.clone(),
            raise,
            constraints: &constraints,
        };
        let synthesized_instructions = wording::instructions(&demands);
        let (action_type, check_after) = if draft.rewritten {
            (FixAction::RegenerateSection, self.after(index))
        } else {
            (FixAction::SurgicalEdit, None)
        };
        let mut task = RepairTask {
            section_id: component.id.clone(),
            section_title: component.title.clone().unwrap_or_default(),
            action_type,
            synthesized_instructions,
            constraints,
            context_anchors: context::anchors(self.tree, index),
            priority: draft.priority(),
            source_issues: draft.issues.iter().copied().cloned().collect(),
            check_after,
            estimated_tokens: Tokens::default(),
            finding_words: self.words_of(&draft.findings),
        };
        let text = self.tree.text(index);
        let estimate = estimate::task(&task, text, terms, &self.request.figures.overheads);
        task.estimated_tokens = estimate.total();
        task
    }

    /// The words that findings mark.
    fn words_of(&self, findings: &[&Finding]) -> Vec<String> {
        let source = self.request.document.source();
        let words = |finding: &&Finding| source.text().get(source.text_range(finding.span));
        let found = findings.iter().filter_map(words);
        found.map(str::to_owned).collect()
    }

    /// The component after this one, or after the one that it ends.
    fn after(&self, index: usize) -> Option<ComponentId> {
        std::iter::once(index)
            .chain(self.tree.ancestors(index))
            .find_map(|index| self.tree.after(index))
            .map(|next| self.tree.get(next).id.clone())
    }
}
