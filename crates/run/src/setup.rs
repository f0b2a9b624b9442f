//! What a run is about, and under which rules. None of it changes while it runs.

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

/// What a run is about, and under which rules. None of it changes.
#[derive(Debug)]
pub struct Setup {
    /// The name of the run.
    pub id: String,
    /// What is wanted.
    pub goal: Goal,
    /// The kind of content.
    pub profile: &'static dyn Profile,
    /// Who reads and examines a changed text.
    pub inspector: Arc<dyn Inspect>,
    /// The text, and what the free checks found in it.
    pub inspected: Arc<Inspected>,
    /// What the findings come to.
    pub self_review: SelfReview,
    /// What came with it.
    pub companions: Arc<Companions>,
    /// What it is judged by.
    pub rubric: Rubric,
    /// How it is decided.
    pub policy: Policy,
    /// Whether people are at hand.
    pub mode: Mode,
    /// Who is asked, one seat for a role.
    pub seats: Vec<Seat>,
    /// Roles whose model nobody named for them: it is there for others, or by default.
    /// Such an arbiter is not asked, and such a self-reviewer only where it has
    /// something to look at (ruling 54).
    pub unnamed: BTreeSet<Role>,
    /// The language that remarks are written in; the text's own where nobody said.
    pub feedback_language: Option<Language>,
    /// What may be spent in all.
    pub limits: SpendingLimits,
    /// Whether a result that too few judges stand behind is
    /// refused.
    pub require_judged: bool,
    /// Why a judge may favour the writer, where they are of one family (ruling
    /// 24).
    pub self_preference: Option<String>,
    /// What is known of the models beside their settings.
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

/// What is known of the models beside their settings, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownModels {
    /// How judges did in `redraft models --test`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tests: BTreeMap<String, JudgeTest>,
    /// Those that run on this machine, where time is no money (ruling 73).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub local: BTreeSet<String>,
}

/// What a run may spend in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpendingLimits {
    /// Tokens of all budgets together: a document must not set its own budget (ruling 51).
    pub tokens: u64,
    /// Millionths of a dollar.
    pub cost: Option<u64>,
    /// Seconds, by the clock; without it those of the policy, which grow for slow models
    /// on this machine (ruling 73).
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

/// What is wanted of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// To know how good the text is. It is not changed.
    #[default]
    Judge,
    /// To repair what is weak.
    Refine,
    /// The free stages alone: checks, safe fixes, receipts.
    Free,
    /// To write a text from what came with it, and then to repair what is weak.
    /// What comes in is empty.
    Write,
}

/// A place on the bench, and who may take it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// What it is called.
    pub role: Role,
    /// What its vote weighs.
    pub weight: u32,
    /// The model, and behind it those that take over where it fails.
    pub models: Vec<ModelSettings>,
    /// How many tokens fit into one call of them, prompt and answer together, by
    /// their names; a model of which nobody knows is not there. Journals from
    /// before long texts were cut have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub contexts: BTreeMap<String, u64>,
}

impl Seat {
    /// How many tokens fit into one call of a model, where that is known.
    #[must_use]
    pub fn context(&self, model: &ModelSettings) -> Option<u64> {
        self.contexts.get(&model.name()).copied()
    }
}

/// Every model that may judge, also as a fallback.
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
