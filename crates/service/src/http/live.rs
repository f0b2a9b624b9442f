//! Lists that keep up with their runs: a stream (SSE) of the first page of a list. The first
//! message has the whole page, later ones what has changed. Whoever comes back after a lost
//! connection begins with a whole page again, so that nothing is missed.
//!
//! However many streams show the same list, the store is asked once a moment.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::App;
use super::auth::Standing;
use super::body::{Params, json};
use super::events::{Chunk, HEARTBEAT, Received};
use super::limits::OpenStream;
use super::problem::Problem;
use super::runs::ListQuery;
use crate::store::{Caller, Filter, RunInfo, Scope, Store, StoreError};

/// The shortest pause between two looks.
const EVERY: Duration = Duration::from_millis(400);
/// A look that takes long is followed by a pause this many times as long.
const PAUSE: u32 = 10;

/// A message of the stream.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct LiveRuns {
    /// Whether these are all runs of the page; else they are those that changed or came.
    is_whole: bool,
    /// The latest first.
    runs: Vec<RunInfo>,
    /// Those that are no longer on the page.
    gone: Vec<String>,
    /// `cursor` of the page after it; `null` on the last one.
    next: Option<String>,
    /// How many texts wait for a reviewer; `null` without the scope `review`.
    waiting: Option<i64>,
}

/// A page as it was found.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    runs: Arc<Vec<RunInfo>>,
    next: Option<String>,
    waiting: i64,
}

/// Whose list, and which.
type Key = (String, Filter);
type Watched = HashMap<Key, watch::Sender<Option<Seen>>>;

/// The lists that somebody watches.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    store: Store,
    watched: Arc<Mutex<Watched>>,
}

impl Lists {
    pub(super) fn new(store: Store) -> Self {
        Self {
            store,
            watched: Arc::default(),
        }
    }

    /// Ends all streams.
    pub(super) fn close(&self) {
        self.lock().clear();
    }

    fn watch(&self, key: Key) -> watch::Receiver<Option<Seen>> {
        let mut watched = self.lock();
        if let Some(sender) = watched.get(&key) {
            return sender.subscribe();
        }
        let (sender, receiver) = watch::channel(None);
        watched.insert(key.clone(), sender);
        tokio::spawn(self.clone().look(key));
        receiver
    }

