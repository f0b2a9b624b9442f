//! The providers that are configured, as one model: each ask goes to the one that
//! its settings name.
//!
//! | what happens | here | the run then |
//! |---|---|---|
//! | nobody is there (refused, no such host) | tried again a little later, `attempts` times | asks again, then falls back |
//! | a request is refused for its form | put otherwise (see `quirks`) and sent at once | hears nothing of it |
//! | anything else | a failure | asks again where it may pass, then falls back |
//!
//! Only what was certainly not sent is tried again here. A run reserves the worst
//! case of every try before it is sent, so whatever may have cost something must
//! go back to it; a retry in here would spend what nobody set aside.
//!
//! Places are per provider: a run waits for one before its call begins, and the
//! time of a call does not run while it waits.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redraft_run::ask::{Ask, CallFailure, FailureKind, Finish, Reply};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::connection::{Api, Connection, Secret, Structured};
use super::failure::{Asked, Trouble, failure};
use super::heard::Heard;
use super::limits::{Account, ProcessLimits, ProcessSpent};
use super::quirks::Quirks;
use super::{Model, anthropic, call, gemini, openai};
use crate::clock::Boxed;

/// How long is waited, and how often tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For a whole answer.
    pub deadline: Duration,
    /// For the next byte of it.
    pub stall: Duration,
    /// For a connection.
    pub connect: Duration,
    /// How often a call that reached nobody is tried again.
    pub attempts: u32,
}

impl Default for Patience {
    /// A run of a lesson has five minutes; a model on a desk may take a minute to
    /// read one.
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(180),
            stall: Duration::from_secs(60),
            connect: Duration::from_secs(10),
            attempts: 2,
        }
    }
}

/// Why providers cannot be used.
#[derive(Debug, Error)]
pub enum ProvidersError {
    /// An address that is none.
    #[error(
        "the address of provider `{provider}` is no URL ({why}); write something like https://api.openai.com/v1 as its `base-url`"
    )]
    Address {
        /// Whose.
        provider: String,
        /// What is wrong.
        why: String,
    },
    /// A key that cannot be sent.
    #[error(
        "the key of provider `{provider}` has characters in it that no key has; check {place} for a line break or a quotation mark"
    )]
    Key {
        /// Whose.
        provider: String,
        /// Where it is from.
        place: String,
    },
    /// No client.
    #[error("HTTPS cannot be used: {0}; are the system's certificates installed?")]
    Client(String),
    /// Two of one name.
    #[error("two providers are called `{0}`")]
    Twice(String),
}

/// The providers that can be asked.
pub struct Providers {
    lines: BTreeMap<String, Arc<Line>>,
    patience: Patience,
    account: Arc<Account>,
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Providers")
            .field("names", &self.lines.keys())
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}

impl Providers {
    /// Providers without a limit for the process. Nobody is connected to yet.
    ///
    /// # Errors
    /// When an address or a key cannot be used.
    pub fn new(connections: Vec<Connection>, patience: Patience) -> Result<Self, ProvidersError> {
        let mut clients = Clients {
            patience,
            https: None,
        };
        let mut lines = BTreeMap::new();
        for connection in connections {
            let name = connection.name.clone();
            let line = Arc::new(Line::new(connection, &mut clients)?);
            if lines.insert(name.clone(), line).is_some() {
                return Err(ProvidersError::Twice(name));
            }
        }
        Ok(Self {
            lines,
            patience,
            account: Arc::default(),
        })
    }

    /// The same, with limits over all runs of the process.
    #[must_use]
    pub fn with_limits(mut self, limits: ProcessLimits) -> Self {
        self.account = Arc::new(Account::new(limits));
        self
    }

    /// What all runs of the process have spent.
    #[must_use]
    pub fn spent(&self) -> ProcessSpent {
        self.account.spent()
    }
}

