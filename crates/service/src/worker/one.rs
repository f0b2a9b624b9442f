//! One run: from the store through the driver back into the store.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redraft_engine::clock::{BoxFuture, SystemClock};
use redraft_engine::driver::{self, DriveError, DriverContext, Human, PATCHERS_IN_FLIGHT};
use redraft_engine::journal::JournalError;
use redraft_report::sentences;
use redraft_run::assess::Assessment;
use redraft_run::run::{Decision, ReviewCase};
use serde_json::json;
use tokio::sync::{mpsc, oneshot, watch};

use super::guard::{Guarded, Lease};
use super::{Counts, later, now};
use crate::log;
use crate::otlp::Tracer;
use crate::sql::SqlError;
use crate::store::{Claim, Ended, MOST_DEATHS, Store, StoreError, StoreRecorder};
use crate::workshop::{Rejection, Workshop};

/// Whether a run shall go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    GoOn,
    /// Another worker has it, or it was cancelled.
    Lost,
    /// The worker stops; another shall go on.
    Drain,
}

/// A claimed run.
pub(super) struct OneRun {
    pub(super) store: Store,
    pub(super) workshop: Arc<dyn Workshop>,
    pub(super) claim: Claim,
    pub(super) lease: Arc<Lease>,
    pub(super) counts: Arc<Counts>,
    pub(super) tracer: Tracer,
    /// How often its worker died since the last record.
    pub(super) deaths: i64,
}

/// Why a run is not driven further.
enum Failure {
    Deadly,
    Store(StoreError),
    Rejected(Rejection),
    Drive(DriveError),
}

/// After a failure of the database.
const LATER: Duration = Duration::from_secs(5);

impl OneRun {
    pub(super) async fn drive(&self, stop: watch::Receiver<Stop>, people: People) {
        let start = now();
        let ended = match self.driven(stop, people).await {
            Ok(ended) => ended,
            Err(failure) => Some(self.failed(&failure)),
        };
        let how = match &ended {
            None => "done",
            Some(Ended::Waiting { .. }) => "waiting",
            Some(Ended::Drained | Ended::Orphaned) => "drained",
            Some(Ended::Retry { .. }) => "delayed",
            Some(Ended::Failed { .. }) => "failed",
        };
        self.tracer.run(&self.claim.run, (start, now()), how);
        self.lease.forget(&self.claim);
        let Some(ended) = ended else {
            self.counts.finished.fetch_add(1, Ordering::Relaxed);
            return;
        };
        if matches!(ended, Ended::Waiting { .. }) {
            self.counts.waiting.fetch_add(1, Ordering::Relaxed);
        }
        if let Err(error) = self.store.end(&self.claim, ended, now()).await {
            // The lease runs out, and another worker takes the run up.
            self.log("run_left", &error.to_string());
        }
    }

    /// Drives the run; tells how it ended where it has no outcome.
    async fn driven(
        &self,
        mut stop: watch::Receiver<Stop>,
        people: People,
    ) -> Result<Option<Ended>, Failure> {
        if self.deaths >= MOST_DEATHS {
            return Err(Failure::Deadly);
        }
        let stored = self
            .store
            .recorded(&self.claim.run)
            .await
            .map_err(Failure::Store)?;
        let blobs = self.store.blobs(&stored.tenant, &stored.blobs).await;
        let blobs = blobs.map_err(Failure::Store)?;
        let run = self
            .workshop
            .machine(&stored.header, &blobs)
            .map_err(Failure::Rejected)?;
        let counts = (stored.recorded.inputs.len(), stored.recorded.events.len());
        let recorder = StoreRecorder::new(self.store.clone(), self.claim.clone(), counts, now);
        let (asked, mut is_asked) = oneshot::channel();
        let context = DriverContext {
            model: Arc::new(Guarded {
                model: self.workshop.model(),
                lease: Arc::clone(&self.lease),
                claim: self.claim.clone(),
                counts: Arc::clone(&self.counts),
                tracer: self.tracer.clone(),
            }),
            clock: Arc::new(SystemClock),
            human: Arc::new(AskedLater {
                asked: Mutex::new(Some(asked)),
                people: Arc::new(tokio::sync::Mutex::new(people)),
            }),
            in_flight: 8,
            patchers_in_flight: PATCHERS_IN_FLIGHT,
        };
        let mut request = None;
        let stopped = async {
            let _ = stop.wait_for(|stop| *stop != Stop::GoOn).await;
        };
        let interrupt = async {
            tokio::select! {
                asked = &mut is_asked => match asked {
                    Ok(asked) => request = Some(asked),
                    // The driver is gone.
                    Err(_) => std::future::pending::<()>().await,
                },
                () = stopped => {}
            }
        };
        let driven = driver::drive(
            run,
            recorder,
            stored.recorded,
            &context,
            &mut |_| {},
            interrupt,
        )
        .await;
        match driven {
            Ok(_) => Ok(None),
            Err(DriveError::Interrupted) => Ok(Some(match request {
                Some(asked) => asked,
                None => Ended::Drained,
            })),
            Err(error) => Err(Failure::Drive(error)),
        }
    }

