//! A package of questions, as Canvas, Blackboard and others export it: QTI in some files
//! of an archive, beside a manifest, settings and images.
//!
//! The files with questions are read one after the other as one text. A mark before each
//! says which it is, as a processing instruction, which readers of XML skip. Put back, only
//! files whose text changed are packed anew. Marks at the end name what was not read.

use crate::encoded;
use crate::marks::{MEMBER_MARK, UNREAD_MARK};
use crate::xml;

use super::zip::{Archive, Member};
use super::{ArchiveError, unread};

/// A file of a package with questions in it.
struct QuestionFile {
    name: String,
    mark: String,
    bytes: Vec<u8>,
    text: String,
}

/// The text of all questions; `None` if there are none.
pub(super) fn text(archive: &Archive<'_>, most: u64) -> Result<Option<String>, ArchiveError> {
    let parts = parts(archive, most)?;
    if parts.is_empty() {
        let nested = archive
            .members
            .iter()
            .find(|member| unread::is_nested(member));
        return match nested {
            Some(member) => Err(ArchiveError::Nested(member.name.clone())),
            None => match unread::first_bank(archive) {
                Some(name) => Err(ArchiveError::OtherBank(name)),
                None => Ok(None),
            },
        };
    }
    Ok(Some(joined(&parts) + &unread_marks(archive, &parts)))
}

/// The marks of all that is not read, the same whenever the archive is.
fn unread_marks(archive: &Archive<'_>, parts: &[QuestionFile]) -> String {
    let is_read = |member: &&Member| {
        let is_part = parts.iter().any(|part| part.name == member.name);
        is_part || is_second_copy(archive, member)
    };
    let others = archive.members.iter().filter(|member| !is_read(member));
    unread::marks(archive, others)
}

/// The archive with a changed text.
pub(super) fn with_text(
    archive: &Archive<'_>,
    text: &str,
    most: u64,
) -> Result<Vec<u8>, ArchiveError> {
    let parts = parts(archive, most)?;
    let mut changed = Vec::new();
    let marks = unread_marks(archive, &parts);
    let mut rest = text.strip_suffix(marks.as_str()).unwrap_or(text);
    for (index, part) in parts.iter().enumerate() {
        let lost = || ArchiveError::LostMember(part.name.clone());
        rest = rest.strip_prefix(part.mark.as_str()).ok_or_else(lost)?;
        let own = match parts.get(index + 1) {
            Some(next) => {
                let end = rest.find(&format!("\n{}", next.mark)).ok_or_else(lost)?;
                let own = rest.get(..end).ok_or_else(lost)?;
                rest = rest.get(end + 1..).ok_or_else(lost)?;
                own
            }
            None => rest.strip_suffix('\n').ok_or_else(lost)?,
        };
        if own != part.text {
            let bytes = encoded::encode_like(&part.bytes, own)
                .ok_or_else(|| ArchiveError::Unencodable(part.name.clone()))?;
            changed.push((part.name.clone(), bytes));
        }
    }
    archive.with(&changed)
}

fn joined(parts: &[QuestionFile]) -> String {
    let texts: Vec<String> = parts
        .iter()
        .map(|part| format!("{}{}\n", part.mark, part.text))
        .collect();
    texts.concat()
}

/// The files with questions, in the order of the archive's directory.
fn parts(archive: &Archive<'_>, most: u64) -> Result<Vec<QuestionFile>, ArchiveError> {
    let mut parts: Vec<QuestionFile> = Vec::new();
    let mut room = most;
    for member in &archive.members {
        if !may_hold_questions(&member.name) || is_second_copy(archive, member) {
            continue;
        }
        let too_large = |_| ArchiveError::TooLarge(most);
        let bytes = match archive.unpack(member, room) {
            Err(ArchiveError::TooLarge(left)) => return Err(too_large(left)),
            bytes => bytes?,
        };
        room = room.saturating_sub(bytes.len() as u64);
        let decoded = encoded::decode(&bytes);
        let Some(text) = decoded.filter(|_| encoded::contradiction(&bytes).is_none()) else {
            // Without questions it does not matter.
            if may_be_questions(&bytes) {
                return Err(ArchiveError::Encoding(member.name.clone()));
            }
            continue;
        };
        if !xml::root(&text).is_some_and(|root| is_question_root(&root)) {
            continue;
        }
        if text.contains(MEMBER_MARK) || text.contains(UNREAD_MARK) {
            return Err(ArchiveError::Marked(member.name.clone()));
        }
        let name = member.name.replace(['?', '>', '<'], "_");
        parts.push(QuestionFile {
            name: member.name.clone(),
            mark: format!("{MEMBER_MARK}{} {name}?>\n", parts.len() + 1),
            bytes,
            text,
        });
    }
    Ok(parts)
}

/// Whether bytes in an unknown encoding may be questions: by their names, with or without
/// the zeros of UTF-16 between them.
fn may_be_questions(bytes: &[u8]) -> bool {
    let letters: Vec<u8> = bytes
        .iter()
        .filter(|byte| **byte != 0)
        .map(u8::to_ascii_lowercase)
        .collect();
    let letters = String::from_utf8_lossy(&letters);
    let names = ["questestinterop", "assessmentitem", "qti-assessment-item"];
    names.iter().any(|name| letters.contains(name))
}

fn may_hold_questions(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_manifest = name.ends_with("imsmanifest.xml");
    !is_manifest
        && [".xml", ".qti", ".dat"]
            .iter()
            .any(|ending| name.ends_with(ending))
}

/// Canvas writes the questions of a course twice: `ID/assessment_qti.xml` for others, and
/// `non_cc_assessments/ID.xml.qti`, which it reads itself.
fn is_second_copy(archive: &Archive<'_>, member: &Member) -> bool {
    member
        .name
        .strip_suffix("/assessment_qti.xml")
        .is_some_and(|id| {
            let own = format!("non_cc_assessments/{id}.xml.qti");
            archive.find(&own).is_some()
        })
}

fn is_question_root(name: &str) -> bool {
    matches!(
        name,
        "questestinterop" | "assessmentitem" | "qti-assessment-item"
    )
}
