//! A database: SQLite, or PostgreSQL. The same statements run on both, so they use
//! `$1` for parameters, each first used in the order of its number, and the types of
//! `migrations/`.
//!
//! Statements run on threads of their own. A transaction is a closure over [`Sql`]; it
//! may be called again when the database was busy or restarted, so it changes nothing
//! but the database.

mod postgres;
mod sqlite;
mod tls;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use self::postgres::Postgres;
use self::sqlite::Sqlite;

/// A parameter, or a field of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A row of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// # Errors
    /// When the column is not text.
    pub fn text(&self, column: usize) -> Result<String, SqlError> {
        match self.0.get(column) {
            Some(Value::Text(text)) => Ok(text.clone()),
            other => Err(SqlError::unexpected(column, other)),
        }
    }

    /// # Errors
    /// When the column is not text or null.
    pub fn text_or_null(&self, column: usize) -> Result<Option<String>, SqlError> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.text(column).map(Some),
        }
    }

    /// # Errors
    /// When the column is not a number.
    pub fn int(&self, column: usize) -> Result<i64, SqlError> {
        match self.0.get(column) {
            Some(Value::Int(number)) => Ok(*number),
            other => Err(SqlError::unexpected(column, other)),
        }
    }

    /// # Errors
    /// When the column is not a number or null.
    pub fn int_or_null(&self, column: usize) -> Result<Option<i64>, SqlError> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.int(column).map(Some),
        }
    }

    /// # Errors
    /// When the column is not bytes.
    pub fn bytes(&self, column: usize) -> Result<Vec<u8>, SqlError> {
        match self.0.get(column) {
            Some(Value::Bytes(bytes)) => Ok(bytes.clone()),
            other => Err(SqlError::unexpected(column, other)),
        }
    }
}

/// Why a statement failed.
#[derive(Clone, Debug, Error)]
pub enum SqlError {
    /// Nothing is wrong with the statement: it can be tried again.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// A row with this key exists.
    #[error("already exists: {0}")]
    Duplicate(String),
    #[error("the disk of the database is full or cannot be written; free some space: {0}")]
    Full(String),
    /// What it belongs to is gone.
    #[error("erased in the meantime: {0}")]
    Missing(String),
    #[error("database: {0}")]
    Other(String),
}

impl SqlError {
    fn unexpected(column: usize, found: Option<&Value>) -> Self {
        let found = match found {
            None => "nothing",
            Some(Value::Null) => "null",
            Some(Value::Int(_)) => "a number",
            Some(Value::Text(_)) => "text",
            Some(Value::Bytes(_)) => "bytes",
        };
        Self::Other(format!("unexpected {found} in column {column}"))
    }
}

/// Which database it is, where statements must differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

/// Runs statements, inside a transaction or outside.
pub trait Sql {
    fn dialect(&self) -> Dialect;

    /// Runs a statement; tells how many rows it changed.
    ///
    /// # Errors
    /// When it fails.
    fn run(&mut self, sql: &str, values: &[Value]) -> Result<u64, SqlError>;

    /// Runs a query.
    ///
    /// # Errors
    /// When it fails.
    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, SqlError>;

    /// Runs several statements without parameters.
    ///
    /// # Errors
    /// When one fails.
    fn script(&mut self, sql: &str) -> Result<(), SqlError>;

    /// The only row of a query, if there is one.
    ///
    /// # Errors
    /// When it fails.
    fn row(&mut self, sql: &str, values: &[Value]) -> Result<Option<Row>, SqlError> {
        Ok(self.rows(sql, values)?.into_iter().next())
    }
}

/// Where a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    Sqlite(PathBuf),
    Postgres(String),
}

impl Location {
    /// A URL of PostgreSQL, or the path of a SQLite file, with or without `sqlite:`.
    ///
    /// # Errors
    /// When it is the URL of something else.
    pub fn parse(text: &str) -> Result<Self, SqlError> {
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        let scheme = scheme.map(str::to_ascii_lowercase);
        match scheme.as_deref() {
            Some("postgres" | "postgresql") => Ok(Self::Postgres(text.to_owned())),
            Some("sqlite") | None => {
                let path = text.strip_prefix("sqlite:").unwrap_or(text);
                let path = path.strip_prefix("//").unwrap_or(path);
                Ok(Self::Sqlite(PathBuf::from(path)))
            }
            // The rest of it may hold a password.
            Some(other) => Err(SqlError::Other(format!(
                "`{other}://` is not supported; expected `postgres://…`, or the path of a SQLite file"
            ))),
        }
    }
}

#[derive(Clone)]
enum Backend {
    Sqlite(Arc<Sqlite>),
    Postgres(Arc<Postgres>),
}

