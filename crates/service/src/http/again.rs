//! Submitting the document of a run once more, with everything that came with it: under the
//! policy, rubric and models that it was recorded with.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::App;
use super::body::json;
use super::problem::Problem;
use super::runs::{Submitted, of_caller};
use crate::hex;
use crate::store::{Blob, Caller, Created, NewRun, new_id};
use crate::worker::now;

pub(super) async fn again(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let stored = app.store().recorded(&info.run).await?;
    let mut blobs = app.store().blobs(&stored.tenant, &stored.blobs).await?;
    let document = blobs.remove(&stored.document);
    let document = document.ok_or_else(|| Problem::internal(&"a document is missing"))?;
    let at = now();
    let id = new_id(at)?;
    let mut header = stored.header;
    header.run.clone_from(&id);
    header.started = at;
    let copy = NewRun {
        order_hash: hex::sha256(format!("{run} again as {id}").as_bytes()),
        tenant: caller.tenant.clone(),
        goal: info.goal,
        profile: info.profile,
        mode: info.mode,
        name: info.name,
        batch: info.batch,
        priority: info.priority,
        header,
        document: Blob::of(&document),
        companions: blobs.values().map(|bytes| Blob::of(bytes)).collect(),
        submitted_by: caller.name.clone(),
        idempotency: None,
        id,
    };
    let created = app.store().create(vec![copy], at).await?;
    let Some(Created::New(run)) = created.into_iter().next() else {
        return Err(Problem::internal(&"a new run was there already"));
    };
    app.parts().wake.notify_one();
    let url = format!("/v1/runs/{run}");
    let mut response = json(&Submitted { run, url })?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}
