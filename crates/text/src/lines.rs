//! Lines and columns of byte offsets, as a person counts them: from 1, columns
//! in Unicode scalars. It knows nothing of files or of what the text means.

use std::ops::Range;

/// Looks up lines and columns in one text. It does not keep the text; a look-up
/// costs a binary search over the lines and counts at most eight machine words,
/// however long the line.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<LineStart>,
    len: usize,
    /// A byte order mark at the start is not a column.
    bom: usize,
    scalars: Option<Scalars>,
}

/// Where a line starts, and whether the line break before it has two bytes: one number,
/// because a bank of a hundred thousand questions has a million lines.
#[derive(Clone, Copy, Debug)]
struct LineStart(usize);

impl LineStart {
    const fn new(at: usize, line_break: usize) -> Self {
        Self(at << 1 | (line_break == 2) as usize)
    }

    const fn at(self) -> usize {
        self.0 >> 1
    }

    /// Where the line before it ends.
    const fn end_before(self) -> usize {
        self.at() - 1 - (self.0 & 1)
    }
}

/// Which bytes begin a scalar, one bit a byte, with a running count at every
/// block. Absent for ASCII text, where every byte does.
#[derive(Clone, Debug)]
struct Scalars {
    words: Vec<u64>,
    /// How many scalars begin before each block of [`BLOCK`] words.
    before: Vec<usize>,
}

const BLOCK: usize = 8;

impl LineIndex {
    /// Indexes `text`. `\n`, `\r\n` and a lone `\r` end lines.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = Vec::with_capacity(memchr::memchr2_iter(b'\n', b'\r', bytes).count() + 1);
        let mut push = |at, line_break| starts.push(LineStart::new(at, line_break));
        push(0, 0);
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let next = bytes.get(at + 1).copied();
            let previous = at
                .checked_sub(1)
                .and_then(|before| bytes.get(before))
                .copied();
            match (bytes.get(at), next, previous) {
                // The `\n` of this pair will end the line.
                (Some(b'\r'), Some(b'\n'), _) => {}
                (Some(b'\n'), _, Some(b'\r')) => push(at + 1, 2),
                _ => push(at + 1, 1),
            }
        }
        Self {
            starts,
            len: text.len(),
            bom: if text.starts_with('\u{FEFF}') { 3 } else { 0 },
            scalars: (!text.is_ascii()).then(|| Scalars::new(bytes)),
        }
    }

    /// Line and column of a byte offset, both from 1. An offset inside a
    /// character counts as that character's start, one past the end as the end.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.len);
        let line = self
            .starts
            .partition_point(|start| start.at() <= offset)
            .max(1);
        let start = self.start_of(line);
        let start = if line == 1 {
            start.max(self.bom)
        } else {
            start
        };
        let column = match &self.scalars {
            None => offset.saturating_sub(start) + 1,
            // The count up to and including the byte at `offset`: inside a
            // character, that is the character itself.
            Some(scalars) if offset < self.len => scalars
                .starting_before(offset + 1)
                .saturating_sub(scalars.starting_before(start))
                .max(1),
            Some(scalars) => {
                scalars
                    .starting_before(offset)
                    .saturating_sub(scalars.starting_before(start))
                    + 1
            }
        };
        (line, column)
    }

    /// The bytes of a line (from 1) without its line break; empty at the end of
    /// the text where there is no such line.
    pub fn line_range(&self, line: usize) -> Range<usize> {
        if line == 0 || line > self.starts.len() {
            return self.len..self.len;
        }
        let end = match self.starts.get(line) {
            Some(next) => next.end_before(),
            None => self.len,
        };
        self.start_of(line)..end
    }

    #[cfg(test)]
    fn line_count(&self) -> usize {
        self.starts.len()
    }

    fn start_of(&self, line: usize) -> usize {
        self.starts
            .get(line - 1)
            .map_or(self.len, |start| start.at())
    }
}

