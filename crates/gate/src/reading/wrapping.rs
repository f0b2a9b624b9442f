//! What models put around their answer, and where the answer itself begins.
//!
//! | the text begins (after white space, reasoning and chat) with | it is |
//! |---|---|
//! | `{` or `[` that opens a JSON value | JSON |
//! | a fence whose content opens a JSON value | JSON in a fence |
//! | a fence `markdown` or `md` that closes on the last line | Markdown in a fence |
//! | prose, a JSON fence makes up most of the rest, no headings | JSON in a fence |
//! | anything else, and the file is named `.json` | JSON from its first brace, or none |
//! | anything else | Markdown |

use std::ops::Range;

use redraft_text::framing;

use super::{Hint, Outside, OutsideKind};

/// Where the content begins, and what stands before it.
#[derive(Debug)]
pub(super) struct Opening {
    pub(super) start: Start,
    pub(super) outside: Vec<Outside>,
}

/// What the content is.
#[derive(Debug)]
pub(super) enum Start {
    Json(usize),
    Markdown(Range<usize>),
    NoJson,
}

/// Looks at the beginning of a text.
pub(super) fn open(text: &str, hint: Hint) -> Opening {
    let (at, mut outside) = skip_talk(text);
    let rest = &text[at..];
    if opens_json(rest, hint) {
        return opening(text, Start::Json(at), outside, at);
    }
    if let Some(fence) = opening_fence(rest) {
        let inner = &rest[fence.content..];
        let begin = at + fence.content + (inner.len() - inner.trim_start().len());
        if fence.may_hold_json() && opens_json(&text[begin..], Hint::Json) {
            outside.push(piece(OutsideKind::Fence, at..at + fence.line_end));
            return opening(text, Start::Json(begin), outside, begin);
        }
        if let Some(body) = fence.markdown_body(text, at) {
            outside.push(piece(OutsideKind::Fence, at..at + fence.line_end));
            let closing = closing_fence_line(text, &body);
            let mut found = opening(text, Start::Markdown(body.clone()), outside, body.start);
            found.outside.push(Outside {
                kind: OutsideKind::Fence,
                removal: body.end..closing.end,
                range: closing,
            });
            return found;
        }
    }
    if let Some((fence, begin)) = json_fence_in_prose(text, at, hint) {
        if !text[at..fence.start].trim().is_empty() {
            outside.push(piece(OutsideKind::Prose, at..fence.start));
        }
        outside.push(piece(OutsideKind::Fence, fence));
        return opening(text, Start::Json(begin), outside, begin);
    }
    if hint == Hint::Json {
        let found = rest.find(['{', '[']).map(|offset| at + offset);
        return match found {
            Some(begin) if opens_json(&text[begin..], Hint::Json) => {
                outside.push(piece(OutsideKind::Prose, at..begin));
                opening(text, Start::Json(begin), outside, begin)
            }
            _ => Opening {
                start: Start::NoJson,
                outside: Vec::new(),
            },
        };
    }
    // Chat in front of Markdown stays part of the text, where the check for it
    // looks; only reasoning is set aside, because its headings are not the
    // lesson's.
    let reasoned_to = outside
        .iter()
        .filter(|piece| piece.kind == OutsideKind::Reasoning)
        .map(|piece| piece.range.end)
        .max();
    outside.retain(|piece| piece.kind == OutsideKind::Reasoning);
    match reasoned_to {
        None => Opening {
            start: Start::Markdown(0..text.len()),
            outside,
        },
        Some(end) => {
            let rest = &text[end..];
            let begin = end + (rest.len() - rest.trim_start().len());
            opening(text, Start::Markdown(begin..text.len()), outside, begin)
        }
    }
}

/// What stands behind a JSON value that ended at `end`.
pub(super) fn close(text: &str, end: usize) -> Vec<Outside> {
    let mut outside = Vec::new();
    let mut at = end;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.trim().is_empty()) {
        let begin = at + (rest.len() - rest.trim_start().len());
        let rest = text[begin..].trim_end();
        let (kind, length) = if rest.starts_with("```") || rest.starts_with("~~~") {
            (OutsideKind::Fence, rest.find('\n').unwrap_or(rest.len()))
        } else if let Some(reasoning) = leading_reasoning(rest) {
            (OutsideKind::Reasoning, reasoning.end)
        } else if is_all_chat(rest) {
            (OutsideKind::Chat, rest.len())
        } else {
            (OutsideKind::Prose, rest.len())
        };
        let range = begin..begin + rest[..length].trim_end().len().max(1);
        outside.push(Outside {
            kind,
            removal: at..range.end,
            range: range.clone(),
        });
        at = range.end;
    }
    outside
}

