//! What mermaid rejects in diagrams made of indentation: gaps after the header,
//! and brackets in the texts of nodes.

use std::ops::Range;

use super::super::super::kind;
use super::Violation;

/// What mermaid rejects in a mind map or a Kanban board.
pub(super) fn rejected_indented(text: &str, header: &kind::Header) -> Option<Violation> {
    rejected_gap(text, header)
        .or_else(|| style_of_nothing(text, header))
        .or_else(|| rejected_at(text, header))
        .or_else(|| rejected_node(text, header))
}

/// A class or an icon before the first node.
fn style_of_nothing(text: &str, header: &kind::Header) -> Option<Violation> {
    let mut lines = kind::lines(text).filter(|line| line.start >= header.line.end);
    let first = lines.find(|line| {
        let content = text[line.clone()].trim();
        !content.is_empty() && !content.starts_with("%%")
    })?;
    let content = text[first.clone()].trim();
    (content.starts_with(":::") || content.starts_with("::icon(")).then_some((
        first,
        "a class or an icon belongs to the node above it, and there is none",
    ))
}

/// In a Kanban board `@` begins the details of a card and nothing else.
fn rejected_at(text: &str, header: &kind::Header) -> Option<Violation> {
    if !text[header.line.clone()].trim_start().starts_with("kanban") {
        return None;
    }
    kind::lines(text)
        .filter(|line| line.start >= header.line.end)
        .find_map(|line| {
            let content = text[line.clone()].trim();
            let name = content
                .split(['[', '(', '{', '"'])
                .next()
                .unwrap_or_default();
            let after = name.split_once('@')?.1;
            let has_details = after.is_empty() && content[name.len()..].starts_with('{');
            (!has_details && !content.starts_with("%%")).then_some((
                line,
                "`@` needs the details of the card after it (`@{ assigned: 'name' }`)",
            ))
        })
}

/// In diagrams made of indentation the first line must follow the header: no
/// blank line between them, and no space after the header.
fn rejected_gap(text: &str, header: &kind::Header) -> Option<Violation> {
    let gap = gap_after_header(text, header)?;
    Some((
        gap,
        "no space or blank line is allowed between the first line and the next",
    ))
}

/// White space between the header and the first statement, except one line break.
pub(crate) fn gap_after_header(text: &str, header: &kind::Header) -> Option<Range<usize>> {
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

/// The first bracket in a node's text ends it, whichever it is, and nothing but a
/// class may follow.
fn rejected_node(text: &str, header: &kind::Header) -> Option<Violation> {
    kind::lines(text)
        .filter(|line| line.start >= header.line.end)
        .find_map(|line| {
            let content = text[line.clone()].trim();
            if content.starts_with("%%") || content.starts_with("::") {
                return None;
            }
            let open = content.find(['(', '[', '{', ')'])?;
            let bracketed = content.get(open..)?;
            let opener = ["((", "{{", "))", "(-", "(", "[", ")"]
                .into_iter()
                .find(|opener| bracketed.starts_with(opener))?;
            let inner = bracketed.get(opener.len()..)?;
            let is_empty = inner.starts_with([')', ']', '}']) || inner.starts_with("\"\"");
            let rest = if is_empty {
                ""
            } else if let Some(quoted) = inner.strip_prefix('"') {
                // A text over several lines is not looked at.
                quoted.split_once('"')?.1
            } else {
                inner.get(inner.find([')', ']', '(', '}'])?..)?
            };
            let closer = ["))", "}}", "(-", "((", ")", "]", "("]
                .into_iter()
                .find(|closer| rest.starts_with(closer));
            let is_right = closer.is_some_and(|closer| {
                let rest = rest[closer.len()..].trim_start();
                rest.is_empty()
                    || [":::", "@{", "%%"]
                        .iter()
                        .any(|next| rest.starts_with(next))
            });
            (!is_right).then_some((line, "text with brackets must be in double quotes"))
        })
}
