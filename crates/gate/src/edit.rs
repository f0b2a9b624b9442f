//! Edits: which bytes become which text, and applying them so that nothing else
//! changes.
//!
//! An edit is made for one version of a document and is refused by any other.
//! For JSON documents the text of an edit is already escaped in the file's own
//! style (see `Document::edit`); this module splices bytes and knows no format.

use thiserror::Error;

use crate::span::{Span, Version};

/// Replace the bytes of `span` by `text`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The bytes to be replaced; empty for an insertion.
    pub span: Span,
    /// What stands there afterwards, as it is written to the file.
    pub text: String,
}

/// Why edits were not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// The edit was computed for other bytes.
    #[error("the edit was made for version {expected} of the document, this is {found}")]
    Stale {
        /// The version the edit was made for.
        expected: Version,
        /// The version it met.
        found: Version,
    },
    /// Two edits want the same bytes.
    #[error("two edits overlap at byte {at}")]
    Overlap {
        /// Where the second one begins.
        at: usize,
    },
    /// The edit points outside the file.
    #[error("an edit ends at byte {end}, but the document has only {length}")]
    OutOfBounds {
        /// Where the edit ends.
        end: usize,
        /// The length of the file.
        length: usize,
    },
}

/// Applies edits to a file and leaves every byte outside them as it was.
///
/// # Errors
/// When an edit was made for another version, points outside the file, or
/// overlaps another one. Nothing is applied then.
pub fn apply(bytes: &[u8], version: Version, edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    let mut ordered: Vec<&Edit> = edits.iter().collect();
    ordered.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut result = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for edit in ordered {
        let Span {
            start,
            end,
            version: expected,
        } = edit.span;
        if expected != version {
            return Err(EditError::Stale {
                expected,
                found: version,
            });
        }
        if start > end || end > bytes.len() {
            return Err(EditError::OutOfBounds {
                end,
                length: bytes.len(),
            });
        }
        if start < done {
            return Err(EditError::Overlap { at: start });
        }
        result.extend_from_slice(&bytes[done..start]);
        result.extend_from_slice(edit.text.as_bytes());
        done = end;
    }
    result.extend_from_slice(&bytes[done..]);
    Ok(result)
}

/// Edits that make `after` of a file: line by line, and within changed lines only
/// from the first to the last character that differs. None where `after` is no
/// UTF-8: an edit is text.
#[must_use]
pub fn difference(bytes: &[u8], version: Version, after: &[u8]) -> Vec<Edit> {
    let Ok(after) = std::str::from_utf8(after) else {
        return Vec::new();
    };
    let edit = |start: usize, end: usize, text: &str| Edit {
        span: Span {
            start,
            end,
            version,
        },
        text: text.to_owned(),
    };
    let Ok(before) = std::str::from_utf8(bytes) else {
        return vec![edit(0, bytes.len(), after)];
    };
    let old_lines: Vec<&str> = before.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = after.split_inclusive('\n').collect();
    let starts = |lines: &[&str]| {
        let mut at = 0;
        let mut starts = vec![0];
        for line in lines {
            at += line.len();
            starts.push(at);
        }
        starts
    };
    let (old, new) = (starts(&old_lines), starts(&new_lines));
    let mut edits = Vec::new();
    for operation in similar::capture_diff_slices(similar::Algorithm::Myers, &old_lines, &new_lines)
    {
        if operation.tag() == similar::DiffTag::Equal {
            continue;
        }
        let (old_lines, new_lines) = (operation.old_range(), operation.new_range());
        let range = |starts: &[usize], lines: std::ops::Range<usize>| {
            let at = |line: usize| starts.get(line).copied().unwrap_or_default();
            at(lines.start)..at(lines.end)
        };
        let (from, to) = (range(&old, old_lines), range(&new, new_lines));
        let was = before.get(from.clone()).unwrap_or_default();
        let is = after.get(to).unwrap_or_default();
        let (head, tail) = shared_ends(was, is);
        let text = is.get(head..is.len() - tail).unwrap_or_default();
        edits.push(edit(from.start + head, from.end - tail, text));
    }
    edits
}

