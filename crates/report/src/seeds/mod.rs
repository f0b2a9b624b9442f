//! The outcome in the shapes that existing pipelines read: the critic
//! result of Scottish cards, the review history of clinical items, and the
//! self-review, verdicts, plan and best effort of lessons.
//!
//! Nothing is decided or scored here. Every number is one of the outcome, or
//! follows from the printed ones; a missing score is `null`, with the reason.
//!
//! | profile | files |
//! |---|---|
//! | `sqa-lesson` | `critic_result.json`; where cards were repaired, `critic_result.1.json` and so on, one for each attempt |
//! | `clinical-mcq`, `mcq` | `review_history.json` |
//! | `lesson` | `self_review.json`, `judge_verdict.json`, `refinement_plan.json` where something is or was to be done, `best_effort.json` where it came to that |

pub mod best_effort;
mod context;
pub mod critic;
mod events;
pub mod heuristics;
mod judge_issue;
pub mod plan;
mod review_cycle;
pub mod review_history;
pub mod self_review;
mod shapes;
pub mod task;
pub mod validation;
pub mod verdicts;

pub use context::SeedContext;
pub use events::event;
pub use judge_issue::JudgeIssue;
pub use shapes::{Seed, attempt_name, prefixes};
