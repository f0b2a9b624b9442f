//! Files that were not read, the same for every command: why, and how that is listed.

use std::path::Path;

use redraft_report::check_report::SkippedFile;

use super::output::shown;
use crate::config::Config;
use crate::files::{ContentFile, ReadError};
use crate::inspection::{FileInspection, Inspector, Unreadable, path_text};

/// Why a file was not read.
pub(super) enum Reason {
    /// The file itself, before its content was looked at.
    Read(ReadError),
    /// Its content.
    Content(Unreadable),
}

impl Reason {
    /// Whether it is not a file that redraft reads, rather than one that cannot be read.
    pub(super) fn is_refusal(&self) -> bool {
        match self {
            Self::Read(error) => error.is_refusal(),
            Self::Content(_) => true,
        }
    }

    /// The reason in a list of files.
    pub(super) fn in_short(&self) -> String {
        match self {
            Self::Read(error) => error.to_string(),
            Self::Content(unreadable) => unreadable.in_short(),
        }
    }

    /// The reason as an error about a file that was named.
    pub(super) fn sentence(&self, path: &Path) -> String {
        let path = shown(path);
        match self {
            Self::Read(error @ ReadError::Io(_)) => format!("cannot read {path}: {error}"),
            Self::Read(error) => format!("{path}: {error}"),
            Self::Content(unreadable) => format!("{path}: {unreadable}"),
        }
    }
}

/// Reads and inspects a file.
pub(super) fn inspect(inspector: &Inspector, file: &ContentFile) -> Result<FileInspection, Reason> {
    let limits = inspector.config.limits();
    let bytes = file.read(&limits).map_err(Reason::Read)?;
    let inspection = inspector.inspect(&file.path, bytes);
    inspection.map_err(Reason::Content)
}

/// The entry of a file that was not read: the finding `unread-file`, as severe as the
/// configuration says.
pub(super) fn skipped(config: &Config, path: &Path, reason: String) -> SkippedFile {
    SkippedFile {
        path: path_text(path),
        reason,
        severity: config.unread_severity(path),
    }
}
