//! The configured providers as one model: each ask goes to the provider that its
//! settings name.
//!
//! | what happens | here | the run then |
//! |---|---|---|
//! | no connection (refused, unknown host) | tried again after a pause, `connect_retries` times | asks again, then uses the fallback |
//! | the server is still loading the model | tried again until `deadline` has passed; then the call has its own deadline | does not notice |
//! | the provider rejects a parameter | changed (see `quirks`) and sent again at once | does not notice |
//! | anything else | a failure | asks again if it may pass, then uses the fallback |
//! | batches are wanted and the provider offers them | gathered by its desk (see `batch`) | does not notice |
//!
//! Only a request that was certainly not processed is retried here. A run reserves
//! the worst case of every try before it is sent, so a retry of anything that may
//! have cost something would exceed what was reserved.
//!
//! Each provider has a number of slots. A call waits for a slot before its deadline
//! starts, and before that for the provider's cache (see `warm_up`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redraft_run::ask::{Ask, CallFailure, FailureKind, Finish, Reply, Schema, Usage};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::batch::{self, BatchFailure, BatchSettings, Desk, Line};
use super::connection::{Api, Connection, Secret, Structured};
use super::failure::{CallError, ProviderError, Target, failure};
use super::limits::{Account, ProcessLimits, ProcessSpent};
use super::quirks::Quirks;
use super::stream_state::StreamState;
use super::warm_up::WarmUps;
use super::{Model, anthropic, call, gemini, openai};
use crate::clock::BoxFuture;

/// How long a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the whole response.
    pub deadline: Duration,
    /// For the next byte of the response.
    pub stall: Duration,
    pub connect: Duration,
    /// How often a failed connection is tried again.
    pub connect_retries: u32,
}

impl Default for Timeouts {
    /// The run of a lesson has five minutes; a local model may take a minute to read
    /// the lesson.
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(180),
            stall: Duration::from_secs(60),
            connect: Duration::from_secs(10),
            connect_retries: 2,
        }
    }
}

/// Why the configured providers cannot be used.
#[derive(Debug, Error)]
pub enum ProvidersError {
    #[error(
        "invalid `base-url` of provider `{provider}`: {problem}; expected something like https://api.openai.com/v1"
    )]
    Address {
        provider: String,
        problem: AddressProblem,
    },
    /// The key cannot be sent in a header.
    #[error(
        "the key of provider `{provider}` has invalid characters; check {origin} for a line break or a quotation mark"
    )]
    Key {
        provider: String,
        /// Where the key comes from.
        origin: String,
    },
    /// The HTTP client cannot be built.
    #[error("cannot use HTTPS: {0}; check that the system's certificates are installed")]
    Client(reqwest::Error),
    /// Two providers have the same name.
    #[error("two providers are called `{0}`")]
    Twice(String),
}

/// What is wrong with a `base-url`.
#[derive(Debug, Error)]
pub enum AddressProblem {
    #[error(transparent)]
    Url(UrlError),
    /// A scheme other than HTTP and HTTPS.
    #[error("`{0}` is not http or https")]
    Scheme(String),
    /// A URL without a host.
    #[error("no host")]
    NoHost,
}

type UrlError = <Url as FromStr>::Err;

/// The configured providers.
pub struct Providers {
    providers: BTreeMap<String, Arc<Provider>>,
    timeouts: Timeouts,
    local_timeouts: Timeouts,
    account: Arc<Account>,
    /// The providers whose asks go in batches.
    desks: BTreeMap<String, Arc<Desk>>,
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Providers")
            .field("names", &self.providers.keys())
            .field("timeouts", &self.timeouts)
            .finish_non_exhaustive()
    }
}

impl Providers {
    /// Providers without a limit for the process. Connects to none yet.
    ///
    /// # Errors
    /// When an address or a key is invalid.
    pub fn new(connections: Vec<Connection>, timeouts: Timeouts) -> Result<Self, ProvidersError> {
        let mut clients = Clients {
            timeouts,
            https: None,
        };
        let mut providers = BTreeMap::new();
        for connection in connections {
            let name = connection.name.clone();
            let provider = Arc::new(Provider::new(connection, &mut clients)?);
            if providers.insert(name.clone(), provider).is_some() {
                return Err(ProvidersError::Twice(name));
            }
        }
        Ok(Self {
            providers,
            timeouts,
            local_timeouts: timeouts,
            account: Arc::default(),
            desks: BTreeMap::new(),
        })
    }

    /// Sets limits over all runs of the process.
    #[must_use]
    pub fn with_limits(mut self, limits: ProcessLimits) -> Self {
        self.account = Arc::new(Account::new(limits));
        self
    }

