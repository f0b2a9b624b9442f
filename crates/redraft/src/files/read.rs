//! Reading a file or standard input: only regular files, only up to a limit, and refused
//! before memory runs out.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

use redraft_banks::ArchiveError;
use redraft_banks::encoded::Contradiction;
use redraft_gate::format;
use redraft_report::plain;
use thiserror::Error;

use crate::store::StoreError;

/// The most bytes that are read, as configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of a document or a companion.
    pub document: u64,
    /// Of a bank, which is read item by item.
    pub bank: u64,
}

impl Limits {
    /// For what is only compared.
    pub const UNLIMITED: Self = Self {
        document: u64::MAX,
        bank: u64::MAX,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // The longest published lesson that was measured has half a megabyte. Analysing
            // a text takes up to fifty times its size in memory.
            document: 20_000_000,
            // A hundred thousand items have some sixty megabytes.
            bank: 200_000_000,
        }
    }
}

impl Limits {
    pub const DOCUMENT_KEY: &str = "max-input-bytes";
    pub const BANK_KEY: &str = "max-bank-bytes";

    /// The limit of a file by its name, before it is opened.
    #[must_use]
    pub fn of(&self, path: &Path) -> u64 {
        let extension = path
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or_default();
        if path.as_os_str() == "-" || format::may_be_bank(extension) {
            self.bank.max(self.document)
        } else {
            self.document
        }
    }

    fn too_large(&self, limit: u64) -> ReadError {
        let key = if limit == self.document {
            Self::DOCUMENT_KEY
        } else {
            Self::BANK_KEY
        };
        ReadError::TooLarge { limit, key }
    }
}

/// Whether bytes are read item by item: a list, or an object a line.
fn is_bank(path: &Path, bytes: &[u8]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = extension.unwrap_or_default();
    let is_lines = format::may_be_bank(extension) && !extension.eq_ignore_ascii_case("json");
    let start = bytes
        .iter()
        .position(|byte| !byte.is_ascii_whitespace() && !matches!(byte, 0xEF | 0xBB | 0xBF))
        .unwrap_or_default();
    let rest = bytes.get(start..).unwrap_or_default();
    let second_line = rest.iter().position(|byte| *byte == b'\n');
    let has_lines = second_line.is_some_and(|end| rest.get(end + 1) == Some(&b'{'));
    is_lines || rest.first() == Some(&b'[') || rest.first() == Some(&b'{') && has_lines
}

/// Why a file was not read.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("not a regular file but {0}; pipe its content to redraft and name `-`")]
    NotAFile(&'static str),
    #[error(
        "larger than {limit} bytes, the limit for {}; raise `{key}` under [limits] in redraft.toml if this is intended",
        if *key == Limits::BANK_KEY { "banks" } else { "documents" }
    )]
    TooLarge { limit: u64, key: &'static str },
    #[error("a row of a store: {0}")]
    Packed(StoreError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error(
        "invalid {named} at byte {at}; save the file as {named}, or name its real encoding in the first line"
    )]
    WrongEncoding { named: String, at: usize },
}

impl From<Contradiction> for ReadError {
    fn from(found: Contradiction) -> Self {
        Self::WrongEncoding {
            named: plain::words(&found.named).into_owned(),
            at: found.at,
        }
    }
}

/// Not as its source, which would be told a second time.
impl From<StoreError> for ReadError {
    fn from(error: StoreError) -> Self {
        Self::Packed(error)
    }
}

impl ReadError {
    /// Whether the file could be read, but is not one that redraft reads.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Io(_))
    }
}

/// The bytes of a file, or of standard input for `-`.
///
/// # Errors
/// When it is no regular file, larger than the limit, or cannot be read.
pub fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    if path.as_os_str() == "-" {
        return all_of(io::stdin().lock(), path, limits, 0);
    }
    // Looked at before it is opened: opening a named pipe waits for a writer.
    let metadata = fs::metadata(path)?;
    if let Some(kind) = other_kind(metadata.file_type()) {
        return Err(ReadError::NotAFile(kind));
    }
    let limit = limits.of(path);
    if metadata.len() > limit {
        return Err(limits.too_large(limit));
    }
    all_of(File::open(path)?, path, limits, metadata.len())
}

/// The same, as text in UTF-8.
///
/// # Errors
/// Also when it is not UTF-8.
pub fn read_text(path: &Path, limits: &Limits) -> Result<String, ReadError> {
    let bytes = read(path, limits)?;
    String::from_utf8(bytes)
        .map_err(|_| ReadError::Io(io::Error::new(io::ErrorKind::InvalidData, "not UTF-8")))
}

/// All that a reader gives: as much as a document may have, and more only of a bank.
fn all_of(
    mut reader: impl Read,
    path: &Path,
    limits: &Limits,
    expected: u64,
) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    let mut more_up_to = |bytes: &mut Vec<u8>, limit: u64| {
        let room = limit.saturating_add(1).saturating_sub(bytes.len() as u64);
        reader.by_ref().take(room).read_to_end(bytes)?;
        Ok::<bool, io::Error>(bytes.len() as u64 > limit)
    };
    if !more_up_to(&mut bytes, limits.document)? {
        return Ok(bytes);
    }
    if !is_bank(path, &bytes) {
        return Err(limits.too_large(limits.document));
    }
    let limit = limits.bank.max(limits.document);
    if more_up_to(&mut bytes, limit)? {
        return Err(limits.too_large(limit));
    }
    Ok(bytes)
}

/// What something is that is not a regular file.
pub(super) fn other_kind(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
    }
    Some(if kind.is_dir() {
        "a folder"
    } else {
        "something else"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Limits = Limits {
        document: 20,
        bank: 80,
    };

    #[test]
    fn a_limit_holds_by_what_a_file_is() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content, expected) in [
            ("a.md", "exactly twenty bytes", None),
            ("a.md", "more than twenty bytes", Some(Limits::DOCUMENT_KEY)),
            (
                "a.json",
                "{\"intro\": \"long enough\"}",
                Some(Limits::DOCUMENT_KEY),
            ),
            ("a.json", "[{\"stem\": 1}, {\"stem\": 2}]", None),
            ("a.jsonl", "{\"stem\": 1} and then some more", None),
            ("a.json", "{\"stem\": 1}\n{\"stem\": 2}\n", None),
            ("b.jsonl", &"x".repeat(81), Some(Limits::BANK_KEY)),
        ] {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            let refused = match read(&path, &SMALL) {
                Ok(bytes) => {
                    assert_eq!(bytes, content.as_bytes());
                    None
                }
                Err(ReadError::TooLarge { key, .. }) => Some(key),
                Err(error) => panic!("{error}"),
            };
            assert_eq!(refused, expected, "{name}: {content}");
        }
    }

    #[test]
    fn an_endless_input_is_refused() {
        for (byte, expected) in [(b'a', Limits::DOCUMENT_KEY), (b'[', Limits::BANK_KEY)] {
            let endless = all_of(io::repeat(byte), Path::new("-"), &SMALL, 0);
            assert!(matches!(endless, Err(ReadError::TooLarge { key, .. }) if key == expected));
        }
    }
}
