//! Marks at exact places of a text: what a note is about, and words that were inserted or
//! deleted. A text is written in pieces, in its order; a piece that a mark covers becomes
//! `<mark>`, `<ins>` or `<del>`, and where a note's mark ends its number follows.

use std::ops::Range;

use super::escape;

/// What a mark shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// What a note is about.
    Note {
        /// The number of the note in its document.
        number: usize,
        /// `error`, `warning` or `info`.
        level: &'static str,
    },
    /// The place of a note that is about too much to be marked: its number alone.
    Place {
        number: usize,
        level: &'static str,
    },
    Inserted,
    Deleted,
}

/// A mark in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Its bytes; empty for a place between two.
    pub(super) range: Range<usize>,
    pub(super) kind: MarkKind,
}

/// The marks of one text, while it is written.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    /// What the ids of its own anchors begin with: `d3`.
    anchors: &'a str,
    /// What the ids of notes begin with.
    notes: &'a str,
    marks: Vec<Mark>,
    /// How many marks have begun.
    begun: usize,
    /// Those that have begun and not ended.
    open: Vec<usize>,
    /// Whether a mark was shown at all.
    shown: Vec<bool>,
}

impl<'a> Marks<'a> {
    pub(super) fn new(anchors: &'a str, notes: &'a str, mut marks: Vec<Mark>) -> Self {
        marks.sort_by_key(|mark| (mark.range.start, mark.range.end));
        Self {
            anchors,
            notes,
            shown: vec![false; marks.len()],
            marks,
            begun: 0,
            open: Vec::new(),
        }
    }

    /// The numbers of notes that were shown in the text.
    pub(super) fn shown(&self) -> Vec<usize> {
        let shown = self.marks.iter().zip(&self.shown);
        shown
            .filter(|(_, shown)| **shown)
            .filter_map(|(mark, _)| match mark.kind {
                MarkKind::Note { number, .. } | MarkKind::Place { number, .. } => Some(number),
                MarkKind::Inserted | MarkKind::Deleted => None,
            })
            .collect()
    }

    /// Writes text that stands in the file as it is, from `at` on.
    pub(super) fn write(&mut self, out: &mut String, text: &str, at: usize) {
        let end = at + text.len();
        let mut from = at;
        while from < end {
            self.begin(out, from);
            self.end(out, from);
            let to = self.next_edge(from, end);
            let to = (to..=end)
                .find(|to| text.is_char_boundary(to - at))
                .unwrap_or(end);
            self.piece(out, &text[from - at..to - at]);
            from = to;
        }
        self.end(out, end);
    }

    /// Writes finished markup that stands for the text in a range, under one mark.
    pub(super) fn write_whole(&mut self, out: &mut String, markup: &str, range: &Range<usize>) {
        self.begin(out, range.end.saturating_sub(1).max(range.start));
        self.wrap(out, markup);
        self.end(out, range.end);
    }

    /// Begins the marks that start at or before a place.
    fn begin(&mut self, out: &mut String, at: usize) {
        while let Some(mark) = self.marks.get(self.begun) {
            if mark.range.start > at {
                break;
            }
            let is_place = mark.range.is_empty() || matches!(mark.kind, MarkKind::Place { .. });
            if is_place {
                self.shown[self.begun] = true;
                self.anchor(out, self.begun);
                self.number(out, self.begun);
            } else if mark.range.end > at {
                self.open.push(self.begun);
            }
            self.begun += 1;
        }
    }

    /// Ends the marks that end at or before a place.
    pub(super) fn end(&mut self, out: &mut String, at: usize) {
        let ended: Vec<usize> = self
            .open
            .extract_if(.., |index| self.marks[*index].range.end <= at)
            .collect();
        for index in ended {
            if self.shown[index] {
                self.number(out, index);
            }
        }
    }

    fn next_edge(&self, from: usize, end: usize) -> usize {
        let begins = self.marks.get(self.begun).map(|mark| mark.range.start);
        let ends = self.open.iter().map(|index| self.marks[*index].range.end);
        ends.chain(begins)
            .filter(|edge| *edge > from)
            .min()
            .map_or(end, |edge| edge.min(end))
    }

