//! Makes a client of the assigned models.

use std::sync::Arc;
use std::time::Duration;

use redraft_engine::model::Model;
use redraft_engine::model::batch::BatchSettings;
use redraft_engine::model::connection::Connection;
use redraft_engine::model::limits::ProcessLimits;
use redraft_engine::model::providers::{Providers, Timeouts};

use super::resolve::Resolved;

/// One client for all assigned models, with the timeouts and limits of the file.
///
/// # Errors
/// If no client can be made for one of the providers.
pub fn providers(resolved: &Resolved) -> anyhow::Result<Arc<dyn Model>> {
    with_more(resolved, Vec::new(), None)
}

/// The same, with more providers that only some languages need, and in batches where these
/// are wanted.
///
/// # Errors
/// If no client can be made for one of the providers.
pub fn with_more(
    resolved: &Resolved,
    more: Vec<Connection>,
    batches: Option<&BatchSettings>,
) -> anyhow::Result<Arc<dyn Model>> {
    let limits = &resolved.limits;
    let patience = Timeouts {
        deadline: Duration::from_secs(limits.seconds_per_call),
        stall: Duration::from_secs(limits.stall_seconds),
        ..Timeouts::default()
    };
    let local = Timeouts {
        deadline: Duration::from_secs(limits.local_seconds_per_call),
        stall: Duration::from_secs(limits.local_stall_seconds),
        ..patience
    };
    let providers = Providers::new([resolved.connections(), more].concat(), patience)?
        .with_local_timeouts(local);
    let providers = providers.with_limits(ProcessLimits {
        tokens: limits.tokens_per_process,
        cost: limits.cost_per_process,
    });
    Ok(Arc::new(match batches {
        Some(settings) => providers.with_batches(settings),
        None => providers,
    }))
}
