//! SQLite: one connection that writes and a few that read, in WAL mode.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql};

use super::{Access, Dialect, Row, Sql, SqlError, Value};

pub(super) struct Sqlite {
    path: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
}

impl Sqlite {
    pub(super) fn open(path: &Path) -> Result<Self, SqlError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| SqlError::Other(format!("{}: {error}", folder.display())))?;
        }
        private(path).map_err(|error| SqlError::Other(format!("{}: {error}", path.display())))?;
        let named = |error| match of(error) {
            SqlError::Other(why) => SqlError::Other(format!("{}: {why}", path.display())),
            other => SqlError::Other(format!("{}: {other}", path.display())),
        };
        let writer = Connection::open(path).map_err(named)?;
        prepare(&writer).map_err(named)?;
        // A reply that was paid for survives a power cut.
        writer
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
            .map_err(named)?;
        Ok(Self {
            path: path.to_owned(),
            writer: Mutex::new(writer),
            readers: Mutex::default(),
        })
    }

    pub(super) fn run<T>(
        &self,
        access: Access,
        work: &dyn Fn(&mut dyn Sql) -> Result<T, SqlError>,
    ) -> Result<T, SqlError> {
        if access == Access::Read {
            let reader = lock(&self.readers).pop();
            let mut reader = match reader {
                Some(reader) => OnSqlite(reader),
                None => OnSqlite(self.reader()?),
            };
            let result = work(&mut reader);
            lock(&self.readers).push(reader.0);
            return result;
        }
        let writer = lock(&self.writer);
        writer.execute_batch("BEGIN IMMEDIATE").map_err(of)?;
        let mut within = Within(&writer);
        let result = work(&mut within).and_then(|done| {
            writer.execute_batch("COMMIT").map_err(of)?;
            Ok(done)
        });
        if result.is_err() {
            // Where SQLite has rolled back by itself, there is nothing left to do.
            let _ = writer.execute_batch("ROLLBACK");
        }
        result
    }

    fn reader(&self) -> Result<Connection, SqlError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(&self.path, flags).map_err(of)?;
        prepare(&reader).map_err(of)?;
        Ok(reader)
    }

    /// Empties the log of writes, which still holds the pages as they were.
    pub(super) fn forget_deleted(&self) -> Result<(), SqlError> {
        let writer = lock(&self.writer);
        let done = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
            row.get::<_, i64>(0)
        });
        match done.map_err(of)? {
            0 => Ok(()),
            // It is emptied with the next write that finds nobody reading.
            _ => Err(SqlError::Unavailable(
                "removed, but another process is still reading the write-ahead log; run the command again"
                    .to_owned(),
            )),
        }
    }

    pub(super) fn back_up(&self, to: &Path) -> Result<(), SqlError> {
        if to.exists() {
            return Err(SqlError::Other(format!("{} already exists", to.display())));
        }
        // A copy of all texts is nobody else's business.
        private(to).map_err(|error| SqlError::Other(format!("{}: {error}", to.display())))?;
        let to = to.to_string_lossy().into_owned();
        let reader = self.reader()?;
        let copied = reader.execute("VACUUM INTO ?1", [&to]).map_err(of);
        if copied.is_err() {
            let _ = std::fs::remove_file(&to);
        }
        copied.map(drop)
    }
}

/// Creates the file so that only its owner can read it; SQLite's other files follow.
fn private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.execute_batch("PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic of another thread leaves a connection as it was; its transaction is
    // rolled back by the next.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Statements outside a transaction.
struct OnSqlite(Connection);

impl Sql for OnSqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn run(&mut self, sql: &str, values: &[Value]) -> Result<u64, SqlError> {
        Within(&self.0).run(sql, values)
    }

    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, SqlError> {
        Within(&self.0).rows(sql, values)
    }

    fn script(&mut self, sql: &str) -> Result<(), SqlError> {
        Within(&self.0).script(sql)
    }
}

/// Statements on a connection that others share.
struct Within<'a>(&'a Connection);

impl Sql for Within<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn run(&mut self, sql: &str, values: &[Value]) -> Result<u64, SqlError> {
        let mut statement = self.0.prepare_cached(&numbered(sql)).map_err(of)?;
        let values = rusqlite::params_from_iter(values);
        let changed = statement.execute(values).map_err(of)?;
        Ok(changed as u64)
    }

    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, SqlError> {
        let mut statement = self.0.prepare_cached(&numbered(sql)).map_err(of)?;
        let columns = statement.column_count();
        let values = rusqlite::params_from_iter(values);
        let mut found = statement.query(values).map_err(of)?;
        let mut rows = Vec::new();
        while let Some(row) = found.next().map_err(of)? {
            let fields = (0..columns).map(|column| field(row, column));
            rows.push(Row(fields.collect::<Result<_, _>>()?));
        }
        Ok(rows)
    }

    fn script(&mut self, sql: &str) -> Result<(), SqlError> {
        self.0.execute_batch(sql).map_err(of)
    }
}

/// `?1` for `$1`; our statements have no other dollar.
fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

fn field(row: &rusqlite::Row<'_>, column: usize) -> Result<Value, SqlError> {
    Ok(match row.get_ref(column).map_err(of)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
        ValueRef::Real(_) => return Err(SqlError::Other("unexpected fraction".to_owned())),
    })
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is passed to map_err by name"
)]
fn of(error: rusqlite::Error) -> SqlError {
    let text = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            SqlError::Unavailable(format!("{text}; another process holds it"))
        }
        Some(ErrorCode::ConstraintViolation) if text.contains("UNIQUE") => {
            SqlError::Duplicate(text)
        }
        Some(ErrorCode::ConstraintViolation) if text.contains("FOREIGN KEY") => {
            SqlError::Missing(text)
        }
        // A quota or a limit of the size of files is an error of writing.
        Some(
            ErrorCode::DiskFull
            | ErrorCode::SystemIoFailure
            | ErrorCode::ReadOnly
            | ErrorCode::PermissionDenied,
        ) => SqlError::Full(text),
        // No file descriptor or memory is left; a run must not fail for that.
        Some(ErrorCode::CannotOpen | ErrorCode::OutOfMemory) => SqlError::Unavailable(text),
        _ => SqlError::Other(text),
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn what_the_machine_lacks_for_a_while_is_not_the_statements_fault() {
        let failed = |code| of(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        for code in [ffi::SQLITE_BUSY, ffi::SQLITE_CANTOPEN, ffi::SQLITE_NOMEM] {
            assert!(matches!(failed(code), SqlError::Unavailable(_)), "{code}");
        }
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR, ffi::SQLITE_READONLY] {
            assert!(matches!(failed(code), SqlError::Full(_)), "{code}");
        }
        for code in [ffi::SQLITE_ERROR, ffi::SQLITE_CORRUPT] {
            assert!(matches!(failed(code), SqlError::Other(_)), "{code}");
        }
    }
}
