//! What mermaid refuses in texts that the library accepts: lexical strictness
//! that the library's grammars do not have.

use std::ops::Range;

use super::super::flow_scan::{Form, Part, scan};
use super::super::kind::{self, Kind};

/// A fault that mermaid sees and the library does not: where, and in plain words.
pub(in crate::mermaid) type Fault = (Range<usize>, &'static str);

/// What mermaid refuses in a text that the library accepts.
pub(in crate::mermaid) fn refused(text: &str) -> Option<Fault> {
    let header = kind::header(text)?;
    match header.kind? {
        Kind::Flowchart => refused_flowchart(text),
        Kind::Class => refused_class(text),
        Kind::State => refused_state(text),
        Kind::Gantt => refused_gantt(text, &header),
        Kind::Block => refused_block(text),
        Kind::C4 => refused_c4(text),
        Kind::Quadrant => refused_quadrant(text),
        Kind::Sankey => refused_sankey(text),
        Kind::Mindmap | Kind::Kanban => refused_gap(text, &header),
        Kind::Git => refused_git(text),
        Kind::Er => refused_er(text),
        Kind::Sequence | Kind::Pie | Kind::Other => None,
    }
}

fn refused_flowchart(text: &str) -> Option<Fault> {
    if let Some(fault) = colour_before_semicolon(text) {
        return Some(fault);
    }
    scan(text).into_iter().find_map(|line| match line.form {
        Form::Subgraph(title) => refused_title(text, title),
        Form::Setting => refused_setting(text, &line.range),
        Form::Chain(parts) => spaces_in_chain(text, &parts).map(|gap| {
            (gap, "there must be no space between a node and its bracket, and one space at most behind the label of a link")
        }),
        Form::End | Form::Aside => None,
    })
}

/// Mermaid takes `#fff;` for an entity. It takes away the last semicolon of a
/// line with `style` or `classDef`, but no other, and none of `linkStyle`.
fn colour_before_semicolon(text: &str) -> Option<Fault> {
    const SAYS: &str = "a colour directly before `;` is read as something else; put each style on a line of its own, without `;`";
    kind::lines(text).find_map(|line| {
        let content = &text[line.clone()];
        let forgiving = content.find("style ").or_else(|| content.find("classDef "));
        let at = forgiving.or_else(|| content.find("linkStyle "))?;
        let style = &content[at..];
        let glued = style.match_indices(';').find(|(semicolon, _)| {
            let before = &style[..*semicolon];
            let colour = before.rfind('#').map(|hash| &before[hash + 1..]);
            colour.is_some_and(|colour| {
                !colour.is_empty() && colour.bytes().all(|b| b.is_ascii_alphanumeric())
            }) && (forgiving.is_none() || style[semicolon + 1..].contains(';'))
        });
        let (semicolon, _) = glued?;
        let at = line.start + at + semicolon;
        Some((at..at + 1, SAYS))
    })
}

/// Signs that mermaid's lexer does not take in a title without quotes.
fn refused_title(text: &str, title: Range<usize>) -> Option<Fault> {
    let raw = &text[title.clone()];
    let plain = raw.split('[').next().unwrap_or_default();
    let refused = |c: char| {
        matches!(
            c,
            '(' | ')' | '{' | '}' | '<' | '>' | ',' | '|' | '@' | '~' | '='
        ) || is_sign(c)
    };
    (!raw.starts_with('"') && (plain.contains(refused) || plain.contains("--")))
        .then_some((title, "the title of a subgraph must stand in double quotes"))
}

/// Punctuation, arrows, symbols and pictures beyond ASCII.
fn is_sign(c: char) -> bool {
    matches!(c,
        '\u{a1}'..='\u{a9}' | '\u{ab}'..='\u{b4}' | '\u{b6}'..='\u{b9}' | '\u{bb}'..='\u{bf}'
        | '×' | '÷' | '\u{2010}'..='\u{2070}' | '\u{20a0}'..='\u{20cf}' | '\u{2190}'..='\u{2bff}'
        | '\u{3001}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{ff01}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}' | '\u{1f000}'..='\u{1faff}')
}

fn refused_setting(text: &str, range: &Range<usize>) -> Option<Fault> {
    // With the white space behind it, which matters to mermaid.
    let line = text[range.start..]
        .split('\n')
        .next()
        .unwrap_or_default()
        .trim_end_matches('\r');
    let (word, rest) = line.split_once(' ')?;
    if !matches!(word, "style" | "classDef" | "class" | "linkStyle") {
        return None;
    }
    let is_class = word == "class";
    if rest.starts_with(' ')
        || (is_class
            && (rest.ends_with([' ', '\t'])
                || rest.contains(", ")
                || rest.ends_with(" ;")
                || rest.split_whitespace().count() > 2))
    {
        return Some((
            range.clone(),
            "too many spaces: the words must be one space apart, with none at the end and none in the list of nodes",
        ));
    }
    let equals = rest
        .find('=')
        .filter(|_| matches!(word, "style" | "classDef"))?;
    let at = range.start + word.len() + 1 + equals;
    Some((at..at + 1, "a style is written `name:value`"))
}

/// A space where mermaid takes none: before a bracket or `:::`, and a second one
/// behind the label of a link.
pub(in crate::mermaid) fn spaces_in_chain(text: &str, parts: &[Part]) -> Option<Range<usize>> {
    parts.windows(2).find_map(|pair| {
        let (gap, allowed) = match (&pair[0], &pair[1]) {
            (Part::Node(name), Part::Label(label))
                if !text[label.open.clone()].starts_with('>') =>
            {
                (name.end..label.open.start, 0)
            }
            (Part::Bars(label), Part::Node(name)) => (label.close.clone()?.end..name.start, 1),
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
fn refused_class(text: &str) -> Option<Fault> {
    let mut inside = false;
    for line in kind::lines(text) {
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
            inside = !trimmed.contains('}');
            continue;
        }
        let is_class = trimmed.starts_with("class ");
        if is_class {
            let name = &trimmed["class ".len()..];
            let end = name
                .find(['{', '[', '"', '`', '<', '~', ':'])
                .unwrap_or(name.len());
            if name[..end].contains([
                '(', ')', '&', '/', '#', '!', '$', '%', '\'', '*', '+', ',', '?', ';', '\\',
            ]) {
                return Some((
                    line,
                    "the name of a class is not written as Mermaid writes it",
                ));
            }
        }
        inside = trimmed.ends_with('{')
            && (is_class || trimmed.contains("class "))
            && !trimmed.starts_with("namespace");
    }
    None
}

/// The library takes typographic quotes for part of a name.
fn refused_state(text: &str) -> Option<Fault> {
    kind::lines(text).find_map(|line| {
        let trimmed = text[line.clone()].trim();
        if trimmed.starts_with("state “")
            || trimmed.starts_with("state «")
            || trimmed.starts_with("state \\\"")
        {
            return Some((
                line,
                "the name of a state must stand in straight double quotes",
            ));
        }
        let ends_with_colon = text[line.clone()].ends_with(':') && trimmed.contains("-->");
        ends_with_colon.then_some((line, "nothing stands behind the colon"))
    })
}

fn refused_gantt(text: &str, header: &kind::Header) -> Option<Fault> {
    if text[header.line.clone()].starts_with("gantt:") {
        return Some((header.line.clone(), "the first line must be `gantt` alone"));
    }
    kind::lines(text).find_map(|line| {
        // With a space behind the colon mermaid takes it.
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
            .then_some((line, "a task needs dates or a duration behind its colon"))
    })
}

/// An `end` without a block.
fn refused_block(text: &str) -> Option<Fault> {
    let mut open = 0usize;
    for line in kind::lines(text) {
        let trimmed = text[line.clone()].trim();
        if trimmed == "end" {
            if open == 0 {
                return Some((line, "this `end` closes nothing"));
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

fn refused_c4(text: &str) -> Option<Fault> {
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
                "texts must stand in straight double quotes",
            ))
        })
}

fn refused_quadrant(text: &str) -> Option<Fault> {
    kind::lines(text).find_map(|line| {
        let content = &text[line.clone()];
        let (name, point) = content.split_once(':')?;
        (point.trim_start().starts_with('[')
            && !name.contains('"')
            && name.contains(['(', ')', '“', '”']))
        .then_some((line, "a name with signs in it must stand in double quotes"))
    })
}

/// In diagrams made of indentation the first line must follow the header: no
/// blank line between them, and no space behind the header.
fn refused_gap(text: &str, header: &kind::Header) -> Option<Fault> {
    let gap = gap_behind_header(text, header)?;
    Some((
        gap,
        "no space and no blank line may stand between the first line and the next",
    ))
}

/// White space between the header and the first statement, except one line break.
pub(in crate::mermaid) fn gap_behind_header(
    text: &str,
    header: &kind::Header,
) -> Option<Range<usize>> {
    let rest = &text[header.line.end..];
    if rest.trim().is_empty() {
        return None;
    }
    let mut at = 0;
    for (index, line) in rest.split_inclusive('\n').enumerate() {
        let content = line.trim_end_matches(['\n', '\r']);
        let blank = content.trim().is_empty();
        if blank && (index > 0 || !content.is_empty()) {
            let start = header.line.end + at;
            let end = if index > 0 {
                start + line.len()
            } else {
                start + content.len()
            };
            return Some(start..end);
        }
        // Mermaid takes comments away before it reads.
        if !blank && !content.trim_start().starts_with("%%") {
            return None;
        }
        at += line.len();
    }
    None
}

fn refused_git(text: &str) -> Option<Fault> {
    kind::lines(text).find_map(|line| {
        let content = &text[line.clone()];
        let unquoted = ["id:", "tag:", "msg:", "parent:"].iter().any(|key| {
            content.split_once(key).is_some_and(|(before, value)| {
                before.ends_with([' ', '\t'])
                    && !before.contains('"')
                    && !value.trim_start().starts_with('"')
            })
        });
        let is_statement = ["commit", "merge", "cherry-pick"]
            .iter()
            .any(|word| content.trim_start().starts_with(word));
        (unquoted && is_statement).then_some((
            line,
            "the names of commits and tags must stand in double quotes",
        ))
    })
}

/// Remarks on attributes must stand in straight quotes.
fn refused_er(text: &str) -> Option<Fault> {
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
            .then_some((line, "remarks must stand in straight double quotes"))
    })
}

/// Mermaid reads ASCII only in this kind of diagram.
fn refused_sankey(text: &str) -> Option<Fault> {
    kind::lines(text).find_map(|line| {
        let content = &text[line.clone()];
        let (at, c) = content
            .char_indices()
            .find(|(_, c)| !c.is_ascii() && !c.is_whitespace())?;
        let is_row = content.contains(',') && !content.trim_start().starts_with("%%");
        let at = line.start + at;
        is_row.then_some((
            at..at + c.len_utf8(),
            "Mermaid reads only plain Latin letters without accents in a Sankey diagram",
        ))
    })
}