    /// Sets other timeouts for providers on this machine, where a model may be slow and
    /// has to be loaded first.
    #[must_use]
    pub fn with_local_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.local_timeouts = timeouts;
        self
    }

    /// Sends asks in batches, to the providers that offer it. The others are asked one by one.
    #[must_use]
    pub fn with_batches(mut self, settings: &BatchSettings) -> Self {
        let desk = |(name, provider): (&String, &Arc<Provider>)| {
            let connection = &provider.connection;
            let is_offered = batch::is_offered(connection.api, name, &connection.base_url);
            is_offered.then(|| {
                let line = provider.line(self.timeouts.deadline);
                (name.clone(), Desk::new(line, settings.clone()))
            })
        };
        self.desks = self.providers.iter().filter_map(desk).collect();
        self
    }

    /// What all runs of the process have spent.
    #[must_use]
    pub fn spent(&self) -> ProcessSpent {
        self.account.spent()
    }
}

impl Model for Providers {
    fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
        let Some(provider) = self.providers.get(&ask.model.provider) else {
            let known: Vec<&str> = self.providers.keys().map(String::as_str).collect();
            let message = format!(
                "{}: unknown provider `{}`; configured: {}",
                ask.model.name(),
                ask.model.provider,
                if known.is_empty() {
                    "none".to_owned()
                } else {
                    known.join(", ")
                }
            );
            return Box::pin(async move { Err(permanent(message)) });
        };
        let call = Call {
            provider: Arc::clone(provider),
            timeouts: if is_loopback(&provider.base) {
                self.local_timeouts
            } else {
                self.timeouts
            },
            account: Arc::clone(&self.account),
            ask: ask.clone(),
        };
        match self.desks.get(&ask.model.provider).cloned() {
            Some(desk) => Box::pin(call.in_batch(desk)),
            None => Box::pin(call.run()),
        }
    }
}

fn permanent(message: String) -> CallFailure {
    CallFailure {
        kind: FailureKind::Permanent,
        message,
        usage: None,
        context: None,
    }
}

/// HTTP clients: one for all of HTTPS, and one for each plain address.
struct Clients {
    timeouts: Timeouts,
    https: Option<Client>,
}

impl Clients {
    fn for_address(&mut self, address: &Url, in_flight: usize) -> Result<Client, ProvidersError> {
        let mut builder = Client::builder()
            .user_agent(concat!("redraft/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.timeouts.connect)
            // A redirect would send the key to another host.
            .redirect(reqwest::redirect::Policy::none());
        // Fails if the process has a default already, which may stay.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let built = |builder: reqwest::ClientBuilder| {
            builder
                .build()
                .map_err(|error| ProvidersError::Client(error.without_url()))
        };
        if address.scheme() == "https" {
            if let Some(client) = &self.https {
                return Ok(client.clone());
            }
            let client = built(builder)?;
            self.https = Some(client.clone());
            return Ok(client);
        }
        // A plain address needs no certificates, and a local one no proxy.
        builder = builder
            .tls_certs_only(std::iter::empty())
            .pool_max_idle_per_host(in_flight.max(1));
        built(if is_loopback(address) {
            builder.no_proxy()
        } else {
            builder
        })
    }
}

/// One configured provider.
struct Provider {
    connection: Connection,
    client: Client,
    /// Ends with a slash.
    base: Url,
    /// The URL of calls, if it is the same for all models.
    url: Option<Url>,
    /// The query of calls to Azure.
    query: Option<String>,
    host: String,
    headers: HeaderMap,
    slots: Semaphore,
    quirks: Mutex<BTreeMap<String, Quirks>>,
    warm_ups: Arc<WarmUps>,
}

impl Provider {
    fn new(connection: Connection, clients: &mut Clients) -> Result<Self, ProvidersError> {
        let invalid = |problem| ProvidersError::Address {
            provider: connection.name.clone(),
            problem,
        };
        let (address, query) = match connection.base_url.trim().split_once('?') {
            Some((address, query)) => (address, Some(query.to_owned())),
            None => (connection.base_url.trim(), None),
        };
        let base = format!("{}/", address.trim_end_matches('/'));
        let base = Url::parse(&base).map_err(|error| invalid(AddressProblem::Url(error)))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(invalid(AddressProblem::Scheme(base.scheme().to_owned())));
        }
        let host = match (base.host_str(), base.port()) {
            (Some(host), Some(port)) => format!("{host}:{port}"),
            (Some(host), None) => host.to_owned(),
            _ => return Err(invalid(AddressProblem::NoHost)),
        };
        let path = match connection.api {
            // The URL contains the deployment.
            Api::OpenAi if query.is_some() => None,
            Api::OpenAi => Some(openai::PATH),
            Api::Anthropic => Some(anthropic::PATH),
            // The URL contains the model.
            Api::Gemini => None,
        };
        let url = path.map(|path| join(&base, path)).transpose();
        Ok(Self {
            url: url.map_err(|error| invalid(AddressProblem::Url(error)))?,
            client: clients.for_address(&base, connection.in_flight)?,
            headers: headers(&connection, Style::of(query.as_deref()))?,
            query,
            slots: Semaphore::new(connection.in_flight.clamp(1, Semaphore::MAX_PERMITS)),
            quirks: Mutex::default(),
            warm_ups: Arc::default(),
            base,
            host,
            connection,
        })
    }

