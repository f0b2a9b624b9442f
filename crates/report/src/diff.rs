//! What the safe fixes would change, as a unified diff.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, TextDiff};

use super::plain;

/// A unified diff of two versions of a file; empty if they are equal.
#[must_use]
pub fn unified(path: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let diff = TextDiff::from_lines(before, after);
    let path = plain::path(path);
    let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
    let mut out = String::new();
    let bold = Style::new().bold();
    let _ = writeln!(
        out,
        "{bold}--- {path}{bold:#}\n{bold}+++ {path} (fixed){bold:#}"
    );
    for hunk in diff.unified_diff().context_radius(2).iter_hunks() {
        let cyan = color(AnsiColor::Cyan);
        let _ = writeln!(out, "{cyan}{}{cyan:#}", hunk.header());
        for change in hunk.iter_changes() {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', color(AnsiColor::Red)),
                ChangeTag::Insert => ('+', color(AnsiColor::Green)),
                ChangeTag::Equal => (' ', Style::new()),
            };
            let value = change.value();
            let shown = plain::words(value.trim_end_matches(['\n', '\r']));
            let _ = writeln!(out, "{style}{sign}{shown}{style:#}");
            if !value.ends_with('\n') {
                let _ = writeln!(out, "\\ no line break at the end of the file");
            }
        }
    }
    out
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
}
