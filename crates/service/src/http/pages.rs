//! The inspector's page and what belongs to it. Whatever a browser asks for that is not an
//! asset and not below `/v1/` is the page itself, which knows its own addresses; a program
//! that mistook an address of the API is told so.
//!
//! | file | kept by browsers | policy |
//! |---|---|---|
//! | the page | asked for each time | our scripts and styles, nothing inline, nothing from elsewhere |
//! | an asset, with its hash in the name | for ever | as the page |
//! | the frame of diagrams | asked for each time | a sandbox without an origin; styles of diagrams are inline |

use std::io::Read as _;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use redraft_web::Asset;

use super::problem::Problem;

/// No script but our own, nothing inline, nothing from elsewhere.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'none'; \
    base-uri 'none'; frame-ancestors 'none'";

/// Diagrams are drawn by a library whose styles are inline. The frame has no origin, reaches
/// nothing, and nobody but our page may show it.
const FRAME_POLICY: &str = "sandbox allow-scripts; default-src 'none'; script-src 'self'; \
    style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'self'";

/// The frame of diagrams.
const FRAME: &str = "diagram.html";

/// Answers what no route of the API does.
pub(super) async fn serve(request: Request) -> Response {
    let path = request.uri().path();
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    if path == "/v1" || path.starts_with("/v1/") || !is_read {
        return Problem::not_found("no such route; see /v1/openapi.json").into_response();
    }
    let name = path.trim_start_matches('/');
    let is_file = name
        .rsplit('/')
        .next()
        .is_some_and(|last| last.contains('.'));
    let asset = match redraft_web::find(name) {
        Some(asset) => asset,
        None if is_file => {
            return Problem::not_found("no such file; the page is at /").into_response();
        }
        None if name.is_empty() || takes_html(request.headers()) => redraft_web::page(),
        None => {
            return Problem::not_found("no such route; the API is below /v1, see /v1/openapi.json")
                .into_response();
        }
    };
    answer(asset, request.headers())
}

fn takes_html(headers: &HeaderMap) -> bool {
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

fn answer(asset: &'static Asset, headers: &HeaderMap) -> Response {
    let value = |name| {
        headers
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
    };
    let tag = format!("\"{}\"", asset.hash);
    let is_known = value(header::IF_NONE_MATCH).is_some_and(|known| known == tag);
    let takes_gzip = value(header::ACCEPT_ENCODING).is_some_and(|all| all.contains("gzip"));
    let mut response = match (is_known, takes_gzip) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, true) => {
            let body = Body::from(asset.gzip);
            ([(header::CONTENT_ENCODING, "gzip")], body).into_response()
        }
        (false, false) => match unpacked(asset) {
            Ok(bytes) => Body::from(bytes).into_response(),
            Err(error) => return Problem::internal(&error).into_response(),
        },
    };
    let is_frame = asset.name == FRAME;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, asset.media),
        (
            header::CACHE_CONTROL,
            if asset.is_hashed {
                "public, max-age=31536000, immutable"
            } else {
                "no-cache"
            },
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            if is_frame { FRAME_POLICY } else { PAGE_POLICY },
        ),
        (
            header::X_FRAME_OPTIONS,
            if is_frame { "SAMEORIGIN" } else { "DENY" },
        ),
        (header::VARY, "accept-encoding"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

fn unpacked(asset: &Asset) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(asset.gzip).read_to_end(&mut bytes)?;
    Ok(bytes)
}
