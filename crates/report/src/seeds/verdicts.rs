//! What each judge said, in the fields of seed 002. The overall score, `passed` and
//! the recommendation follow from the judge's scores by criterion (rulings 3, 4),
//! before caps.

use std::collections::BTreeMap;

use redraft_gate::score::Score;
use redraft_gate::span::Version;
use redraft_run::ask::Role;
use redraft_run::assess::{Assessment, Recommendation, Vote};
use redraft_run::outcome::Outcome;
use redraft_run::verdict::{Confidence, Unscored, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

use super::context::SeedContext;
use super::judge_issue::JudgeIssue;

/// What the judges said about the result.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "judge_verdict.json")]
pub struct Verdicts {
    /// One verdict a judge.
    pub verdicts: Vec<JudgeVerdict>,
    /// The judges that gave none, and why.
    pub unscored: BTreeMap<Role, Unscored>,
    /// Their combined score, capped by open findings; `null` without verdicts.
    pub overall_score: Option<Score>,
    /// Whether that is .75 or more.
    pub passed: bool,
    /// What follows from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recommendation: Option<Recommendation>,
    /// Whether scripts answered instead of models.
    pub scripted: bool,
}

/// What one judge said.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JudgeVerdict {
    /// The version of the text that was judged.
    pub content: Version,
    /// The role.
    pub role: Role,
    /// From the scores by criterion and the weights.
    pub overall_score: Score,
    /// Whether that is .75 or more.
    pub passed: bool,
    /// How sure the judge is.
    pub confidence: Confidence,
    /// The scores by criterion.
    pub criteria_scores: BTreeMap<String, Score>,
    /// The issues.
    pub issues: Vec<JudgeIssue>,
    /// What is to be kept.
    pub strengths: Vec<String>,
    /// What follows from this verdict alone.
    pub recommendation: Recommendation,
    /// The model.
    pub judge_model: String,
    /// Its temperature.
    pub temperature: f64,
    /// What it used, all tries together.
    pub tokens_used: u64,
    /// How long the answer took.
    pub duration_ms: u64,
}

pub(super) fn verdicts(outcome: &Outcome, context: &SeedContext) -> Verdicts {
    Verdicts {
        verdicts: outcome
            .verdicts
            .iter()
            .filter_map(|verdict| one(verdict, context))
            .collect(),
        unscored: outcome.unscored_seats.clone(),
        overall_score: outcome.score.as_ref().map(Assessment::overall),
        passed: outcome.passed,
        recommendation: outcome.recommendation,
        scripted: outcome.scripted,
    }
}

fn one(verdict: &Verdict, context: &SeedContext) -> Option<JudgeVerdict> {
    let vote = Vote { verdict, weight: 1 };
    let alone = Assessment::of(&[vote], &context.rubric, &[])?;
    let judge = verdict.judge();
    Some(JudgeVerdict {
        content: verdict.content(),
        role: judge.role,
        overall_score: alone.overall(),
        passed: alone.passed(),
        confidence: verdict.confidence(),
        criteria_scores: verdict
            .awarded()
            .iter()
            .map(|awarded| (awarded.criterion().to_owned(), awarded.score()))
            .collect(),
        issues: verdict.issues().iter().map(JudgeIssue::from).collect(),
        strengths: verdict.strengths().to_vec(),
        recommendation: alone.recommendation(verdict.issues()),
        judge_model: judge.model.clone(),
        temperature: f64::from(judge.temperature_hundredths) / 100.0,
        tokens_used: verdict.tokens().total(),
        duration_ms: verdict.took_ms(),
    })
}
