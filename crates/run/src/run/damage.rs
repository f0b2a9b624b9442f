//! Repairs certain damage, found by the free checks, before a judge is paid: component by
//! component, provided that the damage is confined to components and undamaged text remains around
//! them (rulings 18, 19).

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use super::planning::{self, Demands, issue_of_ours, role_of, routed_alone};
use super::progress::Progress;
use super::repairing::execute;
use super::rounds::{begin_round, emit_checks, emit_round_complete};
use super::state::State;
use super::text::Text;
use crate::arbitrate::Arbitration;
use crate::event::EventKind;
use crate::policy::Targets;
use crate::prompt::PromptError;
use crate::route::{RefinementPlan, RepairTask, RouteFigures};
use crate::rubric::FixAction;
use crate::verdict::IssueSeverity;
use redraft_gate::content::TextRole;
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::span::ComponentId;

/// Repairs certain damage component by component (rulings 18, 19).
pub(super) async fn repair_damage(
    context: &Context,
    state: &mut State,
    mut text: Text,
) -> Result<Text, PromptError> {
    // Checks the limit of rounds first, because repairing a field counts as a round.
    while state.progress.round < context.setup.policy.repair.iterations {
        let Some(unusable) = state.judgements.unusable(&text) else {
            break;
        };
        let Some(plan) = plan_against_damage(context, &state.progress, &text) else {
            break;
        };
        if planning::why_unpaid(context, &state.progress, &text, &plan)?.is_some() {
            break;
        }
        state.judgements.leave_unjudged(&text, &unusable);
        state.remember(&text, context.now());
        let node = begin_round(context, &mut state.progress, &plan);
        let (after, _) = execute(context, &mut state.progress, &text, &plan).await?;
        context.emit(EventKind::NodeComplete { node });
        if after.version() != text.version() {
            emit_checks(context, &after);
            state.judgements.review(&after);
            text = after;
        }
        emit_round_complete(context, state.progress.round, &text, (None, None));
    }
    Ok(text)
}

/// Tasks for the components with errors. `None` if an error is in no component or must not be
/// repaired by a model.
fn plan_against_damage(
    context: &Context,
    progress: &Progress,
    text: &Text,
) -> Option<RefinementPlan> {
    let errors: Vec<Finding> = text
        .findings()
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .cloned()
        .collect();
    // A model never invents a key (ruling 19), and an item without one is not worth further calls.
    let for_a_person = |finding: &Finding| context.setup.profile.needs_a_person(finding);
    if errors.is_empty() || errors.iter().any(for_a_person) {
        return None;
    }
    // An error outside components cannot be repaired component by component.
    let all = RouteFigures::by_component(Targets::All);
    let demands = Demands {
        arbitration: &Arbitration::of_nobody(Vec::new()),
        assessment: None,
        findings: &errors,
    };
    let everything = planning::routed(context, progress, text, (demands, &all));
    if everything.served_findings.len() < errors.len() {
        return None;
    }
    let plan = routed_alone(context, progress, text, (Vec::new(), &errors));
    // Without any undamaged text, there is nothing to fit a component into. That would be writing,
    // which needs a specification (ruling 18).
    let damaged: BTreeSet<&ComponentId> = plan.tasks.iter().map(|task| &task.section_id).collect();
    if !has_words_outside(text, &damaged) {
        return None;
    }
    let can = |task: &RepairTask| context.seat(role_of(task)).is_some();
    (!plan.tasks.is_empty() && plan.tasks.iter().all(can)).then_some(plan)
}

/// Tasks that rewrite the components with confirmed damage (ruling 54). `None` if some of it is in
/// no component, or no model can write it.
pub(super) fn plan_rewriting(
    context: &Context,
    progress: &Progress,
    text: &Text,
    confirmed: &[Finding],
) -> Option<RefinementPlan> {
    let mut by_component: BTreeMap<&ComponentId, Vec<&str>> = BTreeMap::new();
    for finding in confirmed {
        let messages = by_component.entry(&finding.component).or_default();
        messages.push(&finding.message);
    }
    if by_component.contains_key(&ComponentId::whole()) {
        return None;
    }
    let issues = by_component.into_iter().enumerate();
    let issues = issues.map(|(index, (component, messages))| {
        let mut issue = issue_of_ours(context, component, messages.join("; "));
        issue.id = format!("issue_{}", index + 1);
        issue.issue.severity = IssueSeverity::Critical;
        issue.fix_action = FixAction::RegenerateSection;
        issue
    });
    let plan = routed_alone(context, progress, text, (issues.collect(), &[]));
    let can = |task: &RepairTask| context.seat(role_of(task)).is_some();
    (!plan.tasks.is_empty() && plan.tasks.iter().all(can)).then_some(plan)
}

/// Whether there is any text to read outside these components.
fn has_words_outside(text: &Text, parts: &BTreeSet<&ComponentId>) -> bool {
    let document = text.document();
    let ranges: Vec<_> = document
        .components()
        .iter()
        .filter(|part| parts.contains(&part.id))
        .map(|part| &part.range)
        .collect();
    document
        .texts()
        .iter()
        .filter(|field| field.role != TextRole::Title)
        .any(|field| {
            field.markdown().prose.iter().any(|prose| {
                let at = field.map.to_source(prose.clone());
                let is_inside = ranges
                    .iter()
                    .any(|range| range.start <= at.start && at.end <= range.end);
                let words = field.text.get(prose.clone()).unwrap_or_default();
                !is_inside && words.contains(char::is_alphanumeric)
            })
        })
}
