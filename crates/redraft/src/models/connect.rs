//! The one place where what was resolved becomes something that can be asked.

use std::sync::Arc;
use std::time::Duration;

use redraft_engine::model::Model;
use redraft_engine::model::connection::Connection;
use redraft_engine::model::limits::ProcessLimits;
use redraft_engine::model::providers::{Providers, Timeouts};

use super::resolve::Resolved;

/// Everybody who can be asked, behind one door. An ask finds its provider by
/// `ModelSettings::provider`; `resolved.connections()` says how each is reached,
/// `resolved.limits` how long is waited and what the process may spend.
///
/// # Errors
/// When no client can be made for one of them.
pub fn providers(resolved: &Resolved) -> anyhow::Result<Arc<dyn Model>> {
    with_more(resolved, Vec::new())
}

/// The same, with the providers that only some languages need.
///
/// # Errors
/// When no client can be made for one of them.
pub fn with_more(resolved: &Resolved, more: Vec<Connection>) -> anyhow::Result<Arc<dyn Model>> {
    let limits = &resolved.limits;
    let patience = Timeouts {
        deadline: Duration::from_secs(limits.seconds_per_call),
        stall: Duration::from_secs(limits.stall_seconds),
        ..Timeouts::default()
    };
    let providers = Providers::new([resolved.connections(), more].concat(), patience)?;
    Ok(Arc::new(providers.with_limits(ProcessLimits {
        tokens: limits.tokens_per_process,
        cost: limits.cost_per_process,
    })))
}