/// Skips reasoning and chat at the start of a text, as long as there is any.
fn skip_talk(text: &str) -> (usize, Vec<Outside>) {
    const ROUNDS: usize = 8;
    let mut outside = Vec::new();
    let mut at = 0;
    for _ in 0..ROUNDS {
        at = skip_blank(text, at);
        let rest = &text[at..];
        let (kind, range) = if let Some(reasoning) = leading_reasoning(rest) {
            (OutsideKind::Reasoning, reasoning)
        } else if let Some(chat) = framing::opening(rest).filter(|chat| chat.range.start == 0) {
            (OutsideKind::Chat, chat.range)
        } else {
            break;
        };
        let range = at + range.start..at + range.end;
        at = range.end;
        outside.push(piece(kind, range));
    }
    (skip_blank(text, at), outside)
}

fn skip_blank(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let kept = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\0' || c == '\u{feff}');
    text.len() - kept.len()
}

/// Reasoning that certainly is some, at the very start.
fn leading_reasoning(rest: &str) -> Option<Range<usize>> {
    // Content that has begun is not reasoning, even if a `</think>` stands in one
    // of its strings.
    if rest.starts_with(['{', '[']) && !rest.starts_with("[THINK]") {
        return None;
    }
    framing::reasoning(rest, &|_| false)
        .into_iter()
        .find(|reasoning| reasoning.range.start == 0 && reasoning.certain)
        .map(|reasoning| reasoning.range)
        .filter(|range| range.end < rest.len())
}

fn is_all_chat(rest: &str) -> bool {
    let covers =
        |framing: framing::Framing| framing.range.start == 0 && framing.range.end == rest.len();
    framing::closing(rest).is_some_and(covers) || framing::opening(rest).is_some_and(covers)
}

fn piece(kind: OutsideKind, range: Range<usize>) -> Outside {
    Outside {
        kind,
        removal: range.clone(),
        range,
    }
}

/// Each piece in front takes the white space behind it along when it is
/// deleted, so that deleting all of them leaves the content at the very start
/// (behind the byte-order mark, if there is one).
fn opening(text: &str, start: Start, mut outside: Vec<Outside>, content: usize) -> Opening {
    let ends: Vec<usize> = outside
        .iter()
        .skip(1)
        .map(|piece| piece.range.start)
        .chain([content])
        .collect();
    for (piece, end) in outside.iter_mut().zip(ends) {
        piece.removal.end = end.max(piece.range.end);
        let shown = text[piece.range.clone()].trim_end().len();
        piece.range.end = piece.range.start + shown;
    }
    Opening { start, outside }
}

/// Whether a JSON value seems to begin here. A Markdown link (`[text](…)`), a
/// template tag (`{% … %}`, `{{ … }}`) and an attribute (`{: .note}`) do not.
fn opens_json(text: &str, hint: Hint) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    let next = chars.as_str().trim_start().chars().next();
    match first {
        Some('{') => match next {
            None => hint != Hint::Markdown,
            Some(c) => {
                matches!(c, '"' | '\'' | '“' | '}' | '/')
                    || (hint == Hint::Json && c.is_alphabetic())
            }
        },
        Some('[') if hint == Hint::Markdown => matches!(next, Some('{')),
        Some('[') => match next {
            None => hint == Hint::Json,
            Some(c) => {
                matches!(c, '{' | '[' | '"')
                    || (hint == Hint::Json
                        && (matches!(c, ']' | '/' | '\'' | '-') || c.is_ascii_digit()))
            }
        },
        _ => false,
    }
}

/// A fence at the start of a text.
struct FenceLine<'a> {
    info: &'a str,
    /// End of the fence's line, without its line break.
    line_end: usize,
    /// Where the next line begins.
    content: usize,
}

fn opening_fence(rest: &str) -> Option<FenceLine<'_>> {
    if !rest.starts_with("```") && !rest.starts_with("~~~") {
        return None;
    }
    let line_end = rest.find('\n')?;
    let info = rest[..line_end].trim_matches(['`', '~', ' ', '\t', '\r']);
    Some(FenceLine {
        info,
        line_end: rest[..line_end].trim_end().len(),
        content: line_end + 1,
    })
}

impl FenceLine<'_> {
    fn may_hold_json(&self) -> bool {
        matches!(
            self.info.to_ascii_lowercase().as_str(),
            "" | "json" | "json5" | "jsonc" | "javascript" | "js" | "txt" | "text"
        )
    }

    /// The Markdown between this fence and one on the last line. Fences inside
    /// are left alone: models rarely lengthen the outer one.
    fn markdown_body(&self, text: &str, at: usize) -> Option<Range<usize>> {
        if !matches!(self.info.to_ascii_lowercase().as_str(), "markdown" | "md") {
            return None;
        }
        let start = at + self.content;
        let trimmed = text.trim_end();
        let last_line = trimmed.rfind('\n').filter(|newline| newline + 1 >= start)? + 1;
        let closes = matches!(trimmed[last_line..].trim(), "```" | "~~~" | "````");
        let inner = text.get(start..last_line)?;
        // An even number of inner fences: the last line closes the outer one.
        let fences = inner
            .lines()
            .filter(|line| {
                line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~")
            })
            .count();
        (closes && fences % 2 == 0)
            .then(|| start..start + inner.trim_end_matches(['\n', '\r']).len())
    }
}

