//! PostgreSQL: a few connections, opened when needed and dropped when broken.

use std::error::Error as _;
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
}

/// A connection and the statements that were prepared on it.
struct Connected {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl Postgres {
    pub(super) fn new(url: &str) -> Result<Self, SqlError> {
        let reached = tls::reached(url)?;
        let mut config = Config::from_str(&reached.url)
            .map_err(|error| SqlError::Other(format!("invalid URL of PostgreSQL: {error}")))?;
        config.connect_timeout(Duration::from_secs(5));
        config.application_name("redraft");
        Ok(Self {
            config,
            tls: reached.tls,
            idle: Mutex::default(),
            slots: tokio::sync::Semaphore::new(CONNECTIONS),
        })
    }

    pub(super) fn run<T>(
        &self,
        handle: &Handle,
        access: Access,
        work: &dyn Fn(&mut dyn Sql) -> Result<T, SqlError>,
    ) -> Result<T, SqlError> {
        // The semaphore is never closed.
        let _slot = handle.block_on(self.slots.acquire());
        let mut connected = self.connected(handle)?;
        let mut sql = OnPostgres {
            handle,
            connected: &mut connected,
        };
        let result = match access {
            Access::Read => work(&mut sql),
            Access::Write => sql.script("BEGIN").and_then(|()| {
                let done = work(&mut sql)?;
                sql.script("COMMIT")?;
                Ok(done)
            }),
        };
        let is_clean = match (&result, access) {
            (Ok(_), _) | (Err(_), Access::Read) => true,
            (Err(_), Access::Write) => sql.script("ROLLBACK").is_ok(),
        };
        if is_clean && !connected.client.is_closed() {
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
                let connected = handle.block_on(self.config.connect(NoTls));
                let (client, connection) = connected.map_err(|error| of(&error))?;
                // The next statement tells that it broke.
                handle.spawn(async move { drop(connection.await) });
                client
            }
            Some(tls) => {
                let connected = handle.block_on(self.config.connect(tls.clone()));
                let (client, connection) = connected.map_err(|error| of(&error))?;
                handle.spawn(async move { drop(connection.await) });
                client
            }
        };
        Ok(Connected {
            client,
            statements: HashMap::new(),
        })
    }
}

struct OnPostgres<'a> {
    handle: &'a Handle,
    connected: &'a mut Connected,
}

impl OnPostgres<'_> {
    fn statement(&mut self, sql: &str) -> Result<Statement, SqlError> {
        if let Some(statement) = self.connected.statements.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self
            .handle
            .block_on(self.connected.client.prepare(sql))
            .map_err(|error| of(&error))?;
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
        self.handle
            .block_on(self.connected.client.execute(&statement, &values))
            .map_err(|error| of(&error))
    }

    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, SqlError> {
        let statement = self.statement(sql)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let rows = self
            .handle
            .block_on(self.connected.client.query(&statement, &values))
            .map_err(|error| of(&error))?;
        rows.iter().map(row).collect()
    }

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
        SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::CANNOT_CONNECT_NOW
        | SqlState::TOO_MANY_CONNECTIONS
        | SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::T_R_DEADLOCK_DETECTED => SqlError::Unavailable(text),
        _ => SqlError::Other(text),
    }
}
