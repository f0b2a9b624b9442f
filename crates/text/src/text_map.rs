//! The map between a decoded text (a JSON string's value) and the source bytes
//! it was read from, so that a range found in the text can be located, and
//! edited, in the file. It knows offsets only: not what an escape looks like,
//! and not what format the text came from.

use std::ops::Range;

/// A range where the decoded text and the source differ, usually a JSON escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escape {
    /// Where the escape starts in the decoded text.
    pub decoded: usize,
    /// How many bytes of decoded text it decodes to (may be none).
    pub decoded_len: u32,
    /// Where the escape starts in the source.
    pub source: usize,
    /// How many source bytes it takes up.
    pub source_len: u32,
}

impl Escape {
    const fn decoded_end(&self) -> usize {
        self.decoded + self.decoded_len as usize
    }

    const fn source_end(&self) -> usize {
        self.source + self.source_len as usize
    }
}

/// Maps offsets of a decoded text to the source and back. Between the escapes the
/// two run in step, so memory is proportional to the number of escapes.
///
/// A range whose edge falls inside a escape cannot be cut out of the source
/// exactly; it widens to the escape (see [`TextMap::widened`]). In valid JSON a
/// escape decodes to exactly one character, so a range on character boundaries
/// never widens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMap {
    base: usize,
    len: usize,
    escapes: Escapes,
}

/// The escapes of a map. Nearly no map has any, and there are hundreds of thousands
/// of maps in a bank, so a map without escapes is to cost next to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Escapes(Option<Box<Escaped>>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Escaped {
    /// Where the text ends in the source; without escapes its length says so.
    source_end: usize,
    escapes: Box<[Escape]>,
}

impl Escapes {
    fn new(source_end: usize, escapes: Vec<Escape>) -> Self {
        let escaped = (!escapes.is_empty()).then(|| Escaped {
            source_end,
            escapes: escapes.into(),
        });
        Self(escaped.map(Box::new))
    }
}

impl std::ops::Deref for Escapes {
    type Target = [Escape];

    fn deref(&self) -> &[Escape] {
        self.0.as_ref().map_or(&[], |escaped| &escaped.escapes)
    }
}

impl TextMap {
    /// A text that is in the source as it is: decoded offset plus `base` is
    /// the source offset.
    #[must_use]
    pub const fn identity(base: usize, len: usize) -> Self {
        Self {
            base,
            len,
            escapes: Escapes(None),
        }
    }

    /// A text read from `source` with the given escapes, which must be in order,
    /// apart from each other, and inside `source`. Escapes that are not (which
    /// would be our own mistake) are left out, so that the map stays monotone.
    #[must_use]
    pub fn with_escapes(source: Range<usize>, mut escapes: Vec<Escape>) -> Self {
        let (mut decoded, mut at) = (0, source.start);
        escapes.retain(|escape| {
            let in_step = escape.source >= at
                && escape.source_end() <= source.end
                && escape.decoded >= decoded
                && escape.decoded - decoded == escape.source - at;
            if in_step {
                (decoded, at) = (escape.decoded_end(), escape.source_end());
            }
            in_step
        });
        let source_end = source.end.max(at);
        Self {
            base: source.start,
            len: decoded + (source_end - at),
            escapes: Escapes::new(source_end, escapes),
        }
    }

    /// The source range of a range of the decoded text. An edge inside an escape
    /// widens to the whole escape. An empty range stays an insertion point: text
    /// inserted there in the source is at that offset of the decoded text
    /// (inside an escape: before the escape).
    #[must_use]
    pub fn to_source(&self, decoded: Range<usize>) -> Range<usize> {
        let start = decoded.start.min(self.len);
        let end = decoded.end.min(self.len);
        if start >= end {
            let at = self.edge(start, Edge::Insertion);
            return at..at;
        }
        self.edge(start, Edge::Start)..self.edge(end, Edge::End)
    }

    /// The decoded range that `to_source(decoded)` really covers: the same range,
    /// unless an edge fell inside an escape. A replacement has to carry along
    /// what the widening took in.
    #[must_use]
    pub fn widened(&self, decoded: Range<usize>) -> Range<usize> {
        let start = decoded.start.min(self.len);
        let end = decoded.end.min(self.len);
        let inside = |offset| {
            self.escape_from(offset)
                .filter(|escape| escape.decoded < offset && offset < escape.decoded_end())
        };
        if start >= end {
            let at = inside(start).map_or(start, |escape| escape.decoded);
            return at..at;
        }
        let from = inside(start).map_or(start, |escape| escape.decoded);
        let to = inside(end).map_or(end, Escape::decoded_end);
        from..to
    }

    /// The whole source range of the text, without any delimiters around it.
    #[must_use]
    pub fn source_span(&self) -> Range<usize> {
        let escaped = self.escapes.0.as_ref();
        self.base..escaped.map_or(self.base + self.len, |escaped| escaped.source_end)
    }

    /// Length of the decoded text in bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the decoded text is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where a source offset is in the decoded text: inside an escape, the
    /// start of what it decodes to; outside the span, its nearer end.
    #[must_use]
    pub fn to_decoded(&self, source_offset: usize) -> usize {
        let Range { start, end } = self.source_span();
        let at = source_offset.clamp(start, end);
        let after = self.escapes.partition_point(|escape| escape.source <= at);
        let Some(escape) = after.checked_sub(1).and_then(|i| self.escapes.get(i)) else {
            return at - self.base;
        };
        if at < escape.source_end() {
            escape.decoded
        } else {
            escape.decoded_end() + (at - escape.source_end())
        }
    }

