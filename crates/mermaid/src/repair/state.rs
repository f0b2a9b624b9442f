//! Repairs of state diagrams: arrows, start and end, names, notes and braces.

use std::collections::{BTreeMap, BTreeSet};

use super::super::differences::state_before_composite;
use super::super::draft::Change;
use super::super::kept::Keeps;
use super::super::kind;
use super::Repair::{Proposals, Rules};
use super::Step;
use super::text::{Pattern, Rule, balance_braces, body, by_rules, indent};

pub(super) static STEPS: &[Step] = &[
    Step::everywhere("invalid start or end state; write `[*]`", Rules(&STARS)),
    Step::everywhere(
        "invalid arrow in a state diagram; use `-->`",
        Rules(&ARROWS),
    ),
    Step::everywhere(
        "invalid transition label; write it after a colon",
        Rules(&LABELS),
    ),
    Step::everywhere(
        "invalid choice, fork or join; write `<<choice>>`, `<<fork>>` or `<<join>>`",
        Rules(&CHOICES),
    ),
    Step::everywhere(
        "invalid state name; declare it with `state \"Longer name\" as name`",
        Rules(&DECLARATIONS),
    ),
    Step::everywhere(
        "`state` with only a name is not allowed directly before a composite state; delete `state`",
        Proposals(shorten_declarations),
    ),
    Step::everywhere(
        "invalid note; write `note right of A : text`",
        Rules(&NOTES),
    ),
    Step::everywhere(
        "unbalanced braces in a composite state",
        Proposals(balance_braces),
    ),
    Step::everywhere(
        "a state name must be one word; declare longer names with `as`",
        Proposals(join_names),
    )
    .keeping(Keeps::Repeats),
];

/// If guesses are allowed: the text of a label or the end of a note is missing.
pub(super) static GUESSES: &[Step] = &[
    Step::everywhere(
        "nothing follows the colon; delete it or write what is missing",
        Rules(&DANGLING),
    ),
    Step::everywhere(
        "a note does not end; write `end note`",
        Proposals(end_notes),
    ),
];

static DANGLING: [Rule; 1] = [Rule::new(r"-->[^:]*?([ \t]*:)$", &[(1, "")])];

static STARS: [Rule; 2] = [
    Rule::new(
        r"^[ \t]*(\[[ \t]*\\?\*[ \t]*\]|\(\*\)|\*|\[\]|\(\)|\(\(\*\)\)|\[(?i:start|begin|initial)\])[ \t]*(?:--|->|→|=)",
        &[(1, "[*]")],
    ),
    Rule::new(
        r"(?:>|→)[ \t]*(\[[ \t]*\\?\*[ \t]*\]|\(\*\)|\*|\[\]|\(\)|\(\(\*\)\)|\[(?i:end|stop|final|finish|start)\])[ \t]*(?::.*)?$",
        &[(1, "[*]")],
    ),
];

static ARROWS: [Rule; 1] = [Rule::new(
    r"^[ \t]*(?:[^\s:>=-]|[^:>]*?[^\s:>=-])[ \t]*(->|→|⟶|=+>|---+>|->>|-->>|[—–]+>|-- >|-\.->|-(?:right|left|up|down)->)(?:[ \t]*[^>])",
    &[(1, "-->")],
)];

static LABELS: [Rule; 4] = [
    Rule::new(
        r"-->[ \t]*(\|([^|\n]*)\|[ \t]*)([^\s:|]+)()[ \t]*$",
        &[(1, ""), (4, " : $2")],
    ),
    Rule::new(
        r"--([ \t]+([^->\n:]+?)[ \t]+--)>[ \t]*([^\s:|]+)()[ \t]*$",
        &[(1, ""), (4, " : $2")],
    ),
    Rule::new(
        r"-->[ \t]*(\[([^\]*\n]+)\][ \t]*)([^\s:|]+)()[ \t]*$",
        &[(1, ""), (4, " : $2")],
    ),
    Rule::new(
        r"-->[ \t]*[^\s:|\[]+([ \t]*\[([^\]*\n]+)\])[ \t]*$",
        &[(1, " : $2")],
    ),
];

static CHOICES: [Rule; 1] = [Rule::new(
    r"^[ \t]*state[ \t]+\w+[ \t]+(\[+|<|«|\(+|\{+|&lt;&lt;)(choice|fork|join)(\]+|>|»|\)+|\}+|&gt;&gt;)[ \t]*$",
    &[(1, "<<"), (3, ">>")],
)];

