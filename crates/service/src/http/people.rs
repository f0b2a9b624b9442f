//! What people do to a run beside deciding: lock, unlock and skip sections, and remark on
//! passages.

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::{Json, Params, json};
use super::problem::Problem;
use super::results::{self, VersionQuery};
use super::runs::{of_caller, token};
use crate::hex;
use crate::store::{
    Caller, Comment, NewComment, NewSectionDecision, Once, RunState, SectionAction,
};
use crate::worker::now;
use crate::workshop::Section;

/// The longest remark, in characters.
const LONGEST: usize = 10_000;
/// How many remarks a run has at most.
const MOST_COMMENTS: usize = 1_000;
/// The longest passage that a comment is about, in characters.
const LONGEST_QUOTE: usize = 2_000;

/// The sections of a text.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Sections {
    /// SHA-256 of the text.
    version: String,
    /// In the order of the text; those that hold others come before them.
    sections: Vec<Section>,
}

pub(super) async fn sections(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    Params(query): Params<VersionQuery>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let bytes = results::version(&app, &info, query.or_latest()).await?;
    let version = hex::sha256(&bytes);
    let sections = sections_of(&app, &info.run, bytes).await?;
    json(&Sections { version, sections })
}

async fn sections_of(app: &App, run: &str, bytes: Vec<u8>) -> Result<Vec<Section>, Problem> {
    let stored = app.store().recorded(run).await?;
    let blobs = app.store().blobs(&stored.tenant, &stored.blobs).await?;
    let workshop = std::sync::Arc::clone(&app.parts().workshop);
    let found =
        tokio::task::spawn_blocking(move || workshop.sections(&stored.header, &blobs, bytes));
    Ok(found.await.map_err(|error| Problem::internal(&error))??)
}

/// What is to become of a section.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SectionBody {
    action: SectionAction,
    /// A remark for other people.
    #[schemars(length(max = 10_000))]
    comment: Option<String>,
}

/// What became of a reviewer's word.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct SectionResult {
    /// `queued` or `waiting`: it holds now. `running`: it holds as soon as the worker has
    /// it, within a second or two.
    state: RunState,
}

pub(super) async fn step_in(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path((run, section)): Path<(String, String)>,
    headers: HeaderMap,
    Json(body): Json<SectionBody>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    check_words("comment", body.comment.as_deref().unwrap_or_default())?;
    if info.state.is_over() {
        return Err(over(info.state));
    }
    // A section of the text as it came in may be gone from the latest, and the other way
    // round.
    for version in ["latest", "original"] {
        let bytes = results::version(&app, &info, version).await?;
        let known = sections_of(&app, &run, bytes).await?;
        if known.iter().any(|one| one.id == section) {
            break;
        }
        if version == "original" {
            return Err(Problem::invalid(
                "section: not in the text; GET /v1/runs/{run}/sections lists them",
            ));
        }
    }
    let said = NewSectionDecision {
        tenant: caller.tenant.clone(),
        run: run.clone(),
        by: caller.name.clone(),
        action: body.action,
        section,
        comment: body.comment,
        token: token(&caller, &headers)?,
    };
    match app.store().step_in(said, now()).await? {
        Once::Done(None) => Err(Problem::run_not_found(&run)),
        Once::Done(Some(state)) if state.is_over() => Err(over(state)),
        Once::Done(Some(state)) => json(&SectionResult { state }),
        Once::OtherRequest => Err(Problem::other_request()),
    }
}

fn over(state: RunState) -> Problem {
    Problem::conflict(format!("the run is already {}", state.name()))
}

/// A remark about a passage.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommentBody {
    /// Which text: as for `document`; the latest if absent.
    version: Option<String>,
    /// The first byte of the passage.
    #[schemars(range(min = 0))]
    start: usize,
    /// After its last byte; greater than `start`.
    #[schemars(range(min = 1))]
    end: usize,
    #[schemars(length(min = 1, max = 10_000))]
    text: String,
}

/// The remarks about a run.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Comments {
    /// In the order in which they were made.
    comments: Vec<Comment>,
}

pub(super) async fn comments(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    of_caller(&app, &caller, &run).await?;
    let comments = app.store().comments(&run).await?;
    json(&Comments { comments })
}

pub(super) async fn comment(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    headers: HeaderMap,
    Json(body): Json<CommentBody>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    if body.text.trim().is_empty() {
        return Err(Problem::invalid("text: missing or empty"));
    }
    check_words("text", &body.text)?;
    let version = body.version.as_deref().unwrap_or("latest");
    let bytes = results::version(&app, &info, version).await?;
    let quote = bytes
        .get(body.start..body.end)
        .filter(|quote| !quote.is_empty())
        .and_then(|quote| std::str::from_utf8(quote).ok());
    let Some(quote) = quote else {
        return Err(Problem::invalid(format!(
            "start, end: not a passage of this text, which has {} bytes; `start` comes before `end`, and both lie on character boundaries",
            bytes.len()
        )));
    };
    if quote.chars().count() > LONGEST_QUOTE || quote.contains('\0') {
        return Err(Problem::invalid(format!(
            "start, end: expected a passage of up to {LONGEST_QUOTE} characters, without a NUL"
        )));
    }
    if app.store().comments(&run).await?.len() >= MOST_COMMENTS {
        return Err(Problem::conflict(format!(
            "a run has at most {MOST_COMMENTS} comments"
        )));
    }
    let offset = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
    let new = NewComment {
        run,
        author: caller.name.clone(),
        version: hex::sha256(&bytes),
        start: offset(body.start),
        end: offset(body.end),
        quote: quote.to_owned(),
        text: body.text,
        token: token(&caller, &headers)?,
    };
    let Once::Done(comment) = app.store().add_comment(new, now()).await? else {
        return Err(Problem::other_request());
    };
    let mut response = json(&comment)?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

/// Whether words can be stored: not too long, and without a character that no database
/// takes.
pub(super) fn check_words(field: &str, words: &str) -> Result<(), Problem> {
    if words.chars().count() > LONGEST {
        return Err(Problem::invalid(format!(
            "{field}: longer than {LONGEST} characters"
        )));
    }
    if words.contains('\0') {
        return Err(Problem::invalid(format!("{field}: contains a NUL")));
    }
    Ok(())
}
