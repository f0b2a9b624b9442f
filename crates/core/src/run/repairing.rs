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

use std::collections::{BTreeMap, BTreeSet};

use super::converse::{Conversation, Ended, Reading, converse};
use super::flow::Flow;
use super::text::Text;
use super::wording::{self, Wordings};
use crate::arbitrate::{Agreement, AgreementLevel, Arbitration, ContextWindow, TargetedIssue};
use crate::ask::{Purse, Role, Tokens, estimated_tokens};
use crate::assess::Assessment;
use crate::content::TextRole;
use crate::decide::Delta;
use crate::event::EventKind;
use crate::finding::{Finding, Severity};
use crate::outcome::TaskDone;
use crate::prompt::{DeltaQuestion, PromptError, Task};
use crate::repair::{self, Bench, ComplaintKind, Proposal};
use crate::route::estimate::Overheads;
use crate::route::{self, Measure, RefinementPlan, RepairTask, RouteFigures, Routing, Targets};
use crate::rubric::FixAction;
use crate::span::ComponentId;
use crate::verdict::{Anchored, Issue, IssueSeverity, Reason, Unscored};
use crate::verify::{self, Fits, Permitted, Protected};

/// A repair that was kept.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) component: ComponentId,
    task: RepairTask,
    proposal: Proposal,
    /// Whether the part behind still fits, where the delta judge has said so.
    next: Option<Fits>,
}

/// A repair in the making.
struct Tried {
    task: RepairTask,
    result: Result<Proposal, String>,
    next: Option<Fits>,
    used: Tokens,
}

