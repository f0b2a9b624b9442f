//! Any bytes as a question bank of a format: read without a change, and an edit of one
//! text changes that text and no other. Any bytes as an archive: refused, or put back as
//! they were. Each format is a promise of its own, so that a fuzzer learns one at a time.

use std::ops::Range;
use std::sync::Arc;

use redraft_banks::{ArchiveKind, BankFormat, encoded};
use redraft_gate::content::{Document, TextField};
use redraft_gate::edit;
use redraft_gate::examine::Settings;
use redraft_gate::inspect::{Inspect as _, Reader};
use redraft_gate::reading::Hint;
use redraft_profiles::registry;

use crate::assert_on_text;

/// The most that an archive may unpack to.
const MOST: u64 = 1 << 22;

/// A text with the signs that the formats write in their own ways.
const NEW: &str = "new = text, \"q\" {x} #1 ~ 50% <b> & 'it'";

/// How many texts of a bank are edited.
const EDITED: usize = 8;

pub(crate) fn gift(bytes: &[u8]) {
    holds_as(BankFormat::Gift, bytes);
}

pub(crate) fn aiken(bytes: &[u8]) {
    holds_as(BankFormat::Aiken, bytes);
}

pub(crate) fn moodle(bytes: &[u8]) {
    holds_as(BankFormat::MoodleXml, bytes);
}

pub(crate) fn qti(bytes: &[u8]) {
    holds_as(BankFormat::Qti, bytes);
}

pub(crate) fn table(bytes: &[u8]) {
    holds_as(BankFormat::Table, bytes);
}

pub(crate) fn archive(bytes: &[u8]) {
    let Ok(Some(unpacked)) = redraft_banks::unpack(bytes, MOST) else {
        return;
    };
    let format = match unpacked.kind {
        ArchiveKind::Package => {
            let again = redraft_banks::pack(bytes, &unpacked.text, MOST);
            assert_eq!(again.as_deref(), Ok(bytes), "the package came back changed");
            BankFormat::Qti
        }
        ArchiveKind::Workbook => BankFormat::Table,
    };
    read_as(format, unpacked.text.as_bytes());
}

fn holds_as(format: BankFormat, bytes: &[u8]) {
    if let Some(text) = encoded::decode(bytes) {
        let again = encoded::encode_like(bytes, &text);
        assert_eq!(again.as_deref(), Some(bytes), "the text came back changed");
        read_as(format, text.as_bytes());
    }
}

fn read_as(format: BankFormat, bytes: &[u8]) {
    let Some(profile) = registry::profile("mcq") else {
        panic!("the profile mcq is gone");
    };
    let reader = Reader {
        profile,
        settings: Settings {
            parameters: profile.parameters().clone(),
            ..Settings::default()
        },
        companions: Arc::default(),
        hint: Hint::Bank(format),
    };
    let inspected = reader.inspect(bytes.to_vec());
    let document = &inspected.document;
    assert_eq!(
        document.source().bytes(),
        bytes,
        "reading changed the bytes"
    );
    for field in document.texts() {
        assert_on_text(document.source().text(), &field.map.source_span());
        assert_eq!(field.map.len(), field.text.len(), "{}", field.path);
    }
    // Where the form is broken, so may be what comes of an edit.
    if document.recovered().is_empty() {
        assert_edits(&reader, document, format);
    }
}

/// An edit of a whole text, read again, is that text; all others are as they were, also
/// where a line of a text is deleted.
fn assert_edits(reader: &Reader, document: &Document, format: BankFormat) {
    for (index, field) in document.texts().iter().enumerate().take(EDITED) {
        // The letters of Aiken and the tag that closes a section are no words.
        let is_label = field.path.ends_with("label") || field.path.ends_with("correct_answer");
        if is_label || field.text.is_empty() {
            continue;
        }
        let edited = edited(document, field, 0..field.text.len(), NEW);
        assert_others_stay(reader, document, format, (index, Some(NEW)), &edited);
        if let Some(line) = middle_line(&field.text) {
            let edited = self::edited(document, field, line, "");
            assert_others_stay(reader, document, format, (index, None), &edited);
        }
    }
}

/// A line with text after the first, without what ends it.
fn middle_line(text: &str) -> Option<Range<usize>> {
    let start = text.find('\n')? + 1;
    let line = text.get(start..)?.split('\n').next()?;
    (!line.trim().is_empty()).then(|| start..start + line.len())
}

fn edited(document: &Document, field: &TextField, range: Range<usize>, text: &str) -> Vec<u8> {
    let source = document.source();
    let edit = document.edit(field, range, text);
    edit::apply(source.bytes(), source.version(), &[edit])
        .unwrap_or_else(|error| panic!("an edit that does not fit: {error}"))
}

/// Reads an edited bank again. `changed` is the text that was edited, by its position, and
/// what it must be now.
fn assert_others_stay(
    reader: &Reader,
    document: &Document,
    format: BankFormat,
    changed: (usize, Option<&str>),
    edited: &[u8],
) {
    let after = reader.inspect(edited.to_vec()).document;
    let path = |index: usize| document.texts().get(index).map(|field| &field.path);
    let shown = || String::from_utf8_lossy(edited).into_owned();
    assert_eq!(
        after.texts().len(),
        document.texts().len(),
        "{format:?}, {:?}: {}",
        path(changed.0),
        shown()
    );
    for (number, (old, new)) in document.texts().iter().zip(after.texts()).enumerate() {
        let expected = match (number == changed.0, changed.1) {
            (true, Some(text)) => text,
            (true, None) => continue,
            (false, _) => &old.text,
        };
        assert_eq!(
            &*new.text,
            expected,
            "{format:?}, {}, after an edit of {:?}: {}",
            old.path,
            path(changed.0),
            shown()
        );
    }
}
