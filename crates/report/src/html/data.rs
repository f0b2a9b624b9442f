//! What the views read of a result: the fields of the published JSON of `judge` and `refine`
//! that are shown. A run that was replayed and a result file give the same views.
//!
//! Unknown fields are ignored and missing ones are empty, so that results of other versions
//! are shown as far as they go.

use std::collections::BTreeMap;

use redraft_gate::receipt::Receipts;
use redraft_run::outcome::Status;
use redraft_run::planning_reasons::{Opposition, Precedence, SetAsideReason};
use serde::Deserialize;

/// One document of a result.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RunData {
    pub path: String,
    pub run: String,
    /// The path of the run's journal.
    pub journal: String,
    pub status: String,
    /// With `checked`: `passed` or `failed`.
    pub gate: Option<String>,
    pub profile: String,
    /// The version of the text that came in.
    pub input: String,
    /// The version of the text that everything here is about.
    pub content: String,
    pub final_content: Option<serde_json::Value>,
    pub score: Option<ScoreData>,
    pub unscored: Option<UnscoredData>,
    pub needs_review: bool,
    pub findings: Vec<FindingData>,
    #[serde(rename = "unresolved_issues")]
    pub issues: Vec<IssueData>,
    pub set_aside: Vec<SetAsideData>,
    pub agreement: Option<AgreementData>,
    #[serde(rename = "conflict_ledger")]
    pub conflicts: Vec<ConflictData>,
    pub iterations: Vec<IterationData>,
    pub tasks: Vec<TaskData>,
    pub receipts: Option<Receipts>,
    pub verdicts: Vec<VerdictData>,
    pub unscored_seats: BTreeMap<String, UnscoredData>,
    pub spent: BTreeMap<String, SpentData>,
    pub scripted: bool,
    pub self_preference: Option<String>,
    pub decided_by: Option<String>,
    #[serde(rename = "quality_status")]
    pub quality: String,
    #[serde(rename = "improvement_hints")]
    pub hints: Vec<HintData>,
}

impl RunData {
    /// What became of the text; `None` if the result does not say, or in a word that this
    /// program does not know.
    #[must_use]
    pub fn known_status(&self) -> Option<Status> {
        const ALL: [Status; 5] = [
            Status::Accepted,
            Status::AcceptedWarning,
            Status::BestEffort,
            Status::Escalated,
            Status::Checked,
        ];
        ALL.into_iter().find(|status| status.name() == self.status)
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ScoreData {
    pub overall: f64,
    pub criteria: Vec<CriterionData>,
    pub confidence: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CriterionData {
    pub name: String,
    pub score: f64,
    pub awarded: f64,
    pub capped_at: Option<f64>,
    pub threshold: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct UnscoredData {
    pub message: String,
}

/// A finding as a result lists it; `start` and `end` are given by `check` alone.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct FindingData {
    pub code: String,
    pub name: String,
    pub severity: String,
    pub critical: bool,
    pub component: String,
    pub message: String,
    pub start: Option<usize>,
    pub end: Option<usize>,
    pub line: Option<usize>,
    pub fix: Option<serde_json::Value>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct IssueData {
    pub criterion: String,
    pub severity: String,
    pub location: String,
    #[serde(rename = "quoted_text")]
    pub quote: Option<String>,
    pub anchor: String,
    pub description: String,
    pub suggested_fix: String,
    pub source: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct SetAsideData {
    pub issue: IssueData,
    pub because: Option<SetAsideReason>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct AgreementData {
    pub level: String,
    pub alpha: Option<f64>,
    /// Why there is no alpha.
    pub undefined_because: Option<String>,
    pub widest_spread: u16,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ConflictData {
    pub section_id: String,
    pub about: Option<Opposition>,
    pub winner_criterion: String,
    pub loser_criterion: String,
    pub constraint: String,
    pub because: Option<Precedence>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct IterationData {
    pub iteration: u32,
    pub score: Option<f64>,
    pub criteria: BTreeMap<String, f64>,
    pub judges: usize,
    pub issues: usize,
}

/// What could be done next.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct HintData {
    pub component: String,
    pub title: Option<String>,
    pub criterion: String,
    pub severity: String,
    pub fix: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct TaskData {
    pub iteration: u32,
    pub section_id: String,
    pub section_title: String,
    pub action_type: String,
    pub priority: String,
    pub issues: Vec<String>,
    pub synthesized_instructions: String,
    pub kept: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct VerdictData {
    pub judge: JudgeData,
    pub awarded: Vec<AwardedData>,
    pub issues: Vec<IssueData>,
    pub strengths: Vec<String>,
    pub confidence: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct JudgeData {
    pub role: String,
    pub model: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct AwardedData {
    pub criterion: String,
    pub score: f64,
    /// Why, where the judge was asked for it.
    pub reason: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct SpentData {
    pub calls: u64,
    pub input: u64,
    pub output: u64,
    pub cached_input: u64,
    pub cost_micros: u64,
    pub estimated: bool,
    pub reused: u64,
}

/// The statistics of a bank, as `check` publishes them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct BankData {
    pub path: String,
    pub items: usize,
    pub key_positions: Vec<KeyPositionData>,
    pub position_bias: Option<TestData>,
    pub length_cue: Option<TestData>,
    pub bloom_levels: Vec<CountData>,
    pub flaws: Vec<CountData>,
    /// Documents with open issues of the judges, by criterion.
    pub issues: Vec<CountData>,
    pub worst: Vec<WorstData>,
    pub duplicates: Vec<DuplicateData>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct KeyPositionData {
    pub position: String,
    pub keys: u64,
    pub expected: f64,
}

/// The test of key positions or of option lengths.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestData {
    /// `too_few`, `unremarkable` or `striking`.
    pub verdict: String,
    pub items: u64,
    pub rate: Option<f64>,
    pub chance: Option<f64>,
    pub p_value: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CountData {
    pub name: String,
    pub items: usize,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct WorstData {
    pub path: String,
    pub id: String,
    pub line: usize,
    pub errors: usize,
    pub warnings: usize,
    pub infos: usize,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DuplicateData {
    pub first: String,
    pub second: String,
    pub likeness: f64,
}
