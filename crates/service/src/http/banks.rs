//! Banks: what became of their items, and the bank put together again.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::App;
use super::body::{Params, json};
use super::problem::Problem;
use crate::store::{Bank, Caller, RunState};
use crate::workshop::{Assembled, TakenItems};

/// A bank, and how far its items are.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct BankInfo {
    batch: String,
    /// The name of the file.
    name: String,
    /// SHA-256 of its bytes.
    document: String,
    /// Milliseconds since 1970.
    created: i64,
    submitted_by: String,
    /// How many items it has.
    items: i64,
    /// Whether all of them are done, so that `document` and `receipts` are there.
    is_done: bool,
    /// How many items are in each state.
    states: BTreeMap<String, i64>,
}

pub(super) async fn read(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(batch): Path<String>,
) -> Result<Response, Problem> {
    let bank = of_caller(&app, &caller, &batch).await?;
    json(&BankInfo {
        items: bank.states.iter().map(|(_, number)| number).sum(),
        is_done: is_done(&bank),
        batch,
        name: bank.name,
        document: bank.document,
        created: bank.created,
        submitted_by: bank.submitted_by,
        states: bank.states.into_iter().collect(),
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BankQuery {
    #[serde(default)]
    items: TakenItems,
}

pub(super) async fn document(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(batch): Path<String>,
    Params(query): Params<BankQuery>,
) -> Result<Response, Problem> {
    let assembled = assembled(&app, &caller, &batch, query.items).await?;
    let kind = [(header::CONTENT_TYPE, "application/octet-stream")];
    Ok((kind, assembled.content).into_response())
}

pub(super) async fn receipts(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(batch): Path<String>,
    Params(query): Params<BankQuery>,
) -> Result<Response, Problem> {
    let assembled = assembled(&app, &caller, &batch, query.items).await?;
    json(&assembled.report)
}

async fn assembled(
    app: &App,
    caller: &Caller,
    batch: &str,
    taken: TakenItems,
) -> Result<Assembled, Problem> {
    let bank = of_caller(app, caller, batch).await?;
    if !is_done(&bank) {
        let states: Vec<String> = bank
            .states
            .iter()
            .map(|(state, number)| format!("{number} {state}"))
            .collect();
        return Err(Problem::conflict(format!(
            "not all items are done: {}; GET /v1/runs?batch={batch} lists them",
            states.join(", ")
        )));
    }
    let hash = std::slice::from_ref(&bank.document);
    let mut blobs = app.store().blobs(&caller.tenant, hash).await?;
    let Some(bytes) = blobs.remove(&bank.document) else {
        return Err(Problem::internal(&"a bank is missing"));
    };
    let outcomes = app.store().outcomes_of_batch(&caller.tenant, batch).await?;
    let workshop = std::sync::Arc::clone(&app.parts().workshop);
    let assembled =
        tokio::task::spawn_blocking(move || workshop.assemble(&bank.name, bytes, &outcomes, taken));
    Ok(assembled
        .await
        .map_err(|error| Problem::internal(&error))??)
}

fn is_done(bank: &Bank) -> bool {
    !bank.states.is_empty()
        && bank
            .states
            .iter()
            .all(|(state, _)| state == RunState::Done.name())
}

async fn of_caller(app: &App, caller: &Caller, batch: &str) -> Result<Bank, Problem> {
    let bank = app.store().bank(&caller.tenant, batch).await?;
    bank.ok_or_else(|| Problem::not_found("bank not found"))
}
