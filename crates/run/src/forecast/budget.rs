//! Prices calls at their usual and worst size, and charges them to budgets: tokens call by call,
//! money stage by stage, so that the last stages are cut first. Knows no stage by name.

use super::{Amount, Forecast, StageEstimate, StageLimit, TokenBudget};
use crate::ask::{ModelSettings, Role, Tokens};
use crate::ledger::COMPLAINT_TOKENS;

/// The most rounds that are counted, whatever the policy allows.
pub(super) const MOST_ROUNDS: u32 = 100;

/// A call of a role, at its usual and its worst size.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) usual: Tokens,
    model: &'a ModelSettings,
}

impl<'a> Call<'a> {
    /// Uses the profile's usual answer length, if it has one.
    pub(super) fn answering(mut self, output: Option<u32>) -> Self {
        if let Some(output) = output {
            self.usual.output = u64::from(output.min(self.model.max_tokens));
        }
        self
    }

    pub(super) fn of(forecast: &Forecast<'a>, role: Role, usual: Tokens) -> Option<Self> {
        let model = forecast.models.get(&role)?;
        let mut usual = usual;
        let facts = forecast.roles.get(&role);
        if let Some(context) = facts.and_then(|facts| facts.context) {
            // Input that does not fit beside the answer is left out.
            let room = context.saturating_sub(u64::from(model.max_tokens));
            usual.input = usual.input.min(room);
        }
        Some(Self { usual, model })
    }

    /// The size with the longest answer that the model may give.
    pub(super) fn worst(&self) -> Tokens {
        Tokens::new(
            self.usual.input,
            u64::from(self.model.max_tokens).max(self.usual.output),
        )
    }

    /// The same call with a complaint about the first answer.
    fn again(mut self) -> Self {
        self.usual.input = self.usual.input.saturating_add(COMPLAINT_TOKENS);
        self
    }

    pub(super) fn usually(&self, calls: u64) -> Amount {
        let tokens = self.usual.times(calls);
        Amount {
            calls,
            hundredths: calls.saturating_mul(100),
            tokens,
            cost_micros: tokens.cost(self.model),
        }
    }

    /// A fraction of a call in hundredths, if the worst case of one call fits into `room`;
    /// otherwise nothing.
    pub(super) fn hundredths_within(&self, hundredths: u64, room: u64) -> Amount {
        if self.worst().total() > room {
            return Amount::default();
        }
        let share = |tokens: u64| tokens.saturating_mul(hundredths).div_ceil(100);
        let tokens = Tokens::new(share(self.usual.input), share(self.usual.output));
        Amount {
            calls: hundredths.div_ceil(100),
            hundredths,
            tokens,
            cost_micros: tokens.cost(self.model),
        }
    }

    /// The usual size of `calls`, if the worst case of one call fits into `room`; otherwise
    /// nothing.
    pub(super) fn usually_within(&self, calls: u64, room: u64) -> Amount {
        if self.worst().total() <= room {
            self.usually(calls)
        } else {
            Amount::default()
        }
    }

    pub(super) fn at_worst(&self, calls: u64) -> Amount {
        let tokens = self.worst().times(calls);
        Amount {
            calls,
            hundredths: calls.saturating_mul(100),
            tokens,
            // Priced like a reservation.
            cost_micros: tokens.dearest(self.model),
        }
    }
}

pub(super) fn times(amount: Amount, number: u64) -> Amount {
    Amount {
        calls: amount.calls.saturating_mul(number),
        hundredths: amount.hundredths.saturating_mul(number),
        tokens: amount.tokens.times(number),
        cost_micros: amount.cost_micros.saturating_mul(number),
    }
}

/// A budget that pays calls at their worst size.
pub(super) struct TokenPool {
    pub(super) limit: u64,
    left: u64,
    budget: TokenBudget,
}

/// The calls that were requested, and those that fit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paid {
    pub(super) wanted: u64,
    pub(super) amount: Amount,
}

