//! All configured providers as one model: each ask goes to the provider in its settings. `provider`
//! writes the requests, and `calling` handles an ask.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use redraft_run::ask::{Ask, CallFailure, Reply};
use reqwest::Url;
use thiserror::Error;

use super::Model;
use super::batch::{self, BatchQueue, BatchSettings};
use super::calling::Call;
use super::connection::Connection;
use super::failure::permanent;
use super::limits::{Account, ProcessLimits, ProcessSpent};
use super::provider::{Clients, Provider};
use crate::clock::BoxFuture;

/// Time limits of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the whole response.
    pub deadline: Duration,
    /// For the next byte of the response.
    pub stall: Duration,
    pub connect: Duration,
    /// How often a failed connection is retried.
    pub connect_retries: u32,
}

impl Default for Timeouts {
    /// The run of a lesson has five minutes, and a local model may take a minute to read the
    /// lesson.
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

pub(super) type UrlError = <Url as FromStr>::Err;

/// The configured providers.
pub struct Providers {
    providers: BTreeMap<String, Arc<Provider>>,
    timeouts: Timeouts,
    local_timeouts: Timeouts,
    account: Arc<Account>,
    /// The queues of providers whose asks go in batches.
    batch_queues: BTreeMap<String, Arc<BatchQueue>>,
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
    /// If an address or a key is invalid.
    pub fn new(connections: Vec<Connection>, timeouts: Timeouts) -> Result<Self, ProvidersError> {
        let mut clients = Clients::new(timeouts);
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
            batch_queues: BTreeMap::new(),
        })
    }

    /// Sets limits over all runs of the process.
    #[must_use]
    pub fn with_limits(mut self, limits: ProcessLimits) -> Self {
        self.account = Arc::new(Account::new(limits));
        self
    }

    /// Sets other timeouts for providers on this machine, where a model may be slow and must be
    /// loaded first.
    #[must_use]
    pub fn with_local_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.local_timeouts = timeouts;
        self
    }

    /// Sends asks in batches to the providers that offer it. Others are asked one by one.
    #[must_use]
    pub fn with_batches(mut self, settings: &BatchSettings) -> Self {
        let queue = |(name, provider): (&String, &Arc<Provider>)| {
            let connection = &provider.connection;
            let is_offered = batch::is_offered(connection.api, name, &connection.base_url);
            is_offered.then(|| {
                let line = provider.batch_endpoint(self.timeouts.deadline);
                (name.clone(), BatchQueue::new(line, settings.clone()))
            })
        };
        self.batch_queues = self.providers.iter().filter_map(queue).collect();
        self
    }

    /// The spending of all runs of the process.
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
            timeouts: if provider.is_local() {
                self.local_timeouts
            } else {
                self.timeouts
            },
            account: Arc::clone(&self.account),
            ask: ask.clone(),
        };
        match self.batch_queues.get(&ask.model.provider).cloned() {
            Some(queue) => Box::pin(call.in_batch(queue)),
            None => Box::pin(call.run()),
        }
    }
}
