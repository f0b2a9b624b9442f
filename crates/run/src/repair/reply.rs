//! Reads a patcher's reply in the form that `repair` describes. It does not see the text that is
//! edited; what depends on that text stays open in a [`Block`].

use redraft_text::words::count_words;
use redraft_text::{framing, json, reply, wrappers};
use thiserror::Error;

use super::operations;
use crate::ask::{Finish, Reply};
use crate::reply::breaks_off;
use crate::structure::Operation;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    Blocks(Vec<Block>),
    /// The whole component as text.
    Whole(String),
    /// The model proposes no change.
    NoChange {
        /// Its reason, if it gives one.
        reason: String,
    },
}

/// A search/replace block or a structured operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The passage that it names.
    pub field: Option<String>,
    /// The issues that it claims to solve (ruling 55).
    pub issues: Vec<String>,
    /// The possible readings as search text and replacement. More than one if several lines look
    /// like the divider.
    pub readings: Vec<(String, String)>,
    /// The structured operation, if it is one; `readings` is empty then.
    pub operation: Option<Operation>,
}

/// Why a reply has no usable proposal, worded for the next prompt.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormError {
    /// Only white space.
    #[error("the answer was empty")]
    Empty,
    /// The model, or a filter in front of it, declined.
    #[error("the model declined: {0}")]
    Refused(String),
    /// The answer is cut off.
    #[error("the answer breaks off at its limit")]
    Truncated,
    /// There is no proposal, answer or object in the expected form.
    #[error("{0}")]
    Missing(String),
    /// There is one, but it breaks the form.
    #[error("{0}")]
    Malformed(String),
}

/// Reads a reply to a request for search/replace blocks. The whole component is accepted only
/// between its tags; otherwise an apology could become a section.
///
/// # Errors
/// If it has no proposal, or one that can only be read by guessing.
pub fn read_patch(reply: &Reply) -> Result<Proposal, FormError> {
    let text = usable(reply)?;
    let lines: Vec<&str> = text.split('\n').collect();
    let (operations, lines) = operations::read(&lines)?;
    let mut blocks = blocks(&lines)?;
    blocks.extend(operations);
    if !blocks.is_empty() {
        return Ok(Proposal::Blocks(blocks));
    }
    if let Some(part) = tagged(&text)? {
        return Ok(Proposal::Whole(part));
    }
    if let Some(reason) = no_change(&lines) {
        return Ok(Proposal::NoChange { reason });
    }
    Err(FormError::Missing(
        "there is no block in the answer; write `<<<<<<< SEARCH`, the words as they stand, `=======`, the new words, `>>>>>>> REPLACE`, each marker alone on its line".to_owned(),
    ))
}

/// Reads a reply to a request for the whole component, with or without tags.
///
/// # Errors
/// If it has no text, or edits instead.
pub fn read_whole(reply: &Reply) -> Result<Proposal, FormError> {
    let usable = usable(reply)?;
    let text = unframed(&usable);
    let lines: Vec<&str> = text.split('\n').collect();
    let body = match tagged(text)? {
        Some(part) => part,
        None => {
            if lines
                .iter()
                .any(|line| matches!(marker(line), Some(Marker::Open(_) | Marker::Close(_))))
            {
                return Err(FormError::Malformed(
                    "the answer contains edits; write the whole text of the part, without markers"
                        .to_owned(),
                ));
            }
            let begins = lines.iter().find(|line| !line.trim().is_empty());
            let begins = begins.is_some_and(|line| no_change(&[line]).is_some());
            if let Some(reason) = no_change(&lines).filter(|_| begins || lines.len() < 4) {
                return Ok(Proposal::NoChange { reason });
            }
            unframed(without_chat(unframed(unfenced(text)))).to_owned()
        }
    };
    if body.trim().is_empty() {
        return Err(FormError::Empty);
    }
    if body.contains("<redraft:") || body.contains("</redraft:") {
        return Err(FormError::Malformed(
            "the answer repeats the tags of the question; write the new text alone".to_owned(),
        ));
    }
    if is_nested_json(&body) {
        return Err(FormError::Malformed(
            "the answer is JSON; write the new text of the part alone".to_owned(),
        ));
    }
    Ok(Proposal::Whole(body))
}

