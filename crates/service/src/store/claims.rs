//! Which worker drives which run: claims by epoch, leases, and fairness among tenants.
//!
//! A claim first locks the row of a tenant, so that no two workers can together exceed
//! what the tenant may have running. Tenants with fewer running runs come first and get equal
//! shares of the free slots, and within a tenant the higher priority, then the older run.
//!
//! A run whose worker died is driven again. One that kills every worker must not kill them
//! all for ever: after [`MOST_DEATHS`] in a row without a record in between it has failed.

use std::time::Duration;

use redraft_run::ask::Time;
use serde_json::json;

use super::access::millis;
use super::records::put_event;
use super::{Store, StoreError};
use crate::sql::{Dialect, Sql, SqlError, Value};

/// How often workers may die of a run that gets no further.
pub const MOST_DEATHS: i64 = 8;

/// The right to write to a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub run: String,
    pub epoch: i64,
}

/// A run that was claimed.
#[derive(Clone, Debug)]
pub struct Claimed {
    pub claim: Claim,
    pub tenant: String,
    /// How often its worker died since the last record.
    pub deaths: i64,
}

/// How driving a run ended without an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// A reviewer has to decide about this text.
    Waiting {
        /// Why, as JSON.
        because: String,
        content: String,
        /// Its score in thousandths.
        score: Option<i64>,
        /// Why not even a reviewer can accept it, in words.
        cannot_approve: Option<&'static str>,
        /// Why it can be neither edited nor tried again.
        cannot_change: Option<&'static str>,
    },
    /// Somebody else shall go on, now.
    Drained,
    /// Nobody drives it, though this worker has it: what drove it is gone.
    Orphaned,
    /// It shall be tried again later.
    Retry { error: String, at: Time },
    /// It cannot be driven.
    Failed { error: String },
}

impl Store {
    /// Claims up to `most` runs for a worker.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn claim(
        &self,
        worker: &str,
        most: usize,
        lease: Duration,
        now: Time,
    ) -> Result<Vec<Claimed>, StoreError> {
        let candidates = self.database.read(move |sql| candidates(sql, now)).await?;
        let mut claimed = Vec::new();
        let number = candidates.len();
        for (index, tenant) in candidates.into_iter().enumerate() {
            // An equal share of what is left; who asks again gets the rest.
            let room = most.saturating_sub(claimed.len()).div_ceil(number - index);
            if room == 0 {
                break;
            }
            let order = ClaimOrder {
                tenant,
                worker: worker.to_owned(),
                room: i64::try_from(room).unwrap_or(1),
                until: millis(now) + i64::try_from(lease.as_millis()).unwrap_or(i64::MAX / 2),
                now: millis(now),
            };
            let got = self.database.write(move |sql| claim(sql, &order)).await?;
            claimed.extend(got);
        }
        Ok(claimed)
    }

    /// Prolongs the leases of a worker; tells the runs that it still has.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn heartbeat(
        &self,
        worker: &str,
        lease: Duration,
        now: Time,
    ) -> Result<Vec<Claim>, StoreError> {
        let until = millis(now) + i64::try_from(lease.as_millis()).unwrap_or(i64::MAX / 2);
        let values: [Value; 2] = [until.into(), worker.into()];
        let rows = self.database.write(move |sql| {
            sql.rows(
                "UPDATE runs SET lease_until = $1 WHERE worker = $2 AND state = 'running' RETURNING id, epoch",
                &values,
            )
        });
        let claim = |row: crate::sql::Row| {
            Ok(Claim {
                run: row.text(0)?,
                epoch: row.int(1)?,
            })
        };
        Ok(rows
            .await?
            .into_iter()
            .map(claim)
            .collect::<Result<_, SqlError>>()?)
    }

    /// Puts runs back whose lease ran out; tells how many.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sweep(&self, now: Time) -> Result<u64, StoreError> {
        let now: Value = millis(now).into();
        let swept = self.database.write(move |sql| {
            sql.run(
                "UPDATE runs SET state = 'queued', epoch = epoch + 1, worker = NULL, failures = failures + 1 \
                 WHERE state = 'running' AND lease_until < $1",
                std::slice::from_ref(&now),
            )
        });
        Ok(swept.await?)
    }

    /// Says how driving a run ended; tells whether the claim still held.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end(&self, claim: &Claim, ended: Ended, now: Time) -> Result<bool, StoreError> {
        let claim = claim.clone();
        let held = self
            .database
            .write(move |sql| end(sql, &claim, &ended, now));
        Ok(held.await?)
    }

    /// How many runs are in each state, over all tenants.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn states(&self) -> Result<Vec<(String, i64)>, StoreError> {
        let rows = self.database.read(|sql| {
            sql.rows(
                "SELECT state, COUNT(*) FROM runs GROUP BY state ORDER BY state",
                &[],
            )
        });
        let state = |row: crate::sql::Row| Ok((row.text(0)?, row.int(1)?));
        Ok(rows
            .await?
            .into_iter()
            .map(state)
            .collect::<Result<_, SqlError>>()?)
    }
}

struct ClaimOrder {
    tenant: String,
    worker: String,
    room: i64,
    until: i64,
    now: i64,
}

