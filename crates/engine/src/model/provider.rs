//! One configured provider: its address and headers, its HTTP client, and how requests to it are
//! written. Sends nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redraft_run::ask::{Ask, CallFailure, Schema};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use tokio::sync::Semaphore;

use super::batch::Endpoint;
use super::connection::{Api, Connection, Structured};
use super::failure::permanent;
use super::providers::{AddressProblem, ProvidersError, Timeouts, UrlError};
use super::quirks::Quirks;
use super::warm_up::WarmUps;
use super::{anthropic, gemini, openai};

/// HTTP clients: one for HTTPS, and one for each plain HTTP address.
pub(super) struct Clients {
    timeouts: Timeouts,
    https: Option<Client>,
}

impl Clients {
    pub(super) fn new(timeouts: Timeouts) -> Self {
        Self {
            timeouts,
            https: None,
        }
    }

    fn for_address(&mut self, address: &Url, in_flight: usize) -> Result<Client, ProvidersError> {
        let mut builder = Client::builder()
            .user_agent(concat!("redraft/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.timeouts.connect)
            // A redirect would send the key to another host.
            .redirect(reqwest::redirect::Policy::none());
        // Fails if the process has a default already, which is fine.
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
        // A plain address needs no certificates, and a local one needs no proxy.
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
pub(super) struct Provider {
    pub(super) connection: Connection,
    pub(super) client: Client,
    /// Ends with a slash.
    base: Url,
    /// The URL of calls, if it is the same for all models.
    url: Option<Url>,
    /// The query of calls to Azure.
    query: Option<String>,
    pub(super) host: String,
    pub(super) headers: HeaderMap,
    pub(super) slots: Semaphore,
    quirks: Mutex<BTreeMap<String, Quirks>>,
    pub(super) warm_ups: Arc<WarmUps>,
}

impl Provider {
    pub(super) fn new(
        connection: Connection,
        clients: &mut Clients,
    ) -> Result<Self, ProvidersError> {
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

    /// Whether it runs on this machine.
    pub(super) fn is_local(&self) -> bool {
        is_loopback(&self.base)
    }

    /// The connection details for its batches.
    pub(super) fn batch_endpoint(&self, timeout: Duration) -> Endpoint {
        Endpoint {
            api: self.connection.api,
            provider: self.connection.name.clone(),
            host: self.host.clone(),
            client: self.client.clone(),
            base: self.base.clone(),
            headers: self.headers.clone(),
            timeout,
        }
    }

    /// What is known so far about how a model accepts requests.
    pub(super) fn quirks(&self, model: &str) -> Quirks {
        let known = self.quirks.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(model).copied().unwrap_or(Quirks {
            schema_in_prompt: self.connection.structured == Structured::Prompt,
            ..Quirks::default()
        })
    }

    pub(super) fn remember(&self, model: &str, quirks: Quirks) {
        let mut known = self.quirks.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(model.to_owned(), quirks);
    }

    pub(super) fn url(&self, model: &str) -> Result<Url, CallFailure> {
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

    pub(super) fn body(&self, ask: &Ask, quirks: Quirks) -> Result<Vec<u8>, CallFailure> {
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

/// Appends a path as text, so that no model name can lead to another host.
fn join(base: &Url, path: &str) -> Result<Url, UrlError> {
    Url::parse(&format!("{base}{path}"))
}

/// Which variant of the protocol is used.
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
