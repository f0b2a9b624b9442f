//! Where lines begin and end.

use memchr::{memchr2, memrchr2};

/// The start of the line that holds `at`. A byte order mark is no part of a line.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    let before = &text.as_bytes()[..at];
    match memrchr2(b'\n', b'\r', before) {
        Some(found) => found + 1,
        None => byte_order_mark(text).min(at),
    }
}

/// The end of the line that holds `at`, without its line break.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    at + memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
}

/// The start of the line after the one that holds `at`.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    let end = line_end(text, at);
    let rest = &text.as_bytes()[end..];
    end + if rest.starts_with(b"\r\n") {
        2
    } else {
        usize::from(!rest.is_empty())
    }
}

/// Length of the byte order mark at the start, 0 if there is none.
pub(super) fn byte_order_mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    }
}
