//! Plans the repairs of a text: the demands of judges and checks, without those that cannot be met
//! and those that lost a conflict. Executes nothing.

use std::collections::BTreeSet;

use super::affording::Orders;
use super::by_hand;
use super::context::Context;
use super::judgements::Judgements;
use super::progress::Progress;
use super::restructuring;
use super::state::State;
use super::text::Text;
use crate::arbitrate::{Arbitration, ContextWindow, TargetedIssue};
use crate::ask::Role;
use crate::assess::Assessment;
use crate::forecast::Measure;
use crate::prompt::PromptError;
use crate::reasons::{CannotWrite, NothingToRepair, StopReason};
use crate::route::estimate::Overheads;
use crate::route::{self, RefinementPlan, RepairTask, RouteFigures, Routing};
use crate::rubric::FixAction;
use crate::setup::Setup;
use crate::token_estimate::estimated_tokens;
use crate::verdict::{Anchored, Issue, IssueSeverity};
use crate::write::Manner;
use redraft_gate::finding::Finding;
use redraft_gate::span::ComponentId;

/// Plans the repairs of a text.
///
/// # Errors
/// Why there is nothing to repair.
pub(super) fn plan(
    context: &Context,
    state: &State,
    text: &Text,
) -> Result<RefinementPlan, NothingToRepair> {
    let Some(mut plan) = route(context, state, text) else {
        return Err(NothingToRepair::NotJudged);
    };
    if let Some(because) = &plan.whole_because {
        let obstacle = if state.judgements.was_read_in_part(text) {
            CannotWrite::PartlyRead
        } else {
            // If the text may be rewritten, this plan is not requested.
            may_rewrite(context, &state.progress)
                .err()
                .unwrap_or(CannotWrite::Forbidden)
        };
        return Err(NothingToRepair::WholeNeeded {
            because: because.clone(),
            obstacle,
        });
    }
    drop_conflict_losers(&state.judgements, text, &mut plan);
    let can = |task: &RepairTask| context.seat(role_of(task)).is_some();
    plan.tasks.retain(can);
    let left: BTreeSet<ComponentId> = plan
        .tasks
        .iter()
        .map(|task| task.section_id.clone())
        .collect();
    for batch in &mut plan.execution_batches {
        batch.retain(|section| left.contains(section));
    }
    plan.execution_batches.retain(|batch| !batch.is_empty());
    plan.sections_to_modify
        .retain(|section| left.contains(section));
    if plan.tasks.is_empty() {
        return Err(NothingToRepair::NoTaskLeft);
    }
    if let Some(instruction) = &state.progress.instruction {
        for task in &mut plan.tasks {
            task.constraints.insert(0, instruction.clone());
        }
    }
    Ok(plan)
}

/// Why no task of a plan can be paid (ruling 51).
pub(super) fn why_unpaid(
    context: &Context,
    progress: &Progress,
    text: &Text,
    plan: &RefinementPlan,
) -> Result<Option<StopReason>, PromptError> {
    let orders = Orders {
        context,
        progress,
        text,
        terms: &plan.preserve_terminology,
    };
    Ok(orders.lack(&plan.tasks)?.map(StopReason::BudgetExhausted))
}

/// The plan for the report: what would be done next.
pub(super) fn plan_for_report(
    context: &Context,
    state: &State,
    text: &Text,
) -> Option<RefinementPlan> {
    // Nothing is open, so there is nothing to plan.
    let is_wanting = text.open_errors() > 0
        || state.judgements.assessment(text)?.overall() < context.setup.policy.accept
        || !state.judgements.issues(text).is_empty();
    if !is_wanting {
        return None;
    }
    route(context, state, text)
        .filter(|plan| !plan.tasks.is_empty() || plan.whole_because.is_some())
}

/// Removes the losers of conflicts from tasks (ruling 27): they are constraints, so they are
/// neither requested nor verified.
fn drop_conflict_losers(judgements: &Judgements, text: &Text, plan: &mut RefinementPlan) {
    let Some(ruled) = judgements.arbitration(text) else {
        return;
    };
    for task in &mut plan.tasks {
        let serves = |id: &str| task.source_issues.iter().any(|issue| issue.id == id);
        let lost: BTreeSet<&str> = ruled
            .conflicts
            .iter()
            .filter(|conflict| serves(&conflict.winner))
            .map(|conflict| conflict.loser.as_str())
            .collect();
        task.source_issues
            .retain(|issue| !lost.contains(issue.id.as_str()));
    }
}

/// An issue that the program raises itself.
pub(super) fn issue_of_ours(
    context: &Context,
    section: &ComponentId,
    description: String,
) -> TargetedIssue {
    let policy = &context.setup.policy.repair;
    let criterion = policy
        .structure
        .clone()
        .or_else(|| context.setup.rubric.hierarchy.first().cloned())
        .unwrap_or_default();
    TargetedIssue {
        id: "issue_1".to_owned(),
        issue: Issue {
            criterion,
            severity: IssueSeverity::Major,
            location: section.clone(),
            quote: None,
            anchor: Anchored::NotQuoted,
            suggested_fix: description.clone(),
            description: description.clone(),
            source: None,
        },
        target_section_id: section.clone(),
        fix_action: FixAction::SurgicalEdit,
        context_window: ContextWindow::default(),
        fix_instructions: description,
        raised_by: 0,
    }
}

