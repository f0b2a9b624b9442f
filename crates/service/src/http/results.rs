//! What a run came to: outcome, text, differences, receipts.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use redraft_engine::replay::{self, Replayed};
use redraft_report::seeds::{Seed, SeedContext};
use redraft_run::bytes_json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json as object};

use super::App;
use super::body::{Params, json, json_text};
use super::problem::Problem;
use super::runs::of_caller;
use crate::store::{Caller, RunInfo, RunState};

/// The key that signs outcomes.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct SigningKey {
    algorithm: &'static str,
    /// In hexadecimal, for `redraft verify --key`.
    key: String,
}

pub(super) async fn signing_key(State(app): State<App>) -> Result<Response, Problem> {
    json(&SigningKey {
        algorithm: "ed25519",
        key: app.parts().signer.public(),
    })
}

pub(super) async fn outcome(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    Ok(json_text(outcome_text(&app, &info).await?))
}

pub(super) async fn attestation(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let outcome = outcome_text(&app, &info).await?;
    if app.store().is_imported(&info.run).await? {
        return Err(Problem::conflict(
            "the run was imported; the service signs only its own runs",
        ));
    }
    let outcome = with_original(&app, &info, outcome).await?;
    json(&app.parts().signer.sign(outcome.as_bytes()))
}

/// The outcome of a run that changed nothing has no receipts, and so no whole hash of the text
/// that it is about: a signature would be about any text that begins with the same digits.
async fn with_original(app: &App, info: &RunInfo, outcome: String) -> Result<String, Problem> {
    let mut value: Value =
        serde_json::from_str(&outcome).map_err(|error| Problem::internal(&error))?;
    if value.get("receipts").is_some() {
        return Ok(outcome);
    }
    let stored = app.store().recorded(&info.run).await?;
    value["original"] = object!({"sha256": stored.document});
    Ok(value.to_string())
}

