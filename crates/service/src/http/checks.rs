//! The free checks, and their pages.

use axum::extract::{Path, State};
use axum::response::Response;
use redraft_profiles::registry;
use redraft_report::explain;
use schemars::JsonSchema;
use serde::Serialize;

use super::App;
use super::body::{Json, json, json_text};
use super::problem::Problem;
use super::runs::check_priority;
use crate::workshop::Order;

/// A check, and what it looks for.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct CheckInfo {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    summary: &'static str,
    /// Its page, as Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

/// All checks.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct CheckList {
    checks: Vec<CheckInfo>,
}

pub(super) async fn check(
    State(app): State<App>,
    Json(order): Json<Order>,
) -> Result<Response, Problem> {
    check_priority(&order)?;
    let workshop = std::sync::Arc::clone(&app.parts().workshop);
    let checked = tokio::task::spawn_blocking(move || workshop.check(&order)).await;
    let report = checked.map_err(|error| Problem::internal(&error))??;
    Ok(json_text(report.to_string()))
}

pub(super) async fn list() -> Result<Response, Problem> {
    let checks = registry::all_checks().iter().map(|check| CheckInfo {
        code: check.code,
        name: check.name,
        severity: check.severity.name(),
        summary: check.summary,
        page: None,
    });
    json(&CheckList {
        checks: checks.collect(),
    })
}

pub(super) async fn read(Path(code): Path<String>) -> Result<Response, Problem> {
    let Some(check) = registry::find_check(&code) else {
        return Err(Problem::not_found(
            "unknown check; GET /v1/checks lists them",
        ));
    };
    json(&CheckInfo {
        code: check.code,
        name: check.name,
        severity: check.severity.name(),
        summary: check.summary,
        page: Some(explain::check_page(check)),
    })
}
