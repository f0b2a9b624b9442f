//! Removing runs for good: by age, by document, by tenant. Text goes with events,
//! replies and outcomes; a document that no other run needs goes, too.
//!
//! Runs are removed some at a time, so that others can write in between. Whoever is
//! interrupted does it again: what is left is found by the same conditions, because a bank
//! goes only after its items, and every pass looks for all documents that nothing needs.

use std::collections::BTreeSet;

use redraft_run::ask::Time;
use serde::Serialize;

use super::access::millis;
use super::{Store, StoreError};
use crate::sql::{Dialect, Sql, SqlError, Value};

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pruned {
    pub runs: u64,
    pub documents: u64,
}

/// Which runs are removed.
#[derive(Clone, Debug)]
enum Which {
    OverBefore(i64),
    OfDocument { tenant: String, hash: String },
    OfTenant(String),
}

/// How many runs are removed in one transaction.
const RUNS: i64 = 200;
/// How many documents are.
const DOCUMENTS: usize = 10_000;

impl Store {
    /// Removes runs that were over before a time.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn prune(&self, before: Time) -> Result<Pruned, StoreError> {
        self.remove(Which::OverBefore(millis(before))).await
    }

    /// Removes every run of a document or a companion, whose hash or its beginning is given.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase_document(&self, tenant: &str, hash: &str) -> Result<Pruned, StoreError> {
        self.remove(Which::OfDocument {
            tenant: tenant.to_owned(),
            hash: hash.replace(['%', '_'], ""),
        })
        .await
    }

    /// Removes a tenant with all that it has.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase_tenant(&self, tenant: &str) -> Result<Pruned, StoreError> {
        // Nobody submits anything more.
        self.run_all(
            tenant,
            &[
                "DELETE FROM sessions WHERE api_key IN (SELECT id FROM api_keys WHERE tenant = $1)",
                "DELETE FROM api_keys WHERE tenant = $1",
            ],
        )
        .await?;
        let mut pruned = Pruned::default();
        loop {
            let removed = self.remove(Which::OfTenant(tenant.to_owned())).await?;
            pruned.runs += removed.runs;
            pruned.documents += removed.documents;
            let rest = self.run_all(
                tenant,
                &[
                    "DELETE FROM deliveries WHERE webhook IN (SELECT id FROM webhooks WHERE tenant = $1)",
                    "DELETE FROM webhooks WHERE tenant = $1",
                    "DELETE FROM banks WHERE tenant = $1",
                    "DELETE FROM blobs WHERE tenant = $1",
                    "DELETE FROM tenants WHERE id = $1",
                ],
            );
            match rest.await {
                // A request that was under way has added a run.
                Err(SqlError::Missing(_)) => {}
                Err(error) => return Err(error.into()),
                Ok(()) => break,
            }
        }
        self.database.forget_deleted().await?;
        Ok(pruned)
    }

    async fn run_all(
        &self,
        tenant: &str,
        sentences: &'static [&'static str],
    ) -> Result<(), SqlError> {
        let tenant: Value = tenant.into();
        let done = self.database.write(move |sql| {
            for sentence in sentences {
                sql.run(sentence, std::slice::from_ref(&tenant))?;
            }
            Ok(())
        });
        done.await
    }

    async fn remove(&self, which: Which) -> Result<Pruned, StoreError> {
        let mut pruned = Pruned::default();
        let which = std::sync::Arc::new(which);
        loop {
            let which = std::sync::Arc::clone(&which);
            let removed = self.database.write(move |sql| remove_runs(sql, &which));
            match removed.await? {
                0 => break,
                runs => pruned.runs += runs,
            }
        }
        loop {
            let removed = self.database.write(remove_documents).await?;
            pruned.documents += removed as u64;
            if removed < DOCUMENTS {
                break;
            }
        }
        self.database.forget_deleted().await?;
        Ok(pruned)
    }
}

