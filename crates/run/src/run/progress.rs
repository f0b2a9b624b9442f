//! What a run has done so far: the texts that were judged, and what was edited,
//! locked, rolled back and gained. Of these the best text is taken.

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

/// What was repaired so far.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Rounds of repair that were begun.
    pub(super) round: u32,
    /// Rounds that a person asked for on top.
    pub(super) extra: u32,
    /// The texts that were judged, in order.
    pub(super) history: Vec<Attempt>,
    /// Where in it the best is looked for: a person's own text is not passed over
    /// for one that came before it.
    pub(super) best_from: usize,
    /// How often a person gave another text.
    pub(super) by_hand: u32,
    /// How often each part was edited.
    pub(super) edits: BTreeMap<ComponentId, u32>,
    /// Components that are not edited any more.
    pub(super) locked: BTreeSet<ComponentId>,
    /// Why the last repair of a component was rolled back.
    pub(super) rolled_back: BTreeMap<ComponentId, RollbackReason>,
    pub(super) done: Vec<TaskDone>,
    /// What each round brought against the best before it, in thousandths.
    pub(super) gains: Vec<i32>,
    /// How many rounds in a row have changed nothing.
    pub(super) idle: u32,
    /// The last round in which a change was proposed that fits, kept or not.
    pub(super) proposed_in: u32,
    /// Who won where the issues of a round demanded opposite things.
    pub(super) conflicts: Vec<Conflict>,
    /// The reviewer's instruction.
    pub(super) instruction: Option<String>,
    /// How often the whole was written again. What is locked, edited and gained
    /// counts from the last time on.
    pub(super) regenerations: u32,
}

/// A version that was judged.
#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) round: u32,
    /// How often the whole text had been rewritten by then.
    pub(super) lineage: u32,
    pub(super) text: Text,
    pub(super) assessment: Option<Assessment>,
    /// Why it has no score.
    pub(super) unscored: Option<Unscored>,
    pub(super) issues: Vec<Issue>,
    /// Why criteria score what they do, in the judges' words.
    pub(super) reasons: BTreeMap<String, Vec<String>>,
    pub(super) judges: usize,
    pub(super) at: Time,
    /// Whether it made something worse and is no candidate for the best version.
    pub(super) is_rolled_back: bool,
}

impl Attempt {
    pub(super) fn overall(&self) -> Option<Score> {
        self.assessment.as_ref().map(Assessment::overall)
    }
}

impl Progress {
    /// The beginning of the ids of this round's asks.
    pub(super) fn path(&self) -> String {
        format!("i{}", self.round)
    }

    /// Why the last repair of a component was rolled back, in words for a prompt.
    pub(super) fn why_undone(&self, section: &ComponentId) -> Option<String> {
        self.rolled_back.get(section).map(ToString::to_string)
    }

    /// Adds a version to the history. Of one that is there already only the judgement
    /// is renewed.
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

    /// A reviewer wants another try: locks and counts begin again.
    pub(super) fn retry(&mut self, instruction: String) {
        self.extra += 1;
        self.locked.clear();
        self.edits.clear();
        self.gains.clear();
        self.idle = 0;
        self.instruction = Some(instruction);
    }

    /// The texts that were judged, for the outcome.
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

    /// What kept changing.
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

    /// The versions from which the best is taken, in their order.
    pub(super) fn candidates(&self) -> impl Iterator<Item = &Attempt> {
        self.history
            .iter()
            .skip(self.best_from)
            .filter(|attempt| attempt.assessment.is_some() && !attempt.is_rolled_back)
    }

    /// A text that made something worse is not taken for the best, whatever its
    /// overall score: what the report calls rolled back is not in what goes out.
    pub(super) fn leave(&mut self, version: Version) {
        for attempt in &mut self.history {
            attempt.is_rolled_back |= attempt.text.version() == version;
        }
    }

    /// From here on another text is repaired: locks and edits of the old one say
    /// nothing about it (ruling 18).
    pub(super) fn begin_lineage(&mut self) {
        self.regenerations += 1;
        self.locked.clear();
        self.edits.clear();
        self.rolled_back.clear();
        self.gains.clear();
    }

    /// What was judged since the whole was last written again.
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
