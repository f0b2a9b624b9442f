//! Messages for errors that cannot be repaired, with their line. The library's own
//! messages mislead authors and models alike and are never shown.

use std::ops::Range;

use super::kind::{self, Kind};
use super::parser::{Parser, Reading, Rejection};

/// The range of the error, and the message.
pub(super) fn explain(
    text: &str,
    rejection: &Rejection,
    parser: &Parser,
) -> (Range<usize>, String) {
    let header = kind::header(text);
    let Some(header) = header else {
        return (0..text.trim_end().len(), "the diagram is empty".to_owned());
    };
    if rejection.kind.is_empty() {
        return match rejection.words.as_str() {
            "front matter" => (
                0..first_line(text),
                "invalid front matter; write YAML between two lines `---`".to_owned(),
            ),
            "directive" => (
                0..first_line(text),
                "invalid directive `%%{…}%%`".to_owned(),
            ),
            _ => {
                let line = header.line;
                let message = format!(
                    "unknown diagram type in the first line: `{}`",
                    shortened(&text[line.clone()])
                );
                (line, message)
            }
        };
    }
    let line = error_line(text, rejection, parser);
    let content = text[line.clone()].trim();
    let name = kind_name(header.kind);
    let message = if unended(&rejection.words) {
        format!("unclosed block, bracket or quote at the end of {name}")
    } else if let Some(says) = meaning(rejection) {
        format!("{says}: `{}`", shortened(content))
    } else {
        format!("this line is not valid in {name}: `{}`", shortened(content))
    };
    (trimmed(text, line), message)
}

/// Messages for rules beyond grammar.
fn meaning(rejection: &Rejection) -> Option<&'static str> {
    const MEANINGS: &[(&str, &str)] = &[
        (
            "only one root",
            "a mind map has exactly one root; indent this line",
        ),
        (
            "Items without section",
            "an item must be indented below a column",
        ),
        ("not contiguous", "the bits of a packet must be contiguous"),
        ("zero bit", "a field of a packet needs at least one bit"),
        ("must be greater", "a range ends before it starts"),
        ("inactivate", "the deactivated participant is not active"),
        ("cherry-pick", "this commit cannot be cherry-picked here"),
        (
            "not an immediate parent",
            "this commit cannot be cherry-picked here",
        ),
        ("existing branch", "this branch already exists"),
        ("not yet created", "this branch does not exist yet"),
        ("merge", "these branches cannot be merged here"),
        (
            "Negative values",
            "the values of a pie chart cannot be negative",
        ),
        ("No such shape", "unknown shape"),
        ("style named", "unknown style"),
        ("multiple identifiers", "a union needs more than one set"),
        ("unknown set", "this set has not been declared"),
        (
            "structural characters",
            "a label with brackets or quotes must be in double quotes",
        ),
    ];
    MEANINGS
        .iter()
        .find(|(words, _)| rejection.words.contains(words))
        .map(|(_, says)| *says)
}

fn unended(words: &str) -> bool {
    words.contains("unexpected end of input") || words.contains("nterminated")
}

/// The line where the library stopped. If it gives no position, a binary search
/// for the shortest prefix with the same error finds the line.
fn error_line(text: &str, rejection: &Rejection, parser: &Parser) -> Range<usize> {
    let lines: Vec<Range<usize>> = kind::lines(text).collect();
    let last = lines
        .iter()
        .rev()
        .find(|line| !text[(*line).clone()].trim().is_empty());
    let last = last.cloned().unwrap_or(0..0);
    let at = rejection
        .at
        .clone()
        .filter(|at| !at.is_empty() && at.end < text.trim_end().len());
    if let Some(at) = at {
        return lines
            .into_iter()
            .find(|line| at.start <= line.end)
            .unwrap_or(last);
    }
    if unended(&rejection.words) {
        return last;
    }
    let (mut low, mut high) = (1, lines.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        let end = lines.get(middle - 1).map_or(text.len(), |line| line.end);
        let rejected = matches!(
            parser.read(&text[..end]),
            Reading::Rejected(ref other) if other.words == rejection.words
        );
        if rejected {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    lines.get(low - 1).cloned().unwrap_or(last)
}

fn first_line(text: &str) -> usize {
    kind::lines(text).next().map_or(0, |line| line.end)
}

fn trimmed(text: &str, line: Range<usize>) -> Range<usize> {
    let content = &text[line.clone()];
    let start = line.start + (content.len() - content.trim_start().len());
    start..start + content.trim().len()
}

fn kind_name(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Flowchart) => "a flowchart",
        Some(Kind::Sequence) => "a sequence diagram",
        Some(Kind::Class) => "a class diagram",
        Some(Kind::State) => "a state diagram",
        Some(Kind::Er) => "an entity-relationship diagram",
        Some(Kind::Pie) => "a pie chart",
        Some(Kind::Gantt) => "a Gantt chart",
        Some(Kind::Mindmap) => "a mind map",
        Some(Kind::Block) => "a block diagram",
        Some(Kind::Git) => "a Git graph",
        Some(Kind::Quadrant) => "a quadrant chart",
        Some(Kind::C4) => "a C4 diagram",
        Some(Kind::Kanban) => "a Kanban board",
        Some(Kind::Sankey) => "a Sankey diagram",
        Some(Kind::XyChart) => "an XY chart",
        Some(Kind::Other) | None => "this type of diagram",
    }
}

pub(super) fn shortened(line: &str) -> String {
    const LONGEST: usize = 60;
    if line.chars().count() <= LONGEST {
        return line.to_owned();
    }
    line.chars().take(LONGEST).chain(['…']).collect()
}
