//! Repairs for every kind of diagram: what a chat model puts around and into
//! it, its header, and comments of other languages.

use super::super::draft::Change;
use super::super::kind::{self, Header, Kind};
use super::Repair::{Proposals, Rules};
use super::Step;
use super::text::{Pattern, Rule, body, by_rules, whole_line};

/// Tried before the steps of a kind.
pub(super) static FIRST: &[Step] = &[
    Step::everywhere(
        "line breaks are written as `\\n`, so the whole diagram is on one line",
        Proposals(break_lines),
    ),
    Step::everywhere(
        "invisible character in the diagram",
        Proposals(remove_invisible),
    ),
    Step::everywhere(
        "text before the diagram that does not belong to it",
        Proposals(remove_before_header),
    ),
    Step::everywhere(
        "text after the diagram that does not belong to it",
        Proposals(remove_after_diagram),
    ),
    Step::everywhere(
        "missing line break after the direction",
        Proposals(break_header),
    ),
    Step::everywhere(
        "misspelt diagram type in the first line",
        Proposals(fix_header),
    ),
    Step::everywhere(
        "HTML entities instead of the characters themselves",
        Proposals(decode_entities),
    ),
    Step::where_needed(
        "invalid comment; write `%%` on a separate line",
        Proposals(fix_comments),
    ),
];

/// Tried after the first, if guesses are allowed.
pub(super) static GUESSES: &[Step] = &[
    Step::everywhere(
        "unknown direction; use `TD`, `LR`, `RL` or `BT`",
        Proposals(guess_direction),
    ),
    Step::everywhere(
        "missing first line with the diagram type",
        Proposals(add_header),
    ),
];

/// Tried after the steps of a kind.
pub(super) static LAST: &[Step] = &[
    Step::everywhere(
        "quotes are escaped with a backslash",
        Proposals(unescape_quotes),
    ),
    Step::everywhere(
        "typographic quotes; use straight ones",
        Proposals(straighten_quotes),
    ),
    Step::everywhere(
        "semicolon at the end of a line; delete it",
        Rules(&SEMICOLONS),
    ),
    Step::everywhere(
        "the last line closes a block that is not open",
        Proposals(drop_last_closer),
    ),
    Step::everywhere(
        "this diagram type has no `title` line; put the title in the front matter",
        Proposals(move_title),
    ),
    Step::everywhere(
        "text after the diagram that does not belong to it",
        Proposals(remove_prose),
    ),
];

fn break_lines(text: &str) -> Vec<Change> {
    if text.trim().contains('\n') || text.matches("\\n").count() < 2 {
        return Vec::new();
    }
    text.match_indices("\\n")
        .map(|(at, _)| Change::replace(at..at + 2, "\n"))
        .collect()
}

fn remove_invisible(text: &str) -> Vec<Change> {
    text.char_indices()
        .filter_map(|(at, c)| {
            let range = at..at + c.len_utf8();
            match c {
                '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' => {
                    Some(Change::delete(range))
                }
                '\u{a0}' | '\u{202f}' | '\u{3000}' => Some(Change::replace(range, " ")),
                _ => None,
            }
        })
        .collect()
}

fn remove_before_header(text: &str) -> Vec<Change> {
    let Some(header) = kind::header(text).filter(|header| header.kind.is_none()) else {
        return Vec::new();
    };
    let later = kind::lines(text)
        .filter(|line| line.start > header.line.start)
        .take(12)
        .find(|line| {
            let rest = &text[line.start..];
            kind::header(rest).is_some_and(|header| {
                header.kind.is_some() && header.line.start < line.len().max(1)
            }) || text[line.clone()].starts_with("%%{")
        });
    match later {
        Some(line) => vec![Change::delete(0..line.start)],
        None => Vec::new(),
    }
}

/// A closing fence inside the block, and everything after it.
fn remove_after_diagram(text: &str) -> Vec<Change> {
    let Some(fence) = body(text).find(|line| text[line.clone()].trim().starts_with("```")) else {
        return Vec::new();
    };
    let another = kind::lines(text)
        .filter(|line| line.start > fence.start)
        .any(|line| text[line].trim().starts_with("```"));
    if another {
        return Vec::new();
    }
    let start = text[..fence.start].trim_end().len();
    vec![Change::delete(start..text.trim_end().len())]
}

