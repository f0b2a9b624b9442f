//! Banks that were submitted, and what became of their items.

use redraft_run::ask::Time;

use super::access::millis;
use super::blobs::{self, Blob};
use super::{Store, StoreError};
use crate::sql::{Sql, SqlError, Value};

/// A bank to be stored.
#[derive(Clone, Debug)]
pub struct NewBank {
    pub batch: String,
    pub tenant: String,
    pub name: String,
    pub document: Blob,
    pub submitted_by: String,
}

/// A bank that was submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bank {
    pub name: String,
    /// The hash of its bytes.
    pub document: String,
    /// Milliseconds since 1970.
    pub created: i64,
    pub submitted_by: String,
    /// How many of its items are in each state.
    pub states: Vec<(String, i64)>,
}

/// An item that was run again counts as its latest run; ids are in the order of time.
const LATEST: &str =
    "runs.id IN (SELECT MAX(id) FROM runs WHERE tenant = $1 AND batch = $2 GROUP BY name)";

impl Store {
    /// A bank of a tenant, with what became of its items.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn bank(&self, tenant: &str, batch: &str) -> Result<Option<Bank>, StoreError> {
        let values: [Value; 2] = [tenant.into(), batch.into()];
        let found = self.database.read(move |sql| {
            let bank = sql.row(
                "SELECT name, document, created, submitted_by FROM banks WHERE tenant = $1 AND batch = $2",
                &values,
            )?;
            let Some(bank) = bank else { return Ok(None) };
            let states = sql.rows(
                &format!(
                    "SELECT state, COUNT(*) FROM runs WHERE tenant = $1 AND batch = $2 \
                     AND {LATEST} GROUP BY state ORDER BY state"
                ),
                &values,
            )?;
            let states = states.iter().map(|row| Ok((row.text(0)?, row.int(1)?)));
            Ok(Some(Bank {
                name: bank.text(0)?,
                document: bank.text(1)?,
                created: bank.int(2)?,
                submitted_by: bank.text(3)?,
                states: states.collect::<Result<_, SqlError>>()?,
            }))
        });
        Ok(found.await?)
    }

    /// The names and outcomes of a batch's runs that are done, in the order of the bank.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn outcomes_of_batch(
        &self,
        tenant: &str,
        batch: &str,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let values: [Value; 2] = [tenant.into(), batch.into()];
        let rows = self.database.read(move |sql| {
            sql.rows(
                &format!(
                    "SELECT name, body FROM runs JOIN outcomes ON outcomes.run = runs.id \
                     WHERE tenant = $1 AND batch = $2 AND {LATEST} ORDER BY runs.id"
                ),
                &values,
            )
        });
        Ok(rows
            .await?
            .iter()
            .map(|row| Ok((row.text(0)?, row.text(1)?)))
            .collect::<Result<_, SqlError>>()?)
    }
}

/// Stores a bank; one that is known under this batch stays as it is.
pub(super) fn put(sql: &mut dyn Sql, bank: &NewBank, now: Time) -> Result<(), SqlError> {
    blobs::put(sql, &bank.tenant, &bank.document)?;
    sql.run(
        "INSERT INTO banks (batch, tenant, name, document, created, submitted_by) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
        &[
            (&bank.batch).into(),
            (&bank.tenant).into(),
            (&bank.name).into(),
            (&bank.document.hash).into(),
            millis(now).into(),
            (&bank.submitted_by).into(),
        ],
    )?;
    Ok(())
}
