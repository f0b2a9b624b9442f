//! Submitting, reading, listing and cancelling runs.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::{Json, JsonLines, Params, json, page_size, parse};
use super::problem::Problem;
use crate::hex;
use crate::store::{
    Blob, Caller, Created, Filter, NewBank, NewRun, RunInfo, RunState, Settings, new_id,
};
use crate::worker::now;
use crate::workshop::Order;

/// How many documents may be submitted at once.
const MOST_ORDERS: usize = 1_000;

/// A run that was submitted.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Submitted {
    /// The id of the run.
    pub(super) run: String,
    /// Its address.
    pub(super) url: String,
}

/// What became of each line of a batch.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Batch {
    /// Lists the runs: `GET /v1/runs?batch=…`.
    pub(super) batch: String,
    /// In the order of the lines.
    pub(super) runs: Vec<String>,
}

pub(super) async fn submit(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Json(order): Json<Order>,
) -> Result<Response, Problem> {
    let settings = app.store().settings(&caller.tenant).await?;
    let submission = Submission {
        order,
        key: idempotency(&headers)?,
        within: None,
    };
    let runs = prepare(&app, &caller, settings, vec![submission]).await?;
    let created = app.store().create(runs, now()).await?;
    let (status, run) = match created.into_iter().next() {
        Some(Created::New(run)) => (StatusCode::CREATED, run),
        Some(Created::Known(run)) => (StatusCode::OK, run),
        Some(Created::Conflict) | None => {
            return Err(Problem::conflict(
                "this idempotency key was used for another order; use a new one",
            ));
        }
    };
    app.parts().wake.notify_one();
    submitted(run, status)
}

/// The answer about a run that was submitted.
pub(super) fn submitted(run: String, status: StatusCode) -> Result<Response, Problem> {
    let url = format!("/v1/runs/{run}");
    let location = HeaderValue::from_str(&url).map_err(|error| Problem::internal(&error))?;
    let mut response = json(&Submitted { run, url })?;
    *response.status_mut() = status;
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}

/// Submits one order a line, all or none.
pub(super) async fn submit_many(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    JsonLines(lines): JsonLines,
) -> Result<Response, Problem> {
    let lines: Vec<(usize, &[u8])> = lines
        .split(|byte| *byte == b'\n')
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim_ascii()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let orders = lines.into_iter().map(|(number, line)| {
        let order = parse(line).map_err(|problem| problem.in_line(number));
        Ok((number, order?))
    });
    let orders = orders.collect::<Result<Vec<(usize, Order)>, Problem>>()?;
    submit_all(&app, &caller, &headers, (orders, None)).await
}

/// Submits a bank: each item gets a run of its own, all or none.
pub(super) async fn submit_bank(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Json(order): Json<Order>,
) -> Result<Response, Problem> {
    let workshop = Arc::clone(&app.parts().workshop);
    let split = blocking(move || {
        let items = workshop.items(&order)?;
        let bytes = order.bytes()?;
        Ok((items, bytes))
    });
    let (items, bytes) = split.await?;
    let items = items.into_iter().enumerate();
    let items: Vec<(usize, Order)> = items.map(|(index, order)| (index + 1, order)).collect();
    submit_all(&app, &caller, &headers, (items, Some(bytes))).await
}

async fn submit_all(
    app: &App,
    caller: &Caller,
    headers: &HeaderMap,
    (orders, bank): (Vec<(usize, Order)>, Option<Vec<u8>>),
) -> Result<Response, Problem> {
    if orders.is_empty() || orders.len() > MOST_ORDERS {
        return Err(Problem::invalid(format!(
            "expected 1 to {MOST_ORDERS} documents, found {}",
            orders.len()
        )));
    }
    let settings = app.store().settings(&caller.tenant).await?;
    let key = idempotency(headers)?;
    // The same key gives the same batch.
    let batch = match &key {
        Some(key) => {
            let hash = hex::sha256(format!("{} {key}", caller.tenant).as_bytes());
            format!("b{}", &hash[..24])
        }
        None => new_id(now())?.replacen('r', "b", 1),
    };
    // A batch with one line less or more is another one.
    let texts = orders.iter().map(|(_, order)| serde_json::to_string(order));
    let texts = texts.collect::<Result<Vec<String>, _>>();
    let texts = texts.map_err(|error| Problem::internal(&error))?;
    let bank_hash = bank.as_deref().map(hex::sha256).unwrap_or_default();
    let whole = hex::sha256(format!("{bank_hash}\n{}", texts.join("\n")).as_bytes());
    // The items are named after the bank.
    let named = orders.first().and_then(|(_, item)| item.name.clone());
    let submissions = orders.into_iter().map(|(number, order)| Submission {
        // No header holds a line break, so that no other order has this key.
        key: key.as_ref().map(|key| format!("{key}\n{number}")),
        within: Some((whole.clone(), number)),
        order,
    });
    let mut runs = prepare(app, caller, settings, submissions.collect()).await?;
    for run in &mut runs {
        run.batch = Some(batch.clone());
    }
    let bank = bank.map(|bytes| NewBank {
        batch: batch.clone(),
        tenant: caller.tenant.clone(),
        name: named.unwrap_or_default(),
        document: Blob::of(&bytes),
        submitted_by: caller.name.clone(),
    });
    let mut ids = Vec::new();
    let mut status = StatusCode::OK;
    for created in app.store().create_bank(runs, bank, now()).await? {
        match created {
            Created::New(run) => {
                status = StatusCode::CREATED;
                ids.push(run);
            }
            Created::Known(run) => ids.push(run),
            Created::Conflict => {
                return Err(Problem::conflict(
                    "this idempotency key was used for other orders; use a new one",
                ));
            }
        }
    }
    app.parts().wake.notify_one();
    let mut response = json(&Batch { batch, runs: ids })?;
    *response.status_mut() = status;
    Ok(response)
}

