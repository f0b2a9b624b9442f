//! The versions of a text that a run checked and judged, one after the other, and the
//! corrections that were tried between them.

use std::collections::BTreeMap;

use redraft_gate::score::Score;
use redraft_gate::span::Version;
use redraft_run::ask::Time;
use redraft_run::assess::Assessment;
use redraft_run::outcome::{Iteration, OpenFinding, Outcome, TaskDone};
use redraft_run::verdict::Issue;

/// What was found and scored in one version of the text.
#[derive(Clone, Debug)]
pub(super) struct ReviewCycle<'a> {
    /// The round of repair that led to the text; 0 for the original.
    pub(super) round: u32,
    pub(super) content: Version,
    pub(super) overall: Option<Score>,
    pub(super) criteria: BTreeMap<&'a str, Score>,
    /// Why they are what they are, in the words of the judges.
    pub(super) reasons: BTreeMap<&'a str, Vec<&'a str>>,
    /// Why there is no score, in words.
    pub(super) unscored: Option<String>,
    pub(super) issues: &'a [Issue],
    pub(super) findings: &'a [OpenFinding],
    pub(super) at: Option<Time>,
}

impl<'a> ReviewCycle<'a> {
    fn of(iteration: &'a Iteration) -> Self {
        Self {
            round: iteration.iteration,
            content: iteration.content,
            overall: iteration.score,
            criteria: iteration
                .criteria
                .iter()
                .map(|(name, score)| (name.as_str(), *score))
                .collect(),
            reasons: iteration
                .reasons
                .iter()
                .map(|(name, said)| (name.as_str(), said.iter().map(String::as_str).collect()))
                .collect(),
            unscored: iteration
                .unscored
                .as_ref()
                .map(|unscored| unscored.message.clone()),
            issues: &iteration.remaining,
            findings: &iteration.findings,
            at: Some(iteration.at),
        }
    }

    /// The text that the outcome is about.
    pub(super) fn last(outcome: &'a Outcome) -> Self {
        let recorded = outcome
            .iterations
            .iter()
            .rfind(|iteration| iteration.content == outcome.content);
        if let Some(iteration) = recorded {
            return Self::of(iteration);
        }
        let unscored = match (&outcome.unscored, &outcome.score) {
            (Some(unscored), _) => Some(unscored.message.clone()),
            (None, None) => Some("only the free checks were run; no judge was asked".to_owned()),
            (None, Some(_)) => None,
        };
        Self {
            round: 0,
            content: outcome.content,
            overall: outcome.score.as_ref().map(Assessment::overall),
            criteria: outcome
                .score
                .iter()
                .flat_map(Assessment::criteria)
                .map(|criterion| (criterion.name(), criterion.score()))
                .collect(),
            reasons: BTreeMap::new(),
            unscored,
            issues: &outcome.issues,
            findings: &outcome.findings,
            at: None,
        }
    }

    /// All of them, in order.
    pub(super) fn all(outcome: &'a Outcome) -> Vec<Self> {
        if outcome.iterations.is_empty() {
            return vec![Self::last(outcome)];
        }
        outcome.iterations.iter().map(Self::of).collect()
    }
}

/// A review, and the correction that was tried because of it.
pub(super) struct ReviewStep<'a> {
    pub(super) cycle: ReviewCycle<'a>,
    pub(super) task: Option<&'a TaskDone>,
}

impl<'a> ReviewStep<'a> {
    /// All of them, in the order in which they happened; the last is about the text that goes
    /// out.
    pub(super) fn all(outcome: &'a Outcome) -> Vec<Self> {
        let cycles = ReviewCycle::all(outcome);
        let reviewed = |task: &TaskDone| {
            let is_known = |cycle: &&ReviewCycle<'_>| cycle.content == task.before;
            let is_earlier = |cycle: &&ReviewCycle<'_>| cycle.round < task.iteration;
            let known = cycles.iter().rfind(is_known);
            known.or_else(|| cycles.iter().rfind(is_earlier)).cloned()
        };
        let rounds = cycles.iter().map(|cycle| cycle.round);
        let rounds = rounds.chain(outcome.tasks.iter().map(|task| task.iteration));
        let mut steps: Vec<Self> = Vec::new();
        for round in 0..=rounds.max().unwrap_or_default() {
            for task in outcome.tasks.iter().filter(|task| task.iteration == round) {
                let Some(cycle) = reviewed(task) else {
                    continue;
                };
                match steps.last_mut() {
                    Some(last) if last.task.is_none() && last.cycle.content == cycle.content => {
                        last.task = Some(task);
                    }
                    _ => steps.push(Self {
                        cycle,
                        task: Some(task),
                    }),
                }
            }
            let judged = cycles.iter().filter(|cycle| cycle.round == round).cloned();
            steps.extend(judged.map(|cycle| Self { cycle, task: None }));
        }
        let is_told = steps
            .last()
            .is_some_and(|last| last.task.is_none() && last.cycle.content == outcome.content);
        if !is_told {
            let cycle = ReviewCycle::last(outcome);
            steps.push(Self { cycle, task: None });
        }
        steps
    }
}
