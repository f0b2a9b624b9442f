//! The best version so far, if none was accepted (seed 003 §2.3 and §18.1).

use std::collections::BTreeSet;

use redraft_gate::score::Score;
use redraft_run::assess::Assessment;
use redraft_run::decide::QualityStatus;
use redraft_run::outcome::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

use crate::sentences;

use super::context::SeedContext;
use super::judge_issue::JudgeIssue;
use super::review_cycle::ReviewCycle;

/// The best version so far.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "best_effort.json")]
pub struct BestEffort {
    /// The text.
    pub content: String,
    /// Its score; `null` if there is none.
    pub best_score: Option<Score>,
    /// Why there is no score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unscored: Option<String>,
    /// The round of repair that led to it; 0 for the original.
    pub best_iteration: u32,
    /// How good it is.
    pub quality_status: QualityStatus,
    /// Why it was not accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The open issues.
    pub unresolved_issues: Vec<JudgeIssue>,
    /// How many they are.
    pub unresolved_issues_count: usize,
    /// Their criteria.
    pub unresolved_categories: BTreeSet<String>,
    /// What could be done next.
    pub improvement_hints: Vec<String>,
}

pub(super) fn best_effort(outcome: &Outcome, context: &SeedContext) -> BestEffort {
    let cycle = ReviewCycle::last(outcome);
    BestEffort {
        content: outcome.final_content.as_ref().map_or_else(
            || context.inspected.document.source().text().to_owned(),
            |bytes| String::from_utf8_lossy(bytes).into_owned(),
        ),
        best_score: outcome.score.as_ref().map(Assessment::overall),
        unscored: cycle.unscored,
        best_iteration: cycle.round,
        quality_status: outcome.quality,
        because: outcome.because.as_ref().map(sentences::because),
        unresolved_issues: outcome.issues.iter().map(JudgeIssue::from).collect(),
        unresolved_issues_count: outcome.issues.len(),
        unresolved_categories: outcome
            .issues
            .iter()
            .map(|issue| issue.criterion.clone())
            .collect(),
        improvement_hints: outcome.hints.iter().map(sentences::hint).collect(),
    }
}
