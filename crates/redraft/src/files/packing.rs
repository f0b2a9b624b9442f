//! Files whose content is packed: question banks in archives, workbooks and encodings other
//! than UTF-8, and rows of a store. Everything else works on the content as a text in UTF-8;
//! what is written goes back into the form that the file came in.
//!
//! | file | content | written back |
//! |---|---|---|
//! | zip, imscc with QTI | its questions, file after file | into their files; all others stay |
//! | xlsx | its sheets as a table with commas | no; `-o FILE.csv` |
//! | a bank in another encoding | its text | in that encoding |
//! | a row of a store | its cards | no; `redraft export` |
//! | anything else | itself | itself |

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context as _, bail};
use redraft_banks::{ArchiveKind, encoded};
use redraft_report::plain;

use super::read::{Limits, ReadError, read};
use crate::store;

/// Standard input as it came, if its content was packed: it cannot be read again.
static STANDARD_INPUT: OnceLock<Vec<u8>> = OnceLock::new();

/// The content of a file, or of standard input for `-`.
///
/// # Errors
/// When it cannot be read, or not be unpacked.
pub fn content(path: &Path, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let bytes = read(path, limits)?;
    match unpacked(path, &bytes, limits)? {
        Some(content) => {
            if path.as_os_str() == "-" {
                let _ = STANDARD_INPUT.set(bytes);
            }
            Ok(content)
        }
        None => Ok(bytes),
    }
}

/// The content of packed bytes; `None` where they are the content.
///
/// # Errors
/// When they cannot be unpacked.
pub fn unpacked(path: &Path, bytes: &[u8], limits: &Limits) -> Result<Option<Vec<u8>>, ReadError> {
    let most = limits.bank.max(limits.document);
    if let Some(archive) = redraft_banks::unpack(bytes, most)? {
        return Ok(Some(archive.text.into_bytes()));
    }
    if matches!(extension(path).as_str(), "xml" | "qti")
        && let Some(contradiction) = encoded::contradiction(bytes)
    {
        return Err(contradiction.into());
    }
    if let Some(text) = in_other_encoding(path, bytes) {
        return Ok(Some(text.into_bytes()));
    }
    store::unpacked(bytes, limits.document).map_err(ReadError::Packed)
}

/// The text of a bank that is not in UTF-8.
fn in_other_encoding(path: &Path, bytes: &[u8]) -> Option<String> {
    if std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let is_bank_by_name = match extension(path).as_str() {
        "gift" | "aiken" | "xml" | "qti" | "csv" | "tsv" | "tab" => true,
        "txt" | "text" | "" => false,
        _ => return None,
    };
    let text = encoded::decode(bytes)?;
    (is_bank_by_name || redraft_banks::detect(&text).is_some()).then_some(text)
}

/// Packs a changed content like the file that it came from.
///
/// # Errors
/// When such files are not written, or cannot hold the content.
pub fn packed(path: &Path, original: &[u8], content: &[u8]) -> anyhow::Result<Vec<u8>> {
    let most = u64::MAX;
    if redraft_banks::unpack(original, most).is_ok_and(|archive| archive.is_some()) {
        let text = std::str::from_utf8(content).context("the changed text is not UTF-8")?;
        return redraft_banks::pack(original, text, most)
            .with_context(|| format!("cannot write {}", shown(path)));
    }
    if in_other_encoding(path, original).is_some() {
        let text = std::str::from_utf8(content).context("the changed text is not UTF-8")?;
        return encoded::encode_like(original, text).with_context(|| {
            format!(
                "{} was not written: the new text has characters that its encoding does not have; convert it to UTF-8 first with `redraft convert`",
                shown(path)
            )
        });
    }
    if store::unpacked(original, u64::MAX).is_ok_and(|row| row.is_some()) {
        bail!(
            "{} is a row of a store; write the cards to another file with -o FILE, and pack them with `redraft export`",
            shown(path)
        );
    }
    Ok(content.to_vec())
}

/// A content as it is written to another file or to standard output: packed like the file
/// that it came from, if there is one.
///
/// # Errors
/// When the other file cannot be of that kind.
pub fn for_output(from: &Path, to: &Path, content: &[u8]) -> anyhow::Result<Vec<u8>> {
    let original = match from.as_os_str() == "-" {
        true => STANDARD_INPUT.get().cloned(),
        false => fs::read(from).ok(),
    };
    let Some(original) = original else {
        return Ok(content.to_vec());
    };
    let archive = redraft_banks::unpack(&original, u64::MAX).ok().flatten();
    let ending = extension(to);
    match archive.map(|archive| archive.kind) {
        Some(ArchiveKind::Package) => {
            if !matches!(ending.as_str(), "zip" | "imscc" | "") {
                bail!(
                    "{} is a package; name a .zip or .imscc file with -o, or use `redraft convert`",
                    shown(from)
                );
            }
            packed(from, &original, content)
        }
        Some(ArchiveKind::Workbook) if ending == "xlsx" => {
            bail!("cannot write Excel workbooks; name a .csv file with -o")
        }
        Some(ArchiveKind::Workbook) => table_of_workbook(content),
        None if in_other_encoding(from, &original).is_some() => packed(from, &original, content),
        None => Ok(content.to_vec()),
    }
}

/// The table of a workbook as it is written: without the marks of what was not read.
///
/// # Errors
/// When it is not UTF-8.
pub fn table_of_workbook(content: &[u8]) -> anyhow::Result<Vec<u8>> {
    let table = std::str::from_utf8(content).context("the changed text is not UTF-8")?;
    Ok(redraft_banks::without_marks(table).as_bytes().to_vec())
}

fn extension(path: &Path) -> String {
    path.extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
        .to_lowercase()
}

fn shown(path: &Path) -> String {
    plain::path(&path.to_string_lossy()).into_owned()
}
