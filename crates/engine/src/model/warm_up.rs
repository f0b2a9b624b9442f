//! Cache warm-up: of several asks with the same prefix, the first is sent alone until its response
//! begins; the others wait and then find the prefix in the provider's cache. Otherwise the first
//! calls of a folder, sent together, would all pay the full price.
//!
//! | the prefix of an ask | then |
//! |---|---|
//! | the model has no cache, or the prefix is too short for it | sent at once |
//! | never sent, or not within the lifetime of caches | sent at once; others wait for it |
//! | being sent for the first time | waits until the response begins, the call fails or is cancelled, or [`LONGEST_WAIT`] has passed |
//! | sent before | sent at once |
//!
//! Asks wait only once: if the first call fails, all others are sent. This affects only when a call
//! is sent, never what is asked or decided.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redraft_run::ask::Ask;
use redraft_run::token_estimate::usual_tokens;
use sha2::{Digest as _, Sha256};
use tokio::sync::watch;
use tokio::time::Instant;

/// A run has a few minutes in all; the first bytes of a judge's response take seconds.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// How long an unused entry stays in the providers' caches.
const LIFETIME: Duration = Duration::from_secs(300);

type Key = [u8; 32];

/// The prefixes that were sent to a provider.
#[derive(Debug, Default)]
pub(super) struct WarmUps {
    beginnings: Mutex<BTreeMap<Key, Warmth>>,
}

#[derive(Debug)]
enum Warmth {
    /// Closed when the first call begins to be answered, or ends.
    Warming(watch::Receiver<()>),
    LastSent(Instant),
}

impl WarmUps {
    fn beginnings(&self) -> MutexGuard<'_, BTreeMap<Key, Warmth>> {
        self.beginnings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until an ask may be sent. The first of several asks with the same prefix gets a guard,
    /// and the others continue when it is dropped.
    pub(super) async fn turn(self: &Arc<Self>, ask: &Ask) -> Option<FirstCall> {
        let key = key(ask)?;
        let mut waits = {
            let mut beginnings = self.beginnings();
            match beginnings.get_mut(&key) {
                Some(Warmth::Warming(first)) => first.clone(),
                Some(Warmth::LastSent(last)) if last.elapsed() < LIFETIME => {
                    *last = Instant::now();
                    return None;
                }
                _ => {
                    let (open, waits) = watch::channel(());
                    beginnings.insert(key, Warmth::Warming(waits));
                    return Some(FirstCall {
                        warm_ups: Arc::clone(self),
                        key,
                        _open: open,
                    });
                }
            }
        };
        // No value is ever sent: the wait ends when the sender is dropped.
        let _ = tokio::time::timeout(LONGEST_WAIT, waits.changed()).await;
        None
    }
}

/// The first call with a prefix. Dropping it releases the others.
#[derive(Debug)]
pub(super) struct FirstCall {
    warm_ups: Arc<WarmUps>,
    key: Key,
    _open: watch::Sender<()>,
}

impl Drop for FirstCall {
    fn drop(&mut self) {
        let warm = Warmth::LastSent(Instant::now());
        self.warm_ups.beginnings().insert(self.key, warm);
    }
}

/// Hash of the model and the constant part of an ask; `None` if that is not cached.
fn key(ask: &Ask) -> Option<Key> {
    let least = ask.model.cache?.least_tokens;
    let system = &ask.prompt.system;
    let schema = ask.schema.as_ref().map_or("", |schema| schema.text());
    if usual_tokens(system).saturating_add(usual_tokens(schema)) < least {
        return None;
    }
    let mut hash = Sha256::new();
    for part in [ask.model.model.as_str(), schema, system] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    Some(hash.finalize().into())
}

#[cfg(test)]
mod tests {
    use redraft_run::ask::CacheTerms;

    use super::*;
    use crate::model::fixtures;

    fn ask(system: &str, least_tokens: Option<u64>) -> Ask {
        let mut ask = fixtures::ask(system, "a text");
        ask.model.cache = least_tokens.map(|least_tokens| CacheTerms {
            least_tokens,
            price_read: 0,
            price_write: 0,
        });
        ask
    }

    fn paused(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap()
            .block_on(test);
    }

    #[test]
    fn others_wait_for_the_first_and_go_on_when_it_ends_however_it_ends() {
        paused(async {
            let warm_ups = Arc::new(WarmUps::default());
            let long = "word ".repeat(100);
            let first = warm_ups.turn(&ask(&long, Some(50))).await;
            assert!(first.is_some());
            let (other, asked) = (Arc::clone(&warm_ups), ask(&long, Some(50)));
            let waiting = tokio::spawn(async move { other.turn(&asked).await.is_none() });
            tokio::time::sleep(Duration::from_secs(1)).await;
            assert!(!waiting.is_finished());
            drop(first);
            assert!(waiting.await.unwrap());
            // And nobody waits any more.
            let began = Instant::now();
            assert!(warm_ups.turn(&ask(&long, Some(50))).await.is_none());
            assert_eq!(began.elapsed(), Duration::ZERO);
        });
    }

    #[test]
    fn a_first_call_that_hangs_holds_nobody_for_long() {
        paused(async {
            let warm_ups = Arc::new(WarmUps::default());
            let long = "word ".repeat(100);
            let _first = warm_ups.turn(&ask(&long, Some(50))).await;
            let began = Instant::now();
            assert!(warm_ups.turn(&ask(&long, Some(50))).await.is_none());
            assert_eq!(began.elapsed(), LONGEST_WAIT);
        });
    }

    #[test]
    fn nothing_waits_where_nothing_is_cached_or_begins_otherwise() {
        paused(async {
            let warm_ups = Arc::new(WarmUps::default());
            let long = "word ".repeat(100);
            let _first = warm_ups.turn(&ask(&long, Some(50))).await;
            let began = Instant::now();
            for other in [ask(&long, None), ask("short", Some(50))] {
                assert!(warm_ups.turn(&other).await.is_none());
            }
            let _second = warm_ups.turn(&ask(&format!("{long}!"), Some(50))).await;
            let mut model = ask(&long, Some(50));
            model.model.model = "another".to_owned();
            let third = warm_ups.turn(&model).await;
            assert!(third.is_some());
            assert_eq!(began.elapsed(), Duration::ZERO);
        });
    }

    #[test]
    fn a_cache_that_has_been_idle_for_too_long_is_warmed_again() {
        paused(async {
            let warm_ups = Arc::new(WarmUps::default());
            let long = ask(&"word ".repeat(100), Some(50));
            drop(warm_ups.turn(&long).await);
            tokio::time::sleep(LIFETIME - Duration::from_secs(1)).await;
            assert!(warm_ups.turn(&long).await.is_none());
            tokio::time::sleep(LIFETIME - Duration::from_secs(1)).await;
            assert!(warm_ups.turn(&long).await.is_none(), "used meanwhile");
            tokio::time::sleep(LIFETIME).await;
            assert!(warm_ups.turn(&long).await.is_some());
        });
    }
}
