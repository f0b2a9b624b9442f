//! Who calls, and whether they may.
//!
//! | keys in the store | address | request | then |
//! |---|---|---|---|
//! | none | loopback | with a local `Host`, no foreign `Origin` | the tenant `default`, all scopes |
//! | none | loopback | else | 403: a web page must not reach the service through a browser |
//! | some | any | `Authorization: Bearer` with a valid key | its tenant and scopes |
//! | some | any | the cookie of a session, reading | the tenant and scopes of its key |
//! | some | any | the cookie of a session, writing | the same, from our own page with its token; else 403 |
//! | some | any | else | 401 |
//!
//! A service on another address does not start without keys.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use super::events::HEARTBEAT;
use super::limits::RequestSlot;
use super::problem::Problem;
use super::{App, limits, session};
use crate::store::{Caller, Scope};
use crate::worker::now;

/// Who may call while there are no keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody on this machine.
    Loopback,
    /// Nobody.
    Keys,
}

/// The tenant of a service without keys.
const LOCAL_TENANT: &str = "default";

/// Who calls, and by which session.
pub(super) struct Identity {
    pub(super) caller: Caller,
    /// The token and when it expires, where a browser is signed in.
    pub(super) session: Option<(String, i64)>,
}

pub(super) async fn authorise(
    State((app, scope)): State<(App, Option<Scope>)>,
    request: Request,
    next: Next,
) -> Response {
    limits::timed(scope, authorised(app, scope, request, next)).await
}

async fn authorised(app: App, scope: Option<Scope>, mut request: Request, next: Next) -> Response {
    // Those without a key share the places of one tenant, which has no name.
    let mut tenant = String::new();
    if let Some(scope) = scope {
        let method = request.method().clone();
        match permitted(&app, &method, request.headers(), scope).await {
            Ok(caller) => {
                if !app.0.limiter.admits(&caller.key) {
                    return Problem::too_many().into_response();
                }
                tenant.clone_from(&caller.tenant);
                request.extensions_mut().insert(caller);
            }
            Err(problem) => return problem.into_response(),
        }
    }
    let turn = match request.extensions().get::<RequestSlot>().cloned() {
        Some(slot) => app.0.limiter.turn_of(&tenant, &slot).await.map(Some),
        None => Ok(None),
    };
    match turn {
        Ok(turn) => {
            let response = next.run(request).await;
            drop(turn);
            response
        }
        Err(problem) if scope.is_some() => problem.into_response(),
        Err(_) => limits::no_turn().into_response(),
    }
}

async fn permitted(
    app: &App,
    method: &Method,
    headers: &HeaderMap,
    scope: Scope,
) -> Result<Caller, Problem> {
    let identity = identity(app, headers).await?;
    if !method.is_safe() {
        session::protect(&identity, headers)?;
    }
    if !identity.caller.scopes.contains(&scope) {
        return Err(Problem::forbidden(format!(
            "this key lacks the scope `{}`",
            scope.name()
        )));
    }
    Ok(identity.caller)
}

/// Who calls, whatever they may do.
pub(super) async fn identity(app: &App, headers: &HeaderMap) -> Result<Identity, Problem> {
    if let Some(caller) = without_keys(app, headers).await? {
        return Ok(Identity {
            caller,
            session: None,
        });
    }
    let key = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "));
    if let Some(key) = key {
        return Ok(Identity {
            caller: of_key(app, key).await?,
            session: None,
        });
    }
    let Some(token) = session::token(headers) else {
        return Err(Problem::unauthorised(
            "send an API key as `Authorization: Bearer redraft_…`, or sign in with POST /v1/session",
        ));
    };
    match app.store().session(&token, now()).await? {
        Some(session) => Ok(Identity {
            caller: session.caller,
            session: Some((token, session.expires)),
        }),
        None => Err(Problem::unauthorised(
            "the session has ended; sign in again with POST /v1/session",
        )),
    }
}

/// Whether the key or session of somebody who reads a stream still holds. It is looked at
/// once a heartbeat.
pub(super) struct Standing {
    app: App,
    /// What the reader came with.
    headers: HeaderMap,
    tenant: String,
    /// When they were last looked at.
    checked: Instant,
}

impl Standing {
    pub(super) fn new(app: &App, headers: HeaderMap, caller: &Caller) -> Self {
        Self {
            app: app.clone(),
            headers,
            tenant: caller.tenant.clone(),
            checked: Instant::now(),
        }
    }

    pub(super) async fn holds(&mut self) -> bool {
        if self.checked.elapsed() < HEARTBEAT {
            return true;
        }
        self.checked = Instant::now();
        let identity = identity(&self.app, &self.headers).await;
        identity.is_ok_and(|identity| identity.caller.tenant == self.tenant)
    }
}