/// Whether a text is nothing but a JSON object or list, other than a flat one of named texts, which
/// can be unwrapped. No component of a lesson is; where a lesson shows JSON, it is in a fence with
/// words around it.
fn is_nested_json(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['{', '[']) && {
        let value = json::scan(text, 0..text.len());
        let is_text = |node: json::Node<'_>| node.as_str().is_some();
        let is_flat = value.root().is_some_and(|root| {
            text.starts_with('{') && root.members().all(|(_, value)| is_text(value))
        });
        value.complete() && value.end == text.len() && !is_flat
    }
}

/// Checks that a refusal gives a reason for each issue (ruling 72). Without reasons it is an easy
/// way out, and malformed. For a single issue the reason needs no id.
///
/// # Errors
/// If an issue has no reason; the message names it.
pub fn check_refusal(reason: &str, issues: &[&str]) -> Result<(), FormError> {
    /// A shorter text is not a reason.
    const WORDS: usize = 3;
    let is_reason = |words: &str| {
        let words = words.trim_end_matches(['…', '.']).trim();
        // The example of the prompt, copied, is not a reason.
        count_words(words) >= WORDS && !words.ends_with("because")
    };
    // Keeps `issue_1` from matching `issue_12`.
    let place = |text: &str, id: &str| {
        let mut found = text.match_indices(id).map(|(at, _)| at + id.len());
        found.find(|end| {
            let next = text.get(*end..).and_then(|rest| rest.chars().next());
            !next.is_some_and(char::is_alphanumeric)
        })
    };
    let about = |id: &str| {
        let rest = reason.get(place(reason, id)?..)?;
        let others = issues.iter().filter(|other| **other != id);
        let end = others
            .filter_map(|other| Some(place(rest, other)? - other.len()))
            .min();
        rest.get(..end.unwrap_or(rest.len()))
    };
    let unreasoned = issues.iter().find(|id| match (about(id), issues) {
        (Some(words), _) => !is_reason(words),
        (None, [_]) => !is_reason(reason),
        (None, _) => true,
    });
    match unreasoned {
        Some(id) => Err(FormError::Malformed(format!(
            "NO CHANGE NEEDED without a reason about {id}; fix the issue, or give the reason on a line that begins with its id"
        ))),
        None if issues.is_empty() && !is_reason(reason) => Err(FormError::Malformed(
            "NO CHANGE NEEDED without a reason; make the change, or say why not".to_owned(),
        )),
        None => Ok(()),
    }
}

