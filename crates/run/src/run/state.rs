//! The state of a run: judgements by version, and the progress of repair.

use std::sync::Arc;

use super::judgements::Judgements;
use super::progress::{Attempt, Progress};
use super::text::Text;
use crate::ask::Time;
use crate::setup::Setup;

pub(super) struct State {
    pub(super) judgements: Judgements,
    pub(super) progress: Progress,
}

impl State {
    pub(super) fn new(setup: Arc<Setup>) -> Self {
        Self {
            judgements: Judgements::new(setup),
            progress: Progress::default(),
        }
    }

    /// Adds a version to the history, or updates it: the panel's verdict replaces the single
    /// judge's.
    pub(super) fn remember(&mut self, text: &Text, now: Time) {
        let judgements = &self.judgements;
        let assessment = judgements.assessment(text);
        let attempt = Attempt {
            round: self.progress.round,
            lineage: self.progress.regenerations,
            unscored: assessment.is_none().then(|| judgements.why_unscored(text)),
            assessment,
            issues: judgements.issues(text),
            reasons: judgements.reasons(text),
            judges: judgements.judges_of(text),
            is_rolled_back: false,
            at: now,
            text: text.clone(),
        };
        self.progress.remember(attempt);
    }
}
