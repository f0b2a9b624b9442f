//! Keeps the parser's cost linear in the size of the text, and its memory small.
//! Two things make time grow faster (measured with `examples/hostile_markdown.rs`):
//! containers nested without limit, each of which is visited on every line, and
//! tables whose missing cells are filled in. A third costs three hundred bytes of
//! memory for a byte of text: markers of emphasis, links and code by the thousand in
//! one paragraph. All are seen here beforehand, in one pass over the lines, and
//! defused by changing bytes in a copy, so that offsets stay. Knows lines and
//! markers, not the parser.

use super::dialect;
use memchr::memchr2;
use std::borrow::Cow;
use std::ops::Range;

/// A stretch that was read as plain text, since its structure would have cost
/// too much to find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Degraded {
    pub span: Range<usize>,
    pub why: DegradedWhy,
}

impl DegradedWhy {
    /// The reason in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Nesting => "lists or quotations are nested too deeply",
            Self::Table => "a table lacks most of its cells",
            Self::Markers => "a paragraph has thousands of markers",
        }
    }
}

/// Why a stretch was read as plain text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DegradedWhy {
    /// A list or quotation marker too far to the right, that is too deep.
    Nesting,
    /// A table whose rows lack more cells than all such tables may.
    Table,
    /// A paragraph with more markers of emphasis, links and code than any reader
    /// would bear.
    Markers,
}

/// Markers of emphasis, links, code and mathematics that one paragraph may have; the
/// parser keeps a node for each. A table of ten thousand rows in code stays below.
const MAX_MARKERS: usize = 100_000;

/// No container may start at or after this column. A quotation takes at least
/// one column and a list item two, so this bounds the depth of nesting. The
/// deepest marker in 38 published lessons is at column 4.
const MAX_CONTAINER_COLUMN: usize = 200;

/// Missing cells a text may have whatever its size; above, one for every byte.
/// Each costs the parser a node.
const FREE_MISSING_CELLS: usize = 10_000;

/// The text as the parser may see it.
pub(super) struct Guarded<'a> {
    pub(super) source: Cow<'a, str>,
    pub(super) degraded: Vec<Degraded>,
}

/// Makes `text` safe to parse. A lone carriage return becomes a line feed, as
/// the parser does not see it as the end of a line everywhere.
pub(super) fn guard(text: &str) -> Guarded<'_> {
    let mut scan = Scan {
        text: text.as_bytes(),
        changes: dialect::changes(text),
        degraded: Vec::new(),
        missing: 0,
        run: Run::default(),
    };
    scan.lines();
    let Scan {
        changes, degraded, ..
    } = scan;
    Guarded {
        source: apply(text, &changes),
        degraded,
    }
}

fn apply<'a>(text: &'a str, changes: &[(usize, u8)]) -> Cow<'a, str> {
    if changes.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for &(at, with) in changes {
        if let Some(byte) = bytes.get_mut(at) {
            *byte = with;
        }
    }
    // Only ASCII has replaced ASCII, so this does not fail.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

struct Scan<'a> {
    text: &'a [u8],
    changes: Vec<(usize, u8)>,
    degraded: Vec<Degraded>,
    missing: usize,
    run: Run,
}

/// Lines without a blank one between them: as far as a table can reach.
#[derive(Default)]
struct Run {
    /// Where the delimiter rows (`|---|---|`) of the run start.
    delimiters: Vec<usize>,
    /// The widest of them.
    columns: usize,
    over_budget: bool,
    end: usize,
    markers: usize,
    /// Where the markers that are too many begin.
    crowded: Option<usize>,
}

