//! Collects what each component needs before it becomes a task: its issues, its findings, and
//! whether it is edited or rewritten. Knows nothing of a task's wording (`wording`) or of batches.
//!
//! The strongest action in a component applies:
//!
//! | in the component | action |
//! |---|---|
//! | an issue that asks for regeneration, clearly located, its quote not missing | rewritten |
//! | an error of integrity or hygiene that no safe fix removes (ruling 18) | rewritten |
//! | anything else | edited |
//!
//! | component | then |
//! |---|---|
//! | inside one that is rewritten | its issues are served there |
//! | edited as often as the policy allows, or inside one that was | no task; its issues are unserved |
//! | has a warning of a check, but no issue | no task |
//! | has a warning that caps a criterion below the rubric's threshold (ruling 6) | a task: nothing else can raise that criterion |
//! | has an error of a check | a task, even without an issue: it blocks acceptance |

mod plan;
mod targets;

use std::collections::BTreeMap;

use super::assignment::{Assigner, Assignment};
use super::component_tree::ComponentTree;
use super::{RefinementPlan, Routing, Unserved, rank};
use crate::arbitrate::TargetedIssue;
use crate::planning_reasons::UnservedReason;
use crate::rubric::{FixAction, Rubric};
use crate::severity_scales::FindingGrade;
use crate::verdict::{Anchored, IssueSeverity};
use redraft_gate::check::{Mends, Phase};
use redraft_gate::finding::{Finding, Severity};

/// The plan for a text that is repaired component by component.
pub(super) fn plan<'a>(
    request: &'a Routing<'a>,
    tree: &'a ComponentTree<'a>,
    issues: &[&'a TargetedIssue],
) -> RefinementPlan {
    let mut drafts = Drafts::new(request, tree);
    drafts.assign(issues);
    drafts.add_findings();
    drafts.gather();
    drafts.select();
    drafts.bind();
    drafts.into_plan()
}

/// The drafts of tasks, by component.
struct Drafts<'a> {
    request: &'a Routing<'a>,
    tree: &'a ComponentTree<'a>,
    assigner: Assigner<'a>,
    by_component: BTreeMap<usize, Draft<'a>>,
    everywhere: Vec<&'a TargetedIssue>,
    unserved: Vec<Unserved>,
}

impl<'a> Drafts<'a> {
    fn new(request: &'a Routing<'a>, tree: &'a ComponentTree<'a>) -> Self {
        Self {
            request,
            tree,
            assigner: Assigner::new(tree, request.rubric, request.locked),
            by_component: BTreeMap::new(),
            everywhere: Vec::new(),
            unserved: Vec::new(),
        }
    }

