//! Those who are asked. The rest of the program knows only the trait.

pub mod connection;
pub mod scripted;

use redraft_core::ask::{Ask, CallFailure, Reply};

use crate::clock::Boxed;

/// Somebody who answers.
pub trait Model: Send + Sync {
    /// Asks. Dropping the future gives the call up.
    fn ask(&self, ask: &Ask) -> Boxed<Result<Reply, CallFailure>>;
}
