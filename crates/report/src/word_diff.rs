//! Which words of a text changed. First by lines, then by words within changed lines; where
//! that would cost too much, the lines count as replaced. Knows nothing of how it is shown.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The most lines or words of each side that are compared: more would cost too much.
const MOST: usize = 4_000;

/// A stretch of two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The same in both.
    Same {
        before: Range<usize>,
        after: Range<usize>,
    },
    /// Only in the text before.
    Deleted(Range<usize>),
    /// Only in the text after.
    Inserted(Range<usize>),
}

/// The stretches of two texts, in order; together they are the whole of both.
#[must_use]
pub fn changes(before: &str, after: &str) -> Vec<Change> {
    let mut all = Vec::new();
    for change in compare(before, after, &lines(before), &lines(after)) {
        let Replaced {
            before: b,
            after: a,
            is_same,
        } = change;
        if is_same {
            push_same(&mut all, b, a);
            continue;
        }
        let (old, new) = (&before[b.clone()], &after[a.clone()]);
        for part in compare(old, new, &words(old), &words(new)) {
            let shifted = |range: Range<usize>, by: usize| range.start + by..range.end + by;
            let (old, new) = (shifted(part.before, b.start), shifted(part.after, a.start));
            if part.is_same {
                push_same(&mut all, old, new);
            } else {
                push_changed(&mut all, old, new);
            }
        }
    }
    joined(before, all)
}

/// A range of each text, equal or not.
struct Replaced {
    before: Range<usize>,
    after: Range<usize>,
    is_same: bool,
}

fn compare(before: &str, after: &str, old: &[Range<usize>], new: &[Range<usize>]) -> Vec<Replaced> {
    let texts = |text: &'_ str, ranges: &[Range<usize>]| -> Vec<String> {
        ranges
            .iter()
            .map(|range| text[range.clone()].to_owned())
            .collect()
    };
    let (a, b) = (texts(before, old), texts(after, new));
    let head = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let rest = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev());
    let tail = tail.take(rest).take_while(|(a, b)| a == b).count();
    let (middle_a, middle_b) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let span = |ranges: &[Range<usize>], from: usize, length: usize, end: usize| {
        let start = ranges.get(from).map_or(end, |range| range.start);
        let stop = match length {
            0 => start,
            _ => ranges.get(from + length - 1).map_or(end, |range| range.end),
        };
        start..stop
    };
    let part = |from: (usize, usize), length: (usize, usize), is_same: bool| Replaced {
        before: span(old, from.0, length.0, before.len()),
        after: span(new, from.1, length.1, after.len()),
        is_same,
    };
    let mut parts = vec![part((0, 0), (head, head), true)];
    if middle_a.len() > MOST || middle_b.len() > MOST {
        let length = (middle_a.len(), middle_b.len());
        parts.push(part((head, head), length, false));
    } else {
        for op in capture_diff_slices(Algorithm::Myers, middle_a, middle_b) {
            let (from, to) = (op.old_range(), op.new_range());
            let is_same = matches!(op, DiffOp::Equal { .. });
            parts.push(part(
                (head + from.start, head + to.start),
                (from.len(), to.len()),
                is_same,
            ));
        }
    }
    parts.push(part((a.len() - tail, b.len() - tail), (tail, tail), true));
    parts.retain(|part| !(part.before.is_empty() && part.after.is_empty()));
    parts
}

fn push_same(all: &mut Vec<Change>, before: Range<usize>, after: Range<usize>) {
    match all.last_mut() {
        Some(Change::Same {
            before: b,
            after: a,
        }) => {
            b.end = before.end;
            a.end = after.end;
        }
        _ => all.push(Change::Same { before, after }),
    }
}

fn push_changed(all: &mut Vec<Change>, before: Range<usize>, after: Range<usize>) {
    if !before.is_empty() {
        all.push(Change::Deleted(before));
    }
    if !after.is_empty() {
        all.push(Change::Inserted(after));
    }
}