impl Model for Providers {
    fn ask(&self, ask: &Ask) -> Boxed<Result<Reply, CallFailure>> {
        let Some(line) = self.lines.get(&ask.model.provider) else {
            let known: Vec<&str> = self.lines.keys().map(String::as_str).collect();
            let message = format!(
                "{}: no provider is called `{}`; there is {}",
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
            line: Arc::clone(line),
            patience: self.patience,
            account: Arc::clone(&self.account),
            ask: ask.clone(),
        };
        Box::pin(call.run())
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

/// The clients that are needed: one for all of HTTPS, and one for each plain
/// address.
struct Clients {
    patience: Patience,
    https: Option<Client>,
}

impl Clients {
    fn for_address(&mut self, address: &Url, in_flight: usize) -> Result<Client, ProvidersError> {
        let mut builder = Client::builder()
            .user_agent(concat!("redraft/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.patience.connect)
            // A redirection would carry the key to somebody else.
            .redirect(reqwest::redirect::Policy::none());
        // Whoever set a cryptography before us may keep theirs.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let built = |builder: reqwest::ClientBuilder| {
            builder
                .build()
                .map_err(|error| ProvidersError::Client(error.without_url().to_string()))
        };
        if address.scheme() == "https" {
            if let Some(client) = &self.https {
                return Ok(client.clone());
            }
            let client = built(builder)?;
            self.https = Some(client.clone());
            return Ok(client);
        }
        // A plain address needs no certificates, and one on this machine no proxy.
        builder = builder
            .tls_certs_only(std::iter::empty())
            .pool_max_idle_per_host(in_flight.max(1));
        let is_here = match address
            .host_str()
            .unwrap_or_default()
            .trim_matches(['[', ']'])
        {
            "localhost" => true,
            host => host
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback()),
        };
        built(if is_here { builder.no_proxy() } else { builder })
    }
}

/// The line to one provider.
struct Line {
    connection: Connection,
    client: Client,
    /// With a slash at its end.
    base: Url,
    /// Where calls go, where that is the same for all models.
    url: Option<Url>,
    host: String,
    headers: HeaderMap,
    places: Semaphore,
    quirks: Mutex<BTreeMap<String, Quirks>>,
}

impl Line {
    fn new(connection: Connection, clients: &mut Clients) -> Result<Self, ProvidersError> {
        let wrong = |why: String| ProvidersError::Address {
            provider: connection.name.clone(),
            why,
        };
        let base = format!("{}/", connection.base_url.trim().trim_end_matches('/'));
        let base = Url::parse(&base).map_err(|error| wrong(error.to_string()))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(wrong(format!("`{}` is not http or https", base.scheme())));
        }
        let host = match (base.host_str(), base.port()) {
            (Some(host), Some(port)) => format!("{host}:{port}"),
            (Some(host), None) => host.to_owned(),
            _ => return Err(wrong("it has no host".to_owned())),
        };
        let path = match connection.api {
            Api::OpenAi => Some(openai::PATH),
            Api::Anthropic => Some(anthropic::PATH),
            // The model is a part of it.
            Api::Gemini => None,
        };
        let url = path.map(|path| behind(&base, path)).transpose();
        Ok(Self {
            url: url.map_err(wrong)?,
            client: clients.for_address(&base, connection.in_flight)?,
            headers: headers(&connection)?,
            places: Semaphore::new(connection.in_flight.clamp(1, Semaphore::MAX_PERMITS)),
            quirks: Mutex::default(),
            base,
            host,
            connection,
        })
    }

    /// How requests to a model are put by now.
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
        behind(&self.base, &gemini::path(model)).map_err(|_| {
            permanent(format!(
                "{}/{model}: this cannot be the name of a model",
                self.connection.name
            ))
        })
    }

    /// The request for an ask.
    fn body(&self, ask: &Ask, quirks: Quirks) -> Result<Vec<u8>, CallFailure> {
        let api = self.connection.api;
        let wanted = ask.schema.as_deref();
        let native = wanted.filter(|_| !quirks.schema_in_prompt);
        let converted = native
            .filter(|_| api == Api::Gemini)
            .and_then(|schema| gemini::converted(schema.value()));
        let is_native = native.is_some() && (api != Api::Gemini || converted.is_some());
        let system: Cow<'_, str> = match wanted {
            Some(schema) if !is_native => format!(
                "{}\n\nAnswer with one JSON object and nothing else: no fence, no words before or behind it. It has to fit this JSON Schema:\n{}",
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

/// Joined behind the base, so that no name of a model leads to another host.
fn behind(base: &Url, path: &str) -> Result<Url, String> {
    Url::parse(&format!("{base}{path}")).map_err(|error| error.to_string())
}

fn headers(connection: &Connection) -> Result<HeaderMap, ProvidersError> {
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
        Api::OpenAi => ("authorization", format!("Bearer {}", key.expose())),
        Api::Anthropic => ("x-api-key", key.expose().to_owned()),
        Api::Gemini => ("x-goog-api-key", key.expose().to_owned()),
    };
    let mut value = HeaderValue::from_str(&value).map_err(|_| ProvidersError::Key {
        provider: connection.name.clone(),
        place: key.origin().unwrap_or("the configuration").to_owned(),
    })?;
    value.set_sensitive(true);
    headers.insert(HeaderName::from_static(name), value);
    Ok(headers)
}

/// One ask on its way.
struct Call {
    line: Arc<Line>,
    patience: Patience,
    account: Arc<Account>,
    ask: Ask,
}

impl Call {
    async fn run(self) -> Result<Reply, CallFailure> {
        let model = self.ask.model.model.as_str();
        let url = self.line.url(model)?;
        // The semaphore is never closed.
        let _place = self.line.places.acquire().await;
        let mut booking = self
            .account
            .reserve(&self.ask)
            .await
            .map_err(|why| CallFailure {
                kind: FailureKind::OverBudget,
                ..permanent(format!("{}: {why}", self.ask.model.name()))
            })?;
        let began = Instant::now();
        let deadline = began + self.patience.deadline;
        let mut attempt = 0;
        loop {
            let quirks = self.line.quirks(model);
            let request = self
                .line
                .client
                .post(url.clone())
                .headers(self.line.headers.clone())
                .body(self.line.body(&self.ask, quirks)?);
            let mut heard = Heard::default();
            booking.sent();
            let (api, stall) = (self.line.connection.api, self.patience.stall);
            let exchange = call::exchange(request, api, stall, &mut heard);
            let trouble = match tokio::time::timeout_at(deadline, exchange).await {
                Ok(Ok(())) => {
                    let reply = self.reply(heard, began);
                    booking.settle(reply.usage);
                    return Ok(reply);
                }
                Ok(Err(trouble)) => trouble,
                Err(_) => Trouble::Late(self.patience.deadline),
            };
            match &trouble {
                Trouble::Unreached(_) => {
                    booking.free();
                    let next = Instant::now() + back_off(&self.ask, attempt);
                    if attempt < self.patience.attempts && next < deadline {
                        attempt += 1;
                        tokio::time::sleep_until(next).await;
                        continue;
                    }
                }
                Trouble::Refused(complaint) if !heard.began => {
                    booking.free();
                    let said = format!("{} {}", complaint.names, complaint.message);
                    let learnt = matches!(complaint.status, Some(400 | 404 | 422))
                        .then(|| quirks.learn(api, self.ask.schema.is_some(), &said))
                        .flatten();
                    if let Some(learnt) = learnt {
                        self.line.remember(model, learnt);
                        continue;
                    }
                }
                _ => {}
            }
            // What broke off while it was answered, or while we waited for it, has
            // been worked on, and that is charged.
            let is_charged =
                heard.began || matches!(trouble, Trouble::Stalled(_) | Trouble::Late(_));
            let usage = is_charged.then(|| heard.usage(&self.sent()));
            match usage {
                Some(usage) => booking.settle(usage),
                None => booking.free(),
            }
            return Err(failure(&self.asked(), &trouble, usage));
        }
    }

    fn sent(&self) -> [&str; 2] {
        [&self.ask.prompt.system, &self.ask.prompt.user]
    }

    fn asked(&self) -> Asked<'_> {
        Asked {
            provider: &self.line.connection.name,
            model: &self.ask.model.model,
            host: &self.line.host,
            key: self.line.connection.key.as_ref(),
        }
    }

    fn reply(&self, mut heard: Heard, began: Instant) -> Reply {
        let usage = heard.usage(&self.sent());
        let mut finish = heard.finish.unwrap_or(Finish::Stop);
        if heard.text.trim().is_empty() && !heard.refusal.is_empty() {
            heard.text = heard.refusal;
            finish = Finish::Refusal;
        }
        Reply {
            text: self.without_key(heard.text),
            finish,
            usage,
            took: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// A server that repeats what it was sent must not put the key into a journal.
    fn without_key(&self, text: String) -> String {
        // An answer is not changed for the sake of a key that is a plain word, as
        // those of local servers are.
        const SHORTEST: usize = 8;
        const LONGEST_WORD: usize = 16;
        let is_secret = |key: &&Secret| {
            let key = key.expose();
            let is_word = key.bytes().all(|byte| byte.is_ascii_lowercase());
            key.len() >= SHORTEST && (!is_word || key.len() >= LONGEST_WORD)
        };
        let key = self.line.connection.key.as_ref();
        match key.filter(is_secret) {
            Some(key) => Secret::redact(key, text),
            None => text,
        }
    }
}

/// How long to wait for somebody who is not there: longer each time, and not
/// everybody as long. It depends on the ask alone, so that it can be told again.
fn back_off(ask: &Ask, attempt: u32) -> Duration {
    let mut hasher = DefaultHasher::new();
    (&ask.id.0, &ask.fingerprint.0, attempt).hash(&mut hasher);
    let base = 200u64 << attempt.min(6);
    Duration::from_millis(base / 2 + hasher.finish() % base)
}
