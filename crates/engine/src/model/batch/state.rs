//! What a queue of batches knows: the asks it has gathered, those that were submitted, and the
//! answers that no run has taken yet.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::oneshot;

use super::failure::BatchFailure;
use super::record::Record;
use super::wire;
use crate::model::connection::Api;

pub(in crate::model) type Answer = Result<Arc<Vec<u8>>, BatchFailure>;

/// A waiting ask, with the request to submit again if its batch is gone.
pub(super) struct Waiting {
    pub(super) params: Value,
    pub(super) to: oneshot::Sender<Delivery>,
}

/// What an ask gets.
pub(in crate::model) struct Delivery {
    pub(in crate::model) answer: Answer,
    /// Whether another ask of this process has the same answer, and pays for it.
    pub(in crate::model) is_paid: bool,
}

#[derive(Default)]
pub(super) struct QueueState {
    /// Whether the records of earlier processes were read.
    pub(super) is_open: bool,
    pub(super) is_gathering: bool,
    /// Not submitted yet.
    pub(super) gathered: BTreeMap<String, Vec<Waiting>>,
    /// Submitted, not answered yet.
    pub(super) waiting: BTreeMap<String, Vec<Waiting>>,
    /// Requests of batches that are being polled.
    pub(super) submitted: BTreeSet<String>,
    /// Answers whose runs have not been resumed yet.
    pub(super) answers: BTreeMap<String, Answer>,
    /// Requests of batches that were paid for but cannot be read now.
    pub(super) unread: BTreeMap<String, BatchFailure>,
    /// Batches, with the requests whose answers were not taken yet.
    pub(super) records: Vec<(Record, BTreeSet<String>)>,
    /// The most requests that the provider had room for.
    pub(super) most_requests: Option<usize>,
    /// How often no batch could be submitted since the last one that was.
    pub(super) setbacks: u32,
}

impl QueueState {
    /// Takes what the next batch has room for.
    pub(super) fn next_batch(&mut self, api: Api) -> Vec<(String, Value)> {
        let (mut entries, mut bytes) = (Vec::<(String, Value)>::new(), 0);
        let most = self.most_requests.unwrap_or(wire::MOST_REQUESTS);
        let mut left = BTreeMap::new();
        while let Some((id, waiting)) = self.gathered.pop_first() {
            let Some(first) = waiting.first() else {
                continue;
            };
            let params = first.params.clone();
            let is_other = |(_, one): &(String, Value)| one.get("model") != params.get("model");
            if api == Api::OpenAi && entries.first().is_some_and(is_other) {
                left.insert(id, waiting);
                continue;
            }
            bytes += params.to_string().len() + id.len() + 100;
            if !entries.is_empty() && (bytes > wire::MOST_BYTES || entries.len() >= most) {
                left.insert(id, waiting);
                break;
            }
            self.submitted.insert(id.clone());
            self.waiting.insert(id.clone(), waiting);
            entries.push((id, params));
        }
        self.gathered.append(&mut left);
        entries
    }

    /// Keeps an answer until it was taken, and sends it to everyone who waits for it.
    pub(super) fn answer(&mut self, id: &str, answer: &Answer) {
        self.answers.insert(id.to_owned(), answer.clone());
        self.send(id, answer);
    }

    /// Tells everyone who waits for a request that there is no answer. It may be asked for
    /// again.
    pub(super) fn fail(&mut self, id: &str, failure: &BatchFailure) {
        self.submitted.remove(id);
        self.send(id, &Err(failure.clone()));
    }

    pub(super) fn send(&mut self, id: &str, answer: &Answer) {
        let mut is_paid = false;
        for one in self.waiting.remove(id).unwrap_or_default() {
            let answer = answer.clone();
            // Whoever was cancelled wants no answer, and pays for none.
            is_paid |= one.to.send(Delivery { answer, is_paid }).is_ok();
        }
    }

    /// Notes that an answer has arrived. Whoever asks the same again has it submitted again.
    pub(super) fn taken(&mut self, id: &str) {
        if self.answers.remove(id).is_none() {
            return;
        }
        self.submitted.remove(id);
        for (_, open) in &mut self.records {
            open.remove(id);
        }
    }

    pub(super) fn forget(&mut self, record: &Record, folder: &Path) {
        record.remove(folder);
        self.records.retain(|(one, _)| one != record);
    }

    /// Removes the records of batches whose answers were all delivered.
    pub(super) fn tidy(&mut self, folder: &Path) {
        self.records.retain(|(record, open)| {
            if open.is_empty() {
                record.remove(folder);
            }
            !open.is_empty()
        });
    }
}
