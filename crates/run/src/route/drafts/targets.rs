//! Selects the components that get a task, by the policy's targets.
//!
//! | targets | components |
//! |---|---|
//! | all | every component with an issue or an error |
//! | failing | of those, the ones with an error, a cap, a critical or major issue, or an issue of a criterion below its threshold; if there are none, all |
//! | weakest | one: the first with an error; else, if the overall score is high enough, the first with an issue that is never accepted (ruling 70); else the component of the criterion with the lowest score, the heavier of two (ruling 20) |

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::super::Unserved;
use super::{Draft, Drafts, caps_below_threshold};
use crate::assess::Assessment;
use crate::planning_reasons::UnservedReason;
use crate::policy::Targets;
use crate::verdict::IssueSeverity;
use redraft_gate::score::Score;

impl<'a> Drafts<'a> {
    /// Keeps the components that the policy wants repaired.
    pub(super) fn select(&mut self) {
        let (kept, because): (BTreeSet<usize>, UnservedReason) = match self.request.figures.targets
        {
            Targets::All => return,
            Targets::Failing => (self.failing(), UnservedReason::GoodEnough),
            Targets::Weakest => (
                self.weakest().into_iter().collect(),
                UnservedReason::NotWeakest,
            ),
        };
        let (kept, left): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut self.by_component)
            .into_iter()
            .partition(|(index, _)| kept.contains(index));
        self.by_component = kept;
        for issue in left.into_values().flat_map(|draft| draft.issues) {
            let is_served = self
                .by_component
                .values()
                .any(|draft| draft.issues.iter().any(|other| std::ptr::eq(*other, issue)));
            let is_left = |left: &Unserved| left.issue == *issue;
            if !is_served && !self.unserved.iter().any(is_left) {
                self.leave(issue, because.clone());
            }
        }
    }

    fn failing(&self) -> BTreeSet<usize> {
        let falls_short: BTreeSet<&str> = self
            .request
            .assessment
            .map(Assessment::criteria)
            .unwrap_or_default()
            .iter()
            .filter(|criterion| !criterion.suffices())
            .map(crate::assess::Assessed::name)
            .collect();
        let fails = |draft: &Draft<'_>| {
            draft.priority() > IssueSeverity::Minor
                || draft
                    .findings
                    .iter()
                    .any(|finding| caps_below_threshold(finding, self.request.rubric))
                || draft
                    .issues
                    .iter()
                    .any(|issue| falls_short.contains(issue.issue.criterion.as_str()))
        };
        let failing: BTreeSet<usize> = self
            .by_component
            .iter()
            .filter(|(_, draft)| fails(draft))
            .map(|(index, _)| *index)
            .collect();
        if failing.is_empty() {
            self.by_component.keys().copied().collect()
        } else {
            failing
        }
    }

    /// The component of the weakest criterion. It gets a draft if it has none.
    fn weakest(&mut self) -> Option<usize> {
        let with_error = self
            .by_component
            .iter()
            .find(|(_, draft)| draft.has_error());
        if let Some((index, _)) = with_error {
            return Some(*index);
        }
        let figures = self.request.figures;
        let overall = self.request.assessment.map(Assessment::overall);
        let suffices = overall.is_some_and(|overall| overall >= figures.accept);
        if let Some(blocking) = figures.blocking.as_ref().filter(|_| suffices) {
            let blocks = |draft: &Draft<'_>| {
                let mut issues = draft.issues.iter();
                issues.any(|issue| blocking.blocks(&issue.issue))
            };
            let mut drafts = self.by_component.iter();
            if let Some((index, _)) = drafts.find(|(_, draft)| blocks(draft)) {
                return Some(*index);
            }
        }
        for criterion in self.weakest_first() {
            let speaks = |draft: &Draft<'_>| {
                let issues = draft.issues.iter();
                issues
                    .filter(|issue| issue.issue.criterion == criterion)
                    .map(|issue| issue.issue.severity)
                    .max()
            };
            let named = self
                .by_component
                .iter()
                .filter_map(|(index, draft)| Some((speaks(draft)?, Reverse(*index))))
                .max();
            if let Some((_, Reverse(index))) = named {
                return Some(index);
            }
            let target = self.assigner.for_criterion(criterion, 0).into_iter();
            let open = |index: &usize| !self.tree.is_within(*index, self.request.locked);
            if let Some(index) = target.into_iter().find(open) {
                self.by_component.entry(index).or_default().raise = Some(criterion);
                return Some(index);
            }
        }
        let worst = self
            .by_component
            .iter()
            .max_by_key(|(index, draft)| (draft.priority(), Reverse(**index)));
        worst.map(|(index, _)| *index)
    }

    /// The criteria by ascending score; on a tie the heavier one first (ruling 20), then in the
    /// rubric's order.
    fn weakest_first(&self) -> Vec<&'a str> {
        let Some(assessment) = self.request.assessment else {
            return Vec::new();
        };
        let rubric = self.request.rubric;
        let mut criteria: Vec<(Score, Reverse<u32>, &'a str)> = assessment
            .criteria()
            .iter()
            .map(|assessed| {
                let weight = rubric
                    .criterion(assessed.name())
                    .map_or(0, |criterion| criterion.weight);
                (assessed.score(), Reverse(weight), assessed.name())
            })
            .collect();
        criteria.sort_by_key(|(score, weight, _)| (*score, *weight));
        criteria.into_iter().map(|(_, _, name)| name).collect()
    }
}
