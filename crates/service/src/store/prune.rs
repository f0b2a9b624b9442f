//! Removing runs for good: by age, by document, by tenant. Text goes with events,
//! replies and outcomes; a document that no other run needs goes, too.

use redraft_run::ask::Time;
use serde::Serialize;

use super::access::millis;
use super::{Store, StoreError};
use crate::sql::{Sql, SqlError, Value};

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
            hash: hash.to_owned(),
        })
        .await
    }

    /// Removes a tenant with all that it has.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase_tenant(&self, tenant: &str) -> Result<Pruned, StoreError> {
        let pruned = self.remove(Which::OfTenant(tenant.to_owned())).await?;
        let tenant: Value = tenant.into();
        let removed = self.database.write(move |sql| {
            let tenant = std::slice::from_ref(&tenant);
            for sentence in [
                "DELETE FROM deliveries WHERE webhook IN (SELECT id FROM webhooks WHERE tenant = $1)",
                "DELETE FROM webhooks WHERE tenant = $1",
                "DELETE FROM sessions WHERE api_key IN (SELECT id FROM api_keys WHERE tenant = $1)",
                "DELETE FROM api_keys WHERE tenant = $1",
                "DELETE FROM tenants WHERE id = $1",
            ] {
                sql.run(sentence, tenant)?;
            }
            Ok(())
        });
        removed.await?;
        self.database.forget_deleted().await?;
        Ok(pruned)
    }

    async fn remove(&self, which: Which) -> Result<Pruned, StoreError> {
        let removed = self.database.write(move |sql| {
            let runs = match &which {
                Which::OverBefore(time) => sql.rows(
                    // The items of a bank go together, for it is put together from them.
                    "SELECT id FROM runs WHERE state IN ('done', 'failed', 'cancelled') AND updated < $1 \
                     AND NOT EXISTS (SELECT 1 FROM banks JOIN runs AS others ON others.batch = banks.batch \
                     AND others.tenant = banks.tenant WHERE banks.batch = runs.batch \
                     AND (others.state NOT IN ('done', 'failed', 'cancelled') OR others.updated >= $1))",
                    &[(*time).into()],
                )?,
                Which::OfDocument { tenant, hash } => sql.rows(
                    // Of a bank, the runs of its items; of a companion, those that it came with.
                    "SELECT id FROM runs WHERE tenant = $1 AND (document LIKE $2 OR companions LIKE $3 \
                     OR batch IN (SELECT batch FROM banks WHERE tenant = $1 AND document LIKE $2))",
                    &[
                        tenant.into(),
                        format!("{}%", hash.replace(['%', '_'], "")).into(),
                        format!("%\"{}%", hash.replace(['%', '_'], "")).into(),
                    ],
                )?,
                Which::OfTenant(tenant) => {
                    sql.rows("SELECT id FROM runs WHERE tenant = $1", &[tenant.into()])?
                }
            };
            for run in &runs {
                remove_run(sql, &run.text(0)?)?;
            }
            let documents = sql.run(
                "DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.tenant = blobs.tenant \
                 AND (runs.document = blobs.hash OR runs.companions LIKE '%' || blobs.hash || '%')) \
                 AND NOT EXISTS (SELECT 1 FROM banks WHERE banks.tenant = blobs.tenant AND banks.document = blobs.hash)",
                &[],
            )?;
            Ok(Pruned {
                runs: runs.len() as u64,
                documents,
            })
        });
        let removed = removed.await?;
        self.database.forget_deleted().await?;
        Ok(removed)
    }
}

fn remove_run(sql: &mut dyn Sql, run: &str) -> Result<(), SqlError> {
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
        // The bank holds the text, too.
        "DELETE FROM banks WHERE batch = (SELECT batch FROM runs WHERE id = $1)",
        "DELETE FROM runs WHERE id = $1",
    ] {
        sql.run(sentence, &[run.into()])?;
    }
    Ok(())
}
