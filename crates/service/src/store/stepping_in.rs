//! What reviewers say about the sections of a run that goes on: lock, unlock, skip.
//!
//! | the run is | then |
//! |---|---|
//! | queued or waiting | it is the next input of the run |
//! | running | it is kept, and the worker that drives the run takes it as an input; calls that are out go on |
//! | over | nothing: it comes too late |

use redraft_engine::journal::{Input, InputKind};
use redraft_gate::span::ComponentId;
use redraft_run::ask::Time;
use redraft_run::run::Decision;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::access::millis;
use super::records::put_input;
use super::reviews::{Body, DecisionEntry, Known, Once, known, record};
use super::runs::RunState;
use super::{Store, StoreError};
use crate::sql::{Sql, SqlError, Value};

/// What is to become of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionAction {
    /// No repair touches it from now on.
    Lock,
    Unlock,
    /// Its repair of this round is left out, or else its next one.
    Skip,
}

impl SectionAction {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::Skip => "skip",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        let all = [Self::Lock, Self::Unlock, Self::Skip];
        all.into_iter().find(|action| action.name() == name)
    }

    fn decision(self, by: &str, section: &str) -> Decision {
        let (by, section) = (by.to_owned(), ComponentId::from(section));
        match self {
            Self::Lock => Decision::Lock { by, section },
            Self::Unlock => Decision::Unlock { by, section },
            Self::Skip => Decision::Skip { by, section },
        }
    }
}

/// A reviewer's word about a section, to be stored.
#[derive(Clone, Debug)]
pub struct NewSectionDecision {
    pub tenant: String,
    pub run: String,
    pub by: String,
    pub action: SectionAction,
    pub section: String,
    pub comment: Option<String>,
    /// The key of the request: one that comes again changes nothing.
    pub token: String,
}

/// One that a worker has to take.
#[derive(Clone, Debug)]
pub struct PendingDecision {
    pub run: String,
    pub number: i64,
    pub decision: Decision,
}

impl Store {
    /// Records what a reviewer says about a section; tells the state of the run, where
    /// it is not over, and nothing for an unknown run.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn step_in(
        &self,
        said: NewSectionDecision,
        now: Time,
    ) -> Result<Once<Option<RunState>>, StoreError> {
        let told = self.database.write(move |sql| step_in(sql, &said, now));
        Ok(told.await?)
    }

    /// What the runs of a worker have not been told yet, in order.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn pending(&self, worker: &str) -> Result<Vec<PendingDecision>, StoreError> {
        let worker: Value = worker.into();
        let rows = self.database.read(move |sql| {
            sql.rows(
                "SELECT decisions.run, number, reviewer, kind, body FROM decisions \
                 JOIN runs ON runs.id = decisions.run \
                 WHERE pending = 1 AND runs.worker = $1 AND runs.state = 'running' \
                 ORDER BY decisions.run, number",
                std::slice::from_ref(&worker),
            )
        });
        let mut pending = Vec::new();
        for row in rows.await? {
            let body: Body = serde_json::from_str(&row.text(4)?)
                .map_err(|error| StoreError::damaged("a decision", &error))?;
            let action = SectionAction::parse(&row.text(3)?);
            if let (Some(action), Some(section)) = (action, body.section) {
                pending.push(PendingDecision {
                    run: row.text(0)?,
                    number: row.int(1)?,
                    decision: action.decision(&row.text(2)?, &section),
                });
            }
        }
        Ok(pending)
    }
}

fn step_in(
    sql: &mut dyn Sql,
    said: &NewSectionDecision,
    now: Time,
) -> Result<Once<Option<RunState>>, SqlError> {
    let values: [Value; 2] = [(&said.tenant).into(), (&said.run).into()];
    // Locks the run until the end of the transaction.
    sql.run(
        "UPDATE runs SET failures = failures WHERE tenant = $1 AND id = $2",
        &values,
    )?;
    let row = sql.row(
        "SELECT state FROM runs WHERE tenant = $1 AND id = $2",
        &values,
    )?;
    let Some(row) = row else {
        return Ok(Once::Done(None));
    };
    let state = RunState::parse(&row.text(0)?);
    let is_driven = state == Some(RunState::Running);
    let entry = DecisionEntry {
        run: &said.run,
        reviewer: &said.by,
        kind: said.action.name(),
        body: Body {
            words: String::new(),
            comment: said.comment.clone(),
            section: Some(said.section.clone()),
        },
        since: 0,
        pending: is_driven.then_some(1),
        token: &said.token,
    };
    match known(sql, &entry)? {
        Known::No => {}
        Known::Other => return Ok(Once::OtherRequest),
        // The run may be over by now; it was not when this was said.
        Known::Same(_) => {
            let state = state.filter(|state| !state.is_over());
            return Ok(Once::Done(Some(state.unwrap_or(RunState::Running))));
        }
    }
    let Some(state) = state.filter(|state| !state.is_over()) else {
        return Ok(Once::Done(state));
    };
    if !is_driven {
        take_pending(sql, &said.run, now)?;
    }
    record(sql, &entry, now)?;
    if !is_driven {
        let decision = said.action.decision(&said.by, &said.section);
        add_input(sql, &said.run, decision, now)?;
    }
    Ok(Once::Done(Some(state)))
}

/// Makes what people said while a run was driven, and nobody has taken, its inputs: before
/// anything that is said later.
pub(super) fn take_pending(sql: &mut dyn Sql, run: &str, now: Time) -> Result<(), SqlError> {
    let rows = sql.rows(
        "SELECT reviewer, kind, body FROM decisions WHERE run = $1 AND pending = 1 ORDER BY number",
        &[run.into()],
    )?;
    for row in &rows {
        let body: Body = serde_json::from_str(&row.text(2)?)
            .map_err(|error| SqlError::Other(error.to_string()))?;
        let action = SectionAction::parse(&row.text(1)?);
        if let (Some(action), Some(section)) = (action, body.section) {
            add_input(sql, run, action.decision(&row.text(0)?, &section), now)?;
        }
    }
    taken(sql, run, i64::try_from(rows.len()).unwrap_or(i64::MAX))
}

fn add_input(sql: &mut dyn Sql, run: &str, decision: Decision, now: Time) -> Result<(), SqlError> {
    let row = sql.row(
        "UPDATE runs SET inputs = inputs + 1, updated = $1 WHERE id = $2 RETURNING inputs",
        &[millis(now).into(), run.into()],
    )?;
    let number = row.map_or(Ok(0), |row| row.int(0))?;
    let input = Input {
        at: now,
        what: InputKind::Decision(decision),
    };
    put_input(sql, run, number, &input)
}

/// Notes that so many of a run's pending decisions are among its inputs now. They are
/// taken in the order of their numbers.
pub(super) fn taken(sql: &mut dyn Sql, run: &str, number: i64) -> Result<(), SqlError> {
    sql.run(
        "UPDATE decisions SET pending = 0 WHERE run = $1 AND number IN \
         (SELECT number FROM decisions WHERE run = $1 AND pending = 1 ORDER BY number LIMIT $2)",
        &[run.into(), number.into()],
    )?;
    Ok(())
}
