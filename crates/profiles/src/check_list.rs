//! How a folder of checks is put together. The macro declares the modules and
//! the registry in one list, so that a file cannot be forgotten in either. It
//! knows nothing of what the checks look at.

/// Declares the modules of a folder of checks, `CHECKS` and `MODULES`.
macro_rules! checks {
    ($($module:ident)*) => {
        $(mod $module;)*
        /// The checks of this folder, by code.
        pub static CHECKS: &[&redraft_gate::check::Check] = &[$(&$module::CHECK),*];
        /// The names of their modules, which are also the names of the checks.
        pub const MODULES: &[&str] = &[$(stringify!($module)),*];
    };
}

pub(crate) use checks;
