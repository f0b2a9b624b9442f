//! Characters with their places in the file. A format is decoded in layers (first the
//! signs of XML, then those of HTML), and each layer takes and gives units; so the way
//! back to the file is never lost.

use std::ops::Range;

use redraft_text::json::ReadText;
use redraft_text::text_map::{Escape, TextMap};
use redraft_text::writing::Writing;

/// A character and the range of the file that it was read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub(crate) c: char,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The characters of a range as they are.
pub(crate) fn plain(text: &str, range: Range<usize>) -> Vec<Unit> {
    let part = text.get(range.clone()).unwrap_or_default();
    part.char_indices()
        .map(|(at, c)| Unit {
            c,
            start: range.start + at,
            end: range.start + at + c.len_utf8(),
        })
        .collect()
}

/// Texts one after the other, each on a line of its own. What stands between them in the
/// file is not part of any.
pub(crate) fn joined(texts: Vec<Vec<Unit>>) -> Vec<Unit> {
    let mut all: Vec<Unit> = Vec::new();
    for units in texts {
        if let (Some(last), false) = (all.last().copied(), units.is_empty()) {
            all.push(Unit {
                c: '\n',
                start: last.end,
                end: last.end,
            });
        }
        all.extend(units);
    }
    all
}

/// The lines of a text with what ends each: `\n`, `\r\n` or `\r`.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.find(['\n', '\r']) {
            Some(at) if rest.get(at..)?.starts_with("\r\n") => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        let (line, after) = rest.split_at_checked(end)?;
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// A range without the white space at its ends.
pub(crate) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

/// The text of units, without white space at its ends. `at` is where an empty one stands.
pub(crate) fn read(units: &[Unit], at: usize, writing: Writing) -> ReadText {
    let is_blank = |unit: &Unit| unit.c.is_whitespace();
    let first = units.iter().position(|unit| !is_blank(unit));
    let last = units.iter().rposition(|unit| !is_blank(unit));
    let units = match (first, last) {
        (Some(first), Some(last)) => units.get(first..=last).unwrap_or_default(),
        _ => &[],
    };
    let (Some(first), Some(last)) = (units.first(), units.last()) else {
        return ReadText {
            text: String::new(),
            map: TextMap::identity(at, 0),
            writing,
        };
    };
    let mut text = String::with_capacity(units.len());
    let mut escapes = Vec::new();
    let mut here = first.start;
    for unit in units {
        if unit.start > here {
            // What was left out, such as a tag, decodes to nothing.
            escapes.push(escape(text.len(), 0, here..unit.start));
        }
        let length = unit.c.len_utf8();
        if unit.end - unit.start != length {
            escapes.push(escape(text.len(), length, unit.start..unit.end));
        }
        text.push(unit.c);
        here = unit.end;
    }
    ReadText {
        map: TextMap::with_escapes(first.start..last.end, escapes),
        text,
        writing,
    }
}

fn escape(decoded: usize, decoded_len: usize, source: Range<usize>) -> Escape {
    let short = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    Escape {
        decoded,
        decoded_len: short(decoded_len),
        source: source.start,
        source_len: short(source.len()),
    }
}