    fn piece(&mut self, out: &mut String, text: &str) {
        if self.open.is_empty() {
            escape::push(out, text);
        } else {
            self.wrap(out, &escape(text));
        }
    }

    fn wrap(&mut self, out: &mut String, markup: &str) {
        for index in self.open.clone() {
            if !self.shown[index] {
                self.shown[index] = true;
                self.anchor(out, index);
            }
        }
        let (open, close) = match self.worst() {
            None => (String::new(), ""),
            Some(MarkKind::Inserted) => ("<ins>".to_owned(), "</ins>"),
            Some(MarkKind::Deleted) => ("<del>".to_owned(), "</del>"),
            Some(MarkKind::Note { level, .. } | MarkKind::Place { level, .. }) => {
                (format!("<mark class=\"{level}\">"), "</mark>")
            }
        };
        out.push_str(&open);
        out.push_str(markup);
        out.push_str(close);
    }

    /// The worst of the open marks, which a piece is shown as.
    fn worst(&self) -> Option<MarkKind> {
        let rank = |kind: &MarkKind| match kind {
            MarkKind::Note { level, .. } | MarkKind::Place { level, .. } => match *level {
                "error" => 0,
                "warning" => 1,
                _ => 2,
            },
            MarkKind::Inserted | MarkKind::Deleted => 3,
        };
        let open = self.open.iter().map(|index| self.marks[*index].kind);
        open.min_by_key(rank)
    }

    /// Where a note's link leads to.
    fn anchor(&self, out: &mut String, index: usize) {
        if let MarkKind::Note { number, .. } | MarkKind::Place { number, .. } =
            self.marks[index].kind
        {
            out.push_str(&format!("<span id=\"{}-m{number}\"></span>", self.anchors));
        }
    }

    /// The number of a note, which leads to it.
    fn number(&self, out: &mut String, index: usize) {
        if let MarkKind::Note { number, level } | MarkKind::Place { number, level } =
            self.marks[index].kind
        {
            out.push_str(&format!(
                "<sup class=\"ref {level}\"><a href=\"#{}-n{number}\" aria-label=\"note {number}\">{number}</a></sup>",
                self.notes
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(range: Range<usize>, number: usize) -> Mark {
        Mark {
            range,
            kind: MarkKind::Note {
                number,
                level: "error",
            },
        }
    }

    #[test]
    fn pieces_are_marked_where_the_marks_are() {
        let mut marks = Marks::new("d1", "d1", vec![note(2..4, 1)]);
        let mut out = String::new();
        marks.write(&mut out, "ab<d>e", 0);
        assert_eq!(
            out,
            "ab<span id=\"d1-m1\"></span><mark class=\"error\">&lt;d</mark><sup class=\"ref error\"><a href=\"#d1-n1\" aria-label=\"note 1\">1</a></sup>&gt;e"
        );
        assert_eq!(marks.shown(), [1]);
    }

    #[test]
    fn overlapping_and_broken_ranges_lose_no_text() {
        let text = "жжж水😀 text";
        for (a, b) in [
            (0..3, 1..5),
            (0..99, 3..4),
            (5..5, 5..7),
            (Range { start: 7, end: 2 }, 30..40),
        ] {
            let mut marks = Marks::new("d1", "d1", vec![note(a, 1), note(b, 2)]);
            let mut out = String::new();
            marks.write(&mut out, text, 0);
            marks.end(&mut out, usize::MAX);
            let mut shown = String::new();
            let mut is_tag = false;
            let plain = out.replace("1</a>", "</a>").replace("2</a>", "</a>");
            for c in plain.chars() {
                match c {
                    '<' => is_tag = true,
                    '>' => is_tag = false,
                    c if !is_tag => shown.push(c),
                    _ => {}
                }
            }
            assert_eq!(shown, text, "{out}");
        }
    }

    #[test]
    fn inserted_and_deleted_words_have_no_number() {
        let mark = Mark {
            range: 0..1,
            kind: MarkKind::Inserted,
        };
        let mut marks = Marks::new("d1", "d1", vec![mark]);
        let mut out = String::new();
        marks.write(&mut out, "ab", 0);
        assert_eq!(out, "<ins>a</ins>b");
    }
}