    /// Looks again and again, until nobody watches.
    async fn look(self, key: Key) {
        loop {
            let began = Instant::now();
            // Without an answer the streams wait for the next one.
            let seen = seen(&self.store, &key).await.ok();
            {
                let mut watched = self.lock();
                let Some(sender) = watched.get(&key) else {
                    return;
                };
                if sender.receiver_count() == 0 {
                    watched.remove(&key);
                    return;
                }
                if let Some(seen) = seen {
                    sender.send_if_modified(|known| {
                        let is_new = known.as_ref() != Some(&seen);
                        *known = Some(seen);
                        is_new
                    });
                }
            }
            tokio::time::sleep(EVERY.max(began.elapsed() * PAUSE)).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn seen(store: &Store, (tenant, filter): &Key) -> Result<Seen, StoreError> {
    let page = store.list(tenant, filter).await?;
    Ok(Seen {
        runs: Arc::new(page.runs),
        next: page.next,
        waiting: store.waiting(tenant).await?,
    })
}

pub(super) async fn runs(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Params(query): Params<ListQuery>,
) -> Result<Response, Problem> {
    let filter = query.filter()?;
    let may_review = caller.scopes.contains(&Scope::Review);
    let accept = headers.get(header::ACCEPT);
    let accept = accept.and_then(|value| value.to_str().ok());
    if !accept.is_some_and(|accept| accept.contains("text/event-stream")) {
        let seen = seen(app.store(), &(caller.tenant, filter)).await?;
        return json(&message(None, &seen, may_review));
    }
    let stream = ListStream {
        _open: app.0.streams.open(&caller.tenant)?,
        seen: app.0.lists.watch((caller.tenant.clone(), filter)),
        may_review,
        standing: Standing::new(&app, headers, &caller),
        sent: None,
    };
    let (send, receive) = mpsc::channel(4);
    tokio::spawn(stream.send(send));
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        // Proxies must not collect messages.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(Received(receive))).into_response())
}

struct ListStream {
    /// Counts it until it ends.
    _open: OpenStream,
    seen: watch::Receiver<Option<Seen>>,
    may_review: bool,
    standing: Standing,
    /// What the reader has.
    sent: Option<Seen>,
}

impl ListStream {
    /// Sends until the reader is gone, may no longer read, or the service stops.
    async fn send(mut self, send: mpsc::Sender<Chunk>) {
        loop {
            if !self.standing.holds().await {
                return;
            }
            let seen = self.seen.borrow_and_update().clone();
            if let Some(seen) = seen {
                let message = message(self.sent.as_ref(), &seen, self.may_review);
                self.sent = Some(seen);
                let Ok(text) = serde_json::to_string(&message) else {
                    return;
                };
                let text = format!("data: {text}\n\n");
                if send.send(Ok(Bytes::from(text))).await.is_err() {
                    return;
                }
            }
            loop {
                tokio::select! {
                    changed = self.seen.changed() => match changed {
                        Ok(()) => break,
                        Err(_) => return,
                    },
                    () = tokio::time::sleep(HEARTBEAT) => {
                        if !self.standing.holds().await
                            || send.send(Ok(Bytes::from_static(b": still here\n\n"))).await.is_err()
                        {
                            return;
                        }
                    }
                    () = send.closed() => return,
                }
            }
        }
    }
}

/// What a reader who has `before` must be told to have `now`.
fn message(before: Option<&Seen>, now: &Seen, may_review: bool) -> LiveRuns {
    let known: HashMap<&str, &RunInfo> = before
        .iter()
        .flat_map(|seen| seen.runs.iter())
        .map(|run| (run.run.as_str(), run))
        .collect();
    let is_new = |run: &&RunInfo| known.get(run.run.as_str()).is_none_or(|old| *old != *run);
    let still: std::collections::HashSet<&str> =
        now.runs.iter().map(|run| run.run.as_str()).collect();
    LiveRuns {
        is_whole: before.is_none(),
        runs: now.runs.iter().filter(is_new).cloned().collect(),
        gone: known
            .keys()
            .filter(|run| !still.contains(*run))
            .map(|run| (*run).to_owned())
            .collect(),
        next: now.next.clone(),
        waiting: may_review.then_some(now.waiting),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::RunState;

    fn run(id: &str, state: RunState) -> RunInfo {
        RunInfo {
            run: id.to_owned(),
            state,
            goal: "judge".to_owned(),
            profile: "lesson".to_owned(),
            mode: "full-auto".to_owned(),
            name: format!("{id}.md"),
            batch: None,
            priority: 0,
            created: 0,
            updated: 0,
            submitted_by: "anna".to_owned(),
            events: 0,
            status: None,
            score: None,
            score_before: None,
            rounds: None,
            cost_micros: None,
            error: None,
        }
    }

    fn seen(runs: &[RunInfo]) -> Seen {
        Seen {
            runs: Arc::new(runs.to_vec()),
            next: None,
            waiting: 3,
        }
    }

    #[test]
    fn a_message_has_what_changed_and_what_is_gone() {
        let before = seen(&[run("r2", RunState::Queued), run("r1", RunState::Queued)]);
        let now = seen(&[run("r3", RunState::Queued), run("r2", RunState::Running)]);
        let ids = |message: &LiveRuns| -> Vec<String> {
            message.runs.iter().map(|run| run.run.clone()).collect()
        };
        let first = message(None, &before, true);
        assert!(first.is_whole);
        assert_eq!(
            (ids(&first), first.waiting),
            (vec!["r2".to_owned(), "r1".to_owned()], Some(3))
        );
        let later = message(Some(&before), &now, false);
        assert!(!later.is_whole);
        assert_eq!(ids(&later), ["r3", "r2"]);
        assert_eq!((later.gone, later.waiting), (vec!["r1".to_owned()], None));
        let same = message(Some(&now), &now, true);
        assert!(same.runs.is_empty() && same.gone.is_empty());
    }
}
