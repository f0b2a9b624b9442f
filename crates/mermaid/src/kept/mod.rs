//! Whether a repair keeps what the diagram says: every node, edge and label, and
//! none that was not there (ruling 47). Only such a repair is certain.
//!
//! It does not trust the steps. What a step says of itself ([`Keeps`]) only
//! chooses how strictly its edits are compared.
//!
//! | compared | with |
//! |---|---|
//! | the words an edit replaces | the words it puts in their place |
//! | the last statement | nothing is added to its end, so that no cut is hidden |
//! | nodes, links and labels of a flowchart, read tolerantly | those of the repaired one, and the library's reading of it |
//! | the words on both sides of each arrow in other kinds | the same |
//! | fences, ends of blocks that were written in a line | not explained away, see `hides_something` |

mod flow_graph;
mod labels;
mod words;

use super::draft::{self, Edit, Group};
use super::kind::{self, Kind};
use super::parser::Parser;

/// What a step may do to the words of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keeps {
    /// It corrects notation: the words stay the same.
    Words,
    /// It may write words of the diagram a second time, as a name or a label.
    Repeats,
    /// It may delete words that are not drawn: comments, prose around the diagram.
    Drawing,
}

/// A repair to be judged.
pub(super) struct Repaired<'a> {
    pub(super) source: &'a str,
    pub(super) text: &'a str,
    pub(super) groups: &'a [Group],
}

/// Whether the repair keeps the drawing. `keeps` says what the steps of a group
/// may do; `is_layout` whether they only prepare the text for the steps of a kind.
pub(super) fn is_kept(
    repaired: &Repaired<'_>,
    keeps: &dyn Fn(&Group) -> Keeps,
    is_layout: &dyn Fn(&Group) -> bool,
) -> bool {
    let Some(header) = kind::header(repaired.text) else {
        return false;
    };
    let all_words = words::all(repaired.source);
    let words_stay = repaired
        .groups
        .iter()
        .all(|group| words::stay(repaired.source, group, keeps(group), &all_words));
    if !words_stay || adds_to_the_end(repaired, is_layout) || hides_something(repaired) {
        return false;
    }
    // Nodes and links are compared after comments and prose have gone.
    let layout: Vec<Edit> = repaired
        .groups
        .iter()
        .filter(|group| is_layout(group))
        .flat_map(|group| group.edits.clone())
        .collect();
    let Some(before) = draft::apply(repaired.source, &layout) else {
        return false;
    };
    if header.kind == Some(Kind::Flowchart) {
        return !has_odd_settings(repaired.text)
            && flow_graph::is_same(&before, repaired.text, &Parser::new());
    }
    let are_whole = |group: &Group| {
        quoted_by(repaired.source, group).is_none_or(|label| {
            is_balanced(label)
                && !has_quotes(label)
                && !label.ends_with([',', ';', ':'])
                && !words::has_arrow(&label.replace(' ', ""))
        })
    };
    repaired.groups.iter().all(are_whole)
        && !has_wide_names(repaired.text, header.kind)
        && words::around_arrows(&before) == words::around_arrows(repaired.text)
}

/// Whether the repair covers up that something is wrong: a fence stays among the
/// statements, an empty label stands where one is missing, a block is closed although the
/// word for it is in another line, or a statement is deleted as if it were prose.
fn hides_something(repaired: &Repaired<'_>) -> bool {
    let has_fence = repaired
        .text
        .lines()
        .any(|line| line.trim_start().starts_with("```"));
    let mut edits = repaired.groups.iter().flat_map(|group| &group.edits);
    has_fence
        || edits.any(|edit| {
            let old = repaired.source.get(edit.range.clone()).unwrap_or_default();
            let is_closed = edit.text.split_whitespace().any(|word| word == "end")
                && !old.split_whitespace().any(|word| word == "end");
            (is_closed && ends_in_a_line(repaired.source))
                || (edit.text.trim().is_empty() && old.lines().any(is_statement))
        })
}

/// Whether `end` closes a line that has other words, or has a sign after it.
fn ends_in_a_line(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim();
        let bare = line.trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_end = bare == "end" || bare.ends_with(" end");
        is_end && !matches!(line, "end" | "end;") && !line.starts_with("%%")
    })
}

