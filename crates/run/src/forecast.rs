//! Estimates a run before anything is spent: calls, tokens and cost of each stage at best,
//! typically and at worst, and which budgets would stop it.
//!
//! | stage | best | usually | worst |
//! |---|---|---|---|
//! | `self_review`, if there is a reason for one (ruling 54) | one call | one call | every try |
//! | `judge` | one judge | one judge | every try |
//! | `panel` (cascade) | none: the score is clear | the policy's share | two more judges, every try |
//! | `panel` (always) | one more judge: they agree | the same | two more judges, every try |
//! | `panel` (single judge) | none: the judge is confident | the policy's share | two more judges, every try (ruling 64) |
//! | `arbiter`, if configured | none | as often as texts are judged again | once an iteration, every try |
//! | `repair` | none: accepted at once | the policy's shares | every component as often as it may be edited, every try; if edits are requested first, as often again for the whole component |
//! | `verify` | none | the policy's share, twice that if both orders are asked | the same and one for the next component, every try |
//! | `rejudge` | none | the policy's share | every iteration: the judge, every try, and as often on a mixed text (ruling 33) |
//! | `confirm` | none | the policy's share | every iteration the two others about both texts, every try |
//! | `solve`, of an item | one call | one call | two questions, every try |
//!
//! The usual case is the mean over documents (`UsualCalls`): a stage that one document in four
//! reaches takes a quarter of a call's tokens, and counts as one call.
//!
//! In the worst case every try is made with every model of a role, including its fallbacks, at the
//! highest of their prices. Calls that break off are charged and added on top, as far as the
//! budgets allow; rejected calls cost nothing.
//!
//! If only the weakest component is repaired, an iteration has one task. Budgets limit the worst
//! case (ruling 38): repair and verification share one, and each scored text has one for its
//! judges. A call reserves its worst case before it is sent, so at worst every answer is as long as
//! its model allows.

mod budget;
mod caching;
mod measure;
mod stages;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ask::{CacheTerms, ModelSettings, Role, Tokens};
use crate::policy::{Confirm, Delta, EditForm, Judging, Policy, Targets};
use crate::route::estimate::{Overheads, sum};

use crate::setup::{Goal, Seat, SpendingLimits};
pub use crate::usual_calls::UsualCalls;
pub use caching::{ConstantParts, Warmth, count_caches};
pub use measure::Measure;
pub use stages::judging_need;

#[derive(Clone, Debug)]
pub struct Forecast<'a> {
    /// Tokens of the document.
    pub document: u64,
    /// Tokens of each component that can be repaired.
    pub parts: &'a [u64],
    /// Tokens of our own text in prompts.
    pub overheads: Overheads,
    pub figures: ForecastFigures,
    /// The model of each role; a role without one is never asked.
    pub models: &'a BTreeMap<Role, ModelSettings>,
    /// More about the roles. A role that is missing here has one model with an unknown context
    /// window.
    pub roles: &'a BTreeMap<Role, RoleFacts>,
}

/// Facts about the models of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleFacts {
    /// How many models it has, including fallbacks.
    pub models: u32,
    /// The largest of their context windows in tokens, if all are known. A longer text is cut.
    pub context: Option<u64>,
}

impl RoleFacts {
    /// The facts about a role's models, and one model with their highest price and their longest
    /// answer.
    #[must_use]
    pub fn of(seat: &Seat) -> Option<(Self, ModelSettings)> {
        let mut dearest = seat.models.first()?.clone();
        for model in &seat.models {
            dearest.max_tokens = dearest.max_tokens.max(model.max_tokens);
            dearest.price_in = dearest.price_in.max(model.price_in);
            dearest.price_out = dearest.price_out.max(model.price_out);
        }
        let price_write = seat.models.iter().map(ModelSettings::dearest_in).max();
        if let Some(price_write) = price_write.filter(|price| *price > dearest.dearest_in()) {
            dearest.cache = Some(CacheTerms {
                price_write,
                // Of this one nothing is read from a cache.
                ..dearest.cache.unwrap_or(CacheTerms {
                    least_tokens: u64::MAX,
                    price_read: dearest.price_in,
                    price_write,
                })
            });
        }
        let contexts = seat.models.iter().map(|model| seat.context(model));
        let contexts: Option<Vec<u64>> = contexts.collect();
        let facts = Self {
            models: u32::try_from(seat.models.len()).unwrap_or(u32::MAX),
            context: contexts.and_then(|contexts| contexts.into_iter().max()),
        };
        Some((facts, dearest))
    }
}

