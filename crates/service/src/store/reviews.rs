//! The review queue and what reviewers decide.
//!
//! | decision | then |
//! |---|---|
//! | as many reviewers as the tenant needs decided the same | the run goes on |
//! | that many decided, and not the same | stays queued as disputed |
//! | fewer decided | stays queued |
//! | `cannot_decide` | counts as no decision; the assignment is taken back |
//!
//! Of each reviewer the latest decision about the current request counts.
//!
//! A decision has the key of its request: one that comes again, because its answer or that of
//! a commit was lost, gets the answer of the first and changes nothing.

use std::collections::BTreeMap;

use redraft_engine::journal::{Input, InputKind};
use redraft_run::ask::Time;
use redraft_run::run::Decision;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::access::millis;
use super::records::put_input;
use super::stepping_in;
use super::{Store, StoreError};
use crate::hex;
use crate::sql::{Row, Sql, SqlError, Value};

/// What a reviewer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    Approve,
    /// With `content`, the whole text.
    ApproveWithEdits,
    /// Try again, with `instruction`.
    Instruct,
    Reject,
    CannotDecide,
}

impl Verb {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::ApproveWithEdits => "approve_with_edits",
            Self::Instruct => "instruct",
            Self::Reject => "reject",
            Self::CannotDecide => "cannot_decide",
        }
    }
}

/// A decision to be stored.
#[derive(Clone, Debug)]
pub struct NewDecision {
    pub tenant: String,
    pub run: String,
    pub reviewer: String,
    pub verb: Verb,
    /// The edited text or the instruction.
    pub words: String,
    pub comment: Option<String>,
    /// When the request began that it answers, if the reviewer says so.
    pub since: Option<i64>,
    /// How many reviewers must agree.
    pub needed: usize,
    /// The key of the request.
    pub token: String,
}

/// What a request with an idempotency key came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Once<T> {
    /// Done now, or before by the same request.
    Done(T),
    /// The key belongs to another request.
    OtherRequest,
}

/// What became of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decided {
    /// The run goes on.
    Resumed,
    /// More reviewers have to decide.
    Recorded,
    Disputed,
}

/// A run that waits for a reviewer.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Review {
    pub run: String,
    /// Milliseconds since 1970.
    pub since: i64,
    /// Why the text was not accepted.
    pub because: serde_json::Value,
    /// `open` or `disputed`.
    pub state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// Why it cannot be approved as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cannot_approve: Option<String>,
    /// Why it can be neither edited nor tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cannot_change: Option<String>,
    /// The text in question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// A decision, with who and when.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct DecisionRow {
    pub number: i64,
    /// The name of the key.
    pub by: String,
    /// Milliseconds since 1970.
    pub at: i64,
    /// As it was given; `lock`, `unlock` and `skip` are about a section, and `stop` ended
    /// the run.
    pub decision: String,
    /// The edited text or the instruction.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// The section that it is about, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// The words of a decision, as they are stored.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Body {
    pub(super) words: String,
    pub(super) comment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) section: Option<String>,
}

/// A decision to be listed with who and when.
pub(super) struct DecisionEntry<'a> {
    pub(super) run: &'a str,
    pub(super) reviewer: &'a str,
    pub(super) kind: &'a str,
    pub(super) body: Body,
    /// Which request it answers; 0 for none.
    pub(super) since: i64,
    /// 1 where a worker has to take it.
    pub(super) pending: Option<i64>,
    /// The key of its request.
    pub(super) token: &'a str,
}

impl DecisionEntry<'_> {
    fn text(&self) -> Result<String, SqlError> {
        serde_json::to_string(&self.body).map_err(|error| SqlError::Other(error.to_string()))
    }
}

