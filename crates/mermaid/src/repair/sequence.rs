//! Repairs of sequence diagrams: arrows, messages, participants, notes, blocks
//! and activations.

use std::collections::{BTreeMap, BTreeSet};

use super::super::draft::{Change, Edit};
use super::super::kept::Keeps;
use super::Repair::{Proposals, Rules};
use super::Step;
use super::text::{Block, Pattern, Rule, balance, body, by_rules, whole_line};

pub(super) static STEPS: &[Step] = &[
    Step::everywhere(
        "invalid arrow in a sequence diagram; use `->>` or `-->>`",
        Proposals(fix_arrows),
    ),
    Step::everywhere(
        "message in flowchart notation; write it after a colon",
        Rules(&BARS),
    ),
    Step::where_needed("missing colon before the message", Proposals(add_colons)),
    Step::everywhere(
        "invalid note; write `Note right of A: text`",
        Proposals(fix_notes),
    ),
    Step::where_needed(
        "invalid participant; write `participant A as Name`",
        Rules(&PARTICIPANTS),
    ),
    Step::everywhere(
        "invalid block in a sequence diagram; use `alt` and `else`",
        Rules(&BRANCHES),
    ),
    Step::everywhere(
        "a block such as `alt` or `loop` does not match its `end`",
        Proposals(balance_blocks),
    ),
    Step::where_needed(
        "`;` and `#` end a message; write `#59;` and `#35;`",
        Rules(&SPECIAL),
    ),
    // The message stays; there is nothing to deactivate.
    Step::everywhere(
        "the deactivated participant is not active",
        Proposals(drop_deactivations),
    )
    .keeping(Keeps::Drawing),
    Step::where_needed("invalid word after `autonumber`", Rules(&NUMBERED)),
    Step::where_needed(
        "the settings of a participant are incomplete or not closed",
        Rules(&CONFIG),
    ),
    Step::where_needed(
        "the name of a participant contains characters with another meaning in Mermaid",
        Rules(&NAMES),
    ),
];

/// If guesses are allowed.
pub(super) static GUESSES: &[Step] = &[
    Step::everywhere(
        "invalid arrow in a sequence diagram; use `->>` or `-->>`",
        Rules(&PLAIN_ARROWS),
    ),
    Step::everywhere(
        "an arrow points left; Mermaid allows only arrows to the right",
        Rules(&LEFT_ARROWS),
    ),
    Step::where_needed("missing colon before the message", Rules(&COLONS)),
    Step::where_needed("`autonumber` requires whole numbers", Rules(&NUMBERS)),
    Step::where_needed(
        "the name of a participant contains characters with another meaning in Mermaid",
        Rules(&LABELLED),
    ),
];

static BRANCHES: [Rule; 2] = [
    Rule::new(r"^[ \t]*(if)(?:[ \t]|$)[^:>]*$", &[(1, "alt")]),
    Rule::new(r"^[ \t]*(else?if)(?:[ \t]|$)", &[(1, "else")]),
];

/// Mermaid has no arrow to the left.
static LEFT_ARROWS: [Rule; 2] = [
    Rule::new(
        r"^[ \t]*((\w+)[ \t]*<<?-[ \t]*(\w+))[ \t]*:",
        &[(1, "$3->>$2")],
    ),
    Rule::new(
        r"^[ \t]*((\w+)[ \t]*<<?--[ \t]*(\w+))[ \t]*:",
        &[(1, "$3-->>$2")],
    ),
];

/// Arrows of which the kind is known: a word processor makes one dash of `--`.
static ARROWS: [Rule; 5] = [
    Rule::new(r"^[ \t]*\w+[ \t]*(<->)[ \t]*\w+[ \t]*:", &[(1, "<<->>")]),
    Rule::new(
        r"^[^:\n]*?[^-:\s=<>][ \t]*([—–]+(>>?))[ \t]*[+-]?[^\s:>-][^:]*:",
        &[(1, "--$2")],
    ),
    Rule::new(
        r"^[^:\n]*?[^-:\s=<>][ \t]*((--?) (>>?))[ \t]*[+-]?[^\s:>-][^:]*:",
        &[(1, "$2$3")],
    ),
    Rule::new(
        r"^[^:\n]*?[^-:\s=<>][ \t]*(-{3,}(>>?))[ \t]*[+-]?[^\s:>-][^:]*:",
        &[(1, "--$2")],
    ),
    Rule::new(
        r"^[^:\n]*?[^-:\s=<>][ \t]*(-?\.+->+|⇢)[ \t]*[+-]?[^\s:>-][^:]*:",
        &[(1, "-->>")],
    ),
];

