//! The review history of an item (seed 004): one entry for every version that was
//! validated and scored, what was corrected because of it, and the final status.
//!
//! | the run | a correction was kept | final status |
//! |---|---|---|
//! | accepted | no | passed |
//! | accepted | yes | corrected |
//! | only the free checks | – | pending |
//! | else | – | needs_human_review |
//!
//! An entry's correction is the one that was made *because of* that review, so the
//! last entry has none unless it was rolled back.

use std::collections::BTreeMap;

use crate::sentences;
use crate::timestamps;
use redraft_gate::finding::Severity;
use redraft_gate::score::Score;
use redraft_gate::span::{ComponentId, Version};
use redraft_profiles::items::validation::{field_named, field_of};
use redraft_run::outcome::{OpenFinding, Outcome, Status, TaskDone};
use schemars::JsonSchema;
use serde::Serialize;

use super::context::SeedContext;
use super::review_cycle::ReviewCycle;
use super::validation::ValidationError;

/// The state of the review of an item.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "review_history.json")]
pub struct ReviewState {
    /// Every review, in order.
    pub review_history: Vec<ReviewHistoryEntry>,
    /// How many there were.
    pub current_review_cycle: usize,
    /// What became of the item.
    pub final_status: FinalStatus,
    /// Why it needs a human review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The thresholds of the institution.
    pub config: ReviewNodeConfig,
    /// Whether scripts answered instead of models.
    pub scripted: bool,
}

/// What became of an item.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FinalStatus {
    /// Accepted without a correction.
    Passed,
    /// Accepted after a correction.
    Corrected,
    /// A reviewer has to decide.
    NeedsHumanReview,
    /// Not scored yet.
    Pending,
}

/// The figures of an institution.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewNodeConfig {
    /// The composite score from which on an item passes.
    pub quality_threshold: Score,
    /// How often an item is corrected at most.
    pub max_correction_loops: u32,
    /// What each dimension weighs; together 1.
    pub dimension_weights: BTreeMap<String, Score>,
}

/// One review.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewHistoryEntry {
    /// Its number, from 1.
    pub cycle: usize,
    /// The version of the item that was reviewed.
    pub content: Version,
    /// What the free checks say.
    pub validation_result: ValidationResult,
    /// What the judges say; `null` if it was not scored.
    pub quality_score: Option<QualityScore>,
    /// Why it was not scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unscored: Option<String>,
    /// Whether a correction was made because of it, and kept.
    pub correction_applied: bool,
    /// What was corrected, or was to be.
    pub correction_target: Option<String>,
    /// What the correction was told.
    pub feedback: Option<SelfCorrectionFeedback>,
    /// Why a correction was rolled back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_because: Option<String>,
    /// When, by the journal; `null` if no judge was asked.
    pub timestamp: Option<String>,
}

/// Whether an item is whole.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ValidationResult {
    /// Whether there is no error.
    pub is_valid: bool,
    /// Errors and warnings.
    pub errors: Vec<ValidationError>,
}

/// The score of an item.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QualityScore {
    /// By dimension.
    pub dimensions: Vec<QualityDimension>,
    /// The weighted mean.
    pub composite_score: Score,
    /// Whether it reaches the threshold, and no issue is open that the policy never accepts.
    pub passes_threshold: bool,
    /// The threshold.
    pub threshold: Score,
}

/// The score of an item by one dimension.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct QualityDimension {
    /// Its name.
    pub name: String,
    /// The score.
    pub score: Score,
    /// The issues that the judges raised.
    pub feedback: String,
    /// What it weighs.
    pub weight: Score,
}

/// The feedback for a correction.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SelfCorrectionFeedback {
    /// The dimensions below the threshold.
    pub weak_dimensions: Vec<QualityDimension>,
    /// The one component that is corrected.
    pub target_component: &'static str,
    /// What is to be done.
    pub correction_prompt: String,
    /// Which correction it is, from 1.
    pub attempt_number: usize,
}

pub(super) fn state(outcome: &Outcome, context: &SeedContext) -> ReviewState {
    let cycles = ReviewCycle::all(outcome);
    let last = cycles.len();
    let review_history: Vec<ReviewHistoryEntry> = cycles
        .iter()
        .enumerate()
        .map(|(index, cycle)| {
            let next = cycles.get(index + 1).map(|next| next.round);
            let entry = Entry {
                outcome,
                context,
                cycle,
                number: index + 1,
                is_last: index + 1 == last,
                rounds: cycle.round + 1..=next.unwrap_or(u32::MAX),
            };
            entry.written()
        })
        .collect();
    ReviewState {
        current_review_cycle: review_history.len(),
        review_history,
        final_status: final_status(outcome),
        because: outcome.because.as_ref().map(sentences::because),
        config: ReviewNodeConfig {
            quality_threshold: context.policy.accept,
            max_correction_loops: context.policy.repair.iterations,
            dimension_weights: context
                .weights()
                .into_iter()
                .map(|(name, weight)| (name.to_owned(), weight))
                .collect(),
        },
        scripted: outcome.scripted,
    }
}

