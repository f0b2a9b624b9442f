//! What a run may come to, before anything is spent: calls, tokens and money by
//! stage, at best, usually and at worst, and what the budgets would stop.
//!
//! | stage | best | usually | worst |
//! |---|---|---|---|
//! | `self_review`, where it has an occasion (ruling 54) | one call | one call | every try |
//! | `judge` | one judge | one judge | every try |
//! | `panel` (cascade) | none: the score is clear | the policy's share | two more judges, every try |
//! | `panel` (always) | one more judge: they agree | the same | two more judges, every try |
//! | `panel` (single judge) | none: the judge is sure | the policy's share | two more judges, every try (ruling 64) |
//! | `arbiter`, where one is named | none | as often as texts are judged again | once an iteration, every try |
//! | `repair` | none: accepted at once | the policy's shares | every component as often as it may be edited, every try; where edits are asked for first, as often again for the whole component |
//! | `verify` | none | the policy's share, twice that where both orders are asked | the same and one for the next component, every try |
//! | `rejudge` | none | the policy's share | every iteration: the judge, every try, and as often on a mixed text (ruling 33) |
//! | `confirm` | none | the policy's share | every iteration the two others about both texts, every try |
//! | `solve`, of an item | one call | one call | two questions, every try |
//!
//! What is usual is the mean over documents (`UsualCalls`): a stage that one document in
//! four meets takes a quarter of a call's tokens, and counts as one call.
//!
//! Every try is made with every model of a role, its fallbacks included, at the dearest
//! of their prices. A call that breaks off is charged as well and comes on top, as far as
//! the budgets allow; one that is refused costs nothing.
//!
//! Where only the weakest component is corrected, an iteration has one task. The worst
//! case ends where a budget ends it (ruling 38): repair and verification share
//! one; every text that is scored has one for its judges. Before a call its worst
//! is reserved, so that at worst every call takes all its model may answer.

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
    /// The tokens of the document.
    pub document: u64,
    /// Those of each component that can be repaired.
    pub parts: &'a [u64],
    /// What our own words in prompts take.
    pub overheads: Overheads,
    pub figures: ForecastFigures,
    /// The model of each role; a role without one is never asked.
    pub models: &'a BTreeMap<Role, ModelSettings>,
    /// What else is known of the roles; a role that is not there has one model, of an
    /// unknown context window.
    pub roles: &'a BTreeMap<Role, RoleFacts>,
}

/// What is known of the models of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleFacts {
    /// How many there are, with the fallbacks.
    pub models: u32,
    /// The largest of their context windows in tokens, if all are known: a longer text is
    /// cut.
    pub context: Option<u64>,
}

impl RoleFacts {
    /// What is known of a role's models, and one model that is as dear as the dearest of
    /// them and answers as long as the longest.
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

/// The figures of a policy that a forecast depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForecastFigures {
    /// How often a text is repaired and judged again, at most.
    pub iterations: u32,
    /// Which components are repaired.
    pub targets: Targets,
    /// Edits a component may get.
    pub edits_per_component: u32,
    /// How often a repair is tried again within a round.
    pub retries: u32,
    /// Who judges: one, a panel, or a panel where one leaves doubt.
    pub judging: Judging,
    /// Whether the panel has to look at what was repaired.
    pub confirm: bool,
    /// Whether the delta judge is asked in both orders.
    pub both_orders: bool,
    /// The form in which edits are asked for first.
    pub edit_form: EditForm,
    /// How often a model is asked for a reply in the right form.
    pub tries: u32,
    pub budgets: Budgets,
    /// What a run may spend in all.
    pub limits: SpendingLimits,
    /// How often a document usually leads to a call.
    pub usual: UsualCalls,
}

/// What may be spent on a document, in tokens (ruling 38).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// On repair and verification.
    pub repair: u64,
    /// On the judges of one text, where the policy sets a limit; else what they need.
    pub judging: Option<u64>,
}

impl ForecastFigures {
    /// The figures of a policy for a document of so many tokens.
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

/// Calls, and what they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    pub calls: u64,
    /// The same in hundredths: what is usual may be a part of a call.
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

/// What a stage may come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageEstimate {
    pub stage: Stage,
    /// Whom it asks.
    pub roles: Vec<Role>,
    pub best: Amount,
    pub typical: Amount,
    /// At worst, as far as the budgets allow.
    pub worst: Amount,
    /// Which budgets would stop it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<StageLimit>,
}

/// Why a stage may not come to its worst case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum StageLimit {
    /// No judge can be paid, so nothing that follows judging begins.
    NoJudgePaid,
    /// Some of the calls, each at its worst, do not fit into a budget of tokens.
    Tokens {
        budget: TokenBudget,
        limit: u64,
        calls: u64,
        unpaid: u64,
    },
    /// The stage at its worst costs more than the stages before it leave.
    Cost {
        worst_micros: u64,
        left_micros: u64,
        limit_micros: u64,
    },
}

/// What a budget of tokens is for.
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
    /// The single judge of the text as it came.
    Judge,
    /// The judges who vote where that judge leaves doubt.
    Panel,
    /// The words for merged instructions.
    Arbiter,
    /// Edits and components written again.
    Repair,
    /// Whether repairs did what they were to do.
    Verify,
    /// The score of a repaired text.
    Rejudge,
    /// The panel before a repaired text is accepted.
    Confirm,
    /// An item is answered without its key before it is accepted.
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

/// What every stage of a run may come to. Stages for which no model is
/// configured are left out.
///
/// The best and the usual case are of the sizes as a tokeniser counts them; the
/// worst of those that are reserved before a call, which are rather too large.
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
    // A call that at worst no longer fits after one that took all it might fits
    // after a usual one.
    for stage in &mut stages {
        if stage.worst.calls < stage.typical.calls {
            stage.worst = stage.typical;
        }
    }
    budget::under_cost_limit(&mut stages, reserved.figures.limits.cost);
    without_what_never_begins(&mut stages);
    stages
}

/// The shortest prompt of a repair: no budget pays for more calls than it holds these.
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

/// A stage of which no call can be paid is not begun; and where no judge is asked,
/// nothing after it is.
fn without_what_never_begins(stages: &mut [StageEstimate]) {
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