/// Arrows of other notations, which say nothing of their kind.
static PLAIN_ARROWS: [Rule; 1] = [Rule::new(
    r"^[^:\n]*?[^-:\s=<>][ \t]*(→|⟶|➔|=+>+|⇒)[ \t]*[+-]?[^\s:>-][^:]*:",
    &[(1, "->>")],
)];

/// Arrows of other notations become plain ones, unless there are dotted ones as
/// well: then they may have been those.
fn fix_arrows(text: &str) -> Vec<Change> {
    let mut changes = by_rules(text, &ARROWS);
    let has_dotted = body(text).any(|line| text[line].contains("--"));
    if !has_dotted {
        changes.extend(by_rules(text, &PLAIN_ARROWS));
    }
    changes
}

static DECLARED: Pattern =
    Pattern::new(r"^[ \t]*(?:create[ \t]+)?(?:participant|actor)[ \t]+([\w.]+)");

/// Who is declared, or sends or receives a message with a text.
fn participants(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for line in body(text) {
        let content = &text[line];
        let message = MESSAGE.get().and_then(|regex| regex.captures(content));
        let declared = DECLARED.get().and_then(|regex| regex.captures(content));
        for found in message.into_iter().chain(declared) {
            let groups = [found.get(1), found.get(3)];
            names.extend(groups.into_iter().flatten().map(|name| name.as_str()));
        }
    }
    names
}

/// A colon goes after the receiver, who must be known from another line.
fn add_colons(text: &str) -> Vec<Change> {
    let known = participants(text);
    by_rules(text, &COLONS)
        .into_iter()
        .filter(|change| {
            let at = change.edits.first().map_or(0, |edit| edit.range.start);
            let name = text[..at]
                .rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
                .next()
                .unwrap_or_default();
            known.contains(name)
        })
        .collect()
}

static BARS: [Rule; 2] = [
    Rule::new(
        r"^[^:|]*?[^-:|\s](?:[ \t]*)(-->|->>|-->>|->)(\|([^|]*)\|[ \t]*)([^:|]*[^:|\s])()[ \t]*$",
        &[(2, ""), (5, ": $3")],
    ),
    Rule::new(
        r"^[^:|]*?[^-:|\s](?:[ \t]*)(-->|->>|-->>|->)(\|([^|]*)\|[ \t]*)([^:|]*):[ \t]*()\S",
        &[(2, ""), (5, "$3: ")],
    ),
];

static COLONS: [Rule; 3] = [
    Rule::new(
        r"^[ \t]*[\w.]+[ \t]*(?:-->>|->>|-->|->|--x|-x|--\)|-\))[ \t]*[+-]?[\w.]+()[ \t]+[^:]+$",
        &[(1, ":")],
    ),
    Rule::new(
        r"^[ \t]*[\w.]+[ \t]*(?:-->>|->>|-->|->|--x|-x|--\)|-\))[ \t]*[+-]?[\w.]+()$",
        &[(1, ": ")],
    ),
    Rule::new(
        r"^[ \t]*(?i:note)[ \t]+(?:(?i:right|left)[ \t]+of|over)[ \t]+[\w.]+(?:,[\w.]+)?()[ \t]+[^:,\s][^:]*$",
        &[(1, ":")],
    ),
];

