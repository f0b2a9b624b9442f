//! What the repairs share: patterns, rules that edit a line, and balancing of
//! blocks. Rules for a diagram type are in its own file.

use std::ops::Range;
use std::sync::OnceLock;

use regex::{Captures, Regex};

use super::super::draft::{Change, Edit};
use super::super::kind;

/// A regular expression that is compiled on first use.
pub(super) struct Pattern {
    source: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    pub(super) const fn new(source: &'static str) -> Self {
        Self {
            source,
            compiled: OnceLock::new(),
        }
    }

    /// `None` only if the expression is wrong, which a test rules out.
    pub(super) fn get(&self) -> Option<&Regex> {
        let compile = || {
            let regex = Regex::new(self.source);
            debug_assert!(regex.is_ok(), "{regex:?}");
            regex.ok()
        };
        self.compiled.get_or_init(compile).as_ref()
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        self.get().is_some_and(|regex| regex.is_match(text))
    }
}

/// A rule for one line: groups of the pattern and what replaces them. `$1` in a
/// replacement stands for a group; an empty group is an insertion point.
pub(super) struct Rule {
    pub(super) pattern: Pattern,
    pub(super) puts: &'static [(usize, &'static str)],
}

impl Rule {
    pub(super) const fn new(pattern: &'static str, puts: &'static [(usize, &'static str)]) -> Self {
        Self {
            pattern: Pattern::new(pattern),
            puts,
        }
    }
}

/// Applies rules to every line after the header that is not a comment.
pub(super) fn by_rules(text: &str, rules: &[Rule]) -> Vec<Change> {
    let mut changes = Vec::new();
    for line in body(text) {
        for rule in rules {
            changes.extend(apply_rule(text, &line, rule));
        }
    }
    changes
}

fn apply_rule(text: &str, line: &Range<usize>, rule: &Rule) -> Vec<Change> {
    let Some(regex) = rule.pattern.get() else {
        return Vec::new();
    };
    regex
        .captures_iter(&text[line.clone()])
        .filter_map(|captures| change(&captures, line.start, rule.puts))
        .collect()
}

fn change(captures: &Captures<'_>, base: usize, puts: &[(usize, &str)]) -> Option<Change> {
    let mut edits = Vec::with_capacity(puts.len());
    for (group, template) in puts {
        let found = captures.get(*group)?;
        let mut text = String::new();
        captures.expand(template, &mut text);
        edits.push(Edit {
            range: base + found.start()..base + found.end(),
            text,
        });
    }
    Some(Change { edits })
}

/// The lines after the header that are not comments, without line breaks.
pub(super) fn body(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let header = kind::header(text).map_or(0, |header| header.line.end);
    kind::lines(text).filter(move |line| {
        line.start >= header && !text[line.clone()].trim_start().starts_with("%%")
    })
}

/// The range of a line with its line break, to delete it whole.
pub(super) fn whole_line(text: &str, line: &Range<usize>) -> Range<usize> {
    let end = text[line.end..]
        .find('\n')
        .map_or(text.len(), |at| line.end + at + 1);
    if end == text.len() && !text.ends_with('\n') && line.start > 0 {
        // The last line has no line break: take the one before it.
        let start = text[..line.start]
            .strip_suffix('\n')
            .map_or(line.start, |before| {
                before.strip_suffix('\r').unwrap_or(before).len()
            });
        return start..end;
    }
    line.start..end
}

/// What a line does to the open blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Opens,
    Closes,
    /// `else` and similar: belongs to the open block.
    Continues,
    Nothing,
}

/// Balances lines that end in `{` with lines that are `}`.
pub(super) fn balance_braces(text: &str) -> Vec<Change> {
    balance(text, "}", |line| {
        if line.ends_with('{') {
            Block::Opens
        } else if line == "}" {
            Block::Closes
        } else {
            Block::Nothing
        }
    })
}

pub(super) fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Inserts missing closing lines, where the indentation shows or at the end.
pub(super) fn balance(text: &str, closing: &str, role: fn(&str) -> Block) -> Vec<Change> {
    let lines: Vec<(Range<usize>, usize, Block)> = body(text)
        .filter(|line| !text[line.clone()].trim().is_empty())
        .map(|line| {
            let content = &text[line.clone()];
            let indent = content.len() - content.trim_start().len();
            (line, indent, role(content.trim()))
        })
        .collect();
    let count = |block| lines.iter().filter(|(_, _, role)| *role == block).count();
    let (opened, closed) = (count(Block::Opens), count(Block::Closes));
    if opened > closed {
        let missing = opened - closed;
        let (found, changes) = missing_by_indent(text, &lines, closing);
        // A fragment of the closing line shows where it was meant to be.
        let has_fragment = lines
            .iter()
            .any(|(line, ..)| FRAGMENTS.contains(&text[line.clone()].trim()));
        if found == missing && !has_fragment {
            return changes;
        }
        return vec![append(text, &(closing.to_owned() + "\n").repeat(missing))];
    }
    Vec::new()
}

const FRAGMENTS: &[&str] = &["e", "en", "nd", "ed", "En", "]", ")"];

/// Closing lines where a line is indented less than the block it is in: how many,
/// and the insertions. If a block would be empty, the indentation proves nothing.
fn missing_by_indent(
    text: &str,
    lines: &[(Range<usize>, usize, Block)],
    closing: &str,
) -> (usize, Vec<Change>) {
    let mut open: Vec<usize> = Vec::new();
    let mut insertions: Vec<(usize, String)> = Vec::new();
    let mut found = 0;
    let mut after_opening = false;
    for (line, indent, role) in lines {
        while let Some(block) = open.last().copied() {
            let is_left = match role {
                Block::Closes | Block::Continues => *indent < block,
                Block::Opens | Block::Nothing => *indent <= block,
            };
            if !is_left {
                break;
            }
            if after_opening {
                return (0, Vec::new());
            }
            open.pop();
            found += 1;
            let closer = " ".repeat(block) + closing + "\n";
            match insertions.last_mut() {
                Some((at, text)) if *at == line.start => text.push_str(&closer),
                _ => insertions.push((line.start, closer)),
            }
        }
        after_opening = matches!(role, Block::Opens | Block::Continues);
        match role {
            Block::Opens => open.push(*indent),
            Block::Closes => {
                open.pop();
            }
            Block::Continues | Block::Nothing => {}
        }
    }
    let mut changes: Vec<Change> = insertions
        .into_iter()
        .map(|(at, text)| Change::insert(at, text))
        .collect();
    if !open.is_empty() {
        let closers: String = open
            .iter()
            .rev()
            .map(|indent| " ".repeat(*indent) + closing + "\n")
            .collect();
        changes.push(append(text, &closers));
        found += open.len();
    }
    (found, changes)
}

pub(super) fn append(text: &str, lines: &str) -> Change {
    let end = text.trim_end().len();
    let mut insertion = String::from("\n");
    insertion.push_str(lines.trim_end_matches('\n'));
    Change::insert(end, insertion)
}
