//! The events of a run: as a stream (SSE) or as a list.
//!
//! An event has its number as `id`; heartbeats are comments without one, so that a client
//! never skips an event. A client goes on with `Last-Event-ID` or `?after=`. The stream
//! ends with the run; asked again after its last event, the answer is 204, which tells an
//! `EventSource` to stop.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use redraft_report::seeds;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use super::App;
use super::auth::Standing;
use super::body::{Params, json as json_answer};
use super::feed::Progress;
use super::limits::OpenStream;
use super::problem::Problem;
use super::runs::{no_content, of_caller};
use crate::store::{Caller, Store};

pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);
/// How many events are read at once.
const CHUNK: i64 = 200;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    #[default]
    Redraft,
    Seed,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventsQuery {
    after: Option<i64>,
    #[serde(default)]
    shape: Shape,
}

pub(super) async fn events(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    headers: HeaderMap,
    Params(query): Params<EventsQuery>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let last = value("last-event-id").and_then(|id| id.parse().ok());
    let after = last.or(query.after).unwrap_or(0).max(0);
    let accept = value("accept").unwrap_or_default();
    if accept.contains("application/json") && !accept.contains("text/event-stream") {
        let events = app.store().events(&run, after, 10_000).await?;
        let events: Result<Vec<Value>, Problem> = events
            .iter()
            .map(|(_, body)| shaped(body, query.shape))
            .collect();
        return json_answer(&json!({ "events": events? }));
    }
    if info.state.is_over() && info.events <= after {
        return Ok(no_content());
    }
    let known = Progress {
        events: info.events,
        is_over: info.state.is_over(),
        is_closing: false,
    };
    let open = app.0.streams.open(&caller.tenant)?;
    let stream = EventStream {
        _open: open,
        store: app.store().clone(),
        progress: app.0.feed.follow(&run, known),
        run,
        after,
        shape: query.shape,
        standing: Standing::new(&app, headers, &caller),
    };
    let (send, receive) = mpsc::channel(16);
    tokio::spawn(stream.send(send));
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        // Proxies must not collect events.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(Received(receive))).into_response())
}

fn shaped(body: &str, shape: Shape) -> Result<Value, Problem> {
    let event: Value = serde_json::from_str(body).map_err(|error| Problem::internal(&error))?;
    Ok(match shape {
        Shape::Redraft => event,
        Shape::Seed => seeds::event(&event),
    })
}

struct EventStream {
    /// Counts it until it ends.
    _open: OpenStream,
    store: Store,
    progress: watch::Receiver<Progress>,
    run: String,
    after: i64,
    shape: Shape,
    standing: Standing,
}

pub(super) type Chunk = Result<Bytes, std::convert::Infallible>;

impl EventStream {
    /// Sends events until the run is over, the client is gone or the service stops.
    async fn send(mut self, send: mpsc::Sender<Chunk>) {
        loop {
            if !self.standing.holds().await {
                return;
            }
            let progress = *self.progress.borrow_and_update();
            while self.after < progress.events {
                let Ok(events) = self.store.events(&self.run, self.after, CHUNK).await else {
                    // The client asks again after its last event.
                    return;
                };
                let mut text = String::new();
                for (seq, body) in events {
                    let Ok(event) = shaped(&body, self.shape) else {
                        return;
                    };
                    text.push_str(&format!("id: {seq}\ndata: {event}\n\n"));
                    self.after = seq;
                }
                if text.is_empty() || send.send(Ok(Bytes::from(text))).await.is_err() {
                    return;
                }
            }
            if progress.is_over || progress.is_closing {
                return;
            }
            tokio::select! {
                changed = self.progress.changed() => if changed.is_err() { return },
                () = tokio::time::sleep(HEARTBEAT) => {
                    if send.send(Ok(Bytes::from_static(b": still running\n\n"))).await.is_err() {
                        return;
                    }
                }
                () = send.closed() => return,
            }
        }
    }
}

/// What was received, as the body of an answer.
pub(super) struct Received(pub(super) mpsc::Receiver<Chunk>);

impl futures_core::Stream for Received {
    type Item = Chunk;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Chunk>> {
        self.0.poll_recv(context)
    }
}