impl Flow {
    /// What is to be done to a text.
    ///
    /// # Errors
    /// Why nothing can be done.
    pub(super) fn plan(&self, text: &Text) -> Result<RefinementPlan, String> {
        let Some(mut plan) = self.route(text) else {
            return Err("no judge has said what is to be repaired".to_owned());
        };
        if let Some(because) = &plan.whole_because {
            let why_not = if self.was_read_in_part(text) {
                "a judge has read only a part of it".to_owned()
            } else {
                self.may_write_again().err().unwrap_or_default()
            };
            return Err(format!(
                "the whole text would have to be written again ({because}), and {why_not}"
            ));
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
            return Err("no task is left that could be done".to_owned());
        }
        if let Some(instruction) = &self.progress.instruction {
            for task in &mut plan.tasks {
                task.constraints.insert(0, instruction.clone());
            }
        }
        Ok(plan)
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
    fn issue_of_ours(&self, section: &ComponentId, description: String) -> TargetedIssue {
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
        let mut figures = self.setup.policy.route_figures();
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

    fn routed_with(
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
    fn routed_alone(
        &self,
        text: &Text,
        issues: Vec<TargetedIssue>,
        findings: &[Finding],
    ) -> RefinementPlan {
        self.routed(text, &nobody(issues), None, findings)
    }

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
            self.progress.round += 1;
            let node = self.setup.profile.stage_name("repair");
            self.post.emit(EventKind::NodeEnter { node });
            self.post.emit(EventKind::RefinementStart {
                iteration: self.progress.round,
                target_sections: plan.sections_to_modify.clone(),
                mode: self.setup.mode.name(),
                estimated_tokens: plan.estimated_cost,
            });
            let (after, _) = self.execute(&text, &plan).await?;
            self.post.emit(EventKind::NodeComplete { node });
            if after.version() != text.version() {
                self.tell_of_checks(&after);
                self.self_review = crate::review::review(after.findings(), after.findings());
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
        let all = RouteFigures::part_by_part(Targets::All);
        let everything = self.routed_with(text, &all, &nobody(Vec::new()), None, &errors);
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
        self.post.lock().ledger.hold_back(Purse::Repair, 0);
        Ok((text, all))
    }

    /// Whether a part may be edited once more (ruling 34); if so, it counts.
    fn may_edit(&mut self, section: &ComponentId) -> bool {
        if self.progress.locked.contains(section) {
            return false;
        }
        let edits = self.progress.edits.entry(section.clone()).or_default();
        if *edits >= self.setup.policy.repair.edits_a_part {
            let because = format!("it was edited {edits} times");
            self.lock(section, &because);
            return false;
        }
        *edits += 1;
        true
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
        self.post.lock().ledger.hold_back(Purse::Repair, later);
    }

    /// Tasks side by side.
    async fn batch(
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

    /// Asks for the repairs of a batch, side by side; where edits do not fit, for
    /// the whole part.
    async fn ask_for_repairs(
        &self,
        base: &Text,
        tasks: Vec<RepairTask>,
        terms: &[String],
    ) -> Result<Vec<Tried>, PromptError> {
        let first = self.ask_patchers(base, &tasks, terms, false).await?;
        let again: Vec<RepairTask> = tasks
            .iter()
            .zip(&first)
            .filter(|(task, ended)| {
                task.action_type == FixAction::SurgicalEdit
                    && matches!(&ended.result, Err(unscored) if unscored.reason == Reason::WrongShape)
            })
            .map(|(task, _)| task.clone())
            .collect();
        let mut second: BTreeMap<ComponentId, Ended<Proposal>> = BTreeMap::new();
        if !again.is_empty() {
            let ended = self.ask_patchers(base, &again, terms, true).await?;
            second.extend(again.iter().map(|task| task.section_id.clone()).zip(ended));
        }
        Ok(tasks
            .into_iter()
            .zip(first)
            .map(|(task, first)| {
                let mut used = first.used;
                let mut result = first.result;
                if let Some(second) = second.remove(&task.section_id) {
                    used = used.plus(second.used);
                    result = second.result;
                }
                let result = match result {
                    Ok(Proposal::NoChange { reason }) => {
                        Err(format!("nothing was changed: {reason}"))
                    }
                    Ok(proposal) => Ok(proposal),
                    Err(unscored) => Err(unscored.message),
                };
                Tried {
                    task,
                    result,
                    next: None,
                    used,
                }
            })
            .collect())
    }

    async fn ask_patchers(
        &self,
        base: &Text,
        tasks: &[RepairTask],
        terms: &[String],
        whole: bool,
    ) -> Result<Vec<Ended<Proposal>>, PromptError> {
        let setup = &self.setup;
        let mut conversations = Vec::new();
        for task in tasks {
            let role = role_of(task);
            let Some(seat) = self.seat(role).cloned() else {
                continue;
            };
            let undone = self
                .progress
                .undone
                .get(&task.section_id)
                .map(String::as_str);
            let prompt_task = match task.action_type {
                FixAction::SurgicalEdit => Task::Patch {
                    task,
                    terms,
                    undone,
                    whole,
                },
                FixAction::RegenerateSection => Task::Expand {
                    task,
                    terms,
                    undone,
                },
            };
            let is_whole = whole || task.action_type == FixAction::RegenerateSection;
            let verb = match (task.action_type, whole) {
                (FixAction::SurgicalEdit, false) => "patch",
                (FixAction::SurgicalEdit, true) => "rewrite",
                (FixAction::RegenerateSection, _) => "expand",
            };
            conversations.push(Conversation {
                path: format!("{}/{verb}/{}", self.path(), task.section_id),
                seat,
                content: base.version(),
                wordings: Wordings::new(None),
                reading: Reading::InPart,
                render: wording::render(setup, base.document(), prompt_task),
                read: Box::new(move |reply, _| {
                    let proposal = if is_whole {
                        repair::read_whole(reply)
                    } else {
                        repair::read_patch(reply)
                    }
                    .map_err(Unscored::from)?;
                    if matches!(proposal, Proposal::NoChange { .. }) {
                        return Ok(proposal);
                    }
                    self.apply_one(base, task, &proposal)?;
                    Ok(proposal)
                }),
            });
        }
        converse(setup, &self.post, conversations).await
    }

    /// The text with one repair applied, scrubbed, and looked at by the program.
    fn apply_one(
        &self,
        text: &Text,
        task: &RepairTask,
        proposal: &Proposal,
    ) -> Result<Text, Unscored> {
        let component = &task.section_id;
        let inspector = self.setup.inspector.as_ref();
        let protected = self.setup.profile.protected(text.document());
        let bench = Bench {
            document: text.document(),
            component,
            protected: &protected,
        };
        let applied = repair::apply(bench, proposal).map_err(|complaint| {
            let reason = match complaint.kind {
                ComplaintKind::Protected | ComplaintKind::Nothing => Reason::Rejected,
                _ => Reason::WrongShape,
            };
            Unscored::new(reason, complaint.message)
        })?;
        let label = label(self.progress.round, task.action_type, component);
        let edited = text
            .edited(inspector, applied.edits, &label, Some(component))
            .ok_or_else(|| Unscored::new(Reason::WrongShape, "the edits do not fit the text"))?;
        let after = scrub_within(edited, inspector, component, &label);
        let profile = self.setup.profile;
        let protected_after = profile.protected(after.document());
        let (sensitive, sensitive_after) = (
            profile.sensitive(text.document()),
            profile.sensitive(after.document()),
        );
        let mut permitted = Permitted::of(task).protecting(
            Protected {
                before: &protected,
                after: &protected_after,
            },
            Protected {
                before: &sensitive,
                after: &sensitive_after,
            },
        );
        // What an issue quotes may be reworded only under a delta judge's eyes.
        if self.seat(Role::DeltaJudge).is_none() {
            permitted.quotes.clear();
        }
        verify::tier_one(&text.inspected, &after.inspected, component, &permitted).map_err(
            |objections| {
                let all: Vec<String> = objections.iter().map(ToString::to_string).collect();
                Unscored::new(Reason::Rejected, all.join("; "))
            },
        )?;
        Ok(after)
    }

    /// The base with all good repairs applied, in the order of the text. What no
    /// longer fits beside the others is undone.
    fn put_together(&self, base: &Text, tried: &mut [Tried]) -> Text {
        let mut text = base.clone();
        for one in tried.iter_mut() {
            let Ok(proposal) = &one.result else { continue };
            match self.apply_one(&text, &one.task, proposal) {
                Ok(after) => text = after,
                Err(unscored) => one.result = Err(unscored.message),
            }
        }
        text
    }

    /// The text again from before a round, without the repairs of these parts.
    pub(super) fn rebuild(
        &self,
        before: &Text,
        kept: &[Kept],
        without: &BTreeSet<ComponentId>,
    ) -> Text {
        let mut text = before.clone();
        for one in kept.iter().filter(|one| !without.contains(&one.component)) {
            if let Ok(after) = self.apply_one(&text, &one.task, &one.proposal) {
                text = after;
            }
        }
        text
    }

    /// Asks about every repair that stands whether it did what it was to do. One
    /// answer for each of `tried`; those that do not stand are not asked about.
    async fn ask_delta_judge(
        &self,
        base: &Text,
        after: &Text,
        tried: &[Tried],
    ) -> Result<Vec<DeltaSaid>, PromptError> {
        let Some(seat) = self.seat(Role::DeltaJudge) else {
            if tried.iter().any(|one| one.result.is_ok()) {
                self.post.emit(EventKind::Skipped {
                    what: "delta_judge",
                    because:
                        "no model is configured for it; the program alone has looked at the repairs"
                            .to_owned(),
                });
            }
            return Ok(tried.iter().map(|_| DeltaSaid::yes()).collect());
        };
        let setup = &self.setup;
        let questions: &[DeltaQuestion] = match setup.policy.repair.delta {
            Delta::YesNo => &[DeltaQuestion::YesNo],
            Delta::BothOrders => &[
                DeltaQuestion::WhichIsBetter { after_first: false },
                DeltaQuestion::WhichIsBetter { after_first: true },
            ],
        };
        let changes: Vec<_> = tried
            .iter()
            .map(|one| verify::changes(base.document(), after.document(), &one.task.section_id))
            .collect();
        let mut conversations = Vec::new();
        let mut whose = Vec::new();
        for (index, one) in tried.iter().enumerate() {
            // What only removes findings is the program's to verify.
            let asks_nothing = one.task.source_issues.is_empty() && one.task.constraints.is_empty();
            if one.result.is_err() || asks_nothing {
                continue;
            }
            let Some(changes) = changes.get(index) else {
                continue;
            };
            for question in questions.iter().copied() {
                let name = match question {
                    DeltaQuestion::YesNo => "",
                    DeltaQuestion::WhichIsBetter { after_first: false } => "/before-after",
                    DeltaQuestion::WhichIsBetter { after_first: true } => "/after-before",
                };
                let task = &one.task;
                whose.push(index);
                conversations.push(Conversation {
                    path: format!("{}/delta/{}{name}", self.path(), task.section_id),
                    seat: seat.clone(),
                    content: after.version(),
                    wordings: Wordings::new(Some(verify::delta_schema(task, question))),
                    reading: Reading::InPart,
                    render: wording::render(
                        setup,
                        after.document(),
                        Task::Verify {
                            task,
                            changes,
                            question,
                        },
                    ),
                    read: Box::new(move |reply, _| {
                        let delta =
                            verify::read_delta(reply, task, question).map_err(Unscored::from)?;
                        Ok((delta, verify::read_next(reply, task, question)))
                    }),
                });
            }
        }
        let ended = converse(setup, &self.post, conversations).await?;
        let mut said: Vec<DeltaSaid> = tried.iter().map(|_| DeltaSaid::yes()).collect();
        for (index, one) in whose.into_iter().zip(ended) {
            let Some(said) = said.get_mut(index) else {
                continue;
            };
            said.used = said.used.plus(one.used);
            let objection = match one.result {
                Ok((delta, next)) => {
                    said.next = next;
                    delta.complaint()
                }
                Err(unscored) => Some(format!("it could not be verified: {}", unscored.message)),
            };
            if let Some(objection) = objection
                && said.result.is_ok()
            {
                said.result = Err(objection);
            }
        }
        Ok(said)
    }

    /// The parts behind those that this batch has written again.
    fn parts_to_look_at(
        &self,
        kept: &[Kept],
        batch: usize,
        plan: &RefinementPlan,
    ) -> Vec<(RepairTask, Option<Fits>)> {
        let Some(batch) = plan.execution_batches.get(batch) else {
            return Vec::new();
        };
        kept.iter()
            .filter(|one| batch.contains(&one.component))
            .filter(|one| one.task.action_type == FixAction::RegenerateSection)
            .filter(|one| one.task.check_after.is_some())
            .map(|one| (one.task.clone(), one.next.clone()))
            .collect()
    }

    /// Asks whether a part still fits the one before it, which was written again.
    async fn ask_whether_it_fits(
        &self,
        text: &Text,
        section: &ComponentId,
        next: &ComponentId,
    ) -> Result<Option<Fits>, PromptError> {
        let Some(seat) = self.seat(Role::DeltaJudge).cloned() else {
            return Ok(None);
        };
        let setup = &self.setup;
        let conversation = Conversation {
            path: format!("{}/consistency/{next}", self.path()),
            seat,
            content: text.version(),
            wordings: Wordings::new(Some(verify::consistency_schema())),
            reading: Reading::InPart,
            render: wording::render(
                setup,
                text.document(),
                Task::Consistency {
                    rewritten: section,
                    next,
                },
            ),
            read: Box::new(|reply, _| verify::read_consistency(reply).map_err(Unscored::from)),
        };
        let ended = converse(setup, &self.post, vec![conversation]).await?;
        Ok(ended.into_iter().next().and_then(|one| one.result.ok()))
    }

    /// Looks whether the part behind a rewritten one still fits, and has it patched
    /// where it does not.
    async fn look_behind(
        &mut self,
        text: &Text,
        (rewritten, said): (&RepairTask, Option<Fits>),
        batch: usize,
        plan: &RefinementPlan,
    ) -> Result<(Text, Vec<Kept>), PromptError> {
        let nothing = (text.clone(), Vec::new());
        let Some(next) = &rewritten.check_after else {
            return Ok(nothing);
        };
        let section = &rewritten.section_id;
        let answer = match said {
            Some(said) => Some(said),
            None => self.ask_whether_it_fits(text, section, next).await?,
        };
        let Some(answer) = answer else {
            return Ok(nothing);
        };
        if answer.fits || self.seat(Role::Patcher).is_none() || !self.may_edit(next) {
            return Ok(nothing);
        }
        let description = format!(
            "It no longer fits {section}, which was written again: {}",
            answer.reason
        );
        let issue = self.issue_of_ours(next, description);
        let tasks = self.routed_alone(text, vec![issue], &[]).tasks;
        if tasks.is_empty() {
            return Ok(nothing);
        }
        self.batch(text, tasks, batch, &plan.preserve_terminology)
            .await
    }
}

/// What the delta judge said about one repair.
struct DeltaSaid {
    result: Result<(), String>,
    next: Option<Fits>,
    used: Tokens,
}

impl DeltaSaid {
    fn yes() -> Self {
        Self {
            result: Ok(()),
            next: None,
            used: Tokens::default(),
        }
    }
}

/// What stands where no judge was asked.
fn nobody(issues: Vec<TargetedIssue>) -> Arbitration {
    Arbitration {
        agreement: Agreement {
            level: AgreementLevel::NotApplicable,
            alpha: None,
            undefined_because: None,
            widest_spread: 0,
        },
        issues,
        set_aside: Vec::new(),
        conflicts: Vec::new(),
        needs_review: false,
    }
}

fn role_of(task: &RepairTask) -> Role {
    match task.action_type {
        FixAction::SurgicalEdit => Role::Patcher,
        FixAction::RegenerateSection => Role::SectionExpander,
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

/// Generated text is scrubbed before it is looked at: the safe fixes within the
/// part, as often as there are any.
fn scrub_within(
    mut text: Text,
    inspector: &dyn crate::inspect::Inspect,
    component: &ComponentId,
    label: &str,
) -> Text {
    const ROUNDS: usize = 3;
    for _ in 0..ROUNDS {
        let edits = text.safe_edits_within(component);
        if edits.is_empty() {
            break;
        }
        match text.edited(inspector, edits, label, Some(component)) {
            Some(after) => text = after,
            None => break,
        }
    }
    text
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

/// The words of a part, for an event.
fn text_of(text: &Text, component: &ComponentId) -> String {
    repair::passages(text.document(), component)
        .iter()
        .map(|passage| passage.text)
        .collect::<Vec<_>>()
        .join("\n")
}
