//! The versions of a text that a run checked and judged, one after the other.

use std::collections::BTreeMap;

use redraft_gate::score::Score;
use redraft_gate::span::Version;
use redraft_run::ask::Time;
use redraft_run::assess::Assessment;
use redraft_run::outcome::{Iteration, OpenFinding, Outcome};
use redraft_run::verdict::Issue;

/// What was found and scored in one version of the text.
#[derive(Clone, Debug)]
pub(super) struct ReviewCycle<'a> {
    /// The round of repair that led to the text; 0 for the original.
    pub(super) round: u32,
    pub(super) content: Version,
    pub(super) overall: Option<Score>,
    pub(super) criteria: BTreeMap<&'a str, Score>,
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
