//! The review history of an item (seed 004): one entry for every version that was
//! validated and scored and for every correction that was tried (ruling 63), and the
//! final status.
//!
//! | the run | a correction was kept | final status |
//! |---|---|---|
//! | accepted | no | passed |
//! | accepted | yes | corrected |
//! | only the free checks | – | pending |
//! | not scored because of models: no answer, no budget, no time | – | pending |
//! | else | – | needs_human_review |
//!
//! An entry's correction is the one that was tried *because of* that review. A version
//! of which several corrections were tried has an entry for each. The last entry is about
//! the text that goes out, and has no correction.

use std::collections::BTreeMap;

use crate::sentences;
use crate::timestamps;
use redraft_gate::finding::Severity;
use redraft_gate::score::Score;
use redraft_gate::span::{ComponentId, Version};
use redraft_profiles::items::validation::{field_named, field_of};
use redraft_run::outcome::{OpenFinding, Outcome, Status, TaskDone};
use redraft_run::reasons::{NotAccepted, NotWritten};
use redraft_run::verdict::Reason;
use schemars::JsonSchema;
use serde::Serialize;

use super::context::SeedContext;
use super::review_cycle::{ReviewCycle, ReviewStep};
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
    /// What became of that correction; absent where none was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction_outcome: Option<CorrectionOutcome>,
    /// What was corrected, or was to be.
    pub correction_target: Option<String>,
    /// The instructions for the correction.
    pub feedback: Option<SelfCorrectionFeedback>,
    /// Why a correction was rolled back, or a part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_because: Option<String>,
    /// Why answers were not used, after which the correction was asked for again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected_answers: Vec<String>,
    /// When, by the journal; `null` if no judge was asked.
    pub timestamp: Option<String>,
}

/// What became of a correction.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CorrectionOutcome {
    /// It is in the text that goes out.
    Kept,
    /// Some of its edits are.
    KeptInPart,
    /// It was not used, or rolled back later.
    RolledBack,
}

impl CorrectionOutcome {
    fn of(task: &TaskDone) -> Self {
        match (task.kept, &task.because) {
            (true, None) => Self::Kept,
            (true, Some(_)) => Self::KeptInPart,
            (false, _) => Self::RolledBack,
        }
    }
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
    /// Why it scores that, in the words of the judges, and the issues they raised.
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
    pub attempt_number: u32,
}

pub(super) fn state(outcome: &Outcome, context: &SeedContext) -> ReviewState {
    let steps = ReviewStep::all(outcome);
    let last = steps.len();
    let review_history: Vec<ReviewHistoryEntry> = steps
        .into_iter()
        .enumerate()
        .map(|(index, ReviewStep { cycle, task })| {
            let entry = Entry {
                outcome,
                context,
                cycle,
                task,
                number: index + 1,
                is_last: index + 1 == last,
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
        Status::Escalated | Status::BestEffort if is_model_trouble(outcome) => FinalStatus::Pending,
        Status::Escalated | Status::BestEffort => FinalStatus::NeedsHumanReview,
    }
}

/// Whether nobody scored it, and not because of the item: another run may.
fn is_model_trouble(outcome: &Outcome) -> bool {
    let because = outcome
        .because
        .as_ref()
        .map(|because| &because.not_accepted);
    match because {
        Some(NotAccepted::Unscored(unscored)) => unscored.reason != Reason::Unusable,
        Some(NotAccepted::NotWritten { reason }) => matches!(reason, NotWritten::NoAnswer(_)),
        _ => false,
    }
}

/// One review and its context.
struct Entry<'a> {
    outcome: &'a Outcome,
    context: &'a SeedContext,
    cycle: ReviewCycle<'a>,
    task: Option<&'a TaskDone>,
    number: usize,
    is_last: bool,
}

impl Entry<'_> {
    fn written(&self) -> ReviewHistoryEntry {
        let score = self.score();
        let task = self.task;
        let feedback = match task {
            Some(task) => Some(self.feedback(
                score.as_ref(),
                &task.section_id,
                (task.synthesized_instructions.clone(), task.iteration),
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
            correction_outcome: task.map(CorrectionOutcome::of),
            correction_target: feedback
                .as_ref()
                .map(|feedback| feedback.target_component.to_owned()),
            feedback,
            undone_because: task.and_then(|task| task.because.as_ref().map(sentences::rolled_back)),
            rejected_answers: task
                .into_iter()
                .flat_map(|task| &task.not_used)
                .map(|unscored| unscored.message.clone())
                .collect(),
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

    /// Whether an issue is open that the policy never accepts (ruling 70), or a solver
    /// disputes the key.
    fn is_blocked(&self) -> bool {
        let issues = self.cycle.issues;
        let solving = self.outcome.solving.as_ref();
        let is_disputed = self.outcome.undisputed.is_some()
            && solving.is_some_and(|solving| solving.content == self.cycle.content);
        is_disputed || self.context.policy.blocking_issue(issues).is_some()
    }

    /// What the judges said on one dimension: the reasons of its score, and the issues.
    fn said(&self, dimension: &str) -> String {
        let reasons = self.cycle.reasons.get(dimension).into_iter().flatten();
        let issues = self.cycle.issues.iter();
        let issues = issues.filter(|issue| issue.criterion == dimension);
        let mut said: Vec<String> = Vec::new();
        for one in reasons
            .copied()
            .chain(issues.map(|issue| issue.description.as_str()))
        {
            let sentence = ended(one);
            if !said.contains(&sentence) {
                said.push(sentence);
            }
        }
        match said.is_empty() {
            true => "The judges raised no issues.".to_owned(),
            false => said.join(" "),
        }
    }

    /// The correction that would be made next.
    fn planned(&self, score: Option<&QualityScore>) -> Option<SelfCorrectionFeedback> {
        let tried = self.outcome.tasks.iter().map(|task| task.iteration);
        let tried = tried.max().unwrap_or_default();
        if !self.is_last
            || tried >= self.context.policy.repair.iterations
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
            (task.synthesized_instructions.clone(), tried + 1),
        ))
    }

    fn feedback(
        &self,
        score: Option<&QualityScore>,
        target: &ComponentId,
        (correction_prompt, attempt_number): (String, u32),
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
            attempt_number,
        }
    }
}

/// A sentence with an end.
fn ended(sentence: &str) -> String {
    let sentence = sentence.trim();
    match sentence.chars().next_back() {
        Some(last) if last.is_alphanumeric() || last == ')' => format!("{sentence}."),
        _ => sentence.to_owned(),
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
