//! Labels of flowcharts: those that need quotes, those that are not closed.

use std::ops::Range;

use super::super::draft::{Change, Edit};
use super::super::flow_scan::{Form, Label, Token, scan};
use super::text::Pattern;

static UNCLOSED: Pattern = Pattern::new(r"^([^\[({]*\S)[ \t]+\w+(?:[ \t;]*$|[\[({])");

/// Characters that end a label or start another shape unless it is quoted.
const STRUCTURAL: &[char] = &['(', ')', '[', ']', '{', '}', '|', '"'];
const QUOTES: &[&str] = &["\\\"", "\"", "“", "”", "„", "«", "»", "&quot;"];

/// Puts labels in quotes that need them, and closes those that are open.
pub(super) fn quote_labels(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    for line in scan(text) {
        let Form::Chain(tokens) = line.form else {
            continue;
        };
        for token in tokens {
            let change = match token {
                Token::Label(label) => node_label(text, &label),
                Token::Bars(label) => bar_label(text, &label),
                Token::Between(range) => {
                    let mut edits = Vec::new();
                    quote(text, range, Need::IfStructural, &mut edits);
                    edits
                }
                Token::Node(_) | Token::Link(_) => continue,
            };
            if !change.is_empty() {
                changes.push(Change { edits: change });
            }
        }
    }
    changes
}

fn node_label(text: &str, label: &Label) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut inner = label.inner.clone();
    let raw = &text[inner.clone()];
    let opens = |c: char| raw.matches(c).count();
    match &label.close {
        // It is closed, but followed by something other than a link.
        None if raw.contains(&format!("{} ", label.closer)) => return edits,
        None => {
            // `A[text)`: closed with the wrong bracket.
            let wrong = [('(', ')'), ('[', ']'), ('{', '}')]
                .into_iter()
                .find(|(open, close)| raw.ends_with(*close) && opens(*close) > opens(*open));
            let kept = raw.trim_end_matches([')', ']', '}', '(', '[', '{']).len();
            let opened_again = raw.ends_with(['(', '[', '{']);
            if (wrong.is_some() || opened_again) && raw.len() - kept <= 2 {
                edits.push(Edit {
                    range: inner.start + kept..inner.end,
                    text: label.closer.to_owned(),
                });
                inner.end = inner.start + kept;
            } else {
                edits.push(Edit {
                    range: inner.end..inner.end,
                    text: label.closer.to_owned(),
                });
            }
        }
        Some(_) => {
            // `A[text]]`: an extra bracket.
            let twice = [('[', ']'), ('(', ')'), ('{', '}')]
                .into_iter()
                .any(|(open, close)| {
                    raw.ends_with(close)
                        && label.closer.ends_with(close)
                        && opens(close) > opens(open)
                });
            if twice {
                edits.push(Edit {
                    range: inner.end - 1..inner.end,
                    text: String::new(),
                });
                inner.end -= 1;
            }
        }
    }
    // Mermaid reads what follows `@` as settings of an edge.
    let has_at = text[inner.clone()].contains('@');
    let slanted = text[label.open.clone()] == *"["
        && text[inner.clone()]
            .trim_start()
            .starts_with(['/', '\\', '@']);
    let need = if slanted || has_at {
        Need::Always
    } else {
        Need::IfStructural
    };
    quote(text, inner, need, &mut edits);
    // The closing quote and the closing bracket may be at the same offset.
    merge_touching(edits)
}

fn bar_label(text: &str, label: &Label) -> Vec<Edit> {
    let mut edits = Vec::new();
    let Some(close) = &label.close else {
        // `-->|yes B[text]`: the last word before a bracket is the node.
        let inner = &text[label.inner.clone()];
        if let Some(found) = UNCLOSED
            .get()
            .and_then(|regex| regex.captures(inner))
            .and_then(|found| found.get(1))
        {
            let at = label.inner.start + found.end();
            edits.push(Edit {
                range: at..at,
                text: "|".to_owned(),
            });
        }
        return edits;
    };
    if close.len() > 1 {
        edits.push(Edit {
            range: close.clone(),
            text: "|".to_owned(),
        });
    }
    quote(text, label.inner.clone(), Need::IfStructural, &mut edits);
    merge_touching(edits)
}

/// When to quote a label.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    IfStructural,
    Always,
}

