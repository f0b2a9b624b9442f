//! Drives runs from the store. Any number of workers share it; each drives several runs
//! at once.
//!
//! A worker holds leases and prolongs them. Its model answers nothing once the leases it
//! knows of have run out, so that a worker that was paused and comes back sends no ask
//! that another has recorded; what it still writes is rejected by the store.

mod guard;
mod one;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use redraft_engine::clock::{Clock as _, SystemClock};
use redraft_run::ask::Time;
use redraft_run::run::Decision;
use serde_json::json;
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use crate::hex;
use crate::log;
use crate::otlp::Tracer;
use crate::store::{Claim, Ended, Store, StoreError};
use crate::webhooks::Webhooks;
use crate::workshop::Workshop;

use self::guard::Lease;
use self::one::{OneRun, Stop};

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// How many runs are driven at once.
    pub slots: usize,
    /// How long a run is left alone without a sign of its worker.
    pub lease: Duration,
    /// How often the store is asked for runs when idle.
    pub poll: Duration,
    /// How long runs may go on after the worker was told to stop.
    pub grace: Duration,
}

impl Default for WorkerOptions {
    fn default() -> Self {
        Self {
            slots: 16,
            lease: Duration::from_secs(15),
            poll: Duration::from_millis(250),
            grace: Duration::from_secs(20),
        }
    }
}

/// What workers have done in this process, for metrics.
#[derive(Debug, Default)]
pub struct Counts {
    pub claimed: AtomicU64,
    pub finished: AtomicU64,
    pub waiting: AtomicU64,
    pub failed: AtomicU64,
    pub lost: AtomicU64,
    pub asks: AtomicU64,
}

/// A worker: what it works with.
pub struct Worker {
    pub store: Store,
    pub workshop: Arc<dyn Workshop>,
    pub options: WorkerOptions,
    /// Wakes it when there is something to do.
    pub wake: Arc<Notify>,
    pub counts: Arc<Counts>,
    pub webhooks: Webhooks,
    pub tracer: Tracer,
}

/// The runs that are being driven.
struct Driving {
    tasks: JoinSet<String>,
    stops: BTreeMap<String, Reins>,
}

/// What a run that is being driven can be told.
struct Reins {
    epoch: i64,
    stop: watch::Sender<Stop>,
    /// What reviewers say about its sections.
    people: mpsc::UnboundedSender<Decision>,
    /// The number of the last one that it was told.
    told: i64,
}

/// How often a worker looks whether reviewers said something about its runs.
const PEOPLE: Duration = Duration::from_millis(500);

pub(crate) fn now() -> Time {
    SystemClock.now()
}

impl Worker {
    /// Works until it is told to stop, then lets runs go on for a while and puts the rest
    /// back.
    ///
    /// # Errors
    /// When no name can be made.
    pub async fn work(self, mut stop: watch::Receiver<bool>) -> Result<(), StoreError> {
        // A name of its own for every start: nothing of an earlier process is its.
        let name = format!("w{}{}", std::process::id(), hex::random(6)?);
        log::line(
            "worker_started",
            json!({"worker": name, "slots": self.options.slots}),
        );
        let lease = Arc::new(Lease::default());
        let mut driving = Driving {
            tasks: JoinSet::new(),
            stops: BTreeMap::new(),
        };
        let (mut beat, mut look) = (Instant::now(), Instant::now());
        let mut stops_at: Option<Instant> = None;
        loop {
            let is_stopping = stops_at.is_some();
            if Instant::now() >= beat {
                self.heartbeat(&name, &lease, &mut driving).await;
                beat = Instant::now() + self.options.lease / 4;
            }
            if Instant::now() >= look && !driving.stops.is_empty() {
                self.pass_on(&name, &mut driving).await;
                look = Instant::now() + PEOPLE;
            }
            let claimed = if is_stopping {
                0
            } else {
                self.claim(&name, &lease, &mut driving).await
            };
            if is_stopping && driving.tasks.is_empty() {
                break;
            }
            let pause = if claimed > 0 {
                Duration::ZERO
            } else {
                self.options.poll
            };
            let until = (Instant::now() + pause).min(beat);
            tokio::select! {
                () = sleep_until(until) => {}
                () = self.wake.notified(), if !is_stopping => {}
                Some(done) = driving.tasks.join_next() => driving.forget(done.ok().as_deref()),
                () = told(&mut stop), if !is_stopping => {
                    log::line("worker_draining", json!({"worker": name, "runs": driving.stops.len()}));
                    stops_at = Some(Instant::now() + self.options.grace);
                }
            }
            if stops_at.is_some_and(|at| Instant::now() >= at) {
                driving.stop_all(Stop::Drain);
            }
        }
        log::line("worker_stopped", json!({"worker": name}));
        Ok(())
    }

