//! Batches: asks of several concurrent runs, submitted together at half the price and answered
//! within a day.
//!
//! A queue collects the asks of one provider. If no further ask arrives for a while, every run is
//! waiting for a reply, and the collected asks are submitted as one batch. The batch id is written
//! to disk before anything waits for it (`record`). An ask that is part of a batch of an earlier
//! process waits for that batch.
//!
//! | event | then |
//! |---|---|
//! | the batch cannot be submitted | every ask fails, as if it had been sent alone |
//! | the batch was submitted | it is polled, whatever happens to the network |
//! | the provider no longer knows the batch or its results | its asks are submitted again |
//! | the provider denies access, for example because a key has expired | every ask fails; the record stays, because the batch was paid for |
//! | the batch failed as a whole | every ask fails with the provider's reason |
//! | a request in it failed, or is missing from the results | its ask fails |
//!
//! A record is removed when all its answers were delivered and the next batch is submitted or the
//! queue is closed. By then the journals contain the answers.

mod record;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Url};
use serde_json::Value;
use tokio::sync::oneshot;

use super::connection::Api;
use super::failure::ProviderError;
use record::Record;
use wire::Status;
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
    pub fn beside(runs: &std::path::Path) -> Self {
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

/// Why an ask has no response.
#[derive(Clone, Debug)]
pub(super) enum BatchFailure {
    Unreachable(String),
    Rejected(ProviderError),
}

pub(super) type Answer = Result<Arc<Vec<u8>>, BatchFailure>;

/// Connection details of a provider.
pub(super) struct Line {
    pub(super) api: Api,
    pub(super) provider: String,
    pub(super) host: String,
    pub(super) client: Client,
    /// Ends with a slash.
    pub(super) base: Url,
    pub(super) headers: HeaderMap,
    pub(super) timeout: Duration,
}

/// The batches of one provider.
pub(super) struct BatchQueue {
    line: Line,
    settings: BatchSettings,
    shelf: Mutex<Shelf>,
}

/// A waiting ask, with the request to submit again if its batch is gone.
struct Waiting {
    params: Value,
    to: oneshot::Sender<Answer>,
}

#[derive(Default)]
struct Shelf {
    /// Whether the records of earlier processes were read.
    is_open: bool,
    is_gathering: bool,
    /// Not submitted yet.
    gathered: BTreeMap<String, Vec<Waiting>>,
    /// Submitted, not answered yet.
    waiting: BTreeMap<String, Vec<Waiting>>,
    /// Requests of batches that are being polled.
    submitted: BTreeSet<String>,
    /// Answers whose runs have not been resumed yet.
    answers: BTreeMap<String, Answer>,
    /// Requests of batches that were paid for but cannot be read now.
    unread: BTreeMap<String, BatchFailure>,
    /// Batches with their undelivered requests.
    records: Vec<(Record, BTreeSet<String>)>,
}

impl BatchQueue {
    pub(super) fn new(line: Line, settings: BatchSettings) -> Arc<Self> {
        Arc::new(Self {
            line,
            settings,
            shelf: Mutex::default(),
        })
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the answer to a request. It goes into the next batch unless it is part of one
    /// already.
    pub(super) async fn ask(self: &Arc<Self>, custom_id: String, params: Value) -> Answer {
        let (to, from) = oneshot::channel();
        {
            let mut shelf = self.shelf();
            if !shelf.is_open {
                shelf.is_open = true;
                self.reopen(&mut shelf);
            }
            if let Some(answer) = shelf.answers.remove(&custom_id) {
                shelf.delivered(&custom_id);
                return answer;
            }
            if let Some(failure) = shelf.unread.get(&custom_id) {
                return Err(failure.clone());
            }
            let waiting = Waiting { params, to };
            if shelf.submitted.contains(&custom_id) {
                shelf.waiting.entry(custom_id).or_default().push(waiting);
            } else {
                shelf.gathered.entry(custom_id).or_default().push(waiting);
                self.gather(&mut shelf);
            }
        }
        let gone = "the program stopped waiting for the batch".to_owned();
        from.await.unwrap_or(Err(BatchFailure::Unreachable(gone)))
    }

    /// Resumes polling the batches of earlier processes.
    fn reopen(self: &Arc<Self>, shelf: &mut Shelf) {
        let line = &self.line;
        for record in Record::all(&self.settings.folder, &line.provider, &line.host) {
            shelf.submitted.extend(record.requests.iter().cloned());
            let open = record.requests.iter().cloned().collect();
            shelf.records.push((record.clone(), open));
            tokio::spawn(Arc::clone(self).wait_for(record));
        }
    }

    fn gather(self: &Arc<Self>, shelf: &mut Shelf) {
        if !shelf.is_gathering {
            shelf.is_gathering = true;
            tokio::spawn(Arc::clone(self).submit_what_comes());
        }
    }

    async fn submit_what_comes(self: Arc<Self>) {
        loop {
            let count = |shelf: &Shelf| shelf.gathered.values().map(Vec::len).sum::<usize>();
            let mut before = count(&self.shelf());
            loop {
                tokio::time::sleep(self.settings.quiet).await;
                let now = count(&self.shelf());
                if now == before || now >= wire::MOST_REQUESTS {
                    break;
                }
                before = now;
            }
            let entries = {
                let mut shelf = self.shelf();
                let entries = shelf.next_batch();
                if entries.is_empty() {
                    shelf.is_gathering = false;
                    return;
                }
                shelf.tidy(&self.settings.folder);
                entries
            };
            match self.submit(&entries).await {
                Ok(record) => {
                    let mut shelf = self.shelf();
                    let open = record.requests.iter().cloned().collect();
                    shelf.records.push((record.clone(), open));
                    tokio::spawn(Arc::clone(&self).wait_for(record));
                }
                Err(failure) => {
                    let mut shelf = self.shelf();
                    for (id, _) in entries {
                        shelf.submitted.remove(&id);
                        shelf.answer(&id, &Err(failure.clone()));
                    }
                }
            }
        }
    }

    async fn submit(&self, entries: &[(String, Value)]) -> Result<Record, BatchFailure> {
        let line = &self.line;
        let mut record = Record {
            provider: line.provider.clone(),
            host: line.host.clone(),
            batch: None,
            requests: entries.iter().map(|(id, _)| id.clone()).collect(),
        };
        let folder = &self.settings.folder;
        let unwritten = |error: std::io::Error| {
            let message = format!("cannot record the batch in {}: {error}", folder.display());
            BatchFailure::Unreachable(message)
        };
        // A batch that could not be found again must not be paid for.
        record.write(folder).map_err(unwritten)?;
        let submitted = self.created(entries).await;
        let batch = submitted.inspect_err(|_| record.remove(folder))?;
        record.batch = Some(batch);
        record.write(folder).map_err(unwritten)?;
        Ok(record)
    }

    /// Creates a batch and returns its id.
    async fn created(&self, entries: &[(String, Value)]) -> Result<String, BatchFailure> {
        let line = &self.line;
        let created = if line.api == Api::Anthropic {
            let body = wire::requests(entries).to_string();
            line.fetch(line.post("messages/batches", body, None)?)
                .await?
        } else {
            let lines = entries.iter().map(|(id, params)| wire::line(id, params));
            let (body, kind) = wire::form(&lines.collect::<String>());
            let file = line.fetch(line.post("files", body, Some(&kind))?).await?;
            let file = wire::id(&file).ok_or_else(|| unreadable(&file))?;
            let body = wire::of_file(&file).to_string();
            line.fetch(line.post("batches", body, None)?).await?
        };
        wire::id(&created).ok_or_else(|| unreadable(&created))
    }

    /// Polls a batch until it has ended, and delivers its answers.
    async fn wait_for(self: Arc<Self>, record: Record) {
        let Some(batch) = record.batch.as_deref() else {
            return;
        };
        let path = wire::path(self.line.api, batch);
        let (mut pause, longest) = self.settings.pauses;
        loop {
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2).min(longest);
            let answer = match self.line.get(&path) {
                Ok(request) => self.line.fetch(request).await,
                Err(failure) => Err(failure),
            };
            match answer.map(|answer| wire::status(self.line.api, &answer)) {
                Ok(Some(Status::Ended(paths))) => match self.results(&paths).await {
                    Ok(results) => {
                        self.deliver(&record, &results);
                        return;
                    }
                    Err(failure) if is_gone(&failure) => {
                        self.submit_again(&record);
                        return;
                    }
                    Err(failure) if is_final(&failure) => {
                        self.leave_unread(&record, &failure);
                        return;
                    }
                    // It was paid for. If it cannot be read now, it is read later.
                    Err(_) => {}
                },
                Ok(Some(Status::Failed(why))) => {
                    let error = ProviderError {
                        message: format!("the batch failed: {why}"),
                        status: Some(400),
                        ..ProviderError::default()
                    };
                    self.give_up(&record, &BatchFailure::Rejected(error));
                    return;
                }
                Err(failure) if is_gone(&failure) => {
                    self.submit_again(&record);
                    return;
                }
                Err(failure) if is_final(&failure) => {
                    self.leave_unread(&record, &failure);
                    return;
                }
                Ok(Some(Status::Working) | None) | Err(_) => {}
            }
        }
    }

    /// The results of a batch, by request.
    async fn results(&self, paths: &[String]) -> Result<BTreeMap<String, Answer>, BatchFailure> {
        let mut results = BTreeMap::new();
        for path in paths {
            let lines = self.line.fetch(self.line.get(path)?).await?;
            for line in String::from_utf8_lossy(&lines).lines() {
                if let Some((id, result)) = wire::result(self.line.api, line) {
                    let answer = result.map(Arc::new).map_err(BatchFailure::Rejected);
                    results.insert(id, answer);
                }
            }
        }
        Ok(results)
    }

    /// Fails every ask of a batch that cannot be read now. A later process with a valid key finds
    /// its record.
    fn leave_unread(&self, record: &Record, failure: &BatchFailure) {
        let mut shelf = self.shelf();
        for id in &record.requests {
            shelf.unread.insert(id.clone(), failure.clone());
            for one in shelf.waiting.remove(id).unwrap_or_default() {
                // The receiver of a cancelled ask is gone.
                let _ = one.to.send(Err(failure.clone()));
            }
        }
    }

    fn deliver(&self, record: &Record, results: &BTreeMap<String, Answer>) {
        let mut shelf = self.shelf();
        for id in &record.requests {
            let missing = ProviderError {
                message: "the batch has no result for this request".to_owned(),
                status: Some(503),
                ..ProviderError::default()
            };
            let missing = Err(BatchFailure::Rejected(missing));
            shelf.answer(id, results.get(id).unwrap_or(&missing));
        }
    }

    fn give_up(&self, record: &Record, failure: &BatchFailure) {
        let mut shelf = self.shelf();
        for id in &record.requests {
            shelf.submitted.remove(id);
            shelf.answer(id, &Err(failure.clone()));
            shelf.answers.remove(id);
        }
        shelf.forget(record, &self.settings.folder);
    }

    fn submit_again(self: &Arc<Self>, record: &Record) {
        let mut shelf = self.shelf();
        for id in &record.requests {
            shelf.submitted.remove(id);
            if let Some(waiting) = shelf.waiting.remove(id) {
                shelf
                    .gathered
                    .entry(id.clone())
                    .or_default()
                    .extend(waiting);
            }
        }
        shelf.forget(record, &self.settings.folder);
        if !shelf.gathered.is_empty() {
            self.gather(&mut shelf);
        }
    }
}

impl Drop for BatchQueue {
    fn drop(&mut self) {
        let folder = self.settings.folder.clone();
        self.shelf().tidy(&folder);
    }
}

impl Shelf {
    /// Takes the requests that fit into the next batch.
    fn next_batch(&mut self) -> Vec<(String, Value)> {
        let (mut entries, mut bytes) = (Vec::new(), 0);
        while let Some((id, waiting)) = self.gathered.pop_first() {
            let Some(first) = waiting.first() else {
                continue;
            };
            let params = first.params.clone();
            bytes += params.to_string().len() + id.len() + 100;
            if !entries.is_empty()
                && (bytes > wire::MOST_BYTES || entries.len() >= wire::MOST_REQUESTS)
            {
                self.gathered.insert(id, waiting);
                break;
            }
            self.submitted.insert(id.clone());
            self.waiting.insert(id.clone(), waiting);
            entries.push((id, params));
        }
        entries
    }

    /// Answers everyone who waits for a request. Keeps the answer if nobody does yet.
    fn answer(&mut self, id: &str, answer: &Answer) {
        match self.waiting.remove(id) {
            None => {
                self.answers.insert(id.to_owned(), answer.clone());
            }
            Some(waiting) => {
                for one in waiting {
                    // The receiver of a cancelled ask is gone.
                    let _ = one.to.send(answer.clone());
                }
                self.delivered(id);
            }
        }
    }

    /// If the same request comes again, it is submitted again.
    fn delivered(&mut self, id: &str) {
        self.submitted.remove(id);
        for (_, open) in &mut self.records {
            open.remove(id);
        }
    }

    fn forget(&mut self, record: &Record, folder: &std::path::Path) {
        record.remove(folder);
        self.records.retain(|(one, _)| one != record);
    }

    /// Removes the records of batches whose answers were all delivered.
    fn tidy(&mut self, folder: &std::path::Path) {
        self.records.retain(|(record, open)| {
            if open.is_empty() {
                record.remove(folder);
            }
            !open.is_empty()
        });
    }
}

impl Line {
    fn post(
        &self,
        path: &str,
        body: String,
        kind: Option<&str>,
    ) -> Result<RequestBuilder, BatchFailure> {
        let mut headers = self.headers.clone();
        if let Some(kind) = kind.and_then(|kind| HeaderValue::from_str(kind).ok()) {
            headers.insert(CONTENT_TYPE, kind);
        }
        Ok(self
            .client
            .post(self.url(path)?)
            .headers(headers)
            .body(body))
    }

    fn get(&self, path: &str) -> Result<RequestBuilder, BatchFailure> {
        let mut headers = self.headers.clone();
        headers.remove(CONTENT_TYPE);
        Ok(self.client.get(self.url(path)?).headers(headers))
    }

    fn url(&self, path: &str) -> Result<Url, BatchFailure> {
        let joined = self.base.join(path);
        joined.map_err(|error| BatchFailure::Unreachable(error.to_string()))
    }

    /// Sends a request and reads the whole response.
    async fn fetch(&self, request: RequestBuilder) -> Result<Vec<u8>, BatchFailure> {
        let unreachable = |error: reqwest::Error| {
            BatchFailure::Unreachable(error.without_url().to_string().to_lowercase())
        };
        let exchange = async {
            let mut response = request.send().await.map_err(unreachable)?;
            let status = response.status();
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
                body.extend_from_slice(&chunk);
                if body.len() > LONGEST_RESULTS {
                    return Err(too_long());
                }
            }
            if status.is_success() {
                return Ok(body);
            }
            let mut error = ProviderError::read(&String::from_utf8_lossy(&body));
            error.status = Some(status.as_u16());
            Err(BatchFailure::Rejected(error))
        };
        let late = || BatchFailure::Unreachable("no response in time".to_owned());
        let exchanged = tokio::time::timeout(self.timeout, exchange).await;
        exchanged.unwrap_or_else(|_| Err(late()))
    }
}

/// The maximum size of a batch's results: about fifty kilobytes per request.
const LONGEST_RESULTS: usize = 512 << 20;

fn too_long() -> BatchFailure {
    BatchFailure::Rejected(ProviderError {
        message: format!("the results have more than {} MB", LONGEST_RESULTS >> 20),
        status: Some(422),
        ..ProviderError::default()
    })
}

/// Whether the provider no longer has it.
fn is_gone(failure: &BatchFailure) -> bool {
    matches!(failure, BatchFailure::Rejected(error) if matches!(error.status, Some(404 | 410)))
}

/// Whether polling again would give the same result.
fn is_final(failure: &BatchFailure) -> bool {
    let BatchFailure::Rejected(error) = failure else {
        return false;
    };
    matches!(error.status, Some(400..=407 | 410 | 422))
}

fn unreadable(answer: &[u8]) -> BatchFailure {
    let beginning: String = String::from_utf8_lossy(answer).chars().take(200).collect();
    BatchFailure::Rejected(ProviderError {
        message: format!("the answer has no id of a batch: {beginning}"),
        ..ProviderError::default()
    })
}