/// Whether a line begins as statements of diagrams do.
fn is_statement(line: &str) -> bool {
    const WORDS: [&str; 27] = [
        "note",
        "state",
        "participant",
        "actor",
        "class",
        "section",
        "loop",
        "alt",
        "opt",
        "par",
        "else",
        "activate",
        "deactivate",
        "style",
        "classdef",
        "click",
        "subgraph",
        "commit",
        "branch",
        "checkout",
        "merge",
        "namespace",
        "direction",
        "linkstyle",
        "critical",
        "break",
        "rect",
    ];
    let line = line.trim().to_ascii_lowercase();
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    words.next().is_some() && WORDS.contains(&first)
}

/// Whether a participant or state has full-width punctuation in its name: such a
/// sign was meant to end the name.
fn has_wide_names(text: &str, kind: Option<Kind>) -> bool {
    matches!(kind, Some(Kind::Sequence | Kind::State))
        && text.lines().any(|line| {
            let names = line.split(':').next().unwrap_or_default();
            let is_quoted = names.contains('"') || names.trim_start().starts_with("%%");
            !is_quoted && names.contains(['（', '）', '［', '］', '｛', '｝', '，', '；', '：'])
        })
}

/// Whether a flowchart has a line that the library accepts and mermaid does not: a
/// style with full-width punctuation, or a subgraph without a name.
fn has_odd_settings(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        let is_style = matches!(word, "style" | "classDef" | "linkStyle");
        line == "subgraph" || (is_style && line.contains(['：', '，', '；']))
    })
}

/// What a group of edits puts in quotes.
fn quoted_by<'a>(source: &'a str, group: &'a Group) -> Option<&'a str> {
    match group.edits.as_slice() {
        [open, close] if open.text == "\"" && close.text == "\"" => {
            source.get(open.range.end..close.range.start)
        }
        [one] => one.text.strip_prefix('"')?.strip_suffix('"'),
        _ => None,
    }
}

/// Whether a group puts both quotes around a text that had none: no cut leaves such
/// a text behind.
fn is_quoting(source: &str, group: &Group) -> bool {
    group.edits.len() == 2 && quoted_by(source, group).is_some()
}

/// Whether every bracket in a label has its partner, so that none of them was
/// meant to open or close a shape.
pub(super) fn is_balanced(label: &str) -> bool {
    let mut open = Vec::new();
    for c in label.chars() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            '（' => open.push('）'),
            '［' => open.push('］'),
            '｛' => open.push('｝'),
            ')' | ']' | '}' | '）' | '］' | '｝' if open.pop() != Some(c) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Quotes that were meant to enclose a label should have been replaced, not
/// enclosed in others.
fn has_quotes(label: &str) -> bool {
    label
        .trim()
        .starts_with(['"', '“', '”', '„', '«', '‘', '\'', '>', ':'])
}

/// Whether an edit adds to the end of the last statement, or takes a sign away
/// that something should follow: either would hide that the rest is missing.
fn adds_to_the_end(repaired: &Repaired<'_>, is_layout: &dyn Fn(&Group) -> bool) -> bool {
    let source = repaired.source;
    let mut end = source.trim_end().len();
    for group in repaired.groups.iter().filter(|group| is_layout(group)) {
        for edit in &group.edits {
            // Prose after the diagram has gone.
            if edit.range.end >= end && edit.range.start < end && edit.text.is_empty() {
                end = source[..edit.range.start].trim_end().len();
            }
        }
    }
    let end = source[..end]
        .trim_end_matches([';', ' ', '\t', '\r', '\n'])
        .len();
    repaired
        .groups
        .iter()
        .filter(|group| !is_layout(group) && !is_quoting(source, group))
        .flat_map(|group| &group.edits)
        .filter(|edit| edit.range.end >= end && edit.range.start <= source.len())
        .any(|edit| {
            let old = source.get(edit.range.clone()).unwrap_or_default().trim();
            let is_whole = old.chars().any(char::is_alphanumeric)
                || old.ends_with([')', ']', '}', '"', '”', '»'])
                || (!old.is_empty() && old.chars().all(|c| matches!(c, ';' | '%')));
            !is_whole
        })
}
