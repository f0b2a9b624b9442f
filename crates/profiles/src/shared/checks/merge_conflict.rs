//! `merge-conflict`: the markers that Git leaves between two versions of a text.
//!
//! | lines outside code | reported |
//! |---|---|
//! | `<<<<<<< HEAD` … `=======` … `>>>>>>> branch` | yes, also with `\|\|\|\|\|\|\| base` |
//! | two of the three, in their order | yes |
//! | the same in a quotation, in a list or indented | yes |
//! | `-old` and directly below it `+new` | yes: lines of a diff |
//! | `=======` alone | no: it underlines a heading |
//! | markers in a code block, or in the middle of a line | no: a lesson shows or names them |
//! | one outside code, the rest inside | yes: the conflict goes across a fence |

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::content::{Document, TextField, TextRole};
use redraft_gate::finding::Severity;
use redraft_text::markdown::{ConflictMarker, conflict_marker};

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT013",
    name: "merge-conflict",
    severity: Severity::Error,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "an unresolved merge conflict",
    what: "Reports the lines that Git leaves where two versions of a text disagree: `<<<<<<<`, `=======` and `>>>>>>>`, or two of them in this order, each at the start of a line, a quoted line or a list item. Markers in code blocks and in the middle of a line are left alone, and so is `=======` under a heading. There is no fix, because only the author knows which version is right.",
    why: "The learner sees both versions, one after the other, with the markers between them.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\n<<<<<<< HEAD\nWater boils at 100 °C.\n=======\nWater boils at 373 K.\n>>>>>>> kelvin\n\nSteam rises.\n",
        passes: "# Git\n\nA conflict looks like this:\n\n```\n<<<<<<< HEAD\nWater boils at 100 °C.\n=======\nWater boils at 373 K.\n>>>>>>> kelvin\n```\n\nDelete the lines with `<<<<<<<` and `>>>>>>>`.\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let texts = document.texts().iter();
    for field in texts.filter(|field| field.role != TextRole::Code) {
        if let Some(range) = diff_lines(field) {
            let message = "a removed and an added line of a diff stand here; keep one and delete the signs";
            sink.in_text(field, range, message);
        }
        if !has_markers(&field.text) {
            continue;
        }
        for conflict in conflicts(&lines_of_text(field)) {
            sink.in_text(field, conflict.start..conflict.end, message(&conflict));
        }
    }
    if document.shape() != "markdown" {
        in_file(document, sink);
    }
}

/// A line that begins with `-` and a word, and directly after it one with `+`, outside code.
fn diff_lines(field: &TextField) -> Option<std::ops::Range<usize>> {
    let begins = |line: &str, sign: char| {
        line.strip_prefix(sign).is_some_and(|rest| rest.starts_with(char::is_alphabetic))
    };
    let mut start = 0;
    let mut lines = field.text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let end = start + line.len();
        let is_change = begins(line, '-') && lines.peek().is_some_and(|next| begins(next, '+'));
        if is_change && !field.markdown().is_code(start) {
            return Some(start..end);
        }
        start = end;
    }
    None
}

/// In a JSON file the markers stand between its lines, outside all texts.
fn in_file(document: &Document, sink: &mut Sink<'_>) {
    let text = document.source().text();
    if !has_markers(text) {
        return;
    }
    let fields: Vec<_> = document
        .texts()
        .iter()
        .map(|field| field.map.source_span())
        .collect();
    let mut found = lines(text, |_| false);
    // What was found in a text has been reported there.
    found.retain(|line| {
        let next = fields.partition_point(|span| span.end <= line.start);
        fields
            .get(next)
            .is_none_or(|span| span.start > line.start)
    });
    for conflict in conflicts(&found) {
        sink.in_source(conflict.start..conflict.end, message(&conflict));
    }
}

fn has_markers(text: &str) -> bool {
    text.contains("<<<<<<<") || text.contains(">>>>>>>")
}

/// A line with a marker.
#[derive(Clone, Copy, Debug)]
struct Line {
    marker: ConflictMarker,
    start: usize,
    end: usize,
    in_code: bool,
    /// Whether a version is named after it: `<<<<<<< HEAD`.
    has_name: bool,
}

/// A conflict, from its first marker to its last.
#[derive(Debug)]
struct Conflict {
    start: usize,
    end: usize,
    has_end: bool,
}

fn message(conflict: &Conflict) -> &'static str {
    if conflict.has_end {
        "this merge conflict is not resolved; keep one version and delete the markers"
    } else {
        "this merge conflict is not resolved and has lost its last marker; keep one version and delete the markers"
    }
}

fn lines_of_text(field: &TextField) -> Vec<Line> {
    lines(&field.text, |at| field.markdown().is_code(at))
}

fn lines(text: &str, is_code: impl Fn(usize) -> bool) -> Vec<Line> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        if let Some(marker) = conflict_marker(without_marks(content)) {
            found.push(Line {
                marker,
                start,
                end: start + content.len(),
                in_code: is_code(start),
                has_name: content.contains(|c: char| c.is_alphanumeric()),
            });
        }
        start += line.len();
    }
    found
}

/// A line without the signs of quotations and lists before it.
fn without_marks(line: &str) -> &str {
    const MOST: usize = 4;
    let mut line = line.trim_start_matches([' ', '\t']);
    for _ in 0..MOST {
        let rest = ["> ", ">\t", "- ", "* ", "+ "]
            .iter()
            .find_map(|mark| line.strip_prefix(mark));
        let Some(rest) = rest else { break };
        line = rest.trim_start_matches([' ', '\t']);
    }
    line
}

/// Runs of markers in their order, of which at least two are different and one that
/// cannot be anything else is outside code; or one such marker with the name of a version.
fn conflicts(lines: &[Line]) -> Vec<Conflict> {
    let runs = lines.chunk_by(|a, b| a.marker < b.marker);
    runs.filter(|run| {
        let is_telling = |line: &Line| {
            matches!(line.marker, ConflictMarker::Ours | ConflictMarker::Theirs) && !line.in_code
        };
        let is_named = |line: &Line| is_telling(line) && line.has_name;
        (run.len() > 1 && run.iter().any(is_telling)) || run.iter().any(is_named)
    })
    .filter_map(|run| {
        let (first, last) = (run.first()?, run.last()?);
        Some(Conflict {
            start: first.start,
            end: last.end,
            has_end: last.marker == ConflictMarker::Theirs,
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_marker_with_a_name_is_enough() {
        for (text, found) in [
            ("a\n<<<<<<< topic/tides\nb\n", 1),
            ("a\n\n>>>>>>> 3f2a1bc\n\nb\n", 1),
            ("a\n<<<<<<<\nb\n", 0),
            ("Title\n=======\n\nb\n", 0),
            ("a <<<<<<< b\n", 0),
            ("> <<<<<<< HEAD\n> a\n> =======\n> b\n> >>>>>>> topic\n", 1),
            ("- <<<<<<< HEAD\n- a\n- =======\n- b\n- >>>>>>> topic\n", 1),
            ("  <<<<<<< HEAD\n  a\n  =======\n  b\n  >>>>>>> topic\n", 1),
            (">>>>>>>> eight quotations\n", 0),
        ] {
            assert_eq!(conflicts(&lines(text, |_| false)).len(), found, "{text}");
        }
        assert!(conflicts(&lines("<<<<<<< HEAD\n", |_| true)).is_empty());
    }
}
