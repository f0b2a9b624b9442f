//! The progress of a run: the versions that were judged, and what was edited, locked, rolled back
//! and gained. `best_version` chooses among these versions.

use std::collections::{BTreeMap, BTreeSet};

use super::text::Text;
use crate::arbitrate::Conflict;
use crate::ask::Time;
use crate::assess::Assessment;
use crate::outcome::{Iteration, OpenFinding, StillChanging, TaskDone};
use crate::reasons::RollbackReason;
use crate::verdict::{Issue, Unscored};
use redraft_gate::score::Score;
use redraft_gate::span::{ComponentId, Version};

/// The progress of repair.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Rounds of repair that were started.
    pub(super) round: u32,
    /// Additional rounds that a reviewer asked for.
    pub(super) extra: u32,
    /// The versions that were judged, in order.
    pub(super) history: Vec<Attempt>,
    /// The first candidate for the best version. A reviewer's own text is not passed over for an
    /// earlier one.
    pub(super) best_from: usize,
    /// How often a reviewer edited the text.
    pub(super) by_hand: u32,
    /// How often each component was edited.
    pub(super) edits: BTreeMap<ComponentId, u32>,
    /// Components that are no longer edited.
    pub(super) locked: BTreeSet<ComponentId>,
    /// Why the last repair of each component was rolled back.
    pub(super) rolled_back: BTreeMap<ComponentId, RollbackReason>,
    pub(super) done: Vec<TaskDone>,
    /// What each round gained over the best score before it, in thousandths.
    pub(super) gains: Vec<i32>,
    /// Consecutive rounds without any change.
    pub(super) idle: u32,
    /// The last round that proposed a change that fits, kept or not.
    pub(super) proposed_in: u32,
    /// The conflicts of all rounds.
    pub(super) conflicts: Vec<Conflict>,
    pub(super) instruction: Option<String>,
    /// How often the whole text was rewritten. A rewrite resets locks, edits and gains.
    pub(super) regenerations: u32,
}

#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) round: u32,
    /// How often the whole text had been rewritten before.
    pub(super) lineage: u32,
    pub(super) text: Text,
    pub(super) assessment: Option<Assessment>,
    /// Why it has no score.
    pub(super) unscored: Option<Unscored>,
    pub(super) issues: Vec<Issue>,
    /// The judges' reasons for the scores.
    pub(super) reasons: BTreeMap<String, Vec<String>>,
    pub(super) judges: usize,
    pub(super) at: Time,
    /// Whether it made something worse and cannot be the best version.
    pub(super) is_rolled_back: bool,
}

impl Attempt {
    pub(super) fn overall(&self) -> Option<Score> {
        self.assessment.as_ref().map(Assessment::overall)
    }
}

impl Progress {
    /// The prefix of this round's ask ids.
    pub(super) fn path(&self) -> String {
        format!("i{}", self.round)
    }

    /// Why the last repair of a component was rolled back, worded for a prompt.
    pub(super) fn why_undone(&self, section: &ComponentId) -> Option<String> {
        self.rolled_back.get(section).map(ToString::to_string)
    }

    /// Adds a version to the history, or updates its judgement if it is already there.
    pub(super) fn remember(&mut self, attempt: Attempt) {
        let version = attempt.text.version();
        if !self.knows(version) {
            self.history.push(attempt);
            return;
        }
        for known in &mut self.history {
            if known.text.version() == version {
                known.assessment.clone_from(&attempt.assessment);
                known.unscored.clone_from(&attempt.unscored);
                known.issues.clone_from(&attempt.issues);
                known.reasons.clone_from(&attempt.reasons);
                known.judges = attempt.judges;
            }
        }
    }

    /// Starts another attempt for a reviewer: resets locks and counts.
    pub(super) fn retry(&mut self, instruction: String) {
        self.extra += 1;
        self.locked.clear();
        self.edits.clear();
        self.gains.clear();
        self.idle = 0;
        self.instruction = Some(instruction);
    }

    /// The versions for the outcome.
    pub(super) fn iterations(&self) -> Vec<Iteration> {
        self.history
            .iter()
            .map(|attempt| Iteration {
                iteration: attempt.round,
                content: attempt.text.version(),
                score: attempt.overall(),
                criteria: attempt
                    .assessment
                    .iter()
                    .flat_map(Assessment::criteria)
                    .map(|criterion| (criterion.name().to_owned(), criterion.score()))
                    .collect(),
                reasons: attempt.reasons.clone(),
                judges: attempt.judges,
                issues: attempt.issues.len(),
                remaining: attempt.issues.clone(),
                unscored: attempt.unscored.clone(),
                findings: attempt
                    .text
                    .findings()
                    .iter()
                    .map(OpenFinding::of)
                    .collect(),
                at: attempt.at,
            })
            .collect()
    }

    /// The components and criteria that kept changing.
    pub(super) fn still_changing(&self) -> StillChanging {
        let mut changed: BTreeMap<&ComponentId, BTreeSet<u32>> = BTreeMap::new();
        for task in self.done.iter().filter(|task| task.kept) {
            let rounds = changed.entry(&task.section_id).or_default();
            rounds.insert(task.iteration);
        }
        let sections = changed
            .into_iter()
            .filter(|(_, rounds)| rounds.len() > 1)
            .map(|(section, _)| section.clone())
            .collect();
        let mut courses: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
        for criterion in self
            .history
            .iter()
            .filter_map(|attempt| attempt.assessment.as_ref())
            .flat_map(Assessment::criteria)
        {
            courses
                .entry(criterion.name())
                .or_default()
                .push(i32::from(criterion.score().thousandths()));
        }
        let rose_and_fell = |course: &Vec<i32>| {
            let rose = course.windows(2).any(|pair| pair[1] > pair[0]);
            let fell = course.windows(2).any(|pair| pair[1] < pair[0]);
            rose && fell
        };
        let criteria = courses
            .iter()
            .filter(|(_, course)| rose_and_fell(course))
            .map(|(name, _)| (*name).to_owned())
            .collect();
        StillChanging { sections, criteria }
    }

    /// The candidates for the best version, in order.
    pub(super) fn candidates(&self) -> impl Iterator<Item = &Attempt> {
        self.history
            .iter()
            .skip(self.best_from)
            .filter(|attempt| attempt.assessment.is_some() && !attempt.is_rolled_back)
    }

    /// Excludes a version that made something worse from the best version, whatever its score, so
    /// that the result never contains what the report calls rolled back.
    pub(super) fn leave(&mut self, version: Version) {
        for attempt in &mut self.history {
            attempt.is_rolled_back |= attempt.text.version() == version;
        }
    }

    /// Starts a new lineage after a rewrite. Locks and edits of the old text do not apply to it
    /// (ruling 18).
    pub(super) fn begin_lineage(&mut self) {
        self.regenerations += 1;
        self.locked.clear();
        self.edits.clear();
        self.rolled_back.clear();
        self.gains.clear();
    }

    /// The versions since the last rewrite.
    pub(super) fn lineage(&self) -> impl Iterator<Item = &Attempt> {
        let since = self.regenerations;
        self.history
            .iter()
            .filter(move |attempt| attempt.lineage == since)
    }

    pub(super) fn knows(&self, version: Version) -> bool {
        self.history
            .iter()
            .any(|attempt| attempt.text.version() == version)
    }
}
