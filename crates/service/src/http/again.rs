//! Submitting the document of a run once more, with everything that came with it: under the
//! policy, rubric and models that it was recorded with, and within today's limits.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::App;
use super::problem::Problem;
use super::runs::{blocking, idempotency, of_caller, submitted};
use crate::hex;
use crate::store::{Caller, Created, NewRun, new_id};
use crate::worker::now;

pub(super) async fn again(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let key = idempotency(&headers)?;
    let settings = app.store().settings(&caller.tenant).await?;
    let stored = app.store().recorded(&info.run).await?;
    let blobs = app.store().blobs(&stored.tenant, &stored.blobs).await?;
    let at = now();
    let id = new_id(at)?;
    let (workshop, of) = (Arc::clone(&app.parts().workshop), id.clone());
    let prepared = blocking(move || {
        Ok(workshop.prepare_again(&stored.header, &blobs, &settings, (&of, at))?)
    });
    let prepared = prepared.await?;
    let copy = NewRun {
        order_hash: hex::sha256(format!("{run} again").as_bytes()),
        tenant: caller.tenant.clone(),
        goal: info.goal,
        profile: info.profile,
        mode: info.mode,
        name: info.name,
        batch: info.batch,
        priority: info.priority,
        header: prepared.header,
        document: prepared.document,
        companions: prepared.companions,
        submitted_by: caller.name.clone(),
        idempotency: key.map(|key| format!("again\n{key}")),
        is_imported: false,
        id,
    };
    let created = app.store().create(vec![copy], at).await?;
    app.parts().wake.notify_one();
    match created.into_iter().next() {
        Some(Created::New(run)) => submitted(run, StatusCode::CREATED),
        Some(Created::Known(run)) => submitted(run, StatusCode::OK),
        Some(Created::Conflict) | None => Err(Problem::other_request()),
    }
}
