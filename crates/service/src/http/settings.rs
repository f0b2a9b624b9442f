//! What a tenant sets for itself: settings and webhooks.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::{Json, json};
use super::problem::Problem;
use super::runs::no_content;
use crate::store::{Caller, KeyInfo, Settings};
use crate::webhooks::Webhook;
use crate::worker::now;

pub(super) async fn read(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Problem> {
    json(&app.store().settings(&caller.tenant).await?)
}

pub(super) async fn write(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Json(settings): Json<Settings>,
) -> Result<Response, Problem> {
    check(&app, &settings)?;
    app.store().set_settings(&caller.tenant, &settings).await?;
    json(&settings)
}

/// Whether runs can use these settings: what none could use is rejected here, not with every
/// run.
pub(super) fn check(app: &App, settings: &Settings) -> Result<(), Problem> {
    if settings
        .reviewers
        .is_some_and(|number| !(1..=2).contains(&number))
    {
        return Err(Problem::invalid("reviewers: expected 1 or 2"));
    }
    Ok(app.parts().workshop.check_settings(settings)?)
}

/// The keys of a tenant.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct KeyList {
    keys: Vec<KeyInfo>,
}

pub(super) async fn keys(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Problem> {
    let mut keys = app.store().keys().await?;
    keys.retain(|key| key.tenant == caller.tenant);
    json(&KeyList { keys })
}

/// A webhook to be called when a run is completed, escalated or failed.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WebhookBody {
    /// With https, at a host that the operator allowed.
    url: String,
}

/// The webhooks of a tenant.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct WebhookList {
    webhooks: Vec<Webhook>,
}

pub(super) async fn webhooks(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Problem> {
    let webhooks = app.store().webhooks(&caller.tenant).await?;
    json(&WebhookList { webhooks })
}

pub(super) async fn add_webhook(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Json(body): Json<WebhookBody>,
) -> Result<Response, Problem> {
    const MOST: usize = 20;
    let checked = app.parts().webhooks.check(&body.url);
    let url = checked.map_err(|error| Problem::invalid(format!("url: {error}")))?;
    if app.store().webhooks(&caller.tenant).await?.len() >= MOST {
        return Err(Problem::conflict(format!(
            "a tenant has at most {MOST} webhooks; remove one"
        )));
    }
    let hook = app.store().add_webhook(&caller.tenant, &url, now()).await?;
    let mut response = json(&hook)?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

pub(super) async fn remove_webhook(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(webhook): Path<String>,
) -> Result<Response, Problem> {
    if app.store().remove_webhook(&caller.tenant, &webhook).await? {
        Ok(no_content())
    } else {
        Err(Problem::not_found("webhook not found"))
    }
}
