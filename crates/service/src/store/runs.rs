//! Runs as they are read and listed.

use redraft_run::ask::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Store, StoreError};
use crate::hex;
use crate::sql::{Row, SqlError, Value};

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    Queued,
    Running,
    /// For a reviewer.
    Waiting,
    Done,
    /// It cannot be driven; `error` says why.
    Failed,
    Cancelled,
}

impl RunState {
    pub const ALL: [Self; 6] = [
        Self::Queued,
        Self::Running,
        Self::Waiting,
        Self::Done,
        Self::Failed,
        Self::Cancelled,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Whether nothing more happens to it.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

/// A run, as it is listed.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct RunInfo {
    /// The id.
    pub run: String,
    pub state: RunState,
    /// `check`, `judge`, `refine` or `write`.
    pub goal: String,
    pub profile: String,
    /// `full-auto` or `semi-auto`.
    pub mode: String,
    /// The name of the document.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    pub priority: i64,
    /// Milliseconds since 1970.
    pub created: i64,
    pub updated: i64,
    /// The name of the key.
    pub submitted_by: String,
    /// The number of its last event.
    pub events: i64,
    /// What became of the text, once the run is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The score in thousandths, of the latest judged version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i64>,
    /// The score of the text that came in, once the run is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_before: Option<i64>,
    /// How many rounds of repair there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<i64>,
    /// What it has cost, in millionths of a dollar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

pub(super) const INFO: &str = "id, state, goal, profile, mode, name, batch, priority, created, updated, submitted_by, events, status, score, error, score_before, rounds, cost_micros";

pub(super) fn info(row: &Row) -> Result<RunInfo, SqlError> {
    let state = row.text(1)?;
    Ok(RunInfo {
        run: row.text(0)?,
        state: RunState::parse(&state)
            .ok_or_else(|| SqlError::Other(format!("unknown state `{state}`")))?,
        goal: row.text(2)?,
        profile: row.text(3)?,
        mode: row.text(4)?,
        name: row.text(5)?,
        batch: row.text_or_null(6)?,
        priority: row.int(7)?,
        created: row.int(8)?,
        updated: row.int(9)?,
        submitted_by: row.text(10)?,
        events: row.int(11)?,
        status: row.text_or_null(12)?,
        score: row.int_or_null(13)?,
        error: row.text_or_null(14)?,
        score_before: row.int_or_null(15)?,
        rounds: row.int_or_null(16)?,
        cost_micros: row.int_or_null(17)?,
    })
}

/// A name for a run: later ones sort after earlier ones.
///
/// # Errors
/// When the system has no random numbers.
pub fn new_id(now: Time) -> Result<String, StoreError> {
    Ok(format!("r{:012x}{}", now.0, hex::random(8)?))
}

impl Store {
    /// Whether another program made the record of a run.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_imported(&self, run: &str) -> Result<bool, StoreError> {
        let run: Value = run.into();
        let row = self.database.read(move |sql| {
            sql.row(
                "SELECT imported FROM runs WHERE id = $1",
                std::slice::from_ref(&run),
            )
        });
        let imported = row.await?.map(|row| row.int_or_null(0)).transpose()?;
        Ok(imported.flatten() == Some(1))
    }

    /// A run of a tenant.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn run(&self, tenant: &str, id: &str) -> Result<Option<RunInfo>, StoreError> {
        let values: [Value; 2] = [tenant.into(), id.into()];
        let row = self.database.read(move |sql| {
            let sentence = format!("SELECT {INFO} FROM runs WHERE tenant = $1 AND id = $2");
            sql.row(&sentence, &values)
        });
        Ok(row.await?.as_ref().map(info).transpose()?)
    }
}
