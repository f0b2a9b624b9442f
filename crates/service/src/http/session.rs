//! Signing in from a browser: an API key becomes a session in a cookie.
//!
//! A browser sends the cookie by itself, whoever made the page; so whatever changes
//! something also needs a token that only our own page can read. It follows from the
//! session's token and is stored nowhere.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use super::App;
use super::auth::{self, Identity};
use super::body::{Json, json};
use super::problem::Problem;
use super::runs::no_content;
use crate::hex;
use crate::store::{Caller, SESSION, Scope};
use crate::worker::now;

/// The header that repeats the token of the session.
pub(super) const CSRF: &str = "x-csrf-token";

/// Browsers take a cookie of this name only over TLS and only from this very host.
const SECURE_NAME: &str = "__Host-redraft";
const LOCAL_NAME: &str = "redraft";

/// An API key to sign in with.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SignIn {
    /// As `redraft admin key add` printed it.
    key: String,
}

/// Who is signed in.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct SessionInfo {
    tenant: String,
    /// The name of the key: who submitted or decided.
    name: String,
    scopes: Vec<Scope>,
    /// To be sent as `x-csrf-token` with every request that changes something; absent
    /// where none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    csrf_token: Option<String>,
    /// Milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<i64>,
}

impl SessionInfo {
    fn of(caller: Caller) -> Self {
        Self {
            tenant: caller.tenant,
            name: caller.name,
            scopes: caller.scopes,
            csrf_token: None,
            expires: None,
        }
    }
}

pub(super) async fn sign_in(
    State(app): State<App>,
    headers: HeaderMap,
    Json(body): Json<SignIn>,
) -> Result<Response, Problem> {
    auth::own_page(&headers)?;
    if let Some(caller) = auth::without_keys(&app, &headers).await? {
        return json(&SessionInfo::of(caller));
    }
    let caller = auth::of_key(&app, &body.key).await?;
    if !app.0.limiter.admits(&caller.key) {
        return Err(Problem::too_many());
    }
    let begun = app.store().begin_session(&caller, now()).await?;
    let mut response = json(&SessionInfo {
        csrf_token: Some(csrf_of(&begun.token)),
        expires: Some(begun.expires),
        ..SessionInfo::of(caller)
    })?;
    set(&mut response, &headers, &begun.token, SESSION.as_secs())?;
    Ok(response)
}

pub(super) async fn read(State(app): State<App>, headers: HeaderMap) -> Result<Response, Problem> {
    let identity = auth::identity(&app, &headers).await?;
    let (csrf_token, expires) = match identity.session {
        Some((token, expires)) => (Some(csrf_of(&token)), Some(expires)),
        None => (None, None),
    };
    json(&SessionInfo {
        csrf_token,
        expires,
        ..SessionInfo::of(identity.caller)
    })
}

pub(super) async fn sign_out(
    State(app): State<App>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let identity = auth::identity(&app, &headers).await?;
    protect(&identity, &headers)?;
    let mut response = no_content();
    if let Some((token, _)) = &identity.session {
        app.store().end_session(token).await?;
        set(&mut response, &headers, "", 0)?;
    }
    Ok(response)
}

/// Whether a request that changes something comes from our own page.
pub(super) fn protect(identity: &Identity, headers: &HeaderMap) -> Result<(), Problem> {
    let Some((token, _)) = &identity.session else {
        // A key or nothing was sent, and no browser does that by itself.
        return Ok(());
    };
    auth::own_page(headers)?;
    let sent = headers.get(CSRF).map(HeaderValue::as_bytes);
    let sent = sent.unwrap_or_default();
    if bool::from(csrf_of(token).as_bytes().ct_eq(sent)) {
        Ok(())
    } else {
        Err(Problem::forbidden(
            "send the `csrf_token` of GET /v1/session as `x-csrf-token`",
        ))
    }
}

/// The token in the cookie of a request.
pub(super) fn token(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let cookies = cookies.filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';'));
    let name = name(headers);
    pairs.find_map(|pair| {
        let (found, value) = pair.trim().split_once('=')?;
        (found == name && !value.is_empty()).then(|| value.to_owned())
    })
}

fn csrf_of(token: &str) -> String {
    hex::sha256(format!("csrf {token}").as_bytes())
}

fn name(headers: &HeaderMap) -> &'static str {
    if auth::is_plain_local(headers) {
        LOCAL_NAME
    } else {
        SECURE_NAME
    }
}

fn set(
    response: &mut Response,
    headers: &HeaderMap,
    token: &str,
    seconds: u64,
) -> Result<(), Problem> {
    let name = name(headers);
    let secure = if name == SECURE_NAME { "; Secure" } else { "" };
    let cookie =
        format!("{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    let cookie = HeaderValue::from_str(&cookie).map_err(|error| Problem::internal(&error))?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(())
}