/// The same with changes joined that only spaces keep apart: a reader reads a phrase, not
/// every second word.
fn joined(text: &str, all: Vec<Change>) -> Vec<Change> {
    let is_gap = |change: &Change| {
        matches!(change, Change::Same { before, .. }
            if text[before.clone()].chars().all(char::is_whitespace)
                && !text[before.clone()].contains('\n'))
    };
    let mut out = Vec::new();
    let mut pending: Option<(Range<usize>, Range<usize>)> = None;
    let last = all.len();
    for (index, change) in all.into_iter().enumerate() {
        let grow = |pending: &mut Option<(Range<usize>, Range<usize>)>,
                    b: Range<usize>,
                    a: Range<usize>| {
            *pending = Some(match pending.take() {
                None => (b, a),
                Some((before, after)) => (
                    if b.is_empty() {
                        before
                    } else if before.is_empty() {
                        b
                    } else {
                        before.start..b.end
                    },
                    if a.is_empty() {
                        after
                    } else if after.is_empty() {
                        a
                    } else {
                        after.start..a.end
                    },
                ),
            });
        };
        match change {
            Change::Deleted(range) => grow(&mut pending, range, 0..0),
            Change::Inserted(range) => grow(&mut pending, 0..0, range),
            Change::Same { before, after } => {
                let same = Change::Same {
                    before: before.clone(),
                    after: after.clone(),
                };
                let is_between = pending
                    .as_ref()
                    .is_some_and(|(b, a)| !b.is_empty() && !a.is_empty());
                if is_between && is_gap(&same) && index + 1 < last {
                    grow(&mut pending, before, after);
                    continue;
                }
                if let Some((b, a)) = pending.take() {
                    push_changed(&mut out, b, a);
                }
                out.push(same);
            }
        }
    }
    if let Some((b, a)) = pending.take() {
        push_changed(&mut out, b, a);
    }
    out
}

fn lines(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let pieces = text.split_inclusive('\n').map(|line| {
        let range = at..at + line.len();
        at = range.end;
        range
    });
    pieces.collect()
}

/// Words, runs of spaces, and every other sign alone; of scripts without spaces, every
/// letter.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut last = None;
    for (at, c) in text.char_indices() {
        let kind = kind(c);
        let end = at + c.len_utf8();
        match out.last_mut() {
            Some(range) if Some(kind) == last && kind != CharKind::Alone => range.end = end,
            _ => out.push(at..end),
        }
        last = Some(kind);
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharKind {
    Word,
    Space,
    Alone,
}

fn kind(c: char) -> CharKind {
    let has_no_spaces = matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{20000}'..='\u{3FFFF}' | '\u{E00}'..='\u{EFF}');
    if c == '\n' {
        CharKind::Alone
    } else if c.is_whitespace() {
        CharKind::Space
    } else if c.is_alphanumeric() && !has_no_spaces {
        CharKind::Word
    } else {
        CharKind::Alone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(before: &str, after: &str) -> String {
        let all = changes(before, after);
        let (mut b, mut a, mut out) = (String::new(), String::new(), String::new());
        for change in all {
            match change {
                Change::Same {
                    before: x,
                    after: y,
                } => {
                    assert_eq!(before[x.clone()], after[y.clone()]);
                    b.push_str(&before[x.clone()]);
                    a.push_str(&after[y]);
                    out.push_str(&before[x]);
                }
                Change::Deleted(range) => {
                    b.push_str(&before[range.clone()]);
                    out.push_str(&format!("[-{}-]", &before[range]));
                }
                Change::Inserted(range) => {
                    a.push_str(&after[range.clone()]);
                    out.push_str(&format!("{{+{}+}}", &after[range]));
                }
            }
        }
        assert_eq!((b.as_str(), a.as_str()), (before, after), "nothing is lost");
        out
    }

    #[test]
    fn the_changed_words_are_found() {
        for (before, after, expected) in [
            (
                "boils at 90 °C.",
                "boils at 100 °C.",
                "boils at [-90-]{+100+} °C.",
            ),
            ("a\nb\nc\n", "a\nB\nc\n", "a\n[-b-]{+B+}\nc\n"),
            ("", "new", "{+new+}"),
            ("old", "", "[-old-]"),
            (
                "水在九十度沸腾",
                "水在一百度沸腾",
                "水在[-九十-]{+一百+}度沸腾",
            ),
            (
                "one two three",
                "uno dos three",
                "[-one two-]{+uno dos+} three",
            ),
            ("same", "same", "same"),
        ] {
            assert_eq!(shown(before, after), expected);
        }
    }

    #[test]
    fn a_text_that_is_too_long_to_compare_counts_as_replaced() {
        let before = "a b ".repeat(MOST);
        let after = "c d ".repeat(MOST);
        assert!(shown(&before, &after).starts_with("[-a b"));
    }
}
