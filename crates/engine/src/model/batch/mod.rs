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
//! | it failed as a whole | every ask fails with the provider's reason |
//! | one request of it failed, is missing in its results, or has two that differ | this ask fails |
//! | two runs ask the same | one request; the second run pays nothing |
//!
//! A record is removed when whoever asked has taken all its answers, and the next batch is
//! submitted or the queue is closed: by then the journals hold them.

mod record;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Url};
use serde_json::Value;
use tokio::sync::oneshot;

use super::connection::Api;
use super::failure::{ProviderError, retry_after};
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
    /// Nothing was sent.
    Unreachable(String),
    /// It was sent, and what became of it is not known.
    Unanswered(String),
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
    to: oneshot::Sender<Delivery>,
}

/// What an ask gets.
pub(super) struct Delivery {
    pub(super) answer: Answer,
    /// Whether another ask of this process has the same answer, and pays for it.
    pub(super) is_paid: bool,
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
    /// Batches, with the requests whose answers were not taken yet.
    records: Vec<(Record, BTreeSet<String>)>,
    /// The most requests that the provider had room for.
    most_requests: Option<usize>,
    /// How often no batch could be submitted since the last one that was.
    setbacks: u32,
}

/// After so many a batch is given up: with the usual pauses after an hour.
const MOST_SETBACKS: u32 = 60;

/// The most pages of a provider's list that are read.
const MOST_PAGES: usize = 20;

/// What a provider's list says about a batch whose id is not known.
enum Found {
    Batch(String),
    /// One that is still being processed may be it.
    Perhaps,
    Nothing,
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
    pub(super) async fn ask(self: &Arc<Self>, custom_id: String, params: Value) -> Delivery {
        let alone = |answer| Delivery {
            answer,
            is_paid: false,
        };
        let (to, from) = oneshot::channel();
        {
            let mut shelf = self.shelf();
            if !shelf.is_open {
                shelf.is_open = true;
                self.reopen(&mut shelf);
            }
            if let Some(answer) = shelf.answers.get(&custom_id).cloned() {
                shelf.taken(&custom_id);
                return alone(answer);
            }
            if let Some(failure) = shelf.unread.get(&custom_id) {
                return alone(Err(failure.clone()));
            }
            let waiting = Waiting { params, to };
            if shelf.submitted.contains(&custom_id) {
                shelf
                    .waiting
                    .entry(custom_id.clone())
                    .or_default()
                    .push(waiting);
            } else {
                shelf
                    .gathered
                    .entry(custom_id.clone())
                    .or_default()
                    .push(waiting);
                self.gather(&mut shelf);
            }
        }
        match from.await {
            Ok(delivery) => {
                // Not before: what was sent to a run that has ended was not taken.
                self.shelf().taken(&custom_id);
                delivery
            }
            Err(_) => {
                let gone = "the program stopped waiting for the batch".to_owned();
                alone(Err(BatchFailure::Unreachable(gone)))
            }
        }
    }

    /// Resumes polling the batches of earlier processes.
    fn reopen(self: &Arc<Self>, shelf: &mut Shelf) {
        let line = &self.line;
        let folder = &self.settings.folder;
        for record in Record::all(folder, &line.provider, &line.host) {
            // Nothing was submitted before the file was there.
            if record.batch.is_none() && line.api == Api::OpenAi && record.file.is_none() {
                record.remove(folder);
                continue;
            }
            shelf.submitted.extend(record.requests.iter().cloned());
            self.follow(shelf, record);
        }
    }

