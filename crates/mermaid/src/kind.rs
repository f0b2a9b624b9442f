//! Which kind of diagram a text claims to be, from its first statement, and
//! the range of that statement. It does not check the rest.

use std::ops::Range;

/// A family of diagrams with a grammar of its own, as far as the repairs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Flowchart,
    Sequence,
    Class,
    State,
    Er,
    Pie,
    Gantt,
    Mindmap,
    Block,
    Git,
    Quadrant,
    C4,
    Sankey,
    Kanban,
    XyChart,
    /// A kind without its own repairs.
    Other,
}

/// The first words of diagrams that mermaid draws.
const HEADERS: &[(&str, Kind)] = &[
    ("graph", Kind::Flowchart),
    ("flowchart", Kind::Flowchart),
    ("flowchart-elk", Kind::Flowchart),
    ("sequenceDiagram", Kind::Sequence),
    ("classDiagram", Kind::Class),
    ("classDiagram-v2", Kind::Class),
    ("stateDiagram", Kind::State),
    ("stateDiagram-v2", Kind::State),
    ("erDiagram", Kind::Er),
    ("pie", Kind::Pie),
    ("gantt", Kind::Gantt),
    ("mindmap", Kind::Mindmap),
    ("block", Kind::Block),
    ("block-beta", Kind::Block),
    ("gitGraph", Kind::Git),
    ("quadrantChart", Kind::Quadrant),
    ("C4Context", Kind::C4),
    ("C4Container", Kind::C4),
    ("C4Component", Kind::C4),
    ("C4Dynamic", Kind::C4),
    ("C4Deployment", Kind::C4),
    ("journey", Kind::Other),
    ("timeline", Kind::Other),
    ("requirementDiagram", Kind::Other),
    ("requirement", Kind::Other),
    ("sankey", Kind::Sankey),
    ("sankey-beta", Kind::Sankey),
    ("xychart", Kind::XyChart),
    ("xychart-beta", Kind::XyChart),
    ("packet", Kind::Other),
    ("packet-beta", Kind::Other),
    ("kanban", Kind::Kanban),
    ("architecture-beta", Kind::Other),
    ("radar-beta", Kind::Other),
    ("treemap", Kind::Other),
    ("treemap-beta", Kind::Other),
    ("treeView-beta", Kind::Other),
    ("venn-beta", Kind::Other),
    ("wardley-beta", Kind::Other),
    ("ishikawa", Kind::Other),
    ("ishikawa-beta", Kind::Other),
    ("zenuml", Kind::Other),
    ("info", Kind::Other),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// `None` if its first word names no kind of diagram.
    pub(super) kind: Option<Kind>,
    /// Its whole line, without white space around it; of a flowchart up to the
    /// first semicolon, after which statements may follow.
    pub(super) line: Range<usize>,
}

/// The first line that is neither blank, front matter, directive nor comment.
pub(super) fn header(text: &str) -> Option<Header> {
    let mut front_matter = None;
    let mut in_directive = false;
    for line in lines(text) {
        let content = &text[line.clone()];
        let trimmed = content.trim();
        if in_directive {
            in_directive = !trimmed.contains("}%%");
            continue;
        }
        match (trimmed, front_matter) {
            ("", _) => continue,
            ("---", None) => {
                front_matter = Some(true);
                continue;
            }
            ("---", Some(true)) => {
                front_matter = Some(false);
                continue;
            }
            (_, Some(true)) => continue,
            _ => {}
        }
        if trimmed.starts_with("%%") {
            in_directive = trimmed.starts_with("%%{") && !trimmed.contains("}%%");
            continue;
        }
        let start = line.start + (content.len() - content.trim_start().len());
        let length = trimmed
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_')))
            .unwrap_or(trimmed.len());
        let kind = kind_of(&trimmed[..length]);
        let statement = match kind {
            Some(Kind::Flowchart) => trimmed.find(';').unwrap_or(trimmed.len()),
            _ => trimmed.len(),
        };
        return Some(Header {
            kind,
            line: start..start + statement,
        });
    }
    None
}

/// The kind that a first word names.
pub(super) fn kind_of(word: &str) -> Option<Kind> {
    HEADERS
        .iter()
        .find(|(header, _)| *header == word)
        .map(|(_, kind)| *kind)
}

/// The ranges of the lines of a text, without their line breaks.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let this = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        this
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_follows_front_matter_directives_and_comments() {
        let cases = [
            ("graph TD\n A", Some((Some(Kind::Flowchart), "graph TD"))),
            (
                "\n  %% hi\n  pie title x",
                Some((Some(Kind::Pie), "pie title x")),
            ),
            (
                "---\ntitle: graph\n---\nsequenceDiagram\n",
                Some((Some(Kind::Sequence), "sequenceDiagram")),
            ),
            (
                "%%{init: {\n'a': 1}\n}%%\nerDiagram",
                Some((Some(Kind::Er), "erDiagram")),
            ),
            ("graph;A-->B", Some((Some(Kind::Flowchart), "graph"))),
            ("Here is it:\ngraph TD", Some((None, "Here is it:"))),
            ("  \n", None),
        ];
        for (text, expected) in cases {
            let found = header(text).map(|header| (header.kind, &text[header.line]));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
