//! Runs: submitting, reading, listing, cancelling.

use redraft_engine::journal::{Header, Input, InputKind, Recorded};
use redraft_run::ask::Time;
use redraft_run::run::Decision;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::access::millis;
use super::banks::{self, NewBank};
use super::blobs::{self, Blob};
use super::{Store, StoreError, reviews, stepping_in};
use crate::hex;
use crate::sql::{Row, Sql, SqlError, Value};

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

/// A run to be stored.
#[derive(Clone, Debug)]
pub struct NewRun {
    pub id: String,
    pub tenant: String,
    pub goal: String,
    pub profile: String,
    pub mode: String,
    pub name: String,
    pub batch: Option<String>,
    pub priority: i64,
    pub header: Header,
    pub document: Blob,
    pub companions: Vec<Blob>,
    pub submitted_by: String,
    pub idempotency: Option<String>,
    /// The hash of the whole order, to tell a repetition from another order.
    pub order_hash: String,
    /// Whether another program made its record.
    pub is_imported: bool,
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created {
    New(String),
    /// The same order came before.
    Known(String),
    /// The idempotency key belongs to another order.
    Conflict,
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

const INFO: &str = "id, state, goal, profile, mode, name, batch, priority, created, updated, submitted_by, events, status, score, error, score_before, rounds, cost_micros";

fn info(row: &Row) -> Result<RunInfo, SqlError> {
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

/// Which runs are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    pub state: Option<RunState>,
    pub status: Option<String>,
    pub profile: Option<String>,
    pub batch: Option<String>,
    /// Only those whose name contains this, in whatever case.
    pub name: Option<String>,
    /// Only those before this one.
    pub before: Option<String>,
    pub limit: i64,
}

/// Some runs, the latest first.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Page {
    pub runs: Vec<RunInfo>,
    /// Give it as `cursor` to get the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What rolls back orders under a key that belongs to others.
const ANOTHER_ORDER: &str = "another order";

/// A name for a run: later ones sort after earlier ones.
///
/// # Errors
/// When the system has no random numbers.
pub fn new_id(now: Time) -> Result<String, StoreError> {
    Ok(format!("r{:012x}{}", now.0, hex::random(8)?))
}

impl Store {
    /// Stores runs, all or none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create(&self, runs: Vec<NewRun>, now: Time) -> Result<Vec<Created>, StoreError> {
        self.create_bank(runs, None, now).await
    }

    /// Stores the runs of a bank's items, and the bank.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_bank(
        &self,
        runs: Vec<NewRun>,
        bank: Option<NewBank>,
        now: Time,
    ) -> Result<Vec<Created>, StoreError> {
        let runs = std::sync::Arc::new((runs, bank));
        loop {
            let orders = std::sync::Arc::clone(&runs);
            let created = self.database.write(move |sql| {
                let (runs, bank) = &*orders;
                if let Some(bank) = bank {
                    banks::put(sql, bank, now)?;
                }
                let created = runs.iter().map(|run| create(sql, run, now));
                let created = created.collect::<Result<Vec<_>, _>>()?;
                if created.contains(&Created::Conflict) {
                    // None of them is kept.
                    return Err(SqlError::Duplicate(ANOTHER_ORDER.to_owned()));
                }
                Ok(created)
            });
            match created.await {
                Err(SqlError::Duplicate(what)) if what == ANOTHER_ORDER => {
                    return Ok(vec![Created::Conflict; runs.0.len()]);
                }
                // The same order came at the same time: now it is there.
                Err(SqlError::Duplicate(what)) if what.contains("idempotency") => {}
                // Ids are random: these runs were stored, and the answer was lost.
                Err(SqlError::Duplicate(_)) if self.has_all(&runs.0).await? => {
                    let stored = runs.0.iter().map(|run| Created::New(run.id.clone()));
                    return Ok(stored.collect());
                }
                Err(error) => return Err(error.into()),
                Ok(created) => return Ok(created),
            }
        }
    }