/// The policy settings that a forecast depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForecastFigures {
    /// The maximum number of rounds of repair and judging.
    pub iterations: u32,
    /// Which components are repaired.
    pub targets: Targets,
    /// The maximum number of edits of a component.
    pub edits_per_component: u32,
    /// How often a failed repair is retried within a round.
    pub retries: u32,
    /// Whether one judge, a panel, or a panel in case of doubt judges.
    pub judging: Judging,
    /// Whether the panel must confirm a repaired text.
    pub confirm: bool,
    /// Whether the delta judge is asked in both orders.
    pub both_orders: bool,
    /// The form in which edits are requested first.
    pub edit_form: EditForm,
    /// How often a model is asked until its reply has the right form.
    pub tries: u32,
    pub budgets: Budgets,
    /// The limits of the whole run.
    pub limits: SpendingLimits,
    /// How many calls a document usually leads to.
    pub usual: UsualCalls,
}

/// The token budgets of a document (ruling 38).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// For repair and verification.
    pub repair: u64,
    /// For judging one text. Without a limit in the policy, judges get what they need.
    pub judging: Option<u64>,
}

impl ForecastFigures {
    /// The settings of a policy, for a document of `document` tokens.
    #[must_use]
    pub fn of(policy: &Policy, goal: Goal, document: u64, limits: SpendingLimits) -> Self {
        let repairs = goal == Goal::Refine;
        Self {
            iterations: if repairs { policy.repair.iterations } else { 0 },
            targets: policy.repair.targets,
            edits_per_component: policy.repair.edits_per_component,
            retries: policy.repair.retries,
            judging: policy.judging,
            confirm: repairs && policy.confirm == Confirm::Panel,
            both_orders: policy.repair.delta == Delta::BothOrders,
            edit_form: policy.repair.edit_form(),
            tries: policy.tries_for_form,
            budgets: Budgets {
                repair: policy.repair_limit(document),
                judging: policy.judging_tokens,
            },
            limits,
            usual: policy.usual,
        }
    }
}

/// A number of calls with their tokens and cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    pub calls: u64,
    /// Calls in hundredths: the usual number can be a fraction.
    #[serde(skip)]
    hundredths: u64,
    #[serde(flatten)]
    pub tokens: Tokens,
    /// Millionths of a dollar.
    pub cost_micros: u64,
}

impl Amount {
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            hundredths: self.hundredths.saturating_add(other.hundredths),
            tokens: sum([self.tokens, other.tokens]),
            cost_micros: self.cost_micros.saturating_add(other.cost_micros),
        }
    }
}

/// The estimate for one stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageEstimate {
    pub stage: Stage,
    /// The roles it asks.
    pub roles: Vec<Role>,
    pub best: Amount,
    pub typical: Amount,
    /// The worst case within the budgets.
    pub worst: Amount,
    /// The budgets that would stop it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<StageLimit>,
}

/// Why a stage stops before its worst case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum StageLimit {
    /// No judge can be paid, so nothing after judging begins.
    NoJudgePaid,
    /// At their worst, not all calls fit into a token budget.
    Tokens {
        budget: TokenBudget,
        limit: u64,
        calls: u64,
        unpaid: u64,
    },
    /// At worst, the stage costs more than earlier stages leave.
    Cost {
        worst_micros: u64,
        left_micros: u64,
        limit_micros: u64,
    },
}

