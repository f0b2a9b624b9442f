//! The spending limits of a process over all its runs. Each run also has its own budget (in
//! `redraft-run`).
//!
//! As in a run, the worst case of a call is reserved before it is sent, and the actual usage
//! replaces the reservation. A call that was cancelled after it was sent counts with its prompt,
//! because the provider charges for that.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redraft_run::ask::{Ask, ModelSettings, Tokens, Usage};
use redraft_run::ledger::Dollars;
use serde::Serialize;
use thiserror::Error;
use tokio::sync::Notify;

/// Limits of a process; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Input and output tokens.
    pub tokens: Option<u64>,
    /// Millionths of a dollar.
    pub cost: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProcessSpent {
    /// Calls that used tokens.
    pub calls: u64,
    #[serde(flatten)]
    pub tokens: Tokens,
    /// Millionths of a dollar.
    pub cost_micros: u64,
    /// Whether some of it is our estimate, because a provider gave no count.
    pub estimated: bool,
}

/// Why a call must not be sent. Money is in millionths of a dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum LimitExceeded {
    #[error(
        "this process may use {limit} tokens, of which {left} are left; this call may need {needed}: raise tokens-per-process"
    )]
    Tokens { limit: u64, left: u64, needed: u64 },
    #[error(
        "this process may spend ${}, of which {} is left; this call may cost {}: raise cost-per-process",
        Dollars(*limit), to_the_millionth(*left), to_the_millionth(*needed)
    )]
    Cost { limit: u64, left: u64, needed: u64 },
}