fn route(context: &Context, state: &State, text: &Text) -> Option<RefinementPlan> {
    let arbitration = state.judgements.arbitration(text)?;
    let assessment = state.judgements.assessment(text)?;
    let demands = Demands {
        arbitration: &arbitration,
        assessment: Some(&assessment),
        findings: text.findings(),
    };
    let figures = figures(context, text);
    Some(routed(context, &state.progress, text, (demands, &figures)))
}

/// The demands that a plan must meet.
#[derive(Clone, Copy)]
pub(super) struct Demands<'a> {
    pub(super) arbitration: &'a Arbitration,
    pub(super) assessment: Option<&'a Assessment>,
    pub(super) findings: &'a [Finding],
}

/// The policy settings, with the tokens of our own text in prompts.
fn figures(context: &Context, text: &Text) -> RouteFigures {
    let mut figures = RouteFigures::of(&context.setup.policy);
    figures.overheads = *context
        .overheads
        .get_or_init(|| measured(&context.setup, text));
    figures
}

/// Tokens of our own text in prompts. Errors are ignored here: a template that cannot be rendered
/// fails when it is used.
fn measured(setup: &Setup, text: &Text) -> Overheads {
    let measure = Measure {
        profile: setup.profile,
        document: text.document(),
        companions: &setup.companions,
        rubric: &setup.rubric,
        count: &estimated_tokens,
        asked: (setup.policy.repair.edit_form(), setup.policy.repair.delta),
    };
    measure.repair().unwrap_or_default()
}

pub(super) fn routed(
    context: &Context,
    progress: &Progress,
    text: &Text,
    (demands, figures): (Demands<'_>, &RouteFigures),
) -> RefinementPlan {
    let setup = &context.setup;
    let findings = restructuring::repairable(context, text, demands.findings);
    let (arbitration, proposed) = restructuring::split(context, text, demands.arbitration);
    let locked = by_hand::locked(context, progress, text.document());
    let mut plan = route::route(&Routing {
        document: text.document(),
        companions: &setup.companions,
        rubric: &setup.rubric,
        arbitration: &arbitration,
        assessment: demands.assessment,
        findings: &findings,
        figures,
        locked: &locked,
    });
    restructuring::settle(context, text, &mut plan, proposed);
    plan
}

/// A plan for issues that no judge has raised.
pub(super) fn routed_alone(
    context: &Context,
    progress: &Progress,
    text: &Text,
    (issues, findings): (Vec<TargetedIssue>, &[Finding]),
) -> RefinementPlan {
    let demands = Demands {
        arbitration: &Arbitration::of_nobody(issues),
        assessment: None,
        findings,
    };
    let figures = figures(context, text);
    routed(context, progress, text, (demands, &figures))
}

/// Whether a whole text can be written at all.
///
/// # Errors
/// What is missing.
pub(super) fn may_write(context: &Context) -> Result<(), CannotWrite> {
    let companions = &context.setup.companions;
    let (roles, has_order): (&[Role], bool) = match context.setup.profile.manner() {
        Manner::Sections => (
            &[Role::Planner, Role::Expander],
            companions.specification.is_some(),
        ),
        Manner::Whole => (
            &[Role::Author],
            companions.specification.is_some() || companions.scheme_of_work.len() == 1,
        ),
    };
    if !has_order {
        return Err(CannotWrite::NoSpecification);
    }
    match roles.iter().find(|role| context.seat(**role).is_none()) {
        None => Ok(()),
        Some(role) => Err(CannotWrite::NoModel { role: *role }),
    }
}

/// Whether the whole text may be rewritten (ruling 18).
///
/// # Errors
/// Why not.
pub(super) fn may_rewrite(context: &Context, progress: &Progress) -> Result<(), CannotWrite> {
    let most = context.setup.policy.repair.whole_regenerations;
    match progress.regenerations {
        _ if most == 0 => Err(CannotWrite::Forbidden),
        _ if context.mailbox.lock().reviewer_locks.has_locks() => Err(CannotWrite::Locked),
        times if times >= most => Err(CannotWrite::RewrittenOften { times }),
        _ => may_write(context),
    }
}

/// The plan for a text that should be rewritten, if that is possible.
pub(super) fn plan_rewrite(
    context: &Context,
    state: &State,
    text: &Text,
) -> Option<RefinementPlan> {
    may_rewrite(context, &state.progress).ok()?;
    // Text that no judge has read is not thrown away.
    if state.judgements.was_read_in_part(text) {
        return None;
    }
    let mut plan =
        plan_for_report(context, state, text).filter(|plan| plan.whole_because.is_some())?;
    plan.sections_to_modify = vec![ComponentId::whole()];
    // Seed 003 §13: a rewrite reads about twice the length of the text and writes it once.
    plan.estimated_cost = estimated_tokens(text.document().source().text()).saturating_mul(3);
    Some(plan)
}

pub(super) fn role_of(task: &RepairTask) -> Role {
    match task.action_type {
        FixAction::SurgicalEdit => Role::Patcher,
        FixAction::RegenerateSection => Role::SectionExpander,
    }
}