pub(super) async fn receipts(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let outcome = outcome_value(&app, &info).await?;
    match outcome.get("receipts") {
        Some(receipts) => json(receipts),
        None => Err(Problem::not_found(
            "the run changed nothing, so it has no receipts",
        )),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VersionQuery {
    /// `original`, `final`, `latest`, or the number of a round.
    version: Option<String>,
}

impl VersionQuery {
    pub(super) fn or_latest(&self) -> &str {
        self.version.as_deref().unwrap_or("latest")
    }
}

pub(super) async fn document(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    Params(query): Params<VersionQuery>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let wanted = query.version.as_deref().unwrap_or("final");
    let bytes = version(&app, &info, wanted).await?;
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response())
}

/// A text of a run by its name.
pub(super) async fn version(app: &App, info: &RunInfo, name: &str) -> Result<Vec<u8>, Problem> {
    match name {
        "final" => final_text(app, info).await,
        "original" | "0" => original(app, info).await,
        "latest" => latest(app, info).await,
        round => match round.parse() {
            Ok(round) => after_round(app, info, round).await,
            Err(_) => Err(Problem::malformed(
                "version: expected `original`, `final`, `latest` or the number of a round",
            )),
        },
    }
}

/// The text as far as it is known: the result, the one that waits for a reviewer, the one
/// after the last round of repair, or the original.
async fn latest(app: &App, info: &RunInfo) -> Result<Vec<u8>, Problem> {
    if info.state == RunState::Done {
        return final_text(app, info).await;
    }
    if let Some(waiting) = app.store().text_in_review(&info.run).await? {
        return Ok(waiting);
    }
    match app.store().last_round(&info.run).await? {
        Some(round) => after_round(app, info, round).await,
        None => original(app, info).await,
    }
}

/// The text after a round of repair, by replaying the record.
async fn after_round(app: &App, info: &RunInfo, round: u32) -> Result<Vec<u8>, Problem> {
    let stored = app.store().recorded(&info.run).await?;
    let blobs = app.store().blobs(&stored.tenant, &stored.blobs).await?;
    let workshop = std::sync::Arc::clone(&app.parts().workshop);
    let replayed = tokio::task::spawn_blocking(move || {
        let run = workshop.machine(&stored.header, &blobs)?;
        replay::text_after(run, &stored.recorded, round).map_err(|error| Problem::internal(&error))
    });
    let text = replayed
        .await
        .map_err(|error| Problem::internal(&error))??;
    text.ok_or_else(|| Problem::not_found(format!("the run has no round {round} of repair")))
}

/// What changed, as a unified diff.
pub(super) async fn diff(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let before = original(&app, &info).await?;
    let after = final_text(&app, &info).await?;
    let (before, after) = (
        String::from_utf8_lossy(&before),
        String::from_utf8_lossy(&after),
    );
    let text = similar::TextDiff::from_lines(&*before, &*after)
        .unified_diff()
        .header(&format!("a/{}", info.name), &format!("b/{}", info.name))
        .to_string();
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// The outcome in the shapes of the seeds, by replaying the record.
pub(super) async fn seed(app: &App, info: &RunInfo) -> Result<Value, Problem> {
    let stored = app.store().recorded(&info.run).await?;
    let blobs = app.store().blobs(&stored.tenant, &stored.blobs).await?;
    let workshop = std::sync::Arc::clone(&app.parts().workshop);
    let replayed = tokio::task::spawn_blocking(move || {
        let run = workshop.machine(&stored.header, &blobs)?;
        let context = SeedContext::of(run.setup());
        let (replayed, _) =
            replay::replay(run, &stored.recorded).map_err(|error| Problem::internal(&error))?;
        let Replayed::Outcome(outcome) = replayed else {
            return Err(Problem::conflict("the run has no outcome yet"));
        };
        serde_json::to_value(Seed::of(&outcome, &context))
            .map_err(|error| Problem::internal(&error))
    });
    replayed.await.map_err(|error| Problem::internal(&error))?
}

/// The outcome in the field names of the seeds.
pub(super) async fn in_seed_shape(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    // The same words as for the outcome.
    outcome_text(&app, &info).await?;
    json(&seed(&app, &info).await?)
}

async fn original(app: &App, info: &RunInfo) -> Result<Vec<u8>, Problem> {
    let stored = app.store().recorded(&info.run).await?;
    let hash = std::slice::from_ref(&stored.document);
    let mut blobs = app.store().blobs(&stored.tenant, hash).await?;
    let bytes = blobs.remove(&stored.document);
    bytes.ok_or_else(|| Problem::internal(&"a document is missing"))
}

async fn final_text(app: &App, info: &RunInfo) -> Result<Vec<u8>, Problem> {
    let outcome = outcome_value(app, info).await?;
    match outcome.get("final_content") {
        Some(content) => {
            bytes_json::deserialize(content).map_err(|error| Problem::internal(&error))
        }
        None => original(app, info).await,
    }
}

async fn outcome_value(app: &App, info: &RunInfo) -> Result<Value, Problem> {
    let text = outcome_text(app, info).await?;
    serde_json::from_str(&text).map_err(|error| Problem::internal(&error))
}

async fn outcome_text(app: &App, info: &RunInfo) -> Result<String, Problem> {
    if info.state != RunState::Done {
        return Err(Problem::conflict(match info.state {
            RunState::Failed | RunState::Cancelled => {
                format!("the run is {}; it has no outcome", info.state.name())
            }
            RunState::Waiting => {
                "the run is waiting for a reviewer; the text so far is at `document?version=latest`"
                    .to_owned()
            }
            state => format!(
                "the run is {}; follow its events until `run_complete`",
                state.name()
            ),
        }));
    }
    match app.store().outcome(&info.run).await? {
        Some(outcome) => Ok(outcome),
        None => Err(Problem::internal(&"a run that is done has no outcome")),
    }
}
