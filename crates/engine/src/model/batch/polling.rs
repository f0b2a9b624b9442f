//! Waits for submitted batches, and deals with what comes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::failure::{BatchFailure, is_final, is_gone, rejected};
use super::record::Record;
use super::state::Answer;
use super::wire::{self, Status};
use super::{BatchQueue, LONGEST_PATIENCE};

impl BatchQueue {
    /// Looks a batch up until it has ended, and delivers its answers.
    pub(super) async fn wait_for(self: Arc<Self>, record: Record) {
        let Some(batch) = record.batch.as_deref() else {
            return;
        };
        let path = wire::path(self.endpoint.api, batch);
        let (mut pause, longest) = self.settings.pauses;
        loop {
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2).min(longest);
            let answer = match self.endpoint.get(&path) {
                Ok(request) => self.endpoint.fetch(request).await,
                Err(failure) => Err(failure),
            };
            if let Err(BatchFailure::Rejected(error)) = &answer {
                let wanted = Duration::from_millis(error.retry_after.unwrap_or_default());
                pause = pause.max(wanted.min(LONGEST_PATIENCE));
            }
            match answer.map(|answer| wire::status(self.endpoint.api, &answer)) {
                Ok(Some(Status::Ended(paths))) => match self.results(&paths).await {
                    Ok(results) => {
                        self.deliver(&record, &results);
                        return;
                    }
                    Err(failure) if is_gone(&failure) => {
                        self.submit_again(&record);
                        return;
                    }
                    Err(failure) if is_final(&failure) => {
                        self.leave_unread(&record, &failure);
                        return;
                    }
                    // It was paid for. If it cannot be read now, it is read later.
                    Err(_) => {}
                },
                Ok(Some(Status::Failed(why))) => {
                    let failure = rejected(400, format!("the batch failed: {why}"));
                    self.give_up(&record, &failure.with_all());
                    return;
                }
                Ok(Some(Status::Full(why))) => {
                    self.make_room(&record, why, longest).await;
                    return;
                }
                Err(failure) if is_gone(&failure) => {
                    self.submit_again(&record);
                    return;
                }
                Err(failure) if is_final(&failure) => {
                    self.leave_unread(&record, &failure);
                    return;
                }
                Ok(Some(Status::Working) | None) | Err(_) => {}
            }
        }
    }

    /// Submits a batch again that the provider had no room for: when others have ended, and
    /// where there are none in halves.
    async fn make_room(self: &Arc<Self>, record: &Record, why: String, pause: Duration) {
        let count = record.requests.len();
        {
            let mut state = self.state();
            if state.submitted.len() <= count {
                if count == 1 {
                    drop(state);
                    self.give_up(record, &rejected(429, why));
                    return;
                }
                state.most_requests = Some(count / 2);
            }
        }
        tokio::time::sleep(pause).await;
        self.submit_again(record);
    }

    /// The results of a batch, by request.
    pub(super) async fn results(
        &self,
        paths: &[String],
    ) -> Result<BTreeMap<String, Answer>, BatchFailure> {
        let mut results: BTreeMap<String, Answer> = BTreeMap::new();
        let mut ambiguous = BTreeSet::new();
        for path in paths {
            let lines = self.endpoint.fetch(self.endpoint.get(path)?).await?;
            for line in String::from_utf8_lossy(&lines).lines() {
                let Some((id, result)) = wire::result(self.endpoint.api, line) else {
                    continue;
                };
                let answer = result.map(Arc::new).map_err(BatchFailure::Rejected);
                match (results.get(&id), &answer) {
                    // Of two answers nobody knows which was meant.
                    (Some(Ok(one)), Ok(other)) if one != other => {
                        ambiguous.insert(id);
                    }
                    (Some(Ok(_)), _) => {}
                    (Some(Err(_)) | None, _) => {
                        results.insert(id, answer);
                    }
                }
            }
        }
        for id in ambiguous {
            let why = "the batch has two results for this request, which differ";
            results.insert(id, Err(rejected(503, why.to_owned())));
        }
        Ok(results)
    }

    /// Fails every ask of a batch that cannot be read now. A later process with a valid key finds
    /// its record.
    pub(super) fn leave_unread(&self, record: &Record, failure: &BatchFailure) {
        let mut state = self.state();
        for id in &record.requests {
            state.unread.insert(id.clone(), failure.clone());
            state.send(id, &Err(failure.clone()));
        }
    }

    fn deliver(&self, record: &Record, results: &BTreeMap<String, Answer>) {
        let mut state = self.state();
        let missing = "the batch has no result for this request".to_owned();
        let missing = Err(rejected(503, missing));
        let has_answer = |id: &String| matches!(results.get(id), Some(Ok(_)));
        let has_failed = !record.requests.iter().any(has_answer);
        for id in &record.requests {
            let mut answer = results.get(id).unwrap_or(&missing).clone();
            if has_failed {
                answer = answer.map_err(BatchFailure::with_all);
            }
            state.answer(id, &answer);
        }
    }

    pub(super) fn give_up(&self, record: &Record, failure: &BatchFailure) {
        let mut state = self.state();
        for id in &record.requests {
            state.fail(id, failure);
        }
        state.forget(record, &self.settings.folder);
    }

    pub(super) fn submit_again(self: &Arc<Self>, record: &Record) {
        let mut state = self.state();
        for id in &record.requests {
            state.submitted.remove(id);
            if let Some(waiting) = state.waiting.remove(id) {
                state
                    .gathered
                    .entry(id.clone())
                    .or_default()
                    .extend(waiting);
            }
        }
        state.forget(record, &self.settings.folder);
        if !state.gathered.is_empty() {
            self.gather(&mut state);
        }
    }
}
