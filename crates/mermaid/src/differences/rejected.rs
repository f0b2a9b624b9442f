//! What mermaid rejects in texts that the library accepts: lexical strictness
//! that the library's grammars do not have.

mod charts;
mod indented;
mod styles;
mod unfinished;

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::flow_scan::{Form, Token, scan};
use super::super::kind::{self, Kind};

pub(crate) use self::indented::gap_after_header;
pub(crate) use self::unfinished::half_range;

/// An error that only mermaid reports: its range and the message.
pub(crate) type Violation = (Range<usize>, &'static str);

/// What mermaid rejects in a text that the library accepts.
pub(crate) fn rejected(text: &str) -> Option<Violation> {
    let header = kind::header(text)?;
    // The library, as mermaid itself, knows the type by the first letters alone; the grammar
    // then needs the word.
    let first = text[header.line.clone()].split_whitespace().next();
    if first.is_some_and(|word| word.starts_with("gantt") && word != "gantt") {
        return Some((header.line, "the first line must be `gantt` alone"));
    }
    let kind = header.kind?;
    if let Some(error) = hard_space(text, &header) {
        return Some(error);
    }
    if let Some(error) = unfinished::unfinished(text, &header, kind) {
        return Some(error);
    }
    match kind {
        Kind::Flowchart => rejected_flowchart(text),
        Kind::Class => rejected_class(text),
        Kind::State => rejected_state(text),
        Kind::Gantt => rejected_gantt(text, &header),
        Kind::Block => rejected_block(text),
        Kind::C4 => rejected_c4(text),
        Kind::Quadrant => charts::rejected_quadrant(text),
        Kind::Sankey => charts::rejected_sankey(text),
        Kind::Mindmap | Kind::Kanban => indented::rejected_indented(text, &header),
        Kind::Git => rejected_git(text),
        Kind::Er => rejected_er(text),
        Kind::XyChart => charts::rejected_xychart(text),
        Kind::Other => charts::rejected_events(text),
        Kind::Sequence => rejected_sequence(text, &header),
        Kind::Pie => None,
    }
}

/// A statement of the diagram whose rest is missing, whatever the library says.
pub(crate) fn unfinished(text: &str) -> Option<Violation> {
    let header = kind::header(text)?;
    unfinished::unfinished(text, &header, header.kind?)
}

/// A non-breaking space at the start of a line, which the newer grammars of mermaid do
/// not take for white space.
fn hard_space(text: &str, header: &kind::Header) -> Option<Violation> {
    const NEWER: [&str; 8] = [
        "gitGraph",
        "pie",
        "packet",
        "radar",
        "treemap",
        "architecture",
        "treeView",
        "info",
    ];
    let name = text[header.line.clone()].trim_start();
    if !NEWER.iter().any(|newer| name.starts_with(newer)) {
        return None;
    }
    kind::lines(text)
        .filter(|line| line.end > header.line.end)
        .find_map(|line| {
            let content = &text[line.clone()];
            let blank = content.len() - content.trim_start().len();
            let at = content[..blank].find('\u{a0}')?;
            let start = line.start + at;
            Some((
                start..start + '\u{a0}'.len_utf8(),
                "a non-breaking space; write an ordinary one",
            ))
        })
}

/// `click` without the end of its text or the brackets of its function, which the
/// library takes for the rest of the statement.
fn open_click(content: &str) -> Option<&'static str> {
    let rest = content.trim().strip_prefix("click ")?;
    if rest.matches('"').count() % 2 == 1 {
        return Some("the text is not closed; write the missing `\"`");
    }
    let mut words = rest.split_whitespace().skip(1);
    let calls = words.next() == Some("call");
    (calls && !rest.contains('('))
        .then_some("a function needs brackets after its name (`call name()`)")
}

fn rejected_flowchart(text: &str) -> Option<Violation> {
    if let Some(error) = styles::colour_before_semicolon(text) {
        return Some(error);
    }
    scan(text).into_iter().find_map(|line| match line.form {
        Form::Subgraph(title) => rejected_title(text, title),
        Form::Setting => open_click(&text[line.range.clone()])
            .map(|says| (line.range.clone(), says))
            .or_else(|| styles::rejected_setting(text, &line.range)),
        Form::Chain(tokens) => spaces_in_chain(text, &tokens)
            .map(|gap| {
                (gap, "no space is allowed between a node and its bracket, and at most one after the label of a link")
            })
            .or_else(|| Some((empty_label(text, &tokens).next()?, "a label is empty")))
            .or_else(|| Some((open_flag(text, &tokens)?, "the `]` of the label is missing"))),
        Form::End | Form::Aside => None,
    })
}

