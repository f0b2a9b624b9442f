//! The bytes of a list's entries or an object's members: removes and inserts items together with
//! the file's commas and white space. Knows nothing about their contents.
//!
//! | removed | bytes that are removed |
//! |---|---|
//! | entries with another after them | from the first one to that other |
//! | the last entries | from the end of the entry before them |
//! | all | everything between the brackets |

use std::collections::BTreeSet;
use std::ops::Range;

use super::values::{Style, indentation_at};

/// The contents of a pair of brackets.
#[derive(Debug)]
pub(super) struct Sequence<'t> {
    pub(super) text: &'t str,
    /// Including the brackets.
    pub(super) span: Range<usize>,
    pub(super) items: Vec<Range<usize>>,
}

/// The changes to a sequence.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) removed: BTreeSet<usize>,
    /// New items as they are written.
    pub(super) added: Vec<String>,
    /// The item before which they are inserted; `None` for the end.
    pub(super) before: Option<usize>,
}

impl Sequence<'_> {
    /// The splices for these changes, in text order.
    pub(super) fn splices(&self, changes: &Changes, style: &Style) -> Vec<(Range<usize>, String)> {
        let Changes {
            removed,
            added,
            before,
        } = changes;
        let inner = self.span.start + 1..self.span.end - 1;
        let many = self.items.len();
        if removed.len() >= many {
            if many == 0 && added.is_empty() {
                return Vec::new();
            }
            return vec![(inner, self.all_new(added, style))];
        }
        let separator = self.separator(style);
        let joined = added.join(&format!(",{separator}"));
        let mut left = !added.is_empty();
        let place = before.unwrap_or(many).min(many);
        let mut splices = Vec::new();
        for run in runs(removed) {
            // An item inserted next to a removed one takes its place.
            let is_here = left && place > run.start && place <= run.end;
            let last = run.end >= many;
            let range = match last {
                true => self.items[run.start - 1].end..self.items[run.end - 1].end,
                false => self.items[run.start].start..self.items[run.end].start,
            };
            let text = match (is_here, last) {
                (false, _) => String::new(),
                (true, true) => format!(",{separator}{joined}"),
                (true, false) => format!("{joined},{separator}"),
            };
            left &= !is_here;
            splices.push((range, text));
        }
        if left {
            splices.push(match place.checked_sub(1) {
                Some(item) => {
                    let at = self.items[item].end;
                    (at..at, format!(",{separator}{joined}"))
                }
                None => {
                    let at = self.items[0].start;
                    (at..at, format!("{joined},{separator}"))
                }
            });
        }
        splices.sort_by_key(|(range, _)| (range.start, range.end));
        splices
    }

    /// Whether its items are on separate lines.
    pub(super) fn is_on_lines(&self, style: &Style) -> bool {
        match self.items.first() {
            Some(first) => self
                .between(self.span.start + 1, first.start)
                .contains('\n'),
            None => style.is_on_lines(),
        }
    }

    /// The indentation of its items.
    pub(super) fn indentation(&self, style: &Style) -> String {
        match self.items.first() {
            Some(first) => indentation_at(self.text, first.start).to_owned(),
            None => {
                let line = style.line(indentation_at(self.text, self.span.start), 1);
                line.trim_start_matches(['\r', '\n']).to_owned()
            }
        }
    }

    fn between(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The white space after a comma.
    fn separator(&self, style: &Style) -> String {
        let blank = |text: &str| text.replacen(',', "", 1);
        match self.items.as_slice() {
            [first, second, ..] => {
                let found = blank(self.between(first.end, second.start));
                match found.trim().is_empty() {
                    true => found,
                    // A comment or a second comma must not be repeated.
                    false => style.comma().trim_start_matches(',').to_owned(),
                }
            }
            [only] => {
                let before = self.between(self.span.start + 1, only.start);
                match before.contains('\n') && before.trim().is_empty() {
                    true => before.to_owned(),
                    false => style.comma().trim_start_matches(',').to_owned(),
                }
            }
            [] => String::new(),
        }
    }

    fn all_new(&self, added: &[String], style: &Style) -> String {
        if added.is_empty() {
            return String::new();
        }
        if !self.is_on_lines(style) {
            return added.join(style.comma());
        }
        let first = match self.items.first() {
            Some(item) => self.between(self.span.start + 1, item.start).to_owned(),
            None => style.line(indentation_at(self.text, self.span.start), 1),
        };
        let end = match self.items.last() {
            Some(item) => self.between(item.end, self.span.end - 1).to_owned(),
            None => style.line(indentation_at(self.text, self.span.start), 0),
        };
        format!("{first}{}{end}", added.join(&format!(",{first}")))
    }
}

/// Groups consecutive numbers into ranges.
fn runs(numbers: &BTreeSet<usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.end == *number => run.end += 1,
            _ => runs.push(*number..number + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_in_the_style_of_the_list() {
        let one_line = r#"["a", "b", "c"]"#;
        let lines = "[\n  \"a\",\n  \"b\",\n  \"c\"\n]";
        for (text, removed, added, before, expected) in [
            (one_line, &[][..], &["9"][..], None, r#"["a", "b", "c", 9]"#),
            (one_line, &[], &["9"], Some(0), r#"[9, "a", "b", "c"]"#),
            (one_line, &[], &["9"], Some(2), r#"["a", "b", 9, "c"]"#),
            (one_line, &[0], &[], None, r#"["b", "c"]"#),
            (one_line, &[1], &[], None, r#"["a", "c"]"#),
            (one_line, &[2], &[], None, r#"["a", "b"]"#),
            (one_line, &[1, 2], &["8", "9"], None, r#"["a", 8, 9]"#),
            (one_line, &[0, 2], &["9"], None, r#"["b", 9]"#),
            (one_line, &[0, 1, 2], &[], None, "[]"),
            (one_line, &[0, 1, 2], &["9"], None, "[9]"),
            (
                lines,
                &[],
                &["9"],
                None,
                "[\n  \"a\",\n  \"b\",\n  \"c\",\n  9\n]",
            ),
            (lines, &[0], &["9"], None, "[\n  \"b\",\n  \"c\",\n  9\n]"),
            (lines, &[0, 1, 2], &["8", "9"], None, "[\n  8,\n  9\n]"),
            ("[]", &[], &["9"], None, "[9]"),
            ("[1]", &[], &["9"], None, "[1,9]"),
            ("[\n  1\n]", &[], &["9"], None, "[\n  1,\n  9\n]"),
        ] {
            let json = redraft_text::json::scan(text, 0..text.len());
            let root = json.root().unwrap();
            let sequence = Sequence {
                text,
                span: root.span(),
                items: root.items().map(redraft_text::json::Node::span).collect(),
            };
            let changes = Changes {
                removed: removed.iter().copied().collect(),
                added: added.iter().map(|&text| text.to_owned()).collect(),
                before,
            };
            // A file whose style is to put spaces after commas.
            let style = Style::of(text);
            let mut result = text.to_owned();
            for (range, new) in sequence.splices(&changes, &style).into_iter().rev() {
                result.replace_range(range, &new);
            }
            assert_eq!(result, expected, "{text} {removed:?} {added:?}");
        }
    }
}
