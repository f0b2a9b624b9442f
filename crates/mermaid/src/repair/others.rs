//! Repairs of entity-relationship diagrams, pies, quadrants, Git graphs and
//! diagrams made of indentation: the few that are certain.

use super::super::differences::gap_after_header;
use super::super::draft::Change;
use super::super::kind;
use super::Repair::{Proposals, Rules};
use super::Step;
use super::text::{Block, Rule, balance, body, by_rules};

pub(super) static ER: &[Step] = &[
    Step::where_needed(
        "a relation needs a label after a colon; put several words in double quotes",
        Proposals(fix_relations),
    ),
    Step::where_needed(
        "invalid attribute; write a type and a name, and put comments in double quotes",
        Rules(&ER_ATTRIBUTES),
    ),
    Step::where_needed(
        "unbalanced braces in an entity",
        Proposals(balance_entities),
    ),
];

pub(super) fn balance_entities(text: &str) -> Vec<Change> {
    balance(text, "}", |line| match line {
        "}" => Block::Closes,
        _ if line.ends_with('{') && !line.contains("--") => Block::Opens,
        _ => Block::Nothing,
    })
}

/// A relation gets an empty label only if its second entity is known from
/// another line; otherwise the line may be cut off.
fn fix_relations(text: &str) -> Vec<Change> {
    // A comment of another language must not become a part of the label.
    let has_comment = |change: &Change| {
        let at = change.edits.first().map_or(0, |edit| edit.range.start);
        let line = text[at..].lines().next().unwrap_or_default();
        [" //", " #", " %%", " --"]
            .iter()
            .any(|sign| line.contains(sign))
    };
    let mut changes = by_rules(text, &ER_LABELS);
    changes.retain(|change| !has_comment(change));
    changes.extend(by_rules(text, &ER_EMPTY).into_iter().filter(|change| {
        let at = change.edits.first().map_or(0, |edit| edit.range.start);
        let name = text[..at]
            .split_whitespace()
            .next_back()
            .unwrap_or_default();
        let mut mentions = text.match_indices(name).filter(|(start, _)| {
            let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            !text[..*start].ends_with(is_letter)
                && !text[start + name.len()..].starts_with(is_letter)
        });
        mentions.nth(1).is_some()
    }));
    changes
}

static ER_EMPTY: [Rule; 1] = [Rule::new(
    r"^[ \t]*\S+[ \t]+[|}o][|o{]?(?:--|\.\.)[|o{}][|o{]?[ \t]+\S+()[ \t]*$",
    &[(1, " : \"\"")],
)];

