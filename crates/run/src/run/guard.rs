//! What was good stays good: a repair after which a good criterion falls is undone,
//! where a second judge sees it, too (rulings 31–33).

use std::collections::BTreeSet;

use super::bench::{Bench, Wanted};
use super::flow::Flow;
use super::repairing::Kept;
use super::text::Text;
use crate::ask::Role;
use crate::event::{EventKind, TaskRef};
use crate::prompt::PromptError;
use crate::reasons::{LockReason, RollbackReason};
use crate::verdict::Verdict;
use redraft_gate::score::Score;
use redraft_gate::span::{ComponentId, Version};

/// The judges, in the order in which they are asked for a second opinion.
const JUDGES: [Role; 3] = [
    Role::JudgePrimary,
    Role::JudgeTiebreaker,
    Role::JudgeSecondary,
];

impl Flow {
    /// Criteria that were good must stay good (ruling 33). Compares scores of the
    /// same judge only; nothing is undone until a second judge sees the fall, too.
    pub(super) async fn guard_what_was_good(
        &mut self,
        before: &Text,
        after: Text,
        kept: &[Kept],
    ) -> Result<Text, PromptError> {
        let fallen = self.fallen(before, &after, None);
        let Some((judge, criterion, locked_at, score)) = fallen.first().cloned() else {
            return Ok(after);
        };
        let confirmed = self.confirm_fall(before, &after, &fallen).await?;
        if confirmed.is_empty() {
            self.post.emit(EventKind::QualityLockTriggered {
                criterion,
                locked_at,
                score,
                confirmed: false,
                undone: Vec::new(),
            });
            return Ok(after);
        }
        let named: BTreeSet<ComponentId> = self
            .benches
            .get(&after.version())
            .into_iter()
            .flat_map(Bench::verdicts)
            .flat_map(Verdict::issues)
            .filter(|issue| confirmed.contains(&issue.criterion))
            .map(|issue| issue.location.clone())
            .filter(|location| kept.iter().any(|kept| kept.component == *location))
            .collect();
        let undone: BTreeSet<ComponentId> = if named.is_empty() {
            kept.iter().map(|kept| kept.component.clone()).collect()
        } else {
            named.clone()
        };
        self.post.emit(EventKind::QualityLockTriggered {
            criterion: criterion.clone(),
            locked_at,
            score,
            confirmed: true,
            undone: undone.iter().cloned().collect(),
        });
        for section in &named {
            self.lock(
                section,
                LockReason::MadeWorse {
                    criterion: criterion.clone(),
                },
            );
        }
        let worse = RollbackReason::QualityLock { criterion };
        self.take_back(&undone, &worse);
        self.progress.leave(after.version());
        let (rebuilt, lost) = self.rebuild(before, kept, &undone);
        for (section, reason) in lost {
            self.take_back(&BTreeSet::from([section]), &reason);
        }
        if rebuilt.version() == before.version() {
            return Ok(before.clone());
        }
        let path = format!("{}/mixed", self.path());
        self.judge(&rebuilt, &path, Wanted::Repaired).await?;
        self.remember(&rebuilt);
        if self.fallen(before, &rebuilt, Some(judge)).is_empty() {
            return Ok(rebuilt);
        }
        let all = kept.iter().map(|kept| kept.component.clone()).collect();
        self.take_back(&all, &worse);
        self.progress.leave(rebuilt.version());
        Ok(before.clone())
    }