/// Signs that mermaid's lexer does not take in a title without quotes.
fn rejected_title(text: &str, title: Range<usize>) -> Option<Violation> {
    let raw = &text[title.clone()];
    let plain = raw.split(['[', ';']).next().unwrap_or_default();
    let rejected = |c: char| {
        matches!(
            c,
            '(' | ')' | '{' | '}' | '<' | '>' | ',' | '|' | '@' | '~' | '='
        ) || is_sign(c)
    };
    (!raw.starts_with('"') && (plain.contains(rejected) || plain.contains("--")))
        .then_some((title, "the title of a subgraph must be in double quotes"))
}

/// Punctuation, arrows, symbols and pictures beyond ASCII.
fn is_sign(c: char) -> bool {
    matches!(c,
        '\u{a1}'..='\u{a9}' | '\u{ab}'..='\u{b4}' | '\u{b6}'..='\u{b9}' | '\u{bb}'..='\u{bf}'
        | '×' | '÷' | '\u{2010}'..='\u{2070}' | '\u{20a0}'..='\u{20cf}' | '\u{2190}'..='\u{2bff}'
        | '\u{3001}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{ff01}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}' | '\u{1f000}'..='\u{1faff}')
}

/// Labels without anything in them, quotes apart.
pub(crate) fn empty_label<'a>(
    text: &'a str,
    tokens: &'a [Token],
) -> impl Iterator<Item = Range<usize>> + 'a {
    tokens.iter().filter_map(|token| match token {
        Token::Label(label) | Token::Bars(label)
            if label.close.is_some() && matches!(&text[label.inner.clone()], "" | "\"\"") =>
        {
            Some(label.inner.clone())
        }
        _ => None,
    })
}

/// `A>text` without its `]`, which the library takes for a name.
fn open_flag(text: &str, tokens: &[Token]) -> Option<Range<usize>> {
    tokens.iter().find_map(|token| match token {
        Token::Label(label) if label.close.is_none() && &text[label.open.clone()] == ">" => {
            Some(label.open.start..label.inner.end)
        }
        _ => None,
    })
}

/// A space where mermaid takes none: before a bracket or `:::`, and a second one
/// after the label of a link.
pub(crate) fn spaces_in_chain(text: &str, tokens: &[Token]) -> Option<Range<usize>> {
    tokens.windows(2).find_map(|pair| {
        let (gap, allowed) = match (&pair[0], &pair[1]) {
            (Token::Node(name), Token::Label(label))
                if !text[label.open.clone()].starts_with('>') =>
            {
                (name.end..label.open.start, 0)
            }
            (Token::Bars(label), Token::Node(name)) => (label.close.clone()?.end..name.start, 1),
            _ => return None,
        };
        let is_blank = text
            .get(gap.clone())?
            .chars()
            .all(|c| matches!(c, ' ' | '\t'));
        (gap.len() > allowed && is_blank).then_some(gap)
    })
}

/// The body of a class holds members only: mermaid's lexer stops at `{`.
fn rejected_class(text: &str) -> Option<Violation> {
    if let Some((line, _)) = early_annotation(text) {
        return Some((
            line,
            "an annotation must come after the first mention of its class",
        ));
    }
    let header = kind::header(text)?;
    let mut inside = false;
    for line in kind::lines(text).filter(|line| line.start >= header.line.end) {
        let content = &text[line.clone()];
        let trimmed = content.trim();
        if trimmed.starts_with("%%") {
            continue;
        }
        if inside {
            if let Some(at) = trimmed.find('{') {
                let start = line.start + (content.len() - content.trim_start().len()) + at;
                return Some((
                    start..start + 1,
                    "a brace inside a class: the class before is not closed, or a member has a body",
                ));
            }
            if is_half_method(trimmed) {
                return Some((line, "the opening bracket of a method is missing"));
            }
            inside = !trimmed.contains('}');
            continue;
        }
        if matches!(trimmed, "classDiagram" | "classDiagram-v2") {
            return Some((line, "the first line is there twice; delete one"));
        }
        if let Some(says) = open_click(trimmed) {
            return Some((line, says));
        }
        if let Some(range) = colon_too_many(text, &line) {
            return Some((
                range,
                "only one colon and no semicolon is allowed in a line outside a class, and the colon needs text after it",
            ));
        }
        let is_member = |(class, member): &(&str, &str)| {
            !class.trim().contains([' ', '"', '<', '-', '.']) && is_half_method(member.trim())
        };
        if trimmed.split_once(':').as_ref().is_some_and(is_member) {
            return Some((line, "the opening bracket of a method is missing"));
        }
        let is_class = trimmed.starts_with("class ");
        if is_class {
            let name = &trimmed["class ".len()..];
            if name
                .trim_start()
                .starts_with(['-', '.', '<', '"', '*', '|'])
            {
                return Some((line, "the name of the class is missing"));
            }
            let end = name
                .find(['{', '[', '"', '`', '<', '~', ':'])
                .unwrap_or(name.len());
            if name[..end].contains([
                '(', ')', '&', '/', '#', '!', '$', '%', '\'', '*', '+', ',', '?', ';', '\\',
            ]) {
                return Some((line, "invalid class name"));
            }
        }
        inside = trimmed.ends_with('{')
            && (is_class || trimmed.contains("class "))
            && !trimmed.starts_with("namespace");
    }
    None
}

