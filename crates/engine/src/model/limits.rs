//! What a process may spend over all its runs. A run keeps its own budget (in
//! core); this one stands above them, for whoever starts a thousand of them.
//!
//! As with a run, the worst case of a call is reserved before it is sent, and
//! what was used takes its place. A call that was given up after it was sent is
//! counted with what it sent: the provider will charge for that much.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redraft_run::ask::{Ask, ModelSettings, Tokens, Usage};
use serde::Serialize;
use tokio::sync::Notify;

/// What a process may spend. `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Tokens, sent and received.
    pub tokens: Option<u64>,
    /// Millionths of a dollar.
    pub cost: Option<u64>,
}

/// What a process has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProcessSpent {
    /// Calls that used something.
    pub calls: u64,
    /// Tokens.
    #[serde(flatten)]
    pub tokens: Tokens,
    /// Millionths of a dollar.
    pub cost_micros: u64,
    /// Whether some of it is our count and not the provider's.
    pub estimated: bool,
}

#[derive(Debug, Default)]
struct Books {
    spent: ProcessSpent,
    reserved: u64,
    reserved_cost: u64,
}

/// The account of a process.
#[derive(Debug, Default)]
pub(super) struct Account {
    limits: ProcessLimits,
    books: Mutex<Books>,
    /// Told whenever something that was set aside is settled.
    settled: Notify,
}

impl Account {
    pub(super) fn new(limits: ProcessLimits) -> Self {
        Self {
            limits,
            books: Mutex::default(),
            settled: Notify::new(),
        }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn spent(&self) -> ProcessSpent {
        self.books().spent
    }

    /// Sets aside the worst case of a call, or says why it may not be sent. Where it
    /// only does not fit beside the calls that are out, those are waited for: most use
    /// less than their worst case.
    pub(super) async fn reserve(self: &Arc<Self>, ask: &Ask) -> Result<Booking, String> {
        loop {
            // Before the books are looked at, so that nothing is missed.
            let settled = self.settled.notified();
            if let Some(booking) = self.reserve_now(ask)? {
                return Ok(booking);
            }
            settled.await;
        }
    }

    /// `None` where it would fit but for the calls that are out.
    fn reserve_now(self: &Arc<Self>, ask: &Ask) -> Result<Option<Booking>, String> {
        let (worst, cost) = (ask.reserved.total(), ask.reserved.cost(&ask.model));
        let mut books = self.books();
        let over = |limit: Option<u64>, used: u64, worst: u64| {
            limit
                .map(|limit| (limit, limit.saturating_sub(used)))
                .filter(|(_, left)| worst > *left)
        };
        let (tokens, money) = (books.spent.tokens.total(), books.spent.cost_micros);
        if let Some((limit, left)) = over(self.limits.tokens, tokens, worst) {
            return Err(format!(
                "the limit of this process is {limit} tokens, and {left} are left; this call may need {worst}: raise the limit"
            ));
        }
        if let Some((limit, left)) = over(self.limits.cost, money, cost) {
            return Err(format!(
                "the limit of this process is {}, and {} is left; this call may cost {}: raise the limit",
                dollars(limit),
                dollars(left),
                dollars(cost)
            ));
        }
        let tokens = tokens.saturating_add(books.reserved);
        let money = money.saturating_add(books.reserved_cost);
        let has_to_wait = over(self.limits.tokens, tokens, worst).is_some()
            || over(self.limits.cost, money, cost).is_some();
        if has_to_wait {
            return Ok(None);
        }
        books.reserved = books.reserved.saturating_add(worst);
        books.reserved_cost = books.reserved_cost.saturating_add(cost);
        Ok(Some(Booking {
            account: Arc::clone(self),
            model: ask.model.clone(),
            worst: ask.reserved,
            is_out: false,
            is_settled: false,
        }))
    }
}

fn dollars(micros: u64) -> String {
    format!("${}.{:04}", micros / 1_000_000, micros % 1_000_000 / 100)
}

/// What was set aside for a call. Dropping it gives it back, but for what was
/// sent.
#[derive(Debug)]
pub(super) struct Booking {
    account: Arc<Account>,
    model: ModelSettings,
    worst: Tokens,
    is_out: bool,
    is_settled: bool,
}

impl Booking {
    /// The request goes out: from now on it costs something.
    pub(super) fn sent(&mut self) {
        self.is_out = true;
    }

    /// The provider refused, or was never reached: it cost nothing.
    pub(super) fn free(&mut self) {
        self.is_out = false;
    }

