//! Repairs for every kind of diagram: what a chat model puts around and into
//! it, and its header.

use super::super::draft::Change;
use super::super::kept::Keeps;
use super::super::kind::{self, Header, Kind};
use super::Repair::{Proposals, Rules};
use super::Step;
use super::signs;
use super::text::{Pattern, Rule, body, whole_line};

/// Tried before the steps of a kind.
pub(super) static FIRST: &[Step] = &[
    Step::everywhere(
        "line breaks are written as `\\n`, so the whole diagram is on one line",
        Proposals(break_lines),
    ),
    Step::where_needed(
        "invisible character in the diagram",
        Proposals(signs::remove_invisible),
    ),
    Step::everywhere(
        "text before the diagram that does not belong to it",
        Proposals(remove_before_header),
    )
    .keeping(Keeps::Drawing),
    Step::everywhere(
        "text after the diagram that does not belong to it",
        Proposals(remove_after_diagram),
    )
    .keeping(Keeps::Drawing),
    Step::everywhere(
        "missing line break after the direction",
        Proposals(break_header),
    ),
    Step::everywhere(
        "misspelt diagram type in the first line",
        Proposals(fix_header),
    ),
    Step::everywhere(
        "a statement is written as a list item; delete the list marker",
        Proposals(signs::remove_bullets),
    )
    .keeping(Keeps::Drawing),
    Step::where_needed(
        "full-width punctuation; use the plain signs",
        Proposals(signs::narrow_punctuation),
    ),
    Step::everywhere(
        "a keyword must be in lower case",
        Proposals(signs::fix_keywords),
    ),
    Step::everywhere(
        "HTML entities instead of the characters themselves",
        Proposals(decode_entities),
    ),
    Step::where_needed(
        "invalid comment; write `%%` on a separate line",
        Proposals(signs::fix_comments),
    )
    .keeping(Keeps::Drawing),
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
        Proposals(drop_only_closer),
    ),
    Step::everywhere(
        "this diagram type has no `title` line; put the title in the front matter",
        Proposals(move_title),
    ),
    Step::everywhere(
        "text after the diagram that does not belong to it",
        Proposals(remove_prose),
    )
    .keeping(Keeps::Drawing),
];

/// Tried last, if guesses are allowed.
pub(super) static LAST_GUESSES: &[Step] = &[Step::everywhere(
    "the last line closes a block that is not open",
    Proposals(drop_last_closer),
)];

/// Whether a step prepares or finishes any diagram, rather than correcting the
/// statements of a kind.
pub(super) fn is_common(step: &'static Step) -> bool {
    let mut common = FIRST.iter().chain(LAST);
    common.any(|common| std::ptr::eq(common, step))
}

fn break_lines(text: &str) -> Vec<Change> {
    if text.trim().contains('\n') || text.matches("\\n").count() < 2 {
        return Vec::new();
    }
    text.match_indices("\\n")
        .map(|(at, _)| Change::replace(at..at + 2, "\n"))
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
                header.kind.is_some()
                    && (header.line.start < line.len().max(1) || rest.starts_with("---"))
            }) || text[line.clone()].starts_with("%%{")
        });
    match later {
        Some(line) if is_around(&text[..line.start]) && !is_misspelt(&text[header.line]) => {
            vec![Change::delete(0..line.start)]
        }
        _ => Vec::new(),
    }
}

/// A single word may be a misspelt first line, which is not prose before a block
/// inside the diagram.
fn is_misspelt(line: &str) -> bool {
    line != "mermaid" && line.chars().all(|c| c.is_alphanumeric() || c == '-')
}

/// Whether a text around a diagram has no statements of one.
fn is_around(text: &str) -> bool {
    const SIGNS: &[&str] = &["--", "->", "==", "→", "[", "{", "|", "(\""];
    let mut lines = text.lines().filter(|line| line.trim() != "---");
    !lines.any(|line| SIGNS.iter().any(|sign| line.contains(sign)))
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
    let end = text.trim_end().len();
    if !is_around(&text[fence.end..end.max(fence.end)]) {
        return Vec::new();
    }
    vec![Change::delete(start..end)]
}

/// Common misspellings of headers, in lower case without separators.
const MISSPELT: &[(&str, &str)] = &[
    ("sequencediagram", "sequenceDiagram"),
    ("sequence", "sequenceDiagram"),
    ("classdiagram", "classDiagram"),
    ("classdiagramv2", "classDiagram"),
    ("statediagram", "stateDiagram"),
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
    ("block", "block"),
    ("blockdiagram", "block"),
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
    let statements = &text[header.line.start..];
    match SIGNS.iter().find(|(sign, _)| sign.matches(statements)) {
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

static SEMICOLONS: [Rule; 1] = [Rule::new(r"[^\s;]([ \t]*;[ \t]*)$", &[(1, "")])];

/// In a diagram without blocks. In others the last line may be right and an
/// earlier one wrong.
fn drop_only_closer(text: &str) -> Vec<Change> {
    let mut lines = body(text).map(|line| text[line].trim());
    let has_blocks =
        lines.any(|line| BLOCKS.contains(&line.split([' ', ':']).next().unwrap_or_default()));
    if has_blocks || !text.trim_end().ends_with("end") {
        return Vec::new();
    }
    drop_last_closer(text)
}

/// Words that open a block.
const BLOCKS: &[&str] = &[
    "subgraph", "alt", "loop", "opt", "par", "par_over", "critical", "break", "rect", "box",
    "block",
];

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

fn has_no_sentences(text: &str) -> bool {
    let kind = kind::header(text).and_then(|header| header.kind);
    matches!(
        kind,
        Some(Kind::Flowchart | Kind::State | Kind::Er | Kind::Pie | Kind::C4 | Kind::XyChart)
    )
}

/// A last paragraph, after a blank line, that is clearly a sentence.
fn remove_prose(text: &str) -> Vec<Change> {
    let trimmed = text.trim_end();
    let start = trimmed.rfind("\n\n").or_else(|| trimmed.rfind("\r\n\r\n"));
    let start = start.filter(|start| !trimmed[*start..].trim().is_empty());
    // Without a blank line only a kind whose statements are never sentences.
    let start = start.or_else(|| trimmed.rfind('\n').filter(|_| has_no_sentences(text)));
    let start = start.unwrap_or(0);
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
                && is_around(line)
                && !line.contains(['"', '（', '［', '｛', ';'])
                && !line
                    .trim()
                    .trim_start_matches("Note:")
                    .trim_end_matches(':')
                    .contains(':')
        })
        && paragraph.ends_with(['.', '!', '?', ':', '。', '！', ')', '*']);
    if is_prose {
        vec![Change::delete(start..trimmed.len())]
    } else {
        Vec::new()
    }
}
