//! What repairs cannot do: findings that cannot be fixed in their component are routed elsewhere or
//! nowhere, and structural changes are proposed to a reviewer (ruling 59). The profile decides
//! which demands need one.

use super::context::Context;
use super::text::Text;
use crate::arbitrate::{Arbitration, TargetedIssue};
use crate::planning_reasons::UnservedReason;
use crate::restructure::{FindingRoute, Restructuring};
use crate::route::{RefinementPlan, Unserved};
use crate::rubric::FixAction;
use crate::verdict::Issue;
use redraft_gate::finding::Finding;

/// The findings that repairs can fix, each assigned to the component that can change.
pub(super) fn repairable(context: &Context, text: &Text, findings: &[Finding]) -> Vec<Finding> {
    let route = |finding: &Finding| {
        let route = context
            .setup
            .profile
            .finding_route(text.document(), finding);
        match route {
            FindingRoute::Own => Some(finding.clone()),
            FindingRoute::To(component) => Some(Finding {
                component,
                ..finding.clone()
            }),
            FindingRoute::Nowhere | FindingRoute::Person(_) => None,
        }
    };
    findings.iter().filter_map(route).collect()
}

/// The proposals to a reviewer about a text: from its judges, then from the checks.
pub(super) fn proposals(context: &Context, text: &Text, issues: &[Issue]) -> Vec<Restructuring> {
    let profile = context.setup.profile;
    let asked = issues
        .iter()
        .filter_map(|issue| profile.restructuring(text.document(), issue));
    let found = text.findings().iter().filter_map(|finding| {
        match profile.finding_route(text.document(), finding) {
            FindingRoute::Person(proposal) => Some(proposal),
            _ => None,
        }
    });
    let mut all: Vec<Restructuring> = Vec::new();
    for proposal in asked.chain(found) {
        // The same proposal from a judge and a check counts once.
        let is_known = all.iter().any(|known| {
            let is_alike = known.components == proposal.components
                || known.components.is_empty()
                || proposal.components.is_empty();
            known.action == proposal.action
                && is_alike
                && (known.raised_by != proposal.raised_by || known.reason == proposal.reason)
        });
        if !is_known {
            all.push(proposal);
        }
    }
    all
}

/// Splits issues into those that are repaired and those that are proposed to a reviewer.
pub(super) fn split(
    context: &Context,
    text: &Text,
    arbitration: &Arbitration,
) -> (Arbitration, Vec<TargetedIssue>) {
    let profile = context.setup.profile;
    let is_proposed = |issue: &TargetedIssue| {
        profile
            .restructuring(text.document(), &issue.issue)
            .is_some()
    };
    let mut ours = arbitration.clone();
    let (proposed, kept) = ours.issues.drain(..).partition(is_proposed);
    ours.issues = kept;
    (ours, proposed)
}

/// Lists the proposed issues as unserved in the plan, and turns rewrites into edits if all their
/// issues ask for an operation.
pub(super) fn settle(
    context: &Context,
    text: &Text,
    plan: &mut RefinementPlan,
    proposed: Vec<TargetedIssue>,
) {
    plan.unserved
        .extend(proposed.into_iter().map(|issue| Unserved {
            issue,
            because: UnservedReason::Reviewer,
        }));
    let setup = &context.setup;
    for task in &mut plan.tasks {
        if task.action_type != FixAction::RegenerateSection || task.source_issues.is_empty() {
            continue;
        }
        // Lists are changed by operations, which are edits. Rewriting the component's text would
        // not change them.
        let slots = setup
            .profile
            .slots(text.document(), &task.section_id, &setup.companions);
        let is_listed = |issue: &TargetedIssue| {
            let mut alone = task.clone();
            alone.source_issues = vec![issue.clone()];
            alone.synthesized_instructions.clear();
            slots.iter().any(|slot| slot.is_asked_for(&alone))
        };
        if task.source_issues.iter().all(is_listed) {
            task.action_type = FixAction::SurgicalEdit;
        }
    }
}