    /// The ranges of the source, within a range of it, that decode to nothing.
    pub fn left_out(&self, source: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let (start, end) = (source.start, source.end);
        self.escapes
            .iter()
            .filter(move |escape| {
                escape.decoded_len == 0 && escape.source >= start && escape.source_end() <= end
            })
            .map(|escape| escape.source..escape.source_end())
    }

    /// The last escape that starts before `offset`.
    fn escape_from(&self, offset: usize) -> Option<&Escape> {
        let after = self
            .escapes
            .partition_point(|escape| escape.decoded < offset);
        after.checked_sub(1).and_then(|i| self.escapes.get(i))
    }

    fn edge(&self, offset: usize, edge: Edge) -> usize {
        // Escapes that decode to nothing belong to neither side: a range that
        // starts after one leaves it out, and so does a range that ends there.
        let after = match edge {
            Edge::Start => self.escapes.partition_point(|escape| {
                escape.decoded < offset || (escape.decoded == offset && escape.decoded_len == 0)
            }),
            Edge::End | Edge::Insertion => self
                .escapes
                .partition_point(|escape| escape.decoded < offset),
        };
        let Some(escape) = after.checked_sub(1).and_then(|i| self.escapes.get(i)) else {
            return self.base + offset;
        };
        if offset < escape.decoded_end() {
            match edge {
                Edge::Start | Edge::Insertion => escape.source,
                Edge::End => escape.source_end(),
            }
        } else {
            escape.source_end() + (offset - escape.decoded_end())
        }
    }
}

#[derive(Clone, Copy)]
enum Edge {
    Start,
    End,
    Insertion,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ab\n😀c` read from a source that starts at 10: `ab`, `\n` (2 bytes for
    /// 1), a surrogate pair (12 bytes for 4), `c`.
    fn sample() -> TextMap {
        let escapes = vec![
            Escape {
                decoded: 2,
                decoded_len: 1,
                source: 12,
                source_len: 2,
            },
            Escape {
                decoded: 3,
                decoded_len: 4,
                source: 14,
                source_len: 12,
            },
        ];
        TextMap::with_escapes(10..27, escapes)
    }

    #[test]
    fn ranges_map_to_the_source_and_widen_at_escapes() {
        let cases = [
            (0..2, 10..12, 0..2),
            (0..8, 10..27, 0..8),
            (1..3, 11..14, 1..3),
            (2..3, 12..14, 2..3),
            (3..7, 14..26, 3..7),
            (4..5, 14..26, 3..7),
            (0..4, 10..26, 0..7),
            (5..8, 14..27, 3..8),
            (7..8, 26..27, 7..8),
            (0..99, 10..27, 0..8),
        ];
        let map = sample();
        for (decoded, source, widened) in cases {
            assert_eq!(map.to_source(decoded.clone()), source, "{decoded:?}");
            assert_eq!(map.widened(decoded.clone()), widened, "{decoded:?}");
        }
    }

    #[test]
    fn an_empty_range_is_an_insertion_point() {
        let map = sample();
        for (decoded, source) in [
            (0, 10),
            (1, 11),
            (2, 12),
            (3, 14),
            (5, 14),
            (7, 26),
            (8, 27),
            (99, 27),
        ] {
            assert_eq!(map.to_source(decoded..decoded), source..source, "{decoded}");
        }
    }

    #[test]
    fn source_offsets_map_back() {
        let map = sample();
        let cases = [
            (0, 0),
            (10, 0),
            (12, 2),
            (13, 2),
            (14, 3),
            (20, 3),
            (26, 7),
            (27, 8),
            (99, 8),
        ];
        for (source, decoded) in cases {
            assert_eq!(map.to_decoded(source), decoded, "{source}");
        }
        assert_eq!((map.len(), map.source_span()), (8, 10..27));
    }

    #[test]
    fn an_identity_map_only_shifts() {
        let map = TextMap::identity(5, 3);
        assert_eq!(map.to_source(1..3), 6..8);
        assert_eq!(map.to_source(3..3), 8..8);
        assert_eq!(map.to_decoded(7), 2);
        assert_eq!(map.source_span(), 5..8);
        assert!(!map.is_empty());
    }

    #[test]
    fn a_piece_that_decodes_to_nothing_is_on_neither_side() {
        let escapes = vec![Escape {
            decoded: 2,
            decoded_len: 0,
            source: 2,
            source_len: 5,
        }];
        let map = TextMap::with_escapes(0..9, escapes);
        assert_eq!(map.to_source(0..2), 0..2);
        assert_eq!(map.to_source(2..4), 7..9);
        assert_eq!(map.to_source(2..2), 2..2);
        assert_eq!(map.to_source(1..3), 1..8);
    }

    #[test]
    fn escapes_out_of_step_are_left_out() {
        let escapes = vec![Escape {
            decoded: 9,
            decoded_len: 1,
            source: 3,
            source_len: 2,
        }];
        assert_eq!(
            TextMap::with_escapes(0..4, escapes),
            TextMap::identity(0, 4)
        );
    }
}
