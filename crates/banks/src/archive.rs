//! Files that hold a bank packed: QTI packages (zip, imscc) and Excel workbooks. They are
//! read as a text, on which everything else works, and a package takes the text back.

mod numbers;
mod package;
mod unread;
mod workbook;
mod zip;

use thiserror::Error;

pub use unread::{named as unread_name, without_marks};

/// Why an archive is not read or not written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ArchiveError {
    #[error("the archive is damaged: {0} cannot be read; export it again")]
    Damaged(&'static str),
    #[error(
        "the archive is damaged: `{0}` in it does not unpack to what it should; export it again"
    )]
    DamagedMember(String),
    #[error("`{0}` in the archive is password-protected; export it without a password")]
    Encrypted(String),
    #[error(
        "`{0}` in the archive would be unpacked outside its folder; such archives are not read"
    )]
    UnsafeName(String),
    #[error("the archive has two files named `{0}`; remove one of them")]
    SameName(String),
    #[error(
        "the directory of the archive and the header of `{0}` name different files; such archives are not read"
    )]
    TwoNames(String),
    #[error("`{0}` in the archive shares its bytes with another file; such archives are not read")]
    Overlapping(String),
    #[error(
        "`{0}` in the archive uses an unsupported compression method; pack it again as a plain zip"
    )]
    Method(String),
    #[error(
        "the archive unpacks to more than {0} bytes; raise `max-bank-bytes` under [limits] in redraft.toml if this is intended"
    )]
    TooLarge(u64),
    #[error("zip64 archives are not supported; pack it again as a plain zip")]
    Zip64,
    #[error("multi-volume archives are not supported; pack it again as one file")]
    Volumes,
    #[error("no questions in the archive, but another archive `{0}`; unpack that and name it")]
    Nested(String),
    #[error(
        "`{0}` in the archive is not in the encoding that it names, or in one that cannot be written back"
    )]
    Encoding(String),
    #[error("`{0}` in the archive already contains redraft markers")]
    Marked(String),
    #[error("the changed text no longer has the file `{0}`")]
    LostMember(String),
    #[error(
        "the changed text has characters that the encoding of `{0}` cannot write; save it as UTF-8 first"
    )]
    Unencodable(String),
    #[error(
        "no sheet of the workbook has columns for a question and two options; name them with --columns, or convert it to CSV"
    )]
    NoTable,
    #[error(
        "the cell {0} of the workbook has no value: a formula that was never computed, or one with an error; open it in a spreadsheet, fix it and save it again"
    )]
    NoValue(String),
    #[error("`{0}` in the archive is a link to another file; such archives are not read")]
    Link(String),
    #[error(
        "no QTI in the archive, but `{0}`, which is a question bank itself; unpack it and name that"
    )]
    OtherBank(String),
    #[error(
        "cannot write Excel workbooks; write to a CSV file with -o FILE.csv, or use `redraft convert`"
    )]
    ReadOnly,
}

/// What an archive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveKind {
    /// Questions in QTI, with what belongs to them.
    Package,
    Workbook,
}

/// The bank in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    pub kind: ArchiveKind,
    /// The questions: QTI, or a table with commas.
    pub text: String,
}

/// The bank in an archive; `None` if these bytes are not an archive, or hold no bank.
///
/// # Errors
/// When the archive is damaged, made to deceive or too large.
pub fn unpack(bytes: &[u8], most: u64) -> Result<Option<Unpacked>, ArchiveError> {
    if !zip::is_zip(bytes) {
        return Ok(None);
    }
    let archive = zip::Archive::read(bytes)?;
    if workbook::is_workbook(&archive) {
        return workbook::text(&archive, most).map(|text| {
            Some(Unpacked {
                kind: ArchiveKind::Workbook,
                text,
            })
        });
    }
    let text = package::text(&archive, most)?;
    Ok(text.map(|text| Unpacked {
        kind: ArchiveKind::Package,
        text,
    }))
}

/// The archive with a changed text of its questions; every file without a change stays as
/// it is, byte for byte.
///
/// # Errors
/// When the text does not fit the archive, or is a workbook's.
pub fn pack(bytes: &[u8], text: &str, most: u64) -> Result<Vec<u8>, ArchiveError> {
    let archive = zip::Archive::read(bytes)?;
    if workbook::is_workbook(&archive) {
        return Err(ArchiveError::ReadOnly);
    }
    package::with_text(&archive, text, most)
}

#[cfg(test)]
mod tests;
