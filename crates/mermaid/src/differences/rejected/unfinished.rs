//! Statements that want something after them and end before it, as the last line of a
//! diagram that was cut off often does. The library takes them as they are.

use super::Violation;
use crate::kind::{self, Header, Kind};

/// The first statement that mermaid rejects because its rest is missing.
pub(super) fn unfinished(text: &str, header: &Header, kind: Kind) -> Option<Violation> {
    let name = text[header.line.clone()]
        .split_whitespace()
        .next()
        .unwrap_or_default();
    if name.starts_with("treeView") && ends_in_blanks(text) {
        let end = text.len();
        return Some((end - 1..end, "spaces after the last line; delete them"));
    }
    kind::lines(text)
        .filter(|line| line.start >= header.line.end)
        .find_map(|line| {
            let raw = &text[line.clone()];
            let content = raw.trim_matches([' ', '\t', '\r', ';']);
            if content.is_empty() || content.starts_with("%%") {
                return None;
            }
            let says = missing(content, kind, name)?;
            let start = line.start + (raw.len() - raw.trim_start().len());
            Some((start..start + content.len(), says))
        })
}

fn missing(content: &str, kind: Kind, name: &str) -> Option<&'static str> {
    let lower = content.to_ascii_lowercase();
    let is_empty_description = ["acctitle", "accdescr"].iter().any(|word| {
        let rest = lower.strip_prefix(word).map(str::trim_start);
        rest.and_then(|rest| rest.strip_prefix(':'))
            .is_some_and(|rest| rest.trim().is_empty())
    });
    if is_empty_description {
        return Some("nothing follows the colon");
    }
    match kind {
        Kind::Quadrant => matches!(
            lower.as_str(),
            "x-axis" | "y-axis" | "quadrant-1" | "quadrant-2" | "quadrant-3" | "quadrant-4"
        )
        .then_some("the text of the axis or quadrant is missing"),
        Kind::XyChart => half_range(&lower).then_some("a range needs `-->` and its end"),
        Kind::State if content == "classDef" => Some("the name of the class is missing"),
        Kind::State => {
            let state = content.strip_suffix(':')?.trim_end();
            let is_name =
                !state.is_empty() && !state.contains(|c: char| c.is_whitespace() || c == ':');
            is_name.then_some("the description of the state is missing")
        }
        Kind::Class if is_open_generic(content) => Some("the `~` of a type is not closed"),
        Kind::Class if is_bare_definition(content) => Some("the style of the class is missing"),
        Kind::Class => ["--", "..", "--o", "--*", "--|>", "-->", "..>", "..|>"]
            .iter()
            .any(|arrow| content.ends_with(arrow) && content.len() > arrow.len())
            .then_some("the second class of the relation is missing"),
        Kind::Gantt => super::open_click(content),
        Kind::Sankey => {
            let fields: Vec<&str> = content.split(',').collect();
            (fields.len() == 3 && fields[2].trim().is_empty() && !content.contains('"'))
                .then_some("the amount is missing")
        }
        Kind::Other if name == "timeline" => content
            .ends_with(':')
            .then_some("the event after the colon is missing"),
        _ => None,
    }
}

/// `class Box~`, `class Box~int`
fn is_open_generic(content: &str) -> bool {
    let name = content.strip_prefix("class ").unwrap_or_default();
    let name = name.split(['{', '[', ':', '"']).next().unwrap_or_default();
    name.matches('~').count() % 2 == 1
}

/// `classDef important`
fn is_bare_definition(content: &str) -> bool {
    let mut words = content.split_whitespace();
    words.next() == Some("classDef") && words.count() < 2
}

/// `y-axis 45.5`, `y-axis "Price" 45.5 --`: a number that is not the start of a range.
pub(crate) fn half_range(line: &str) -> bool {
    let is_axis = line.starts_with("x-axis") || line.starts_with("y-axis");
    if !is_axis || line.contains("-->") || line.contains('[') || line.ends_with('"') {
        return false;
    }
    let bare = line.trim_end_matches(['-', ' ', '\t']);
    let last = bare.split_whitespace().next_back().unwrap_or_default();
    last.parse::<f64>().is_ok()
}

fn ends_in_blanks(text: &str) -> bool {
    let last = text.rsplit('\n').next().unwrap_or_default();
    last.len() < text.len() && !last.is_empty() && last.trim().is_empty()
}
