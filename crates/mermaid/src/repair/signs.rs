//! Signs that do not belong into a diagram of any kind: invisible characters,
//! comments of other languages, list markers, full-width punctuation, keywords in
//! capitals. The steps themselves are in `common.rs`.

use std::ops::Range;

use super::super::draft::Change;
use super::super::kept;
use super::super::kind::{self, Kind};
use super::text::{Pattern, Rule, body, by_rules};

/// Joiners inside and after words of the scripts that need them stay, and so do
/// spaces of no width between two letters of such a script.
pub(super) fn remove_invisible(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut before = '\n';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let range = at..at + c.len_utf8();
        let after = chars.peek().map_or('\n', |(_, next)| *next);
        let (joins_before, joins_after) = (!before.is_ascii(), !after.is_ascii());
        match c {
            '\u{200c}' | '\u{200d}' if !joins_before && !joins_after => {
                changes.push(Change::delete(range));
            }
            '\u{200b}' | '\u{2060}' | '\u{feff}' if !(joins_before && joins_after) => {
                changes.push(Change::delete(range));
            }
            '\u{a0}' | '\u{202f}' | '\u{3000}' => changes.push(Change::replace(range, " ")),
            _ => {}
        }
        before = c;
    }
    changes
}

static TRAILING: [Rule; 6] = [
    Rule::new(r"\S([ \t]+//[ \t].*)$", &[(1, "")]),
    Rule::new(r"\S([ \t]+%%.*)$", &[(1, "")]),
    Rule::new(r"\S([ \t]+#[ \t].*)$", &[(1, "")]),
    Rule::new(r"\S([ \t]*<!--.*-->[ \t]*)$", &[(1, "")]),
    Rule::new(r"^[ \t]*(//|#|%)[ \t]+\S", &[(1, "%%")]),
    Rule::new(r"^[ \t]*(<!--)(.*)(-->)[ \t]*$", &[(1, "%%"), (3, "")]),
];

pub(super) fn fix_comments(text: &str) -> Vec<Change> {
    let mut changes = by_rules(text, &TRAILING);
    changes.retain(|change| {
        change
            .edits
            .first()
            .is_some_and(|edit| is_after(text, edit.range.start))
    });
    for change in &mut changes {
        if let [edit] = change.edits.as_mut_slice()
            && edit.text.is_empty()
        {
            edit.text = on_its_own_line(text, edit.range.clone());
        }
    }
    changes
}

/// A comment after a statement as a line of its own, below it: nothing that was written is lost.
fn on_its_own_line(text: &str, comment: Range<usize>) -> String {
    let line = text[..comment.start].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[line..comment.start];
    let indent = &line[..line.len() - line.trim_start().len()];
    let words = text[comment]
        .trim()
        .trim_start_matches(['/', '%', '#'])
        .trim_start_matches("<!--")
        .trim_end_matches("-->")
        .trim();
    if words.is_empty() {
        return String::new();
    }
    format!("\n{indent}%% {words}")
}

/// Whether a comment comes after a statement: not inside a label, and not in the
/// free text after a colon.
fn is_after(text: &str, at: usize) -> bool {
    let line = &text[text[..at].rfind('\n').map_or(0, |at| at + 1)..at];
    let has_free_text = !matches!(
        kind::header(text).and_then(|header| header.kind),
        Some(Kind::Flowchart | Kind::Er | Kind::Pie | Kind::Git | Kind::XyChart | Kind::Quadrant)
    );
    line.matches('"').count().is_multiple_of(2)
        && kept::is_balanced(line)
        && !(has_free_text && line.contains(':'))
}

static BULLETS: [Rule; 1] = [Rule::new(
    r#"^[ \t]*((?:[-*+•]|\d{1,2}[.)])[ \t]+)(?:[\w"\[`].*(?:--|->|==|\.\.|-\)|-x|→|\[|\(|\{|"[ \t]*:)|(?:participant|actor|Note|note|state|class|commit|branch|checkout|merge|subgraph|end|loop|alt|else|opt|style|classDef)\b)"#,
    &[(1, "")],
)];

/// In kinds whose statements never begin with a list marker.
pub(super) fn remove_bullets(text: &str) -> Vec<Change> {
    let kind = kind::header(text).and_then(|header| header.kind);
    match kind {
        Some(Kind::Flowchart | Kind::Sequence | Kind::State | Kind::Er | Kind::Pie | Kind::Git) => {
            let changes = by_rules(text, &BULLETS);
            let marked = body(text).filter(|line| MARKED.matches(&text[line.clone()]));
            // A marker that stays would be read as part of a name.
            if marked.count() == changes.len() {
                changes
            } else {
                Vec::new()
            }
        }
        _ => Vec::new(),
    }
}