/// Common misspellings of headers, in lower case without separators.
const MISSPELT: &[(&str, &str)] = &[
    ("sequencediagram", "sequenceDiagram"),
    ("sequence", "sequenceDiagram"),
    ("classdiagram", "classDiagram"),
    ("classdiagramv2", "classDiagram"),
    ("statediagram", "stateDiagram-v2"),
    ("statediagramv2", "stateDiagram-v2"),
    ("state", "stateDiagram-v2"),
    ("class", "classDiagram"),
    ("er", "erDiagram"),
    ("erdiagram", "erDiagram"),
    ("entityrelationshipdiagram", "erDiagram"),
    ("gantt", "gantt"),
    ("ganttchart", "gantt"),
    ("ganttdiagram", "gantt"),
    ("pie", "pie"),
    ("piechart", "pie"),
    ("mindmap", "mindmap"),
    ("timeline", "timeline"),
    ("timelinediagram", "timeline"),
    ("journey", "journey"),
    ("userjourney", "journey"),
    ("gitgraph", "gitGraph"),
    ("quadrantchart", "quadrantChart"),
    ("requirementdiagram", "requirementDiagram"),
    ("xychart", "xychart-beta"),
    ("sankey", "sankey-beta"),
    ("block", "block-beta"),
    ("blockdiagram", "block-beta"),
    ("packet", "packet-beta"),
    ("architecture", "architecture-beta"),
];

static FLOW_HEADER: Pattern = Pattern::new(
    r"^(?i)(graph|flow[ -]?chart|flow[ -]?diagram|flow)\b[ \t]*:?[ \t]*([^;\n]*?)[ \t:;]*$",
);

static CROWDED: Pattern =
    Pattern::new(r"^(?:graph|flowchart)[ \t]+(?:TD|TB|LR|RL|BT)([ \t]+)\S.*(?:--|==|\[)");

/// `graph TD A --> B`
fn break_header(text: &str) -> Vec<Change> {
    let found = kind::header(text).and_then(|header| {
        let gap = CROWDED
            .get()?
            .captures(&text[header.line.clone()])?
            .get(1)?;
        Some(header.line.start + gap.start()..header.line.start + gap.end())
    });
    found
        .map(|gap| Change::replace(gap, "\n    "))
        .into_iter()
        .collect()
}

fn fix_header(text: &str) -> Vec<Change> {
    let Some(header) = kind::header(text) else {
        return Vec::new();
    };
    let line = &text[header.line.clone()];
    if let Some((word, words)) = flow_header(line) {
        return match direction(words) {
            Some(direction) => flow_header_change(&header, line, word, direction),
            None => Vec::new(),
        };
    }
    if kind::kind_of(line).is_some() {
        return Vec::new();
    }
    let squashed: String = line
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    match MISSPELT.iter().find(|(wrong, _)| *wrong == squashed) {
        Some((_, right)) if *right != line => vec![Change::replace(header.line, *right)],
        _ => Vec::new(),
    }
}

/// An unknown direction becomes the usual one.
fn guess_direction(text: &str) -> Vec<Change> {
    let Some(header) = kind::header(text) else {
        return Vec::new();
    };
    let line = &text[header.line.clone()];
    match flow_header(line) {
        Some((word, words)) if direction(words).is_none() => {
            flow_header_change(&header, line, word, "TD")
        }
        _ => Vec::new(),
    }
}

/// How Mermaid spells the first word of a flowchart, and what follows it.
fn flow_header(line: &str) -> Option<(&'static str, &str)> {
    let found = FLOW_HEADER.get()?.captures(line)?;
    let word = if found[1].eq_ignore_ascii_case("graph") {
        "graph"
    } else {
        "flowchart"
    };
    Some((word, found.get(2).map_or("", |words| words.as_str())))
}

fn flow_header_change(header: &Header, line: &str, word: &str, direction: &str) -> Vec<Change> {
    let repaired = format!("{word} {direction}");
    if repaired == line {
        Vec::new()
    } else {
        vec![Change::replace(header.line.clone(), repaired)]
    }
}

/// The direction that words name; without any it goes from top to bottom, as
/// Mermaid draws it.
fn direction(words: &str) -> Option<&'static str> {
    let words = words.to_lowercase();
    let squashed: String = words.chars().filter(|c| c.is_alphabetic()).collect();
    let direction = match squashed.as_str() {
        "" | "td" | "vertical" | "topdown" | "topbottom" | "toptobottom" | "toptodown" | "down" => {
            "TD"
        }
        "tb" => "TB",
        "lr" | "horizontal" | "lefttoright" | "leftright" => "LR",
        "rl" | "righttoleft" | "rightleft" => "RL",
        "bt" | "bottomtotop" | "bottomtop" | "bottomup" => "BT",
        _ => return None,
    };
    Some(direction)
}

/// Syntax that only one diagram type has.
static SIGNS: [(Pattern, &str); 6] = [
    (
        Pattern::new(r"(?m)^\s*(?:participant|actor)\s+\S|(?m)^[^\n\[\]{}|]*-?->>[+-]?[^\n:]*:"),
        "sequenceDiagram",
    ),
    (
        Pattern::new(r"(?m)^\s*\[\*\]\s*-->|-->\s*\[\*\]"),
        "stateDiagram-v2",
    ),
    (Pattern::new(r"[|}][|o](?:--|\.\.)[|o][|{]"), "erDiagram"),
    (
        Pattern::new(r"<\|--|--\|>|<\|\.\.|\.\.\|>|(?m)^\s*class\s+\w+\s*\{"),
        "classDiagram",
    ),
    (Pattern::new(r"(?m)^\s*dateFormat\s"), "gantt"),
    (Pattern::new(r"-->|---|-\.->|==>"), "flowchart TD"),
];