/// What a token budget pays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenBudget {
    SelfReview,
    /// All judges of one text.
    Judging,
    /// Repairs and their verification.
    Repair,
}

/// The stages that cost something, in the order in which a document meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    SelfReview,
    /// The single judge of the initial text.
    Judge,
    /// The other judges, if the first one leaves doubt.
    Panel,
    /// Wording of merged instructions.
    Arbiter,
    /// Edits and rewritten components.
    Repair,
    /// Verification of repairs.
    Verify,
    /// Scoring of repaired texts.
    Rejudge,
    /// The panel that confirms a repaired text before it is accepted.
    Confirm,
    /// Solving an item without its key before it is accepted.
    Solve,
}

impl Stage {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SelfReview => "self_review",
            Self::Judge => "judge",
            Self::Panel => "panel",
            Self::Arbiter => "arbiter",
            Self::Repair => "repair",
            Self::Verify => "verify",
            Self::Rejudge => "rejudge",
            Self::Confirm => "confirm",
            Self::Solve => "solve",
        }
    }
}

/// Estimates every stage of a run. Stages without a configured model are left out.
///
/// The best and the usual case use `counted`, sizes by a tokeniser's count. The worst case uses
/// `reserved`, the somewhat larger sizes that are reserved before a call.
#[must_use]
pub fn expect(counted: &Forecast<'_>, reserved: &Forecast<'_>) -> Vec<StageEstimate> {
    let least = least_prompt(&counted.overheads);
    let mut stages = expected(reserved, least);
    for usual in expected(counted, least) {
        if let Some(stage) = stages.iter_mut().find(|stage| stage.stage == usual.stage) {
            stage.best = usual.best;
            stage.typical = usual.typical;
        }
    }
    // A call that does not fit after a worst-case call may fit after a usual one.
    for stage in &mut stages {
        if stage.worst.calls < stage.typical.calls {
            stage.worst = stage.typical;
        }
    }
    budget::under_cost_limit(&mut stages, reserved.figures.limits.cost);
    drop_unreachable(&mut stages);
    stages
}

/// The shortest prompt of a repair. A budget divided by it bounds the number of calls.
fn least_prompt(overheads: &Overheads) -> u64 {
    overheads.patch.min(overheads.expand).min(overheads.delta)
}

fn expected(forecast: &Forecast<'_>, least: u64) -> Vec<StageEstimate> {
    let mut stages = Vec::new();
    stages.extend(stages::self_review(forecast));
    let (before, after): (Vec<_>, Vec<_>) = stages::judging(forecast)
        .into_iter()
        .partition(|stage| matches!(stage.stage, Stage::Judge | Stage::Panel));
    stages.extend(before);
    stages.extend(stages::arbiter(forecast));
    stages.extend(stages::repair(forecast, least));
    stages.extend(after);
    stages.extend(stages::solve(forecast));
    stages
}

/// Drops stages that cannot pay a single call, and everything after judging if no judge is asked.
fn drop_unreachable(stages: &mut [StageEstimate]) {
    let is_unjudged = stages
        .iter()
        .any(|stage| stage.stage == Stage::Judge && stage.worst.calls == 0);
    for stage in stages {
        let follows = !matches!(stage.stage, Stage::SelfReview | Stage::Judge);
        if is_unjudged && follows {
            stage.worst = Amount::default();
            stage.stopped = vec![StageLimit::NoJudgePaid];
        }
        if stage.worst.calls == 0 {
            stage.best = Amount::default();
            stage.typical = Amount::default();
        }
    }
}

#[must_use]
pub fn total(stages: &[StageEstimate]) -> (Amount, Amount, Amount) {
    let start = (Amount::default(), Amount::default(), Amount::default());
    stages.iter().fold(start, |sum, stage| {
        (
            sum.0.and(stage.best),
            sum.1.and(stage.typical),
            sum.2.and(stage.worst),
        )
    })
}

#[cfg(test)]
mod tests;
