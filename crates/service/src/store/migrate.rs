//! Brings the tables of a database up to date.

use crate::sql::{Dialect, Sql, SqlError};

use super::{Store, StoreError};

/// In order; a released one never changes.
const MIGRATIONS: [&str; 8] = [
    include_str!("../../migrations/0001_start.sql"),
    include_str!("../../migrations/0002_sessions.sql"),
    include_str!("../../migrations/0003_stepping_in.sql"),
    include_str!("../../migrations/0004_banks.sql"),
    include_str!("../../migrations/0005_progress.sql"),
    include_str!("../../migrations/0006_listing.sql"),
    include_str!("../../migrations/0007_repeated.sql"),
    include_str!("../../migrations/0008_removing.sql"),
];

impl Store {
    pub(super) async fn migrate(&self) -> Result<(), StoreError> {
        let found = self.database.write(migrate).await?;
        if found > MIGRATIONS.len() {
            return Err(StoreError::Refused(format!(
                "the database has version {found}, but this program knows version {}; use the program that made it, or a later one",
                MIGRATIONS.len()
            )));
        }
        Ok(())
    }
}

/// Applies what is missing; tells the version that was found.
fn migrate(sql: &mut dyn Sql) -> Result<usize, SqlError> {
    if sql.dialect() == Dialect::Postgres {
        // Several processes may start at once.
        sql.script("SELECT pg_advisory_xact_lock(7305812046)")?;
    }
    sql.script("CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY)")?;
    let row = sql.row("SELECT COUNT(*) FROM migrations", &[])?;
    let found = row.map_or(Ok(0), |row| row.int(0))?;
    let found = usize::try_from(found).unwrap_or_default();
    for (number, script) in MIGRATIONS.iter().enumerate().skip(found) {
        sql.script(script)?;
        let number = i64::try_from(number).unwrap_or_default() + 1;
        sql.run(
            "INSERT INTO migrations (number) VALUES ($1)",
            &[number.into()],
        )?;
    }
    Ok(found)
}