/// The closing fence behind a wrapped Markdown body.
fn closing_fence_line(text: &str, body: &Range<usize>) -> Range<usize> {
    let rest = &text[body.end..];
    let start = body.end + (rest.len() - rest.trim_start().len());
    start..start + text[start..].trim_end().len()
}

/// A JSON fence after some prose that is no lesson: it has no headings and the
/// fence makes up most of the text. Gives the fence's line and where the JSON
/// begins.
fn json_fence_in_prose(text: &str, at: usize, hint: Hint) -> Option<(Range<usize>, usize)> {
    let rest = &text[at..];
    let fence = rest
        // A single sign is found far sooner than a word.
        .match_indices('`')
        .filter(|(offset, _)| rest[*offset..].starts_with("```json"))
        .map(|(offset, _)| at + offset)
        .find(|offset| *offset == 0 || text.as_bytes()[offset - 1] == b'\n')?;
    let line = opening_fence(&text[fence..])?;
    let content = fence + line.content;
    let inner = &text[content..];
    let begin = content + (inner.len() - inner.trim_start().len());
    if !opens_json(&text[begin..], Hint::Json) {
        return None;
    }
    let close = text[begin..]
        .find("\n```")
        .map_or(text.len(), |offset| begin + offset);
    let around = [&text[at..fence], &text[close..]];
    let has_headings = around
        .iter()
        .flat_map(|part| part.lines())
        .any(|line| line.starts_with('#'));
    let mostly = hint == Hint::Json || (close - begin) * 2 > text.len() - at;
    (mostly && !has_headings).then_some((fence..fence + line.line_end, begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(outside: &[Outside]) -> Vec<OutsideKind> {
        outside.iter().map(|piece| piece.kind).collect()
    }

    #[test]
    fn what_begins_a_text_decides_its_form() {
        use Hint::{Json, Markdown, None};
        for (text, hint, json) in [
            ("{\"title\": 1}", None, true),
            ("  \u{feff}{\"a\":1}", None, true),
            ("[{\"a\":1}]", Markdown, true),
            ("[link](x) text", None, false),
            ("[\"quoted\"](x)", Markdown, false),
            ("{% include x %}", Markdown, false),
            ("{{ page.title }}", None, false),
            ("{: .note}\ntext", None, false),
            ("{title: 'x'}", Json, true),
            ("```json\n{\"a\":1}\n```", None, true),
            ("```js\nlet a = {};\n```\n\n# T\n", Markdown, false),
            ("# T\n\n```json\n{\"a\":1}\n```\n", Markdown, false),
            (
                "Some words.\n\n```json\n{\"a\":1, \"b\": [1,2,3,4,5,6,7]}\n```\n",
                None,
                true,
            ),
            (
                "{\"intro\": \"a </think> b\", \"sections\": []}",
                None,
                true,
            ),
            ("plain words", None, false),
            ("", None, false),
        ] {
            let opening = open(text, hint);
            assert_eq!(matches!(opening.start, Start::Json(_)), json, "{text:?}");
        }
    }

    #[test]
    fn deleting_what_stands_around_json_leaves_the_json() {
        let json = "{\"title\": \"T\"}";
        for (before, after) in [
            ("```json\n", "\n```"),
            (
                "Sure! Here is the lesson:\n\n```json\n",
                "\n```\n\nI hope this helps!",
            ),
            ("<think>The user wants a lesson.</think>\n\n", ""),
            ("<think>plan</think>\n```json\n", "\n```"),
        ] {
            let text = format!("{before}{json}{after}");
            let opening = open(&text, Hint::None);
            let Start::Json(at) = opening.start else {
                panic!("no JSON in {text:?}")
            };
            let mut outside = opening.outside;
            outside.extend(close(&text, at + json.len()));
            let mut left = text.clone();
            for piece in outside.iter().rev() {
                left.replace_range(piece.removal.clone(), "");
            }
            assert_eq!(left, json, "{text:?} {outside:?}");
        }
    }

    #[test]
    fn markdown_in_a_fence_is_unwrapped_with_its_inner_fences() {
        let text = "```markdown\n# T\n\n```python\nx\n```\n\nEnd.\n```\n";
        let opening = open(text, Hint::None);
        let Start::Markdown(body) = opening.start else {
            panic!("not Markdown")
        };
        assert_eq!(&text[body], "# T\n\n```python\nx\n```\n\nEnd.");
        assert_eq!(
            kinds(&opening.outside),
            [OutsideKind::Fence, OutsideKind::Fence]
        );
    }

    #[test]
    fn a_json_file_without_json_is_said_to_have_none() {
        assert!(matches!(
            open("just words", Hint::Json).start,
            Start::NoJson
        ));
    }
}
