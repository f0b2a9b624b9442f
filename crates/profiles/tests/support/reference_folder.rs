//! Where the reference data is, which is not part of the repository.

use std::path::{Path, PathBuf};

/// A folder of the reference data; `None`, with a message, where it is not at hand.
pub(crate) fn data(name: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("REDRAFT_DATA")
        .map_or(beside, PathBuf::from)
        .join(name);
    if folder.is_dir() {
        Some(folder)
    } else {
        eprintln!("skipped: no reference data ({name})");
        None
    }
}
