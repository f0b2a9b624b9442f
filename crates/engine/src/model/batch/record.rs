//! The record of a submitted batch: its id and its requests. It is written before anything waits
//! for the batch, so that a killed run finds its batch again and pays for nothing twice.
//!
//! A record contains no address and no key: a batch is only looked up at the configured provider,
//! and its answers are matched by the hashes of the questions. A forged record leads to a batch of
//! the user's own account, or to none.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::wire::is_id;

/// Providers keep results for a month; what nobody asked for by then is left.
const LIFETIME: Duration = Duration::from_secs(30 * 24 * 3_600);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) provider: String,
    pub(super) host: String,
    /// The provider's id of the batch; `None` while it is being submitted.
    pub(super) batch: Option<String>,
    /// The provider's id of the file of its requests, where it takes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    pub(super) requests: Vec<String>,
}

impl Record {
    fn path(&self, folder: &Path) -> PathBuf {
        let first = self.requests.first().map_or("none", String::as_str);
        folder.join(format!("batch-{first}.json"))
    }

    /// Writes it atomically, and waits until it is on disk.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let path = self.path(folder);
        let temporary = path.with_extension("json.tmp");
        let mut file = fs::File::create(&temporary)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        fs::rename(&temporary, &path)
    }

    pub(super) fn remove(&self, folder: &Path) {
        // If removing fails, the batch is looked up once more, at no cost.
        let _ = fs::remove_file(self.path(folder));
    }

    /// The records of a provider. Old and unreadable ones are left out.
    pub(super) fn all(folder: &Path, provider: &str, host: &str) -> Vec<Self> {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
        paths.sort();
        let is_old = |path: &Path| {
            let changed = fs::metadata(path).and_then(|about| about.modified());
            let age = changed.map(|changed| SystemTime::now().duration_since(changed));
            matches!(age, Ok(Ok(age)) if age > LIFETIME)
        };
        let is_record = |path: &&PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("batch-") && name.ends_with(".json"))
        };
        paths
            .iter()
            .filter(is_record)
            .filter_map(|path| {
                if is_old(path) {
                    let _ = fs::remove_file(path);
                    return None;
                }
                let record: Self = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
                let is_ours = record.provider == provider && record.host == host;
                let is_sound = record.batch.as_deref().is_none_or(is_id);
                (is_ours && is_sound).then_some(record)
            })
            .collect()
    }
}