fn add_header(text: &str) -> Vec<Change> {
    let Some(header) = kind::header(text).filter(|header| header.kind.is_none()) else {
        return Vec::new();
    };
    match SIGNS.iter().find(|(sign, _)| sign.matches(text)) {
        Some((_, name)) => {
            let start = text[..header.line.start].rfind('\n').map_or(0, |at| at + 1);
            vec![Change::insert(start, format!("{name}\n"))]
        }
        None => Vec::new(),
    }
}

fn decode_entities(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    for (entity, c) in [
        ("&gt;", ">"),
        ("&lt;", "<"),
        ("&quot;", "\""),
        ("&amp;", "&"),
        ("&#39;", "'"),
        ("&#34;", "\""),
    ] {
        changes.extend(
            text.match_indices(entity)
                .map(|(at, _)| Change::replace(at..at + entity.len(), c)),
        );
    }
    changes
}

static TRAILING: [Rule; 6] = [
    Rule::new(r"\S([ \t]+//[ \t].*)$", &[(1, "")]),
    Rule::new(r"\S([ \t]+%%.*)$", &[(1, "")]),
    Rule::new(r"\S([ \t]+#[ \t].*)$", &[(1, "")]),
    Rule::new(r"\S([ \t]*<!--.*-->[ \t]*)$", &[(1, "")]),
    Rule::new(r"^[ \t]*(//|#|%)(?:[ \t]|$)", &[(1, "%%")]),
    Rule::new(r"^[ \t]*(<!--)(.*)(-->)[ \t]*$", &[(1, "%%"), (3, "")]),
];

fn fix_comments(text: &str) -> Vec<Change> {
    by_rules(text, &TRAILING)
}

fn unescape_quotes(text: &str) -> Vec<Change> {
    text.match_indices("\\\"")
        .map(|(at, _)| Change::delete(at..at + 1))
        .collect()
}

fn straighten_quotes(text: &str) -> Vec<Change> {
    text.char_indices()
        .filter(|(_, c)| matches!(c, '“' | '”' | '„' | '«' | '»' | '‟' | '＂'))
        .map(|(at, c)| Change::replace(at..at + c.len_utf8(), "\""))
        .collect()
}

static SEMICOLONS: [Rule; 1] = [Rule::new(r"([ \t]*;[ \t]*)$", &[(1, "")])];

fn drop_last_closer(text: &str) -> Vec<Change> {
    let last = body(text)
        .filter(|line| !text[line.clone()].trim().is_empty())
        .last();
    match last {
        Some(line) if matches!(text[line.clone()].trim(), "}" | "end" | "]" | ")") => {
            vec![Change::delete(whole_line(text, &line))]
        }
        _ => Vec::new(),
    }
}

static TITLE: Pattern = Pattern::new(r"^[ \t]*title(?:[ \t]*:[ \t]*|[ \t]+)(\S.*?)[ \t]*$");

fn move_title(text: &str) -> Vec<Change> {
    let takes_title = kind::header(text)
        .and_then(|header| header.kind)
        .is_none_or(|kind| !matches!(kind, Kind::Flowchart | Kind::Class | Kind::State | Kind::Er));
    if takes_title || text.trim_start().starts_with("---") {
        return Vec::new();
    }
    for line in body(text) {
        if let Some(found) = TITLE
            .get()
            .and_then(|regex| regex.captures(&text[line.clone()]))
        {
            let title = found[1]
                .trim_matches('"')
                .replace('\\', "\\\\")
                .replace('"', "\\\"");
            let mut change = Change::insert(0, format!("---\ntitle: \"{title}\"\n---\n"));
            change
                .edits
                .extend(Change::delete(whole_line(text, &line)).edits);
            return vec![change];
        }
    }
    Vec::new()
}

/// A last paragraph that is clearly a sentence.
fn remove_prose(text: &str) -> Vec<Change> {
    let trimmed = text.trim_end();
    let start = trimmed.rfind("\n\n").or_else(|| trimmed.rfind("\r\n\r\n"));
    let start = start.or_else(|| trimmed.rfind('\n')).unwrap_or(0);
    let paragraph = &trimmed[start..];
    let is_prose = start > 0
        && paragraph.trim().lines().all(|line| {
            let words = line
                .split_whitespace()
                .filter(|word| word.chars().any(char::is_alphabetic))
                .count();
            let wide = line
                .chars()
                .filter(|c| matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3040}'..='\u{30ff}'))
                .count();
            (words >= 4 || wide >= 6)
                && !line.contains("--")
                && !line.contains("->")
                && !line.contains("==")
        })
        && paragraph.ends_with(['.', '!', '?', ':', '。', '！', ')', '*']);
    if is_prose {
        vec![Change::delete(start..trimmed.len())]
    } else {
        Vec::new()
    }
}