    /// Waits for a batch; for one that has no id, after it was found.
    fn follow(self: &Arc<Self>, shelf: &mut Shelf, record: Record) {
        let open = record.requests.iter().cloned().collect();
        shelf.records.push((record.clone(), open));
        let queue = Arc::clone(self);
        tokio::spawn(async move {
            let record = match record.batch {
                Some(_) => Some(record),
                None => queue.found(record).await,
            };
            if let Some(record) = record {
                queue.wait_for(record).await;
            }
        });
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
                let entries = shelf.next_batch(self.line.api);
                if entries.is_empty() {
                    shelf.is_gathering = false;
                    return;
                }
                shelf.tidy(&self.settings.folder);
                entries
            };
            match self.submit(&entries).await {
                Ok(record) => self.follow(&mut self.shelf(), record),
                Err(failure) => {
                    let mut shelf = self.shelf();
                    for (id, _) in entries {
                        shelf.fail(&id, &failure);
                    }
                }
            }
        }
    }

    /// Submits a batch. The record of one that may have arrived without an answer has no id.
    async fn submit(&self, entries: &[(String, Value)]) -> Result<Record, BatchFailure> {
        let line = &self.line;
        let mut record = Record {
            provider: line.provider.clone(),
            host: line.host.clone(),
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
                    self.shelf().setbacks = 0;
                    record.batch = Some(batch);
                    // Without its id it is found in the provider's list.
                    let _ = record.write(folder);
                    return Ok(record);
                }
                Err(failure) => failure,
            };
            let was_sent = line.api == Api::Anthropic || record.file.is_some();
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
        let mut shelf = self.shelf();
        shelf.setbacks += 1;
        shelf.setbacks < MOST_SETBACKS
    }

    /// The pause before a batch is submitted again: longer each time.
    fn pause(&self, failure: &BatchFailure) -> Duration {
        let (first, longest) = self.settings.pauses;
        let doubled = 1u32 << self.shelf().setbacks.clamp(1, 16).saturating_sub(1);
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
        let line = &self.line;
        let created = if line.api == Api::Anthropic {
            let body = wire::requests(entries).to_string();
            line.fetch(line.post("messages/batches", body, None)?)
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
            line.fetch(line.post("batches", body, None)?).await?
        };
        wire::id(&created).ok_or_else(|| unreadable(&created))
    }

    /// The id of a new file of requests.
    async fn uploaded(&self, entries: &[(String, Value)]) -> Result<String, BatchFailure> {
        let lines = entries.iter().map(|(id, params)| wire::line(id, params));
        let (body, kind) = wire::form(&lines.collect::<String>());
        let file = self.line.post("files", body, Some(&kind))?;
        let file = self.line.fetch(file).await?;
        wire::id(&file).ok_or_else(|| unreadable(&file))
    }

    /// Looks for a batch that was submitted without its id being known, until it is certain
    /// where it is. What never arrived is submitted again.
    async fn found(self: &Arc<Self>, record: Record) -> Option<Record> {
        let (mut pause, longest) = self.settings.pauses;
        loop {
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2).min(longest);
            match self.in_list(&record).await {
                Ok(Found::Batch(id)) => {
                    let known = Record {
                        batch: Some(id),
                        ..record.clone()
                    };
                    let _ = known.write(&self.settings.folder);
                    let mut shelf = self.shelf();
                    let mut records = shelf.records.iter_mut();
                    if let Some((one, _)) = records.find(|(one, _)| *one == record) {
                        *one = known.clone();
                    }
                    return Some(known);
                }
                Ok(Found::Perhaps) => {}
                Ok(Found::Nothing) => {
                    if self.may_try_again() {
                        self.submit_again(&record);
                    } else {
                        let why = "batches are not accepted: they are not in the provider's list";
                        self.give_up(&record, &BatchFailure::Unanswered(why.to_owned()));
                    }
                    return None;
                }
                // Who has no list cannot be asked.
                Err(failure) if is_gone(&failure) => {
                    self.submit_again(&record);
                    return None;
                }
                Err(failure) if is_final(&failure) => {
                    self.leave_unread(&record, &failure);
                    return None;
                }
                Err(_) => {}
            }
        }
    }

    async fn in_list(&self, record: &Record) -> Result<Found, BatchFailure> {
        let api = self.line.api;
        let (mut after, mut found) = (None, Found::Nothing);
        for _ in 0..MOST_PAGES {
            let path = wire::list_path(api, after.as_deref());
            let page = self.line.fetch(self.line.get(&path)?).await?;
            let page = wire::page(api, &page).ok_or_else(|| unreadable(&page))?;
            for listed in page.batches {
                match &record.file {
                    Some(_) if listed.file == record.file => return Ok(Found::Batch(listed.id)),
                    None if self.is_candidate(&listed, record) => {
                        if !listed.has_ended {
                            found = Found::Perhaps;
                            continue;
                        }
                        let results = self.results(&[wire::results_path(&listed.id)]).await?;
                        if record.requests.iter().any(|id| results.contains_key(id)) {
                            return Ok(Found::Batch(listed.id));
                        }
                    }
                    _ => {}
                }
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        Ok(found)
    }

    /// Whether a batch may be that of a record: it has as many requests, and belongs to no
    /// other.
    fn is_candidate(&self, listed: &wire::Listed, record: &Record) -> bool {
        let shelf = self.shelf();
        let is_known = |(one, _): &(Record, _)| one.batch.as_ref() == Some(&listed.id);
        listed.requests == record.requests.len() && !shelf.records.iter().any(is_known)
    }

    /// Looks a batch up until it has ended, and delivers its answers.
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
            if let Err(BatchFailure::Rejected(error)) = &answer {
                let wanted = Duration::from_millis(error.retry_after.unwrap_or_default());
                pause = pause.max(wanted.min(LONGEST_PATIENCE));
            }
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
                    self.give_up(&record, &rejected(400, format!("the batch failed: {why}")));
                    return;
                }
                Ok(Some(Status::Full(why))) => {
                    self.make_room(&record, why, longest).await;
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

    /// Submits a batch again that the provider had no room for: when others have ended, and
    /// where there are none in halves.
    async fn make_room(self: &Arc<Self>, record: &Record, why: String, pause: Duration) {
        let count = record.requests.len();
        {
            let mut shelf = self.shelf();
            if shelf.submitted.len() <= count {
                if count == 1 {
                    drop(shelf);
                    self.give_up(record, &rejected(429, why));
                    return;
                }
                shelf.most_requests = Some(count / 2);
            }
        }
        tokio::time::sleep(pause).await;
        self.submit_again(record);
    }

    /// The results of a batch, by request.
    async fn results(&self, paths: &[String]) -> Result<BTreeMap<String, Answer>, BatchFailure> {
        let mut results: BTreeMap<String, Answer> = BTreeMap::new();
        let mut ambiguous = BTreeSet::new();
        for path in paths {
            let lines = self.line.fetch(self.line.get(path)?).await?;
            for line in String::from_utf8_lossy(&lines).lines() {
                let Some((id, result)) = wire::result(self.line.api, line) else {
                    continue;
                };
                let answer = result.map(Arc::new).map_err(BatchFailure::Rejected);
                match (results.get(&id), &answer) {
                    // Of two answers nobody knows which was meant.
                    (Some(Ok(one)), Ok(other)) if one != other => {
                        ambiguous.insert(id);
                    }
                    (Some(Ok(_)), _) => {}
                    (Some(Err(_)) | None, _) => {
                        results.insert(id, answer);
                    }
                }
            }
        }
        for id in ambiguous {
            let why = "the batch has two results for this request, which differ";
            results.insert(id, Err(rejected(503, why.to_owned())));
        }
        Ok(results)
    }

    /// Fails every ask of a batch that cannot be read now. A later process with a valid key finds
    /// its record.
    fn leave_unread(&self, record: &Record, failure: &BatchFailure) {
        let mut shelf = self.shelf();
        for id in &record.requests {
            shelf.unread.insert(id.clone(), failure.clone());
            shelf.send(id, &Err(failure.clone()));
        }
    }

    fn deliver(&self, record: &Record, results: &BTreeMap<String, Answer>) {
        let mut shelf = self.shelf();
        let missing = "the batch has no result for this request".to_owned();
        let missing = Err(rejected(503, missing));
        for id in &record.requests {
            shelf.answer(id, results.get(id).unwrap_or(&missing));
        }
    }

    fn give_up(&self, record: &Record, failure: &BatchFailure) {
        let mut shelf = self.shelf();
        for id in &record.requests {
            shelf.fail(id, failure);
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
    /// Takes what the next batch has room for.
    fn next_batch(&mut self, api: Api) -> Vec<(String, Value)> {
        let (mut entries, mut bytes) = (Vec::<(String, Value)>::new(), 0);
        let most = self.most_requests.unwrap_or(wire::MOST_REQUESTS);
        let mut left = BTreeMap::new();
        while let Some((id, waiting)) = self.gathered.pop_first() {
            let Some(first) = waiting.first() else {
                continue;
            };
            let params = first.params.clone();
            let is_other = |(_, one): &(String, Value)| one.get("model") != params.get("model");
            if api == Api::OpenAi && entries.first().is_some_and(is_other) {
                left.insert(id, waiting);
                continue;
            }
            bytes += params.to_string().len() + id.len() + 100;
            if !entries.is_empty() && (bytes > wire::MOST_BYTES || entries.len() >= most) {
                left.insert(id, waiting);
                break;
            }
            self.submitted.insert(id.clone());
            self.waiting.insert(id.clone(), waiting);
            entries.push((id, params));
        }
        self.gathered.append(&mut left);
        entries
    }

    /// Keeps an answer until it was taken, and sends it to everyone who waits for it.
    fn answer(&mut self, id: &str, answer: &Answer) {
        self.answers.insert(id.to_owned(), answer.clone());
        self.send(id, answer);
    }

    /// Tells everyone who waits for a request that there is no answer. It may be asked for
    /// again.
    fn fail(&mut self, id: &str, failure: &BatchFailure) {
        self.submitted.remove(id);
        self.send(id, &Err(failure.clone()));
    }

    fn send(&mut self, id: &str, answer: &Answer) {
        let mut is_paid = false;
        for one in self.waiting.remove(id).unwrap_or_default() {
            let answer = answer.clone();
            // Whoever was cancelled wants no answer, and pays for none.
            is_paid |= one.to.send(Delivery { answer, is_paid }).is_ok();
        }
    }

    /// Notes that an answer has arrived. Whoever asks the same again has it submitted again.
    fn taken(&mut self, id: &str) {
        if self.answers.remove(id).is_none() {
            return;
        }
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
            let was_sent = !error.is_connect();
            let why = error.without_url().to_string().to_lowercase();
            match was_sent {
                true => BatchFailure::Unanswered(why),
                false => BatchFailure::Unreachable(why),
            }
        };
        let exchange = async {
            let mut response = request.send().await.map_err(unreachable)?;
            let status = response.status();
            let wait = retry_after(response.headers(), SystemTime::now());
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
            error.retry_after = wait.or(error.retry_after);
            Err(BatchFailure::Rejected(error))
        };
        let late = || BatchFailure::Unanswered("no response in time".to_owned());
        let exchanged = tokio::time::timeout(self.timeout, exchange).await;
        exchanged.unwrap_or_else(|_| Err(late()))
    }
}

/// The maximum size of a batch's results: about fifty kilobytes per request.
const LONGEST_RESULTS: usize = 512 << 20;

/// The longest that a provider's wish for patience is followed.
const LONGEST_PATIENCE: Duration = Duration::from_secs(3_600);

fn rejected(status: u16, message: String) -> BatchFailure {
    BatchFailure::Rejected(ProviderError {
        message,
        status: Some(status),
        ..ProviderError::default()
    })
}

fn too_long() -> BatchFailure {
    let most = LONGEST_RESULTS >> 20;
    rejected(422, format!("the results have more than {most} MB"))
}

fn unwritten(folder: &std::path::Path, error: &std::io::Error) -> BatchFailure {
    let message = format!("cannot record the batch in {}: {error}", folder.display());
    BatchFailure::Unreachable(message)
}

/// Whether what was sent may have been accepted.
fn has_perhaps_arrived(failure: &BatchFailure) -> bool {
    match failure {
        BatchFailure::Unreachable(_) => false,
        BatchFailure::Unanswered(_) => true,
        BatchFailure::Rejected(error) => error.status.is_none_or(|status| status >= 500),
    }
}

/// Whether sending again may bring something else.
fn passes(failure: &BatchFailure) -> bool {
    match failure {
        BatchFailure::Unreachable(_) => false,
        BatchFailure::Unanswered(_) => true,
        BatchFailure::Rejected(error) => {
            let is_busy = |status| matches!(status, 408 | 409 | 425 | 429 | 500..);
            error.status.is_some_and(is_busy) && !error.lacks_credit()
        }
    }
}

/// Whether the provider does not have it any more.
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
