//! What must hold for any input, as assertions. Each promise is a function from bytes
//! that panics when it is broken. The fuzz targets call them for as long as one likes
//! (`cargo xtask acceptance fuzz`); the tests here call them with the documented
//! examples of all checks, whole and damaged.
#![expect(
    clippy::panic,
    reason = "a broken promise is a panic: fuzzers look for one"
)]

pub mod bank_examples;
mod banks;
mod companions;
mod config;
mod decode;
mod json_scan;
mod markdown_analyse;
mod read_document;

use std::ops::Range;

/// A promise: panics where it does not hold for these bytes.
type Promise = fn(&[u8]);

/// Every promise, by the name of its fuzz target.
const PROMISES: [(&str, Promise); 12] = [
    ("bank_aiken", banks::aiken),
    ("bank_archive", banks::archive),
    ("bank_gift", banks::gift),
    ("bank_moodle", banks::moodle),
    ("bank_qti", banks::qti),
    ("bank_table", banks::table),
    ("companions", companions::holds),
    ("config", config::holds),
    ("decode", decode::holds),
    ("json_scan", json_scan::holds),
    ("markdown_analyse", markdown_analyse::holds),
    ("read_document", read_document::holds),
];

/// Checks one promise by the name of its fuzz target.
///
/// # Panics
/// When the promise is broken, or there is none of this name.
pub fn assert_holds(name: &str, bytes: &[u8]) {
    let promise = PROMISES.iter().find(|(known, _)| *known == name);
    let (_, holds) = promise.unwrap_or_else(|| panic!("there is no promise `{name}`"));
    holds(bytes);
}

/// The range exists in the text and cuts no character.
pub(crate) fn assert_on_text(text: &str, range: &Range<usize>) {
    assert!(
        text.get(range.clone()).is_some(),
        "{range:?} of a text of {} bytes",
        text.len()
    );
}

/// Applies edits that are in order. Written without the code under test, so that
/// the two can be compared.
pub(crate) fn splice(bytes: &[u8], edits: &[(Range<usize>, String)]) -> Vec<u8> {
    let mut result = Vec::new();
    let mut at = 0;
    for (range, text) in edits {
        assert!(range.start <= range.end, "{range:?} is backwards");
        let between = bytes.get(at..range.start);
        result.extend_from_slice(
            between.unwrap_or_else(|| panic!("{range:?} overlaps an edit that ends at {at}")),
        );
        result.extend_from_slice(text.as_bytes());
        at = range.end;
    }
    let rest = bytes.get(at..);
    result.extend_from_slice(
        rest.unwrap_or_else(|| panic!("an edit ends at {at} of {}", bytes.len())),
    );
    result
}

#[cfg(test)]
mod tests;