    /// Books what was used in the place of what was set aside.
    pub(super) fn settle(mut self, usage: Usage) {
        self.book(Some(usage));
    }

    fn book(&mut self, usage: Option<Usage>) {
        if std::mem::replace(&mut self.is_settled, true) {
            return;
        }
        let mut books = self.account.books();
        books.reserved = books.reserved.saturating_sub(self.worst.total());
        books.reserved_cost = books
            .reserved_cost
            .saturating_sub(self.worst.cost(&self.model));
        if let Some(usage) = usage {
            let spent = &mut books.spent;
            spent.calls += 1;
            spent.tokens.input = spent.tokens.input.saturating_add(usage.tokens.input);
            spent.tokens.output = spent.tokens.output.saturating_add(usage.tokens.output);
            spent.cost_micros = spent
                .cost_micros
                .saturating_add(usage.tokens.cost(&self.model));
            spent.estimated |= usage.estimated;
        }
        drop(books);
        self.account.settled.notify_waiters();
    }
}

impl Drop for Booking {
    fn drop(&mut self) {
        let sent = Usage {
            tokens: Tokens {
                input: self.worst.input,
                output: 0,
            },
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
            reserved: Tokens { input, output },
            ..fixtures::ask("", "")
        }
    }

    fn account(tokens: Option<u64>, cost: Option<u64>) -> Arc<Account> {
        Arc::new(Account::new(ProcessLimits { tokens, cost }))
    }

    fn booked(account: &Arc<Account>, input: u64, output: u64) -> Booking {
        account.reserve_now(&ask(input, output)).unwrap().unwrap()
    }

    #[test]
    fn what_would_pass_the_limit_is_refused_in_words() {
        let tokens = account(Some(100), None);
        let first = booked(&tokens, 50, 10);
        // What is out may use less than was set aside for it.
        assert!(tokens.reserve_now(&ask(40, 1)).unwrap().is_none());
        first.settle(Usage {
            tokens: Tokens {
                input: 50,
                output: 10,
            },
            estimated: false,
        });
        let refused = tokens.reserve_now(&ask(40, 1)).unwrap_err();
        assert!(refused.contains("100 tokens, and 40 are left"), "{refused}");
        assert!(tokens.reserve_now(&ask(30, 10)).unwrap().is_some());
        let money = account(None, Some(2_000_000));
        let refused = money.reserve_now(&ask(1_000_000, 600_000)).unwrap_err();
        assert!(refused.contains("$2.0000"), "{refused}");
        assert!(refused.contains("may cost $2.2000"), "{refused}");
    }

    #[test]
    fn what_was_used_takes_the_place_of_what_was_reserved() {
        let account = account(Some(100), None);
        let usage = |input, output| Usage {
            tokens: Tokens { input, output },
            estimated: false,
        };
        let mut booking = booked(&account, 60, 40);
        booking.sent();
        booking.settle(usage(20, 10));
        let mut cut = booked(&account, 30, 40);
        cut.sent();
        drop(cut);
        let mut refused = booked(&account, 30, 10);
        refused.sent();
        refused.free();
        drop(refused);
        let spent = account.spent();
        assert_eq!(
            (spent.calls, spent.tokens),
            (
                2,
                Tokens {
                    input: 50,
                    output: 10
                }
            )
        );
        assert_eq!(spent.cost_micros, 70);
        assert!(spent.estimated);
        assert!(account.reserve_now(&ask(30, 10)).unwrap().is_some());
    }

    #[test]
    fn what_does_not_fit_beside_others_waits_for_them() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            // Ten calls that may need 60 tokens each and use 10; room for one at a time.
            let account = account(Some(110), None);
            let mut calls = tokio::task::JoinSet::new();
            for _ in 0..10 {
                let account = Arc::clone(&account);
                calls.spawn(async move {
                    let mut booking = account.reserve(&ask(40, 20)).await?;
                    booking.sent();
                    tokio::task::yield_now().await;
                    booking.settle(Usage {
                        tokens: Tokens {
                            input: 8,
                            output: 2,
                        },
                        estimated: false,
                    });
                    Ok::<_, String>(())
                });
            }
            let (mut sent, mut refused) = (0, 0);
            while let Some(call) = calls.join_next().await {
                match call.unwrap() {
                    Ok(()) => sent += 1,
                    Err(why) => {
                        assert!(why.contains("50 are left"), "{why}");
                        refused += 1;
                    }
                }
            }
            assert_eq!((sent, refused), (6, 4));
            assert_eq!(account.spent().tokens.total(), 60);
        });
    }
}