/// How many bytes two texts share at the beginning and at the end, in whole
/// characters and without counting one twice.
fn shared_ends(a: &str, b: &str) -> (usize, usize) {
    let head: usize = a
        .chars()
        .zip(b.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let (a, b) = (
        a.get(head..).unwrap_or_default(),
        b.get(head..).unwrap_or_default(),
    );
    let tail: usize = a
        .chars()
        .rev()
        .zip(b.chars().rev())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    (head, tail)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn edit(bytes: &[u8], start: usize, end: usize, text: &str) -> Edit {
        Edit {
            span: Span {
                start,
                end,
                version: Version::of(bytes),
            },
            text: text.to_owned(),
        }
    }

    #[test]
    fn edits_are_applied_in_the_order_of_their_places() {
        let bytes = b"one two three";
        let edits = [
            edit(bytes, 8, 13, "3"),
            edit(bytes, 0, 3, "1"),
            edit(bytes, 4, 4, "+"),
        ];
        let result = apply(bytes, Version::of(bytes), &edits);
        assert_eq!(result.unwrap(), b"1 +two 3");
    }

    #[test]
    fn a_difference_touches_no_more_than_what_differs() {
        for (before, after, expected) in [
            ("one\ntwo\nthree\n", "one\ntwo\nthree\n", vec![]),
            ("one\ntwo\nthree\n", "one\ntoo\nthree\n", vec![(5, 6, "o")]),
            (
                "a\nb\nc\nd\n",
                "x\nb\nc\ny\n",
                vec![(0, 1, "x"), (6, 7, "y")],
            ),
            ("жук\n", "жар\n", vec![(2, 6, "ар")]),
            ("", "new", vec![(0, 0, "new")]),
            ("aa", "aaa", vec![(2, 2, "a")]),
        ] {
            let version = Version::of(before.as_bytes());
            let edits = difference(before.as_bytes(), version, after.as_bytes());
            let found: Vec<_> = edits
                .iter()
                .map(|edit| (edit.span.start, edit.span.end, edit.text.as_str()))
                .collect();
            assert_eq!(found, expected, "{before:?} {after:?}");
        }
    }

    #[test]
    fn an_edit_for_other_bytes_is_refused() {
        let stale = edit(b"before", 0, 1, "x");
        assert!(matches!(
            apply(b"after", Version::of(b"after"), &[stale]),
            Err(EditError::Stale { .. })
        ));
    }

    #[test]
    fn overlapping_and_outlying_edits_are_refused() {
        let bytes = b"abcdef";
        let version = Version::of(bytes);
        let overlapping = [edit(bytes, 0, 3, ""), edit(bytes, 2, 4, "")];
        assert_eq!(
            apply(bytes, version, &overlapping),
            Err(EditError::Overlap { at: 2 })
        );
        let outlying = [edit(bytes, 4, 9, "")];
        assert_eq!(
            apply(bytes, version, &outlying),
            Err(EditError::OutOfBounds { end: 9, length: 6 })
        );
    }

    proptest! {
        #[test]
        fn bytes_outside_the_edits_are_identical(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            cuts in proptest::collection::vec(0_usize..200, 0..8),
            text in ".{0,5}",
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut <= bytes.len()).collect();
            cuts.sort_unstable();
            let edits: Vec<Edit> = cuts
                .chunks_exact(2)
                .map(|pair| edit(&bytes, pair[0], pair[1], &text))
                .collect();
            let result = apply(&bytes, Version::of(&bytes), &edits).unwrap();
            let mut expected = Vec::new();
            let mut at = 0;
            for edit in &edits {
                expected.extend_from_slice(&bytes[at..edit.span.start]);
                expected.extend_from_slice(text.as_bytes());
                at = edit.span.end;
            }
            expected.extend_from_slice(&bytes[at..]);
            prop_assert_eq!(result, expected);
        }
    }
}
