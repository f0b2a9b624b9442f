//! What mermaid rejects in the styles of flowcharts: its lexer knows a few signs
//! only.

use std::ops::Range;

use super::super::super::kind;
use super::Violation;

pub(super) fn rejected_setting(text: &str, range: &Range<usize>) -> Option<Violation> {
    // With the white space after it, which matters to mermaid.
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
            "too many spaces; put one space between words, and none at the end or in the list of nodes",
        ));
    }
    if let Some(error) = rejected_style(word, rest, range) {
        return Some(error);
    }
    let equals = rest
        .find('=')
        .filter(|_| matches!(word, "style" | "classDef"))?;
    let at = range.start + word.len() + 1 + equals;
    Some((at..at + 1, "invalid style; write `name:value`"))
}

/// A style that is empty or ends in a comma, brackets and quotes in it.
fn rejected_style(word: &str, rest: &str, range: &Range<usize>) -> Option<Violation> {
    if word == "class" {
        return None;
    }
    let trimmed = rest.trim_end_matches([' ', '\t', ';']);
    let says = if !trimmed.contains(' ') {
        "a style needs a name and a value (`fill:#fff`)"
    } else if word == "linkStyle" && trimmed.ends_with(" interpolate") {
        "`interpolate` needs the name of a curve"
    } else if trimmed.ends_with(',') {
        "missing style after the last comma"
    } else if trimmed.contains(['(', ')', '{', '}', '"']) {
        "brackets and quotes are not allowed in a style; write a colour as `#rrggbb`"
    } else {
        return None;
    };
    Some((range.clone(), says))
}

/// Mermaid takes `#fff;` for an entity. It takes away the last semicolon of a
/// line with `style` or `classDef` where a colour follows its colon without a
/// space, but no other, and none of `linkStyle`.
pub(super) fn colour_before_semicolon(text: &str) -> Option<Violation> {
    const SAYS: &str =
        "a colour directly before `;` is misread; put each style on a separate line, without `;`";
    kind::lines(text).find_map(|line| {
        let content = &text[line.clone()];
        let own = content.find("style ").or_else(|| content.find("classDef "));
        let at = own.or_else(|| content.find("linkStyle "))?;
        let style = &content[at..];
        let forgiving = own.filter(|_| has_glued_colour(style));
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

/// `name:#fff` somewhere before the last semicolon.
fn has_glued_colour(style: &str) -> bool {
    let head = style.rsplit_once(';').map_or("", |(head, _)| head);
    head.split(char::is_whitespace).any(|word| {
        word.split_once(':')
            .is_some_and(|(_, value)| value.contains('#'))
    })
}

/// Brackets in the classes of an entity-relationship diagram.
pub(super) fn brackets_in_class(text: &str) -> Option<Violation> {
    kind::lines(text).find_map(|line| {
        let content = text[line.clone()].trim();
        (content.starts_with("classDef ") && content.contains('(')).then_some((
            line,
            "brackets and quotes are not allowed in a style; write a colour as `#rrggbb`",
        ))
    })
}