/// The reply without leading reasoning, with normalised line breaks.
pub(crate) fn usable(reply: &Reply) -> Result<String, FormError> {
    if reply.finish == Finish::Refusal {
        return Err(FormError::Refused(super::quoted(&reply.text)));
    }
    if breaks_off(reply) {
        return Err(FormError::Truncated);
    }
    let text = reply::stripped(&reply.text);
    if text.trim().is_empty() {
        return Err(FormError::Empty);
    }
    Ok(text.replace("\r\n", "\n"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker {
    Open(usize),
    Divide(usize),
    Close(usize),
}

/// Bounds the number of readings that are tried for one block.
const MOST_DIVIDERS: usize = 12;

/// Fewer signs are an arrow, a rule or a quotation.
const LEAST_SIGNS: usize = 5;

/// Parses a marker line: signs and the word after them.
fn marker(line: &str) -> Option<Marker> {
    let indented = line.len() - line.trim_start_matches(' ').len() > 3;
    let line = line.trim();
    let sign = line.chars().next().filter(|_| !indented)?;
    let rest = line.trim_start_matches(sign);
    let count = line.len() - rest.len();
    if count < LEAST_SIGNS {
        return None;
    }
    let word = rest.trim().trim_end_matches(':');
    match sign {
        '<' if word.eq_ignore_ascii_case("search") => Some(Marker::Open(count)),
        '=' if word.is_empty() => Some(Marker::Divide(count)),
        '>' if word.eq_ignore_ascii_case("replace") => Some(Marker::Close(count)),
        _ => None,
    }
}

/// Reads all blocks. Markers with a different number of signs than the opening one are text if a
/// closing one with the same number follows. A marker without its partner is an error, because a
/// wrong guess could put a marker into a lesson.
fn blocks(lines: &[&str]) -> Result<Vec<Block>, FormError> {
    let markers: Vec<(usize, Marker)> = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| marker(line).map(|marker| (at, marker)))
        .collect();
    let mut blocks = Vec::new();
    let mut next = 0;
    while let Some((at, found)) = markers.get(next).copied() {
        match found {
            // A rule or an underlined heading in the words around the blocks.
            Marker::Divide(_) => next += 1,
            Marker::Close(_) => {
                return Err(FormError::Malformed(format!(
                    "line {} closes a block that is not open; where the text itself holds such markers, write all three of the block with ten signs",
                    at + 1
                )));
            }
            Marker::Open(signs) => {
                let rest = markers.get(next + 1..).unwrap_or_default();
                let closes = closing(rest, signs).ok_or_else(|| {
                    FormError::Malformed(format!(
                        "the block that opens on line {} is not closed; end it with `>>>>>>> REPLACE`, with as many signs as it opens with",
                        at + 1
                    ))
                })?;
                let end = rest.get(closes).map_or(lines.len(), |(line, _)| *line);
                let dividers = dividers(rest.get(..closes).unwrap_or_default(), signs);
                if dividers.is_empty() {
                    return Err(FormError::Malformed(format!(
                        "the block that opens on line {} has no `=======` between the words to find and the new words",
                        at + 1
                    )));
                }
                if dividers.len() > MOST_DIVIDERS {
                    return Err(FormError::Malformed(format!(
                        "the block that opens on line {} has {} lines like its divider; write all three of its markers with ten signs",
                        at + 1,
                        dividers.len()
                    )));
                }
                let part =
                    |from: usize, to: usize| lines.get(from..to).unwrap_or_default().join("\n");
                let head = head_before(lines, at);
                blocks.push(Block {
                    field: head
                        .iter()
                        .find_map(|line| field_name(line))
                        .map(str::to_owned),
                    issues: head
                        .iter()
                        .find_map(|line| issue_names(line))
                        .unwrap_or_default(),
                    readings: dividers
                        .into_iter()
                        .map(|divider| (part(at + 1, divider), part(divider + 1, end)))
                        .collect(),
                    operation: None,
                });
                next += closes + 2;
            }
        }
    }
    Ok(blocks)
}

/// The marker that closes a block: the first one with as many signs, before another block opens
/// with as many; otherwise the first one of any number, before any block opens.
fn closing(rest: &[(usize, Marker)], signs: usize) -> Option<usize> {
    let exact = rest
        .iter()
        .position(|(_, marker)| matches!(marker, Marker::Close(n) | Marker::Open(n) if *n == signs))
        .filter(|at| matches!(rest[*at].1, Marker::Close(_)));
    exact.or_else(|| {
        rest.iter()
            .position(|(_, marker)| !matches!(marker, Marker::Divide(_)))
            .filter(|at| matches!(rest[*at].1, Marker::Close(_)))
    })
}

/// The lines that may divide a block: those with as many signs, otherwise all.
fn dividers(inside: &[(usize, Marker)], signs: usize) -> Vec<usize> {
    let of = |wanted: &dyn Fn(usize) -> bool| -> Vec<usize> {
        inside
            .iter()
            .filter(|(_, marker)| matches!(marker, Marker::Divide(n) if wanted(*n)))
            .map(|(line, _)| *line)
            .collect()
    };
    let exact = of(&|n| n == signs);
    if exact.is_empty() {
        of(&|_| true)
    } else {
        exact
    }
}

/// The lines `field: NAME` and `issues: ID, ID` before a block, in any order. Fences and blank
/// lines may come between.
pub(super) fn head_before<'t>(lines: &[&'t str], at: usize) -> Vec<&'t str> {
    const NEAR: usize = 6;
    let before = lines.get(..at).unwrap_or_default().iter().rev().take(NEAR);
    before
        .copied()
        .filter(|line| !line.trim().is_empty() && !is_fence(line))
        .take_while(|line| field_name(line).is_some() || issue_names(line).is_some())
        .collect()
}

/// The ids of a line `issues: issue_1, issue_3`, with or without emphasis or code marks.
pub(super) fn issue_names(line: &str) -> Option<Vec<String>> {
    let (word, names) = line.split_once(':')?;
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_head = word.eq_ignore_ascii_case("issues") || word.eq_ignore_ascii_case("issue");
    let names = names
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("and"))
        .map(str::to_owned);
    is_head.then(|| names.collect())
}