    fn failed(&self, failure: &Failure) -> Ended {
        let store = |error: &StoreError| match error {
            StoreError::Lost { .. } => {
                self.counts.lost.fetch_add(1, Ordering::Relaxed);
                Ended::Drained
            }
            StoreError::Sql(SqlError::Unavailable(_) | SqlError::Full(_)) => Ended::Retry {
                error: error.to_string(),
                at: later(now(), LATER),
            },
            _ => Ended::Failed {
                error: error.to_string(),
            },
        };
        let ended = match failure {
            Failure::Deadly => Ended::Failed {
                error: format!(
                    "its worker died {MOST_DEATHS} times in a row without making progress; check the logs"
                ),
            },
            Failure::Store(error) => store(error),
            Failure::Rejected(rejection) => Ended::Failed {
                error: rejection.to_string(),
            },
            Failure::Drive(DriveError::Journal(JournalError::Store(error))) => {
                match error.downcast_ref::<StoreError>() {
                    Some(error) => store(error),
                    None => Ended::Failed {
                        error: error.to_string(),
                    },
                }
            }
            Failure::Drive(error) => Ended::Failed {
                error: error.to_string(),
            },
        };
        match &ended {
            Ended::Failed { error } => {
                self.counts.failed.fetch_add(1, Ordering::Relaxed);
                self.log("run_failed", error);
            }
            Ended::Retry { error, .. } => self.log("run_delayed", error),
            Ended::Drained | Ended::Orphaned | Ended::Waiting { .. } => {
                self.log("run_given_up", "left to another worker");
            }
        }
        ended
    }

    fn log(&self, event: &str, error: &str) {
        log::line(event, json!({"run": self.claim.run, "error": error}));
    }
}

/// What reviewers say about the sections of a run.
pub(super) type People = mpsc::UnboundedReceiver<Decision>;

/// A reviewer who is asked through the store: the run stops, and goes on with the answer.
struct AskedLater {
    asked: Mutex<Option<oneshot::Sender<Ended>>>,
    people: Arc<tokio::sync::Mutex<People>>,
}

impl Human for AskedLater {
    fn decide(&self, case: &ReviewCase) -> BoxFuture<Option<Decision>> {
        let asked = self
            .asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(asked) = asked {
            let because = serde_json::to_string(&case.because);
            let because = because.unwrap_or_else(|_| "{}".to_owned());
            let score = case.assessment.as_ref().map(Assessment::overall);
            let score = score.map(|score| i64::from(score.thousandths()));
            let _ = asked.send(Ended::Waiting {
                because,
                content: case.content.to_string(),
                score,
                cannot_approve: case.cannot_accept.map(sentences::refused),
                cannot_change: case.cannot_change.map(sentences::refused),
            });
        }
        Box::pin(std::future::pending())
    }

    fn steps_in(&self) -> BoxFuture<Decision> {
        let people = Arc::clone(&self.people);
        Box::pin(async move {
            match people.lock().await.recv().await {
                Some(decision) => decision,
                // The worker is gone, and so is this run.
                None => std::future::pending().await,
            }
        })
    }
}