impl Paid {
    pub(super) fn add(&mut self, other: &Self) {
        self.wanted = self.wanted.saturating_add(other.wanted);
        self.amount = self.amount.and(other.amount);
    }
}

impl TokenPool {
    pub(super) fn new(limit: u64, budget: TokenBudget) -> Self {
        Self {
            limit,
            left: limit,
            budget,
        }
    }

    /// The calls of two stages that fit. Every role gets its first try before any gets a second.
    pub(super) fn pay(&mut self, stages: [&[(Call<'_>, u64)]; 2]) -> [Paid; 2] {
        let mut paid = [Paid::default(), Paid::default()];
        for round in 0..MOST_ROUNDS {
            for (stage, paid) in stages.into_iter().zip(&mut paid) {
                for (call, number) in stage {
                    if u64::from(round) >= *number {
                        continue;
                    }
                    paid.wanted += 1;
                    // A second try includes a complaint about the first reply.
                    let call = if round > 0 { call.again() } else { *call };
                    let worst = call.worst().total();
                    if worst <= self.left {
                        self.left -= worst;
                        paid.amount = paid.amount.and(call.at_worst(1));
                    }
                }
            }
        }
        paid
    }

    /// The most calls that are possible. Calls that use less than their worst case leave budget for
    /// others, so more than those that fit at their worst may be sent, as long as there is room for
    /// a prompt. If not even one fits at its worst, none is sent.
    pub(super) fn most(&self, paid: &Paid, least_prompt: u64) -> Amount {
        if paid.amount.calls == 0 {
            return Amount::default();
        }
        let fit = self.limit / least_prompt.max(1);
        let calls = paid.wanted.min(fit).max(paid.amount.calls);
        Amount {
            calls,
            ..paid.amount
        }
    }

    /// The rest of the budget, which the additional calls of [`Self::most`] may use up.
    pub(super) fn rest(&self, call: Call<'_>) -> Amount {
        let mut tokens = call.usual;
        (tokens.input, tokens.output) = (0, self.left);
        Amount {
            calls: 0,
            hundredths: 0,
            tokens,
            cost_micros: tokens.cost(call.model),
        }
    }

    /// The limit that stops calls, if some do not fit.
    pub(super) fn stopped(&self, paid: &Paid) -> Vec<StageLimit> {
        let unpaid = paid.wanted.saturating_sub(paid.amount.calls);
        let stopped = (unpaid > 0).then_some(StageLimit::Tokens {
            budget: self.budget,
            limit: self.limit,
            calls: paid.wanted,
            unpaid,
        });
        stopped.into_iter().collect()
    }
}

/// Applies a cost limit. Earlier stages spend first, so the last ones are cut.
pub(super) fn under_cost_limit(stages: &mut [StageEstimate], limit: Option<u64>) {
    let Some(limit) = limit else {
        return;
    };
    let mut left = limit;
    for stage in stages {
        if stage.worst.cost_micros > left {
            stage.stopped.push(StageLimit::Cost {
                worst_micros: stage.worst.cost_micros,
                left_micros: left,
                limit_micros: limit,
            });
            stage.worst = share(stage.worst, left);
        }
        left = left.saturating_sub(stage.worst.cost_micros);
    }
}

/// As many of an amount's calls as this much money pays for.
fn share(amount: Amount, money: u64) -> Amount {
    let part = |number: u64, of: u64, whole: u64| {
        let part = u128::from(number) * u128::from(of) / u128::from(whole.max(1));
        u64::try_from(part).unwrap_or(u64::MAX)
    };
    let calls = part(amount.calls, money, amount.cost_micros).min(amount.calls);
    let of = |number: u64| part(number, calls, amount.calls);
    Amount {
        calls,
        hundredths: of(amount.hundredths),
        tokens: Tokens::new(of(amount.tokens.input), of(amount.tokens.output)),
        cost_micros: of(amount.cost_micros),
    }
}