static MARKED: Pattern = Pattern::new(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+\S");

/// Brackets directly after the name of a node, with their partners.
static WIDE_BRACKETS: [Rule; 3] = [
    Rule::new(
        r"[^\s\[(（［｛@]([［])[^［］\[\]\n]+([］])[ \t]*(?:$|;|&|:::|[-=—–→<])",
        &[(1, "["), (2, "]")],
    ),
    Rule::new(
        r"[^\s\[(（［｛@]([（])[^（）()\n]+([）])[ \t]*(?:$|;|&|:::|[-=—–→<])",
        &[(1, "("), (2, ")")],
    ),
    Rule::new(
        r"[^\s\[(（［｛@]([｛])[^｛｝{}\n]+([｝])[ \t]*(?:$|;|&|:::|[-=—–→<])",
        &[(1, "{"), (2, "}")],
    ),
];

/// The colon before a message or label, and before a value.
static WIDE_COLONS: [Rule; 4] = [
    Rule::new(
        r"^[ \t]*(?i:note)[ \t]+over[ \t]+[^:：，\n]*(，)",
        &[(1, ",")],
    ),
    Rule::new(r"(［)\*(］)", &[(1, "["), (2, "]")]),
    Rule::new(
        r"^[^:：\n]*(?:->|-\)|-x|--|→|[nN]ote[ \t])[^:：\n]*(：)",
        &[(1, ":")],
    ),
    Rule::new(r#""[ \t]*(：)[ \t]*[\d.]+[ \t]*$"#, &[(1, ":")]),
];

pub(super) fn narrow_punctuation(text: &str) -> Vec<Change> {
    match kind::header(text).and_then(|header| header.kind) {
        Some(Kind::Flowchart) => by_rules(text, &WIDE_BRACKETS),
        Some(Kind::Sequence | Kind::State | Kind::Class | Kind::Er | Kind::Pie) => {
            by_rules(text, &WIDE_COLONS)
        }
        Some(Kind::XyChart) => narrow_lists(text),
        _ => Vec::new(),
    }
}

/// The lists of an axis or a row of a chart: `x-axis ［Q1， Q2］`.
fn narrow_lists(text: &str) -> Vec<Change> {
    const SIGNS: [(char, &str); 3] = [('［', "["), ('］', "]"), ('，', ",")];
    let is_list = |content: &str| {
        let mut names = ["x-axis", "y-axis", "bar", "line"].iter();
        names.any(|name| content.trim_start().starts_with(name))
            && content.contains(['[', '［'])
            && !content.contains('"')
    };
    let lists = kind::lines(text).filter(|line| is_list(&text[line.clone()]));
    lists
        .flat_map(|line| {
            let signs = text[line.clone()].char_indices();
            signs.filter_map(move |(at, sign)| {
                let (_, plain) = SIGNS.iter().find(|(wide, _)| *wide == sign)?;
                let start = line.start + at;
                Some(Change::replace(start..start + sign.len_utf8(), *plain))
            })
        })
        .collect()
}

static KEYWORDS: [Rule; 2] = [
    Rule::new(
        r"^[ \t]*(Subgraph|SUBGRAPH|SubGraph|subGraph)[ \t]+[^-=\s]",
        &[(1, "subgraph")],
    ),
    Rule::new(r"^[ \t]*(End|END)[ \t]*;?$", &[(1, "end")]),
];

/// `Subgraph` and, where a block is open, `End`, which would be a node.
pub(super) fn fix_keywords(text: &str) -> Vec<Change> {
    if kind::header(text).and_then(|header| header.kind) != Some(Kind::Flowchart) {
        return Vec::new();
    }
    let count = |words: &[&str]| {
        let lines = body(text).map(|line| text[line].trim());
        lines
            .filter(|line| words.contains(&line.split_whitespace().next().unwrap_or_default()))
            .count()
    };
    let opened = count(&["subgraph", "Subgraph", "SUBGRAPH", "SubGraph", "subGraph"]);
    if opened == count(&["end", "End", "END", "end;"]) {
        by_rules(text, &KEYWORDS)
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::draft::Draft;
    use super::*;

    #[test]
    fn joiners_of_words_and_signs_stay() {
        let cases = [
            ("A\u{200d} --> B\u{200b}", "A --> B"),
            ("\u{feff}graph TD", "graph TD"),
            ("ന്\u{200d} ക്\u{200d}ഷ", "ന്\u{200d} ക്\u{200d}ഷ"),
            ("می\u{200c}رود", "می\u{200c}رود"),
            ("ខ្មែរ\u{200b}ភាសា", "ខ្មែរ\u{200b}ភាសា"),
            ("👩\u{200d}🏫", "👩\u{200d}🏫"),
        ];
        for (text, expected) in cases {
            let mut draft = Draft::new(text);
            draft.apply(0, remove_invisible(text));
            assert_eq!(draft.text(), expected);
        }
    }
}
