//! The input and the settings of a run. They do not change while it runs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use redraft_gate::companion::Companions;
use redraft_gate::fix::Inspected;
use redraft_gate::inspect::Inspect;
use redraft_gate::review::SelfReview;
use redraft_text::language::Language;
use serde::{Deserialize, Serialize};

use crate::ask::{ModelSettings, Role};
use crate::judge_test::JudgeTest;
use crate::outcome::Needed;
use crate::policy::{Mode, Policy};
use crate::profile::Profile;
use crate::rubric::Rubric;

/// The input and the settings of a run.
#[derive(Debug)]
pub struct Setup {
    /// The id of the run.
    pub id: String,
    pub goal: Goal,
    pub profile: &'static dyn Profile,
    /// Parses and checks changed texts.
    pub inspector: Arc<dyn Inspect>,
    /// The text with the findings of the free checks.
    pub inspected: Arc<Inspected>,
    /// The program's own review of these findings.
    pub self_review: SelfReview,
    pub companions: Arc<Companions>,
    pub rubric: Rubric,
    pub policy: Policy,
    /// Who decides when the text is not accepted.
    pub mode: Mode,
    /// The models to ask, one seat per role.
    pub seats: Vec<Seat>,
    /// Roles whose model was not configured for them explicitly. Such an arbiter is not asked, and
    /// such a self-reviewer only if it has something to look at (ruling 54).
    pub unnamed: BTreeSet<Role>,
    /// The language of comments; by default that of the text.
    pub feedback_language: Option<Language>,
    /// The limits of the whole run.
    pub limits: SpendingLimits,
    /// Whether a result with too few judges is rejected.
    pub require_judged: bool,
    /// Why a judge may favour the writer: both are models of the same family (ruling 24).
    pub self_preference: Option<String>,
    /// What is known about the models besides their settings.
    pub models: KnownModels,
}

impl Setup {
    /// What the text needs to be accepted.
    #[must_use]
    pub fn needed(&self) -> Needed {
        let policy = &self.policy;
        let decision = |mode| self.profile.decision(mode);
        let has_modes = decision(Mode::SemiAuto) != decision(Mode::FullAuto);
        Needed {
            accept: policy.accept,
            every_criterion: policy.every_criterion,
            good_enough: policy.good_enough.map(|enough| enough.from),
            mode: has_modes.then(|| self.mode.name()),
        }
    }
}

/// What is known about models besides their settings, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownModels {
    /// Results of `redraft models --test`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tests: BTreeMap<String, JudgeTest>,
    /// Models that run on this machine, where time costs nothing (ruling 73).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub local: BTreeSet<String>,
}

/// The spending limits of the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpendingLimits {
    /// Tokens of all budgets together, so that a document cannot determine its own budget (ruling
    /// 51).
    pub tokens: u64,
    pub cost: Option<u64>,
    /// Wall-clock seconds. If not set, the policy's limit applies, which is extended for slow
    /// models on this machine (ruling 73).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

impl Default for SpendingLimits {
    fn default() -> Self {
        Self {
            tokens: 300_000,
            cost: None,
            seconds: None,
        }
    }
}

/// The goal of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Score the text without changing it.
    #[default]
    Judge,
    /// Judge and repair the text.
    Refine,
    /// Only the free stages: checks, safe fixes, receipts.
    Free,
    /// Write a text from its companions, then repair it. The input is empty.
    Write,
}

/// A role and the models that fill it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    pub role: Role,
    /// The weight of its vote.
    pub weight: u32,
    /// The model, followed by its fallbacks.
    pub models: Vec<ModelSettings>,
    /// Context windows of these models by name, for prompt and answer together. Models with an
    /// unknown window are missing. Empty in journals from before long texts were cut.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub contexts: BTreeMap<String, u64>,
}

impl Seat {
    /// A model's context window in tokens, if known.
    #[must_use]
    pub fn context(&self, model: &ModelSettings) -> Option<u64> {
        self.contexts.get(&model.name()).copied()
    }
}

/// Every model that may judge, including fallbacks.
pub fn judges(seats: &[Seat]) -> impl Iterator<Item = &ModelSettings> {
    const JUDGES: [Role; 3] = [
        Role::JudgePrimary,
        Role::JudgeSecondary,
        Role::JudgeTiebreaker,
    ];
    seats
        .iter()
        .filter(|seat| JUDGES.contains(&seat.role))
        .flat_map(|seat| &seat.models)
}
