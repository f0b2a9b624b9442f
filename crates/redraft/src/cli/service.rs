//! `redraft serve`, `redraft worker` and `redraft admin`: options, signals and the
//! runtime. What they do is in `redraft-service`; how a run is set up is in `workshop`.

mod admin;
mod assembling;
mod judges;
mod options;
mod tenant;
mod transfer;
mod workshop;

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use redraft_engine::clock::{Clock as _, SystemClock};
use redraft_service::http::{self, Access, Limits, Parts};
use redraft_service::signing::Signer;
use redraft_service::worker::{Counts, Worker};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};

use super::exit::Exit;
use options::{ServeSettings, WorkSettings};
use workshop::ConfiguredWorkshop;

pub use admin::AdminOptions;
pub(super) use admin::run as admin;
pub(super) use admin::{export, import};
pub(super) use options::StoreOptions;
pub use options::{ServeOptions, WorkerOptions};

pub(super) fn serve(options: &ServeOptions) -> anyhow::Result<Exit> {
    let workshop = Arc::new(options.work.workshop()?);
    let file = options.work.file()?;
    let set = ServeSettings::of(options, &file)?;
    runtime()?.block_on(serving(&set, options.no_work, workshop))?;
    Ok(Exit::Clean)
}

/// How long answers may take after runs were put back.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

async fn serving(
    set: &ServeSettings,
    leaves_work: bool,
    workshop: Arc<ConfiguredWorkshop>,
) -> anyhow::Result<()> {
    let stop = stopped();
    let store = set.work.open().await?;
    if store.tenants().await?.is_empty() {
        store.add_tenant("default", 64, SystemClock.now()).await?;
    }
    let is_local = set.listen.ip().is_loopback();
    if !is_local && !store.has_keys().await? {
        bail!(
            "refusing to listen on {} without API keys; create one with `redraft admin key add --name NAME`, or listen on 127.0.0.1",
            set.listen
        );
    }
    let signer = Signer::of_file(&set.work.data.join("signing.key"))?;
    let listener = TcpListener::bind(set.listen)
        .await
        .with_context(|| format!("cannot listen on {}", set.listen))?;
    let address = listener.local_addr()?;
    let (wake, counts) = (Arc::new(Notify::new()), Arc::new(Counts::default()));
    let (webhooks, tracer) = (set.work.webhooks(), set.work.tracer()?);
    let worker = (!leaves_work).then(|| {
        let worker = Worker {
            store: store.clone(),
            workshop: workshop.clone(),
            options: set.work.working.clone(),
            wake: Arc::clone(&wake),
            counts: Arc::clone(&counts),
            webhooks: webhooks.clone(),
            tracer,
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
            body: set.max_body,
            rate: set.rate,
            streams: set.streams,
            ..Limits::default()
        },
    };
    writeln!(std::io::stdout(), "listening on http://{address}")?;
    // A client that reads nothing must not keep the process for ever.
    let deadline = {
        let (stop, grace) = (stop.clone(), set.work.working.grace);
        async move {
            told(stop).await;
            tokio::time::sleep(grace + LAST_ANSWERS).await;
        }
    };
    tokio::select! {
        () = http::serve(parts, listener, told(stop)) => {}
        () = deadline => {}
    }
    if let Some(worker) = worker {
        worker.await??;
    }
    Ok(())
}

pub(super) fn worker(options: &WorkerOptions) -> anyhow::Result<Exit> {
    let workshop = Arc::new(options.work.workshop()?);
    let set = WorkSettings::of(&options.store, &options.work, &options.work.file()?)?;
    runtime()?.block_on(async {
        let stop = stopped();
        let worker = Worker {
            store: set.open().await?,
            workshop,
            options: set.working.clone(),
            wake: Arc::new(Notify::new()),
            counts: Arc::new(Counts::default()),
            webhooks: set.webhooks(),
            tracer: set.tracer()?,
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
