//! Looks for a batch whose id never came: the provider may have it, and then it is paid.

use std::sync::Arc;

use super::BatchQueue;
use super::failure::{BatchFailure, is_final, is_gone, unreadable};
use super::record::Record;
use super::wire;

/// The most pages of a provider's list that are read.
const MOST_PAGES: usize = 20;

/// What a provider's list says about a batch whose id is not known.
enum Listing {
    Batch(String),
    /// One that is still being processed may be it.
    Perhaps,
    Nothing,
}

impl BatchQueue {
    /// Looks for a batch that was submitted without its id being known, until it is certain
    /// where it is. What never arrived is submitted again.
    pub(super) async fn find(self: &Arc<Self>, record: Record) -> Option<Record> {
        let (mut pause, longest) = self.settings.pauses;
        loop {
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2).min(longest);
            match self.in_list(&record).await {
                Ok(Listing::Batch(id)) => {
                    let known = Record {
                        batch: Some(id),
                        ..record.clone()
                    };
                    let _ = known.write(&self.settings.folder);
                    let mut state = self.state();
                    let mut records = state.records.iter_mut();
                    if let Some((one, _)) = records.find(|(one, _)| *one == record) {
                        *one = known.clone();
                    }
                    return Some(known);
                }
                Ok(Listing::Perhaps) => {}
                Ok(Listing::Nothing) => {
                    if self.may_try_again() {
                        self.submit_again(&record);
                    } else {
                        let why = "batches are not accepted: they are not in the provider's list";
                        self.give_up(&record, &BatchFailure::Unanswered(why.to_owned()));
                    }
                    return None;
                }
                // Who has no list cannot be asked.
                Err(failure) if is_gone(&failure) => {
                    self.submit_again(&record);
                    return None;
                }
                Err(failure) if is_final(&failure) => {
                    self.leave_unread(&record, &failure);
                    return None;
                }
                Err(_) => {}
            }
        }
    }

    async fn in_list(&self, record: &Record) -> Result<Listing, BatchFailure> {
        let api = self.endpoint.api;
        let (mut after, mut found) = (None, Listing::Nothing);
        for _ in 0..MOST_PAGES {
            let path = wire::list_path(api, after.as_deref());
            let page = self.endpoint.fetch(self.endpoint.get(&path)?).await?;
            let page = wire::page(api, &page).ok_or_else(|| unreadable(&page))?;
            for listed in page.batches {
                match &record.file {
                    Some(_) if listed.file == record.file => return Ok(Listing::Batch(listed.id)),
                    None if self.is_candidate(&listed, record) => {
                        if !listed.has_ended {
                            found = Listing::Perhaps;
                            continue;
                        }
                        let results = self.results(&[wire::results_path(&listed.id)]).await?;
                        if record.requests.iter().any(|id| results.contains_key(id)) {
                            return Ok(Listing::Batch(listed.id));
                        }
                    }
                    _ => {}
                }
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        Ok(found)
    }

    /// Whether a batch may be that of a record: it has as many requests, and belongs to no
    /// other.
    fn is_candidate(&self, listed: &wire::Listed, record: &Record) -> bool {
        let state = self.state();
        let is_known = |(one, _): &(Record, _)| one.batch.as_ref() == Some(&listed.id);
        listed.requests == record.requests.len() && !state.records.iter().any(is_known)
    }
}