    /// Claims runs for the free slots; tells how many it got.
    async fn claim(&self, name: &str, lease: &Arc<Lease>, driving: &mut Driving) -> usize {
        let room = self.options.slots.saturating_sub(driving.stops.len());
        if room == 0 {
            return 0;
        }
        let at = now();
        let claimed = match self.store.claim(name, room, self.options.lease, at).await {
            Ok(claimed) => claimed,
            Err(error) => {
                log::line(
                    "claim_failed",
                    json!({"worker": name, "error": error.to_string()}),
                );
                return 0;
            }
        };
        for one in &claimed {
            lease.holds_until(&one.claim, later(at, self.options.lease));
            let (stop, stopped) = watch::channel(Stop::GoOn);
            let (people, said) = mpsc::unbounded_channel();
            let reins = Reins {
                epoch: one.claim.epoch,
                stop,
                people,
                told: 0,
            };
            driving.stops.insert(one.claim.run.clone(), reins);
            let run = OneRun {
                store: self.store.clone(),
                workshop: Arc::clone(&self.workshop),
                claim: one.claim.clone(),
                lease: Arc::clone(lease),
                counts: Arc::clone(&self.counts),
                tracer: self.tracer.clone(),
                deaths: one.deaths,
            };
            driving.tasks.spawn(async move {
                run.drive(stopped, said).await;
                run.claim.run
            });
        }
        let number = claimed.len();
        self.counts
            .claimed
            .fetch_add(number as u64, Ordering::Relaxed);
        number
    }

    /// Tells runs what reviewers say about their sections.
    async fn pass_on(&self, name: &str, driving: &mut Driving) {
        match self.store.pending(name).await {
            Ok(pending) => {
                for one in pending {
                    if let Some(reins) = driving.stops.get_mut(&one.run)
                        && one.number > reins.told
                    {
                        reins.told = one.number;
                        let _ = reins.people.send(one.decision);
                    }
                }
            }
            Err(error) => {
                log::line(
                    "section_decisions_failed",
                    json!({"worker": name, "error": error.to_string()}),
                );
            }
        }
    }

    /// Prolongs the leases, gives up runs that another has, puts abandoned ones back, and
    /// calls webhooks.
    async fn heartbeat(&self, name: &str, lease: &Lease, driving: &mut Driving) {
        let at = now();
        match self.store.heartbeat(name, self.options.lease, at).await {
            Ok(held) => {
                let (driven, orphans): (Vec<Claim>, Vec<Claim>) =
                    held.into_iter().partition(|claim| driving.has(claim));
                for claim in &driven {
                    lease.holds_until(claim, later(at, self.options.lease));
                }
                driving.keep(&driven);
                for claim in orphans {
                    self.give_back(&claim).await;
                }
            }
            Err(error) => {
                log::line(
                    "heartbeat_failed",
                    json!({"worker": name, "error": error.to_string()}),
                );
            }
        }
        match self.store.sweep(now()).await {
            Ok(0) => {}
            Ok(runs) => log::line("leases_expired", json!({"worker": name, "runs": runs})),
            Err(error) => {
                log::line(
                    "sweep_failed",
                    json!({"worker": name, "error": error.to_string()}),
                );
            }
        }
        self.webhooks.deliver_due(&self.store);
    }

    /// Puts a run back that is this worker's and that nothing drives: the answer to its claim
    /// was lost, how it ended could not be stored, or its task panicked. Its lease would be
    /// prolonged for as long as the worker lives.
    async fn give_back(&self, claim: &Claim) {
        let ended = self.store.end(claim, Ended::Orphaned, now()).await;
        let error = ended.err().map(|error| error.to_string());
        log::line("run_orphaned", json!({"run": claim.run, "error": error}));
    }
}

impl Driving {
    fn forget(&mut self, run: Option<&str>) {
        match run {
            Some(run) => {
                self.stops.remove(run);
            }
            // A task that panicked does not say which run it had; its channel is closed.
            None => self.stops.retain(|_, reins| !reins.stop.is_closed()),
        }
    }

    fn has(&self, claim: &Claim) -> bool {
        let reins = self.stops.get(&claim.run);
        reins.is_some_and(|reins| reins.epoch == claim.epoch)
    }

    fn keep(&self, held: &[Claim]) {
        for (run, reins) in &self.stops {
            let is_held = held
                .iter()
                .any(|claim| claim.run == *run && claim.epoch == reins.epoch);
            if !is_held {
                let _ = reins.stop.send(Stop::Lost);
            }
        }
    }

    fn stop_all(&self, why: Stop) {
        for reins in self.stops.values() {
            let _ = reins.stop.send(why);
        }
    }
}

async fn told(stop: &mut watch::Receiver<bool>) {
    // Who could tell it is gone: then it works on.
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn later(time: Time, duration: Duration) -> Time {
    Time(time.0 + u64::try_from(duration.as_millis()).unwrap_or(u64::MAX / 2))
}
