//! What a run may spend, and what it has.
//!
//! Before a call its worst case is reserved; what does not fit is not sent. What
//! was really used takes the place of the reservation. What is promised is
//! about reservations: a provider may count more than anybody expected; then the
//! excess is noted, and later calls have less.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ask::{AskId, ModelSettings, Role, Tokens, Usage};

/// What a run may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Tokens, sent and received.
    pub tokens: u64,
    /// Millionths of a dollar, where there is a limit.
    pub cost: Option<u64>,
}

/// Why a call is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoesNotFit {
    /// What it would need, in tokens.
    pub needs: Tokens,
    /// What is left, in tokens.
    pub left: u64,
}

/// The account of a run.
#[derive(Clone, Debug)]
pub struct Ledger {
    limits: Limits,
    reserved: BTreeMap<AskId, Entry>,
    settled: BTreeMap<AskId, Entry>,
    spent: BTreeMap<Role, Spent>,
}

#[derive(Clone, Debug)]
struct Entry {
    role: Role,
    model: ModelSettings,
    tokens: Tokens,
}

/// What a role has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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
}

impl Ledger {
    /// An account with nothing on it.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            reserved: BTreeMap::new(),
            settled: BTreeMap::new(),
            spent: BTreeMap::new(),
        }
    }

    /// Sets aside the worst case of a call.
    ///
    /// # Errors
    /// When it does not fit into what is left; nothing is set aside then.
    pub fn reserve(
        &mut self,
        id: &AskId,
        role: Role,
        model: &ModelSettings,
        worst: Tokens,
    ) -> Result<(), DoesNotFit> {
        let left = self.limits.tokens.saturating_sub(self.committed());
        let too_dear = self
            .limits
            .cost
            .is_some_and(|limit| self.committed_cost().saturating_add(worst.cost(model)) > limit);
        // After an overrun nothing is left, not even for a call that needs nothing.
        let too_long = self.committed().saturating_add(worst.total()) > self.limits.tokens;
        if too_long || too_dear {
            return Err(DoesNotFit { needs: worst, left });
        }
        let entry = Entry {
            role,
            model: model.clone(),
            tokens: worst,
        };
        self.reserved.insert(id.clone(), entry);
        Ok(())
    }

    /// Books what a call used in the place of what was reserved. What was never
    /// reserved is booked, too: a late reply has been paid for.
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
        spent.tokens.input = spent.tokens.input.saturating_add(usage.tokens.input);
        spent.tokens.output = spent.tokens.output.saturating_add(usage.tokens.output);
        spent.cost_micros = spent
            .cost_micros
            .saturating_add(usage.tokens.cost(&entry.model));
        spent.estimated |= usage.estimated;
        spent.overrun = spent
            .overrun
            .saturating_add(usage.tokens.total().saturating_sub(entry.tokens.total()));
        self.settled.insert(id.clone(), entry);
    }

    /// Gives back what was reserved for a call that used nothing.
    pub fn release(&mut self, id: &AskId) {
        if let Some(entry) = self.reserved.remove(id) {
            self.settled.insert(id.clone(), entry);
        }
    }

    /// Tokens spent and reserved together.
    #[must_use]
    pub fn committed(&self) -> u64 {
        let reserved = self.reserved.values().map(|entry| entry.tokens.total());
        let spent = self.spent.values().map(|spent| spent.tokens.total());
        reserved.chain(spent).fold(0, u64::saturating_add)
    }

    fn committed_cost(&self) -> u64 {
        let reserved = self
            .reserved
            .values()
            .map(|entry| entry.tokens.cost(&entry.model));
        let spent = self.spent.values().map(|spent| spent.cost_micros);
        reserved.chain(spent).fold(0, u64::saturating_add)
    }

    /// What was spent, by role.
    #[must_use]
    pub fn spent(&self) -> &BTreeMap<Role, Spent> {
        &self.spent
    }

    /// What it may spend.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn model() -> ModelSettings {
        ModelSettings {
            provider: "scripted".to_owned(),
            model: "m".to_owned(),
            temperature_hundredths: 0,
            max_tokens: 100,
            price_in: 1_000_000,
            price_out: 2_000_000,
        }
    }

    fn tokens(input: u64, output: u64) -> Tokens {
        Tokens { input, output }
    }

    fn usage(input: u64, output: u64) -> Usage {
        Usage {
            tokens: tokens(input, output),
            estimated: false,
        }
    }

    #[test]
    fn what_does_not_fit_is_not_reserved() {
        let mut ledger = Ledger::new(Limits {
            tokens: 100,
            cost: None,
        });
        let id = |name: &str| AskId(name.to_owned());
        let reserve = |ledger: &mut Ledger, name, total| {
            ledger.reserve(&id(name), Role::JudgePrimary, &model(), tokens(total, 0))
        };
        assert!(reserve(&mut ledger, "a", 60).is_ok());
        assert_eq!(
            reserve(&mut ledger, "b", 41),
            Err(DoesNotFit {
                needs: tokens(41, 0),
                left: 40
            })
        );
        ledger.settle(&id("a"), usage(30, 0));
        assert!(reserve(&mut ledger, "b", 70).is_ok());
        assert_eq!(ledger.committed(), 100);
        ledger.release(&id("b"));
        assert_eq!(ledger.committed(), 30);
    }

    #[test]
    fn after_an_overrun_not_even_a_call_that_needs_nothing_fits() {
        let mut ledger = Ledger::new(Limits {
            tokens: 100,
            cost: None,
        });
        let id = |name: &str| AskId(name.to_owned());
        let free = |ledger: &mut Ledger, name| {
            ledger.reserve(&id(name), Role::JudgePrimary, &model(), tokens(0, 0))
        };
        assert!(free(&mut ledger, "a").is_ok());
        ledger.settle(&id("a"), usage(101, 0));
        assert_eq!(
            free(&mut ledger, "b"),
            Err(DoesNotFit {
                needs: tokens(0, 0),
                left: 0
            })
        );
    }

    #[test]
    fn money_is_a_limit_of_its_own() {
        let mut ledger = Ledger::new(Limits {
            tokens: 1_000,
            cost: Some(50),
        });
        let id = AskId("a".to_owned());
        let dear = ledger.reserve(&id, Role::JudgePrimary, &model(), tokens(31, 10));
        assert!(dear.is_err());
        let cheap = ledger.reserve(&id, Role::JudgePrimary, &model(), tokens(30, 10));
        assert!(cheap.is_ok());
    }

    #[test]
    fn a_late_reply_is_booked() {
        let mut ledger = Ledger::new(Limits {
            tokens: 100,
            cost: None,
        });
        let id = AskId("a".to_owned());
        ledger
            .reserve(&id, Role::JudgePrimary, &model(), tokens(10, 10))
            .unwrap();
        ledger.release(&id);
        ledger.settle(&id, usage(10, 25));
        let spent = ledger.spent()[&Role::JudgePrimary];
        assert_eq!((spent.tokens, spent.overrun), (tokens(10, 25), 15));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn reservations_never_pass_the_limit(
            limit in 0u64..500,
            calls in proptest::collection::vec((0u64..200, 0u64..200, 0u64..400, any::<bool>()), 0..30),
        ) {
            let mut ledger = Ledger::new(Limits { tokens: limit, cost: Some(limit * 2) });
            for (index, (input, output, used, answers)) in calls.into_iter().enumerate() {
                let id = AskId(index.to_string());
                let before = ledger.committed();
                let worst = tokens(input, output);
                if ledger.reserve(&id, Role::JudgePrimary, &model(), worst).is_ok() {
                    prop_assert!(before + worst.total() <= limit);
                    if answers {
                        ledger.settle(&id, usage(used, 0));
                    }
                } else {
                    prop_assert_eq!(ledger.committed(), before);
                }
            }
        }
    }
}
