//! How prompt caches change a forecast: the constant part of a prompt (the system half and the
//! schema of the answer) is read from the cache by every call but the first.
//!
//! | case | a model's first call with a kind of prompt | every other call |
//! |---|---|---|
//! | best, typical | written to the cache, or read from it if an earlier document warmed it | read from it |
//! | worst | as reserved: nothing read, everything written | the same |
//!
//! Only judges and the self-reviewer are counted; no other constant part is long enough for a
//! cache.

use std::collections::{BTreeMap, BTreeSet};

use super::measure::Measure;
use super::{Amount, Stage, StageEstimate};
use crate::ask::{ModelSettings, Role, Schema};
use crate::prompt::PromptError;
use crate::request::Task;
use crate::{self_review, verdict};

/// Tokens of the parts of prompts that are the same for all documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConstantParts {
    pub self_review: u64,
    pub judge: u64,
}

impl ConstantParts {
    fn of(self, stage: Stage) -> Option<u64> {
        match stage {
            Stage::SelfReview => Some(self.self_review),
            Stage::Judge | Stage::Panel | Stage::Rejudge | Stage::Confirm => Some(self.judge),
            Stage::Arbiter | Stage::Repair | Stage::Verify | Stage::Solve => None,
        }
    }
}

/// Whether the same models have judged an earlier document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warmth {
    Cold,
    Warm,
}

impl Measure<'_> {
    /// The tokens of the constant parts of prompts.
    ///
    /// # Errors
    /// If a template cannot be rendered.
    pub fn constant_parts(&self) -> Result<ConstantParts, PromptError> {
        let of = |task, schema: &Schema| {
            let prompt = self.rendered(task)?;
            Ok((self.count)(&prompt.system) + (self.count)(schema.text()))
        };
        Ok(ConstantParts {
            self_review: of(Task::SelfReview, &self_review::schema())?,
            judge: of(
                Task::Judge { flagged: &[] },
                &verdict::schema(self.rubric, self.companions),
            )?,
        })
    }
}

/// Applies the savings of caches to the best and the typical case.
pub fn count_caches(
    stages: &mut [StageEstimate],
    constant: ConstantParts,
    models: &BTreeMap<Role, ModelSettings>,
    warmth: Warmth,
) {
    let amounts: [fn(&mut StageEstimate) -> &mut Amount; 2] =
        [|stage| &mut stage.best, |stage| &mut stage.typical];
    for amount in amounts {
        // Which constant parts each model has read; those of self-reviewer and judge differ.
        let mut read = BTreeSet::new();
        for stage in &mut *stages {
            let part = constant.of(stage.stage);
            // In both cases only the first model of a role is called.
            let model = stage.roles.first().and_then(|role| models.get(role));
            let (Some(part), Some(model)) = (part, model) else {
                continue;
            };
            let is_review = stage.stage == Stage::SelfReview;
            let amount = amount(stage);
            if amount.calls > 0 {
                let is_new = read.insert((is_review, model.name()));
                let is_first = is_new && warmth == Warmth::Cold;
                count(amount, part, model, is_first.into());
            }
        }
    }
}

/// `first` is the number of calls that find nothing in the cache.
fn count(amount: &mut Amount, part: u64, model: &ModelSettings, first: u64) {
    let Some(cache) = model.cache.filter(|cache| part >= cache.least_tokens) else {
        return;
    };
    let first = amount.hundredths.min(first * 100);
    let again = amount.hundredths - first;
    amount.tokens.cached_input = part.saturating_mul(again) / 100;
    if cache.price_write != model.price_in {
        amount.tokens.cache_write = part.saturating_mul(first) / 100;
    }
    amount.cost_micros = amount.tokens.cost(model);
}
