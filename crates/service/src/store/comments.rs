//! Remarks of people about passages of a run's texts.

use redraft_run::ask::Time;
use schemars::JsonSchema;
use serde::Serialize;

use super::access::millis;
use super::{Once, Store, StoreError};
use crate::sql::{Row, SqlError, Value};

/// A remark to be stored.
#[derive(Clone, Debug)]
pub struct NewComment {
    pub run: String,
    pub author: String,
    /// The hash of the text that the span was measured in.
    pub version: String,
    pub start: i64,
    pub end: i64,
    pub quote: String,
    pub text: String,
    /// The key of the request: one that comes again adds nothing.
    pub token: String,
}

/// A remark, with who and when.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Comment {
    pub number: i64,
    /// The name of the key.
    pub by: String,
    /// Milliseconds since 1970.
    pub at: i64,
    /// SHA-256 of the text that the span was measured in.
    pub version: String,
    /// The first byte of the passage.
    pub start: i64,
    /// After its last byte.
    pub end: i64,
    /// The passage as it was.
    pub quote: String,
    pub text: String,
}

const FIELDS: &str = "number, author, made, version, span_start, span_end, quote, body";

impl Store {
    /// Adds a remark, or finds the one that the same request added before.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add_comment(
        &self,
        new: NewComment,
        now: Time,
    ) -> Result<Once<Comment>, StoreError> {
        let added = self.database.write(move |sql| {
            let run: Value = (&new.run).into();
            // Locks the run, so that no two remarks get the same number.
            sql.run(
                "UPDATE runs SET failures = failures WHERE id = $1",
                std::slice::from_ref(&run),
            )?;
            let known = sql.row(
                &format!("SELECT {FIELDS} FROM comments WHERE run = $1 AND token = $2"),
                &[run.clone(), (&new.token).into()],
            )?;
            if let Some(known) = known {
                let known = comment(&known)?;
                let is_same = (&known.by, &known.text, known.start, known.end)
                    == (&new.author, &new.text, new.start, new.end);
                return Ok(if is_same {
                    Once::Done(known)
                } else {
                    Once::OtherRequest
                });
            }
            let row = sql.row(
                "SELECT COUNT(*) FROM comments WHERE run = $1",
                std::slice::from_ref(&run),
            )?;
            let number = row.map_or(Ok(0), |row| row.int(0))? + 1;
            sql.run(
                "INSERT INTO comments (run, number, author, made, version, span_start, span_end, quote, body, token) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                &[
                    run,
                    number.into(),
                    (&new.author).into(),
                    millis(now).into(),
                    (&new.version).into(),
                    new.start.into(),
                    new.end.into(),
                    (&new.quote).into(),
                    (&new.text).into(),
                    (&new.token).into(),
                ],
            )?;
            Ok(Once::Done(Comment {
                number,
                by: new.author.clone(),
                at: millis(now),
                version: new.version.clone(),
                start: new.start,
                end: new.end,
                quote: new.quote.clone(),
                text: new.text.clone(),
            }))
        });
        Ok(added.await?)
    }

    /// The remarks about a run, in order.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn comments(&self, run: &str) -> Result<Vec<Comment>, StoreError> {
        let run: Value = run.into();
        let rows = self.database.read(move |sql| {
            sql.rows(
                &format!("SELECT {FIELDS} FROM comments WHERE run = $1 ORDER BY number"),
                std::slice::from_ref(&run),
            )
        });
        Ok(rows
            .await?
            .iter()
            .map(comment)
            .collect::<Result<_, SqlError>>()?)
    }
}

fn comment(row: &Row) -> Result<Comment, SqlError> {
    Ok(Comment {
        number: row.int(0)?,
        by: row.text(1)?,
        at: row.int(2)?,
        version: row.text(3)?,
        start: row.int(4)?,
        end: row.int(5)?,
        quote: row.text(6)?,
        text: row.text(7)?,
    })
}
