//! Batches: asks of several concurrent runs, submitted together at half the price and answered
//! within a day.
//!
//! A queue gathers the asks of one provider. When no further one has come for a while, every
//! run waits for a reply, and what was gathered is submitted as one batch (for OpenAI one for
//! each model: it takes no others). Its id is on disk before anything waits for it (`record`);
//! an ask that a batch of an earlier process holds waits for that batch.
//!
//! | event | then |
//! |---|---|
//! | the provider is not reached or rejects the batch | every ask fails, as if it had been sent alone |
//! | the provider asks for patience | submitted again after a pause, [`MOST_SETBACKS`] times |
//! | no answer says whether it arrived, or the process was killed before it came | looked for in the provider's list; submitted again only if it is not there |
//! | the provider has no room for it, as it says later | submitted again once others have ended, or in halves |
//! | it was submitted | looked up again and again, whatever the network does meanwhile |
//! | the provider does not know it or its results any more | its asks are submitted again |
//! | the provider refuses to show it, as with an expired key | every ask fails; the record stays, for it was paid |
//! | it failed as a whole, or every request of it | what the provider rejects is submitted once more (see `calling`); then every ask fails with the provider's reason |
//! | one request of it failed, is missing in its results, or has two that differ | this ask fails |
//! | two runs ask the same | one request; the second run pays nothing |
//!
//! A record is removed when whoever asked has taken all its answers, and the next batch is
//! submitted or the queue is closed: by then the journals hold them.

mod endpoint;
mod failure;
mod polling;
mod record;
mod search;
mod state;
mod wire;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::oneshot;

use super::connection::Api;
pub(super) use endpoint::Endpoint;
pub(super) use failure::BatchFailure;
use failure::{has_perhaps_arrived, passes, unreadable, unwritten};
use record::Record;
pub(super) use state::Delivery;
use state::{QueueState, Waiting};
pub(crate) use wire::params;

/// Where batches are recorded, and how long their queues wait.
#[derive(Clone, Debug)]
pub struct BatchSettings {
    /// The folder of records, beside the journals.
    pub folder: PathBuf,
    /// If no further ask arrives for this long, the collected asks are submitted.
    pub quiet: Duration,
    /// The pause between polls of a batch: initial and maximum.
    pub pauses: (Duration, Duration),
}

impl BatchSettings {
    #[must_use]
    pub fn beside(runs: &Path) -> Self {
        Self {
            folder: runs.join("batches"),
            quiet: Duration::from_secs(2),
            pauses: (Duration::from_secs(5), Duration::from_secs(60)),
        }
    }
}

/// Whether a provider has batches: all with Anthropic's protocol, but of those with OpenAI's
/// protocol only OpenAI itself.
#[must_use]
pub fn is_offered(api: Api, provider: &str, base_url: &str) -> bool {
    match api {
        Api::Anthropic => true,
        // Azure has a query, and a different form of batches.
        Api::OpenAi => provider == "openai" && !base_url.contains('?'),
        Api::Gemini => false,
    }
}

/// The batches of one provider.
pub(super) struct BatchQueue {
    endpoint: Endpoint,
    settings: BatchSettings,
    state: Mutex<QueueState>,
}

/// The longest that a provider's wish for patience is followed.
const LONGEST_PATIENCE: Duration = Duration::from_secs(3_600);

/// After so many a batch is given up: with the usual pauses after an hour.
const MOST_SETBACKS: u32 = 60;

