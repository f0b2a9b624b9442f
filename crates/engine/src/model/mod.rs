//! Models: over HTTP, from a recording or from a script. The rest of the program only knows the
//! trait.
//!
//! ```text
//! providers ─ call ─┬─ openai ────┬─ request, stream_state
//!             │     ├─ anthropic ─┤
//!             │     └─ gemini ────┘
//!             ├─ batch: many asks at half the price, within a day
//!             └─ failure: what went wrong, as a message
//! ```

mod anthropic;
pub mod batch;
mod cache_key;
mod call;
mod calling;
pub mod connection;
mod failure;
#[cfg(test)]
pub(crate) mod fixtures;
mod gemini;
pub mod limits;
mod openai;
pub mod prices;
mod provider;
pub mod providers;
mod quirks;
pub mod recording;
mod request;
pub mod reuse;
pub mod scripted;
mod sse;
mod stream_state;
mod warm_up;

use redraft_run::ask::{Ask, CallFailure, Reply};

use crate::clock::BoxFuture;

pub trait Model: Send + Sync {
    /// Dropping the future cancels the call.
    fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>>;

    /// Stores a reply that gave a credible verdict, so that it can be reused.
    fn keep(&self, _ask: &Ask, _reply: &Reply) {}
}