/// The library takes typographic quotes for part of a name.
fn rejected_state(text: &str) -> Option<Violation> {
    kind::lines(text)
        .find_map(|line| {
            let trimmed = text[line.clone()].trim();
            if trimmed.starts_with("state “")
                || trimmed.starts_with("state «")
                || trimmed.starts_with("state \\\"")
            {
                return Some((
                    line,
                    "the name of a state must be in straight double quotes",
                ));
            }
            let ends_with_colon = text[line.clone()].ends_with(':') && trimmed.contains("-->");
            ends_with_colon.then_some((line, "missing text after the colon"))
        })
        .or_else(|| {
            let range = state_before_composite(text)?;
            Some((
                range,
                "`state` with only a name is not allowed directly before a composite state; delete `state`",
            ))
        })
}

/// `state A` on the line before `state B {`: mermaid reads both as one name.
pub(crate) fn state_before_composite(text: &str) -> Option<Range<usize>> {
    let mut before: Option<Range<usize>> = None;
    for line in kind::lines(text) {
        let trimmed = text[line.clone()].trim();
        if trimmed.is_empty() || trimmed.starts_with("%%") {
            continue;
        }
        let name = trimmed.strip_prefix("state ").map(str::trim);
        if name.is_some_and(|name| name.ends_with('{')) && before.is_some() {
            return before;
        }
        let is_bare =
            name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
        before = is_bare.then_some(line);
    }
    None
}

fn rejected_gantt(text: &str, header: &kind::Header) -> Option<Violation> {
    if text[header.line.clone()].starts_with("gantt:") {
        return Some((header.line.clone(), "the first line must be `gantt` alone"));
    }
    kind::lines(text).find_map(|line| {
        // With a space after the colon mermaid takes it.
        let trimmed = text[line.clone()].trim_start();
        let empty = trimmed.ends_with(':') && trimmed.len() > 1 && !trimmed.starts_with("%%");
        let is_task = ![
            "title",
            "acc",
            "section",
            "dateFormat",
            "axisFormat",
            "todayMarker",
        ]
        .iter()
        .any(|word| trimmed.starts_with(word));
        (empty && is_task && line.start > header.line.start)
            .then_some((line, "a task needs dates or a duration after its colon"))
    })
}

/// An `=` between blocks, outside of texts and links.
fn has_lone_equals(line: &str) -> bool {
    let is_other = ["%%", "title", "acc", "style", "class"];
    if is_other.iter().any(|word| line.starts_with(word)) {
        return false;
    }
    let (mut depth, mut quoted, mut before) = (0_usize, false, ' ');
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            '=' if depth == 0 && before != '=' => {
                let next = chars.peek().copied().unwrap_or(' ');
                if !matches!(next, '=' | '>') && !matches!(before, '<' | 'o' | 'x' | '-') {
                    return true;
                }
            }
            _ => {}
        }
        before = c;
    }
    false
}

/// An `end` without a block.
fn rejected_block(text: &str) -> Option<Violation> {
    let mut open = 0usize;
    for line in kind::lines(text) {
        let trimmed = text[line.clone()].trim();
        if has_lone_equals(trimmed) {
            return Some((
                line,
                "an `=` joins nothing here; draw a link (`-->` or `==>`)",
            ));
        }
        if trimmed == "end" {
            if open == 0 {
                return Some((line, "this `end` closes no block; delete it"));
            }
            open -= 1;
        } else if trimmed.starts_with("block:")
            || trimmed == "block"
            || trimmed.starts_with("block ")
        {
            open += 1;
        } else if trimmed.contains(" block:") || trimmed.ends_with(" block") {
            // Blocks in the middle of a line: no opinion.
            return None;
        }
    }
    // A `block` header was counted as a block; then one `end` too many hides.
    None
}

