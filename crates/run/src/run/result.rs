//! The outcome of a run, put together in one place.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::Flow;
use super::repairing::label;
use super::text::Text;
use super::writing::label_of_rewrite;
use crate::arbitrate::{Arbitration, Conflict};
use crate::assess::Assessment;
use crate::decide;
use crate::event::{EventKind, TaskRef};
use crate::outcome::{Gate, Hint, OpenFinding, Outcome, Status, TaskDone};
use crate::reasons::{Because, NotAccepted, RollbackReason, SkipReason};
use crate::setup::{Goal, Setup};
use crate::verdict::Issue;
use redraft_gate::receipt::{self, Receipts};
use redraft_gate::span::ComponentId;

impl Flow {
    /// The free stages alone: what a run without any model can reach.
    pub(super) fn free(&mut self, text: &Text) -> Outcome {
        let text = self.scrub(text.clone());
        let because = decide::open_error(text.findings())
            .map(|error| Because::from(NotAccepted::OpenError(error)));
        self.outcome(&text, Status::Checked, because, None)
    }

    pub(super) fn outcome(
        &mut self,
        text: &Text,
        status: Status,
        because: Option<Because>,
        decided_by: Option<String>,
    ) -> Outcome {
        let tasks = self.tasks_of(text);
        let score = self.assessment(text);
        let overall = score.as_ref().map(Assessment::overall);
        if matches!(self.setup.goal, Goal::Refine | Goal::Write) {
            self.post.emit(EventKind::RefinementComplete {
                final_score: overall,
                status,
            });
        }
        let (tokens, cost_micros) = self.post.lock().ledger.total();
        self.post.emit(EventKind::RunComplete {
            status,
            score: overall,
            tokens,
            cost_micros,
        });
        let arbitration = self.arbitration(text);
        let issues = self.issues(text);
        let input = self.setup.inspected.document.source().version();
        let is_changed = text.version() != input;
        let bench = self.benches.get(&text.version());
        let was_judged = status != Status::Checked;
        let (spent, asked) = {
            let post = self.post.lock();
            (post.ledger.spent().clone(), post.asked.clone())
        };
        Outcome {
            status,
            because,
            gate: (!was_judged).then_some(if text.open_errors() > 0 {
                Gate::Failed
            } else {
                Gate::Passed
            }),
            profile: self.setup.profile.id().0,
            input,
            content: text.version(),
            final_content: is_changed.then(|| text.document().source().bytes().to_vec()),
            passed: score.as_ref().is_some_and(Assessment::passed),
            recommendation: score
                .as_ref()
                .map(|assessment| assessment.recommendation(&issues)),
            quality: self.quality(text),
            needs_review: status == Status::Escalated
                || score.is_none()
                || self.has_critical(text)
                || bench.is_some_and(|bench| !bench.unscored().is_empty())
                || score.as_ref().is_some_and(|score| score.unread().is_some())
                || self.needs_second_look(text),
            unscored: (was_judged && score.is_none()).then(|| self.why_unscored(text)),
            score,
            self_review: self.self_review.clone(),
            open_errors: text.open_errors(),
            findings: text.findings().iter().map(OpenFinding::of).collect(),
            hints: hints(&self.setup, &issues),
            issues,
            set_aside: arbitration
                .as_ref()
                .map(|ruled| ruled.set_aside.clone())
                .unwrap_or_default(),
            agreement: self.agreement(text),
            conflicts: self.ledger_of_conflicts(arbitration.as_deref()),
            plan: self.plan_for_report(text),
            iterations: self.progress.iterations(),
            tasks,
            unsettled: self.progress.unsettled(),
            receipts: self.receipts(text),
            verdicts: bench
                .map(|bench| bench.verdicts().cloned().collect())
                .unwrap_or_default(),
            unscored_seats: bench.map_or_else(BTreeMap::new, |bench| bench.unscored().clone()),
            spent,
            scripted: self.is_scripted(),
            self_preference: self.setup.self_preference.clone(),
            asked,
            decided_by,
        }
    }
}

impl Flow {
    /// What was done, told of the text that goes out: what is not in it was not
    /// kept, though it was good when it was made.
    fn tasks_of(&self, text: &Text) -> Vec<TaskDone> {
        let made: BTreeSet<&str> = text
            .made
            .iter()
            .flat_map(|step| &step.edits)
            .map(|edit| edit.task.as_str())
            .collect();
        let mut tasks = self.progress.done.clone();
        for task in tasks.iter_mut().filter(|task| task.kept) {
            let label = match task.section_id == ComponentId::whole() {
                true => label_of_rewrite(task.iteration),
                false => label(task.iteration, task.action_type, &task.section_id),
            };
            if !made.contains(label.as_str()) {
                let reason = RollbackReason::OtherVersionPreferred;
                task.kept = false;
                task.because = Some(reason.clone());
                self.post.emit(EventKind::RolledBack {
                    task: TaskRef {
                        section: task.section_id.clone(),
                        action: task.action_type,
                        iteration: task.iteration,
                    },
                    reason,
                });
            }
        }
        tasks
    }

    /// Who won in any round, and in what stands about the text that goes out.
    fn ledger_of_conflicts(&self, last: Option<&Arbitration>) -> Vec<Conflict> {
        let mut ledger: Vec<Conflict> = Vec::new();
        let last = last
            .map(|ruled| ruled.conflicts.as_slice())
            .unwrap_or_default();
        for conflict in self.progress.conflicts.iter().chain(last) {
            if !ledger.contains(conflict) {
                ledger.push(conflict.clone());
            }
        }
        ledger
    }

    /// That nothing else was changed, where something could have been.
    fn receipts(&self, text: &Text) -> Option<Receipts> {
        // Where nothing came in there is nothing that was left alone.
        if matches!(self.setup.goal, Goal::Judge | Goal::Write) {
            return None;
        }
        let original = &self.setup.inspected.document;
        match receipt::receipts(original, text.document(), &text.made) {
            Ok(receipts) => Some(receipts),
            // A fault of ours: without a receipt nobody has to believe the result.
            Err(error) => {
                self.post.emit(EventKind::Skipped {
                    what: "receipts",
                    reason: SkipReason::Internal {
                        message: error.to_string(),
                    },
                });
                None
            }
        }
    }
}

/// What could be done next, the worst first.
fn hints(setup: &Setup, issues: &[Issue]) -> Vec<Hint> {
    const MOST: usize = 10;
    let mut order: Vec<&Issue> = issues
        .iter()
        .filter(|issue| !issue.suggested_fix.is_empty())
        .collect();
    order.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
    let title = |issue: &Issue| {
        setup
            .inspected
            .document
            .components()
            .iter()
            .find(|component| component.id == issue.location)
            .and_then(|component| component.title.clone())
    };
    order
        .into_iter()
        .take(MOST)
        .map(|issue| Hint {
            component: issue.location.clone(),
            title: title(issue),
            criterion: issue.criterion.clone(),
            severity: issue.severity,
            fix: issue.suggested_fix.clone(),
        })
        .collect()
}
