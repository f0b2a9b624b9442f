//! Errors as problem details (RFC 9457).

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::log;
use crate::sql::SqlError;
use crate::store::StoreError;
use crate::workshop::Rejection;

/// What went wrong, as the body of an answer.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "Problem")]
pub(crate) struct Problem {
    /// A URN that names the kind of problem.
    #[serde(rename = "type")]
    kind: String,
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What is wrong with this request, and what to do.
    detail: String,
    #[serde(skip)]
    retry_after: Option<u32>,
}

impl Problem {
    fn new(status: StatusCode, kind: &str, title: &'static str, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("urn:redraft:problem:{kind}"),
            title,
            status: status.as_u16(),
            detail: detail.into(),
            retry_after: None,
        }
    }

    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "invalid",
            "Invalid request",
            detail,
        )
    }

    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "malformed",
            "Malformed request",
            detail,
        )
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", detail)
    }

    pub(crate) fn run_not_found(run: &str) -> Self {
        let run: String = run.chars().take(60).collect();
        Self::not_found(format!("run `{run}` not found"))
    }

    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", "Conflict", detail)
    }

    pub(crate) fn other_request() -> Self {
        Self::conflict("this idempotency key was used for another request; use a new one")
    }

    pub(crate) fn unauthorised(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "unauthorised",
            "Unauthorised",
            detail,
        )
    }

    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "Forbidden", detail)
    }

    pub(crate) fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method-not-allowed",
            "Method not allowed",
            "the route does not have this method; see /v1/openapi.json",
        )
    }

    pub(crate) fn too_large(most: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            "Request too large",
            format!("a request may have at most {most} bytes; send fewer documents at once"),
        )
    }

    pub(crate) fn unsupported(expected: &str) -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported-media-type",
            "Unsupported media type",
            format!("send the body as {expected}, with a matching Content-Type"),
        )
    }

    pub(crate) fn too_many() -> Self {
        let mut problem = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests",
            "Too many requests",
            "this key sends too many requests; wait a second and try again",
        );
        problem.retry_after = Some(1);
        problem
    }

    pub(crate) fn too_many_at_once(most: usize) -> Self {
        let mut problem = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-at-once",
            "Too many requests at once",
            format!("this tenant already has {most} requests in progress, the maximum; try again"),
        );
        problem.retry_after = Some(1);
        problem
    }

    pub(crate) fn too_many_streams(most: usize) -> Self {
        let mut problem = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-streams",
            "Too many streams",
            format!(
                "this tenant already has {most} event streams open, the maximum; close one, or ask with `Accept: application/json`"
            ),
        );
        problem.retry_after = Some(15);
        problem
    }

    pub(crate) fn unavailable(detail: impl Into<String>) -> Self {
        let mut problem = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "Not available",
            detail,
        );
        problem.retry_after = Some(1);
        problem
    }

    pub(crate) fn not_configured(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "not-configured",
            "Not configured",
            detail,
        )
    }

    /// The same about a line of the body.
    pub(crate) fn in_line(mut self, number: usize) -> Self {
        self.detail = format!("line {number}: {}", self.detail);
        self
    }

    /// An internal error; what happened is in the log only.
    pub(crate) fn internal(error: &dyn std::fmt::Display) -> Self {
        log::line("internal_error", json!({"error": error.to_string()}));
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Internal error",
            "internal error; the log of the service has the details",
        )
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Sql(SqlError::Unavailable(_)) => {
                Self::unavailable("the database is not available; try again")
            }
            StoreError::Sql(SqlError::Full(_)) => {
                Self::unavailable("the disk of the database is full; tell the operator")
            }
            StoreError::Sql(SqlError::Missing(_)) => {
                Self::conflict("the run or the tenant was erased in the meantime")
            }
            StoreError::Refused(why) => Self::invalid(why),
            other => Self::internal(&other),
        }
    }
}

impl From<Rejection> for Problem {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Invalid(why) => Self::invalid(why),
            Rejection::NotConfigured(why) => Self::not_configured(why),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_string(&self).unwrap_or_default();
        let mut response = (
            status,
            [(header::CONTENT_TYPE, "application/problem+json")],
            body,
        )
            .into_response();
        if let Some(seconds) = self.retry_after {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            let headers = response.headers_mut();
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
