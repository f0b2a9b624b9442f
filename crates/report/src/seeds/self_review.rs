//! The self-review in the fields of seed 001.

use redraft_gate::review::{self, Status};
use redraft_run::outcome::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

use super::context::SeedContext;

/// The result of the self-review.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[schemars(title = "self_review.json")]
pub struct SelfReviewResponse {
    /// What happens next.
    pub status: Status,
    /// Why, in at most two sentences.
    pub reasoning: String,
    /// What was found.
    pub issues: Vec<review::Issue>,
    /// With `FIXED`: the whole text after the fixes; else `null`.
    pub patched_content: Option<String>,
}

pub(super) fn response(outcome: &Outcome, context: &SeedContext) -> SelfReviewResponse {
    let review = &outcome.self_review;
    SelfReviewResponse {
        status: review.status,
        reasoning: review.reasoning.clone(),
        issues: review.issues.clone(),
        patched_content: context
            .patched
            .clone()
            .filter(|_| review.status == Status::Fixed),
    }
}