    /// How its batches are reached.
    fn line(&self, timeout: Duration) -> Line {
        Line {
            api: self.connection.api,
            provider: self.connection.name.clone(),
            host: self.host.clone(),
            client: self.client.clone(),
            base: self.base.clone(),
            headers: self.headers.clone(),
            timeout,
        }
    }

    /// What is known so far of how a model takes requests.
    fn quirks(&self, model: &str) -> Quirks {
        let known = self.quirks.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(model).copied().unwrap_or(Quirks {
            schema_in_prompt: self.connection.structured == Structured::Prompt,
            ..Quirks::default()
        })
    }

    fn remember(&self, model: &str, quirks: Quirks) {
        let mut known = self.quirks.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(model.to_owned(), quirks);
    }

    fn url(&self, model: &str) -> Result<Url, CallFailure> {
        if let Some(url) = &self.url {
            return Ok(url.clone());
        }
        let path = match &self.query {
            Some(query) => openai::azure_path(model, query),
            None => gemini::path(model),
        };
        join(&self.base, &path).map_err(|_| {
            permanent(format!(
                "{}/{model}: invalid model name",
                self.connection.name
            ))
        })
    }

    fn body(&self, ask: &Ask, quirks: Quirks) -> Result<Vec<u8>, CallFailure> {
        let api = self.connection.api;
        let unbounded = ask
            .schema
            .as_deref()
            .filter(|_| quirks.no_schema_bounds)
            .map(Schema::without_bounds);
        let wanted = unbounded.as_ref().or(ask.schema.as_deref());
        let native = wanted.filter(|_| !quirks.schema_in_prompt);
        let converted = native
            .filter(|_| api == Api::Gemini)
            .and_then(|schema| gemini::to_gemini_schema(schema.value()));
        let is_native = native.is_some() && (api != Api::Gemini || converted.is_some());
        let system: Cow<'_, str> = match wanted {
            Some(schema) if !is_native => format!(
                "{}\n\nAnswer with one JSON object and nothing else: no fence, no words before or after it. It must fit this JSON Schema:\n{}",
                ask.prompt.system,
                schema.text()
            )
            .into(),
            _ => ask.prompt.system.as_str().into(),
        };
        let body = match api {
            Api::OpenAi => openai::body(ask, &system, native, quirks),
            Api::Anthropic => anthropic::body(ask, &system, native, quirks),
            Api::Gemini => gemini::body(ask, &system, converted.as_ref(), quirks),
        };
        body.map_err(|error| {
            permanent(format!(
                "{}: the request cannot be written as JSON: {error} (internal error; please report it)",
                ask.model.name()
            ))
        })
    }
}

/// Whether an address is on this machine.
fn is_loopback(address: &Url) -> bool {
    match address
        .host_str()
        .unwrap_or_default()
        .trim_matches(['[', ']'])
    {
        "localhost" => true,
        host => host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback()),
    }
}

/// Appends a path as text, so that no model name leads to another host.
fn join(base: &Url, path: &str) -> Result<Url, UrlError> {
    Url::parse(&format!("{base}{path}"))
}

/// Whose variant of a protocol is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Usual,
    Azure,
}

impl Style {
    fn of(query: Option<&str>) -> Self {
        match query {
            Some(_) => Self::Azure,
            None => Self::Usual,
        }
    }
}

fn headers(connection: &Connection, style: Style) -> Result<HeaderMap, ProvidersError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if connection.api == Api::Anthropic {
        let version = HeaderName::from_static("anthropic-version");
        headers.insert(version, HeaderValue::from_static(anthropic::VERSION));
    }
    let Some(key) = &connection.key else {
        return Ok(headers);
    };
    let (name, value) = match connection.api {
        Api::OpenAi if style == Style::Azure => ("api-key", key.expose().to_owned()),
        Api::OpenAi => ("authorization", format!("Bearer {}", key.expose())),
        Api::Anthropic => ("x-api-key", key.expose().to_owned()),
        Api::Gemini => ("x-goog-api-key", key.expose().to_owned()),
    };
    let mut value = HeaderValue::from_str(&value).map_err(|_| ProvidersError::Key {
        provider: connection.name.clone(),
        origin: key.origin().unwrap_or("the configuration").to_owned(),
    })?;
    value.set_sensitive(true);
    headers.insert(HeaderName::from_static(name), value);
    Ok(headers)
}

