//! The outcome once more, in the shapes that existing pipelines read: the critic
//! result of Scottish cards, the review history of clinical items, and the
//! self-review, verdicts, plan and best effort of lessons.
//!
//! Nothing is decided or scored here. Every figure is one of the outcome, or
//! follows from those that are printed; where nobody gave a score there is `null`,
//! and why.
//!
//! | profile | files |
//! |---|---|
//! | `sqa-lesson` | `critic_result.json`; where cards were repaired, `critic_result.1.json` and so on, one for each attempt |
//! | `clinical-mcq` | `review_history.json` |
//! | `lesson` | `self_review.json`, `judge_verdict.json`, `refinement_plan.json` where something is or was to be done, `best_effort.json` where it came to that |

pub mod best_effort;
pub mod critic;
pub mod heuristics;
pub mod plan;
pub mod review_history;
pub mod self_review;
pub mod task;
#[cfg(test)]
mod tests;
pub mod validation;
pub mod verdicts;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use redraft_gate::content::{Component, ComponentKind};
use redraft_gate::fix::Inspected;
use redraft_gate::inspect::Inspect;
use redraft_gate::review;
use redraft_gate::score::Score;
use redraft_gate::span::{ComponentId, Version};
use redraft_run::ask::Time;
use redraft_run::assess::Assessment;
use redraft_run::outcome::{Iteration, OpenFinding, Outcome, Status};
use redraft_run::policy::{Mode, Policy};
use redraft_run::rubric::Rubric;
use redraft_run::setup::Setup;
use redraft_run::verdict::{Anchored, Issue, IssueSeverity};
use schemars::JsonSchema;
use serde::Serialize;

/// What an outcome is told against: the text that came in, and the rules.
#[derive(Clone, Debug)]
pub struct Ground {
    inspected: Arc<Inspected>,
    inspector: Arc<dyn Inspect>,
    rubric: Rubric,
    policy: Policy,
    mode: Mode,
    /// The text after its safe fixes, where the self-review has scrubbed it.
    patched: Option<String>,
}

impl Ground {
    /// That of a run.
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        let patched = (setup.self_review.status == review::Status::Fixed)
            .then(|| {
                let bytes = setup.inspected.document.source().bytes().to_vec();
                let fixed = setup.inspector.fix(bytes).ok()?;
                Some(fixed.inspected.document.source().text().to_owned())
            })
            .flatten();
        Self {
            inspected: Arc::clone(&setup.inspected),
            inspector: Arc::clone(&setup.inspector),
            rubric: setup.rubric.clone(),
            policy: setup.policy.clone(),
            mode: setup.mode,
            patched,
        }
    }

    /// The same for an outcome: where nothing came in, parts are told by the text
    /// that was written.
    fn under(&self, outcome: &Outcome) -> Self {
        let mut ground = self.clone();
        let came_in = !self.inspected.document.source().bytes().is_empty();
        if let (false, Some(written)) = (came_in, &outcome.final_content) {
            ground.inspected = Arc::new(self.inspector.inspect(written.clone()));
        }
        ground
    }

    /// What a person calls a part: `Card 3`, `Section “Heat”`.
    fn place(&self, id: &ComponentId) -> String {
        let components = self.inspected.document.components();
        let Some(mut at) = components.iter().position(|part| part.id == *id) else {
            return id.to_string();
        };
        // A part of a card is told by its card.
        while let Some(parent) = components[at].parent {
            if components[parent].kind != ComponentKind::Card {
                break;
            }
            at = parent;
        }
        let Component { kind, title, .. } = &components[at];
        match kind {
            ComponentKind::Whole => "The whole text".to_owned(),
            ComponentKind::Meta => "Lesson".to_owned(),
            ComponentKind::Card => {
                let number = components[..=at]
                    .iter()
                    .filter(|part| part.kind == ComponentKind::Card)
                    .count();
                format!("Card {number}")
            }
            _ => match title {
                Some(title) => format!("{id} “{title}”"),
                None => id.to_string(),
            },
        }
    }

    /// Where a part comes in the text.
    fn position(&self, id: &ComponentId) -> usize {
        let components = self.inspected.document.components();
        components
            .iter()
            .position(|part| part.id == *id)
            .unwrap_or(components.len())
    }

    /// The weights of the criteria, divided by their sum, to three decimals.
    fn weights(&self) -> BTreeMap<&str, Score> {
        let criteria = &self.rubric.criteria;
        let sum: u64 = criteria
            .iter()
            .map(|criterion| u64::from(criterion.weight))
            .sum();
        criteria
            .iter()
            .filter_map(|criterion| {
                let thousandths =
                    (u64::from(criterion.weight) * 2_000 + sum).checked_div(2 * sum)?;
                let weight = Score::from_thousandths(u16::try_from(thousandths).ok()?)?;
                Some((criterion.name.as_str(), weight))
            })
            .collect()
    }
}

/// One look at one version of the text.
#[derive(Clone, Debug)]
struct Cycle<'a> {
    /// The round of repair that led to the text; 0 for the one that came in.
    round: u32,
    content: Version,
    overall: Option<Score>,
    criteria: BTreeMap<&'a str, Score>,
    /// Why there is no score, in words.
    unscored: Option<String>,
    issues: &'a [Issue],
    findings: &'a [OpenFinding],
    at: Option<Time>,
}

