//! What prompt caches change in a forecast: the constant part of a prompt (its system
//! half and the form of the answer) is read from the cache by every call but the first.
//!
//! | case | the first call of a model about a kind of prompt | every other |
//! |---|---|---|
//! | best, typical | written to the cache, or read from it if an earlier document warmed it | read from it |
//! | worst | as it is reserved: nothing read, everything written | the same |
//!
//! Only judges and the self-reviewer are counted: no other constant part is as long as a
//! cache asks for.

use std::collections::{BTreeMap, BTreeSet};

use super::measure::Measure;
use super::{Amount, Stage, StageEstimate};
use crate::ask::{ModelSettings, Role, Schema};
use crate::prompt::PromptError;
use crate::request::Task;
use crate::{self_review, verdict};

/// The tokens of the parts of prompts that are the same for all documents.
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

/// Whether an earlier document has been judged by the same models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warmth {
    Cold,
    Warm,
}

impl Measure<'_> {
    /// The tokens of the constant parts of prompts.
    ///
    /// # Errors
    /// When a template cannot be rendered.
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

/// Counts what caches save in the best and the typical case of stages.
pub fn count_caches(
    stages: &mut [StageEstimate],
    constant: ConstantParts,
    models: &BTreeMap<Role, ModelSettings>,
    warmth: Warmth,
) {
    let amounts: [fn(&mut StageEstimate) -> &mut Amount; 2] =
        [|stage| &mut stage.best, |stage| &mut stage.typical];
    for amount in amounts {
        // What a model has read: the self-reviewer's prompt and a judge's are two.
        let mut read = BTreeSet::new();
        for stage in &mut *stages {
            let part = constant.of(stage.stage);
            // The calls of these cases are all of the first model.
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

/// `first`: how many of the calls find nothing in the cache.
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
