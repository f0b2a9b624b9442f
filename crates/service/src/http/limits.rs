//! Limits of requests: how many at once, how many a second for a key, how large, how
//! long; and the headers of every answer.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use super::App;
use super::problem::Problem;

/// The limits of the API.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a request.
    pub body: usize,
    /// Requests a second for a key.
    pub rate: u32,
    /// Requests at once.
    pub at_once: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 8 << 20,
            rate: 100,
            at_once: 256,
        }
    }
}

const LONGEST: Duration = Duration::from_secs(60);
/// How long a request waits for its turn while too many are served.
const TURN: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Limiter {
    rate: f64,
    buckets: Mutex<HashMap<String, (f64, Instant)>>,
    slots: Semaphore,
}

impl Limiter {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            rate: f64::from(limits.rate.max(1)),
            buckets: Mutex::default(),
            slots: Semaphore::new(limits.at_once.max(1)),
        }
    }

    /// Whether a key may send another request: as many as the rate, and twice as many
    /// after a pause.
    pub(super) fn admits(&self, key: &str) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let most = self.rate * 2.0;
        let bucket = buckets.entry(key.to_owned()).or_insert((most, now));
        let passed = now.duration_since(bucket.1).as_secs_f64();
        *bucket = ((bucket.0 + passed * self.rate).min(most), now);
        if bucket.0 < 1.0 {
            return false;
        }
        bucket.0 -= 1.0;
        true
    }
}

/// Around every request.
pub(super) async fn limit(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    // No database stores the character, so nothing can have it in its name.
    let has_nul = request.uri().to_string().contains("%00");
    // A thousand browsers that come back at once after a restart are all served.
    let turn = tokio::time::timeout(TURN, app.0.limiter.slots.acquire()).await;
    let mut response = match turn {
        Ok(Ok(_)) if has_nul => Problem::malformed("the address holds a NUL").into_response(),
        Ok(Ok(_slot)) => next.run(request).await,
        _ => Problem::unavailable("too many requests at once; try again").into_response(),
    };
    app.0
        .requests
        .count(response.status().as_u16(), started.elapsed());
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Ends a request that takes too long.
pub(super) async fn timed(response: impl Future<Output = Response>) -> Response {
    tokio::time::timeout(LONGEST, response)
        .await
        .unwrap_or_else(|_| {
            Problem::unavailable("the request took too long; try again").into_response()
        })
}
