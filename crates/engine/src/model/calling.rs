//! Handles one ask to one provider, until there is a reply or a failure.
//!
//! | event | here | in the run |
//! |---|---|---|
//! | no connection (refused, unknown host) | retried after a pause, `connect_retries` times | asks again, then uses the fallback |
//! | the server is still loading the model | retried until `deadline` has passed; then the call has its own deadline | does not notice |
//! | the provider rejects a parameter | changed (see `quirks`) and sent again at once | does not notice |
//! | anything else | a failure | asks again if it may be temporary, then uses the fallback |
//! | batches are enabled and the provider offers them | collected by its queue (see `batch`) | does not notice |
//!
//! Only requests that were certainly not processed are retried here. A run reserves the worst case
//! of every try before it is sent, so retrying anything that may have cost something would exceed
//! the reservation.
//!
//! Each provider has a number of slots. A call waits for the provider's cache first (see
//! `warm_up`), then for a slot, and only then does its deadline start.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::Duration;

use redraft_run::ask::{Ask, CallFailure, FailureKind, Finish, Reply, Usage};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use super::batch::{self, BatchFailure, BatchQueue, Delivery};
use super::call;
use super::connection::Secret;
use super::failure::{CallError, ProviderError, Target, failure, permanent};
use super::limits::{Account, Reservation};
use super::provider::Provider;
use super::providers::Timeouts;
use super::quirks::Quirks;
use super::stream_state::StreamState;

/// One ask to one provider.
pub(super) struct Call {
    pub(super) provider: Arc<Provider>,
    pub(super) timeouts: Timeouts,
    pub(super) account: Arc<Account>,
    pub(super) ask: Ask,
}

impl Call {
    pub(super) async fn run(self) -> Result<Reply, CallFailure> {
        let model = self.ask.model.model.as_str();
        let url = self.provider.url(model)?;
        // Before taking a slot, so that no waiting call holds one.
        let mut first_call = self.provider.warm_ups.turn(&self.ask).await;
        // The semaphore is never closed.
        let _slot = self.provider.slots.acquire().await;
        let mut reservation = self.reserve().await?;
        let began = Instant::now();
        let mut deadline = began + self.timeouts.deadline;
        let loaded_by = deadline;
        let mut attempt = 0;
        loop {
            let quirks = self.provider.quirks(model);
            let request = self
                .provider
                .client
                .post(url.clone())
                .headers(self.provider.headers.clone())
                .body(self.provider.body(&self.ask, quirks)?);
            let mut state = StreamState {
                first_call: first_call.take(),
                ..StreamState::default()
            };
            reservation.mark_sent();
            let (api, stall) = (self.provider.connection.api, self.timeouts.stall);
            let exchange = call::exchange(request, api, stall, &mut state);
            let error = match tokio::time::timeout_at(deadline, exchange).await {
                Ok(Ok(())) => {
                    let reply = self.reply(state, began);
                    reservation.settle(reply.usage);
                    return Ok(reply);
                }
                Ok(Err(error)) => error,
                Err(_) => CallError::DeadlineExceeded(self.timeouts.deadline),
            };
            first_call = state.first_call.take();
            match &error {
                CallError::Unreachable(_) => {
                    reservation.mark_free();
                    let next = Instant::now() + back_off(&self.ask, attempt);
                    if attempt < self.timeouts.connect_retries && next < deadline {
                        attempt += 1;
                        tokio::time::sleep_until(next).await;
                        continue;
                    }
                }
                CallError::Rejected(rejection) if !state.began => {
                    reservation.mark_free();
                    if self.learns(quirks, rejection) {
                        continue;
                    }
                    let next = Instant::now() + loading_pause(rejection);
                    if rejection.is_loading() && next < loaded_by {
                        tokio::time::sleep_until(next).await;
                        deadline = next + self.timeouts.deadline;
                        continue;
                    }
                }
                _ => {}
            }
            // The provider worked on a call that was cut off or took too long, and charges for it.
            let is_charged = state.began
                || matches!(
                    error,
                    CallError::Stalled(_) | CallError::DeadlineExceeded(_)
                );
            let usage = is_charged.then(|| self.usage(&state));
            match usage {
                Some(usage) => reservation.settle(usage),
                None => reservation.mark_free(),
            }
            return Err(failure(&self.target(), &error, usage));
        }
    }