    fn assign(&mut self, issues: &[&'a TargetedIssue]) {
        for issue in issues {
            let assignment = self.assigner.of(issue);
            self.put(issue, assignment);
        }
    }

    fn put(&mut self, issue: &'a TargetedIssue, assignment: Assignment) {
        match assignment {
            Assignment::Named(indices) => {
                let rewritten = issue.fix_action == FixAction::RegenerateSection
                    && issue.issue.anchor != Anchored::Unanchored;
                for index in indices {
                    let draft = self.by_component.entry(index).or_default();
                    draft.issues.push(issue);
                    draft.rewritten |= rewritten;
                }
            }
            Assignment::Guessed(index) => self
                .by_component
                .entry(index)
                .or_default()
                .issues
                .push(issue),
            Assignment::Everywhere => self.everywhere.push(issue),
            Assignment::Nowhere(because) => self.leave(issue, because),
        }
    }

    fn leave(&mut self, issue: &TargetedIssue, because: UnservedReason) {
        self.unserved.push(Unserved {
            issue: issue.clone(),
            because,
        });
    }

    /// Adds findings to the tasks of their components. Findings that block acceptance create a
    /// task.
    fn add_findings(&mut self) {
        let mut findings: Vec<&'a Finding> = self
            .request
            .findings
            .iter()
            .filter(|finding| finding.severity >= Severity::Warning || finding.critical)
            .filter(|finding| finding.safe_fix().is_none())
            .collect();
        findings.sort_by(|a, b| order(a).cmp(&order(b)));
        // Errors first: they may create the task that a warning is added to.
        findings.sort_by_key(|finding| !stops(finding));
        for finding in findings {
            let Some(index) = self.tree.find(&finding.component) else {
                continue;
            };
            if !self.tree.is_repairable(index) || self.tree.is_within(index, self.request.locked) {
                continue;
            }
            let open = std::iter::once(index)
                .chain(self.tree.ancestors(index))
                .find(|index| self.by_component.contains_key(index));
            let opens = stops(finding)
                || caps_below_threshold(finding, self.request.rubric)
                || finding.severity == Severity::Warning && finding.check.mends == Mends::ByTask;
            let Some(index) = open.or_else(|| opens.then_some(index)) else {
                continue;
            };
            let draft = self.by_component.entry(index).or_default();
            draft.findings.push(finding);
            let damaged = matches!(finding.check.phase, Phase::Integrity | Phase::Hygiene);
            draft.rewritten |= finding.severity == Severity::Error && damaged;
        }
    }

    /// Merges a component into the outer one if that is rewritten.
    fn gather(&mut self) {
        let all: Vec<usize> = self.by_component.keys().copied().collect();
        for index in all {
            let is_rewritten = |index: &usize| {
                self.by_component
                    .get(index)
                    .is_some_and(|draft| draft.rewritten)
            };
            let outer = self.tree.ancestors(index).filter(is_rewritten).last();
            if let Some(outer) = outer
                && let Some(inner) = self.by_component.remove(&index)
                && let Some(draft) = self.by_component.get_mut(&outer)
            {
                draft.issues.extend(inner.issues);
                draft.findings.extend(inner.findings);
            }
        }
        for draft in self.by_component.values_mut() {
            draft.issues.sort_by(|a, b| rank(a).cmp(&rank(b)));
            draft.issues.dedup_by(|a, b| std::ptr::eq(*a, *b));
        }
    }

    /// Issues about the whole text constrain every task; if there is no task, they become one.
    fn bind(&mut self) {
        if !self.by_component.is_empty() {
            return;
        }
        for issue in std::mem::take(&mut self.everywhere) {
            let assignment = self.assigner.best_fit(issue);
            self.put(issue, assignment);
        }
    }
}

/// What one component needs.
#[derive(Debug, Default)]
struct Draft<'a> {
    issues: Vec<&'a TargetedIssue>,
    findings: Vec<&'a Finding>,
    rewritten: bool,
    /// A criterion to raise although no issue is about it.
    raise: Option<&'a str>,
}

impl Draft<'_> {
    fn has_error(&self) -> bool {
        self.findings.iter().any(|finding| stops(finding))
    }

    fn priority(&self) -> IssueSeverity {
        let issues = self.issues.iter().map(|issue| issue.issue.severity);
        let findings = self
            .findings
            .iter()
            .map(|finding| FindingGrade::of(finding).as_issue());
        let raised = self.raise.map(|_| IssueSeverity::Major);
        let highest = issues.chain(findings).chain(raised).max();
        highest.unwrap_or(IssueSeverity::Minor)
    }
}

fn stops(finding: &Finding) -> bool {
    FindingGrade::of(finding).stops()
}

/// Whether a finding caps a criterion below the rubric's threshold, so that no judge's score can
/// reach it (ruling 6).
fn caps_below_threshold(finding: &Finding, rubric: &Rubric) -> bool {
    finding.caps.iter().any(|cap| {
        rubric
            .criterion(cap.criterion)
            .and_then(|criterion| criterion.threshold)
            .is_some_and(|threshold| cap.at < threshold)
    })
}

/// Sort key of findings: their order in the file.
fn order<'f>(finding: &'f Finding) -> impl Ord + use<'f> {
    (
        finding.span.start,
        finding.span.end,
        finding.check.code,
        &finding.message,
    )
}
