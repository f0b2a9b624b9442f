//! A run's journal in the database: inputs, the events that follow from them and the
//! outcome are committed together, under the epoch of the claim.

use redraft_engine::journal::{Input, InputKind, JournalError, Recorder};
use redraft_gate::score::Score;
use redraft_run::ask::Time;
use redraft_run::assess::Assessment;
use redraft_run::event::{Event, EventKind};
use redraft_run::outcome::Outcome;
use redraft_run::run::Decision;

use super::access::millis;
use super::claims::Claim;
use super::records::put_event;
use super::{Store, StoreError, reviews, stepping_in};
use crate::sql::{Sql, SqlError, Value};

/// Writes one run, for as long as the claim holds.
#[derive(Debug)]
pub struct StoreRecorder {
    store: Store,
    claim: Claim,
    /// How many inputs and events are stored.
    stored: (i64, i64),
    waiting: Batch,
    clock: fn() -> Time,
}

/// What is written in one transaction.
#[derive(Clone, Debug, Default)]
struct Batch {
    inputs: Vec<(Option<String>, String)>,
    events: Vec<(i64, String)>,
    outcome: Option<Finished>,
    /// How many inputs are what a reviewer said about a section.
    from_people: i64,
    progress: Progress,
}

/// How far the run has come; what is absent stays as it is.
#[derive(Clone, Debug, Default)]
struct Progress {
    score_before: Option<i64>,
    score: Option<i64>,
    rounds: Option<i64>,
    cost_micros: Option<i64>,
}

impl Progress {
    fn note(&mut self, event: &EventKind) {
        let number = |number: u64| Some(i64::try_from(number).unwrap_or(i64::MAX));
        match event {
            EventKind::IterationComplete {
                iteration,
                score,
                score_delta,
                cost_micros,
                ..
            } => {
                // The first round tells how far it is from the score before.
                if let (1, Some(score), Some(delta)) = (iteration, score, score_delta) {
                    self.score_before = Some(thousandths(*score) - i64::from(*delta));
                }
                self.rounds = Some(i64::from(*iteration));
                self.score = score.map(thousandths).or(self.score);
                self.cost_micros = number(*cost_micros);
            }
            EventKind::RunComplete { cost_micros, .. } => self.cost_micros = number(*cost_micros),
            _ => {}
        }
    }
}

fn thousandths(score: Score) -> i64 {
    i64::from(score.thousandths())
}

#[derive(Clone, Debug)]
struct Finished {
    body: String,
    status: &'static str,
    score: Option<i64>,
}

impl StoreRecorder {
    /// For a run of which so many inputs and events are stored.
    #[must_use]
    pub fn new(store: Store, claim: Claim, stored: (usize, usize), clock: fn() -> Time) -> Self {
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        Self {
            store,
            claim,
            stored: (count(stored.0), count(stored.1)),
            waiting: Batch::default(),
            clock,
        }
    }
}

fn error(error: impl Into<StoreError>) -> JournalError {
    JournalError::Store(Box::new(error.into()))
}

fn json(value: &impl serde::Serialize) -> Result<String, JournalError> {
    serde_json::to_string(value).map_err(|why| error(StoreError::damaged("a record", &why)))
}

impl Recorder for StoreRecorder {
    fn input(&mut self, input: &Input) -> Result<(), JournalError> {
        let ask = match &input.what {
            InputKind::Reply { ask, .. } => Some(ask.0.clone()),
            InputKind::Decision(
                Decision::Lock { .. } | Decision::Unlock { .. } | Decision::Skip { .. },
            ) => {
                self.waiting.from_people += 1;
                None
            }
            InputKind::Timeout | InputKind::Decision(_) => None,
        };
        self.waiting.inputs.push((ask, json(input)?));
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), JournalError> {
        self.waiting.progress.note(&event.kind);
        let seq = i64::try_from(event.seq).unwrap_or(i64::MAX);
        self.waiting.events.push((seq, json(event)?));
        Ok(())
    }

