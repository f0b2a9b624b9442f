//! Arithmetic on lists of byte ranges. Knows nothing of Markdown but the prefix of
//! a continuation line.

use memchr::memchr2;
use std::ops::Range;

/// The part of each line that lies in `range`; what comes before a
/// continuation line (indentation, `>`) is left out.
pub(super) fn lines_within(text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    // Only the range is looked at: many of them can be in one long line.
    let bytes = &text.as_bytes()[..range.end];
    let mut lines = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let rest = &bytes[at..];
        let end = at + memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        if at < end {
            lines.push(at..end);
        }
        let prefix = bytes[end..]
            .iter()
            .take_while(|b| matches!(b, b'\n' | b'\r' | b' ' | b'\t' | b'>'))
            .count();
        at = end + prefix;
    }
    lines
}

/// Sorts ranges and joins those that overlap or touch; drops empty ones.
pub(super) fn merge(ranges: &mut Vec<Range<usize>>) {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges.dedup_by(|later, earlier| {
        let joins = later.start <= earlier.end;
        if joins {
            earlier.end = earlier.end.max(later.end);
        }
        joins
    });
}

/// What of `ranges` is not in `holes`; both sorted and disjoint.
pub(super) fn subtract(ranges: &[Range<usize>], holes: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut left = Vec::with_capacity(ranges.len());
    let mut next = 0;
    for range in ranges {
        let mut start = range.start;
        while let Some(hole) = holes.get(next)
            && hole.start < range.end
        {
            if start < hole.start {
                left.push(start..hole.start);
            }
            start = start.max(hole.end);
            if hole.end > range.end {
                break;
            }
            next += 1;
        }
        if start < range.end {
            left.push(start..range.end);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_cut_out_of_ranges() {
        type Ranges<'a> = &'a [Range<usize>];
        let rows: &[(Ranges<'_>, Ranges<'_>, Ranges<'_>)] = &[
            (&[0..4, 6..9], &[], &[0..4, 6..9]),
            (&[0..4, 6..9], &[1..2, 12..13], &[0..1, 2..4, 6..9]),
            (&[0..4, 6..9], &[3..7, 9..10], &[0..3, 7..9]),
            (&[0..4, 6..9], &[0..5, 5..9], &[]),
            (&[2..4, 6..9], &[0..1, 4..6, 8..9], &[2..4, 6..8]),
        ];
        for (ranges, holes, expected) in rows {
            assert_eq!(subtract(ranges, holes), *expected, "{ranges:?} - {holes:?}");
        }
    }

    #[test]
    fn ranges_that_touch_are_joined() {
        let mut ranges = vec![5..6, 0..2, 2..3, 4..4, 1..2];
        merge(&mut ranges);
        assert_eq!(ranges, [0..3, 5..6]);
    }
}