static ER_LABELS: [Rule; 2] = [
    Rule::new(
        r#"[|}o](?:--|\.\.)[|o][^:\n]*:[ \t]*()[^"\s][^"\n]*[ \t][^"\n]*?()[ \t]*$"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(r"^[ \t]*\S+[ \t]+[|}o][|o](-)[|o][|{]", &[(1, "--")]),
];

static ER_ATTRIBUTES: [Rule; 5] = [
    Rule::new(
        r"^[ \t]+\w+[ \t]+\w+[ \t]+(?:PK|FK|UK)()[ \t]+(?:PK|FK|UK)\b",
        &[(1, ",")],
    ),
    Rule::new(
        r#"^[ \t]+\w+[ \t]+\w+[ \t]+(("[^"\n]*")[ \t]+(PK|FK|UK))[ \t]*$"#,
        &[(1, "$3 $2")],
    ),
    Rule::new(
        r#"^[ \t]+\w+[ \t]+\w+(?:[ \t]+(?:PK|FK|UK))?[ \t]+()(?:NOT NULL|NULL|UNIQUE|DEFAULT[^"\n]*|AUTO_INCREMENT|PRIMARY KEY|FOREIGN KEY)()[ \t]*$"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r"^[ \t]+((\w+)[ \t]*:[ \t]*(\w+))[ \t]*[,;]?$",
        &[(1, "$3 $2")],
    ),
    Rule::new(
        r"^[ \t]+\w+(?:\([\d, ]*\))?[ \t]+\w+[^,;\n]*([,;])[ \t]*$",
        &[(1, "")],
    ),
];

/// If guesses are allowed.
pub(super) static ER_GUESSES: &[Step] = &[
    Step::where_needed(
        "the type of an attribute contains a comma; remove it",
        Rules(&ER_TYPES),
    ),
    Step::where_needed(
        "a relation needs a label after a colon; put several words in double quotes",
        Rules(&ER_EMPTY),
    ),
];

static ER_TYPES: [Rule; 1] = [Rule::new(
    r"^[ \t]+\w+\(\d+(,[ \t]*)\d+\)[ \t]",
    &[(1, "_")],
)];

pub(super) static PIE: &[Step] = &[
    Step::where_needed(
        "names in a pie chart must be in double quotes",
        Rules(&PIE_NAMES),
    ),
    Step::everywhere(
        "the values of a pie chart must be plain numbers",
        Rules(&PIE_VALUES),
    ),
];

static PIE_NAMES: [Rule; 2] = [
    Rule::new(
        r#"^[ \t]*()[^"'\s“„«‘\\:][^"“:\n]*?()[ \t]*:[ \t]*[\d.]+"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*(\\"|“|„|«|'|‘)([^"'“”»’\\\n]*)(\\"|”|“|»|'|’)[ \t]*:"#,
        &[(1, "\""), (3, "\"")],
    ),
];

static PIE_VALUES: [Rule; 3] = [
    Rule::new(r":[ \t]*\d+(?:\.\d+)?([ \t]*%)[ \t]*,?$", &[(1, "")]),
    // `1,000` may be a thousand.
    Rule::new(r":[ \t]*\d+(,)(?:\d{1,2}|\d{4,})[ \t]*%?$", &[(1, ".")]),
    Rule::new(r":[ \t]*[\d.]+(,)[ \t]*$", &[(1, "")]),
];

pub(super) static QUADRANT: &[Step] = &[
    Step::everywhere(
        "invalid axis; write `Low --> High`",
        Rules(&QUADRANT_ARROWS),
    ),
    Step::where_needed(
        "a name with special characters must be in double quotes",
        Rules(&QUADRANT_NAMES),
    ),
];

static QUADRANT_ARROWS: [Rule; 1] = [Rule::new(
    r"^[ \t]*[xy]-axis[ \t]+[^>\n]*[^->\s][ \t]*(->|=+>)[ \t]*[^>\s][^>\n]*$",
    &[(1, "-->")],
)];

static QUADRANT_NAMES: [Rule; 4] = [
    Rule::new(
        r#"^[ \t]*()[^"\s:][^":\n]*?()[ \t]*:[ \t]*\["#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*(?:x|y)-axis[ \t]+()[^"\s][^"\n]*?()(?:[ \t]*-->|[ \t]*$)"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"-->[ \t]*()[^"\s][^"\n]*?()[ \t]*$"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*quadrant-[1-4][ \t]+()[^"\s][^"\n]*?()[ \t]*$"#,
        &[(1, "\""), (2, "\"")],
    ),
];

pub(super) static XYCHART: &[Step] = &[Step::where_needed(
    "a name with special characters or non-ASCII letters must be in double quotes",
    Proposals(quote_chart_names),
)];

static CHART_NAMES: [Rule; 3] = [
    Rule::new(
        r#"^[ \t]*title[ \t]+()[^"\s][^"\n]*?()[ \t]*$"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*[xy]-axis[ \t]+()[^"\[\s\d.+-][^"\[\n]*?()[ \t]*(?:\[|[\d.+-]+[ \t]*-->|$)"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*(?:bar|line)[ \t]+()[^"\[\s][^"\[\n]*?()[ \t]*\["#,
        &[(1, "\""), (2, "\"")],
    ),
];

/// Names of the chart and its axes, and those in the list of an axis.
fn quote_chart_names(text: &str) -> Vec<Change> {
    let mut changes = by_rules(text, &CHART_NAMES);
    for line in body(text) {
        let content = &text[line.clone()];
        let list = content
            .find('[')
            .zip(content.rfind(']'))
            .filter(|(open, close)| open < close && content.trim_start().starts_with("x-axis"));
        let Some((open, close)) = list else {
            continue;
        };
        let mut at = line.start + open + 1;
        for item in content[open + 1..close].split(',') {
            let name = item.trim();
            let start = at + (item.len() - item.trim_start().len());
            at += item.len() + 1;
            if !name.is_empty() && !name.contains('"') {
                changes.push(Change::replace(
                    start..start + name.len(),
                    format!("\"{name}\""),
                ));
            }
        }
    }
    changes
}

pub(super) static GIT: &[Step] = &[Step::where_needed(
    "names of commits and tags must be in double quotes",
    Rules(&GIT_NAMES),
)];

static GIT_NAMES: [Rule; 3] = [
    Rule::new(
        r#"\b(?:id|tag|msg)[ \t]*:[ \t]*()[^"\s“„«‘'\\:][^\s"]*()"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(r#"\bcommit([ \t]+-m)[ \t]+""#, &[(1, " id:")]),
    Rule::new(
        r"^[ \t]*(git[ \t]+)(?:commit|branch|checkout|merge)",
        &[(1, "")],
    ),
];

pub(super) static INDENTED: &[Step] = &[
    Step::everywhere(
        "no space or blank line is allowed between the first line and the next",
        Proposals(close_gap),
    ),
    Step::where_needed(
        "text with brackets must be in double quotes",
        Rules(&NODE_TEXTS),
    ),
];

static NODE_TEXTS: [Rule; 4] = [
    Rule::new(
        r#"^[ \t]*[^(\[{)"\n]*\[()[^"\n]*[()\[\]{}][^"\n]*()\][ \t]*$"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*[^(\[{)"\n]*\(\(()[^("\n][^"\n]*[()\[\]{}][^"\n]*()\)\)[ \t]*$"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*[^(\[{)"\n]*\(()[^("\n][^"\n]*[()\[\]{}][^"\n]*()\)[ \t]*$"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*[^(\[{)"\n]*\{\{()[^"\n]*[()\[\]{}][^"\n]*()\}\}[ \t]*$"#,
        &[(1, "\""), (2, "\"")],
    ),
];

/// If guesses are allowed: text becomes a box.
pub(super) static INDENTED_GUESSES: &[Step] = &[Step::where_needed(
    "text with brackets must be in double quotes",
    Rules(&BARE_TEXTS),
)];

static BARE_TEXTS: [Rule; 1] = [Rule::new(
    r#"^[ \t]*()[^\s"(\[{)%:][^"\n]*[()\[\]{}][^"\n]*?()[ \t]*$"#,
    &[(1, "[\""), (2, "\"]")],
)];

/// For journeys and timelines, which are `Kind::Other`.
pub(super) static EVENTS: &[Step] = &[Step::where_needed(
    "the name of a section cannot contain a colon; write `#58;`",
    Rules(&SECTIONS),
)];

static SECTIONS: [Rule; 1] = [Rule::new(r"^[ \t]*section[ \t][^:\n]*(:)", &[(1, "#58;")])];

fn close_gap(text: &str) -> Vec<Change> {
    let Some(header) = kind::header(text) else {
        return Vec::new();
    };
    match gap_after_header(text, &header) {
        Some(mut gap) => {
            // All blank lines up to the first line with text.
            let rest = &text[gap.end..];
            let blank = rest.len() - rest.trim_start().len();
            if let Some(line_break) = rest[..blank]
                .rfind('\n')
                .filter(|_| text[gap.clone()].ends_with('\n'))
            {
                gap.end += line_break + 1;
            }
            vec![Change::delete(gap)]
        }
        None => Vec::new(),
    }
}
