//! Who calls, and whether they may.
//!
//! | keys in the store | address | request | then |
//! |---|---|---|---|
//! | none | loopback | with a local `Host`, no foreign `Origin` | the tenant `default`, all scopes |
//! | none | loopback | else | 403: a web page must not reach the service through a browser |
//! | some | any | `Authorization: Bearer` with a valid key | its tenant and scopes |
//! | some | any | else | 401 |
//!
//! A service on another address does not start without keys.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use super::routes::Route;
use super::{App, limits};
use crate::store::{Caller, Scope};

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

pub(super) async fn authorise(
    State((app, route)): State<(App, &'static Route)>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(scope) = route.scope {
        match caller(&app, request.headers(), scope).await {
            Ok(caller) => {
                if !app.0.limiter.admits(&caller.key) {
                    return Problem::too_many().into_response();
                }
                request.extensions_mut().insert(caller);
            }
            Err(problem) => return problem.into_response(),
        }
    }
    limits::timed(next.run(request)).await
}

async fn caller(app: &App, headers: &HeaderMap, scope: Scope) -> Result<Caller, Problem> {
    let parts = app.parts();
    if parts.access == Access::Loopback && !app.store().has_keys().await? {
        return local(headers);
    }
    let key = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "));
    let Some(key) = key else {
        return Err(Problem::unauthorised(
            "send an API key as `Authorization: Bearer redraft_…`",
        ));
    };
    let Some(caller) = app.store().caller(key.trim()).await? else {
        return Err(Problem::unauthorised("unknown or revoked API key"));
    };
    if !caller.scopes.contains(&scope) {
        return Err(Problem::forbidden(format!(
            "this key lacks the scope `{}`",
            scope.name()
        )));
    }
    Ok(caller)
}

/// The user of this machine, but not a web page in their browser.
fn local(headers: &HeaderMap) -> Result<Caller, Problem> {
    let value = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let is_local = |text: &str| {
        let host = text.strip_prefix("http://").unwrap_or(text);
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        ["localhost", "127.0.0.1", "[::1]"].contains(&name)
    };
    if !value(header::HOST).is_some_and(is_local)
        || value(header::ORIGIN).is_some_and(|origin| !is_local(origin))
    {
        return Err(Problem::forbidden(
            "a service without API keys answers only to this machine; make a key with `redraft admin key add`",
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
}
