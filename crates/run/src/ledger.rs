//! The budgets of a run: limits, reservations and spending.
//!
//! Every call reserves its worst case before it is sent; a call that does not fit is not sent. When
//! its answer arrives, the actual usage replaces the reservation. A provider may count more than
//! was reserved: the overrun is recorded, and later calls have less.
//!
//! The worst case of a call is its longest possible answer, plus an upper estimate of its prompt,
//! scaled by how the model has counted earlier prompts. There are separate budgets for judging,
//! repair and writing, and one limit of cost for the whole run.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{AskId, Budget, ModelSettings, Role, Tokens, Usage};

/// The spending limits of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Tokens for judging, input and output.
    pub judging: u64,
    /// Tokens for repair and verification.
    pub repair: u64,
    /// Tokens for writing.
    pub writing: u64,
    /// Tokens of all budgets together, if limited.
    pub total: Option<u64>,
    /// Millionths of a dollar, if limited.
    pub cost: Option<u64>,
}

impl Limits {
    fn of(&self, budget: Budget) -> u64 {
        match budget {
            Budget::Judging => self.judging,
            Budget::Repair => self.repair,
            Budget::Writing => self.writing,
        }
    }
}

/// The most tokens that a complaint about a malformed reply adds to the retry's prompt.
pub const COMPLAINT_TOKENS: u64 = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoesNotFit {
    /// The budget that would pay for it.
    pub budget: Budget,
    /// The worst case of the call.
    pub needs: Tokens,
    /// Tokens left.
    pub left: u64,
    /// Whether the limit of the whole run is the one that is exceeded.
    pub of_run: bool,
    /// If the cost limit is exceeded: what the call would cost and what is left, in millionths of a
    /// dollar.
    pub money: Option<(u64, u64)>,
}

impl fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.money {
            Some((cost, left)) => write!(
                f,
                "asking could cost ${}, and ${} are left of what the run may cost",
                Dollars(cost),
                Dollars(left)
            ),
            None if self.of_run => write!(
                f,
                "asking would need up to {} tokens, and {} are left of the run's limit; set `tokens-per-run` under [limits] to allow more",
                self.needs.total(),
                self.left
            ),
            None => write!(
                f,
                "asking would need up to {} tokens, and {} are left of the budget for {}",
                self.needs.total(),
                self.left,
                self.budget.name()
            ),
        }
    }
}

/// Formats millionths of a dollar for people.
#[derive(Clone, Copy, Debug)]
pub struct Dollars(pub u64);

impl fmt::Display for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 0 && self.0 < 10_000 {
            write!(f, "0.{:06}", self.0)
        } else {
            let rounded = self.0.saturating_add(50) / 100;
            write!(f, "{}.{:04}", rounded / 10_000, rounded % 10_000)
        }
    }
}

/// The account of a run.
#[derive(Clone, Debug)]
pub struct Ledger {
    limits: Limits,
    reserved: BTreeMap<AskId, Entry>,
    settled: BTreeMap<AskId, Entry>,
    spent: BTreeMap<Role, Spent>,
    /// How many tokens each model counted for our estimate, in hundredths; the highest ratio seen.
    counted: BTreeMap<String, u64>,
    /// Context windows that providers reported in errors.
    contexts: BTreeMap<String, u64>,
    /// Tokens of a budget that are held back for later.
    held: BTreeMap<Budget, u64>,
    /// Whether the budget of judging grows where a model counts more than was estimated.
    judging_grows: bool,
}

#[derive(Clone, Debug)]
struct Entry {
    role: Role,
    model: ModelSettings,
    /// Upper estimate of the prompt's tokens.
    prompt_tokens: u64,
    tokens: Tokens,
}

/// What a role has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Spent {
    /// Calls that were answered, or failed at a price.
    pub calls: u32,
    /// Tokens.
    #[serde(flatten)]
    pub tokens: Tokens,
    /// Millionths of a dollar.
    pub cost_micros: u64,
    /// Whether some of it is our count and not the provider's.
    pub estimated: bool,
    /// Tokens beyond what was reserved.
    pub overrun: u64,
    /// Replies to other runs that asked the same: used again, for nothing.
    #[serde(default, skip_serializing_if = "is_none")]
    pub reused: u32,
}

