//! Tells event streams that there is something new: one query a moment for all runs that
//! somebody follows, however many streams there are.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::sql::{SqlError, Value};
use crate::store::{RunState, Store};

/// How often the store is asked.
const EVERY: Duration = Duration::from_millis(150);
/// How many runs are asked for at once.
const CHUNK: usize = 200;

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) events: i64,
    pub(super) is_over: bool,
    /// The service stops.
    pub(super) is_closing: bool,
}

type Followed = BTreeMap<String, watch::Sender<Progress>>;

#[derive(Clone, Debug)]
pub(super) struct Feed {
    followed: Arc<Mutex<Followed>>,
    /// The service stops: who comes now is told at once.
    is_closing: Arc<AtomicBool>,
}

impl Feed {
    pub(super) fn start(store: Store) -> Self {
        let feed = Self {
            followed: Arc::default(),
            is_closing: Arc::default(),
        };
        let (followed, is_closing) = (Arc::downgrade(&feed.followed), Arc::clone(&feed.is_closing));
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(EVERY).await;
                let Some(followed) = followed.upgrade() else {
                    return;
                };
                let feed = Self {
                    followed,
                    is_closing: Arc::clone(&is_closing),
                };
                // Without an answer the streams wait for the next one.
                let _ = feed.look(&store).await;
            }
        });
        feed
    }

    /// Follows a run; starts from what is known.
    pub(super) fn follow(&self, run: &str, known: Progress) -> watch::Receiver<Progress> {
        let mut followed = self.lock();
        let known = Progress {
            is_closing: self.is_closing.load(Ordering::Acquire),
            ..known
        };
        let sender = followed
            .entry(run.to_owned())
            .or_insert_with(|| watch::Sender::new(known));
        sender.subscribe()
    }

    /// Ends all streams.
    pub(super) fn close(&self) {
        let followed = self.lock();
        self.is_closing.store(true, Ordering::Release);
        for sender in followed.values() {
            sender.send_modify(|progress| progress.is_closing = true);
        }
    }

    /// How many runs are followed.
    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    async fn look(&self, store: &Store) -> Result<(), SqlError> {
        let runs: Vec<String> = {
            let mut followed = self.lock();
            followed.retain(|_, sender| sender.receiver_count() > 0);
            followed.keys().cloned().collect()
        };
        for chunk in runs.chunks(CHUNK) {
            let values: Vec<Value> = chunk.iter().map(Value::from).collect();
            let places: Vec<String> = (1..=values.len()).map(|at| format!("${at}")).collect();
            let sentence = format!(
                "SELECT id, events, state FROM runs WHERE id IN ({})",
                places.join(", ")
            );
            let rows = store
                .database
                .read(move |sql| sql.rows(&sentence, &values))
                .await?;
            let followed = self.lock();
            for row in rows {
                let (events, state) = (row.int(1)?, row.text(2)?);
                let is_over = RunState::parse(&state).is_some_and(RunState::is_over);
                if let Some(sender) = followed.get(&row.text(0)?) {
                    sender.send_if_modified(|progress| {
                        let is_new = progress.events != events || progress.is_over != is_over;
                        progress.events = events;
                        progress.is_over = is_over;
                        is_new
                    });
                }
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Followed> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
