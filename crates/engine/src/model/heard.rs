//! What has been heard of an answer so far. The three protocols fill it; nobody
//! here knows them.

use redraft_run::ask::{Finish, Tokens, Usage};
use serde_json::Value;

use super::failure::Complaint;
use crate::tokens;

/// An answer while it comes in.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Whether the provider has begun to answer.
    pub(super) began: bool,
    /// Its words.
    pub(super) text: String,
    /// What the model says instead of an answer.
    pub(super) refusal: String,
    /// Why it stopped; `None` while it has not.
    pub(super) finish: Option<Finish>,
    /// Tokens as the provider counts them.
    pub(super) input: Option<u64>,
    /// See `input`.
    pub(super) output: Option<u64>,
    /// What the provider complains of in the middle of its answer.
    pub(super) complaint: Option<Complaint>,
    /// Whether the provider said that there is no more to come.
    pub(super) ended: bool,
    /// What could not be read, if anything: a beginning of it.
    pub(super) unreadable: Option<String>,
}

impl Heard {
    /// Whether a whole answer was heard.
    pub(super) fn is_whole(&self) -> bool {
        self.ended || self.finish.is_some()
    }

    /// What is heard of some events, one after the other.
    #[cfg(test)]
    pub(super) fn of(events: &[&str], hear: fn(&mut Self, &[u8])) -> Self {
        let mut heard = Self::default();
        for event in events {
            hear(&mut heard, event.as_bytes());
        }
        heard
    }

    /// Notes what a provider complains of, where an event has an error; whether it
    /// does.
    pub(super) fn complains(&mut self, error: Option<&Value>, data: &[u8]) -> bool {
        let complains = error.is_some_and(|error| !error.is_null());
        if complains {
            self.complaint = Some(Complaint::read(&String::from_utf8_lossy(data)));
        }
        complains
    }

    /// Notes an event that is none of the protocol.
    pub(super) fn cannot_read(&mut self, data: &[u8]) {
        self.unreadable
            .get_or_insert_with(|| String::from_utf8_lossy(data).chars().take(2_000).collect());
    }

    /// What the call used: as the provider says, and counted by us where it does
    /// not. `sent` is the prompt.
    pub(super) fn usage(&self, sent: &[&str]) -> Usage {
        // Some count nothing and say so with a nought.
        let input = self.input.filter(|tokens| *tokens > 0);
        let output = self
            .output
            .filter(|tokens| *tokens > 0 || self.text.is_empty());
        Usage {
            estimated: input.is_none() || output.is_none(),
            tokens: Tokens {
                input: input.unwrap_or_else(|| sent.iter().map(|part| tokens::count(part)).sum()),
                output: output
                    .unwrap_or_else(|| tokens::count(&self.text) + tokens::count(&self.refusal)),
            },
        }
    }
}