impl Store {
    /// The runs of a tenant that wait for a reviewer, the longest waiting first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reviews(
        &self,
        tenant: &str,
        after: Option<(i64, String)>,
        most: i64,
    ) -> Result<Vec<Review>, StoreError> {
        let mut values: Vec<Value> = vec![tenant.into(), most.into()];
        let rest = match after {
            Some((since, run)) => {
                values.extend([since.into(), run.into()]);
                "AND (since, run) > ($3, $4)"
            }
            None => "",
        };
        let sentence = format!(
            "SELECT run, since, because, state, assignee, cannot_approve, cannot_change FROM reviews \
             WHERE tenant = $1 {rest} ORDER BY since, run LIMIT $2"
        );
        let rows = self.database.read(move |sql| sql.rows(&sentence, &values));
        rows.await?.iter().map(|row| review(row, None)).collect()
    }

    /// How many runs of a tenant wait for a reviewer.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn waiting(&self, tenant: &str) -> Result<i64, StoreError> {
        let tenant: Value = tenant.into();
        let row = self.database.read(move |sql| {
            sql.row(
                "SELECT COUNT(*) FROM reviews WHERE tenant = $1",
                std::slice::from_ref(&tenant),
            )
        });
        Ok(row.await?.map_or(Ok(0), |row| row.int(0))?)
    }

    /// The text that waits for a reviewer.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn review(&self, tenant: &str, run: &str) -> Result<Option<Review>, StoreError> {
        let values: [Value; 2] = [tenant.into(), run.into()];
        let row = self.database.read(move |sql| {
            sql.row(
                "SELECT run, since, because, state, assignee, cannot_approve, cannot_change, content FROM reviews \
                 WHERE tenant = $1 AND run = $2",
                &values,
            )
        });
        let Some(row) = row.await? else {
            return Ok(None);
        };
        let content = String::from_utf8_lossy(&row.bytes(7)?).into_owned();
        review(&row, Some(content)).map(Some)
    }

    /// The bytes that wait for a reviewer.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn text_in_review(&self, run: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let run: Value = run.into();
        let row = self.database.read(move |sql| {
            sql.row(
                "SELECT content FROM reviews WHERE run = $1",
                std::slice::from_ref(&run),
            )
        });
        Ok(row.await?.map(|row| row.bytes(0)).transpose()?)
    }

    /// Gives a review to somebody, or takes it back; tells whether there is one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn assign(
        &self,
        tenant: &str,
        run: &str,
        to: Option<&str>,
    ) -> Result<bool, StoreError> {
        let values: [Value; 3] = [to.into(), tenant.into(), run.into()];
        let assigned = self.database.write(move |sql| {
            sql.run(
                "UPDATE reviews SET assignee = $1 WHERE tenant = $2 AND run = $3",
                &values,
            )
        });
        Ok(assigned.await? > 0)
    }

    /// Records a decision; nothing if the run does not wait for one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn decide(
        &self,
        decision: NewDecision,
        now: Time,
    ) -> Result<Once<Option<Decided>>, StoreError> {
        let decided = self.database.write(move |sql| decide(sql, &decision, now));
        Ok(decided.await?)
    }

    /// What reviewers decided about a run.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn decisions(&self, run: &str) -> Result<Vec<DecisionRow>, StoreError> {
        let run: Value = run.into();
        let rows = self.database.read(move |sql| {
            sql.rows(
                "SELECT number, reviewer, made, kind, body FROM decisions WHERE run = $1 ORDER BY number",
                std::slice::from_ref(&run),
            )
        });
        rows.await?.iter().map(decision_row).collect()
    }
}

fn review(row: &Row, content: Option<String>) -> Result<Review, StoreError> {
    Ok(Review {
        run: row.text(0)?,
        since: row.int(1)?,
        because: serde_json::from_str(&row.text(2)?)
            .map_err(|error| StoreError::damaged("a review", &error))?,
        state: row.text(3)?,
        assignee: row.text_or_null(4)?,
        cannot_approve: row.text_or_null(5)?,
        cannot_change: row.text_or_null(6)?,
        content,
    })
}

fn decision_row(row: &Row) -> Result<DecisionRow, StoreError> {
    let body: Body = serde_json::from_str(&row.text(4)?)
        .map_err(|error| StoreError::damaged("a decision", &error))?;
    Ok(DecisionRow {
        number: row.int(0)?,
        by: row.text(1)?,
        at: row.int(2)?,
        decision: row.text(3)?,
        words: body.words,
        section: body.section,
        comment: body.comment,
    })
}

