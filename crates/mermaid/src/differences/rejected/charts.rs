//! What mermaid rejects in charts and in lists of events: signs and letters that
//! it takes in quotes only, and colons.

use super::super::super::kind;
use super::Violation;

/// Signs that mermaid's lexer takes in quotes only.
const QUADRANT_SIGNS: [char; 13] = [
    '(', ')', '{', '}', '|', '<', '>', '@', '~', '^', '[', ']', ';',
];

pub(super) fn rejected_quadrant(text: &str) -> Option<Violation> {
    const SAYS: &str = "a name with special characters must be in double quotes";
    kind::lines(text).find_map(|line| {
        let content = text[line.clone()].trim();
        if content.starts_with("%%") {
            return None;
        }
        // Quoted text may contain any character.
        let bare: String = content.split('"').step_by(2).collect();
        let is_wrong = |name: &str| name.contains(QUADRANT_SIGNS) || name.contains(':');
        let axis = bare
            .strip_prefix("x-axis ")
            .or_else(|| bare.strip_prefix("y-axis "));
        if let Some(axis) = axis {
            let (low, high) = axis.split_once("-->").unwrap_or((axis, ""));
            return (is_wrong(low) || is_wrong(high)).then_some((line, SAYS));
        }
        if let Some(name) = bare.strip_prefix("quadrant-") {
            return is_wrong(name).then_some((line, SAYS));
        }
        let (name, point) = bare.split_once(':')?;
        let after_colons = point.trim_start().trim_start_matches(':');
        let colons = point.trim_start().len() - after_colons.len();
        if colons > 0 && after_colons.trim_start().starts_with('[') {
            return Some((line, "one colon stands between a point and its place"));
        }
        let is_point = point.trim_start().starts_with('[')
            && !["title", "accTitle", "accDescr", "classDef"]
                .iter()
                .any(|word| name.starts_with(word));
        let is_odd = is_wrong(name) || (content == bare && name.contains(['“', '”']));
        (is_point && is_odd).then_some((line, SAYS))
    })
}

/// The text of a requirement that mermaid reads in quotes only: it begins with a letter or digit
/// of ASCII, and has no sign of a relation.
fn bare_value(text: &str, header: &kind::Header) -> Option<Violation> {
    const NAMES: [&str; 4] = ["id", "text", "type", "docref"];
    kind::lines(text)
        .filter(|line| line.start >= header.line.end)
        .find_map(|line| {
            let (name, value) = text[line.clone()].split_once(':')?;
            let value = value.trim();
            let is_field = NAMES
                .iter()
                .any(|known| name.trim().eq_ignore_ascii_case(known));
            let begins = value.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            let is_bare = !value.is_empty() && !value.starts_with('"');
            let is_wrong = !begins || value.contains([',', ':', '{', '<', '>', '-', '=']);
            (is_field && is_bare && is_wrong)
                .then_some((line, "this text must be in double quotes"))
        })
}

/// Mermaid reads ASCII only outside of quotes in this kind of diagram.
pub(super) fn rejected_xychart(text: &str) -> Option<Violation> {
    kind::lines(text).find_map(|line| {
        let content = &text[line.clone()];
        let word = content.split_whitespace().next().unwrap_or_default();
        if !matches!(word, "title" | "x-axis" | "y-axis" | "bar" | "line") {
            return None;
        }
        let mut quoted = false;
        let (at, c) = content.char_indices().find(|(_, c)| {
            quoted ^= *c == '"';
            !quoted && !c.is_ascii() && !c.is_whitespace()
        })?;
        let at = line.start + at;
        Some((
            at..at + c.len_utf8(),
            "non-ASCII letters must be in double quotes here",
        ))
    })
}

/// Mermaid reads ASCII only in this kind of diagram.
pub(super) fn rejected_sankey(text: &str) -> Option<Violation> {
    kind::lines(text).find_map(|line| {
        let content = &text[line.clone()];
        let (at, c) = content
            .char_indices()
            .find(|(_, c)| !c.is_ascii() && !c.is_whitespace())?;
        let is_row = content.contains(',') && !content.trim_start().starts_with("%%");
        let at = line.start + at;
        is_row.then_some((
            at..at + c.len_utf8(),
            "a Sankey diagram allows only plain Latin letters without accents",
        ))
    })
}

/// In a journey a section has no colon; in a timeline an event follows it, which
/// needs a time before the colon.
pub(super) fn rejected_events(text: &str) -> Option<Violation> {
    let header = kind::header(text)?;
    if text[header.line.clone()].starts_with("requirementDiagram") {
        return bare_value(text, &header);
    }
    let is_journey = text[header.line.clone()].starts_with("journey");
    let is_timeline = text[header.line.clone()].starts_with("timeline");
    let mut has_time = false;
    kind::lines(text)
        .filter(|line| (is_journey || is_timeline) && line.start >= header.line.end)
        .find_map(|line| {
            let content = text[line.clone()].trim();
            let section = content.strip_prefix("section ");
            let is_known = ["title", "section", "acc", "%%"]
                .iter()
                .any(|word| content.starts_with(word));
            has_time |= !content.is_empty() && !is_known && is_timeline;
            let has_colon = section.is_some_and(|name| name.contains(':'));
            (has_colon && !has_time)
                .then_some((line, "the name of a section cannot contain a colon"))
        })
}
