//! PostgreSQL: a few connections, opened when needed and dropped when broken.

use std::error::Error as _;
use std::future::Future;
use std::str::FromStr as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::BytesMut;
use std::collections::HashMap;
use tokio::runtime::Handle;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Config, NoTls, Statement};

use super::tls::{self, Tls};
use super::{Access, Dialect, Row, Sql, SqlError, Value};

/// How many connections a process has at most.
const CONNECTIONS: usize = 12;

pub(super) struct Postgres {
    config: Config,
    tls: Option<Tls>,
    idle: Mutex<Vec<Connected>>,
    slots: tokio::sync::Semaphore,
    /// How long a server may take to answer a statement. One that is stopped or cut off says
    /// nothing, and whoever waits for it would wait for ever.
    patience: Duration,
}

/// A connection and the statements that were prepared on it.
struct Connected {
    client: Client,
    statements: HashMap<String, Statement>,
    /// A statement was not answered; whatever comes now may be its answer.
    is_stuck: bool,
}

impl Postgres {
    pub(super) fn new(url: &str, patience: Duration) -> Result<Self, SqlError> {
        let reached = tls::reached(url)?;
        let mut config = Config::from_str(&reached.url)
            .map_err(|error| SqlError::Other(format!("invalid URL of PostgreSQL: {error}")))?;
        config.connect_timeout(Duration::from_secs(5));
        config.application_name("redraft");
        // A server that is gone without a word is noticed.
        config.keepalives_idle(Duration::from_secs(15));
        config.tcp_user_timeout(Duration::from_secs(30));
        Ok(Self {
            config,
            tls: reached.tls,
            idle: Mutex::default(),
            slots: tokio::sync::Semaphore::new(CONNECTIONS),
            patience,
        })
    }

    pub(super) fn run<T>(
        &self,
        handle: &Handle,
        access: Access,
        work: &dyn Fn(&mut dyn Sql) -> Result<T, SqlError>,
    ) -> Result<T, SqlError> {
        // The semaphore is never closed.
        let slot = within(handle, self.patience, self.slots.acquire());
        let _slot = slot.ok_or_else(|| no_answer(self.patience))?;
        let mut connected = self.connected(handle)?;
        let mut sql = OnPostgres {
            handle,
            patience: self.patience,
            connected: &mut connected,
        };
        let result = match access {
            Access::Read => work(&mut sql),
            Access::Write => sql.control("BEGIN").and_then(|()| {
                let done = work(&mut sql)?;
                sql.control("COMMIT")?;
                Ok(done)
            }),
        };
        let is_clean = match (&result, access) {
            (Ok(_), _) | (Err(_), Access::Read) => true,
            (Err(_), Access::Write) => !sql.connected.is_stuck && sql.control("ROLLBACK").is_ok(),
        };
        if is_clean && !connected.is_stuck && !connected.client.is_closed() {
            self.idle().push(connected);
        }
        result
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connected>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connected(&self, handle: &Handle) -> Result<Connected, SqlError> {
        loop {
            let idle = self.idle().pop();
            match idle {
                Some(connected) if connected.client.is_closed() => {}
                Some(connected) => return Ok(connected),
                None => break,
            }
        }
        let client = match &self.tls {
            None => {
                let connected = within(handle, self.patience, self.config.connect(NoTls));
                let connected = connected.ok_or_else(|| no_answer(self.patience))?;
                let (client, connection) = connected.map_err(|error| of(&error))?;
                // The next statement tells that it broke.
                handle.spawn(async move { drop(connection.await) });
                client
            }
            Some(tls) => {
                let connected = within(handle, self.patience, self.config.connect(tls.clone()));
                let connected = connected.ok_or_else(|| no_answer(self.patience))?;
                let (client, connection) = connected.map_err(|error| of(&error))?;
                handle.spawn(async move { drop(connection.await) });
                client
            }
        };
        Ok(Connected {
            client,
            statements: HashMap::new(),
            is_stuck: false,
        })
    }
}

/// What something comes to, if that does not take too long.
fn within<T>(handle: &Handle, patience: Duration, work: impl Future<Output = T>) -> Option<T> {
    handle.block_on(async { tokio::time::timeout(patience, work).await.ok() })
}

fn no_answer(patience: Duration) -> SqlError {
    SqlError::Unavailable(format!("no answer within {} seconds", patience.as_secs()))
}

struct OnPostgres<'a> {
    handle: &'a Handle,
    patience: Duration,
    connected: &'a mut Connected,
}

/// What the server answered, if it did in time.
type Answered<T> = Option<Result<T, tokio_postgres::Error>>;

