//! Repairs of class diagrams: generics, relations, annotations, bodies, notes.

use super::super::differences::{colon_too_many, early_annotation};
use super::super::draft::Change;
use super::super::kept::Keeps;
use super::Repair::{Proposals, Rules};
use super::Step;
use super::text::{Rule, balance_braces, body, indent};

pub(super) static STEPS: &[Step] = &[
    Step::where_needed(
        "invalid type parameter; write `~T~`, not `<T>`",
        Rules(&GENERICS),
    ),
    Step::everywhere(
        "invalid relation in a class diagram; use `<|--`, `-->` or `..>`",
        Rules(&RELATIONS),
    ),
    Step::everywhere(
        "invalid annotation; write `<<interface>>`",
        Rules(&ANNOTATIONS),
    ),
    Step::where_needed(
        "an annotation must come after the first mention of its class",
        Proposals(declare_annotated),
    )
    .keeping(Keeps::Repeats),
    Step::everywhere(
        "only one colon is allowed in a line outside a class; write others as `#58;` and a semicolon as `#59;`",
        Proposals(fix_colons),
    ),
    Step::everywhere(
        "a class diagram cannot contain method bodies; delete the body",
        Rules(&BODIES),
    ),
    Step::everywhere("unbalanced braces in a class", Proposals(balance_braces)),
    Step::everywhere("the text of a note must be in double quotes", Rules(&NOTES)),
    Step::where_needed(
        "the cardinality of a relation must be in double quotes",
        Rules(&CARDINALITIES),
    ),
    Step::where_needed("invalid class name", Rules(&NAMES)).keeping(Keeps::Repeats),
];

static GENERICS: [Rule; 2] = [
    // A type, not an HTML tag such as `<br>`.
    Rule::new(
        r"\w(<)((?:[A-Z]|int|long|float|double|bool|char|str|any|object|number|byte)[\w, ~\[\]?]*)(>)",
        &[(1, "~"), (3, "~")],
    ),
    Rule::new(
        r"\w(&lt;)((?:[A-Z]|int|long|float|double|bool|char|str|any|object|number|byte)[\w, ~\[\]?]*)(&gt;)",
        &[(1, "~"), (3, "~")],
    ),
];

static RELATIONS: [Rule; 13] = [
    Rule::new(
        r"[\w~`\x22][ \t]+(<--\||<-\||<\|-|<\|---+|\|>--)[ \t]+[\w`\x22]",
        &[(1, "<|--")],
    ),
    Rule::new(
        r"[\w~`\x22][ \t]+(-->\||->\||-\|>|---+\|>|--<\|)[ \t]+[\w`\x22]",
        &[(1, "--|>")],
    ),
    Rule::new(
        r"[\w~`\x22][ \t]+(<\|\.|<\.\.\|)[ \t]+[\w`\x22]",
        &[(1, "<|..")],
    ),
    Rule::new(
        r"[\w~`\x22][ \t]+(\.\|>|\.\.>\|)[ \t]+[\w`\x22]",
        &[(1, "..|>")],
    ),
    Rule::new(
        r"[\w~`\x22][ \t]+(->|→|=>|⟶|-->>|->>|==>|---+>|[—–]+>)[ \t]+[\w`\x22]",
        &[(1, "-->")],
    ),
    Rule::new(r"[\w~`\x22][ \t]+(<-)[ \t]+[\w`\x22]", &[(1, "<--")]),
    Rule::new(
        r"[\w~`\x22][ \t]+(\*-|<>--|◆--)[ \t]+[\w`\x22]",
        &[(1, "*--")],
    ),
    Rule::new(r"[\w~`\x22][ \t]+(o-|◇--)[ \t]+[\w`\x22]", &[(1, "o--")]),
    Rule::new(
        r"[\w~`\x22][ \t]+(-\.->|\.->|-\.>|\.>)[ \t]+[\w`\x22]",
        &[(1, "..>")],
    ),
    Rule::new(
        r"^[ \t]*(?:class[ \t]+)?(\w+)[ \t]+(extends|inherits|inherits from)[ \t]+\w+[ \t]*$",
        &[(2, "--|>")],
    ),
    Rule::new(
        r"^[ \t]*(class[ \t]+)\w+[ \t]+(?:extends|inherits)[ \t]+\w+[ \t]*$",
        &[(1, "")],
    ),
    Rule::new(
        r"^[ \t]*(?:class[ \t]+)?(\w+)[ \t]+(implements)[ \t]+\w+[ \t]*$",
        &[(2, "..|>")],
    ),
    Rule::new(
        r"[\w~`][ \t]+(-->|--)(\|([^|]+)\|)[ \t]*\w+()[ \t]*$",
        &[(2, ""), (4, " : $3")],
    ),
];