impl<'a> Cycle<'a> {
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
    fn last(outcome: &'a Outcome) -> Self {
        let recorded = outcome
            .iterations
            .iter()
            .rfind(|iteration| iteration.content == outcome.content);
        if let Some(iteration) = recorded {
            return Self::of(iteration);
        }
        let unscored = match (&outcome.unscored, &outcome.score) {
            (Some(unscored), _) => Some(unscored.message.clone()),
            (None, None) => Some("only the free checks were run; nobody has judged it".to_owned()),
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

    /// Every look, in order.
    fn all(outcome: &'a Outcome) -> Vec<Self> {
        if outcome.iterations.is_empty() {
            return vec![Self::last(outcome)];
        }
        outcome.iterations.iter().map(Self::of).collect()
    }
}

/// An issue in seed 002's field names.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JudgeIssue {
    /// The criterion it speaks to.
    pub criterion: String,
    /// How bad it is.
    pub severity: IssueSeverity,
    /// The part it is about.
    pub location: String,
    /// What is wrong.
    pub description: String,
    /// The words it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quoted_text: Option<String>,
    /// Whether those words are in the text.
    pub anchor: Anchored,
    /// What to do.
    pub suggested_fix: String,
}

impl From<&Issue> for JudgeIssue {
    fn from(issue: &Issue) -> Self {
        Self {
            criterion: issue.criterion.clone(),
            severity: issue.severity,
            location: issue.location.to_string(),
            description: issue.description.clone(),
            quoted_text: issue.quote.clone(),
            anchor: issue.anchor,
            suggested_fix: issue.suggested_fix.clone(),
        }
    }
}

/// The outcome in the shapes of the seeds; which are there depends on the profile.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct Seed {
    /// Of Scottish cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critic_result: Option<critic::CriticResult>,
    /// Of Scottish cards that were written or repaired: after each attempt. For
    /// files alone.
    #[serde(skip)]
    pub critic_attempts: Vec<critic::CriticResult>,
    /// Of items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_history: Option<review_history::ReviewState>,
    /// Of lessons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_review: Option<self_review::SelfReviewResponse>,
    /// Of lessons: what the judges said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge_verdict: Option<verdicts::Verdicts>,
    /// Of lessons: what is or was to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinement_plan: Option<plan::Refinement>,
    /// Of lessons that come out as the best there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_effort: Option<best_effort::BestEffort>,
}

impl Seed {
    /// The shapes of an outcome.
    #[must_use]
    pub fn of(outcome: &Outcome, ground: &Ground) -> Self {
        let ground = &ground.under(outcome);
        match outcome.profile {
            "sqa-lesson" => Self {
                critic_result: Some(critic::result(outcome, ground)),
                critic_attempts: critic::attempts(outcome, ground),
                ..Self::default()
            },
            "clinical-mcq" => Self {
                review_history: Some(review_history::state(outcome, ground)),
                ..Self::default()
            },
            _ => Self {
                self_review: Some(self_review::response(outcome, ground)),
                judge_verdict: (outcome.status != Status::Checked)
                    .then(|| verdicts::verdicts(outcome, ground)),
                refinement_plan: plan::refinement(outcome, ground),
                best_effort: (outcome.status == Status::BestEffort)
                    .then(|| best_effort::best_effort(outcome, ground)),
                ..Self::default()
            },
        }
    }

    /// The files that hold its shapes, by name without extension, in the order in
    /// which they are to be written: the result comes last, so that whoever waits for
    /// it finds the attempts.
    ///
    /// # Errors
    /// When a shape cannot be serialised.
    pub fn files(&self) -> serde_json::Result<Vec<(String, serde_json::Value)>> {
        let mut files = Vec::new();
        for (index, result) in self.critic_attempts.iter().enumerate() {
            files.push((attempt_name(index + 1), serde_json::to_value(result)?));
        }
        if let serde_json::Value::Object(named) = serde_json::to_value(self)? {
            files.extend(named);
        }
        Ok(files)
    }

    /// The name of the first attempt that this result does not have, where it has
    /// attempts at all; files of an earlier run under it and later ones are stale.
    #[must_use]
    pub fn first_stale_attempt(&self) -> Option<usize> {
        self.critic_result
            .is_some()
            .then_some(self.critic_attempts.len() + 1)
    }
}

/// The name of an attempt's file, without extension.
#[must_use]
pub fn attempt_name(number: usize) -> String {
    format!("critic_result.{number}")
}

/// The prefixes that tell the shapes of several files apart: the stem, or the whole
/// path where two share one. None for a single file.
#[must_use]
pub fn prefixes(paths: &[&Path]) -> Vec<Option<String>> {
    if paths.len() < 2 {
        return vec![None; paths.len()];
    }
    let stem = |path: &Path| {
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default()
    };
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for path in paths {
        *count.entry(stem(path)).or_default() += 1;
    }
    paths
        .iter()
        .map(|path| {
            let name = stem(path);
            if count.get(&name) == Some(&1) {
                return Some(name);
            }
            let parts: Vec<String> = path
                .components()
                .filter_map(|part| match part {
                    std::path::Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
                    _ => None,
                })
                .collect();
            Some(parts.join("-"))
        })
        .collect()
}

/// With a capital at the beginning.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
