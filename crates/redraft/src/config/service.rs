//! `[service]` of `redraft.toml`: what `redraft serve` and `redraft worker` use unless an
//! option or an environment variable says so.

use schemars::JsonSchema;
use serde::Deserialize;

use super::error::ConfigError;
use super::located::{Located, Source};

/// Settings of `redraft serve` and `redraft worker`. Options take precedence over
/// environment variables, and these over the file.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table, for example [service] with listen = \"127.0.0.1:8321\""
)]
pub struct ServiceSection {
    /// Address to listen on; `127.0.0.1:8321` by default. `REDRAFT_LISTEN`.
    pub listen: Option<Located<String>>,
    /// SQLite file, or URL of PostgreSQL without a password; `redraft.db` in the data folder
    /// by default. `REDRAFT_DATABASE`, which may contain a password.
    pub database: Option<Located<String>>,
    /// Folder for the database and the signing key; `.redraft/service` by default.
    /// `REDRAFT_SERVICE_DATA`.
    pub data: Option<String>,
    /// Number of runs to process at once; 16 by default. `REDRAFT_SLOTS`.
    pub slots: Option<usize>,
    /// Seconds of silence after which a worker loses its run to another; 15 by default, at
    /// least 2. `REDRAFT_LEASE`.
    pub lease: Option<Located<u64>>,
    /// Let runs continue for this many seconds after SIGTERM; 20 by default. `REDRAFT_GRACE`.
    pub grace: Option<u64>,
    /// Requests per second for each API key; 100 by default. `REDRAFT_RATE`.
    pub rate: Option<u32>,
    /// Largest request in bytes; 8388608 by default. `REDRAFT_MAX_BODY`.
    pub max_body: Option<usize>,
    /// Maximum open event streams, of which a tenant gets at most a quarter; 4096 by default.
    /// `REDRAFT_STREAMS`.
    pub streams: Option<usize>,
    /// Hosts to which webhooks are allowed. `REDRAFT_WEBHOOK_HOSTS`, separated by commas.
    pub webhook_hosts: Option<Located<Vec<String>>>,
    /// Collector of traces, such as `http://127.0.0.1:4318` (OTLP over HTTP); none by default.
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub otlp: Option<Located<String>>,
}

pub(super) fn check(section: &ServiceSection, source: &Source) -> Result<(), ConfigError> {
    if let Some(listen) = &section.listen
        && listen.parse::<std::net::SocketAddr>().is_err()
    {
        return Err(source.error(
            listen,
            "\"listen\" must be an address with a port, for example \"127.0.0.1:8321\"",
        ));
    }
    if let Some(lease) = section.lease.as_ref().filter(|lease| ***lease < 2) {
        return Err(source.error(lease, "\"lease\" must be at least 2 seconds"));
    }
    if let Some(database) = &section.database
        && has_password(database)
    {
        return Err(source.error(
            database,
            "\"database\" must not contain a password; set REDRAFT_DATABASE instead",
        ));
    }
    Ok(())
}

/// Whether a URL has a password before its host, or among its parameters.
fn has_password(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else {
        return false;
    };
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let user = place
        .split('/')
        .next()
        .and_then(|host| host.rsplit_once('@'));
    user.is_some_and(|(user, _)| user.contains(':'))
        || query.split('&').any(|pair| pair.starts_with("password="))
}