static ANNOTATIONS: [Rule; 7] = [
    Rule::new(r"(«)[ \t]*(\w+)[ \t]*(»)", &[(1, "<<"), (3, ">>")]),
    Rule::new(r"^[ \t]*(<)(\w+)(>)[ \t]*$", &[(1, "<<"), (3, ">>")]),
    Rule::new(r"^[ \t]*(&lt;&lt;)(\w+)(&gt;&gt;)", &[(1, "<<"), (3, ">>")]),
    Rule::new(
        r"^[ \t]*class[ \t]+\w+([ \t]*<<(\w+)>>)[ \t]*\{()[ \t]*$",
        &[(1, " "), (3, "\n        <<$2>>")],
    ),
    Rule::new(
        r"^[ \t]*(abstract[ \t]+)class[ \t]+\w+[ \t]*\{()",
        &[(1, ""), (2, "\n        <<abstract>>")],
    ),
    Rule::new(
        r"^[ \t]*(enum)[ \t]+\w+[ \t]*\{()",
        &[(1, "class"), (2, "\n        <<enumeration>>")],
    ),
    Rule::new(
        r"^[ \t]*(interface)[ \t]+\w+[ \t]*\{()",
        &[(1, "class"), (2, "\n        <<interface>>")],
    ),
];

/// Declares a class before its annotation. A name that occurs nowhere else may be
/// cut off.
fn declare_annotated(text: &str) -> Vec<Change> {
    match early_annotation(text) {
        Some((_, name)) if mentions(text, name) > 1 => declare_any(text),
        _ => Vec::new(),
    }
}

fn declare_any(text: &str) -> Vec<Change> {
    match early_annotation(text) {
        Some((line, name)) => {
            let indent = indent(&text[line.clone()]);
            let declaration = format!("{indent}class {name}\n");
            vec![Change::insert(line.start, declaration)]
        }
        None => Vec::new(),
    }
}

/// Colons after the first, and one that nothing follows.
fn fix_colons(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut inside = false;
    for line in body(text) {
        let content = &text[line.clone()];
        let trimmed = content.trim();
        if inside {
            inside = !trimmed.contains('}');
            continue;
        }
        inside = trimmed.ends_with('{') && !trimmed.starts_with("namespace");
        let Some(first) = colon_too_many(text, &line) else {
            continue;
        };
        let (before, after) = (&text[line.start..first.start], &text[first.end..line.end]);
        // The member is missing, or the colons are one slip.
        if after.trim().is_empty() || before.ends_with(':') || !is_member(text, before, after) {
            continue;
        }
        // The last semicolon is another step's.
        let rest = text[first.start..line.end].trim_end_matches([' ', '\t', ';']);
        changes.extend(rest.match_indices([':', ';']).map(|(at, sign)| {
            let code = if sign == ":" { "#58;" } else { "#59;" };
            Change::replace(first.start + at..first.start + at + 1, code)
        }));
    }
    changes
}

/// Whether a line with colons is one statement: its class is mentioned elsewhere,
/// but not after the second colon, where a line break may be missing.
fn is_member(text: &str, before: &str, after: &str) -> bool {
    let name = before
        .trim()
        .split([' ', ':', '\t'])
        .next()
        .unwrap_or_default();
    let is_relation = before.contains("--") || before.contains("..");
    let again = after.contains(name) || before.trim().matches(name).count() > 1;
    is_relation || (mentions(text, name) > 1 && !again)
}

