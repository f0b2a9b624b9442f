//! The review queue, and what reviewers decide.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::{Json, PageQuery, Params, json, page_size};
use super::problem::Problem;
use super::runs::{no_content, of_caller, token};
use crate::store::{Caller, Decided, DecisionRow, NewDecision, Once, Review, RunState, Verb};
use crate::worker::now;

/// Some runs that wait for a reviewer.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ReviewPage {
    /// The longest waiting first.
    reviews: Vec<Review>,
    /// Give it as `cursor` to get the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// How many wait, on all pages.
    total: i64,
}

pub(super) async fn list(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    let limit = usize::from(page_size(query.limit)?);
    let most = i64::try_from(limit).unwrap_or(500) + 1;
    let after = query.cursor.as_deref().map(place).transpose()?;
    let mut reviews = app.store().reviews(&caller.tenant, after, most).await?;
    let has_more = reviews.len() > limit;
    reviews.truncate(limit);
    let next = reviews
        .last()
        .filter(|_| has_more)
        .map(|review| format!("{}.{}", review.since, review.run));
    let total = app.store().waiting(&caller.tenant).await?;
    json(&ReviewPage {
        reviews,
        next,
        total,
    })
}

/// How far reviewers agree, over all texts that two of them decided.
pub(super) async fn agreement(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Problem> {
    json(&app.store().agreement(&caller.tenant).await?)
}

/// The place in the queue after which a page begins: it stays, when the text that was there
/// is decided about.
fn place(cursor: &str) -> Result<(i64, String), Problem> {
    let place = cursor.split_once('.').and_then(|(since, run)| {
        let is_id = run.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Some((since.parse().ok()?, is_id.then(|| run.to_owned())?))
    });
    place.ok_or_else(|| Problem::malformed("cursor: use `next` of the previous page"))
}

pub(super) async fn read(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    match app.store().review(&caller.tenant, &run).await? {
        Some(review) => json(&review),
        None => Err(not_waiting(&app, &caller, &run).await),
    }
}

/// A decision about a text that was not accepted.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionBody {
    decision: Verb,
    /// With `approve_with_edits`: the whole text.
    content: Option<String>,
    /// With `instruct`: what to do.
    instruction: Option<String>,
    /// A remark for other people.
    comment: Option<String>,
    /// `since` of the review that was read: if another text waits by now, nothing is
    /// decided.
    since: Option<i64>,
}

/// What became of a decision.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct DecisionResult {
    result: Decided,
}

pub(super) async fn decide(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    headers: HeaderMap,
    Json(body): Json<DecisionBody>,
) -> Result<Response, Problem> {
    let words = match (body.decision, body.content, body.instruction) {
        (Verb::ApproveWithEdits, Some(content), None) if !content.trim().is_empty() => content,
        (Verb::ApproveWithEdits, ..) => {
            return Err(Problem::invalid("content: expected the whole edited text"));
        }
        (Verb::Instruct, None, Some(words)) if !words.trim().is_empty() => words,
        (Verb::Instruct, ..) => {
            return Err(Problem::invalid("instruction: expected what to do"));
        }
        (_, None, None) => String::new(),
        _ => {
            return Err(Problem::invalid(
                "content belongs to `approve_with_edits`, instruction to `instruct`",
            ));
        }
    };
    let review = app.store().review(&caller.tenant, &run).await?;
    if let Some(review) = &review {
        check_possible(body.decision, review)?;
    }
    let settings = app.store().settings(&caller.tenant).await?;
    let decision = NewDecision {
        tenant: caller.tenant.clone(),
        run: run.clone(),
        reviewer: caller.name.clone(),
        verb: body.decision,
        words,
        comment: body.comment,
        // The text that was looked at just now.
        since: body.since.or(review.map(|review| review.since)),
        needed: settings.reviewers_needed(),
        token: token(&caller, &headers)?,
    };
    match app.store().decide(decision, now()).await? {
        Once::Done(Some(result)) => {
            app.parts().wake.notify_one();
            json(&DecisionResult { result })
        }
        Once::Done(None) => Err(not_waiting(&app, &caller, &run).await),
        Once::OtherRequest => Err(Problem::other_request()),
    }
}

/// Whether a text can be decided about in this way: the run would not follow it, and end.
fn check_possible(decision: Verb, review: &Review) -> Result<(), Problem> {
    let (why, instead) = match decision {
        Verb::Approve => (
            &review.cannot_approve,
            "approve it with edits, instruct another round, or reject it",
        ),
        Verb::ApproveWithEdits | Verb::Instruct => (&review.cannot_change, "approve or reject it"),
        Verb::Reject | Verb::CannotDecide => return Ok(()),
    };
    match why {
        None => Ok(()),
        Some(why) => Err(Problem::conflict(format!(
            "this is not possible: {why}; {instead}"
        ))),
    }
}

/// Who shall look at it.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssigneeBody {
    /// The name of a key; null to take it back.
    assignee: Option<String>,
}

pub(super) async fn assign(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    Json(body): Json<AssigneeBody>,
) -> Result<Response, Problem> {
    let to = body.assignee.as_deref();
    if to.is_some_and(|name| name.is_empty() || name.len() > 64 || name.contains(char::is_control))
    {
        return Err(Problem::invalid(
            "assignee: expected a name of up to 64 characters",
        ));
    }
    // Another tenant's run is not found, whoever is named.
    of_caller(&app, &caller, &run).await?;
    if let Some(name) = to
        && app.store().has_keys().await?
        && !app
            .store()
            .reviewers(&caller.tenant)
            .await?
            .iter()
            .any(|one| one == name)
    {
        return Err(Problem::invalid(
            "assignee: no key of this tenant with the scope `review` has that name",
        ));
    }
    if app.store().assign(&caller.tenant, &run, to).await? {
        Ok(no_content())
    } else {
        Err(not_waiting(&app, &caller, &run).await)
    }
}

/// The decisions about a run, in order.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Decisions {
    decisions: Vec<DecisionRow>,
}

pub(super) async fn decisions(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    of_caller(&app, &caller, &run).await?;
    let decisions = app.store().decisions(&run).await?;
    json(&Decisions { decisions })
}

async fn not_waiting(app: &App, caller: &Caller, run: &str) -> Problem {
    match of_caller(app, caller, run).await {
        Ok(info) if info.state == RunState::Waiting => {
            Problem::conflict("a different text is waiting now; fetch the review again")
        }
        Ok(info) => Problem::conflict(format!(
            "the run is {} and is not waiting for a decision",
            info.state.name()
        )),
        Err(problem) => problem,
    }
}