impl OnPostgres<'_> {
    fn answered<T>(&mut self, answer: Answered<T>) -> Result<T, SqlError> {
        match answer {
            Some(answer) => answer.map_err(|error| of(&error)),
            None => {
                self.connected.is_stuck = true;
                Err(no_answer(self.patience))
            }
        }
    }

    /// Begins or ends a transaction.
    fn control(&mut self, sql: &str) -> Result<(), SqlError> {
        let done = self.connected.client.batch_execute(sql);
        let done = within(self.handle, self.patience, done);
        self.answered(done)
    }

    fn statement(&mut self, sql: &str) -> Result<Statement, SqlError> {
        if let Some(statement) = self.connected.statements.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.connected.client.prepare(sql);
        let prepared = within(self.handle, self.patience, prepared);
        let prepared = self.answered(prepared)?;
        let statements = &mut self.connected.statements;
        statements.insert(sql.to_owned(), prepared.clone());
        Ok(prepared)
    }
}

impl Sql for OnPostgres<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn run(&mut self, sql: &str, values: &[Value]) -> Result<u64, SqlError> {
        let statement = self.statement(sql)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let done = self.connected.client.execute(&statement, &values);
        let done = within(self.handle, self.patience, done);
        self.answered(done)
    }

    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, SqlError> {
        let statement = self.statement(sql)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let rows = self.connected.client.query(&statement, &values);
        let rows = within(self.handle, self.patience, rows);
        let rows = self.answered(rows)?;
        rows.iter().map(row).collect()
    }

    /// Without a limit: new tables and indexes take as long as they take.
    fn script(&mut self, sql: &str) -> Result<(), SqlError> {
        self.handle
            .block_on(self.connected.client.batch_execute(sql))
            .map_err(|error| of(&error))
    }
}

fn row(row: &tokio_postgres::Row) -> Result<Row, SqlError> {
    let fields = row.columns().iter().enumerate().map(|(index, column)| {
        let value = match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(index).map(Value::from),
            Type::INT4 => row
                .try_get::<_, Option<i32>>(index)
                .map(|number| Value::from(number.map(i64::from))),
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(index).map(Value::from),
            _ => row.try_get::<_, Option<String>>(index).map(Value::from),
        };
        value.map_err(|error| of(&error))
    });
    Ok(Row(fields.collect::<Result<_, _>>()?))
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(number) if *kind == Type::INT4 => i32::try_from(*number)?.to_sql(kind, out),
            Self::Int(number) => number.to_sql(kind, out),
            Self::Text(text) => text.as_str().to_sql(kind, out),
            Self::Bytes(bytes) => bytes.as_slice().to_sql(kind, out),
        }
    }

    fn accepts(_kind: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

fn of(error: &tokio_postgres::Error) -> SqlError {
    let Some(state) = error.code() else {
        let cause = error.source().map(|cause| format!(": {cause}"));
        let text = format!("{error}{}", cause.unwrap_or_default());
        // Without an answer of the server it is the connection.
        return SqlError::Unavailable(text);
    };
    let text = error
        .as_db_error()
        .map_or_else(|| error.to_string(), |error| error.message().to_owned());
    match *state {
        SqlState::UNIQUE_VIOLATION => SqlError::Duplicate(text),
        SqlState::FOREIGN_KEY_VIOLATION => SqlError::Missing(text),
        SqlState::DISK_FULL => SqlError::Full(text),
        _ if is_passing(state) => SqlError::Unavailable(text),
        _ => SqlError::Other(text),
    }
}

/// Whether nothing is wrong with the statement: the connection broke (08), a transaction was
/// in another's way (40), the server lacks memory or connections (53), shuts down or starts
/// (57), has trouble with its disk (58), or is a copy that becomes the main one (25006).
fn is_passing(state: &SqlState) -> bool {
    let code = state.code();
    *state == SqlState::READ_ONLY_SQL_TRANSACTION
        || ["08", "40", "53", "57", "58"]
            .iter()
            .any(|class| code.starts_with(class))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_says_nothing_is_not_waited_for() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("postgres://redraft@{}/x", listener.local_addr().unwrap());
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let postgres = Postgres::new(&url, Duration::from_millis(50)).unwrap();
        for access in [Access::Read, Access::Write] {
            let asked = postgres.run(runtime.handle(), access, &|sql| sql.rows("SELECT 1", &[]));
            assert!(matches!(asked, Err(SqlError::Unavailable(_))), "{asked:?}");
        }
    }

    #[test]
    fn what_the_server_lacks_for_a_while_is_not_the_statements_fault() {
        for (code, expected) in [
            ("08006", true),
            ("40P01", true),
            ("53200", true),
            ("53300", true),
            ("57P01", true),
            ("57P03", true),
            ("58030", true),
            ("25006", true),
            ("42P01", false),
            ("3D000", false),
            ("28P01", false),
            ("XX001", false),
        ] {
            assert_eq!(is_passing(&SqlState::from_code(code)), expected, "{code}");
        }
    }
}