fn final_status(outcome: &Outcome) -> FinalStatus {
    let was_corrected = outcome.tasks.iter().any(|task| task.kept);
    match outcome.status {
        Status::Accepted | Status::AcceptedWarning if was_corrected => FinalStatus::Corrected,
        Status::Accepted | Status::AcceptedWarning => FinalStatus::Passed,
        Status::Checked => FinalStatus::Pending,
        Status::Escalated | Status::BestEffort => FinalStatus::NeedsHumanReview,
    }
}

/// One review and its context.
struct Entry<'a> {
    outcome: &'a Outcome,
    context: &'a SeedContext,
    cycle: &'a ReviewCycle<'a>,
    number: usize,
    is_last: bool,
    /// The rounds of correction between this review and the next.
    rounds: std::ops::RangeInclusive<u32>,
}

impl Entry<'_> {
    fn written(&self) -> ReviewHistoryEntry {
        let score = self.score();
        let task = self.task();
        let feedback = match task {
            Some(task) => Some(self.feedback(
                score.as_ref(),
                &task.section_id,
                task.synthesized_instructions.clone(),
            )),
            None => self.planned(score.as_ref()),
        };
        ReviewHistoryEntry {
            cycle: self.number,
            content: self.cycle.content,
            validation_result: validation(self.cycle.findings),
            quality_score: score,
            unscored: self.cycle.unscored.clone(),
            correction_applied: task.is_some_and(|task| task.kept),
            correction_target: feedback
                .as_ref()
                .map(|feedback| feedback.target_component.to_owned()),
            feedback,
            undone_because: task
                .filter(|task| !task.kept)
                .and_then(|task| task.because.as_ref().map(sentences::rolled_back)),
            timestamp: self.cycle.at.map(timestamps::iso),
        }
    }

    fn score(&self) -> Option<QualityScore> {
        let composite_score = self.cycle.overall?;
        let weights = self.context.weights();
        let threshold = self.context.policy.accept;
        let dimensions = self
            .context
            .rubric
            .criteria
            .iter()
            .filter_map(|criterion| {
                let name = criterion.name.as_str();
                Some(QualityDimension {
                    name: name.to_owned(),
                    score: *self.cycle.criteria.get(name)?,
                    feedback: self.said(name),
                    weight: *weights.get(name)?,
                })
            })
            .collect();
        Some(QualityScore {
            dimensions,
            composite_score,
            passes_threshold: composite_score >= threshold && !self.is_blocked(),
            threshold,
        })
    }

    /// Whether an issue is open that the policy never accepts (ruling 70).
    fn is_blocked(&self) -> bool {
        let issues = self.cycle.issues;
        self.context.policy.blocking_issue(issues).is_some()
    }

    /// The issues that the judges raised on one dimension.
    fn said(&self, dimension: &str) -> String {
        let said: Vec<&str> = self
            .cycle
            .issues
            .iter()
            .filter(|issue| issue.criterion == dimension)
            .map(|issue| issue.description.as_str())
            .collect();
        if said.is_empty() {
            "The judges raised no issues.".to_owned()
        } else {
            said.join(" ")
        }
    }

    /// The correction that was made because of this review: the one that was kept,
    /// else the last that was rolled back.
    fn task(&self) -> Option<&TaskDone> {
        let mut made = self
            .outcome
            .tasks
            .iter()
            .filter(|task| self.rounds.contains(&task.iteration));
        let all: Vec<&TaskDone> = made.by_ref().collect();
        all.iter().find(|task| task.kept).or(all.last()).copied()
    }

    /// The correction that would be made next.
    fn planned(&self, score: Option<&QualityScore>) -> Option<SelfCorrectionFeedback> {
        if !self.is_last
            || self.number > self.context.policy.repair.iterations as usize
            || matches!(
                self.outcome.status,
                Status::Accepted | Status::AcceptedWarning
            )
        {
            return None;
        }
        let task = self.outcome.plan.as_ref()?.tasks.first()?;
        Some(self.feedback(
            score,
            &task.section_id,
            task.synthesized_instructions.clone(),
        ))
    }

    fn feedback(
        &self,
        score: Option<&QualityScore>,
        target: &ComponentId,
        correction_prompt: String,
    ) -> SelfCorrectionFeedback {
        let threshold = self.context.policy.accept;
        SelfCorrectionFeedback {
            weak_dimensions: score
                .iter()
                .flat_map(|score| &score.dimensions)
                .filter(|dimension| dimension.score < threshold)
                .cloned()
                .collect(),
            target_component: field_named(target).name(),
            correction_prompt,
            attempt_number: self.number,
        }
    }
}

fn validation(findings: &[OpenFinding]) -> ValidationResult {
    let errors: Vec<ValidationError> = findings
        .iter()
        .filter(|finding| finding.severity > Severity::Info)
        .filter(|finding| !finding.code.starts_with("BNK"))
        .map(|finding| ValidationError {
            field: field_of(finding.name, &finding.component).name(),
            message: finding.message.clone(),
            severity: finding.severity,
        })
        .collect();
    ValidationResult {
        is_valid: errors.iter().all(|error| error.severity != Severity::Error),
        errors,
    }
}