/// An open database. Clones share it.
#[derive(Clone)]
pub struct Database {
    backend: Backend,
}

impl std::fmt::Debug for Database {
    // The URL of PostgreSQL holds a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.backend {
            Backend::Sqlite(_) => "Database(SQLite)",
            Backend::Postgres(_) => "Database(PostgreSQL)",
        })
    }
}

/// Statements, which may be run again.
type Work<T> = dyn Fn(&mut dyn Sql) -> Result<T, SqlError> + Send + Sync;

/// Whether statements stand or fall together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// How long statements are tried again while the database is away.
const PATIENCE: Duration = Duration::from_secs(30);

impl Database {
    /// Opens a database; a SQLite file is created.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub async fn open(location: &Location) -> Result<Self, SqlError> {
        let backend = match location {
            Location::Sqlite(path) => {
                let path = path.clone();
                let opened = blocking(move || Sqlite::open(&path)).await?;
                Backend::Sqlite(Arc::new(opened))
            }
            Location::Postgres(url) => Backend::Postgres(Arc::new(Postgres::new(url, PATIENCE)?)),
        };
        let database = Self { backend };
        database.read(|sql| sql.rows("SELECT 1", &[])).await?;
        Ok(database)
    }

    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match self.backend {
            Backend::Sqlite(_) => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Copies a SQLite database to a file.
    ///
    /// # Errors
    /// When it cannot be written, or for PostgreSQL.
    pub async fn back_up(&self, to: &Path) -> Result<(), SqlError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let (sqlite, to) = (Arc::clone(sqlite), to.to_owned());
                blocking(move || sqlite.back_up(&to)).await
            }
            Backend::Postgres(_) => Err(SqlError::Other(
                "back up PostgreSQL with `pg_dump --format custom`".to_owned(),
            )),
        }
    }

    /// Overwrites what was deleted, where the database still has it in a file of its own.
    ///
    /// # Errors
    /// When it fails.
    pub async fn forget_deleted(&self) -> Result<(), SqlError> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let sqlite = Arc::clone(sqlite);
                blocking(move || sqlite.forget_deleted()).await
            }
            Backend::Postgres(_) => Ok(()),
        }
    }

    /// Runs queries outside a transaction.
    ///
    /// # Errors
    /// When one fails.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl Fn(&mut dyn Sql) -> Result<T, SqlError> + Send + Sync + 'static,
    ) -> Result<T, SqlError> {
        self.run(Access::Read, Arc::new(work)).await
    }

    /// Runs statements in a transaction, which is rolled back if they fail.
    ///
    /// # Errors
    /// When one fails.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl Fn(&mut dyn Sql) -> Result<T, SqlError> + Send + Sync + 'static,
    ) -> Result<T, SqlError> {
        self.run(Access::Write, Arc::new(work)).await
    }

    async fn run<T: Send + 'static>(
        &self,
        access: Access,
        work: Arc<Work<T>>,
    ) -> Result<T, SqlError> {
        let give_up = tokio::time::Instant::now() + PATIENCE;
        let mut pause = Duration::from_millis(5);
        loop {
            let (backend, work) = (self.backend.clone(), Arc::clone(&work));
            let handle = tokio::runtime::Handle::current();
            let result = blocking(move || match backend {
                Backend::Sqlite(sqlite) => sqlite.run(access, &*work),
                Backend::Postgres(postgres) => postgres.run(&handle, access, &*work),
            })
            .await;
            match result {
                Err(SqlError::Unavailable(_)) if tokio::time::Instant::now() < give_up => {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(1));
                }
                other => return other,
            }
        }
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SqlError> + Send + 'static,
) -> Result<T, SqlError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(SqlError::Other(error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_a_file_or_a_url_of_postgres() {
        let file = |path: &str| Some(Location::Sqlite(PathBuf::from(path)));
        for (text, expected) in [
            ("redraft.db", file("redraft.db")),
            ("/var/lib/redraft.db", file("/var/lib/redraft.db")),
            ("sqlite:redraft.db", file("redraft.db")),
            ("sqlite:///var/lib/redraft.db", file("/var/lib/redraft.db")),
            (
                "Postgres://u@h/d",
                Some(Location::Postgres("Postgres://u@h/d".to_owned())),
            ),
            ("mysql://u:secret@h/d", None),
            ("http://h/redraft.db", None),
        ] {
            let parsed = Location::parse(text);
            if let Err(error) = &parsed {
                assert!(!error.to_string().contains("secret"), "{error}");
            }
            assert_eq!(parsed.ok(), expected, "{text}");
        }
    }
}
