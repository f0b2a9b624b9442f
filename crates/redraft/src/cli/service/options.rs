//! The options of `serve`, `worker` and `admin`, and what they come to with the
//! environment and `[service]` of `redraft.toml`: an option goes over a variable, a
//! variable over the file, and the file over the default.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_service::otlp::Tracer;
use redraft_service::sql::Location;
use redraft_service::store::Store;
use redraft_service::webhooks::Webhooks;
use redraft_service::worker::WorkerOptions as Working;

use super::workshop::ConfiguredWorkshop;
use crate::cli::options::CommonOptions;
use crate::cli::trust;
use crate::config::{Config, ServiceSection};
use crate::files::{self, Limits};

/// Where a service keeps its data.
#[derive(Clone, Debug, Default, Args)]
pub struct StoreOptions {
    /// SQLite file or URL of PostgreSQL [default: $REDRAFT_DATABASE, or
    /// redraft.db in the data folder]
    #[arg(long, value_name = "URL|FILE")]
    pub database: Option<String>,
    /// Folder for the database and the signing key [default:
    /// .redraft/service]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

/// How runs are driven.
#[derive(Clone, Debug, Args)]
pub struct WorkOptions {
    /// Number of runs to process at once [default: 16]
    #[arg(long, value_name = "N")]
    pub slots: Option<usize>,
    /// Reassign a run when its worker has been silent for this long
    /// [default: 15]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(2..))]
    pub lease: Option<u64>,
    /// Let runs continue for this many seconds after SIGTERM [default: 20]
    #[arg(long, value_name = "SECONDS")]
    pub grace: Option<u64>,
    /// Allow webhooks to this host; repeat for several hosts
    #[arg(long = "webhook-host", value_name = "HOST")]
    pub webhook_hosts: Vec<String>,
    /// Send traces to this OpenTelemetry collector (OTLP over HTTP)
    #[arg(long, value_name = "URL")]
    pub otlp: Option<String>,
    /// Answer from this script instead of a model (TOML)
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Configuration [default: redraft.toml in this or a parent folder]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

impl WorkOptions {
    pub(super) fn workshop(&self) -> anyhow::Result<ConfiguredWorkshop> {
        trust::require_for(self.config.as_deref())?;
        let common = CommonOptions {
            config: self.config.clone(),
            ..CommonOptions::default()
        };
        ConfiguredWorkshop::new(&common, self.script.as_ref())
    }

    /// `[service]` of the configuration.
    pub(super) fn file(&self) -> anyhow::Result<ServiceSection> {
        section(self.config.as_deref())
    }
}

/// Options of `serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeOptions {
    /// Address to listen on; other machines need API keys [default:
    /// 127.0.0.1:8321]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// Process no runs; leave them to `redraft worker`
    #[arg(long)]
    pub no_work: bool,
    /// Requests per second for each API key [default: 100]
    #[arg(long, value_name = "N")]
    pub rate: Option<u32>,
    /// Largest request in bytes [default: 8388608]
    #[arg(long, value_name = "BYTES")]
    pub max_body: Option<usize>,
    /// Maximum open event streams; a tenant gets at most a quarter
    /// [default: 4096]
    #[arg(long, value_name = "N")]
    pub streams: Option<usize>,
    #[command(flatten)]
    pub store: StoreOptions,
    #[command(flatten)]
    pub work: WorkOptions,
}

/// Options of `worker`.
#[derive(Clone, Debug, Args)]
pub struct WorkerOptions {
    #[command(flatten)]
    pub store: StoreOptions,
    #[command(flatten)]
    pub work: WorkOptions,
}

/// What `worker` works with.
pub(super) struct WorkSettings {
    pub(super) location: Location,
    pub(super) data: PathBuf,
    pub(super) working: Working,
    webhook_hosts: Vec<String>,
    otlp: Option<String>,
}

/// What `serve` works with.
pub(super) struct ServeSettings {
    pub(super) listen: SocketAddr,
    pub(super) rate: u32,
    pub(super) max_body: usize,
    pub(super) streams: usize,
    pub(super) work: WorkSettings,
}

impl StoreOptions {
    /// Where the database is, and the folder of the service.
    pub(super) fn place(&self, file: &ServiceSection) -> anyhow::Result<(Location, PathBuf)> {
        let data = set(
            self.data.clone(),
            "REDRAFT_SERVICE_DATA",
            file.data.as_ref(),
        )?;
        let data = data.unwrap_or_else(|| PathBuf::from(".redraft/service"));
        let written = file.database.as_deref();
        let named = set(self.database.clone(), "REDRAFT_DATABASE", written)?;
        let location = match named {
            Some(named) => Location::parse(&named)?,
            None => Location::Sqlite(data.join("redraft.db")),
        };
        Ok((location, data))
    }