/// Two sums that differ look different, however small they are.
fn to_the_millionth(micros: u64) -> String {
    format!("${}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

#[derive(Debug, Default)]
struct Totals {
    spent: ProcessSpent,
    reserved: u64,
    reserved_cost: u64,
}

#[derive(Debug, Default)]
pub(super) struct Account {
    limits: ProcessLimits,
    totals: Mutex<Totals>,
    /// Notified whenever a reservation is settled.
    settled: Notify,
}

impl Account {
    pub(super) fn new(limits: ProcessLimits) -> Self {
        Self {
            limits,
            totals: Mutex::default(),
            settled: Notify::new(),
        }
    }

    fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn spent(&self) -> ProcessSpent {
        self.totals().spent
    }

    /// Reserves the worst case of a call. If it does not fit only because of open calls, waits for
    /// those, because most use less than their worst case.
    pub(super) async fn reserve(self: &Arc<Self>, ask: &Ask) -> Result<Reservation, LimitExceeded> {
        loop {
            // Subscribe before reading the totals, so that no notification is missed.
            let settled = self.settled.notified();
            if let Some(reservation) = self.reserve_now(ask)? {
                return Ok(reservation);
            }
            settled.await;
        }
    }

    /// `None` if it does not fit only because of open calls.
    fn reserve_now(self: &Arc<Self>, ask: &Ask) -> Result<Option<Reservation>, LimitExceeded> {
        let (worst, cost) = (ask.reserved.total(), ask.reserved.dearest(&ask.model));
        let mut totals = self.totals();
        let over = |limit: Option<u64>, used: u64, worst: u64| {
            limit
                .map(|limit| (limit, limit.saturating_sub(used)))
                .filter(|(_, left)| worst > *left)
        };
        let (tokens, money) = (totals.spent.tokens.total(), totals.spent.cost_micros);
        if let Some((limit, left)) = over(self.limits.tokens, tokens, worst) {
            return Err(LimitExceeded::Tokens {
                limit,
                left,
                needed: worst,
            });
        }
        if let Some((limit, left)) = over(self.limits.cost, money, cost) {
            return Err(LimitExceeded::Cost {
                limit,
                left,
                needed: cost,
            });
        }
        let tokens = tokens.saturating_add(totals.reserved);
        let money = money.saturating_add(totals.reserved_cost);
        let has_to_wait = over(self.limits.tokens, tokens, worst).is_some()
            || over(self.limits.cost, money, cost).is_some();
        if has_to_wait {
            return Ok(None);
        }
        totals.reserved = totals.reserved.saturating_add(worst);
        totals.reserved_cost = totals.reserved_cost.saturating_add(cost);
        Ok(Some(Reservation {
            account: Arc::clone(self),
            model: ask.model.clone(),
            worst: ask.reserved,
            is_out: false,
            is_settled: false,
        }))
    }
}

/// The reservation of a call. Dropping it books the prompt if the request was sent, and releases
/// the rest.
#[derive(Debug)]
pub(super) struct Reservation {
    account: Arc<Account>,
    model: ModelSettings,
    worst: Tokens,
    is_out: bool,
    is_settled: bool,
}

impl Reservation {
    /// Records that the request is sent, so that it costs something from now on.
    pub(super) fn mark_sent(&mut self) {
        self.is_out = true;
    }

    /// Records that the request was free: the provider rejected it or was not reached.
    pub(super) fn mark_free(&mut self) {
        self.is_out = false;
    }

    /// Replaces the reservation by the actual usage.
    pub(super) fn settle(mut self, usage: Usage) {
        self.book(Some(usage));
    }

    fn book(&mut self, usage: Option<Usage>) {
        if std::mem::replace(&mut self.is_settled, true) {
            return;
        }
        let mut totals = self.account.totals();
        totals.reserved = totals.reserved.saturating_sub(self.worst.total());
        totals.reserved_cost = totals
            .reserved_cost
            .saturating_sub(self.worst.dearest(&self.model));
        if let Some(usage) = usage {
            let spent = &mut totals.spent;
            spent.calls += 1;
            spent.tokens = spent.tokens.plus(usage.tokens);
            spent.cost_micros = spent
                .cost_micros
                .saturating_add(usage.tokens.cost(&self.model));
            spent.estimated |= usage.estimated;
        }
        drop(totals);
        self.account.settled.notify_waiters();
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let sent = Usage {
            tokens: Tokens::new(self.worst.input, 0),
            estimated: true,
        };
        self.book(self.is_out.then_some(sent));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixtures;

    fn ask(input: u64, output: u64) -> Ask {
        let model = ModelSettings {
            price_in: 1_000_000,
            price_out: 2_000_000,
            ..fixtures::model()
        };
        Ask {
            model,
            reserved: Tokens::new(input, output),
            ..fixtures::ask("", "")
        }
    }

    fn account(tokens: Option<u64>, cost: Option<u64>) -> Arc<Account> {
        Arc::new(Account::new(ProcessLimits { tokens, cost }))
    }

    fn reserved_now(account: &Arc<Account>, input: u64, output: u64) -> Reservation {
        account.reserve_now(&ask(input, output)).unwrap().unwrap()
    }

    #[test]
    fn a_call_beyond_the_limit_is_rejected_with_the_numbers() {
        let tokens = account(Some(100), None);
        let first = reserved_now(&tokens, 50, 10);
        // An open call may use less than its reservation.
        assert!(tokens.reserve_now(&ask(40, 1)).unwrap().is_none());
        first.settle(Usage {
            tokens: Tokens::new(50, 10),
            estimated: false,
        });
        let refused = tokens.reserve_now(&ask(40, 1)).unwrap_err();
        assert_eq!(
            refused,
            LimitExceeded::Tokens {
                limit: 100,
                left: 40,
                needed: 41
            }
        );
        assert!(tokens.reserve_now(&ask(30, 10)).unwrap().is_some());
        let money = account(None, Some(2_000_000));
        let refused = money.reserve_now(&ask(1_000_000, 600_000)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "this process may spend $2.0000, of which $2.000000 is left; this call may cost $2.200000: raise cost-per-process"
        );
    }

    #[test]
    fn usage_replaces_the_reservation() {
        let account = account(Some(100), None);
        let usage = |input, output| Usage {
            tokens: Tokens::new(input, output),
            estimated: false,
        };
        let mut reservation = reserved_now(&account, 60, 40);
        reservation.mark_sent();
        reservation.settle(usage(20, 10));
        let mut cut = reserved_now(&account, 30, 40);
        cut.mark_sent();
        drop(cut);
        let mut refused = reserved_now(&account, 30, 10);
        refused.mark_sent();
        refused.mark_free();
        drop(refused);
        let spent = account.spent();
        assert_eq!((spent.calls, spent.tokens), (2, Tokens::new(50, 10)));
        assert_eq!(spent.cost_micros, 70);
        assert!(spent.estimated);
        assert!(account.reserve_now(&ask(30, 10)).unwrap().is_some());
    }

    #[test]
    fn a_call_that_does_not_fit_beside_open_calls_waits_for_them() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            // Ten calls that reserve 60 tokens each and use 10. Only one fits at a time.
            let account = account(Some(110), None);
            let mut calls = tokio::task::JoinSet::new();
            for _ in 0..10 {
                let account = Arc::clone(&account);
                calls.spawn(async move {
                    let mut reservation = account.reserve(&ask(40, 20)).await?;
                    reservation.mark_sent();
                    tokio::task::yield_now().await;
                    reservation.settle(Usage {
                        tokens: Tokens::new(8, 2),
                        estimated: false,
                    });
                    Ok::<_, LimitExceeded>(())
                });
            }
            let (mut sent, mut refused) = (0, 0);
            while let Some(call) = calls.join_next().await {
                match call.unwrap() {
                    Ok(()) => sent += 1,
                    Err(why) => {
                        assert!(
                            matches!(why, LimitExceeded::Tokens { left: 50, .. }),
                            "{why}"
                        );
                        refused += 1;
                    }
                }
            }
            assert_eq!((sent, refused), (6, 4));
            assert_eq!(account.spent().tokens.total(), 60);
        });
    }
}