    fn outcome(&mut self, outcome: &Outcome) -> Result<(), JournalError> {
        let score = outcome.score.as_ref().map(Assessment::overall);
        let first = outcome.iterations.first().and_then(|first| first.score);
        let rounds = outcome.iterations.iter().map(|one| one.iteration).max();
        self.waiting.progress.score_before = first.map(thousandths);
        self.waiting.progress.rounds = rounds.map(i64::from);
        self.waiting.outcome = Some(Finished {
            body: json(outcome)?,
            status: outcome.status.name(),
            score: score.map(thousandths),
        });
        Ok(())
    }

    async fn commit(&mut self) -> Result<(), JournalError> {
        let batch = std::mem::take(&mut self.waiting);
        if batch.inputs.is_empty() && batch.events.is_empty() && batch.outcome.is_none() {
            return Ok(());
        }
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let after = (
            self.stored.0 + count(batch.inputs.len()),
            self.stored.1 + count(batch.events.len()),
        );
        let commit = Commit {
            claim: self.claim.clone(),
            before: self.stored,
            after,
            batch,
            now: (self.clock)(),
        };
        let held = self.store.database.write(move |sql| commit.write(sql));
        if !held.await.map_err(error)? {
            return Err(error(StoreError::Lost {
                run: self.claim.run.clone(),
            }));
        }
        self.stored = after;
        Ok(())
    }
}

struct Commit {
    claim: Claim,
    before: (i64, i64),
    after: (i64, i64),
    batch: Batch,
    now: Time,
}

impl Commit {
    /// Writes the batch if the claim holds and nothing was written since. If a commit was
    /// lost on its way back, the counts differ and the run is taken up again from the
    /// store.
    fn write(&self, sql: &mut dyn Sql) -> Result<bool, SqlError> {
        let mut values: Vec<Value> = vec![
            (&self.claim.run).into(),
            self.claim.epoch.into(),
            self.before.0.into(),
            self.before.1.into(),
            self.after.0.into(),
            self.after.1.into(),
            millis(self.now).into(),
            self.batch.progress.score_before.into(),
            self.batch.progress.score.into(),
            self.batch.progress.rounds.into(),
            self.batch.progress.cost_micros.into(),
        ];
        let done = match &self.batch.outcome {
            None => ", score = COALESCE($9, score)",
            Some(finished) => {
                values[8] = finished.score.into();
                values.push(finished.status.into());
                ", state = 'done', worker = NULL, score = $9, status = $12, error = NULL"
            }
        };
        let changed = sql.run(
            &format!(
                "UPDATE runs SET inputs = $5, events = $6, updated = $7, failures = 0, \
                 score_before = COALESCE($8, score_before), rounds = COALESCE($10, rounds), \
                 cost_micros = COALESCE($11, cost_micros){done} \
                 WHERE id = $1 AND epoch = $2 AND state = 'running' AND inputs = $3 AND events = $4"
            ),
            &values,
        )?;
        if changed == 0 {
            return Ok(false);
        }
        let mut seq = self.before.0;
        for (ask, body) in &self.batch.inputs {
            seq += 1;
            sql.run(
                "INSERT INTO inputs (run, seq, ask, body) VALUES ($1, $2, $3, $4)",
                &[
                    (&self.claim.run).into(),
                    seq.into(),
                    ask.as_ref().into(),
                    body.into(),
                ],
            )?;
        }
        for (seq, body) in &self.batch.events {
            put_event(sql, &self.claim.run, *seq, body)?;
        }
        if self.batch.from_people > 0 {
            stepping_in::taken(sql, &self.claim.run, self.batch.from_people)?;
        }
        if let Some(finished) = &self.batch.outcome {
            sql.run(
                "INSERT INTO outcomes (run, body) VALUES ($1, $2)",
                &[(&self.claim.run).into(), (&finished.body).into()],
            )?;
            reviews::announce(sql, &self.claim.run, "completed", self.now)?;
        }
        Ok(true)
    }
}
