//! Reading requests: JSON bodies, JSON lines and queries, with problems that name the
//! place.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::App;
use super::problem::Problem;

/// A body of JSON.
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        expect(request.headers(), &["application/json"])?;
        let bytes = read(request, app).await?;
        parse(&bytes).map(Self)
    }
}

/// A body of JSON lines.
pub(super) struct JsonLines(pub(super) Bytes);

impl FromRequest<App> for JsonLines {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        expect(
            request.headers(),
            &["application/x-ndjson", "application/jsonl"],
        )?;
        Ok(Self(read(request, app).await?))
    }
}

/// The query of a request.
pub(super) struct Params<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<App> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _app: &App) -> Result<Self, Problem> {
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(query)) => Ok(Self(query)),
            Err(error) => Err(Problem::malformed(format!("query: {}", error.body_text()))),
        }
    }
}

/// Reads a JSON object. Of a list serde would take the fields by their order.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(Problem::invalid("expected a JSON object, found a list"));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        if error.is_data() {
            Problem::invalid(error.to_string())
        } else {
            Problem::malformed(format!("invalid JSON: {error}"))
        }
    })
}

/// Which page of a list is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageQuery {
    pub(super) cursor: Option<String>,
    pub(super) limit: Option<u16>,
}

/// How many entries a page has: 50 unless the query says so.
pub(super) fn page_size(limit: Option<u16>) -> Result<u16, Problem> {
    match limit {
        None => Ok(50),
        Some(limit @ 1..=500) => Ok(limit),
        Some(_) => Err(Problem::malformed("limit: expected 1 to 500")),
    }
}

/// An answer of JSON.
pub(super) fn json(value: &impl Serialize) -> Result<Response, Problem> {
    match serde_json::to_string(value) {
        Ok(text) => Ok(json_text(text)),
        Err(error) => Err(Problem::internal(&error)),
    }
}

pub(super) fn json_text(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

fn expect(headers: &HeaderMap, types: &[&str]) -> Result<(), Problem> {
    let found = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .map(|value| value.trim().to_ascii_lowercase());
    if found.is_some_and(|found| types.contains(&found.as_str())) {
        Ok(())
    } else {
        Err(Problem::unsupported(types[0]))
    }
}

async fn read(request: Request, app: &App) -> Result<Bytes, Problem> {
    let most = app.parts().limits.body;
    axum::body::to_bytes(request.into_body(), most)
        .await
        .map_err(|error| match is_too_long(&error) {
            true => Problem::too_large(most),
            false => Problem::malformed("the body is incomplete or does not match its headers"),
        })
}

fn is_too_long(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<http_body_util::LengthLimitError>() || error.source().is_some_and(is_too_long)
}
