//! Ending runs before they are done: cancelling and stopping.

use redraft_engine::journal::{Input, InputKind};
use redraft_run::ask::Time;
use redraft_run::run::Decision;
use serde_json::json;

use super::access::millis;
use super::records::{put_event, put_input};
use super::runs::RunState;
use super::{Store, StoreError, reviews, stepping_in};
use crate::hex;
use crate::sql::Value;

impl Store {
    /// Ends a run wherever it is; tells its state if it is over already, and nothing for
    /// an unknown run.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn cancel(
        &self,
        tenant: &str,
        id: &str,
        by: &str,
        now: Time,
    ) -> Result<Option<RunState>, StoreError> {
        let (tenant, id, by) = (tenant.to_owned(), id.to_owned(), by.to_owned());
        let cancelled = self.database.write(move |sql| {
            let values: [Value; 3] = [millis(now).into(), (&tenant).into(), (&id).into()];
            let changed = sql.run(
                "UPDATE runs SET state = 'cancelled', epoch = epoch + 1, updated = $1, events = events + 1 \
                 WHERE tenant = $2 AND id = $3 AND state IN ('queued', 'running', 'waiting')",
                &values,
            )?;
            let row = sql.row(
                "SELECT state, events FROM runs WHERE tenant = $1 AND id = $2",
                &values[1..],
            )?;
            let Some(row) = row else { return Ok(None) };
            if changed > 0 {
                let seq = row.int(1)?;
                let event = json!({"seq": seq, "at": now, "event": "run_cancelled", "by": by});
                put_event(sql, &id, seq, &event.to_string())?;
                sql.run("DELETE FROM reviews WHERE run = $1", &values[2..])?;
            }
            Ok(RunState::parse(&row.text(0)?))
        });
        Ok(cancelled.await?)
    }

    /// Has a run end with the best version so far; tells its state, and nothing for an
    /// unknown run. Whoever drives it loses it, and the next finds the decision. Once is
    /// enough.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn stop(
        &self,
        tenant: &str,
        id: &str,
        by: &str,
        now: Time,
    ) -> Result<Option<RunState>, StoreError> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        let input = Input {
            at: now,
            what: InputKind::Decision(Decision::Stop { by: by.to_owned() }),
        };
        let (by, note) = (by.to_owned(), hex::random(8)?);
        let stopped = self.database.write(move |sql| {
            let values: [Value; 3] = [millis(now).into(), (&tenant).into(), (&id).into()];
            // Locks the run until the end of the transaction.
            sql.run(
                "UPDATE runs SET failures = failures WHERE tenant = $1 AND id = $2",
                &values[1..],
            )?;
            let row = sql.row(
                "SELECT state FROM runs WHERE tenant = $1 AND id = $2",
                &values[1..],
            )?;
            let state = row.map(|row| row.text(0)).transpose()?;
            let state = state.as_deref().and_then(RunState::parse);
            if state.is_none_or(RunState::is_over) || reviews::is_stopped(sql, &id)? {
                return Ok(state);
            }
            stepping_in::take_pending(sql, &id, now)?;
            let row = sql.row(
                "UPDATE runs SET state = 'queued', epoch = epoch + 1, worker = NULL, updated = $1, \
                 wake_at = $1, inputs = inputs + 1 WHERE tenant = $2 AND id = $3 RETURNING inputs",
                &values,
            )?;
            let number = row.map_or(Ok(0), |row| row.int(0))?;
            put_input(sql, &id, number, &input)?;
            reviews::record_stop(sql, &id, (&by, &note), now)?;
            sql.run("DELETE FROM reviews WHERE run = $1", &values[2..])?;
            Ok(Some(RunState::Queued))
        });
        Ok(stopped.await?)
    }
}
