//! Submitting runs: all of an order or nothing, and a repeated order once.

use redraft_engine::journal::Header;
use redraft_run::ask::Time;

use super::access::millis;
use super::banks::{self, NewBank};
use super::blobs::{self, Blob};
use super::{Store, StoreError};
use crate::sql::{Sql, SqlError, Value};

/// A run to be stored.
#[derive(Clone, Debug)]
pub struct NewRun {
    pub id: String,
    pub tenant: String,
    pub goal: String,
    pub profile: String,
    pub mode: String,
    pub name: String,
    pub batch: Option<String>,
    pub priority: i64,
    pub header: Header,
    pub document: Blob,
    pub companions: Vec<Blob>,
    pub submitted_by: String,
    pub idempotency: Option<String>,
    /// The hash of the whole order, to tell a repetition from another order.
    pub order_hash: String,
    /// Whether another program made its record.
    pub is_imported: bool,
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created {
    New(String),
    /// The same order came before.
    Known(String),
    /// The idempotency key belongs to another order.
    Conflict,
}

/// What rolls back orders under a key that belongs to others.
const ANOTHER_ORDER: &str = "another order";

impl Store {
    /// Stores runs, all or none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create(&self, runs: Vec<NewRun>, now: Time) -> Result<Vec<Created>, StoreError> {
        self.create_bank(runs, None, now).await
    }

    /// Stores the runs of a bank's items, and the bank.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_bank(
        &self,
        runs: Vec<NewRun>,
        bank: Option<NewBank>,
        now: Time,
    ) -> Result<Vec<Created>, StoreError> {
        let runs = std::sync::Arc::new((runs, bank));
        loop {
            let orders = std::sync::Arc::clone(&runs);
            let created = self.database.write(move |sql| {
                let (runs, bank) = &*orders;
                if let Some(bank) = bank {
                    banks::put(sql, bank, now)?;
                }
                let created = runs.iter().map(|run| create(sql, run, now));
                let created = created.collect::<Result<Vec<_>, _>>()?;
                if created.contains(&Created::Conflict) {
                    // None of them is kept.
                    return Err(SqlError::Duplicate(ANOTHER_ORDER.to_owned()));
                }
                Ok(created)
            });
            match created.await {
                Err(SqlError::Duplicate(what)) if what == ANOTHER_ORDER => {
                    return Ok(vec![Created::Conflict; runs.0.len()]);
                }
                // The same order came at the same time: now it is there.
                Err(SqlError::Duplicate(what)) if what.contains("idempotency") => {}
                // Ids are random: these runs were stored, and the answer was lost.
                Err(SqlError::Duplicate(_)) if self.has_all(&runs.0).await? => {
                    let stored = runs.0.iter().map(|run| Created::New(run.id.clone()));
                    return Ok(stored.collect());
                }
                Err(error) => return Err(error.into()),
                Ok(created) => return Ok(created),
            }
        }
    }

    async fn has_all(&self, runs: &[NewRun]) -> Result<bool, StoreError> {
        for run in runs {
            if self.run(&run.tenant, &run.id).await?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

pub(super) fn create(sql: &mut dyn Sql, run: &NewRun, now: Time) -> Result<Created, SqlError> {
    if let Some(key) = &run.idempotency {
        let values: [Value; 2] = [(&run.tenant).into(), key.into()];
        let known = sql.row(
            "SELECT id, order_hash FROM runs WHERE tenant = $1 AND idempotency = $2",
            &values,
        )?;
        if let Some(known) = known {
            return Ok(if known.text(1)? == run.order_hash {
                Created::Known(known.text(0)?)
            } else {
                Created::Conflict
            });
        }
    }
    for blob in std::iter::once(&run.document).chain(&run.companions) {
        blobs::put(sql, &run.tenant, blob)?;
    }
    let companions: Vec<&str> = run
        .companions
        .iter()
        .map(|blob| blob.hash.as_str())
        .collect();
    let as_text = |value: serde_json::Result<String>| {
        value.map_err(|error| SqlError::Other(error.to_string()))
    };
    let values: Vec<Value> = vec![
        (&run.id).into(),
        (&run.tenant).into(),
        (&run.goal).into(),
        (&run.profile).into(),
        (&run.mode).into(),
        (&run.name).into(),
        run.batch.as_ref().into(),
        run.priority.into(),
        millis(now).into(),
        as_text(serde_json::to_string(&run.header))?.into(),
        (&run.document.hash).into(),
        as_text(serde_json::to_string(&companions))?.into(),
        (&run.submitted_by).into(),
        run.idempotency.as_ref().into(),
        (&run.order_hash).into(),
        run.is_imported.then_some(1).into(),
    ];
    sql.run(
        "INSERT INTO runs (id, tenant, goal, profile, mode, name, batch, priority, created, header, \
         document, companions, submitted_by, idempotency, order_hash, imported, state, updated, wake_at, epoch, \
         lease_until, failures, inputs, events) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'queued', $9, $9, 0, 0, 0, 0, 0)",
        &values,
    )?;
    Ok(Created::New(run.id.clone()))
}
