//! What a course is put together from: the texts and outcomes of many runs.

use super::{Store, StoreError};
use crate::sql::{Row, SqlError, Value};

/// A run that is done, as far as an overview needs it.
#[derive(Clone, Debug)]
pub struct DoneRun {
    pub run: String,
    /// The hash of the text that came in.
    pub document: String,
    /// As JSON.
    pub outcome: String,
}

impl Store {
    /// Those of a tenant's runs that are done, with their outcomes.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn done_runs(
        &self,
        tenant: &str,
        runs: &[String],
    ) -> Result<Vec<DoneRun>, StoreError> {
        let places: Vec<String> = (2..runs.len() + 2).map(|at| format!("${at}")).collect();
        let sentence = format!(
            "SELECT runs.id, document, body FROM runs JOIN outcomes ON outcomes.run = runs.id \
             WHERE tenant = $1 AND runs.id IN ({})",
            places.join(", ")
        );
        let mut values: Vec<Value> = vec![tenant.into()];
        values.extend(runs.iter().map(Value::from));
        let rows = self.database.read(move |sql| sql.rows(&sentence, &values));
        let done = |row: &Row| {
            Ok(DoneRun {
                run: row.text(0)?,
                document: row.text(1)?,
                outcome: row.text(2)?,
            })
        };
        let rows = rows.await?;
        Ok(rows.iter().map(done).collect::<Result<_, SqlError>>()?)
    }
}