/// How often a name occurs as a whole word.
fn mentions(text: &str, name: &str) -> usize {
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(name)
        .filter(|(at, _)| {
            !text[..*at].ends_with(is_letter) && !text[at + name.len()..].starts_with(is_letter)
        })
        .count()
}

/// If guesses are allowed.
pub(super) static GUESSES: &[Step] = &[
    Step::everywhere(
        "nothing follows the colon; delete it or write what is missing",
        Rules(&DANGLING),
    ),
    Step::where_needed(
        "an annotation must come after the first mention of its class",
        Proposals(declare_any),
    ),
];

static DANGLING: [Rule; 1] = [Rule::new(r"[^\s:]([ \t]*:[ \t]*)$", &[(1, "")])];

static BODIES: [Rule; 3] = [
    Rule::new(
        r"^[ \t]*[-+#~]?[^{}\n]*\)[^{}\n]*?([ \t]*\{[^{}\n]*\})",
        &[(1, "")],
    ),
    Rule::new(
        r"^[ \t]*[-+#~]?[^{}(\n]*\([^{}\n]*(\{)[^{}\n]*(\})[^{}\n]*\)",
        &[(1, "("), (2, ")")],
    ),
    Rule::new(
        r"^[ \t]*[-+#~][^{}(\n]*?[ \t]*(\{)([^{}\n]*)(\})[ \t]*$",
        &[(1, "("), (3, ")")],
    ),
];

static NOTES: [Rule; 3] = [
    Rule::new(
        r#"^[ \t]*note[ \t]+for[ \t]+\w+[ \t]+()[^"\s“\\][^"]*?()[ \t]*$"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*note[ \t]+for[ \t]+\w+[ \t]+(\\"|“|„)(.*)(\\"|”|“)[ \t]*$"#,
        &[(1, "\""), (3, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*note[ \t]+(?:right|left|top|bottom)[ \t]+of[ \t]+(\w+)[ \t]*:[ \t]*(.*?)[ \t]*$"#,
        &[(0, "    note for $1 \"$2\"")],
    ),
];

static CARDINALITIES: [Rule; 2] = [
    Rule::new(
        r#"^[ \t]*\w+[ \t]+()(?:\d+|\*|many|n|[01]\.\.(?:\d|\*|n))()[ \t]+[<|*o.-]"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"[->|*o.][ \t]+()(?:\d+|\*|many|n|[01]\.\.(?:\d|\*|n))()[ \t]+\w+[ \t]*(?::.*)?$"#,
        &[(1, "\""), (2, "\"")],
    ),
];

static NAMES: [Rule; 9] = [
    Rule::new(
        r"^[ \t]*(package)[ \t]+[\w.]+[ \t]*\{[ \t]*$",
        &[(1, "namespace")],
    ),
    Rule::new(r#"^[ \t]*class[ \t]+(")(\w+)(")"#, &[(1, ""), (3, "")]),
    Rule::new(
        r#"^[ \t]*class[ \t]+("([^"\s]+)[ \t]+([^"\s]+)")"#,
        &[(1, "$2_$3[\"$2 $3\"]")],
    ),
    Rule::new(r"^[ \t]*class[ \t]+\w+([ \t]*\([^)]*\))", &[(1, "")]),
    Rule::new(
        r"^[ \t]*class[ \t]+()\w+[.][\w.]+()(?:[ \t{]|$)",
        &[(1, "`"), (2, "`")],
    ),
    Rule::new(
        r#"^[ \t]*class[ \t]+\w+[ \t]*\[()[^"“”„«»‘’\[\]]+()\]"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(
        r#"^[ \t]*class[ \t]+\w+[ \t]*\[([“„«”])[^"“”„«»\]]+([”“»])\]"#,
        &[(1, "\""), (2, "\"")],
    ),
    Rule::new(r"^[ \t]*class[ \t]+\w+(:)[ \t]*$", &[(1, "")]),
    Rule::new(r"^[ \t]*class[ \t]+\w+(:)[ \t]*\{", &[(1, "")]),
];