    /// The criteria by which a judge of both texts scores the later one lower than
    /// the best it gave by more than is tolerated.
    fn fallen(
        &self,
        before: &Text,
        after: &Text,
        by: Option<Role>,
    ) -> Vec<(Role, String, Score, Score)> {
        let policy = &self.setup.policy;
        let lock_from = policy
            .good_enough
            .map_or(policy.accept, |enough| enough.from);
        let mut fallen = Vec::new();
        for role in JUDGES {
            if by.is_some_and(|by| by != role) {
                continue;
            }
            let verdict = |version: Version| {
                self.benches
                    .get(&version)
                    .and_then(|bench| bench.verdict(role))
            };
            let (Some(now), Some(earlier)) = (verdict(after.version()), verdict(before.version()))
            else {
                continue;
            };
            if now.judge().model != earlier.judge().model {
                continue;
            }
            for criterion in &self.setup.rubric.criteria {
                let best = self
                    .progress
                    .lineage()
                    .filter(|attempt| attempt.text.version() != after.version())
                    .filter_map(|attempt| verdict(attempt.text.version()))
                    .filter(|verdict| verdict.judge().model == now.judge().model)
                    .filter_map(|verdict| verdict.score(&criterion.name))
                    .max();
                let (Some(best), Some(score)) = (best, now.score(&criterion.name)) else {
                    continue;
                };
                let tolerated = score.thousandths() + policy.repair.tolerance.thousandths();
                if best >= lock_from && tolerated < best.thousandths() {
                    fallen.push((role, criterion.name.clone(), best, score));
                }
            }
        }
        fallen
    }

    /// The criteria whose fall a second judge sees, too. A judge that has scored
    /// both texts is believed as it is; only where there is none, one is asked.
    async fn confirm_fall(
        &mut self,
        before: &Text,
        after: &Text,
        fallen: &[(Role, String, Score, Score)],
    ) -> Result<BTreeSet<String>, PromptError> {
        let first = fallen.first().map(|(role, ..)| *role);
        let has_scored_both = |flow: &Self, role: Role| {
            [before, after].iter().all(|text| {
                let bench = flow.benches.get(&text.version());
                bench.is_some_and(|bench| bench.verdict(role).is_some())
            })
        };
        let others = || JUDGES.into_iter().filter(|role| Some(*role) != first);
        if !others().any(|role| has_scored_both(self, role)) {
            let second = others().find(|role| self.seat(*role).is_some());
            let Some(second) = second else {
                return Ok(BTreeSet::new());
            };
            let path = format!("{}/guard", self.path());
            self.ask_judges(after, &path, &[second]).await?;
            let path = format!("{path}/before");
            self.ask_judges(before, &path, &[second]).await?;
            self.remember(before);
            self.remember(after);
        }
        let score = |text: &Text, role: Role, criterion: &str| {
            self.benches
                .get(&text.version())
                .and_then(|bench| bench.verdict(role))
                .and_then(|verdict| verdict.score(criterion))
                .map(Score::thousandths)
        };
        let tolerance = self.setup.policy.repair.tolerance.thousandths();
        let sees = |role: Role, criterion: &str| {
            let scores = (
                score(before, role, criterion),
                score(after, role, criterion),
            );
            matches!(scores, (Some(before), Some(after)) if after + tolerance < before)
        };
        Ok(fallen
            .iter()
            .filter(|(judge, criterion, ..)| {
                JUDGES
                    .into_iter()
                    .any(|role| role != *judge && sees(role, criterion))
            })
            .map(|(_, criterion, ..)| criterion.clone())
            .collect())
    }

    /// The repairs of these components in this round are rolled back after all.
    fn take_back(&mut self, sections: &BTreeSet<ComponentId>, reason: &RollbackReason) {
        let round = self.progress.round;
        for task in &mut self.progress.done {
            if task.iteration == round && task.kept && sections.contains(&task.section_id) {
                task.kept = false;
                task.because = Some(reason.clone());
                self.post.emit(EventKind::RolledBack {
                    task: TaskRef {
                        section: task.section_id.clone(),
                        action: task.action_type,
                        iteration: round,
                    },
                    reason: reason.clone(),
                });
            }
        }
    }

    /// A part is not edited any more.
    pub(super) fn lock(&mut self, section: &ComponentId, reason: LockReason) {
        if self.progress.locked.insert(section.clone()) {
            self.post.emit(EventKind::SectionLocked {
                section: section.clone(),
                reason,
            });
        }
    }
}
