//! Checks for every profile, and their parameters.

pub mod checks;
mod home_script;
pub(crate) mod prose;
pub(crate) mod readability;
mod taught_language;

use std::sync::OnceLock;

use redraft_gate::check::Check;
use redraft_gate::policy::Parameters;

pub use checks::CHECKS;

use crate::policy_file;

/// The parameters of the shared checks, read once from `policy.toml`.
pub fn parameters() -> &'static Parameters {
    static PARAMETERS: OnceLock<Parameters> = OnceLock::new();
    PARAMETERS.get_or_init(|| {
        // The file is part of the program; the conformance test reads it too and
        // fails where this would fall back.
        policy_file::parameters(include_str!("policy.toml")).unwrap_or_default()
    })
}

/// The shared checks and a profile's own, by code.
pub(crate) fn with(own: &[&'static Check]) -> Vec<&'static Check> {
    let mut all = [CHECKS, own].concat();
    all.sort_by_key(|check| check.code);
    all
}