fn rejected_c4(text: &str) -> Option<Violation> {
    if let Some(line) = open_argument(text) {
        return Some((
            line,
            "the last text in the brackets must be in double quotes",
        ));
    }
    text.lines()
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len() + 1;
            Some((start, line))
        })
        .find_map(|(start, line)| {
            let at = line
                .find("\\\"")
                .or_else(|| line.find(['“', '”', '«', '»']))?;
            (line.contains('(')
                && line.trim_end().ends_with([')', '{'])
                && !line[..at].contains('"'))
            .then_some((
                start + at..start + at + 1,
                "text must be in straight double quotes",
            ))
        })
}

/// A second colon or a semicolon in a member or the label of a relation, or a
/// colon that nothing follows.
pub(crate) fn colon_too_many(text: &str, line: &Range<usize>) -> Option<Range<usize>> {
    const KEYWORDS: [&str; 9] = [
        "class",
        "note",
        "click",
        "link",
        "style",
        "cssClass",
        "classDef",
        "callback",
        "namespace",
    ];
    let content = &text[line.clone()];
    let trimmed = content.trim();
    let first = trimmed.split_whitespace().next().unwrap_or_default();
    if trimmed.contains(":::")
        || trimmed.starts_with("%%")
        || trimmed.starts_with('}')
        || first.starts_with("acc")
        || KEYWORDS.contains(&first)
    {
        return None;
    }
    let colon = content.find(':');
    let from = colon.map_or(0, |at| at + 1);
    let next = content[from..].char_indices().find(|(at, c)| match c {
        ':' => true,
        ';' => !ends_an_entity(&content[..from + at]),
        _ => false,
    });
    let at = match (next.map(|(at, _)| at), colon) {
        (Some(next), _) => from + next,
        (None, Some(colon)) if content[from..].trim().is_empty() => colon,
        _ => return None,
    };
    Some(line.start + at..line.start + at + 1)
}

/// `#58` and similar.
fn ends_an_entity(before: &str) -> bool {
    let name = before
        .trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_')
        .len();
    name < before.len() && before[..name].ends_with('#')
}

/// `<<interface>> Name` before anything else that speaks of the class: the line
/// and the name.
pub(crate) fn early_annotation(text: &str) -> Option<(Range<usize>, &str)> {
    let header = kind::header(text)?;
    let mut depth = 0_usize;
    let mut mentioned: BTreeSet<&str> = BTreeSet::new();
    for line in kind::lines(text).filter(|line| line.start >= header.line.end) {
        let trimmed = text[line.clone()].trim();
        if trimmed.starts_with("%%") {
            continue;
        }
        depth = (depth + trimmed.matches('{').count()).saturating_sub(trimmed.matches('}').count());
        // A name with other signs in it is not looked for.
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let annotated = trimmed
            .strip_prefix("<<")
            .and_then(|rest| rest.split_once(">>"))
            .map(|(_, name)| name.trim())
            .filter(|name| depth == 0 && !name.is_empty() && name.chars().all(is_word));
        if let Some(name) = annotated.filter(|name| !mentioned.contains(name)) {
            return Some((line, name));
        }
        mentioned.extend(trimmed.split(|c: char| !is_word(c)));
    }
    None
}

/// A dash and a space before a message are the sign of a list, not a name.
fn rejected_sequence(text: &str, header: &kind::Header) -> Option<Violation> {
    kind::lines(text)
        .filter(|line| line.start >= header.line.end)
        .find(|line| text[line.clone()].trim_start().starts_with("- "))
        .map(|line| {
            (
                line,
                "a statement is written as a list item; delete the list marker",
            )
        })
}

/// A member with a closing bracket is a method, and must have the opening one.
fn is_half_method(member: &str) -> bool {
    let close = member.find(')').filter(|at| *at > 0);
    close.is_some_and(|close| !member[..close].contains('('))
}