/// The edits that make `range` a quoted label, if it needs quotes.
pub(super) fn quote(text: &str, range: Range<usize>, need: Need, edits: &mut Vec<Edit>) {
    let raw = &text[range.clone()];
    let start = range.start + (raw.len() - raw.trim_start().len());
    let label = raw.trim();
    if label.is_empty() {
        return;
    }
    let end = start + label.len();
    let front = QUOTES
        .iter()
        .find(|quote| label.starts_with(**quote))
        .map_or(0, |quote| quote.len());
    let back = QUOTES
        .iter()
        .find(|quote| label.len() > front && label[front..].ends_with(**quote))
        .map_or(0, |quote| quote.len());
    let (front, back) = match (front, back) {
        // Quotes at both ends enclose the label, unless they belong to
        // two different words.
        (front, back) if front > 0 && back > 0 => (front, back),
        // A single straight quote at one end was meant to have a partner.
        (front, 0) if front > 0 && odd_quotes(label) => (front, 0),
        (0, back) if back > 0 && odd_quotes(label) => (0, back),
        _ => (0, 0),
    };
    let inner = start + front..end - back;
    let body = &text[inner.clone()];
    let is_straight = |range: Range<usize>| text.get(range) == Some("\"");
    let is_quoted =
        front > 0 && back > 0 && is_straight(start..start + front) && is_straight(end - back..end);
    if is_quoted && !body.contains('"') {
        return;
    }
    let has_quotes = front > 0 || back > 0;
    if !has_quotes && need == Need::IfStructural && !body.contains(STRUCTURAL) {
        return;
    }
    if !is_straight(start..start + front) {
        edits.push(Edit {
            range: start..start + front,
            text: "\"".to_owned(),
        });
    }
    let mut at = 0;
    while let Some(found) = body[at..].find('"') {
        let quote = at + found;
        let from = if body[..quote].ends_with('\\') {
            quote - 1
        } else {
            quote
        };
        edits.push(Edit {
            range: inner.start + from..inner.start + quote + 1,
            text: "#quot;".to_owned(),
        });
        at = quote + 1;
    }
    if !is_straight(end - back..end) {
        edits.push(Edit {
            range: end - back..end,
            text: "\"".to_owned(),
        });
    }
}

fn odd_quotes(label: &str) -> bool {
    label.matches('"').count() % 2 == 1
        || (!label.contains('"') && label.matches(['“', '”', '„']).count() == 1)
}

/// Merges insertions at the same offset, so that edits never touch.
fn merge_touching(mut edits: Vec<Edit>) -> Vec<Edit> {
    // Of two edits at the same offset the quote comes before the bracket.
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end, edit.text != "\""));
    let mut merged: Vec<Edit> = Vec::new();
    for edit in edits {
        match merged.last_mut() {
            Some(last)
                if last.range.end == edit.range.start
                    && (last.range.is_empty() || edit.range.is_empty())
                    && !(last.range.is_empty() && last.text == "\"" && edit.text == "#quot;") =>
            {
                last.range.end = edit.range.end;
                last.text.push_str(&edit.text);
            }
            _ => merged.push(edit),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::super::super::draft::Draft;
    use super::*;

    #[test]
    fn labels_are_quoted_and_closed() {
        let cases = [
            ("A[f(x)]", "A[\"f(x)\"]"),
            ("A[plain] --> B{ok?}", "A[plain] --> B{ok?}"),
            ("A[\\\"Text\\\"]", "A[\"Text\"]"),
            ("A[“Text”]", "A[\"Text\"]"),
            ("A[\"say \\\"hi\\\" now\"]", "A[\"say #quot;hi#quot; now\"]"),
            ("A[\"say \"hi\" now\"]", "A[\"say #quot;hi#quot; now\"]"),
            ("A[say \"hi\" now]", "A[\"say #quot;hi#quot; now\"]"),
            ("A[\"open] --> B", "A[\"open\"] --> B"),
            ("A[open --> B", "A[open] --> B"),
            ("A[open) --> B", "A[open] --> B"),
            ("A[more]] --> B", "A[more] --> B"),
            ("A[f(x) --> B", "A[\"f(x)\"] --> B"),
            ("A -->|f(x)| B", "A -->|\"f(x)\"| B"),
            ("A -->|yes|> B", "A -->|yes| B"),
            ("A[/api/{id}]", "A[\"/api/{id}\"]"),
            ("A{x [y]} -- f(z) --> B", "A{\"x [y]\"} -- \"f(z)\" --> B"),
        ];
        for (line, expected) in cases {
            let text = format!("graph TD\n{line}");
            let mut draft = Draft::new(&text);
            draft.apply(0, quote_labels(&text));
            assert_eq!(&draft.text()[9..], expected, "{line}");
        }
    }
}