/// An order on its way to become a run.
pub(super) struct Submission {
    pub(super) order: Order,
    /// Its idempotency key.
    pub(super) key: Option<String>,
    /// The hash of the whole batch, and its line.
    pub(super) within: Option<(String, usize)>,
}

/// Sets runs up. Reading documents takes a while, so it holds up no other request.
pub(super) async fn prepare(
    app: &App,
    caller: &Caller,
    settings: Settings,
    submissions: Vec<Submission>,
) -> Result<Vec<NewRun>, Problem> {
    let (app, caller) = (app.clone(), caller.clone());
    let prepared = blocking(move || {
        let prepared = submissions.iter().map(|one| {
            let prepared = prepare_one(&app, &caller, &settings, one);
            match &one.within {
                Some((_, number)) => prepared.map_err(|problem| problem.in_line(*number)),
                None => prepared,
            }
        });
        prepared.collect()
    });
    prepared.await
}

/// Does something that takes a while on a thread of its own.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Problem::internal(&error))?
}

fn prepare_one(
    app: &App,
    caller: &Caller,
    settings: &Settings,
    submission: &Submission,
) -> Result<NewRun, Problem> {
    let order = &submission.order;
    check_priority(order)?;
    let at = now();
    let id = new_id(at)?;
    let workshop = &app.parts().workshop;
    let prepared = workshop.prepare(order, settings, &id, at)?;
    let mut text = serde_json::to_string(order).map_err(|error| Problem::internal(&error))?;
    if let Some((whole, _)) = &submission.within {
        text.push_str(whole);
    }
    let mode = serde_json::to_value(order.mode).map_err(|error| Problem::internal(&error))?;
    Ok(NewRun {
        id,
        tenant: caller.tenant.clone(),
        goal: order.goal.name().to_owned(),
        profile: prepared.profile,
        mode: mode.as_str().unwrap_or_default().to_owned(),
        name: prepared.name,
        batch: None,
        priority: order.priority,
        header: prepared.header,
        document: prepared.document,
        companions: prepared.companions,
        submitted_by: caller.name.clone(),
        idempotency: submission.key.clone(),
        order_hash: hex::sha256(text.as_bytes()),
        is_imported: false,
    })
}

pub(super) fn check_priority(order: &Order) -> Result<(), Problem> {
    if (-100..=100).contains(&order.priority) {
        Ok(())
    } else {
        Err(Problem::invalid("priority: expected -100 to 100"))
    }
}

pub(super) fn idempotency(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    match value.to_str() {
        Ok(key) if (1..=200).contains(&key.len()) => Ok(Some(key.to_owned())),
        _ => Err(Problem::malformed(
            "Idempotency-Key: expected 1 to 200 printable ASCII characters",
        )),
    }
}

/// The key of a request of this caller: theirs, or else one that nobody has. A commit whose
/// answer was lost is found by it.
pub(super) fn token(caller: &Caller, headers: &HeaderMap) -> Result<String, Problem> {
    let given = idempotency(headers)?.map(|key| format!("{} {key}", caller.key));
    match given {
        Some(token) => Ok(token),
        None => Ok(new_id(now())?),
    }
}

/// A run of the caller's tenant. That of another is not found, as if it did not exist.
pub(super) async fn of_caller(app: &App, caller: &Caller, run: &str) -> Result<RunInfo, Problem> {
    match app.store().run(&caller.tenant, run).await? {
        Some(info) => Ok(info),
        None => Err(Problem::run_not_found(run)),
    }
}

pub(super) async fn read(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    json(&of_caller(&app, &caller, &run).await?)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    state: Option<RunState>,
    status: Option<String>,
    profile: Option<String>,
    batch: Option<String>,
    name: Option<String>,
    cursor: Option<String>,
    limit: Option<u16>,
}

impl ListQuery {
    pub(super) fn filter(self) -> Result<Filter, Problem> {
        Ok(Filter {
            state: self.state,
            status: self.status,
            profile: self.profile,
            batch: self.batch,
            name: self.name.filter(|name| !name.is_empty()),
            before: self.cursor,
            limit: i64::from(page_size(self.limit)?),
        })
    }
}

pub(super) async fn list(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Params(query): Params<ListQuery>,
) -> Result<Response, Problem> {
    let filter = query.filter()?;
    json(&app.store().list(&caller.tenant, &filter).await?)
}

pub(super) async fn cancel(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    let state = app
        .store()
        .cancel(&caller.tenant, &run, &caller.name, now());
    match state.await? {
        None => Err(Problem::run_not_found(&run)),
        Some(RunState::Cancelled) => json(&of_caller(&app, &caller, &run).await?),
        Some(state) => Err(Problem::conflict(format!(
            "the run is already {}",
            state.name()
        ))),
    }
}

pub(super) async fn stop(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    let state = app.store().stop(&caller.tenant, &run, &caller.name, now());
    match state.await? {
        None => Err(Problem::run_not_found(&run)),
        Some(state) if state.is_over() => Err(Problem::conflict(format!(
            "the run is already {}",
            state.name()
        ))),
        Some(_) => {
            app.parts().wake.notify_one();
            json(&of_caller(&app, &caller, &run).await?)
        }
    }
}

/// An empty answer.
pub(super) fn no_content() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