impl Scalars {
    fn new(bytes: &[u8]) -> Self {
        let mut words = Vec::with_capacity(bytes.len() / 64 + 1);
        let mut before = Vec::with_capacity(bytes.len() / (64 * BLOCK) + 1);
        let mut count = 0usize;
        for (index, chunk) in bytes.chunks(64).enumerate() {
            if index % BLOCK == 0 {
                before.push(count);
            }
            let mut word = 0u64;
            for (bit, byte) in chunk.iter().enumerate() {
                word |= u64::from(byte & 0xC0 != 0x80) << bit;
            }
            count += word.count_ones() as usize;
            words.push(word);
        }
        Self { words, before }
    }

    /// How many scalars begin before `offset`.
    fn starting_before(&self, offset: usize) -> usize {
        let word = offset / 64;
        let block = (word / BLOCK).min(self.before.len().saturating_sub(1));
        let whole: usize = self
            .words
            .get(block * BLOCK..word)
            .unwrap_or_default()
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum();
        let mask = (1u64 << (offset % 64)) - 1;
        let part = self
            .words
            .get(word)
            .map_or(0, |word| (word & mask).count_ones() as usize);
        self.before.get(block).copied().unwrap_or(0) + whole + part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Counts by hand, character by character.
    fn counted(text: &str, offset: usize) -> (usize, usize) {
        let offset = text.floor_char_boundary(offset);
        let (mut line, mut column) = (1, 1);
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if at >= offset {
                break;
            }
            let ends = c == '\n' || (c == '\r' && chars.peek().is_none_or(|&(_, c)| c != '\n'));
            if ends {
                (line, column) = (line + 1, 1);
            } else if !(at == 0 && c == '\u{FEFF}') {
                column += 1;
            }
        }
        (line, column)
    }

    #[test]
    fn offsets_get_the_line_and_column_a_person_would_count() {
        let cases = [
            ("", 0, (1, 1)),
            ("abc", 2, (1, 3)),
            ("abc", 9, (1, 4)),
            ("a\nb", 2, (2, 1)),
            ("a\r\nb", 3, (2, 1)),
            ("a\rb", 2, (2, 1)),
            ("a\n\rb", 3, (3, 1)),
            ("a\n", 2, (2, 1)),
            ("жук\nёж", 9, (2, 2)),
            ("жук", 3, (1, 2)),
            ("😀x", 4, (1, 2)),
            ("\u{FEFF}ab", 0, (1, 1)),
            ("\u{FEFF}ab", 3, (1, 1)),
            ("\u{FEFF}ab", 4, (1, 2)),
            ("\u{FEFF}", 3, (1, 1)),
            ("a\n\u{FEFF}b", 5, (2, 2)),
        ];
        for (text, offset, expected) in cases {
            assert_eq!(
                LineIndex::new(text).line_column(offset),
                expected,
                "{text:?} at {offset}"
            );
        }
    }

    #[test]
    fn a_line_is_given_without_its_break() {
        let text = "one\r\ntwo\rthree\n\nfive";
        let index = LineIndex::new(text);
        let lines: Vec<&str> = (1..=index.line_count())
            .map(|n| &text[index.line_range(n)])
            .collect();
        assert_eq!(lines, ["one", "two", "three", "", "five"]);
        assert_eq!(index.line_range(0), text.len()..text.len());
        assert_eq!(index.line_range(6), text.len()..text.len());
        assert_eq!(LineIndex::new("").line_range(1), 0..0);
    }

    #[test]
    fn many_look_ups_in_one_long_line_are_prompt() {
        let text = "ж".repeat(4 << 20);
        let index = LineIndex::new(&text);
        for n in (0..4usize << 20).step_by(3) {
            assert_eq!(index.line_column(n * 2), (1, n + 1));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn look_ups_agree_with_counting(text in "\u{FEFF}?[a\u{FEFF}жé😀\n\r]{0,200}") {
            let index = LineIndex::new(&text);
            for offset in 0..=text.len() + 1 {
                prop_assert_eq!(index.line_column(offset), counted(&text, offset));
            }
            for line in 1..=index.line_count() {
                let range = index.line_range(line);
                prop_assert!(!text[range.clone()].contains(['\n', '\r']));
                prop_assert_eq!(index.line_column(range.start).0, line);
            }
        }
    }
}
