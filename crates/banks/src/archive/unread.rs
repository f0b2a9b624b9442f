//! What an archive holds and nobody read, named by marks at the end of its text:
//!
//! | in the archive | mark |
//! |---|---|
//! | another archive, a workbook, a bank of another format | `<?redraft-unread NAME?>`, one each |
//! | any other document | one mark for all of them |
//! | a sheet without the columns of a bank, with text in it | `<?redraft-unread sheet NAME?>` |
//! | images, sounds, styles, settings, hidden files, the manifest | none |

use crate::encoded;
use crate::marks::UNREAD_MARK as MARK;

use super::zip::{Archive, Member};

/// What a mark ends with.
const MARK_END: &str = "?>";

/// How many files have a mark of their own, and how many are named in one.
const MOST: usize = 20;
const MOST_IN_ONE: usize = 5;

/// How much is unpacked to see whether it is a bank.
const ROOM: u64 = 20_000_000;

const ARCHIVES: [&str; 3] = [".zip", ".imscc", ".h5p"];
const WORKBOOKS: [&str; 2] = [".xlsx", ".ods"];
/// What may be a bank of another format, by its content.
const TEXTS: [&str; 9] = [
    ".xml", ".qti", ".dat", ".gift", ".aiken", ".csv", ".tsv", ".tab", ".txt",
];
/// What belongs to questions and is none.
const BESIDE: [&str; 26] = [
    ".xml", ".dat", ".xsd", ".dtd", ".css", ".js", ".png", ".jpg", ".jpeg", ".gif", ".svg",
    ".webp", ".bmp", ".tif", ".tiff", ".ico", ".mp3", ".mp4", ".m4a", ".wav", ".ogg", ".webm",
    ".woff", ".woff2", ".ttf", ".otf",
];

fn ends_with(member: &Member, endings: &[&str]) -> bool {
    let name = member.name.to_ascii_lowercase();
    endings.iter().any(|ending| name.ends_with(ending))
}

/// Whether a member is one of the files that programs keep for themselves:
/// `.bb-package-info`, `__MACOSX/._quiz.xml`, `.DS_Store`.
fn is_hidden(member: &Member) -> bool {
    let name = member.name.rsplit('/').next().unwrap_or_default();
    name.starts_with('.') || member.name.starts_with("__MACOSX/")
}

pub(super) fn is_nested(member: &Member) -> bool {
    ends_with(member, &ARCHIVES)
}

/// The first bank of another format.
pub(super) fn first_bank(archive: &Archive<'_>) -> Option<String> {
    let mut room = ROOM;
    let mut members = archive.members.iter();
    let bank = members.find(|member| is_bank(archive, member, &mut room, |_| true));
    bank.map(|member| member.name.clone())
}

/// Whether a member is a workbook, or a bank of another format that is meant.
fn is_bank(
    archive: &Archive<'_>,
    member: &Member,
    room: &mut u64,
    is_meant: impl Fn(&crate::Bank) -> bool,
) -> bool {
    if ends_with(member, &WORKBOOKS) {
        return true;
    }
    if !ends_with(member, &TEXTS) {
        return false;
    }
    let Ok(bytes) = archive.unpack(member, *room) else {
        return false;
    };
    *room = room.saturating_sub(bytes.len() as u64);
    let bank = encoded::decode(&bytes).and_then(|text| crate::detect(&text));
    bank.is_some_and(|bank| is_meant(&bank))
}

/// The marks of members that were not read.
pub(super) fn marks<'a>(
    archive: &Archive<'_>,
    members: impl Iterator<Item = &'a Member>,
) -> String {
    let mut room = ROOM;
    let (mut own, mut others) = (Vec::new(), Vec::new());
    // The settings of a quiz, which Canvas puts beside its questions, hold none.
    let has_questions = |bank: &crate::Bank| !bank.questions.is_empty();
    for member in members {
        if is_nested(member) || is_bank(archive, member, &mut room, has_questions) {
            own.push(member.name.as_str());
        } else if !member.name.ends_with('/') && !is_hidden(member) && !ends_with(member, &BESIDE) {
            others.push(member.name.as_str());
        }
    }
    let more = own.split_off(own.len().min(MOST));
    let mut marks: String = own.into_iter().map(mark).collect();
    for rest in [more, others] {
        if !rest.is_empty() {
            marks.push_str(&mark(&listed(&rest)));
        }
    }
    marks
}

fn listed(names: &[&str]) -> String {
    let shown: Vec<&str> = names.iter().take(MOST_IN_ONE).copied().collect();
    let more = names.len() - shown.len();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A mark on a line of its own. No name can end it.
pub(super) fn mark(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| {
            if matches!(c, '<' | '>' | '?' | '"') || c.is_control() {
                '_'
            } else {
                c
            }
        })
        .collect();
    format!("{MARK}{name}{MARK_END}\n")
}

/// The names in a mark.
#[must_use]
pub fn named(mark: &str) -> &str {
    let mark = mark.trim();
    let name = mark.strip_prefix(MARK).unwrap_or(mark);
    name.strip_suffix(MARK_END).unwrap_or(name)
}

/// The table of a workbook without the marks after it.
#[must_use]
pub fn without_marks(table: &str) -> &str {
    let starts = [format!("\n{MARK}"), format!("\n\"{MARK}")];
    let found = starts.iter().filter_map(|start| table.find(start.as_str()));
    let end = found.min().map_or(table.len(), |at| at + 1);
    table.get(..end).unwrap_or(table)
}
