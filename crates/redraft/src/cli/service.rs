//! `redraft serve`, `redraft worker` and `redraft admin`: options, signals and the
//! runtime. What they do is in `redraft-service`; how a run is set up is in `workshop`.

mod admin;
mod assembling;
mod tenant;
mod transfer;
mod workshop;

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_engine::clock::{Clock as _, SystemClock};
use redraft_service::http::{self, Access, Limits, Parts};
use redraft_service::signing::Signer;
use redraft_service::sql::Location;
use redraft_service::store::Store;
use redraft_service::webhooks::Webhooks;
use redraft_service::worker::{Counts, Worker, WorkerOptions as Working};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};

use super::exit::Exit;
use super::options::CommonOptions;
use workshop::ConfiguredWorkshop;

pub use admin::AdminOptions;
pub(super) use admin::run as admin;

/// Which database is used unless the options say so.
const VARIABLE: &str = "REDRAFT_DATABASE";

/// Where a service keeps its data.
#[derive(Clone, Debug, Default, Args)]
pub struct StoreOptions {
    /// SQLite file or URL of PostgreSQL [default: $REDRAFT_DATABASE, or
    /// redraft.db in the data folder]
    #[arg(long, value_name = "URL|FILE")]
    pub database: Option<String>,
    /// Folder for the database and the signing key
    #[arg(long, value_name = "DIR", default_value = ".redraft/service")]
    pub data: PathBuf,
}

impl StoreOptions {
    fn location(&self) -> Location {
        let named = self.database.clone().or_else(|| {
            let variable = std::env::var(VARIABLE).ok();
            variable.filter(|value| !value.is_empty())
        });
        match named {
            Some(named) => Location::parse(&named),
            None => Location::Sqlite(self.data.join("redraft.db")),
        }
    }

    async fn open(&self) -> anyhow::Result<Store> {
        Ok(Store::open(&self.location()).await?)
    }
}

/// How runs are driven.
#[derive(Clone, Debug, Args)]
pub struct WorkOptions {
    /// Number of runs to drive at once
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    pub slots: u16,
    /// Seconds until a run without a sign of its worker goes elsewhere
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u64).range(2..))]
    pub lease: u64,
    /// Seconds that runs may go on after SIGTERM
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub grace: u64,
    /// Host that webhooks may go to; repeat it for several
    #[arg(long = "webhook-host", value_name = "HOST")]
    pub webhook_hosts: Vec<String>,
    /// Answer from this script instead of a model (TOML)
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Configuration [default: redraft.toml in this or a parent folder]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

impl WorkOptions {
    fn workshop(&self) -> anyhow::Result<ConfiguredWorkshop> {
        let common = CommonOptions {
            config: self.config.clone(),
            ..CommonOptions::default()
        };
        ConfiguredWorkshop::new(&common, self.script.as_ref())
    }

    fn working(&self) -> Working {
        Working {
            slots: usize::from(self.slots),
            lease: Duration::from_secs(self.lease),
            grace: Duration::from_secs(self.grace),
            ..Working::default()
        }
    }

    fn webhooks(&self) -> Webhooks {
        Webhooks::new(self.webhook_hosts.iter().cloned())
    }
}

/// Options of `serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeOptions {
    /// Address to listen on; other machines need API keys
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8321")]
    pub listen: SocketAddr,
    /// Drive no runs; leave that to `redraft worker`
    #[arg(long)]
    pub no_work: bool,
    /// Requests per second for each API key
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub rate: u32,
    /// Largest request in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 8 << 20)]
    pub max_body: usize,
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

pub(super) fn serve(options: &ServeOptions) -> anyhow::Result<Exit> {
    let workshop = Arc::new(options.work.workshop()?);
    runtime()?.block_on(serving(options, workshop))?;
    Ok(Exit::Clean)
}

async fn serving(options: &ServeOptions, workshop: Arc<ConfiguredWorkshop>) -> anyhow::Result<()> {
    let stop = stopped();
    let store = options.store.open().await?;
    if store.tenants().await?.is_empty() {
        store.add_tenant("default", 64, SystemClock.now()).await?;
    }
    let is_local = options.listen.ip().is_loopback();
    if !is_local && !store.has_keys().await? {
        bail!(
            "refusing to listen on {} without API keys; make one with `redraft admin key add --name NAME`, or listen on 127.0.0.1",
            options.listen
        );
    }
    let signer = Signer::of_file(&options.store.data.join("signing.key"))?;
    let listener = TcpListener::bind(options.listen)
        .await
        .with_context(|| format!("cannot listen on {}", options.listen))?;
    let address = listener.local_addr()?;
    let (wake, counts) = (Arc::new(Notify::new()), Arc::new(Counts::default()));
    let webhooks = options.work.webhooks();
    let worker = (!options.no_work).then(|| {
        let worker = Worker {
            store: store.clone(),
            workshop: workshop.clone(),
            options: options.work.working(),
            wake: Arc::clone(&wake),
            counts: Arc::clone(&counts),
            webhooks: webhooks.clone(),
        };
        tokio::spawn(worker.work(stop.clone()))
    });
    let parts = Parts {
        store,
        workshop,
        wake,
        counts,
        webhooks,
        signer,
        access: if is_local {
            Access::Loopback
        } else {
            Access::Keys
        },
        limits: Limits {
            body: options.max_body,
            rate: options.rate,
            ..Limits::default()
        },
    };
    writeln!(std::io::stdout(), "listening on http://{address}")?;
    http::serve(parts, listener, told(stop)).await?;
    if let Some(worker) = worker {
        worker.await??;
    }
    Ok(())
}

pub(super) fn worker(options: &WorkerOptions) -> anyhow::Result<Exit> {
    let workshop = Arc::new(options.work.workshop()?);
    runtime()?.block_on(async {
        let stop = stopped();
        let worker = Worker {
            store: options.store.open().await?,
            workshop,
            options: options.work.working(),
            wake: Arc::new(Notify::new()),
            counts: Arc::new(Counts::default()),
            webhooks: options.work.webhooks(),
        };
        worker.work(stop).await?;
        anyhow::Ok(())
    })?;
    Ok(Exit::Clean)
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")
}

/// Becomes true with SIGTERM or Ctrl-C.
fn stopped() -> watch::Receiver<bool> {
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(async move {
        terminated().await;
        let _ = stop.send(true);
        // The channel stays open.
        std::future::pending::<()>().await;
    });
    stopped
}

async fn terminated() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => return,
                Ok(()) = tokio::signal::ctrl_c() => return,
            }
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn told(mut stop: watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}