    async fn has_all(&self, runs: &[NewRun]) -> Result<bool, StoreError> {
        for run in runs {
            if self.run(&run.tenant, &run.id).await?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

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

    /// The runs of a tenant.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list(&self, tenant: &str, filter: &Filter) -> Result<Page, StoreError> {
        let (sentence, values) = listing(tenant, filter);
        let rows = self
            .database
            .read(move |sql| sql.rows(&sentence, &values))
            .await?;
        let mut runs = rows.iter().map(info).collect::<Result<Vec<_>, _>>()?;
        let limit = usize::try_from(filter.limit).unwrap_or_default();
        let has_more = runs.len() > limit;
        runs.truncate(limit);
        let next = runs.last().filter(|_| has_more).map(|run| run.run.clone());
        Ok(Page { runs, next })
    }

    /// Ends a run wherever it is; tells its state if it is over already, and nothing for
    /// an unknown run.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn cancel(
        &self,
        tenant: &str,
        id: &str,
        by: &str,
        now: Time,
    ) -> Result<Option<RunState>, StoreError> {
        let (tenant, id, by) = (tenant.to_owned(), id.to_owned(), by.to_owned());
        let cancelled = self.database.write(move |sql| {
            let values: [Value; 3] = [millis(now).into(), (&tenant).into(), (&id).into()];
            let changed = sql.run(
                "UPDATE runs SET state = 'cancelled', epoch = epoch + 1, updated = $1, events = events + 1 \
                 WHERE tenant = $2 AND id = $3 AND state IN ('queued', 'running', 'waiting')",
                &values,
            )?;
            let row = sql.row(
                "SELECT state, events FROM runs WHERE tenant = $1 AND id = $2",
                &values[1..],
            )?;
            let Some(row) = row else { return Ok(None) };
            if changed > 0 {
                let seq = row.int(1)?;
                let event = json!({"seq": seq, "at": now, "event": "run_cancelled", "by": by});
                put_event(sql, &id, seq, &event.to_string())?;
                sql.run("DELETE FROM reviews WHERE run = $1", &values[2..])?;
            }
            Ok(RunState::parse(&row.text(0)?))
        });
        Ok(cancelled.await?)
    }

    /// Has a run end with the best version so far; tells its state, and nothing for an
    /// unknown run. Whoever drives it loses it, and the next finds the decision. Once is
    /// enough.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn stop(
        &self,
        tenant: &str,
        id: &str,
        by: &str,
        now: Time,
    ) -> Result<Option<RunState>, StoreError> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        let input = Input {
            at: now,
            what: InputKind::Decision(Decision::Stop { by: by.to_owned() }),
        };
        let (by, note) = (by.to_owned(), hex::random(8)?);
        let stopped = self.database.write(move |sql| {
            let values: [Value; 3] = [millis(now).into(), (&tenant).into(), (&id).into()];
            // Locks the run until the end of the transaction.
            sql.run(
                "UPDATE runs SET failures = failures WHERE tenant = $1 AND id = $2",
                &values[1..],
            )?;
            let row = sql.row(
                "SELECT state FROM runs WHERE tenant = $1 AND id = $2",
                &values[1..],
            )?;
            let state = row.map(|row| row.text(0)).transpose()?;
            let state = state.as_deref().and_then(RunState::parse);
            if state.is_none_or(RunState::is_over) || reviews::is_stopped(sql, &id)? {
                return Ok(state);
            }
            stepping_in::take_pending(sql, &id, now)?;
            let row = sql.row(
                "UPDATE runs SET state = 'queued', epoch = epoch + 1, worker = NULL, updated = $1, \
                 wake_at = $1, inputs = inputs + 1 WHERE tenant = $2 AND id = $3 RETURNING inputs",
                &values,
            )?;
            let number = row.map_or(Ok(0), |row| row.int(0))?;
            put_input(sql, &id, number, &input)?;
            reviews::record_stop(sql, &id, (&by, &note), now)?;
            sql.run("DELETE FROM reviews WHERE run = $1", &values[2..])?;
            Ok(Some(RunState::Queued))
        });
        Ok(stopped.await?)
    }

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

