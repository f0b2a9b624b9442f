//! What the parser would misread although its author's meaning is plain, found line
//! by line and defused by changing a byte in a copy, so that offsets stay:
//!
//! | line | read by CommonMark as | changed |
//! |---|---|---|
//! | ```` ````warn header="`x`" ````, where a matching fence follows | text, and the fence that closes it opens another | the backticks after the fence |
//! | `=======` in a merge conflict | an underline that makes a heading | its first byte |
//! | `>>>>>>> branch` | seven quotations | its first byte |
//! | `\|\|\|\|\|\|\| base` in a merge conflict | a row of a table | its first byte |
//!
//! Knows lines and markers, not the parser.

use super::line_edges::{line_end, next_line};

/// The bytes to change, in no particular order.
pub(super) fn changes(text: &str) -> Vec<(usize, u8)> {
    let has_fence = memchr::memmem::find(text.as_bytes(), b"```").is_some();
    let has_conflict = memchr::memmem::find(text.as_bytes(), b">>>>>>>").is_some()
        || memchr::memmem::find(text.as_bytes(), b"<<<<<<<").is_some();
    if !has_fence && !has_conflict {
        return Vec::new();
    }
    let mut scan = Scan {
        text,
        changes: Vec::new(),
        fence: None,
        conflict: Conflict::default(),
        look_ahead: text.len().saturating_mul(2),
    };
    let mut start = 0;
    while start < text.len() {
        let end = line_end(text, start);
        scan.line(start, end);
        start = next_line(text, end);
    }
    scan.changes
}

/// The seven characters of a conflict marker at the start of a line, alone or with
/// a space after them.
pub fn conflict_marker(line: &str) -> Option<ConflictMarker> {
    let first = *line.as_bytes().first()?;
    let marker = match first {
        b'<' => ConflictMarker::Ours,
        b'|' => ConflictMarker::Base,
        b'=' => ConflictMarker::Separator,
        b'>' => ConflictMarker::Theirs,
        _ => return None,
    };
    let length = line.bytes().take_while(|byte| *byte == first).count();
    let rest = &line[length..];
    let ends = match marker {
        ConflictMarker::Separator => rest.trim().is_empty(),
        _ => rest.trim().is_empty() || rest.starts_with(' '),
    };
    (length == 7 && ends).then_some(marker)
}

/// What Git writes between the two sides of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConflictMarker {
    Ours,
    Base,
    Separator,
    Theirs,
}

struct Scan<'a> {
    text: &'a str,
    changes: Vec<(usize, u8)>,
    /// Marker and length of the open fence.
    fence: Option<(u8, usize)>,
    conflict: Conflict,
    /// Bytes that may still be looked at in search of closing fences, for all lines.
    look_ahead: usize,
}

#[derive(Default)]
struct Conflict {
    is_open: bool,
    /// A separator whose conflict has not been seen so far.
    separator: Option<usize>,
}

impl Scan<'_> {
    fn line(&mut self, start: usize, end: usize) {
        let line = &self.text[start..end];
        if let Some((marker, length)) = self.fence {
            if closes(line, marker, length) {
                self.fence = None;
            }
            return;
        }
        let inner = line.trim_start_matches(|c: char| {
            matches!(c, ' ' | '\t' | '>' | '-' | '*' | '+' | '.' | ')') || c.is_ascii_digit()
        });
        if inner.starts_with("```") || inner.starts_with("~~~") {
            self.opening(start + line.len() - inner.len(), end);
            return;
        }
        if let Some(marker) = conflict_marker(line) {
            self.conflict(marker, start);
        }
    }

    fn opening(&mut self, start: usize, end: usize) {
        let line = &self.text.as_bytes()[start..end];
        let marker = line.first().copied().unwrap_or(b'`');
        let length = line.iter().take_while(|byte| **byte == marker).count();
        let info = &self.text[start + length..end];
        if marker == b'`' && info.contains('`') {
            if !is_info(info, length) || !self.is_closed(end, length) {
                return;
            }
            let ticks = memchr::memchr_iter(b'`', info.as_bytes());
            self.changes
                .extend(ticks.map(|at| (start + length + at, b'\'')));
        }
        self.fence = Some((marker, length));
    }

    /// Whether the next fence of this length after a line has no words, so that it
    /// closes what was opened.
    fn is_closed(&mut self, end: usize, length: usize) -> bool {
        let mut at = next_line(self.text, end);
        while at < self.text.len() && self.look_ahead > 0 {
            let end = line_end(self.text, at);
            self.look_ahead = self.look_ahead.saturating_sub(end - at + 1);
            let line = self.text[at..end].trim_start_matches([' ', '\t', '>']);
            let run = line.bytes().take_while(|byte| *byte == b'`').count();
            if run >= length {
                return line[run..].trim().is_empty();
            }
            at = next_line(self.text, end);
        }
        false
    }

    fn conflict(&mut self, marker: ConflictMarker, at: usize) {
        let conflict = &mut self.conflict;
        match marker {
            ConflictMarker::Ours => conflict.is_open = true,
            ConflictMarker::Separator if !conflict.is_open => conflict.separator = Some(at),
            ConflictMarker::Base if !conflict.is_open => {}
            ConflictMarker::Base | ConflictMarker::Separator => self.changes.push((at, b'x')),
            ConflictMarker::Theirs => {
                self.changes.push((at, b'x'));
                let separator = conflict.separator.take();
                self.changes.extend(separator.map(|at| (at, b'x')));
                conflict.is_open = false;
            }
        }
    }
}

/// A word after the fence, and no run of backticks as long as the fence: not a code
/// span on a line of its own.
fn is_info(info: &str, length: usize) -> bool {
    let longest = info.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    longest < length
        && info
            .trim_start()
            .starts_with(|c: char| c.is_alphabetic() || c == '{')
}

fn closes(line: &str, marker: u8, length: usize) -> bool {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let run = line.bytes().take_while(|byte| *byte == marker).count();
    run >= length && line[run..].trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_be_misread_is_changed() {
        for (text, expected) in [
            ("a\n=======\nb\n", &[][..]),
            ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", &[15, 25]),
            ("a\n=======\nb\n>>>>>>> x\n", &[2, 12]),
            ("```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n", &[]),
            ("> > > > > > > a\n", &[]),
            ("<<<<<<< a\n||||||| b\n=======\n", &[10, 20]),
            ("````warn h=\"`x`\"\na\n````\n", &[12, 14]),
            ("````warn h=\"`x`\"\na\n", &[]),
            ("```a `b`\n\n```py\nc\n```\n", &[]),
            ("``` a ``` b\n\n```\nc\n```\n", &[]),
        ] {
            let mut found: Vec<usize> = changes(text).into_iter().map(|(at, _)| at).collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{text}");
        }
    }
}
