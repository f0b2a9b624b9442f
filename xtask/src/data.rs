//! Whether the reference data is there. It is not part of the repository, and tests
//! that need it pass without it, so this step says so: a skip, which fails where
//! `REDRAFT_REQUIRE_ALL` is set.

use std::env;
use std::path::PathBuf;

use crate::process::Repository;
use crate::steps::Outcome;

pub(crate) fn look(repository: &Repository) -> Outcome {
    let beside = repository.path("../shared/data");
    let named = env::var_os("REDRAFT_DATA").map(PathBuf::from);
    match named.unwrap_or(beside) {
        folder if folder.is_dir() => Outcome::RanBut(folder.display().to_string()),
        folder => Outcome::Skipped(format!(
            "no folder {}; tests that need it skip themselves (set REDRAFT_DATA)",
            folder.display()
        )),
    }
}