/// The name of a line `field: NAME`, with or without emphasis or code marks.
pub(super) fn field_name(line: &str) -> Option<&str> {
    let line = line.trim().trim_matches(['*', '`']);
    let (word, name) = line.split_once(':')?;
    let word = word.trim().trim_matches(['*', '`']);
    let name = name.trim().trim_matches(['*', '`', '"', ' ']);
    (word.eq_ignore_ascii_case("field") && !name.is_empty()).then_some(name)
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

const OPENS: &str = "<redraft:part";
const CLOSES: &str = "</redraft:part>";

/// The text between the tags of a component. The last closing tag counts, so that a tag inside the
/// text does not cut it.
fn tagged(text: &str) -> Result<Option<String>, FormError> {
    let Some(start) = text.find(OPENS) else {
        return Ok(None);
    };
    let inner = text.get(start + OPENS.len()..).unwrap_or_default();
    let (Some(open), Some(end)) = (inner.find('>'), inner.rfind(CLOSES)) else {
        return Err(FormError::Malformed(
            "`<redraft:part>` is never closed; end the text with `</redraft:part>`".to_owned(),
        ));
    };
    let body = inner.get(open + 1..end).unwrap_or_default();
    if body.contains(OPENS) {
        return Err(FormError::Malformed(
            "the answer contains more than one part; write only the part that was shown".to_owned(),
        ));
    }
    Ok(Some(body.trim_matches('\n').to_owned()))
}

/// The reasons after the words that decline a change, on the same line and below it.
fn no_change(lines: &[&str]) -> Option<String> {
    const SAYS: &str = "no change needed";
    lines.iter().enumerate().find_map(|(at, line)| {
        let line = line
            .trim()
            .trim_start_matches(['*', '#', '_', '`', '>', ' ']);
        let head = line.get(..SAYS.len())?;
        let reason = line.get(SAYS.len()..)?;
        let plain = |line: &str| {
            line.trim_matches(|c: char| {
                c.is_whitespace() || matches!(c, ':' | '*' | '.' | '_' | '`' | '-' | '—')
            })
            .to_owned()
        };
        head.eq_ignore_ascii_case(SAYS).then(|| {
            let below = lines.get(at + 1..).unwrap_or_default();
            let all = std::iter::once(reason).chain(below.iter().copied());
            let all = all.map(plain).filter(|line| !line.is_empty());
            all.collect::<Vec<_>>().join("; ")
        })
    })
}

/// Removes an echo of our frame: small models repeat the tags around the component that they were
/// shown, and the last words of the example. If there are words outside the tags, it is unclear
/// which are the answer, and nothing is removed.
fn unframed(text: &str) -> &str {
    const OPENS: &str = "<redraft:text>";
    const CLOSES: &str = "</redraft:text>";
    const SAYS: [&str; 3] = ["the answer:", "answer:", "the new text:"];
    let mut text = text.trim_matches('\n');
    if let Some((first, rest)) = text.split_once('\n')
        && SAYS.contains(&first.trim().to_lowercase().as_str())
    {
        text = rest.trim_matches('\n');
    }
    let Some((before, rest)) = text.split_once(OPENS) else {
        return text;
    };
    let (inner, after) = rest.split_once(CLOSES).unwrap_or((rest, ""));
    let is_alone = [before, after]
        .into_iter()
        .all(|side| without_blocks(side).trim().is_empty());
    if is_alone && !inner.contains("<redraft:") {
        inner.trim_matches('\n')
    } else {
        text
    }
}

/// A text without whole blocks in our tags.
fn without_blocks(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, block)) = rest.split_once("<redraft:") {
        let name = block.split(['>', ' ']).next().unwrap_or_default();
        let closes = format!("</redraft:{name}>");
        let Some((_, after)) = block.split_once(closes.as_str()) else {
            break;
        };
        kept.push_str(before);
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// The text of a fence that encloses the whole answer. Inner fences stay.
fn unfenced(text: &str) -> &str {
    match wrappers::whole_block(text) {
        Some((block, line))
            if line.holds_markdown()
                || matches!(line.language().as_str(), "" | "text" | "txt" | "json") =>
        {
            &text[block.body]
        }
        _ => text,
    }
}

/// The text without a leading or trailing sentence about the answer.
fn without_chat(text: &str) -> &str {
    let start = framing::opening(text).map_or(0, |chat| chat.range.end);
    let text = text.get(start..).unwrap_or(text);
    let end = framing::closing(text).map_or(text.len(), |chat| chat.range.start);
    text.get(..end).unwrap_or(text).trim_matches('\n')
}
