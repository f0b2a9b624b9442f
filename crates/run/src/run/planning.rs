//! What is to be done to a text: what the judges and the checks demand, less what
//! nobody can do, and less what lost a conflict. It does nothing itself.

use std::collections::BTreeSet;

use super::flow::Flow;
use super::text::Text;
use crate::arbitrate::{Arbitration, ContextWindow, TargetedIssue};
use crate::ask::Role;
use crate::assess::Assessment;
use crate::forecast::Measure;
use crate::reasons::{CannotWrite, NothingToRepair};
use crate::route::estimate::Overheads;
use crate::route::{self, RefinementPlan, RepairTask, RouteFigures, Routing};
use crate::rubric::FixAction;
use crate::token_estimate::estimated_tokens;
use crate::verdict::{Anchored, Issue, IssueSeverity};
use redraft_gate::finding::Finding;
use redraft_gate::span::ComponentId;

impl Flow {
    /// What is to be done to a text.
    ///
    /// # Errors
    /// Why nothing can be done.
    pub(super) fn plan(&self, text: &Text) -> Result<RefinementPlan, NothingToRepair> {
        let Some(mut plan) = self.route(text) else {
            return Err(NothingToRepair::NotJudged);
        };
        if let Some(because) = &plan.whole_because {
            let obstacle = if self.was_read_in_part(text) {
                CannotWrite::PartlyRead
            } else {
                // Where it could be rewritten, this plan is not asked for.
                self.may_write_again()
                    .err()
                    .unwrap_or(CannotWrite::Forbidden)
            };
            return Err(NothingToRepair::WholeNeeded {
                because: because.clone(),
                obstacle,
            });
        }
        self.demand_no_losers(text, &mut plan);
        let can = |task: &RepairTask| self.seat(role_of(task)).is_some();
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
        if let Some(instruction) = &self.progress.instruction {
            for task in &mut plan.tasks {
                task.constraints.insert(0, instruction.clone());
            }
        }
        Ok(plan)
    }

    /// The plan that a report shows: what would be done next.
    pub(super) fn plan_for_report(&self, text: &Text) -> Option<RefinementPlan> {
        // Where nothing is wanting, nothing has to be worked out.
        let is_wanting = text.open_errors() > 0
            || self.assessment(text)?.overall() < self.setup.policy.accept
            || !self.issues(text).is_empty();
        if !is_wanting {
            return None;
        }
        self.route(text)
            .filter(|plan| !plan.tasks.is_empty() || plan.whole_because.is_some())
    }

    /// What lost a conflict is a constraint and no demand (ruling 27): nobody is
    /// asked to do it, nor whether it was done.
    fn demand_no_losers(&self, text: &Text, plan: &mut RefinementPlan) {
        let Some(ruled) = self.arbitration(text) else {
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

    /// Something that is to be done to a part, though no judge has said so.
    pub(super) fn issue_of_ours(
        &self,
        section: &ComponentId,
        description: String,
    ) -> TargetedIssue {
        let policy = &self.setup.policy.repair;
        let criterion = policy
            .structure
            .clone()
            .or_else(|| self.setup.rubric.hierarchy.first().cloned())
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

    fn route(&self, text: &Text) -> Option<RefinementPlan> {
        let arbitration = self.arbitration(text)?;
        let assessment = self.assessment(text)?;
        Some(self.routed(text, &arbitration, Some(&assessment), text.findings()))
    }

    fn routed(
        &self,
        text: &Text,
        arbitration: &Arbitration,
        assessment: Option<&Assessment>,
        findings: &[Finding],
    ) -> RefinementPlan {
        let mut figures = RouteFigures::of(&self.setup.policy);
        figures.overheads = *self.overheads.get_or_init(|| self.measured(text));
        self.routed_with(text, &figures, arbitration, assessment, findings)
    }

    /// What our own words take in prompts. An estimate is no reason to fail; a
    /// template that cannot be rendered fails where it is asked with.
    fn measured(&self, text: &Text) -> Overheads {
        let setup = &self.setup;
        let measure = Measure {
            profile: setup.profile,
            document: text.document(),
            companions: &setup.companions,
            rubric: &setup.rubric,
            count: &estimated_tokens,
        };
        measure.repair().unwrap_or_default()
    }

    pub(super) fn routed_with(
        &self,
        text: &Text,
        figures: &RouteFigures,
        arbitration: &Arbitration,
        assessment: Option<&Assessment>,
        findings: &[Finding],
    ) -> RefinementPlan {
        let setup = &self.setup;
        route::route(&Routing {
            document: text.document(),
            companions: &setup.companions,
            rubric: &setup.rubric,
            arbitration,
            assessment,
            findings,
            figures,
            locked: &self.progress.locked,
        })
    }

    /// A plan for something that no judge has said.
    pub(super) fn routed_alone(
        &self,
        text: &Text,
        issues: Vec<TargetedIssue>,
        findings: &[Finding],
    ) -> RefinementPlan {
        self.routed(text, &Arbitration::of_nobody(issues), None, findings)
    }
}

pub(super) fn role_of(task: &RepairTask) -> Role {
    match task.action_type {
        FixAction::SurgicalEdit => Role::Patcher,
        FixAction::RegenerateSection => Role::SectionExpander,
    }
}
