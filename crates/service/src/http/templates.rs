//! Accepted sets of cards, as the rows that a store of lesson templates keeps.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;

use super::App;
use super::body::{PageQuery, Params, json, json_text, page_size};
use super::problem::Problem;
use super::results;
use crate::store::{Caller, Filter};
use crate::workshop::RowForm;

const PROFILE: &str = "sqa-lesson";
const ACCEPTED: &str = "accepted";

pub(super) async fn list(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    let filter = Filter {
        status: Some(ACCEPTED.to_owned()),
        profile: Some(PROFILE.to_owned()),
        before: query.cursor,
        limit: i64::from(page_size(query.limit)?),
        ..Filter::default()
    };
    json(&app.store().list(&caller.tenant, &filter).await?)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowQuery {
    #[serde(default)]
    form: RowForm,
}

pub(super) async fn read(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    Params(query): Params<RowQuery>,
) -> Result<Response, Problem> {
    let info = app.store().run(&caller.tenant, &run).await?;
    let is_template =
        |profile: &str, status: Option<&str>| profile == PROFILE && status == Some(ACCEPTED);
    let info = info.filter(|info| is_template(&info.profile, info.status.as_deref()));
    let Some(info) = info else {
        return Err(Problem::not_found(
            "template not found; only accepted cards are templates",
        ));
    };
    let text = results::version(&app, &info, "final").await?;
    let workshop = std::sync::Arc::clone(&app.parts().workshop);
    let row = tokio::task::spawn_blocking(move || workshop.template(&text, query.form)).await;
    Ok(json_text(row.map_err(|error| Problem::internal(&error))??))
}