/// Who a key belongs to.
pub(super) async fn of_key(app: &App, key: &str) -> Result<Caller, Problem> {
    let caller = app.store().caller(key.trim()).await?;
    caller.ok_or_else(|| Problem::unauthorised("unknown or revoked API key"))
}

/// The user of this machine, while there are no keys.
pub(super) async fn without_keys(
    app: &App,
    headers: &HeaderMap,
) -> Result<Option<Caller>, Problem> {
    if app.parts().access == Access::Loopback && !app.store().has_keys().await? {
        return local(headers).map(Some);
    }
    Ok(None)
}

/// Whether a request comes from a page of this service. What a browser says of it
/// (`Sec-Fetch-Site`) holds behind any proxy; older ones send `Origin` alone.
pub(super) fn own_page(headers: &HeaderMap) -> Result<(), Problem> {
    let is_own = match (text(headers, "sec-fetch-site"), text(headers, "origin")) {
        (Some(site), _) => ["same-origin", "none"].contains(&site),
        (None, Some(origin)) => {
            let from = origin.split_once("://").map(|(_, host)| host);
            from.is_some()
                && ["host", "x-forwarded-host"]
                    .iter()
                    .any(|name| text(headers, name) == from)
        }
        (None, None) => true,
    };
    if is_own {
        Ok(())
    } else {
        Err(Problem::forbidden(
            "pages of other sites cannot use this session",
        ))
    }
}

/// Whether a browser reaches the service on this machine, without TLS.
pub(super) fn is_plain_local(headers: &HeaderMap) -> bool {
    !is_forwarded(headers) && text(headers, "host").is_some_and(is_local)
}

/// Whether a proxy passed the request on, so that it may come from anywhere.
fn is_forwarded(headers: &HeaderMap) -> bool {
    let names = [
        "forwarded",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
    ];
    names.iter().any(|name| headers.contains_key(*name))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether a host or an origin is this machine.
fn is_local(text: &str) -> bool {
    let host = text.strip_prefix("http://").unwrap_or(text);
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"].contains(&name)
}

/// The user of this machine, but not a web page in their browser.
fn local(headers: &HeaderMap) -> Result<Caller, Problem> {
    if is_forwarded(headers)
        || !text(headers, "host").is_some_and(is_local)
        || text(headers, "origin").is_some_and(|origin| !is_local(origin))
    {
        return Err(Problem::forbidden(
            "a service without API keys answers only to this machine; create a key with `redraft admin key add`",
        ));
    }
    Ok(Caller {
        tenant: LOCAL_TENANT.to_owned(),
        key: "local".to_owned(),
        name: "local".to_owned(),
        scopes: Scope::ALL.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_web_page_does_not_reach_a_service_without_keys() {
        let cases = [
            (Some("127.0.0.1:8321"), None, true),
            (Some("localhost"), None, true),
            (Some("[::1]:8321"), Some("http://localhost:5173"), true),
            (Some("127.0.0.1:8321"), Some("https://evil.example"), false),
            (Some("127.0.0.1:8321"), Some("null"), false),
            // A name that was made to point here.
            (Some("evil.example:8321"), None, false),
            (Some("localhost.evil.example"), None, false),
            (None, None, false),
        ];
        for (host, origin, expected) in cases {
            let mut headers = HeaderMap::new();
            for (name, value) in [(header::HOST, host), (header::ORIGIN, origin)] {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            assert_eq!(local(&headers).is_ok(), expected, "{host:?} {origin:?}");
        }
    }

    #[test]
    fn only_our_own_page_uses_a_session() {
        let cases = [
            // Host, forwarded host, origin, what the browser says of the page.
            ("school.example", "", "", "", true),
            ("school.example", "", "https://school.example", "", true),
            ("127.0.0.1:8321", "", "http://127.0.0.1:8321", "", true),
            (
                "127.0.0.1:8321",
                "school.example",
                "https://school.example",
                "",
                true,
            ),
            (
                "127.0.0.1:8321",
                "",
                "https://school.example",
                "same-origin",
                true,
            ),
            ("school.example", "", "https://evil.example", "", false),
            ("127.0.0.1:8321", "", "http://127.0.0.1:9999", "", false),
            ("school.example", "", "null", "", false),
            (
                "school.example",
                "",
                "https://school.example",
                "cross-site",
                false,
            ),
            (
                "school.example",
                "",
                "https://school.example",
                "same-site",
                false,
            ),
            ("school.example", "", "", "cross-site", false),
        ];
        for (host, forwarded, origin, site, expected) in cases {
            let mut headers = HeaderMap::new();
            for (name, value) in [
                ("host", host),
                ("x-forwarded-host", forwarded),
                ("origin", origin),
                ("sec-fetch-site", site),
            ] {
                if !value.is_empty() {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            assert_eq!(
                own_page(&headers).is_ok(),
                expected,
                "{host} {origin} {site}"
            );
        }
    }
}
