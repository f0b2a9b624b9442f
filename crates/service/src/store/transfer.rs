//! Moving a run between a journal file and the store: both hold the same records.

use redraft_engine::journal::Recorded;
use redraft_run::ask::Time;

use super::records::{put_event, put_input};
use super::submitting::{NewRun, create};
use super::{Store, StoreError};
use crate::sql::{Sql, SqlError, Value};

impl Store {
    /// Stores a run with all that was recorded of it. Without an outcome it is queued, and
    /// goes on from its last reply.
    ///
    /// # Errors
    /// When a run of that name exists.
    pub async fn import(
        &self,
        run: NewRun,
        recorded: Recorded,
        now: Time,
    ) -> Result<(), StoreError> {
        let id = run.id.clone();
        let imported = self
            .database
            .write(move |sql| import(sql, &run, &recorded, now));
        match imported.await {
            Err(SqlError::Duplicate(_)) => {
                Err(StoreError::Refused(format!("run {id} already exists")))
            }
            other => Ok(other?),
        }
    }

    /// The tenant of a run, whoever asks: for the operator.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn tenant_of(&self, run: &str) -> Result<Option<String>, StoreError> {
        let run: Value = run.into();
        let row = self.database.read(move |sql| {
            sql.row(
                "SELECT tenant FROM runs WHERE id = $1",
                std::slice::from_ref(&run),
            )
        });
        Ok(row.await?.map(|row| row.text(0)).transpose()?)
    }
}

fn import(sql: &mut dyn Sql, run: &NewRun, recorded: &Recorded, now: Time) -> Result<(), SqlError> {
    create(sql, run, now)?;
    let id: Value = (&run.id).into();
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    for (index, input) in recorded.inputs.iter().enumerate() {
        put_input(sql, &run.id, count(index) + 1, input)?;
    }
    for (index, event) in recorded.events.iter().enumerate() {
        put_event(sql, &run.id, count(index) + 1, &event.to_string())?;
    }
    let counts: [Value; 3] = [
        id.clone(),
        count(recorded.inputs.len()).into(),
        count(recorded.events.len()).into(),
    ];
    sql.run(
        "UPDATE runs SET inputs = $2, events = $3 WHERE id = $1",
        &counts,
    )?;
    let Some(outcome) = &recorded.outcome else {
        return Ok(());
    };
    sql.run(
        "INSERT INTO outcomes (run, body) VALUES ($1, $2)",
        &[id.clone(), outcome.to_string().into()],
    )?;
    let score = outcome["score"]["overall"].as_f64();
    // A score has three digits.
    let score = score.map(|score| (score * 1000.0).round() as i64);
    let status = outcome["status"].as_str().unwrap_or_default();
    sql.run(
        "UPDATE runs SET state = 'done', status = $2, score = $3 WHERE id = $1",
        &[id, status.into(), score.into()],
    )?;
    Ok(())
}
