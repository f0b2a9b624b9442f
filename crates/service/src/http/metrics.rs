//! Health, readiness and metrics in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use super::App;
use super::body::json;
use super::problem::Problem;

/// The upper ends of the histogram's buckets, in seconds.
const BUCKETS: [f64; 8] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0];

/// The requests of this process.
#[derive(Debug, Default)]
pub(super) struct Requests {
    by_status: Mutex<BTreeMap<u16, u64>>,
    buckets: [AtomicU64; BUCKETS.len()],
    micros: AtomicU64,
    count: AtomicU64,
}

impl Requests {
    pub(super) fn count(&self, status: u16, took: Duration) {
        let mut by_status = self
            .by_status
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *by_status.entry(status).or_default() += 1;
        let seconds = took.as_secs_f64();
        for (end, bucket) in BUCKETS.iter().zip(&self.buckets) {
            if seconds <= *end {
                bucket.fetch_add(1, Ordering::Relaxed);
            }
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    fn write(&self, text: &mut String) {
        text.push_str("# TYPE redraft_http_requests_total counter\n");
        let by_status = self
            .by_status
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for (status, count) in &*by_status {
            let _ = writeln!(
                text,
                "redraft_http_requests_total{{status=\"{status}\"}} {count}"
            );
        }
        text.push_str("# TYPE redraft_http_request_seconds histogram\n");
        for (end, bucket) in BUCKETS.iter().zip(&self.buckets) {
            let count = bucket.load(Ordering::Relaxed);
            let _ = writeln!(
                text,
                "redraft_http_request_seconds_bucket{{le=\"{end}\"}} {count}"
            );
        }
        let count = self.count.load(Ordering::Relaxed);
        let micros = self.micros.load(Ordering::Relaxed);
        let _ = writeln!(
            text,
            "redraft_http_request_seconds_bucket{{le=\"+Inf\"}} {count}"
        );
        let _ = writeln!(
            text,
            "redraft_http_request_seconds_sum {}.{:06}",
            micros / 1_000_000,
            micros % 1_000_000
        );
        let _ = writeln!(text, "redraft_http_request_seconds_count {count}");
    }
}

/// Whether the service works.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Health {
    status: &'static str,
}

pub(super) async fn health() -> Result<Response, Problem> {
    json(&Health { status: "ok" })
}

pub(super) async fn ready(State(app): State<App>) -> Result<Response, Problem> {
    let ping = tokio::time::timeout(Duration::from_secs(2), app.store().ping());
    match ping.await {
        Ok(Ok(())) => json(&Health { status: "ready" }),
        _ => Err(Problem::unavailable("the database does not answer")),
    }
}

pub(super) async fn metrics(State(app): State<App>) -> Result<Response, Problem> {
    let mut text = String::from("# TYPE redraft_runs gauge\n");
    for (state, count) in app.store().states().await? {
        let _ = writeln!(text, "redraft_runs{{state=\"{state}\"}} {count}");
    }
    let counts = &app.parts().counts;
    for (name, count) in [
        ("claimed", &counts.claimed),
        ("finished", &counts.finished),
        ("escalated", &counts.waiting),
        ("failed", &counts.failed),
        ("lost", &counts.lost),
    ] {
        let _ = writeln!(text, "# TYPE redraft_worker_runs_{name}_total counter");
        let count = count.load(Ordering::Relaxed);
        let _ = writeln!(text, "redraft_worker_runs_{name}_total {count}");
    }
    let asks = counts.asks.load(Ordering::Relaxed);
    let _ = writeln!(
        text,
        "# TYPE redraft_model_asks_total counter\nredraft_model_asks_total {asks}"
    );
    let followed = app.0.feed.len();
    let _ = writeln!(
        text,
        "# TYPE redraft_followed_runs gauge\nredraft_followed_runs {followed}"
    );
    let streams = app.0.streams.number();
    let _ = writeln!(
        text,
        "# TYPE redraft_event_streams gauge\nredraft_event_streams {streams}"
    );
    app.0.requests.write(&mut text);
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