static DECLARATIONS: [Rule; 5] = [
    Rule::new(
        r#"^([ \t]*)state[ \t]+((\w+)[ \t]+as[ \t]+(?:\\?["“])([^"”\\]*)(?:\\?["”]))[ \t]*$"#,
        &[(2, "\"$4\" as $3")],
    ),
    Rule::new(
        r#"^[ \t]*state[ \t]+(\\"|“|„|«)([^"”»\\]*)(\\"|”|»|“)[ \t]+as[ \t]+\w+"#,
        &[(1, "\""), (3, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*state[ \t]+()([^\s"{<“\\][^"{<]*?\s[^"{<]*?)()[ \t]+as[ \t]+\w+[ \t]*$"#,
        &[(1, "\""), (3, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*state[ \t]+((\w+)[ \t]*\[([^\]\n]*)\])[ \t]*$"#,
        &[(1, "\"$3\" as $2")],
    ),
    Rule::new(
        r#"^[ \t]*state[ \t]+((\w+)[ \t]*:[ \t]*"?([^"\n]*?)"?)[ \t]*$"#,
        &[(1, "\"$3\" as $2")],
    ),
];

/// `state A` means the same as `A`.
fn shorten_declarations(text: &str) -> Vec<Change> {
    if state_before_composite(text).is_none() {
        return Vec::new();
    }
    by_rules(text, &BARE)
}

static BARE: [Rule; 1] = [Rule::new(r"^[ \t]*(state[ \t]+)\w+[ \t]*$", &[(1, "")])];

static NOTES: [Rule; 3] = [
    Rule::new(r"^[ \t]*(?i:note)[ \t]+()\w+[ \t]*:", &[(1, "right of ")]),
    Rule::new(
        r"^[ \t]*(?i:note)[ \t]+(?:right|left)()[ \t]+\w+[ \t]*:",
        &[(1, " of")],
    ),
    Rule::new(
        r"^[ \t]*(?i:note)[ \t]+(over|on|for|above|below|top of|bottom of)[ \t]+\w+",
        &[(1, "right of")],
    ),
];

static OPEN_NOTE: Pattern =
    Pattern::new(r"^[ \t]*(?i:note)[ \t]+(?:right|left)[ \t]+of[ \t]+\w+[ \t]*$");

/// Notes of several lines that never end.
fn end_notes(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    let lines: Vec<_> = body(text).collect();
    for (index, line) in lines.iter().enumerate() {
        if !OPEN_NOTE.matches(&text[line.clone()]) {
            continue;
        }
        let is_closed = lines[index + 1..]
            .iter()
            .map(|line| text[line.clone()].trim())
            .take_while(|line| !OPEN_NOTE.matches(line))
            .any(|line| line.eq_ignore_ascii_case("end note"));
        if let Some(next) = lines.get(index + 1).filter(|_| !is_closed) {
            let indent = indent(&text[line.clone()]);
            changes.push(Change::insert(next.end, format!("\n{indent}end note")));
        }
    }
    changes
}

static TRANSITION: Pattern =
    Pattern::new(r"^[ \t]*([^:\n]+?)[ \t]*-->[ \t]*([^:\n]+?)[ \t]*(?::.*)?$");
static SHAPED: Pattern = Pattern::new(r#"^(\w+)[ \t]*(?:\["?|\("?|\{"?)([^"\])}]*)"?[\])}]$"#);

/// States that are named by several words, or by a quoted text, or with a label
/// in brackets as in flowcharts: they get a name of one word, and a declaration
/// that says how they are shown.
fn join_names(text: &str) -> Vec<Change> {
    let known = names(text);
    let mut declared: BTreeMap<String, String> = BTreeMap::new();
    let mut renamed: Vec<Change> = Vec::new();
    for line in body(text) {
        let Some(found) = TRANSITION
            .get()
            .and_then(|regex| regex.captures(&text[line.clone()]))
        else {
            continue;
        };
        for group in [1, 2] {
            let Some(state) = found.get(group) else {
                continue;
            };
            let Some((name, shown)) = one_word(state.as_str()) else {
                continue;
            };
            // `Idle some text` may be a state and its label without a colon.
            let is_known = shown.split_whitespace().any(|word| known.contains(word));
            if is_known && name != state.as_str() && shown.contains(' ') {
                return Vec::new();
            }
            renamed.push(Change::replace(
                line.start + state.start()..line.start + state.end(),
                name.clone(),
            ));
            declared.entry(name).or_insert(shown);
        }
    }
    let Some(header) = kind::header(text).filter(|_| !renamed.is_empty()) else {
        return Vec::new();
    };
    let declarations: String = declared
        .iter()
        .filter(|(name, shown)| name != shown)
        .map(|(name, shown)| format!("\n    state \"{shown}\" as {name}"))
        .collect();
    let mut change = Change::insert(header.line.end, declarations);
    change
        .edits
        .extend(renamed.into_iter().flat_map(|change| change.edits));
    vec![change]
}

/// States of one word.
fn names(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for line in body(text) {
        let content = &text[line];
        if let Some(found) = TRANSITION.get().and_then(|regex| regex.captures(content)) {
            let both = [found.get(1), found.get(2)];
            let states = both.into_iter().flatten().map(|state| state.as_str());
            names.extend(states.filter(|state| !state.contains([' ', '\t'])));
        }
    }
    names
}

fn one_word(state: &str) -> Option<(String, String)> {
    if state.contains('*') || state.contains("<<") || state.contains(":::") {
        return None;
    }
    if let Some(found) = SHAPED.get().and_then(|regex| regex.captures(state)) {
        return Some((found[1].to_owned(), found[2].trim().to_owned()));
    }
    if state.starts_with(['-', '*', '+']) || state.contains("  ") {
        return None;
    }
    let plain = state
        .trim_matches(['"', '\'', '“', '”', '\\', '[', ']', '(', ')'])
        .trim();
    if plain == state && !plain.contains([' ', '\t', '(', '[', '"', '/', '-', '.']) {
        return None;
    }
    let name: String = plain
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    (!name.is_empty()).then(|| (name, plain.replace('"', "'")))
}