fn rejected_git(text: &str) -> Option<Violation> {
    let header = kind::header(text)?;
    if text[header.line.clone()].contains("::") {
        return Some((header.line, "one colon at most follows `gitGraph`"));
    }
    kind::lines(text).find_map(|line| {
        let content = &text[line.clone()];
        let unquoted = ["id:", "tag:", "msg:", "parent:"].iter().any(|key| {
            content.split_once(key).is_some_and(|(before, value)| {
                before.ends_with([' ', '\t'])
                    && !before.contains('"')
                    && !value.trim_start().starts_with(['"', '\''])
            })
        });
        let is_statement = ["commit", "merge", "cherry-pick"]
            .iter()
            .any(|word| content.trim_start().starts_with(word));
        (unquoted && is_statement)
            .then_some((line, "names of commits and tags must be in double quotes"))
    })
}

/// An argument without quotes goes on up to the next comma. Where there is none,
/// the bracket is never closed.
fn open_argument(text: &str) -> Option<Range<usize>> {
    let line = kind::lines(text)
        .filter(|line| {
            let content = text[line.clone()].trim();
            let name = content.split('(').next().unwrap_or_default();
            let is_name = !name.is_empty()
                && name.len() < content.len()
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            is_name && content.trim_end_matches(['{', ' ']).ends_with(')')
        })
        .last()?;
    if text[line.end..].contains(',') {
        return None;
    }
    let mut quoted = false;
    let content = &text[line.clone()];
    let last = content
        .char_indices()
        .filter(|(_, c)| {
            quoted ^= *c == '"';
            !quoted && matches!(c, ',' | '(')
        })
        .last()?;
    let argument = content.get(last.0 + 1..)?.trim_start();
    (!argument.starts_with(['"', '$', ')'])).then_some(line)
}

/// Comments on attributes must be in straight quotes.
fn rejected_er(text: &str) -> Option<Violation> {
    if let Some(error) = styles::brackets_in_class(text) {
        return Some(error);
    }
    let mut inside = false;
    kind::lines(text).find_map(|line| {
        let content = text[line.clone()].trim();
        let was_inside = inside;
        inside = if inside {
            !content.starts_with('}')
        } else {
            content.ends_with('{') && !content.contains("--")
        };
        let typographic = content.contains(['«', '»']) && !content.contains('"');
        (was_inside && typographic && !content.starts_with("%%"))
            .then_some((line, "comments must be in straight double quotes"))
    })
}

#[cfg(test)]
mod tests {
    use super::rejected;

    /// Each was compared with mermaid's own parser.
    #[test]
    fn what_only_mermaid_rejects_is_found() {
        for (text, is_rejected) in [
            ("sequenceDiagram\n- Anna->Ben: Hi", true),
            ("sequenceDiagram\nAnna->Ben: Hi\n- Ben-->Anna: Ho", true),
            ("sequenceDiagram\nAnna->Ben: a - b", false),
            ("classDiagram\nclass -- Boat", true),
            ("classDiagram\nclassA <|-- classB;\nclassC *-- classD", true),
            (
                "classDiagram\nclassA <|-- classB\nclassC *-- classD : x",
                false,
            ),
            ("ganttdateFormat\nsection S\nT1 :a1, 2014-01-01, 30d", true),
            ("gantt\nsection S\nT1 :a1, 2014-01-01, 30d", false),
            ("block\n  a[\"x\"] = \"y\" --> b", true),
            ("block\n  a[\"x = y\"] ==> b", false),
            ("kanban\n  todo\n    root@", true),
            ("kanban\n  todo\n    root@{ assigned: 'x' }", false),
            ("kanban\n  todo\n    a[b@c]", false),
            ("mindmap\n    :::a\n    root[The root]", true),
            ("mindmap\n    root[The root]\n    :::a", false),
            ("quadrantChart\n  A:: [0.1, 0.2]", true),
            ("quadrantChart\n  A:::c: [0.1, 0.2]", false),
            ("requirementDiagram\nrequirement r {\n  text: {a b\n}", true),
            ("requirementDiagram\nrequirement r {\n  text: a-b\n}", true),
            (
                "requirementDiagram\nrequirement r {\n  text: \"a-b\"\n  id: 1.1\n}",
                false,
            ),
            ("gitGraph::\n  commit", true),
            ("gitGraph:\n  commit", false),
            ("classDiagram\nclass Boat {\n  sail) void\n}", true),
            ("classDiagram\nBoat : +sail)", true),
            ("classDiagram\nBoat : +sail()", false),
            ("classDiagram\nclass Boat~", true),
            ("classDiagram\nclass Boat~T~", false),
            ("classDiagram\nclass Boat\nclassDef fast", true),
            ("classDiagram\nclass Boat\nclassDef fast fill:#f96", false),
        ] {
            assert_eq!(rejected(text).is_some(), is_rejected, "{text}");
        }
    }
}