fn decide(
    sql: &mut dyn Sql,
    decision: &NewDecision,
    now: Time,
) -> Result<Once<Option<Decided>>, SqlError> {
    let run: Value = (&decision.run).into();
    // Locks the run until the end of the transaction.
    let locked = sql.run(
        "UPDATE runs SET failures = failures WHERE id = $1 AND tenant = $2",
        &[run.clone(), (&decision.tenant).into()],
    )?;
    if locked == 0 {
        return Ok(Once::Done(None));
    }
    let mut entry = DecisionEntry {
        run: &decision.run,
        reviewer: &decision.reviewer,
        kind: decision.verb.name(),
        body: Body {
            words: decision.words.clone(),
            comment: decision.comment.clone(),
            section: None,
        },
        since: 0,
        pending: None,
        token: &decision.token,
    };
    match known(sql, &entry)? {
        Known::No => {}
        Known::Other => return Ok(Once::OtherRequest),
        Known::Same(result) => {
            let result = serde_json::from_str(&result.unwrap_or_default());
            return Ok(Once::Done(Some(result.unwrap_or(Decided::Recorded))));
        }
    }
    let request = sql.row(
        "SELECT since FROM reviews WHERE run = $1",
        std::slice::from_ref(&run),
    )?;
    let Some(request) = request else {
        return Ok(Once::Done(None));
    };
    let since = request.int(0)?;
    if decision.since.is_some_and(|read| read != since) {
        return Ok(Once::Done(None));
    }
    entry.since = since;
    let number = record(sql, &entry, now)?;
    let decided = counted(sql, decision, since, now)?;
    let result = serde_json::to_string(&decided);
    let result = result.map_err(|error| SqlError::Other(error.to_string()))?;
    sql.run(
        "UPDATE decisions SET result = $1 WHERE run = $2 AND number = $3",
        &[result.into(), run, number.into()],
    )?;
    Ok(Once::Done(Some(decided)))
}

/// What becomes of the text once a decision about it is recorded.
fn counted(
    sql: &mut dyn Sql,
    decision: &NewDecision,
    since: i64,
    now: Time,
) -> Result<Decided, SqlError> {
    let run: Value = (&decision.run).into();
    if decision.verb == Verb::CannotDecide {
        let run = std::slice::from_ref(&run);
        sql.run("UPDATE reviews SET assignee = NULL WHERE run = $1", run)?;
    }
    let (most, people) = votes(sql, &decision.run, since)?;
    if most >= decision.needed && decision.verb != Verb::CannotDecide {
        resume(sql, decision, now)?;
        return Ok(Decided::Resumed);
    }
    let (state, decided) = if people < decision.needed {
        ("open", Decided::Recorded)
    } else {
        ("disputed", Decided::Disputed)
    };
    sql.run(
        "UPDATE reviews SET state = $1 WHERE run = $2",
        &[state.into(), run],
    )?;
    Ok(decided)
}

/// Whether a request came before.
pub(super) enum Known {
    No,
    /// With what it came to.
    Same(Option<String>),
    /// Its key belongs to another request.
    Other,
}

/// Looks for the decision of a request, on a run that is locked.
pub(super) fn known(sql: &mut dyn Sql, entry: &DecisionEntry<'_>) -> Result<Known, SqlError> {
    let row = sql.row(
        "SELECT reviewer, kind, body, result FROM decisions WHERE run = $1 AND token = $2",
        &[entry.run.into(), entry.token.into()],
    )?;
    let Some(row) = row else {
        return Ok(Known::No);
    };
    let is_same = row.text(0)? == entry.reviewer
        && row.text(1)? == entry.kind
        && row.text(2)? == entry.text()?;
    Ok(match is_same {
        true => Known::Same(row.text_or_null(3)?),
        false => Known::Other,
    })
}

/// Stores a decision of a run that is locked; tells its number.
pub(super) fn record(
    sql: &mut dyn Sql,
    entry: &DecisionEntry<'_>,
    now: Time,
) -> Result<i64, SqlError> {
    let body = entry.text()?;
    let run: Value = entry.run.into();
    let row = sql.row(
        "SELECT COUNT(*) FROM decisions WHERE run = $1",
        std::slice::from_ref(&run),
    )?;
    let number = row.map_or(Ok(0), |row| row.int(0))? + 1;
    sql.run(
        "INSERT INTO decisions (run, number, reviewer, made, kind, body, since, pending, token) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            run,
            number.into(),
            entry.reviewer.into(),
            millis(now).into(),
            entry.kind.into(),
            body.into(),
            entry.since.into(),
            entry.pending.into(),
            entry.token.into(),
        ],
    )?;
    Ok(number)
}

/// What the list of decisions calls the end that somebody wanted.
const STOP: &str = "stop";