    /// The same for commands without a `--config` of their own.
    pub(super) fn found(&self) -> anyhow::Result<(Location, PathBuf)> {
        trust::require_for_service(None)?;
        self.place(&section(None)?)
    }
}

impl WorkSettings {
    pub(super) fn of(
        store: &StoreOptions,
        work: &WorkOptions,
        file: &ServiceSection,
    ) -> anyhow::Result<Self> {
        let (location, data) = store.place(file)?;
        let default = Working::default();
        let lease = set(work.lease, "REDRAFT_LEASE", file.lease.as_deref())?;
        if lease.is_some_and(|seconds| seconds < 2) {
            bail!("REDRAFT_LEASE: expected at least 2 seconds");
        }
        let grace = set(work.grace, "REDRAFT_GRACE", file.grace.as_ref())?;
        let slots = set(work.slots, "REDRAFT_SLOTS", file.slots.as_ref())?;
        if slots == Some(0) {
            bail!("slots: expected at least 1; `serve --no-work` drives no runs");
        }
        let hosts = variable("REDRAFT_WEBHOOK_HOSTS").map(|hosts| {
            let hosts = hosts.split(',').map(|host| host.trim().to_owned());
            hosts.filter(|host| !host.is_empty()).collect()
        });
        let written = file.webhook_hosts.as_deref().cloned();
        let webhook_hosts = match work.webhook_hosts.is_empty() {
            true => hosts.or(written).unwrap_or_default(),
            false => work.webhook_hosts.clone(),
        };
        Ok(Self {
            location,
            data,
            working: Working {
                slots: slots.unwrap_or(default.slots),
                lease: lease.map_or(default.lease, Duration::from_secs),
                grace: grace.map_or(default.grace, Duration::from_secs),
                ..default
            },
            webhook_hosts,
            otlp: set(
                work.otlp.clone(),
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                file.otlp.as_deref(),
            )?,
        })
    }

    pub(super) async fn open(&self) -> anyhow::Result<Store> {
        Ok(Store::open(&self.location).await?)
    }

    pub(super) fn webhooks(&self) -> Webhooks {
        Webhooks::new(self.webhook_hosts.iter().cloned())
    }

    /// Needs a runtime.
    pub(super) fn tracer(&self) -> anyhow::Result<Tracer> {
        let Some(endpoint) = &self.otlp else {
            return Ok(Tracer::default());
        };
        let headers = variable("OTEL_EXPORTER_OTLP_HEADERS").unwrap_or_default();
        Ok(Tracer::to(endpoint, &headers)?)
    }
}

impl ServeSettings {
    pub(super) fn of(options: &ServeOptions, file: &ServiceSection) -> anyhow::Result<Self> {
        let limits = redraft_service::http::Limits::default();
        let listen: Option<SocketAddr> = match &file.listen {
            // It was checked when the file was read.
            Some(listen) => listen.parse().ok(),
            None => None,
        };
        let listen = set(options.listen, "REDRAFT_LISTEN", listen.as_ref())?;
        let rate = set(options.rate, "REDRAFT_RATE", file.rate.as_ref())?;
        let max_body = set(options.max_body, "REDRAFT_MAX_BODY", file.max_body.as_ref())?;
        let streams = set(options.streams, "REDRAFT_STREAMS", file.streams.as_ref())?;
        Ok(Self {
            listen: listen.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8321))),
            rate: rate.unwrap_or(limits.rate),
            max_body: max_body.unwrap_or(limits.body),
            streams: streams.unwrap_or(limits.streams),
            work: WorkSettings::of(&options.store, &options.work, file)?,
        })
    }
}

/// A setting by its option, its variable or the file.
fn set<T, F>(option: Option<T>, name: &str, file: Option<&F>) -> anyhow::Result<Option<T>>
where
    T: FromStr + From<F>,
    F: Clone,
{
    if option.is_some() {
        return Ok(option);
    }
    let Some(value) = variable(name) else {
        return Ok(file.cloned().map(T::from));
    };
    match value.parse() {
        Ok(value) => Ok(Some(value)),
        // A value may hold a password.
        Err(_) => bail!("{name}: invalid value"),
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn section(named: Option<&std::path::Path>) -> anyhow::Result<ServiceSection> {
    let here = std::env::current_dir().unwrap_or_default();
    let Some(path) = Config::path(named, &here) else {
        return Ok(ServiceSection::default());
    };
    let text =
        files::read_text(&path, &Limits::default()).with_context(|| files::cannot_read(&path))?;
    Ok(Config::parse(&text, &path)?.file().service.clone())
}
