//! The words of a diagram: which of them an edit keeps, and how they stand around
//! the arrows of a line.

use std::collections::{BTreeMap, BTreeSet};

use super::super::draft::Group;
use super::super::kind;
use super::Keeps;

/// Words of Mermaid's own notation that a repair may add or take away.
const NOTATION: &[&str] = &[
    "above",
    "abstract",
    "alt",
    "amp",
    "as",
    "at",
    "below",
    "bottom",
    "br",
    "by",
    "class",
    "elif",
    "else",
    "elseif",
    "end",
    "enum",
    "enumeration",
    "extends",
    "for",
    "from",
    "git",
    "gt",
    "id",
    "if",
    "implements",
    "inherits",
    "interface",
    "left",
    "lt",
    "m",
    "namespace",
    "note",
    "of",
    "on",
    "over",
    "package",
    "quot",
    "right",
    "state",
    "subgraph",
    "title",
    "top",
    "true",
    "yes",
    "34",
    "35",
    "39",
    "58",
    "59",
];

type Counted<'a> = BTreeMap<&'a str, usize>;

/// All words of a text.
pub(super) fn all(text: &str) -> BTreeSet<&str> {
    split(text).collect()
}

/// Whether a group of edits keeps the words it touches.
pub(super) fn stay(source: &str, group: &Group, keeps: Keeps, all: &BTreeSet<&str>) -> bool {
    if keeps == Keeps::Drawing || is_header(source, group) {
        return true;
    }
    let mut old = Counted::new();
    let mut new = Counted::new();
    for edit in &group.edits {
        count(source.get(edit.range.clone()).unwrap_or_default(), &mut old);
        count(&edit.text, &mut new);
    }
    let is_lost = old
        .iter()
        .any(|(word, times)| new.get(word).is_none_or(|left| left < times));
    let is_invented = new.iter().any(|(word, times)| match keeps {
        Keeps::Repeats => !all.contains(word),
        Keeps::Words | Keeps::Drawing => old.get(word).is_none_or(|before| before < times),
    });
    !is_lost && !is_invented
}

/// The first line names the kind of diagram and its direction, nothing that is
/// drawn.
fn is_header(source: &str, group: &Group) -> bool {
    kind::header(source).is_some_and(|header| {
        group
            .edits
            .iter()
            .all(|edit| edit.range.start >= header.line.start && edit.range.end <= header.line.end)
    })
}

fn count<'a>(text: &'a str, words: &mut Counted<'a>) {
    let is_notation = |word: &str| {
        NOTATION
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
    };
    for word in split(text).filter(|word| !is_notation(word)) {
        *words.entry(word).or_default() += 1;
    }
}

/// Runs of letters, digits and what belongs to letters: marks and joiners.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() || is_sign(c))
        .filter(|word| !word.is_empty())
}

/// A sign beyond ASCII that belongs to no word: punctuation, arrows, spaces and
/// what nobody sees. Everything else counts as a letter, so that nothing of any
/// script can be lost.
pub(super) fn is_sign(c: char) -> bool {
    matches!(c,
        '\u{a0}'..='\u{a9}' | '\u{ab}'..='\u{b4}' | '\u{b6}'..='\u{b9}' | '\u{bb}'..='\u{bf}'
        | '\u{200b}' | '\u{2010}'..='\u{206f}' | '\u{2190}'..='\u{21ff}' | '\u{27f0}'..='\u{27ff}'
        | '\u{2794}'..='\u{27bf}' | '\u{25a0}'..='\u{25ff}' | '\u{3000}'..='\u{3003}'
        | '\u{3008}'..='\u{3020}' | '\u{feff}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}'
        | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}')
}

/// The words before and after the first arrow of a line, in any order: a label
/// may move to the other end of its side.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sides<'a> {
    before: Counted<'a>,
    after: Counted<'a>,
}

/// The lines with an arrow, in their order.
pub(super) fn around_arrows(text: &str) -> Vec<Sides<'_>> {
    let header = kind::header(text).map_or(0, |header| header.line.end);
    kind::lines(text)
        .filter(|line| line.start >= header)
        .filter_map(|line| {
            let content = &text[line];
            let (start, end) =
                first_arrow(content).filter(|_| !content.trim_start().starts_with("%%"))?;
            let (mut before, mut after) = (Counted::new(), Counted::new());
            count(&content[..start], &mut before);
            count(&content[end..], &mut after);
            Some(Sides { before, after })
        })
        .collect()
}

pub(super) fn has_arrow(text: &str) -> bool {
    first_arrow(text).is_some()
}

/// Where the first arrow or relation of a line is, written rightly or wrongly.
fn first_arrow(line: &str) -> Option<(usize, usize)> {
    let is_stroke = |c: char| {
        matches!(
            c,
            '-' | '='
                | '.'
                | '<'
                | '>'
                | '|'
                | '—'
                | '–'
                | '→'
                | '⟶'
                | '➔'
                | '⇒'
                | '⇢'
                | '&'
                | ';'
        )
    };
    let mut start = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        if is_stroke(c) {
            start.get_or_insert(at);
        } else if let Some(from) = start.take() {
            let run = &line[from..at];
            let is_arrow = run.contains("--")
                || run.contains("->")
                || run.contains("=>")
                || run.contains("<-")
                || run.contains("..")
                || (run.contains('-') && run.contains('|'))
                || run.contains(['—', '–', '→', '⟶', '➔', '⇒', '⇢']);
            if is_arrow {
                return Some((from, at));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Edit;

    fn group(range: std::ops::Range<usize>, text: &str) -> Group {
        Group {
            step: 0,
            steps: BTreeSet::new(),
            edits: vec![Edit {
                range,
                text: text.to_owned(),
            }],
        }
    }

    #[test]
    fn an_edit_keeps_words_repeats_them_or_loses_them() {
        let source = "pie\nUser input ന്\u{200d}";
        let cases = [
            (4..14, "\"User input\"", Keeps::Words, true),
            (4..14, "User_input", Keeps::Words, true),
            (4..14, "User_input[\"User input\"]", Keeps::Words, false),
            (4..14, "User_input[\"User input\"]", Keeps::Repeats, true),
            (4..14, "User_inputs[\"User input\"]", Keeps::Repeats, false),
            (4..14, "User", Keeps::Words, false),
            (4..14, "User", Keeps::Drawing, true),
            (4..4, "end ", Keeps::Words, true),
            // A joiner belongs to its word.
            (15..24, "ന്", Keeps::Words, false),
            (15..24, "\"ന്\u{200d}\"", Keeps::Words, true),
        ];
        for (range, text, keeps, expected) in cases {
            let kept = stay(source, &group(range.clone(), text), keeps, &all(source));
            assert_eq!(kept, expected, "{range:?} {text} {keeps:?}");
        }
    }

    #[test]
    fn words_stay_on_their_side_of_an_arrow() {
        let of = |line: &str| format!("sequenceDiagram\n{line}\n");
        let same = [
            ("A→B: x", "A->>B: x"),
            ("A->>|x| B", "A->>B: x"),
            ("A -- x --> B", "A --> B : x"),
        ];
        for (before, after) in same {
            let (before, after) = (of(before), of(after));
            assert_eq!(around_arrows(&before), around_arrows(&after));
        }
        let other = [
            ("A<-B: x", "B->>A: x"),
            ("A->>B: x", "A->>B: y"),
            ("A->>B: x", "A: x"),
        ];
        for (before, after) in other {
            let (before, after) = (of(before), of(after));
            assert_ne!(around_arrows(&before), around_arrows(&after));
        }
    }
}
