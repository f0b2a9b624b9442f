//! Files that several runs share, stored once under the hash of their bytes, in the folder `blobs`
//! beside the journals. A journal refers to a blob by its hash; loading a blob verifies it. Knows
//! nothing about the contents.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// Why a blob cannot be stored or loaded.
#[derive(Debug, Error)]
pub enum BlobError {
    /// The disk failed.
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    /// The file is gone.
    #[error("{path} is missing, and the run needs it; restore the file, or start a new run")]
    Missing { path: PathBuf },
    /// The file's content does not match its hash.
    #[error(
        "{path} was altered: its content does not match its name; restore the file, or delete it and start a new run"
    )]
    Altered { path: PathBuf },
    /// The journal names something that is not a hash.
    #[error("invalid hash `{hash}` in the journal; expected 64 hexadecimal digits")]
    InvalidHash { hash: String },
}

/// A folder of blobs.
#[derive(Clone, Debug)]
pub struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    /// The blobs that a journal refers to.
    #[must_use]
    pub fn of_journal(journal: &Path) -> Self {
        let runs = journal.parent().unwrap_or(Path::new(""));
        Self {
            folder: runs.join("blobs"),
        }
    }

    /// Stores bytes and returns their hash. An existing file is never overwritten, but must contain
    /// these bytes.
    ///
    /// # Errors
    /// If the disk fails or the file was altered.
    pub fn store(&self, bytes: &[u8]) -> Result<String, BlobError> {
        let hash = hash(bytes);
        let path = self.folder.join(&hash);
        let io = |source| BlobError::Io {
            path: path.clone(),
            source,
        };
        match fs::read(&path) {
            Ok(stored) if stored == bytes => return Ok(hash),
            Ok(_) => return Err(BlobError::Altered { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(io(error)),
        }
        fs::create_dir_all(&self.folder).map_err(io)?;
        write_whole(&self.folder, &path, bytes).map_err(io)?;
        Ok(hash)
    }

    /// The bytes with this hash.
    ///
    /// # Errors
    /// If the file is missing, altered or cannot be read.
    pub fn load(&self, hash: &str) -> Result<Vec<u8>, BlobError> {
        // A forged journal must not lead to a file elsewhere.
        if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(BlobError::InvalidHash {
                hash: hash.to_owned(),
            });
        }
        let path = self.folder.join(hash);
        let bytes = fs::read(&path).map_err(|source| {
            let path = path.clone();
            match source.kind() {
                io::ErrorKind::NotFound => BlobError::Missing { path },
                _ => BlobError::Io { path, source },
            }
        })?;
        if self::hash(&bytes) == hash {
            Ok(bytes)
        } else {
            Err(BlobError::Altered { path })
        }
    }
}

/// Writes a temporary file and renames it, so that a crash never leaves half a file.
pub(crate) fn write_whole(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".redraft-{}-{number}.tmp", std::process::id()));
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&temporary)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_data()
        })
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blobs() -> (tempfile::TempDir, Blobs) {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::of_journal(&folder.path().join("runs/run.jsonl"));
        (folder, blobs)
    }

    #[test]
    fn the_same_bytes_are_stored_once_and_never_rewritten() {
        let (_folder, blobs) = blobs();
        let source = vec![b'x'; 1 << 20];
        let hash = blobs.store(&source).unwrap();
        let path = blobs.folder.join(&hash);
        let written = || fs::metadata(&path).unwrap().modified().unwrap();
        let before = written();
        for _ in 0..110 {
            assert_eq!(blobs.store(&source).unwrap(), hash);
        }
        assert_eq!(written(), before);
        let other = blobs.store(b"").unwrap();
        assert_eq!(blobs.load(&hash).unwrap(), source);
        assert_eq!(blobs.load(&other).unwrap(), b"");
        // No temporary file is left.
        let mut names: Vec<String> = fs::read_dir(&blobs.folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let mut expected = [hash, other];
        expected.sort();
        assert_eq!(names, expected);
    }

    #[test]
    fn a_missing_or_altered_blob_is_an_error_that_names_the_file() {
        let (_folder, blobs) = blobs();
        let hash = blobs.store(b"Water boils at 100 degrees.").unwrap();
        let path = blobs.folder.join(&hash);
        for altered in ["Water boils at 90 degrees.", ""] {
            fs::write(&path, altered).unwrap();
            for error in [
                blobs.load(&hash).unwrap_err(),
                blobs.store(b"Water boils at 100 degrees.").unwrap_err(),
            ] {
                assert!(matches!(error, BlobError::Altered { .. }), "{error:?}");
                assert!(error.to_string().contains(&hash), "{error}");
            }
        }
        fs::remove_file(&path).unwrap();
        let error = blobs.load(&hash).unwrap_err();
        assert!(matches!(error, BlobError::Missing { .. }), "{error:?}");
        assert!(error.to_string().contains(&hash), "{error}");
    }

    #[test]
    fn only_a_hash_leads_to_a_file() {
        let (_folder, blobs) = blobs();
        for name in ["", "../run.jsonl", "abc", &"/".repeat(64)] {
            let error = blobs.load(name).unwrap_err();
            assert!(matches!(error, BlobError::InvalidHash { .. }), "{name}");
        }
    }
}
