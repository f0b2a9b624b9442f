//! Asks no judge what it has answered before: in front of the models, with the
//! [stored verdicts](crate::verdicts). Knows nothing of runs.

use std::sync::Arc;

use redraft_run::ask::{Ask, CallFailure, Reply};

use super::Model;
use crate::clock::BoxFuture;
use crate::verdicts::Verdicts;

/// Whether stored verdicts are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Those that are stored do.
    Stored,
    /// Every judge is asked; what it says is stored.
    Fresh,
}

/// Models in front of which stored verdicts are looked up.
pub struct Reuse {
    models: Arc<dyn Model>,
    verdicts: Arc<Verdicts>,
    freshness: Freshness,
}

impl Reuse {
    #[must_use]
    pub fn new(models: Arc<dyn Model>, verdicts: Arc<Verdicts>, freshness: Freshness) -> Self {
        Self {
            models,
            verdicts,
            freshness,
        }
    }
}

impl Model for Reuse {
    fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
        let may_reuse = self.freshness == Freshness::Stored && ask.role.is_judge();
        match may_reuse.then(|| self.verdicts.load(ask)).flatten() {
            Some(reply) => Box::pin(async move { Ok(reply) }),
            None => self.models.ask(ask),
        }
    }

    fn keep(&self, ask: &Ask, reply: &Reply) {
        if ask.role.is_judge() && !reply.reused {
            self.verdicts.store(ask, reply);
        }
    }
}