static NOTES: [Rule; 5] = [
    // A note over the first and the last covers those between them.
    Rule::new(
        r"^[ \t]*(?i:note)[ \t]+over[ \t]+[\w.]+((?:[ \t]*,[ \t]*[\w.]+)+)[ \t]*,[ \t]*[\w.]+[ \t]*:",
        &[(1, "")],
    ),
    Rule::new(
        r"^[ \t]*(?i:note)([ \t]+)(?:right|left)([ \t]+)of([ \t]+)\S",
        &[(1, " "), (2, " "), (3, " ")],
    ),
    Rule::new(
        r"^[ \t]*(?i:note)[ \t]+(?i:right|left)()[ \t]+[\w.]+[ \t]*:",
        &[(1, " of")],
    ),
    Rule::new(
        r"^[ \t]*(?i:note)[ \t]+()(?:for|on)?[\w.]+(?:,[ \t]*[\w.]+)?[ \t]*:",
        &[(1, "over ")],
    ),
    Rule::new(
        r"^[ \t]*(?i:note)[ \t]+(on|for|at|by)[ \t]+[\w.]+(?:,[ \t]*[\w.]+)?[ \t]*:",
        &[(1, "over")],
    ),
];

static NOTE_WITHOUT_TEXT: Pattern = Pattern::new(
    r"^[ \t]*(?i:note)[ \t]+(?:(?:right|left)[ \t]+of|over)[ \t]+[\w.]+(?:,[ \t]*[\w.]+)?[ \t]*:?[ \t]*$",
);

/// Notes of several lines, as state diagrams write them, become one line.
fn fix_notes(text: &str) -> Vec<Change> {
    let mut changes: Vec<Change> = by_rules(text, &NOTES)
        .into_iter()
        .filter(|change| !is_right_note(text, change))
        .collect();
    let lines: Vec<_> = body(text).collect();
    for (index, line) in lines.iter().enumerate() {
        if !NOTE_WITHOUT_TEXT.matches(&text[line.clone()]) {
            continue;
        }
        let end = lines[index..]
            .iter()
            .take(12)
            .position(|line| text[line.clone()].trim().eq_ignore_ascii_case("end note"));
        let Some(end) = end.map(|at| index + at).filter(|end| *end > index + 1) else {
            continue;
        };
        let head = text[line.clone()].trim_end_matches([' ', '\t', ':']).len();
        let words: Vec<&str> = lines[index + 1..end]
            .iter()
            .map(|line| text[line.clone()].trim())
            .collect();
        let range = line.start + head..lines[end].end;
        changes.push(Change::replace(range, format!(": {}", words.join("<br/>"))));
    }
    changes
}

/// The rules for notes without a position must leave alone those that have one.
fn is_right_note(text: &str, change: &Change) -> bool {
    change.edits.iter().any(|edit| {
        let rest = text[edit.range.start..].trim_start();
        let word = rest
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_lowercase();
        word == "of" || (edit.text == "over " && matches!(word.as_str(), "right" | "left" | "over"))
    })
}

static PARTICIPANTS: [Rule; 5] = [
    Rule::new(
        r#"^[ \t]*(?:participant|actor)[ \t]+(")(\w+)(")[ \t]*$"#,
        &[(1, ""), (3, "")],
    ),
    Rule::new(
        r"^[ \t]*(?:participant|actor)[ \t]+\w+[ \t]+as()[^\s]",
        &[(1, " ")],
    ),
    Rule::new(
        r"^[ \t]*(?:participant|actor)[ \t]+\w+[ \t]+()(?:[^\sa@]|a[^\ss]|as\S)[^@:>]*$",
        &[(1, "as ")],
    ),
    Rule::new(
        r"^[ \t]*(?:participant|actor)[ \t]+\w+([ \t]*[\[(]([^\])]*)[\])])[ \t]*$",
        &[(1, " as $2")],
    ),
    Rule::new(
        r"^[ \t]*(?:participant|actor)[ \t]+\w+([ \t]*:[ \t]*)(?:[^\sa@]|a[^\ss]|as\S)",
        &[(1, " as ")],
    ),
];

pub(super) fn balance_blocks(text: &str) -> Vec<Change> {
    balance(text, "end", |line| {
        let word = line.split([' ', '\t', ';']).next().unwrap_or_default();
        match word {
            "alt" | "loop" | "opt" | "par" | "par_over" | "critical" | "break" | "rect" | "box" => {
                Block::Opens
            }
            "end" if line.trim_end_matches(';').trim_end() == "end" => Block::Closes,
            "else" | "and" | "option" => Block::Continues,
            _ => Block::Nothing,
        }
    })
}

