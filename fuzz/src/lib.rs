//! What the fuzz targets share: the promises, as assertions. Everything here
//! panics when a promise is broken, which is what a fuzzer looks for.

pub mod desk;

use std::ops::Range;

/// The range exists in the text and cuts no character.
pub fn assert_on_text(text: &str, range: &Range<usize>) {
    assert!(
        text.get(range.clone()).is_some(),
        "{range:?} of a text of {} bytes",
        text.len()
    );
}

/// Applies edits that are in order. Written without the code under test, so that
/// the two can be compared.
#[must_use]
pub fn splice(bytes: &[u8], edits: &[(Range<usize>, String)]) -> Vec<u8> {
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