const BUSY: &str =
    "(SELECT COUNT(*) FROM runs WHERE runs.tenant = tenants.id AND state = 'running')";

/// Tenants with something to do and room for it, those with the fewest running first.
fn candidates(sql: &mut dyn Sql, now: Time) -> Result<Vec<String>, SqlError> {
    let sentence = format!(
        "SELECT id, {BUSY} AS busy FROM tenants WHERE {BUSY} < concurrency AND EXISTS \
         (SELECT 1 FROM runs WHERE runs.tenant = tenants.id AND state = 'queued' AND wake_at <= $1) \
         ORDER BY busy, id"
    );
    let rows = sql.rows(&sentence, &[millis(now).into()])?;
    rows.iter().map(|row| row.text(0)).collect()
}

fn claim(sql: &mut dyn Sql, order: &ClaimOrder) -> Result<Vec<Claimed>, SqlError> {
    let lock = match sql.dialect() {
        Dialect::Sqlite => "",
        // Whoever submits a run of the tenant is not held up.
        Dialect::Postgres => " FOR NO KEY UPDATE",
    };
    let tenant: [Value; 1] = [(&order.tenant).into()];
    sql.rows(
        &format!("SELECT id FROM tenants WHERE id = $1{lock}"),
        &tenant,
    )?;
    let room = sql.row(
        &format!("SELECT concurrency - {BUSY} FROM tenants WHERE id = $1"),
        &tenant,
    )?;
    let room = room.map_or(Ok(0), |row| row.int(0))?.min(order.room);
    if room <= 0 {
        return Ok(Vec::new());
    }
    let skip = match sql.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
    };
    let values: [Value; 5] = [
        (&order.worker).into(),
        order.until.into(),
        (&order.tenant).into(),
        order.now.into(),
        room.into(),
    ];
    let rows = sql.rows(
        &format!(
            "UPDATE runs SET state = 'running', epoch = epoch + 1, worker = $1, lease_until = $2 \
             WHERE id IN (SELECT id FROM runs WHERE tenant = $3 AND state = 'queued' AND wake_at <= $4 \
             ORDER BY priority DESC, id LIMIT $5{skip}) RETURNING id, epoch, tenant, failures"
        ),
        &values,
    )?;
    rows.iter()
        .map(|row| {
            Ok(Claimed {
                claim: Claim {
                    run: row.text(0)?,
                    epoch: row.int(1)?,
                },
                tenant: row.text(2)?,
                deaths: row.int(3)?,
            })
        })
        .collect()
}

fn end(sql: &mut dyn Sql, claim: &Claim, ended: &Ended, now: Time) -> Result<bool, SqlError> {
    let held = "WHERE id = $1 AND epoch = $2 AND state = 'running'";
    let mut values: Vec<Value> = vec![(&claim.run).into(), claim.epoch.into(), millis(now).into()];
    let changes = match ended {
        Ended::Waiting { score, .. } => {
            values.push((*score).into());
            "state = 'waiting', worker = NULL, updated = $3, score = $4, error = NULL"
        }
        Ended::Drained => {
            "state = 'queued', epoch = epoch + 1, worker = NULL, updated = $3, wake_at = $3"
        }
        Ended::Orphaned => {
            "state = 'queued', epoch = epoch + 1, worker = NULL, wake_at = $3, failures = failures + 1"
        }
        Ended::Retry { error, at } => {
            values.extend([error.into(), millis(*at).into()]);
            "state = 'queued', epoch = epoch + 1, worker = NULL, updated = $3, error = $4, wake_at = $5"
        }
        Ended::Failed { error } => {
            values.push(error.into());
            "state = 'failed', worker = NULL, updated = $3, error = $4, events = events + 1"
        }
    };
    let changed = sql.run(&format!("UPDATE runs SET {changes} {held}"), &values)?;
    if changed == 0 {
        return Ok(false);
    }
    let run: [Value; 1] = [(&claim.run).into()];
    match ended {
        Ended::Waiting {
            because,
            content,
            cannot_approve,
            cannot_change,
            ..
        } => {
            sql.run("DELETE FROM reviews WHERE run = $1", &run)?;
            let row = sql.row("SELECT tenant FROM runs WHERE id = $1", &run)?;
            let tenant = row.map(|row| row.text(0)).transpose()?;
            sql.run(
                "INSERT INTO reviews (run, tenant, since, because, content, cannot_approve, cannot_change, state) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, 'open')",
                &[
                    (&claim.run).into(),
                    tenant.into(),
                    millis(now).into(),
                    because.into(),
                    content.clone().into_bytes().into(),
                    (*cannot_approve).into(),
                    (*cannot_change).into(),
                ],
            )?;
            super::reviews::announce(sql, &claim.run, "escalated", now)?;
        }
        Ended::Failed { error } => {
            let row = sql.row("SELECT events FROM runs WHERE id = $1", &run)?;
            let seq = row.map_or(Ok(0), |row| row.int(0))?;
            let event = json!({"seq": seq, "at": now, "event": "run_failed", "error": error});
            put_event(sql, &claim.run, seq, &event.to_string())?;
            super::reviews::announce(sql, &claim.run, "failed", now)?;
        }
        Ended::Drained | Ended::Orphaned | Ended::Retry { .. } => {}
    }
    Ok(true)
}