static SPECIAL: [Rule; 2] = [
    Rule::new(
        r"^[^:]*(?:->|-x|-\)|[nN]ote)[^:]*:[^;#]*(;)[^\n]*\S",
        &[(1, "#59;")],
    ),
    Rule::new(
        r"^[^:]*(?:->|-x|-\)|[nN]ote)[^:]*:[^#]*(#)(?:\W|\w*[^\w;]|\w*$)",
        &[(1, "#35;")],
    ),
];

static MESSAGE: Pattern = Pattern::new(
    r"^[ \t]*([^\s:+>-][^:>]*?)[ \t]*(?:<<-->>|<<->>|-->>|->>|-->|->|--x|-x|--\)|-\))[ \t]*([+-]?)[ \t]*([^:]*?)[ \t]*:",
);
static ACTIVATION: Pattern = Pattern::new(r"^[ \t]*(activate|deactivate)[ \t]+(.*?)[ \t]*;?$");

/// Follows the activations and removes deactivations of inactive participants.
fn drop_deactivations(text: &str) -> Vec<Change> {
    let known = participants(text);
    let mut active: BTreeMap<&str, usize> = BTreeMap::new();
    let mut changes = Vec::new();
    for line in body(text) {
        let content = &text[line.clone()];
        if let Some(found) = ACTIVATION.get().and_then(|regex| regex.captures(content)) {
            let who = found.get(2).map_or("", |who| who.as_str());
            let count = active.entry(who).or_default();
            if &found[1] == "activate" {
                *count += 1;
            } else if *count > 0 {
                *count -= 1;
            } else if known.contains(who) {
                changes.push(Change::delete(whole_line(text, &line)));
            }
        } else if let Some(found) = MESSAGE.get().and_then(|regex| regex.captures(content)) {
            let (Some(from), Some(sign), Some(to)) = (found.get(1), found.get(2), found.get(3))
            else {
                continue;
            };
            match sign.as_str() {
                "+" => *active.entry(to.as_str()).or_default() += 1,
                "-" => {
                    let count = active.entry(from.as_str()).or_default();
                    if *count > 0 {
                        *count -= 1;
                    } else {
                        let range = line.start + sign.start()..line.start + sign.end();
                        changes.push(Change {
                            edits: vec![Edit {
                                range,
                                text: String::new(),
                            }],
                        });
                    }
                }
                _ => {}
            }
        }
    }
    // Someone who stays active may be the one who was meant.
    if active.values().any(|count| *count > 0) {
        return Vec::new();
    }
    changes
}

static NUMBERED: [Rule; 1] = [Rule::new(
    r"^[ \t]*autonumber([ \t]+(?:on|true|yes))[ \t]*$",
    &[(1, "")],
)];

static NUMBERS: [Rule; 1] = [Rule::new(
    r"^[ \t]*autonumber[ \t]+(?:\d+[ \t]+)?\d+([^\d\s].*)$",
    &[(1, "")],
)];

static CONFIG: [Rule; 3] = [
    Rule::new(
        r"^[ \t]*(?:participant|actor)[ \t]+\w+@\{[^}]*[^}\s,:]([ \t]*)$",
        &[(1, " }")],
    ),
    Rule::new(r#"@\{[^}\n]*"\w+"()[ \t]+""#, &[(1, ":")]),
    Rule::new(r#"@\{[ \t]*"\w+():[ \t]*""#, &[(1, "\"")]),
];

static NAMES: [Rule; 2] = [
    Rule::new(
        r#"^[ \t]*(")([^"]*)(")[ \t]*-?->>?[^:]*:"#,
        &[(1, ""), (3, "")],
    ),
    Rule::new(
        r#"^[^:"]*->>?[+-]?[ \t]*(")([^"]*)(")[ \t]*:"#,
        &[(1, ""), (3, "")],
    ),
];

/// A label in brackets after a name; without it the name is left.
static LABELLED: [Rule; 2] = [
    Rule::new(
        r"^[ \t]*[\w ]*?\w([ \t]*[\[(][^\])>]*[\])])[ \t]*-?->>?[^:]*:",
        &[(1, "")],
    ),
    Rule::new(
        r"^[ \t]*[\w ]+-?->>?[+-]?[ \t]*\w[\w ]*?([ \t]*[\[(][^\])>]*[\])])[ \t]*:",
        &[(1, "")],
    ),
];
