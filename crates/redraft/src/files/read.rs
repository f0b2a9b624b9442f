//! Reading a file or standard input: only regular files, only up to a limit, and refused
//! before memory runs out.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

/// The most bytes that are read, as configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of a document or a companion.
    pub document: u64,
    /// Of a bank, which is read item by item.
    pub bank: u64,
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
        let may_be_bank = path.as_os_str() == "-"
            || ["json", "jsonl", "ndjson"]
                .iter()
                .any(|known| known.eq_ignore_ascii_case(extension));
        if may_be_bank {
            self.bank.max(self.document)
        } else {
            self.document
        }
    }

    /// Fails if bytes that were read are too many for what they are.
    ///
    /// # Errors
    /// When a document that is not a bank is above the limit.
    pub fn check(&self, path: &Path, bytes: &[u8]) -> Result<(), ReadError> {
        let is_above = bytes.len() as u64 > self.document;
        if is_above && !is_bank(path, bytes) {
            return Err(ReadError::TooLarge {
                limit: self.document,
                key: Self::DOCUMENT_KEY,
            });
        }
        Ok(())
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
    let is_lines = path
        .extension()
        .is_some_and(|extension| extension == "jsonl" || extension == "ndjson");
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
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("not a regular file but {0}; pipe its content in and name `-`")]
    NotAFile(&'static str),
    #[error(
        "larger than {limit} bytes, the limit for {}; raise `{key}` under [limits] in redraft.toml if it is meant to be",
        if *key == Limits::BANK_KEY { "banks" } else { "documents" }
    )]
    TooLarge { limit: u64, key: &'static str },
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
    let limit = limits.of(path);
    let bytes = if path.as_os_str() == "-" {
        up_to(io::stdin().lock(), limit, 0)?
    } else {
        // Looked at before it is opened: opening a named pipe waits for a writer.
        let metadata = fs::metadata(path)?;
        if let Some(kind) = other_kind(metadata.file_type()) {
            return Err(ReadError::NotAFile(kind));
        }
        if metadata.len() > limit {
            return Err(limits.too_large(limit));
        }
        up_to(File::open(path)?, limit, metadata.len())?
    };
    let Some(bytes) = bytes else {
        return Err(limits.too_large(limit));
    };
    limits.check(path, &bytes)?;
    Ok(bytes)
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

/// All that a reader gives; `None` if that is more than the limit.
fn up_to(reader: impl Read, limit: u64, expected: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    reader
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
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
        document: 10,
        bank: 40,
    };

    #[test]
    fn a_limit_holds_by_what_a_file_is() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content, expected) in [
            ("a.md", "ten bytes.", None),
            ("a.md", "more than ten", Some(Limits::DOCUMENT_KEY)),
            (
                "a.json",
                "{\"intro\": \"long\"}",
                Some(Limits::DOCUMENT_KEY),
            ),
            ("a.json", "[{\"stem\": 1}, {}]", None),
            ("a.jsonl", "{\"stem\": 1} and more", None),
            ("a.json", "{\"stem\": 1}\n{\"stem\": 2}\n", None),
            ("b.jsonl", &"x".repeat(41), Some(Limits::BANK_KEY)),
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
    fn more_than_the_limit_is_never_kept() {
        assert_eq!(up_to(io::repeat(b'a'), 100, 0).unwrap(), None);
        assert_eq!(up_to(&b"abc"[..], 3, 0).unwrap(), Some(b"abc".to_vec()));
    }
}