/// One ask to one provider.
struct Call {
    provider: Arc<Provider>,
    timeouts: Timeouts,
    account: Arc<Account>,
    ask: Ask,
}

impl Call {
    async fn run(self) -> Result<Reply, CallFailure> {
        let model = self.ask.model.model.as_str();
        let url = self.provider.url(model)?;
        // Before a slot is taken, so that nobody who waits holds one.
        let mut first_call = self.provider.warm_ups.turn(&self.ask).await;
        // The semaphore is never closed.
        let _slot = self.provider.slots.acquire().await;
        let mut reservation = self
            .account
            .reserve(&self.ask)
            .await
            .map_err(|why| CallFailure {
                kind: FailureKind::OverBudget,
                ..permanent(format!("{}: {why}", self.ask.model.name()))
            })?;
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
                    let said = format!("{} {}", rejection.names, rejection.message);
                    let learnt = matches!(rejection.status, Some(400 | 404 | 422))
                        .then(|| quirks.learn(api, &self.ask, &said))
                        .flatten();
                    if let Some(learnt) = learnt {
                        self.provider.remember(model, learnt);
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
            // The provider worked on a call that broke off or took too long, and
            // charges for it.
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

    /// The same in a batch. It takes its time: only looking up the batch has a deadline.
    async fn in_batch(self, desk: Arc<Desk>) -> Result<Reply, CallFailure> {
        let model = self.ask.model.model.as_str();
        let mut reservation = self
            .account
            .reserve(&self.ask)
            .await
            .map_err(|why| CallFailure {
                kind: FailureKind::OverBudget,
                ..permanent(format!("{}: {why}", self.ask.model.name()))
            })?;
        let began = Instant::now();
        let api = self.provider.connection.api;
        loop {
            let quirks = self.provider.quirks(model);
            let body = self.provider.body(&self.ask, quirks)?;
            let params = batch::params(&body).map_err(|error| permanent(error.to_string()))?;
            reservation.mark_sent();
            let answer = desk.ask(custom_id(&self.ask, &body), params).await;
            let mut state = StreamState::default();
            let read = match answer {
                Ok(response) => call::read_whole(api, &mut state, &response),
                Err(BatchFailure::Unreachable(why)) => Err(CallError::Unreachable(why)),
                Err(BatchFailure::Rejected(error)) => Err(CallError::Rejected(error)),
            };
            let Err(error) = read else {
                let reply = self.reply(state, began);
                reservation.settle(reply.usage);
                return Ok(reply);
            };
            if let CallError::Rejected(rejection) = &error {
                let said = format!("{} {}", rejection.names, rejection.message);
                let learnt = matches!(rejection.status, Some(400 | 422))
                    .then(|| quirks.learn(api, &self.ask, &said))
                    .flatten();
                if let Some(learnt) = learnt {
                    self.provider.remember(model, learnt);
                    continue;
                }
            }
            let usage = state.began.then(|| self.usage(&state));
            match usage {
                Some(usage) => reservation.settle(usage),
                None => reservation.mark_free(),
            }
            return Err(failure(&self.target(), &error, usage));
        }
    }

    fn usage(&self, state: &StreamState) -> Usage {
        let prompt = &self.ask.prompt;
        let sent = [prompt.system.as_str(), &prompt.user];
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
        // An end without a reason may be a cut (ruling 49).
        let mut finish = state.finish.unwrap_or(Finish::Unknown);
        if !state.refusal.is_empty() {
            // Whatever else it says, the model declined.
            state.text = state.refusal;
            finish = Finish::Refusal;
        }
        let said = state.text.len();
        let text = self.without_key(state.text);
        // What repeats the key is no text to publish; a verdict is read without it.
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

    /// A server may repeat what it was sent; the key must not get into a journal.
    fn without_key(&self, text: String) -> String {
        // A reply is not changed because of a key that is a plain word, as keys of
        // local servers are.
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

/// The name of a request in a batch: the same for the same question of the same step, so
/// that a run which is resumed finds its answer.
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

/// The pause before a server is asked again whether it has loaded the model.
fn loading_pause(rejection: &ProviderError) -> Duration {
    const USUAL: u64 = 1_000;
    const LONGEST: u64 = 10_000;
    Duration::from_millis(rejection.retry_after.unwrap_or(USUAL).clamp(1, LONGEST))
}

/// The pause before the next attempt to connect: longer each time, and different
/// for each ask. It depends on the ask alone, so that it is reproducible.
fn back_off(ask: &Ask, attempt: u32) -> Duration {
    let mut hasher = DefaultHasher::new();
    (&ask.id.0, &ask.fingerprint.0, attempt).hash(&mut hasher);
    let base = 200u64 << attempt.min(6);
    Duration::from_millis(base / 2 + hasher.finish() % base)
}