pub(super) fn create(sql: &mut dyn Sql, run: &NewRun, now: Time) -> Result<Created, SqlError> {
    if let Some(key) = &run.idempotency {
        let values: [Value; 2] = [(&run.tenant).into(), key.into()];
        let known = sql.row(
            "SELECT id, order_hash FROM runs WHERE tenant = $1 AND idempotency = $2",
            &values,
        )?;
        if let Some(known) = known {
            return Ok(if known.text(1)? == run.order_hash {
                Created::Known(known.text(0)?)
            } else {
                Created::Conflict
            });
        }
    }
    for blob in std::iter::once(&run.document).chain(&run.companions) {
        blobs::put(sql, &run.tenant, blob)?;
    }
    let companions: Vec<&str> = run
        .companions
        .iter()
        .map(|blob| blob.hash.as_str())
        .collect();
    let as_text = |value: serde_json::Result<String>| {
        value.map_err(|error| SqlError::Other(error.to_string()))
    };
    let values: Vec<Value> = vec![
        (&run.id).into(),
        (&run.tenant).into(),
        (&run.goal).into(),
        (&run.profile).into(),
        (&run.mode).into(),
        (&run.name).into(),
        run.batch.as_ref().into(),
        run.priority.into(),
        millis(now).into(),
        as_text(serde_json::to_string(&run.header))?.into(),
        (&run.document.hash).into(),
        as_text(serde_json::to_string(&companions))?.into(),
        (&run.submitted_by).into(),
        run.idempotency.as_ref().into(),
        (&run.order_hash).into(),
        run.is_imported.then_some(1).into(),
    ];
    sql.run(
        "INSERT INTO runs (id, tenant, goal, profile, mode, name, batch, priority, created, header, \
         document, companions, submitted_by, idempotency, order_hash, imported, state, updated, wake_at, epoch, \
         lease_until, failures, inputs, events) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'queued', $9, $9, 0, 0, 0, 0, 0)",
        &values,
    )?;
    Ok(Created::New(run.id.clone()))
}

fn listing(tenant: &str, filter: &Filter) -> (String, Vec<Value>) {
    let mut sentence = format!("SELECT {INFO} FROM runs WHERE tenant = $1");
    let mut values: Vec<Value> = vec![tenant.into()];
    let state = filter.state.map(|state| state.name().to_owned());
    let conditions = [
        ("state =", &state),
        ("status =", &filter.status),
        ("profile =", &filter.profile),
        ("batch =", &filter.batch),
        ("id <", &filter.before),
    ];
    for (condition, value) in conditions {
        if let Some(value) = value {
            values.push(value.into());
            sentence.push_str(&format!(" AND {condition} ${}", values.len()));
        }
    }
    if let Some(name) = &filter.name {
        // SQLite knows the cases of ASCII alone, so that other letters are also sought as
        // they are.
        for pattern in [contains(&name.to_lowercase()), contains(name)] {
            values.push(pattern.into());
        }
        let last = values.len();
        sentence.push_str(&format!(
            " AND (LOWER(name) LIKE ${} ESCAPE '!' OR name LIKE ${last} ESCAPE '!')",
            last - 1
        ));
    }
    values.push((filter.limit + 1).into());
    sentence.push_str(&format!(" ORDER BY id DESC LIMIT ${}", values.len()));
    (sentence, values)
}

/// A pattern of `LIKE` for everything that contains these words.
fn contains(words: &str) -> String {
    let mut pattern = String::from("%");
    for c in words.chars() {
        if ['%', '_', '!'].contains(&c) {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Location;

    /// With 100,000 runs a page must not look at all of them.
    #[test]
    fn listing_reads_an_index_in_its_order() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let before = Some("r5".to_owned());
        let filters = [
            ("runs_by_tenant", Filter::default()),
            (
                "runs_by_tenant",
                Filter {
                    before: before.clone(),
                    ..Filter::default()
                },
            ),
            (
                "runs_in_state",
                Filter {
                    state: Some(RunState::Done),
                    before: before.clone(),
                    ..Filter::default()
                },
            ),
            (
                "runs_in_batch",
                Filter {
                    batch: Some("b1".to_owned()),
                    ..Filter::default()
                },
            ),
            (
                "runs_by_status",
                Filter {
                    status: Some("escalated".to_owned()),
                    before,
                    ..Filter::default()
                },
            ),
            (
                "runs_by_profile",
                Filter {
                    profile: Some("mcq".to_owned()),
                    ..Filter::default()
                },
            ),
        ];
        runtime.block_on(async {
            let location = Location::Sqlite(folder.path().join("redraft.db"));
            let store = Store::open(&location).await.unwrap();
            for (index, filter) in filters {
                let (sentence, values) = listing("default", &filter);
                let explained = format!("EXPLAIN QUERY PLAN {sentence}");
                let plan = store
                    .database
                    .read(move |sql| sql.rows(&explained, &values));
                let plan: Vec<String> = plan
                    .await
                    .unwrap()
                    .iter()
                    .map(|row| row.text(3).unwrap())
                    .collect();
                let plan = plan.join("; ");
                let search = format!("SEARCH runs USING INDEX {index} ");
                assert!(plan.contains(&search), "{plan}");
                assert!(!plan.contains("TEMP B-TREE"), "{plan}");
            }
        });
    }
}
