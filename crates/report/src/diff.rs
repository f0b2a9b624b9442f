//! What a fix or a repair changes, as a unified diff with the changed words emphasised.

use std::fmt::Write as _;
use std::ops::Range;

use anstyle::Style;
use similar::{ChangeTag, DiffOp, TextDiff};

use super::plain;
use super::style::{BLUE, BOLD, GREEN, RED};
use super::word_diff::{self, Change};

/// A unified diff of two versions of a file; empty if they are equal.
#[must_use]
pub fn unified(path: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let diff = TextDiff::from_lines(before, after);
    let path = plain::path(path);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{BOLD}--- {path}{BOLD:#}\n{BOLD}+++ {path} (fixed){BOLD:#}"
    );
    for hunk in diff.unified_diff().context_radius(2).iter_hunks() {
        let _ = writeln!(out, "{BLUE}{}{BLUE:#}", hunk.header());
        for op in hunk.ops() {
            write_op(&mut out, &diff, op);
        }
    }
    out
}

type Lines<'d> = TextDiff<'d, 'd, str>;

fn write_op(out: &mut String, diff: &Lines<'_>, op: &DiffOp) {
    let (mut old, mut new) = (String::new(), String::new());
    for change in diff.iter_changes(op) {
        match change.tag() {
            ChangeTag::Delete => old.push_str(change.value()),
            ChangeTag::Insert => new.push_str(change.value()),
            ChangeTag::Equal => write_lines(out, ' ', change.value(), Style::new(), &[]),
        }
    }
    let (mut deleted, mut inserted) = (Vec::new(), Vec::new());
    // Lines that are only deleted or only inserted changed as a whole.
    if !old.is_empty() && !new.is_empty() {
        for change in word_diff::changes(&old, &new) {
            match change {
                Change::Same { .. } => {}
                Change::Deleted(range) => deleted.push(range),
                Change::Inserted(range) => inserted.push(range),
            }
        }
    }
    write_lines(out, '-', &old, RED, &deleted);
    write_lines(out, '+', &new, GREEN, &inserted);
}

/// Writes lines after a sign, with some ranges emphasised.
fn write_lines(out: &mut String, sign: char, text: &str, style: Style, strong: &[Range<usize>]) {
    let emphasis = style.bold().underline();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_end_matches(['\n', '\r']);
        let _ = write!(out, "{style}{sign}{style:#}");
        let mut from = at;
        let end = at + words.len();
        for range in strong
            .iter()
            .filter(|range| range.start < end && range.end > at)
        {
            let (start, stop) = (range.start.max(from), range.end.min(end));
            let plain = plain::words(&text[from..start.max(from)]);
            let _ = write!(out, "{style}{plain}{style:#}");
            let changed = plain::words(&text[start..stop]);
            let _ = write!(out, "{emphasis}{changed}{emphasis:#}");
            from = stop;
        }
        let rest = plain::words(&text[from..end]);
        let _ = writeln!(out, "{style}{rest}{style:#}");
        if !line.ends_with('\n') {
            let _ = writeln!(out, "\\ no line break at the end of the file");
        }
        at += line.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_shows_the_changed_lines_and_their_neighbours() {
        let diff = unified("a.md", "a\nb\nc\n", "a\nB\nc\n");
        let plain = anstream::adapter::strip_str(&diff).to_string();
        assert_eq!(
            plain,
            "--- a.md\n+++ a.md (fixed)\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
        );
        assert_eq!(unified("a.md", "same", "same"), "");
    }

    #[test]
    fn the_changed_words_of_a_line_are_emphasised() {
        let diff = unified("a.md", "boils at 90 °C.\n", "boils at 100 °C.\n");
        let strong = RED.bold().underline();
        assert!(diff.contains(&format!("{strong}90{strong:#}")), "{diff:?}");
        let plain = anstream::adapter::strip_str(&diff).to_string();
        assert!(
            plain.ends_with("-boils at 90 °C.\n+boils at 100 °C.\n"),
            "{plain}"
        );
    }
}
