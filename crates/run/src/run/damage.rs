//! Damage that the free checks are certain of, mended before a judge is paid: part
//! by part, where it lies in parts and leaves a text to fit them into (rulings 18,
//! 19).

use std::collections::BTreeSet;

use super::flow::Flow;
use super::planning::role_of;
use super::text::Text;
use crate::arbitrate::Arbitration;
use crate::event::EventKind;
use crate::policy::Targets;
use crate::prompt::PromptError;
use crate::route::{RefinementPlan, RepairTask, RouteFigures};
use redraft_gate::content::TextRole;
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::span::ComponentId;

impl Flow {
    /// Damage that the free checks are certain of is mended before a judge is
    /// paid: part by part, where it lies in parts (rulings 18, 19).
    pub(super) async fn mend_damage(&mut self, mut text: Text) -> Result<Text, PromptError> {
        // The limit of rounds is looked at first: a mended field is a round, too.
        while self.progress.round < self.setup.policy.repair.iterations {
            let Some(unusable) = self.unusable(&text) else {
                break;
            };
            let Some(plan) = self.plan_against_damage(&text) else {
                break;
            };
            self.leave_unjudged(&text, &unusable);
            self.remember(&text);
            let node = self.begin_round(&plan);
            let (after, _) = self.execute(&text, &plan).await?;
            self.post.emit(EventKind::NodeComplete { node });
            if after.version() != text.version() {
                self.tell_of_checks(&after);
                self.self_review = redraft_gate::review::review(after.findings(), after.findings());
                text = after;
            }
            self.tell_of_round(&text, None, None);
        }
        Ok(text)
    }

    /// Tasks for the parts in which errors stand; `None` where one of them is not
    /// a part's, or nobody may mend it.
    fn plan_against_damage(&self, text: &Text) -> Option<RefinementPlan> {
        let errors: Vec<Finding> = text
            .findings()
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .cloned()
            .collect();
        // A model never invents a key (ruling 19), and nobody pays for the rest of
        // an item without one.
        let for_a_person = |finding: &Finding| self.setup.profile.needs_a_person(finding);
        if errors.is_empty() || errors.iter().any(for_a_person) {
            return None;
        }
        // What is not a part's cannot be mended part by part.
        let all = RouteFigures::by_component(Targets::All);
        let everything = self.routed_with(
            text,
            &all,
            &Arbitration::of_nobody(Vec::new()),
            None,
            &errors,
        );
        if everything.served_findings.len() < errors.len() {
            return None;
        }
        let plan = self.routed_alone(text, Vec::new(), &errors);
        // Where nothing stands outside the damage, there is no text to fit a part
        // into: that is writing, and needs an order (ruling 18).
        let damaged: BTreeSet<&ComponentId> =
            plan.tasks.iter().map(|task| &task.section_id).collect();
        if !has_words_outside(text, &damaged) {
            return None;
        }
        let can = |task: &RepairTask| self.seat(role_of(task)).is_some();
        (!plan.tasks.is_empty() && plan.tasks.iter().all(can)).then_some(plan)
    }
}

/// Whether a learner finds anything to read outside these parts.
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
