//! Those who are asked. The rest of the program knows only the trait.
//!
//! ```text
//! providers ─ call ─┬─ openai ──┐
//!             │     ├─ anthropic ├─ heard ─ reply
//!             │     └─ gemini ──┘
//!             └─ failure: what went wrong, in words
//! ```

mod anthropic;
mod call;
pub mod connection;
mod failure;
#[cfg(test)]
mod fixtures;
mod gemini;
mod heard;
pub mod limits;
mod openai;
pub mod providers;
mod quirks;
pub mod recording;
mod request;
pub mod scripted;
mod sse;

use redraft_run::ask::{Ask, CallFailure, Reply};

use crate::clock::Boxed;

/// Somebody who answers.
pub trait Model: Send + Sync {
    /// Asks. Dropping the future gives the call up.
    fn ask(&self, ask: &Ask) -> Boxed<Result<Reply, CallFailure>>;
}