/// Removes some runs; tells how many. After the last one nothing holds their text.
fn remove_runs(sql: &mut dyn Sql, which: &Which) -> Result<u64, SqlError> {
    match which {
        Which::OverBefore(time) => {
            // The items of a bank go together, for it is put together from them.
            let old = "SELECT id FROM runs WHERE state IN ('done', 'failed', 'cancelled') AND updated < $1 \
                 AND NOT EXISTS (SELECT 1 FROM banks JOIN runs AS others ON others.batch = banks.batch \
                 AND others.tenant = banks.tenant WHERE banks.batch = runs.batch \
                 AND (others.state NOT IN ('done', 'failed', 'cancelled') OR others.updated >= $1)) LIMIT $2";
            let runs = sql.rows(old, &[(*time).into(), RUNS.into()])?;
            remove_each(sql, &runs)?;
            if runs.is_empty() {
                sql.run(
                    "DELETE FROM banks WHERE NOT EXISTS (SELECT 1 FROM runs \
                     WHERE runs.tenant = banks.tenant AND runs.batch = banks.batch)",
                    &[],
                )?;
            }
            Ok(runs.len() as u64)
        }
        Which::OfDocument { tenant, hash } => {
            let begins = format!("{hash}%");
            let of_bank: [Value; 3] = [tenant.into(), (&begins).into(), RUNS.into()];
            let runs = sql.rows(
                "SELECT id FROM runs WHERE tenant = $1 AND batch IN \
                 (SELECT batch FROM banks WHERE tenant = $1 AND document LIKE $2) LIMIT $3",
                &of_bank,
            )?;
            if !runs.is_empty() {
                remove_each(sql, &runs)?;
                return Ok(runs.len() as u64);
            }
            sql.run(
                "DELETE FROM banks WHERE tenant = $1 AND document LIKE $2",
                &of_bank[..2],
            )?;
            // Its own runs, and those that it came with as a companion.
            let runs = sql.rows(
                "SELECT id FROM runs WHERE tenant = $1 AND (document LIKE $2 OR companions LIKE $3) LIMIT $4",
                &[
                    tenant.into(),
                    begins.into(),
                    format!("%\"{hash}%").into(),
                    RUNS.into(),
                ],
            )?;
            for run in &runs {
                // The bank of an item holds the text, too.
                sql.run(
                    "DELETE FROM banks WHERE tenant = $1 AND batch = (SELECT batch FROM runs WHERE id = $2)",
                    &[tenant.into(), run.text(0)?.into()],
                )?;
            }
            remove_each(sql, &runs)?;
            Ok(runs.len() as u64)
        }
        Which::OfTenant(tenant) => {
            let runs = sql.rows(
                "SELECT id FROM runs WHERE tenant = $1 LIMIT $2",
                &[tenant.into(), RUNS.into()],
            )?;
            remove_each(sql, &runs)?;
            if runs.is_empty() {
                sql.run("DELETE FROM banks WHERE tenant = $1", &[tenant.into()])?;
            }
            Ok(runs.len() as u64)
        }
    }
}

fn remove_each(sql: &mut dyn Sql, runs: &[crate::sql::Row]) -> Result<(), SqlError> {
    for run in runs {
        let run: Value = run.text(0)?.into();
        for sentence in [
            // Locks the run: whoever drives it writes nothing more.
            "UPDATE runs SET state = 'cancelled', epoch = epoch + 1 WHERE id = $1",
            "DELETE FROM events WHERE run = $1",
            "DELETE FROM inputs WHERE run = $1",
            "DELETE FROM outcomes WHERE run = $1",
            "DELETE FROM reviews WHERE run = $1",
            "DELETE FROM decisions WHERE run = $1",
            "DELETE FROM comments WHERE run = $1",
            "DELETE FROM deliveries WHERE run = $1",
            "DELETE FROM runs WHERE id = $1",
        ] {
            sql.run(sentence, std::slice::from_ref(&run))?;
        }
    }
    Ok(())
}

/// What is the document of no run and no bank; it may be a companion.
const NO_DOCUMENT: &str = "SELECT tenant, hash FROM blobs WHERE NOT EXISTS \
     (SELECT 1 FROM runs WHERE runs.tenant = blobs.tenant AND runs.document = blobs.hash) \
     AND NOT EXISTS (SELECT 1 FROM banks WHERE banks.tenant = blobs.tenant AND banks.document = blobs.hash)";

/// Removes some of the documents and companions that no run and no bank needs; tells how
/// many.
fn remove_documents(sql: &mut dyn Sql) -> Result<usize, SqlError> {
    if sql.dialect() == Dialect::Postgres {
        // Whoever is storing a run with one of them finishes first, and who comes now waits:
        // they would count on a document that is about to go.
        sql.script("LOCK TABLE blobs IN SHARE ROW EXCLUSIVE MODE")?;
    }
    let unused = sql.rows(NO_DOCUMENT, &[])?;
    if unused.is_empty() {
        return Ok(0);
    }
    let mut companions = BTreeSet::new();
    for row in sql.rows(
        "SELECT DISTINCT tenant, companions FROM runs WHERE companions <> '[]'",
        &[],
    )? {
        let hashes: Vec<String> = serde_json::from_str(&row.text(1)?)
            .map_err(|error| SqlError::Other(format!("companions of a run: {error}")))?;
        let tenant = row.text(0)?;
        companions.extend(hashes.into_iter().map(|hash| (tenant.clone(), hash)));
    }
    let mut removed = 0;
    for row in &unused {
        let key = (row.text(0)?, row.text(1)?);
        if companions.contains(&key) {
            continue;
        }
        sql.run(
            "DELETE FROM blobs WHERE tenant = $1 AND hash = $2",
            &[key.0.into(), key.1.into()],
        )?;
        removed += 1;
        if removed == DOCUMENTS {
            break;
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Location;

    /// Among 100,000 runs none is looked at for each document.
    #[test]
    fn documents_that_nothing_needs_are_found_by_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let location = Location::Sqlite(folder.path().join("redraft.db"));
            let store = Store::open(&location).await.unwrap();
            let explained = format!("EXPLAIN QUERY PLAN {NO_DOCUMENT}");
            let plan = store.database.read(move |sql| sql.rows(&explained, &[]));
            let plan = plan.await.unwrap();
            let plan: Vec<String> = plan.iter().map(|row| row.text(3).unwrap()).collect();
            let plan = plan.join("; ");
            for index in ["runs_by_document", "banks_by_document"] {
                assert!(
                    plan.contains(&format!("USING COVERING INDEX {index} ")),
                    "{plan}"
                );
            }
        });
    }
}
