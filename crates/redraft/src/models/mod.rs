//! Which models are assigned to which role: worked out from `redraft.toml`, the
//! environment, or a local Ollama server.
//!
//! `resolve` puts the file and the environment together, `self_preference` keeps
//! writer and judge apart, `connect` makes a client of the result, `test_call`
//! calls each model once, `judge_test` shows whether a judge can judge, `listing` is the
//! output of `redraft models`. Nothing here
//! decides about a text, and no key leaves a
//! [`Secret`](redraft_engine::model::connection::Secret).

mod assignment;
pub mod connect;
mod environment;
pub mod family;
pub mod judge_listing;
pub mod judge_questions;
pub mod judge_results;
pub mod judge_test;
pub mod listing;
pub mod ollama;
pub mod presets;
mod provider;
mod resolve;
mod self_preference;
pub mod test_call;

pub use assignment::{AssignedModels, ModelInfo, Origin, Origins};
pub use environment::Environment;
pub(crate) use provider::is_loopback;
pub use provider::{KeySource, Provider};
pub use resolve::{Limits, Problem, Resolved, resolve};
pub use self_preference::SelfPreference;
