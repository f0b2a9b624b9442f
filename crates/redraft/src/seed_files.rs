//! The seed-shaped results as files in a folder (`--seed-report`).

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use redraft_report::seeds::{Seed, attempt_name};

use crate::files::{self, HardLinks};

/// Writes each shape as a file, atomically; a prefix distinguishes several documents.
/// Attempts that an earlier run left beyond the last one of this run are removed.
///
/// # Errors
/// When the folder cannot be created or a file cannot be written.
pub fn write(seed: &Seed, folder: &Path, prefix: Option<&str>) -> anyhow::Result<Vec<PathBuf>> {
    let path = |name: &str| match prefix {
        Some(prefix) => folder.join(format!("{prefix}.{name}.json")),
        None => folder.join(format!("{name}.json")),
    };
    if let Some(first) = seed.first_stale_attempt() {
        let later = (first..).map(|number| path(&attempt_name(number)));
        for stale in later.take_while(|path| path.exists()) {
            std::fs::remove_file(&stale)
                .with_context(|| format!("cannot remove {}", stale.display()))?;
        }
    }
    let mut written = Vec::new();
    for (name, text) in seed.files()? {
        let path = path(&name);
        files::put(&path, text.as_bytes(), HardLinks::Refuse)?;
        written.push(path);
    }
    Ok(written)
}
