//! The store: tenants, keys, documents, runs with their inputs and events, reviews.
//!
//! A run is driven by whoever has its current epoch:
//!
//! | what happens | state | epoch |
//! |---|---|---|
//! | submitted | queued | 0 |
//! | claimed by a worker | running | + 1 |
//! | the lease ran out | queued | + 1 |
//! | the worker drained, or nothing of it drives the run | queued | + 1 |
//! | a reviewer is needed | waiting | same |
//! | a reviewer decided | queued | same |
//! | finished | done | same |
//! | cannot be driven | failed | same |
//! | cancelled, from any state but done | cancelled | + 1 |
//!
//! Every write of a worker requires the epoch of its claim, in the same transaction, so
//! that one that was paused and comes back writes nothing. Replies are unique by run and
//! ask.

mod access;
mod agreement;
mod banks;
mod blobs;
mod claims;
mod comments;
mod course;
mod ending;
mod listing;
mod migrate;
mod prune;
mod recorder;
mod records;
mod reviews;
mod runs;
mod sessions;
mod stepping_in;
mod submitting;
mod transfer;

use thiserror::Error;

use crate::sql::{Database, Location, SqlError};

pub use access::{Budgets, Caller, KeyInfo, NewKey, Scope, Settings, Tenant};
pub use agreement::{Agreement, Reviewer};
pub use banks::{Bank, NewBank};
pub use blobs::Blob;
pub use claims::{Claim, Claimed, Ended, MOST_DEATHS};
pub use comments::{Comment, NewComment};
pub use course::DoneRun;
pub use listing::{Filter, Page};
pub use prune::Pruned;
pub use recorder::StoreRecorder;
pub use records::Stored;
pub use reviews::{Decided, DecisionRow, NewDecision, Once, Review, Verb};
pub use runs::{RunInfo, RunState, new_id};
pub use sessions::{NewSession, SESSION, Session};
pub use stepping_in::{NewSectionDecision, PendingDecision, SectionAction};
pub use submitting::{Created, NewRun};

/// Why the store did not do something.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error(transparent)]
    Sql(#[from] SqlError),
    /// Another worker has the run, or it was cancelled.
    #[error("run {run} was claimed by another worker or cancelled; nothing was written")]
    Lost { run: String },
    #[error("{what} is damaged in the database: {why}")]
    Damaged { what: String, why: String },
    #[error("no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    #[error("{0}")]
    Refused(String),
}

impl StoreError {
    fn damaged(what: &str, why: &impl ToString) -> Self {
        Self::Damaged {
            what: what.to_owned(),
            why: why.to_string(),
        }
    }
}

/// The store of a service. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) database: Database,
}

impl Store {
    /// Opens a store, and brings its tables up to date.
    ///
    /// # Errors
    /// When the database cannot be opened, or was made by a later version.
    pub async fn open(location: &Location) -> Result<Self, StoreError> {
        let database = Database::open(location).await?;
        let store = Self { database };
        store.migrate().await?;
        Ok(store)
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let ping = self
            .database
            .read(|sql| sql.row("SELECT COUNT(*) FROM migrations", &[]));
        ping.await?;
        Ok(())
    }

    /// Copies the database to a file; SQLite only.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn back_up(&self, to: &std::path::Path) -> Result<(), StoreError> {
        Ok(self.database.back_up(to).await?)
    }
}