fn is_none(number: &u32) -> bool {
    *number == 0
}

impl Ledger {
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            reserved: BTreeMap::new(),
            settled: BTreeMap::new(),
            spent: BTreeMap::new(),
            counted: BTreeMap::new(),
            contexts: BTreeMap::new(),
            held: BTreeMap::new(),
            judging_grows: false,
        }
    }

    /// Lets the budget of judging grow where a model turns out to count more tokens than
    /// estimated, so that the retry that was allotted can still be paid. The limit of the run
    /// does not grow.
    pub fn let_judging_grow(&mut self) {
        self.judging_grows = true;
    }

    /// Holds back tokens of a budget for later, replacing an earlier hold. Reservations must fit
    /// into the rest.
    pub fn hold_back(&mut self, budget: Budget, tokens: u64) {
        self.held.insert(budget, tokens);
    }

    /// Limits further spending from a budget to `tokens`. Each judged text gets its own budget for
    /// its panel (ruling 38).
    pub fn allot(&mut self, budget: Budget, tokens: u64) {
        let limit = self.committed_to(budget).saturating_add(tokens);
        match budget {
            Budget::Judging => self.limits.judging = limit,
            Budget::Repair => self.limits.repair = limit,
            Budget::Writing => self.limits.writing = limit,
        }
    }

    /// Records the context window that a provider reported, and returns whether it is smaller than
    /// known before.
    pub fn learn_context(
        &mut self,
        model: &ModelSettings,
        configured: Option<u64>,
        tokens: u64,
    ) -> bool {
        let is_less = self
            .context(model, configured)
            .is_none_or(|known| tokens < known);
        if is_less {
            self.contexts.insert(model.name(), tokens);
        }
        is_less
    }

    /// The known context window of a model: the smaller of what its provider reported and what is
    /// configured.
    #[must_use]
    pub fn context(&self, model: &ModelSettings, configured: Option<u64>) -> Option<u64> {
        let learnt = self.contexts.get(&model.name()).copied();
        learnt.into_iter().chain(configured).min()
    }

    /// The maximum prompt for a model with this context window, in tokens by the upper estimate:
    /// the window minus the longest answer, minus 5% for what a provider adds to a prompt and for
    /// tokenisers that count more than the estimate. Less for a model that was seen to count more
    /// than we estimated.
    #[must_use]
    pub fn room(&self, model: &ModelSettings, context: u64) -> u64 {
        let seen = self.counted.get(&model.name()).copied().unwrap_or(0);
        context
            .saturating_sub(u64::from(model.max_tokens))
            .saturating_sub(context.div_ceil(20))
            .saturating_mul(100)
            / seen.max(100)
    }

    /// The worst case of a call. `prompt_tokens` is the upper estimate of its prompt.
    #[must_use]
    pub fn worst(&self, model: &ModelSettings, prompt_tokens: u64) -> Tokens {
        // The highest ratio seen so far plus a tenth. Without one, the estimate is used as it is.
        let share = self
            .counted
            .get(&model.name())
            .map_or(100, |counted| (counted + counted / 10).max(10));
        Tokens::new(
            prompt_tokens.saturating_mul(share).div_ceil(100),
            u64::from(model.max_tokens),
        )
    }

    /// Reserves the worst case of a call, and returns it.
    ///
    /// # Errors
    /// If it does not fit into what is left. Nothing is reserved then.
    pub fn reserve(
        &mut self,
        id: &AskId,
        role: Role,
        model: &ModelSettings,
        prompt_tokens: u64,
    ) -> Result<Tokens, DoesNotFit> {
        let worst = self.worst(model, prompt_tokens);
        let budget = role.budget();
        let held = self.held.get(&budget).copied().unwrap_or_default();
        let left = self
            .limits
            .of(budget)
            .saturating_sub(self.committed_to(budget))
            .saturating_sub(held);
        let cost = worst.dearest(model);
        let money = self
            .limits
            .cost
            .map(|limit| limit.saturating_sub(self.committed_cost()))
            .filter(|left| cost > *left)
            .map(|left| (cost, left));
        // After an overrun nothing is left, not even for a call that needs no tokens.
        let committed = self.committed_to(budget).saturating_add(held);
        let too_long = committed.saturating_add(worst.total()) > self.limits.of(budget);
        let left_of_run = self
            .limits
            .total
            .map(|limit| limit.saturating_sub(self.committed()))
            .filter(|left| worst.total() > *left);
        if too_long || left_of_run.is_some() || money.is_some() {
            return Err(DoesNotFit {
                budget,
                needs: worst,
                left: left_of_run.unwrap_or(left),
                of_run: left_of_run.is_some(),
                money,
            });
        }
        let entry = Entry {
            role,
            model: model.clone(),
            prompt_tokens,
            tokens: worst,
        };
        self.reserved.insert(id.clone(), entry);
        Ok(worst)
    }

    /// Whether a call of each of these models could be reserved at the same time.
    #[must_use]
    pub fn can_reserve(&self, role: Role, models: &[&ModelSettings], prompt_tokens: u64) -> bool {
        let mut ledger = self.clone();
        let mut reserves = |(index, model): (usize, &&ModelSettings)| {
            let id = AskId(format!("what if/{index}"));
            ledger.reserve(&id, role, model, prompt_tokens).is_ok()
        };
        models.iter().enumerate().all(&mut reserves)
    }

    /// Replaces a call's reservation by its actual usage. A late reply was paid for and is booked
    /// as well, even though its reservation is gone.
    pub fn settle(&mut self, id: &AskId, usage: Usage) {
        let Some(entry) = self
            .reserved
            .remove(id)
            .or_else(|| self.settled.get(id).cloned())
        else {
            return;
        };
        let spent = self.spent.entry(entry.role).or_default();
        spent.calls += 1;
        spent.tokens = spent.tokens.plus(usage.tokens);
        spent.cost_micros = spent
            .cost_micros
            .saturating_add(usage.tokens.cost(&entry.model));
        spent.estimated |= usage.estimated;
        spent.overrun = spent
            .overrun
            .saturating_add(usage.tokens.total().saturating_sub(entry.tokens.total()));
        let retry = entry.prompt_tokens.saturating_add(COMPLAINT_TOKENS);
        let before = self.worst(&entry.model, retry).total();
        if !usage.estimated && entry.prompt_tokens > 0 {
            let seen = usage
                .tokens
                .input
                .saturating_mul(100)
                .div_ceil(entry.prompt_tokens);
            let counted = self.counted.entry(entry.model.name()).or_default();
            *counted = (*counted).max(seen);
        }
        if self.judging_grows && entry.role.budget() == Budget::Judging {
            let more = self
                .worst(&entry.model, retry)
                .total()
                .saturating_sub(before);
            let over = usage.tokens.total().saturating_sub(entry.tokens.total());
            self.limits.judging = self
                .limits
                .judging
                .saturating_add(more)
                .saturating_add(over);
        }
        self.settled.insert(id.clone(), entry);
    }

    /// Counts a reply that was reused from an earlier run, and releases its reservation. It does
    /// not change how the model is seen to count.
    pub fn reuse(&mut self, id: &AskId) {
        if let Some(entry) = self.reserved.get(id) {
            self.spent.entry(entry.role).or_default().reused += 1;
        }
        self.release(id);
    }

    /// Releases the reservation of a call that used nothing.
    pub fn release(&mut self, id: &AskId) {
        if let Some(entry) = self.reserved.remove(id) {
            self.settled.insert(id.clone(), entry);
        }
    }

    /// Tokens spent and reserved.
    #[must_use]
    pub fn committed(&self) -> u64 {
        [Budget::Judging, Budget::Repair, Budget::Writing]
            .into_iter()
            .map(|budget| self.committed_to(budget))
            .fold(0, u64::saturating_add)
    }

    /// Tokens spent and reserved from one budget.
    #[must_use]
    pub fn committed_to(&self, budget: Budget) -> u64 {
        let reserved = self
            .reserved
            .values()
            .filter(|entry| entry.role.budget() == budget)
            .map(|entry| entry.tokens.total());
        let spent = self
            .spent
            .iter()
            .filter(|(role, _)| role.budget() == budget)
            .map(|(_, spent)| spent.tokens.total());
        reserved.chain(spent).fold(0, u64::saturating_add)
    }

    fn committed_cost(&self) -> u64 {
        let reserved = self
            .reserved
            .values()
            .map(|entry| entry.tokens.dearest(&entry.model));
        let spent = self.spent.values().map(|spent| spent.cost_micros);
        reserved.chain(spent).fold(0, u64::saturating_add)
    }

    #[must_use]
    pub fn spent(&self) -> &BTreeMap<Role, Spent> {
        &self.spent
    }

    /// The tokens and the cost of all roles.
    #[must_use]
    pub fn total(&self) -> (Tokens, u64) {
        self.spent
            .values()
            .fold((Tokens::default(), 0), |(tokens, cost), spent| {
                (
                    tokens.plus(spent.tokens),
                    cost.saturating_add(spent.cost_micros),
                )
            })
    }

    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn model(max_tokens: u32) -> ModelSettings {
        ModelSettings {
            provider: "scripted".to_owned(),
            model: "m".to_owned(),
            temperature_hundredths: 0,
            max_tokens,
            price_in: 1_000_000,
            price_out: 2_000_000,
            cache: None,
        }
    }

    fn tokens(input: u64, output: u64) -> Tokens {
        Tokens::new(input, output)
    }

    fn usage(input: u64, output: u64, estimated: bool) -> Usage {
        Usage {
            tokens: tokens(input, output),
            estimated,
        }
    }

    fn id(name: &str) -> AskId {
        AskId(name.to_owned())
    }

    fn ledger(judging: u64, cost: Option<u64>) -> Ledger {
        Ledger::new(Limits {
            judging,
            cost,
            ..Limits::default()
        })
    }

    #[test]
    fn what_does_not_fit_is_not_reserved() {
        let mut ledger = ledger(100, None);
        let reserve = |ledger: &mut Ledger, name, prompt_tokens| {
            ledger.reserve(&id(name), Role::JudgePrimary, &model(10), prompt_tokens)
        };
        assert_eq!(reserve(&mut ledger, "a", 50), Ok(tokens(50, 10)));
        let lack = reserve(&mut ledger, "b", 31).unwrap_err();
        assert_eq!((lack.needs, lack.left), (tokens(31, 10), 40));
        assert_eq!(
            lack.to_string(),
            "asking would need up to 41 tokens, and 40 are left of the budget for judging"
        );
        ledger.settle(&id("a"), usage(30, 0, true));
        assert!(reserve(&mut ledger, "b", 60).is_ok());
        assert_eq!(ledger.committed(), 100);
        ledger.release(&id("b"));
        assert_eq!(ledger.committed(), 30);
    }

    #[test]
    fn after_an_overrun_not_even_a_call_that_needs_nothing_fits() {
        let mut ledger = ledger(100, None);
        let free =
            |ledger: &mut Ledger, name| ledger.reserve(&id(name), Role::JudgePrimary, &model(0), 0);
        assert!(free(&mut ledger, "a").is_ok());
        ledger.settle(&id("a"), usage(101, 0, true));
        assert!(free(&mut ledger, "b").is_err());
    }

    #[test]
    fn money_is_a_limit_of_its_own() {
        let mut ledger = ledger(1_000, Some(50));
        let mut reserve = |prompt| ledger.reserve(&id("a"), Role::JudgePrimary, &model(10), prompt);
        assert_eq!(
            reserve(31).unwrap_err().to_string(),
            "asking could cost $0.000051, and $0.000050 are left of what the run may cost"
        );
        assert!(reserve(30).is_ok());
    }

    #[test]
    fn every_budget_has_its_own_limit() {
        let mut ledger = Ledger::new(Limits {
            judging: 50,
            repair: 50,
            ..Limits::default()
        });
        let mut reserve = |name, role| ledger.reserve(&id(name), role, &model(0), 50).is_ok();
        assert!(reserve("a", Role::JudgePrimary));
        assert!(!reserve("b", Role::SelfReviewer));
        assert!(reserve("c", Role::Patcher));
        assert!(!reserve("d", Role::DeltaJudge));
        assert!(!reserve("e", Role::Planner));
        ledger.allot(Budget::Judging, 20);
        assert_eq!(ledger.limits().judging, 70);
    }

    #[test]
    fn a_budget_that_grows_pays_the_retry_of_a_model_that_counts_more() {
        for (grows, limit) in [(true, None), (false, None), (true, Some(1_500))] {
            let mut ledger = ledger(0, None);
            ledger.limits.total = limit;
            let retry = 100 + COMPLAINT_TOKENS;
            let worst = |ledger: &Ledger, prompt| ledger.worst(&model(50), prompt).total();
            let need = worst(&ledger, 100) + worst(&ledger, retry);
            ledger.allot(Budget::Judging, need);
            if grows {
                ledger.let_judging_grow();
            }
            let mut ask = |name, prompt| {
                ledger
                    .reserve(&id(name), Role::JudgePrimary, &model(50), prompt)
                    .map(|_| ledger.settle(&id(name), usage(2 * prompt, 50, false)))
            };
            ask("a", 100).unwrap();
            // The limit of the run does not grow.
            assert_eq!(ask("b", retry).is_ok(), grows && limit.is_none());
        }
    }

    #[test]
    fn a_late_reply_is_booked() {
        let mut ledger = ledger(100, None);
        ledger
            .reserve(&id("a"), Role::JudgePrimary, &model(10), 10)
            .unwrap();
        ledger.release(&id("a"));
        ledger.settle(&id("a"), usage(10, 25, true));
        let spent = ledger.spent()[&Role::JudgePrimary];
        assert_eq!((spent.tokens, spent.overrun), (tokens(10, 25), 15));
    }

    #[test]
    fn what_a_model_counts_is_learnt_from_what_it_reports() {
        for (used, estimated, expected) in [
            // Our own estimates teach us nothing about the model.
            (70, true, 100),
            (70, false, 77),
            (130, false, 143),
            (0, false, 10),
        ] {
            let mut ledger = ledger(1_000, None);
            ledger
                .reserve(&id("a"), Role::JudgePrimary, &model(0), 100)
                .unwrap();
            ledger.settle(&id("a"), usage(used, 0, estimated));
            assert_eq!(
                ledger.worst(&model(5), 100),
                tokens(expected, 5),
                "{used} {estimated}"
            );
        }
    }

    #[test]
    fn the_room_for_a_prompt_is_what_the_answer_and_a_margin_leave() {
        for (context, answer, seen, expected) in [
            (8_000, 2_000, None, 5_600),
            // A model that counts fewer tokens than estimated gets no more room; one that counts
            // more gets less.
            (8_000, 2_000, Some(70), 5_600),
            (8_000, 2_000, Some(140), 4_000),
            (2_000, 2_000, None, 0),
            (0, 2_000, None, 0),
            (10, 0, None, 9),
        ] {
            let mut ledger = ledger(1_000_000, None);
            if let Some(seen) = seen {
                ledger
                    .reserve(&id("a"), Role::JudgePrimary, &model(answer), 100)
                    .unwrap();
                ledger.settle(&id("a"), usage(seen, 0, false));
            }
            let room = ledger.room(&model(answer), context);
            assert_eq!(room, expected, "{context} {answer} {seen:?}");
        }
    }

    #[test]
    fn money_is_written_as_people_write_it() {
        for (micros, expected) in [
            (0, "0.0000"),
            (51, "0.000051"),
            (9_999, "0.009999"),
            (12_345, "0.0123"),
            (59_162, "0.0592"),
            (999_950, "1.0000"),
            (1_250_000, "1.2500"),
        ] {
            assert_eq!(Dollars(micros).to_string(), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn reservations_never_pass_the_limit(
            limit in 0u64..500,
            calls in proptest::collection::vec((0u64..200, 0u32..200, 0u64..400, any::<bool>(), any::<bool>()), 0..30),
        ) {
            let mut ledger = ledger(limit, Some(limit * 2));
            for (index, (prompt, output, used, answers, estimated)) in calls.into_iter().enumerate() {
                let id = AskId(index.to_string());
                let before = ledger.committed();
                if let Ok(worst) = ledger.reserve(&id, Role::JudgePrimary, &model(output), prompt) {
                    prop_assert!(before + worst.total() <= limit);
                    if answers {
                        ledger.settle(&id, usage(used, 0, estimated));
                    }
                } else {
                    prop_assert_eq!(ledger.committed(), before);
                }
            }
        }
    }
}