impl BatchQueue {
    pub(super) fn new(endpoint: Endpoint, settings: BatchSettings) -> Arc<Self> {
        Arc::new(Self {
            endpoint,
            settings,
            state: Mutex::default(),
        })
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the answer to a request. It goes into the next batch unless it is part of one
    /// already.
    pub(super) async fn ask(self: &Arc<Self>, custom_id: String, params: Value) -> Delivery {
        let alone = |answer| Delivery {
            answer,
            is_paid: false,
        };
        let (to, from) = oneshot::channel();
        {
            let mut state = self.state();
            if !state.is_open {
                state.is_open = true;
                self.reopen(&mut state);
            }
            if let Some(answer) = state.answers.get(&custom_id).cloned() {
                state.taken(&custom_id);
                return alone(answer);
            }
            if let Some(failure) = state.unread.get(&custom_id) {
                return alone(Err(failure.clone()));
            }
            let waiting = Waiting { params, to };
            if state.submitted.contains(&custom_id) {
                state
                    .waiting
                    .entry(custom_id.clone())
                    .or_default()
                    .push(waiting);
            } else {
                state
                    .gathered
                    .entry(custom_id.clone())
                    .or_default()
                    .push(waiting);
                self.gather(&mut state);
            }
        }
        match from.await {
            Ok(delivery) => {
                // Not before: what was sent to a run that has ended was not taken.
                self.state().taken(&custom_id);
                delivery
            }
            Err(_) => {
                let gone = "the program stopped waiting for the batch".to_owned();
                alone(Err(BatchFailure::Unreachable(gone)))
            }
        }
    }

    /// Resumes polling the batches of earlier processes.
    fn reopen(self: &Arc<Self>, state: &mut QueueState) {
        let endpoint = &self.endpoint;
        let folder = &self.settings.folder;
        for record in Record::all(folder, &endpoint.provider, &endpoint.host) {
            // Nothing was submitted before the file was there.
            if record.batch.is_none() && endpoint.api == Api::OpenAi && record.file.is_none() {
                record.remove(folder);
                continue;
            }
            state.submitted.extend(record.requests.iter().cloned());
            self.follow(state, record);
        }
    }

    /// Waits for a batch; for one that has no id, after it was found.
    fn follow(self: &Arc<Self>, state: &mut QueueState, record: Record) {
        let open = record.requests.iter().cloned().collect();
        state.records.push((record.clone(), open));
        let queue = Arc::clone(self);
        tokio::spawn(async move {
            let record = match record.batch {
                Some(_) => Some(record),
                None => queue.find(record).await,
            };
            if let Some(record) = record {
                queue.wait_for(record).await;
            }
        });
    }

    fn gather(self: &Arc<Self>, state: &mut QueueState) {
        if !state.is_gathering {
            state.is_gathering = true;
            tokio::spawn(Arc::clone(self).submit_what_comes());
        }
    }

    async fn submit_what_comes(self: Arc<Self>) {
        loop {
            let count = |state: &QueueState| state.gathered.values().map(Vec::len).sum::<usize>();
            let mut before = count(&self.state());
            loop {
                tokio::time::sleep(self.settings.quiet).await;
                let now = count(&self.state());
                if now == before || now >= wire::MOST_REQUESTS {
                    break;
                }
                before = now;
            }
            let entries = {
                let mut state = self.state();
                let entries = state.next_batch(self.endpoint.api);
                if entries.is_empty() {
                    state.is_gathering = false;
                    return;
                }
                state.tidy(&self.settings.folder);
                entries
            };
            match self.submit(&entries).await {
                Ok(record) => self.follow(&mut self.state(), record),
                Err(failure) => {
                    let mut state = self.state();
                    for (id, _) in entries {
                        state.fail(&id, &failure);
                    }
                }
            }
        }
    }

    /// Submits a batch. The record of one that may have arrived without an answer has no id.
    async fn submit(&self, entries: &[(String, Value)]) -> Result<Record, BatchFailure> {
        let endpoint = &self.endpoint;
        let mut record = Record {
            provider: endpoint.provider.clone(),
            host: endpoint.host.clone(),
            batch: None,
            file: None,
            requests: entries.iter().map(|(id, _)| id.clone()).collect(),
        };
        let folder = &self.settings.folder;
        // What cannot be found again is not paid for.
        record
            .write(folder)
            .map_err(|error| unwritten(folder, &error))?;
        loop {
            let failure = match self.created(entries, &mut record).await {
                Ok(batch) => {
                    self.state().setbacks = 0;
                    record.batch = Some(batch);
                    // Without its id it is found in the provider's list.
                    let _ = record.write(folder);
                    return Ok(record);
                }
                Err(failure) => failure,
            };
            let was_sent = endpoint.api == Api::Anthropic || record.file.is_some();
            if was_sent && has_perhaps_arrived(&failure) {
                return Ok(record);
            }
            if !passes(&failure) || !self.may_try_again() {
                record.remove(folder);
                return Err(failure);
            }
            tokio::time::sleep(self.pause(&failure)).await;
        }
    }

    /// Counts a batch that could not be submitted.
    fn may_try_again(&self) -> bool {
        let mut state = self.state();
        state.setbacks += 1;
        state.setbacks < MOST_SETBACKS
    }

    /// The pause before a batch is submitted again: longer each time.
    fn pause(&self, failure: &BatchFailure) -> Duration {
        let (first, longest) = self.settings.pauses;
        let doubled = 1u32 << self.state().setbacks.clamp(1, 16).saturating_sub(1);
        let wanted = match failure {
            BatchFailure::Rejected(error) => error.retry_after.unwrap_or_default(),
            _ => 0,
        };
        let usual = first.saturating_mul(doubled).min(longest);
        usual.max(Duration::from_millis(wanted).min(LONGEST_PATIENCE))
    }

    /// The id of a new batch.
    async fn created(
        &self,
        entries: &[(String, Value)],
        record: &mut Record,
    ) -> Result<String, BatchFailure> {
        let endpoint = &self.endpoint;
        let created = if endpoint.api == Api::Anthropic {
            let body = wire::requests(entries).to_string();
            endpoint
                .fetch(endpoint.post("messages/batches", body, None)?)
                .await?
        } else {
            let file = match &record.file {
                Some(file) => file.clone(),
                None => self.uploaded(entries).await?,
            };
            let body = wire::of_file(&file).to_string();
            record.file = Some(file);
            let folder = &self.settings.folder;
            // By the file a batch is found whose id never came.
            record
                .write(folder)
                .map_err(|error| unwritten(folder, &error))?;
            endpoint
                .fetch(endpoint.post("batches", body, None)?)
                .await?
        };
        wire::id(&created).ok_or_else(|| unreadable(&created))
    }

    /// The id of a new file of requests.
    async fn uploaded(&self, entries: &[(String, Value)]) -> Result<String, BatchFailure> {
        let lines = entries.iter().map(|(id, params)| wire::line(id, params));
        let (body, kind) = wire::form(&lines.collect::<String>());
        let file = self.endpoint.post("files", body, Some(&kind))?;
        let file = self.endpoint.fetch(file).await?;
        wire::id(&file).ok_or_else(|| unreadable(&file))
    }
}

impl Drop for BatchQueue {
    fn drop(&mut self) {
        let folder = self.settings.folder.clone();
        self.state().tidy(&folder);
    }
}