/// Whether somebody has stopped a run that is locked.
pub(super) fn is_stopped(sql: &mut dyn Sql, run: &str) -> Result<bool, SqlError> {
    let row = sql.row(
        "SELECT number FROM decisions WHERE run = $1 AND kind = $2",
        &[run.into(), STOP.into()],
    )?;
    Ok(row.is_some())
}

/// Notes who stopped a run that is locked.
pub(super) fn record_stop(
    sql: &mut dyn Sql,
    run: &str,
    (by, token): (&str, &str),
    now: Time,
) -> Result<(), SqlError> {
    let entry = DecisionEntry {
        run,
        reviewer: by,
        kind: STOP,
        body: Body::default(),
        since: 0,
        pending: None,
        token,
    };
    record(sql, &entry, now).map(drop)
}

/// How many reviewers agree at most, and how many decided.
fn votes(sql: &mut dyn Sql, run: &str, since: i64) -> Result<(usize, usize), SqlError> {
    let rows = sql.rows(
        "SELECT reviewer, kind, body FROM decisions WHERE run = $1 AND since = $2 ORDER BY number",
        &[run.into(), since.into()],
    )?;
    let mut latest: BTreeMap<String, Option<(String, String)>> = BTreeMap::new();
    for row in &rows {
        let kind = row.text(1)?;
        let words = serde_json::from_str::<Body>(&row.text(2)?)
            .map_err(|error| SqlError::Other(error.to_string()))?
            .words;
        let said = (kind != Verb::CannotDecide.name()).then_some((kind, words));
        latest.insert(row.text(0)?, said);
    }
    let mut counts: BTreeMap<&(String, String), usize> = BTreeMap::new();
    for said in latest.values().flatten() {
        *counts.entry(said).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or_default();
    Ok((most, latest.values().flatten().count()))
}

/// Stores the decision as an input of the run and puts it back into the queue.
fn resume(sql: &mut dyn Sql, decision: &NewDecision, now: Time) -> Result<(), SqlError> {
    let (by, words) = (decision.reviewer.clone(), decision.words.clone());
    let made = match decision.verb {
        Verb::Approve => Decision::Accept { by },
        Verb::ApproveWithEdits => Decision::Edit { by, content: words },
        Verb::Instruct => Decision::Retry {
            by,
            instruction: words,
        },
        Verb::Reject => Decision::Reject { by },
        Verb::CannotDecide => Decision::Undecided { by },
    };
    let input = Input {
        at: now,
        what: InputKind::Decision(made),
    };
    let run: Value = (&decision.run).into();
    stepping_in::take_pending(sql, &decision.run, now)?;
    let row = sql.row(
        "UPDATE runs SET state = 'queued', inputs = inputs + 1, updated = $1, wake_at = $1 \
         WHERE id = $2 AND state = 'waiting' RETURNING inputs",
        &[millis(now).into(), run.clone()],
    )?;
    let Some(row) = row else {
        return Err(SqlError::Other("a review without a waiting run".to_owned()));
    };
    put_input(sql, &decision.run, row.int(0)?, &input)?;
    sql.run("DELETE FROM reviews WHERE run = $1", &[run])?;
    Ok(())
}

/// Has every webhook of the run's tenant called.
pub(super) fn announce(
    sql: &mut dyn Sql,
    run: &str,
    what: &str,
    now: Time,
) -> Result<(), SqlError> {
    let hooks = sql.rows(
        "SELECT webhooks.id, runs.tenant, runs.status, runs.state FROM webhooks \
         JOIN runs ON runs.tenant = webhooks.tenant WHERE runs.id = $1",
        &[run.into()],
    )?;
    for hook in hooks {
        let id = hex::random(12).map_err(|error| SqlError::Other(error.to_string()))?;
        let body = json!({
            "id": id,
            "event": format!("run.{what}"),
            "run": run,
            "state": hook.text(3)?,
            "status": hook.text_or_null(2)?,
            "at": now,
        });
        sql.run(
            "INSERT INTO deliveries (id, webhook, run, body, attempts, due) VALUES ($1, $2, $3, $4, 0, $5)",
            &[
                id.into(),
                hook.text(0)?.into(),
                run.into(),
                body.to_string().into(),
                millis(now).into(),
            ],
        )?;
    }
    Ok(())
}