    /// Sends the ask as part of a batch. Only polling the batch has a deadline.
    pub(super) async fn in_batch(self, queue: Arc<BatchQueue>) -> Result<Reply, CallFailure> {
        let model = self.ask.model.model.as_str();
        let mut reservation = self.reserve().await?;
        let began = Instant::now();
        let api = self.provider.connection.api;
        let mut is_second = false;
        loop {
            let quirks = self.provider.quirks(model);
            let body = self.provider.body(&self.ask, quirks)?;
            let params = batch::params(&body).map_err(|error| permanent(error.to_string()))?;
            reservation.mark_sent();
            let Delivery { answer, is_paid } = queue.ask(custom_id(&self.ask, &body), params).await;
            let mut state = StreamState::default();
            let is_batch_at_fault = matches!(
                &answer,
                Err(BatchFailure::RejectedWithAll(error)) if error.status == Some(400)
            );
            let read = match answer {
                Ok(response) => call::read_whole(api, &mut state, &response),
                Err(BatchFailure::Unreachable(why) | BatchFailure::Unanswered(why)) => {
                    Err(CallError::Unreachable(why))
                }
                Err(BatchFailure::Rejected(error) | BatchFailure::RejectedWithAll(error)) => {
                    Err(CallError::Rejected(error))
                }
            };
            let Err(error) = read else {
                let reply = self.reply(state, began);
                if is_paid {
                    reservation.mark_free();
                    return Ok(reply.paid_already());
                }
                reservation.settle(reply.usage);
                return Ok(reply);
            };
            if let CallError::Rejected(rejection) = &error
                && self.learns(quirks, rejection)
            {
                continue;
            }
            let usage = (state.began && !is_paid).then(|| self.usage(&state));
            let failed = failure(&self.target(), &error, usage);
            // Nothing was paid. The fallback, which may be dearer, is for asks that fail again.
            if is_batch_at_fault && failed.kind == FailureKind::Permanent && !is_second {
                is_second = true;
                continue;
            }
            match usage {
                Some(usage) => reservation.settle(usage),
                None => reservation.mark_free(),
            }
            return Err(failed);
        }
    }

    async fn reserve(&self) -> Result<Reservation, CallFailure> {
        let reserved = self.account.reserve(&self.ask).await;
        reserved.map_err(|why| CallFailure {
            kind: FailureKind::OverBudget,
            ..permanent(format!("{}: {why}", self.ask.model.name()))
        })
    }

    /// Whether a rejection shows how to send the request instead.
    fn learns(&self, quirks: Quirks, rejection: &ProviderError) -> bool {
        let said = format!("{} {}", rejection.names, rejection.message);
        let learnt = matches!(rejection.status, Some(400 | 404 | 422))
            .then(|| quirks.learn(self.provider.connection.api, &self.ask, &said))
            .flatten();
        if let Some(learnt) = learnt {
            self.provider.remember(&self.ask.model.model, learnt);
        }
        learnt.is_some()
    }

    fn usage(&self, state: &StreamState) -> Usage {
        let prompt = &self.ask.prompt;
        let schema = self.ask.schema.as_ref().map_or("", |schema| schema.text());
        let sent = [prompt.system.as_str(), &prompt.user, schema];
        state.usage(&sent, self.ask.model.max_tokens)
    }

    fn target(&self) -> Target<'_> {
        Target {
            provider: &self.provider.connection.name,
            model: &self.ask.model.model,
            host: &self.provider.host,
            key: self.provider.connection.key.as_ref(),
        }
    }

    fn reply(&self, mut state: StreamState, began: Instant) -> Reply {
        let usage = self.usage(&state);
        let mut finish = state.end();
        if self.ask.schema.is_none() && state.tools > 0 {
            // No tool was offered.
            finish = Finish::Unknown;
        }
        if !state.refusal.is_empty() {
            // The model declined, whatever else it says.
            state.text = state.refusal;
            finish = Finish::Refusal;
        }
        let said = state.text.len();
        let text = self.without_key(state.text);
        // Text that repeats the key must not be published. A verdict is read without it.
        if self.ask.schema.is_none() && text.len() != said {
            finish = Finish::Unknown;
        }
        Reply {
            text,
            finish,
            usage,
            took: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            reused: false,
        }
    }

    /// A server may repeat what it was sent. The key must not get into a journal.
    fn without_key(&self, text: String) -> String {
        // A key that is a plain word, as with local servers, must not change a reply.
        const SHORTEST: usize = 8;
        const LONGEST_WORD: usize = 16;
        let is_secret = |key: &&Secret| {
            let key = key.expose();
            let is_word = key.bytes().all(|byte| byte.is_ascii_lowercase());
            key.len() >= SHORTEST && (!is_word || key.len() >= LONGEST_WORD)
        };
        let key = self.provider.connection.key.as_ref();
        match key.filter(is_secret) {
            Some(key) => Secret::redact(key, text),
            None => text,
        }
    }
}

/// The id of a request in a batch. It is the same for the same question of the same step, so that a
/// resumed run finds its answer.
fn custom_id(ask: &Ask, body: &[u8]) -> String {
    let mut hash = Sha256::new();
    for part in [
        ask.id.0.as_bytes(),
        ask.content.to_string().as_bytes(),
        body,
    ] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let hash = hash.finalize();
    hash.iter()
        .take(20)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The pause before asking again whether the server has loaded the model.
fn loading_pause(rejection: &ProviderError) -> Duration {
    const USUAL: u64 = 1_000;
    const LONGEST: u64 = 10_000;
    Duration::from_millis(rejection.retry_after.unwrap_or(USUAL).clamp(1, LONGEST))
}

/// The pause before the next attempt to connect: increasing, and different for each ask. It depends
/// on the ask alone, so it is reproducible.
fn back_off(ask: &Ask, attempt: u32) -> Duration {
    let mut hasher = DefaultHasher::new();
    (&ask.id.0, &ask.fingerprint.0, attempt).hash(&mut hasher);
    let base = 200u64 << attempt.min(6);
    Duration::from_millis(base / 2 + hasher.finish() % base)
}
