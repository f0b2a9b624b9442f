//! What was recorded of a run: inputs, events and the outcome, as in a journal.

use redraft_engine::journal::{Header, Input, InputKind, Recorded};

use super::{Store, StoreError};
use crate::sql::{Row, Sql, SqlError, Value};

/// A run with everything that was recorded of it.
#[derive(Clone, Debug)]
pub struct Stored {
    pub tenant: String,
    pub header: Header,
    pub document: String,
    /// The hashes of the document and of the companions.
    pub blobs: Vec<String>,
    pub recorded: Recorded,
}

impl Store {
    /// The events of a run after a number.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn events(
        &self,
        run: &str,
        after: i64,
        most: i64,
    ) -> Result<Vec<(i64, String)>, StoreError> {
        let values: [Value; 3] = [run.into(), after.into(), most.into()];
        let rows = self.database.read(move |sql| {
            sql.rows(
                "SELECT seq, body FROM events WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT $3",
                &values,
            )
        });
        let event = |row: Row| Ok((row.int(0)?, row.text(1)?));
        Ok(rows
            .await?
            .into_iter()
            .map(event)
            .collect::<Result<_, SqlError>>()?)
    }

    /// The number of the last round of repair that was finished.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn last_round(&self, run: &str) -> Result<Option<u32>, StoreError> {
        let events = self.events(run, 0, i64::MAX).await?;
        let round = |(_, body): &(i64, String)| {
            // Most events are something else, and need not be read.
            let event = body.contains("iteration_complete").then_some(body)?;
            let event: serde_json::Value = serde_json::from_str(event).ok()?;
            (event["event"] == "iteration_complete")
                .then(|| event["iteration"].as_u64())
                .flatten()
        };
        let last = events.iter().rev().find_map(round);
        Ok(last.and_then(|round| u32::try_from(round).ok()))
    }

    /// The outcome of a finished run, as JSON.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn outcome(&self, run: &str) -> Result<Option<String>, StoreError> {
        let run: Value = run.into();
        let row = self.database.read(move |sql| {
            sql.row(
                "SELECT body FROM outcomes WHERE run = $1",
                std::slice::from_ref(&run),
            )
        });
        Ok(row.await?.map(|row| row.text(0)).transpose()?)
    }

    /// What sets a run up, the hashes of its document and companions, and what was
    /// recorded of it.
    ///
    /// # Errors
    /// When the run is unknown or damaged.
    pub async fn recorded(&self, id: &str) -> Result<Stored, StoreError> {
        let run: Value = id.into();
        let rows = self.database.read(move |sql| {
            let run = std::slice::from_ref(&run);
            let head = sql.row(
                "SELECT tenant, header, document, companions FROM runs WHERE id = $1",
                run,
            )?;
            let inputs = sql.rows("SELECT body FROM inputs WHERE run = $1 ORDER BY seq", run)?;
            let events = sql.rows("SELECT body FROM events WHERE run = $1 ORDER BY seq", run)?;
            let outcome = sql.row("SELECT body FROM outcomes WHERE run = $1", run)?;
            Ok((head, inputs, events, outcome))
        });
        let (head, inputs, events, outcome) = rows.await?;
        let head = head.ok_or_else(|| StoreError::damaged(id, &"it is missing"))?;
        let companions: Vec<String> = parsed(id, &head.text(3)?)?;
        let document = head.text(2)?;
        Ok(Stored {
            tenant: head.text(0)?,
            header: parsed(id, &head.text(1)?)?,
            blobs: std::iter::once(document.clone())
                .chain(companions)
                .collect(),
            document,
            recorded: Recorded {
                inputs: bodies::<Input>(id, &inputs)?,
                events: bodies(id, &events)?,
                outcome: outcome.map(|row| parsed(id, &row.text(0)?)).transpose()?,
                was_torn: false,
            },
        })
    }
}

fn bodies<T: serde::de::DeserializeOwned>(run: &str, rows: &[Row]) -> Result<Vec<T>, StoreError> {
    rows.iter().map(|row| parsed(run, &row.text(0)?)).collect()
}

fn parsed<T: serde::de::DeserializeOwned>(run: &str, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::damaged(run, &error))
}

pub(super) fn put_event(
    sql: &mut dyn Sql,
    run: &str,
    seq: i64,
    body: &str,
) -> Result<(), SqlError> {
    sql.run(
        "INSERT INTO events (run, seq, body) VALUES ($1, $2, $3)",
        &[run.into(), seq.into(), body.into()],
    )?;
    Ok(())
}

pub(super) fn put_input(
    sql: &mut dyn Sql,
    run: &str,
    seq: i64,
    input: &Input,
) -> Result<(), SqlError> {
    let body = serde_json::to_string(input).map_err(|error| SqlError::Other(error.to_string()))?;
    let ask = match &input.what {
        InputKind::Reply { ask, .. } => Some(&ask.0),
        InputKind::Timeout | InputKind::Decision(_) => None,
    };
    sql.run(
        "INSERT INTO inputs (run, seq, ask, body) VALUES ($1, $2, $3, $4)",
        &[run.into(), seq.into(), ask.into(), body.into()],
    )?;
    Ok(())
}
