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
    if has_open_style(content) {
        return Some("a property of the style is missing after the comma");
    }
    match kind {
        Kind::Flowchart if content == "click" => Some("the node of the click is missing"),
        Kind::Block | Kind::Quadrant if is_bare_definition(content) => {
            Some("the style of the class is missing")
        }
        Kind::Other if name.starts_with("treemap") && is_bare_definition(content) => {
            Some("the style of the class is missing")
        }
        Kind::Other if name == "journey" && matches!(content, "title" | "section") => {
            Some("the text of the title or section is missing")
        }
        Kind::Quadrant if content.contains('[') && content.ends_with(',') => {
            Some("a property of the style is missing after the comma")
        }
        Kind::Block if content == "columns" => Some("the number of columns is missing"),
        Kind::Block => (content.ends_with(':') && content.len() > 1)
            .then_some("the width after the colon is missing"),
        Kind::Er => (content.ends_with(':')
            && (content.contains("--") || content.contains(" to ")))
        .then_some("the label of the relation is missing"),
        Kind::Git => is_command(content.strip_prefix("branch ")?.trim())
            .then_some("a branch cannot have the name of a command without quotes"),
        Kind::Other if name == "requirementDiagram" => ["->", "- contains", "- satisfies"]
            .iter()
            .any(|end| content.ends_with(end))
            .then_some("the second part of the relation is missing"),
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
        Kind::Class if is_bare_style(content) => Some("the style of the class is missing"),
        Kind::Class => [
            "--", "..", "--o", "--*", "--|", "..|", "--|>", "-->", "..>", "..|>",
        ]
        .iter()
        .any(|arrow| content.ends_with(arrow) && content.len() > arrow.len())
        .then_some("the second class of the relation is missing"),
        Kind::Gantt if has_only_tags(content) => Some("the length of the task is missing"),
        Kind::Gantt if content == "section" => Some("the name of the section is missing"),
        Kind::Gantt => super::open_click(content).or_else(|| half_click(content)),
        Kind::Sankey => {
            let commas = commas_outside_quotes(content);
            (commas == 2 && content.ends_with(',')).then_some("the amount is missing")
        }
        Kind::Other if name == "timeline" => content
            .ends_with(':')
            .then_some("the event after the colon is missing"),
        _ => None,
    }
}

/// `style A fill:#f9f,`, `classDef a fill:#f9f,`
fn has_open_style(content: &str) -> bool {
    let first = content.split_whitespace().next().unwrap_or_default();
    matches!(first, "style" | "classDef" | "linkStyle")
        && content.ends_with(',')
        && content.contains(':')
}

/// `style Box` without a property.
fn is_bare_style(content: &str) -> bool {
    let mut words = content.split_whitespace();
    words.next() == Some("style") && words.count() < 2
}

/// Words that are commands of a Git graph.
fn is_command(name: &str) -> bool {
    matches!(
        name,
        "merge" | "commit" | "branch" | "checkout" | "switch" | "cherry-pick"
    )
}

/// `click task hr`, `click task`, `click task call fn("a"`: neither an address nor a call.
fn half_click(content: &str) -> Option<&'static str> {
    let mut words = content.strip_prefix("click ")?.split_whitespace().skip(1);
    let Some(what) = words.next() else {
        return Some("the address or the function of the click is missing");
    };
    let is_open = what == "call" && content.matches('(').count() > content.matches(')').count();
    (is_open || !matches!(what, "href" | "call"))
        .then_some("a click needs `href` and an address, or `call` and a function")
}

/// `Launch : milestone`, `Launch : crit,`: a task with its tags and nothing else.
fn has_only_tags(content: &str) -> bool {
    let is_tag = |field: &str| {
        matches!(
            field.trim(),
            "active" | "done" | "crit" | "milestone" | "vert"
        )
    };
    content
        .split_once(':')
        .is_some_and(|(task, data)| !task.starts_with("click ") && data.split(',').all(is_tag))
}

/// Commas that separate fields.
fn commas_outside_quotes(content: &str) -> usize {
    let parts = content.split('"').step_by(2);
    parts.map(|part| part.matches(',').count()).sum()
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

#[cfg(test)]
mod tests {
    use crate::{Verdict, check};

    #[test]
    fn a_statement_without_its_rest_is_invalid() {
        for (text, is_whole) in [
            ("block-beta\n  columns 1\n  A:1\n  B:", false),
            ("block-beta\n  columns 1\n  A:1\n  B:2", true),
            ("block\n  columns 3\n  one[\"One\"]\n  two[\"Two\"]:", false),
            ("classDiagram\nclass A\nstyle A", false),
            ("classDiagram\nclass A\nstyle A fill:#f9f", true),
            ("classDiagram\nA --|", false),
            ("graph TD;A-->odd->Vert", false),
            ("graph TD;A-->odd->Vert]", true),
            (
                "gantt\nsection A\nOne :cl1, 2014-01-07, 3d\nclick cl1 href \"https:/",
                false,
            ),
            (
                "gantt\nsection A\nOne :cl1, 2014-01-07, 3d\nclick cl1 hr",
                false,
            ),
            (
                "gantt\nsection A\nOne :cl1, 2014-01-07, 3d\nclick cl1 call go(\"a\", b",
                false,
            ),
            (
                "gantt\nsection A\nOne :cl1, 2014-01-07, 3d\nclick cl1 call go(\"a\", b)",
                true,
            ),
            ("gantt\ndateFormat YYYY-MM-DD\nsection", false),
            ("gitGraph\n  commit\n  branch merge", false),
            ("gitGraph\n  commit\n  branch merge01", true),
            (
                "erDiagram\n  A ||--|{ B : has\n  B many(0) optionally to 0+ C :",
                false,
            ),
            (
                "erDiagram\n  A ||--|| B : has\n  classDef default fill:#f9f,",
                false,
            ),
            ("sankey-beta\n\nHeat,\"Warm, \"\"home\"\"\",", false),
            ("sankey-beta\n\nHeat,\"Warm, \"\"home\"\"\",3", true),
            ("---\ntitle: T\n---\nclassDiagram", false),
            ("flowchart TD\n    A --> B\n    click", false),
            ("flowchart TD\n    A --> click", true),
            ("journey\n  title Day\n  section", false),
            ("journey\n  title", false),
            ("block\n  columns 2\n  A B\n  classDef front", false),
            ("treemap-beta\n\"A\"\n  \"B\": 2\n\nclassDef warm", false),
            ("quadrantChart\n  A: [0.5, 0.6] radius: 10 ,", false),
            (
                "gantt\n  dateFormat HH:mm\n  Start : milestone, 17:49, 2m\n  End : milestone",
                false,
            ),
            (
                "gantt\n  dateFormat HH:mm\n  Start : milestone, 17:49, 2m\n  End : 3m",
                true,
            ),
        ] {
            assert_eq!(matches!(check(text), Verdict::Valid), is_whole, "{text}");
            if !is_whole {
                assert!(matches!(check(text), Verdict::Invalid(_)), "{text}");
            }
        }
    }
}
