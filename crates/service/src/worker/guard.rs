//! No ask without a lease: a worker that was paused beyond its leases sends nothing when
//! it comes back.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use redraft_engine::clock::BoxFuture;
use redraft_engine::model::Model;
use redraft_run::ask::{Ask, CallFailure, Reply, Time};

use super::{Counts, now};
use crate::otlp::Tracer;
use crate::store::Claim;

/// Until when the runs of a worker are its own, as far as it knows.
#[derive(Debug, Default)]
pub(super) struct Lease {
    until: Mutex<BTreeMap<String, (i64, Time)>>,
}

impl Lease {
    pub(super) fn holds_until(&self, claim: &Claim, time: Time) {
        self.lock().insert(claim.run.clone(), (claim.epoch, time));
    }

    pub(super) fn forget(&self, claim: &Claim) {
        let mut until = self.lock();
        if until
            .get(&claim.run)
            .is_some_and(|held| held.0 == claim.epoch)
        {
            until.remove(&claim.run);
        }
    }

    fn is_held(&self, claim: &Claim, at: Time) -> bool {
        let until = self.lock();
        let held = until.get(&claim.run);
        held.is_some_and(|(epoch, until)| *epoch == claim.epoch && at < *until)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, (i64, Time)>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The models of a run, for as long as its lease holds.
pub(super) struct Guarded {
    pub(super) model: Arc<dyn Model>,
    pub(super) lease: Arc<Lease>,
    pub(super) claim: Claim,
    pub(super) counts: Arc<Counts>,
    pub(super) tracer: Tracer,
}

impl Model for Guarded {
    fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
        if !self.lease.is_held(&self.claim, now()) {
            // Somebody else asks; this run is about to be stopped.
            return Box::pin(std::future::pending());
        }
        self.counts.asks.fetch_add(1, Ordering::Relaxed);
        let (tracer, run) = (self.tracer.clone(), self.claim.run.clone());
        let (asked, answer, start) = (ask.clone(), self.model.ask(ask), now());
        Box::pin(async move {
            let result = answer.await;
            tracer.ask(&run, &asked, (start, now()), &result);
            result
        })
    }

    fn keep(&self, ask: &Ask, reply: &Reply) {
        self.model.keep(ask, reply);
    }
}