impl Scan<'_> {
    fn lines(&mut self) {
        let mut start = 0;
        while start < self.text.len() {
            let rest = &self.text[start..];
            let length = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            let mut next = start + length + 1;
            if rest.get(length) == Some(&b'\r') {
                if rest.get(length + 1) == Some(&b'\n') {
                    next += 1;
                } else {
                    self.changes.push((start + length, b'\n'));
                }
            }
            self.line(start, start + length);
            start = next;
        }
        self.end_run();
    }

    fn line(&mut self, start: usize, end: usize) {
        let line = &self.text[start..end];
        let prefix = scan_prefix(line);
        if let Some(at) = prefix.too_deep {
            self.changes.push((start + at, b'x'));
            self.degraded.push(Degraded {
                span: start + at..end,
                why: DegradedWhy::Nesting,
            });
        }
        let row = &line[prefix.length..];
        if row.is_empty() {
            self.end_run();
            return;
        }
        self.run.end = end;
        self.markers(start + prefix.length, end);
        if is_delimiter_row(row) {
            self.run.columns = self.run.columns.max(count_cells(row));
            self.run.delimiters.push(start + prefix.length);
        } else if self.run.columns > 0 && !self.run.over_budget {
            self.missing += self.run.columns.saturating_sub(count_cells(row));
            self.run.over_budget = self.missing > FREE_MISSING_CELLS.max(self.text.len());
        }
    }

    /// Counts the markers of a line, and defuses those that are too many.
    fn markers(&mut self, start: usize, end: usize) {
        let line = &self.text[start..end];
        // A fence ends its block, however long that is.
        if line.starts_with(b"```") || line.starts_with(b"~~~") {
            return;
        }
        if self.run.markers + line.len() <= MAX_MARKERS {
            // Without an early exit, so that the loop is vectorised.
            self.run.markers += line.iter().filter(|byte| is_marker(**byte)).count();
            return;
        }
        for (at, byte) in (start..).zip(line) {
            if !is_marker(*byte) {
                continue;
            }
            self.run.markers += 1;
            if self.run.markers > MAX_MARKERS {
                self.run.crowded.get_or_insert(at);
                self.changes.push((at, b'x'));
            }
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if let Some(start) = run.crowded {
            self.degraded.push(Degraded {
                span: start..run.end,
                why: DegradedWhy::Markers,
            });
        }
        if !run.over_budget {
            return;
        }
        let Some(&first) = run.delimiters.first() else {
            return;
        };
        self.changes
            .extend(run.delimiters.iter().map(|&at| (at, b'x')));
        self.degraded.push(Degraded {
            span: first..run.end,
            why: DegradedWhy::Table,
        });
    }
}

struct Prefix {
    /// Bytes of white space and container markers at the start of the line.
    length: usize,
    /// The first marker that is too deep.
    too_deep: Option<usize>,
}

/// Reads everything at the start of a line that may open a container.
fn scan_prefix(line: &[u8]) -> Prefix {
    let mut at = 0;
    let mut column = 0;
    let mut too_deep = None;
    while let Some(&byte) = line.get(at) {
        let length = match byte {
            b' ' => 1,
            b'\t' => {
                column += 3 - column % 4;
                1
            }
            _ => {
                let length = marker_length(&line[at..]);
                if length > 0 && column >= MAX_CONTAINER_COLUMN && too_deep.is_none() {
                    too_deep = Some(at);
                }
                length
            }
        };
        if length == 0 {
            break;
        }
        at += length;
        column += length;
    }
    Prefix {
        length: at,
        too_deep,
    }
}

/// The length of the container marker at the start of `rest`, 0 if there is none.
fn marker_length(rest: &[u8]) -> usize {
    let ends_marker = |at: usize| matches!(rest.get(at), None | Some(b' ' | b'\t'));
    match rest.first() {
        Some(b'>') => 1,
        Some(b'-' | b'+' | b'*') if ends_marker(1) => 1,
        Some(b'0'..=b'9') => {
            let digits = rest
                .iter()
                .take(10)
                .take_while(|b| b.is_ascii_digit())
                .count();
            let closed = matches!(rest.get(digits), Some(b'.' | b')')) && ends_marker(digits + 1);
            if closed { digits + 1 } else { 0 }
        }
        Some(b'[') if rest.get(1) == Some(&b'^') => {
            // A label has at most 999 characters; this is the definition of a
            // footnote, which is a container.
            let close = rest
                .iter()
                .take(4_002)
                .position(|&b| b == b']')
                .unwrap_or(0);
            if close > 2 && rest.get(close + 1) == Some(&b':') {
                close + 2
            } else {
                0
            }
        }
        _ => 0,
    }
}

fn is_marker(byte: u8) -> bool {
    matches!(
        byte,
        b'*' | b'_' | b'~' | b'[' | b']' | b'`' | b'$' | b'<' | b'&' | b'\\'
    )
}

fn is_delimiter_row(row: &[u8]) -> bool {
    row.iter()
        .all(|b| matches!(b, b'|' | b'-' | b':' | b' ' | b'\t'))
        && row.contains(&b'-')
}

fn count_cells(row: &[u8]) -> usize {
    let row = row.trim_ascii();
    let mut cells = 1;
    let mut escaped = false;
    for &byte in row {
        cells += usize::from(byte == b'|' && !escaped);
        escaped = byte == b'\\' && !escaped;
    }
    cells - usize::from(row.starts_with(b"|")) - usize::from(row.len() > 1 && row.ends_with(b"|"))
}
