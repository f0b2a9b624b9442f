//! Whether the reference data is there. It is not part of the repository, and
//! tests that need it pass without it, so somebody has to say so.

use std::env;
use std::path::PathBuf;

use crate::process::Repository;

/// One line: where the reference data is, or that it is missing.
pub(crate) fn describe(repository: &Repository) -> String {
    let beside = repository.path("../shared/data");
    let named = env::var_os("REDRAFT_DATA").map(PathBuf::from);
    match named.unwrap_or(beside) {
        folder if folder.is_dir() => format!("reference data: {}", folder.display()),
        folder => format!(
            "reference data: none at {}; tests that need it skip themselves (set REDRAFT_DATA)",
            folder.display()
        ),
    }
}
