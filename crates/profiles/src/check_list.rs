//! How a folder of checks is declared: the defaults of a declaration, and a macro
//! that declares modules and registry in one list, so that a file cannot be
//! forgotten in either. Knows nothing of what the checks look at.

use redraft_gate::check::{Check, Concern, Mends, Phase};
use redraft_gate::finding::Severity;

/// What most declarations have in common, for `..DEFAULTS`.
pub(crate) const DEFAULTS: Check = Check {
    code: "",
    name: "",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "",
    what: "",
    why: "",
    examples: &[],
    parameters: &[],
    caps: &[],
    run: |_, _| {},
};

/// Declares the modules of a folder of checks, `CHECKS` and `MODULES`.
macro_rules! checks {
    ($($module:ident)*) => {
        $(pub(super) mod $module;)*
        /// The checks of this folder, by code.
        pub static CHECKS: &[&redraft_gate::check::Check] = &[$(&$module::CHECK),*];
        /// The names of their modules, which are also the names of the checks.
        pub const MODULES: &[&str] = &[$(stringify!($module)),*];
    };
}

pub(crate) use checks;
