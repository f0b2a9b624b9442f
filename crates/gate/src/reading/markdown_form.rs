//! Markdown in an answer: what certainly is not part of the text is set aside.
//!
//! | around the text | then |
//! |---|---|
//! | control tokens, reasoning, a pair of tags | outside |
//! | one fence with Markdown, nothing but noise around it | outside, with the noise |
//! | … other words around it, no heading among them, and it is most of the answer | outside, in doubt |
//! | several such fences | the last holds the text, the others are drafts |
//! | sentences about the answer, without a fence | part of the text, where their check looks |

use std::ops::Range;

use redraft_text::framing;
use redraft_text::wrappers::{self, Fenced};

use super::pieces::{self, Side, is_invisible, piece, spread};
use super::{Outside, OutsideKind};

/// The text in an answer, and what stands around it.
pub(super) fn body(text: &str) -> (Range<usize>, Vec<Outside>) {
    let (begin, mut before) = front(text);
    let (end, mut after) = back(text, begin);
    let (begin, end) = unwrap_tags(text, begin..end, &mut before, &mut after);
    if let Some(block) = fence_around(text, begin..end) {
        return in_fence(text, begin..end, &block, before, after);
    }
    unfenced(text, begin..end, before, after)
}

/// Tokens and reasoning at the start; sentences about the answer only where more of
/// those follow.
fn front(text: &str) -> (usize, Vec<Outside>) {
    const MOST: usize = 16;
    let thoughts = framing::reasoning(text, &|_| false);
    let mut found: Vec<Outside> = Vec::new();
    let (mut at, mut kept, mut kept_to) = (0, 0, 0);
    for _ in 0..MOST {
        at = skip_blank(text, at);
        let rest = &text[at..];
        let thought = thoughts
            .iter()
            .find(|thought| thought.range.start == at && thought.certain);
        let tokens = wrappers::leading_tokens(rest);
        let (kind, end) = if let Some(thought) = thought {
            (OutsideKind::Reasoning, thought.range.end)
        } else if tokens > 0 {
            (OutsideKind::Token, at + tokens)
        } else if let Some(length) = label(rest) {
            (OutsideKind::Token, at + length)
        } else if let Some(chat) = framing::opening(rest).filter(|chat| chat.range.start == 0) {
            (OutsideKind::Chat, at + chat.range.end)
        } else {
            break;
        };
        let certain = kind != OutsideKind::Token || !is_mentioned_first(&text[end..]);
        // An answer that is nothing but reasoning has no text to be told from it.
        if text[end..].trim().is_empty() {
            break;
        }
        found.push(Outside {
            certain,
            ..piece(kind, at..end)
        });
        at = end;
        if kind != OutsideKind::Chat {
            (kept, kept_to) = (found.len(), end);
        }
    }
    found.truncate(kept);
    (kept_to, found)
}

/// The length of the name of a role or a format before a title: `Assistant:`, `Output:`,
/// `markdown`, as programs and models put it before an answer.
fn label(rest: &str) -> Option<usize> {
    const NAMES: [&str; 12] = [
        "assistant",
        "ai",
        "model",
        "bot",
        "output",
        "response",
        "answer",
        "final answer",
        "result",
        "markdown",
        "md",
        "json",
    ];
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    let words = line.split('#').next().unwrap_or_default();
    let name = words.trim().trim_matches('*');
    let bare = name.trim_end_matches(':').trim_matches('*');
    let is_name = NAMES.iter().any(|known| bare.eq_ignore_ascii_case(known));
    let after = &rest[words.len()..];
    let begins = after.trim_start_matches(is_invisible).starts_with("# ");
    let fits = words.len() == line.len() || name.ends_with(':');
    (is_name && fits && begins).then(|| words.trim_end().len())
}

/// Whether words about the token follow it: “<|endoftext|> is a token.”
fn is_mentioned_first(after: &str) -> bool {
    after.strip_prefix(' ').is_some_and(|rest| {
        rest.trim_start_matches(' ')
            .starts_with(char::is_alphabetic)
    })
}

/// Tokens at the end.
fn back(text: &str, begin: usize) -> (usize, Vec<Outside>) {
    let tokens = wrappers::trailing_tokens(text);
    let tokens = tokens.start.max(begin)..tokens.end;
    let before = text[begin..tokens.start].trim_end();
    if tokens.is_empty() || before.is_empty() {
        return (text.len(), Vec::new());
    }
    let gap = &text[begin + before.len()..tokens.start];
    // After a space the token may be what the sentence speaks of, and so it may be
    // on a line of its own after a colon.
    let ends = before.ends_with(|c: char| !c.is_alphanumeric() && !matches!(c, ':' | '：' | ','));
    let certain =
        ends || gap.is_empty() || (gap.contains('\n') && !before.ends_with([':', '：', ',']));
    let start = tokens.start;
    let token = Outside {
        certain,
        ..piece(OutsideKind::Token, tokens)
    };
    (start, vec![token])
}

/// Sets a pair of tags such as `<answer>` aside.
fn unwrap_tags(
    text: &str,
    within: Range<usize>,
    before: &mut Vec<Outside>,
    after: &mut Vec<Outside>,
) -> (usize, usize) {
    let start = skip_blank(text, within.start);
    let inner = text[..within.end].trim_end();
    let tags = || {
        let (length, name) = wrappers::answer_tag(text.get(start..within.end)?)?;
        let close = inner.rfind("</").filter(|close| *close >= start + length)?;
        let (closing, other) = wrappers::answer_tag(&inner[close..])?;
        let is_pair = text.as_bytes().get(start + 1) != Some(&b'/')
            && close + closing == inner.len()
            && name.eq_ignore_ascii_case(other);
        is_pair.then_some((start..start + length, close..inner.len()))
    };
    let Some((open, close)) = tags() else {
        return (within.start, within.end);
    };
    let kept = (open.end, close.start);
    before.push(piece(OutsideKind::Token, open));
    after.insert(0, piece(OutsideKind::Token, close));
    kept
}

fn skip_blank(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + (rest.len() - rest.trim_start_matches(is_invisible).len())
}

/// A fence that seems to be around the text, with the others like it.
struct Around {
    block: Fenced,
    drafts: Vec<Range<usize>>,
}

fn fence_around(text: &str, within: Range<usize>) -> Option<Around> {
    let within = skip_blank(text, within.start).min(within.end)..within.end;
    let inner = &text[within.clone()];
    if !inner.contains("```") && !inner.contains("~~~") {
        return None;
    }
    let moved = |range: &Range<usize>| within.start + range.start..within.start + range.end;
    let moved_block = |block: &Fenced| Fenced {
        opening: moved(&block.opening),
        body: moved(&block.body),
        closing: moved(&block.closing),
    };
    let mut blocks = wrappers::markdown_blocks(inner);
    let Some(last) = blocks.pop() else {
        let (block, line) = wrappers::whole_block(inner)?;
        let holds_text = line.holds_markdown()
            || (matches!(line.language().as_str(), "" | "text" | "txt")
                && begins_as_lesson(&inner[block.body.clone()]));
        return holds_text.then(|| Around {
            block: moved_block(&block),
            drafts: Vec::new(),
        });
    };
    Some(Around {
        block: moved_block(&last),
        drafts: blocks
            .iter()
            .map(|block| moved(&(block.opening.start..block.closing.end)))
            .collect(),
    })
}

/// Whether a text begins with a title and a blank line, as no program does.
fn begins_as_lesson(text: &str) -> bool {
    let mut lines = text.trim_start().lines();
    lines.next().is_some_and(|line| line.starts_with("# "))
        && lines.next().is_none_or(|line| line.trim().is_empty())
}

fn in_fence(
    text: &str,
    within: Range<usize>,
    around: &Around,
    mut before: Vec<Outside>,
    mut after: Vec<Outside>,
) -> (Range<usize>, Vec<Outside>) {
    let Fenced {
        opening,
        body,
        closing,
    } = &around.block;
    let mut front = pieces::pieces(
        text,
        within.start..opening.start,
        &around.drafts,
        Side::Before,
    );
    let mut back = pieces::pieces(text, closing.end..within.end, &around.drafts, Side::After);
    let is_noise = front.iter().chain(&back).all(|piece| piece.certain);
    if !is_noise && !is_most(text, &within, around) {
        return unfenced(text, within, before, after);
    }
    let fence = |range: &Range<usize>| Outside {
        certain: is_noise,
        ..piece(OutsideKind::Fence, range.clone())
    };
    front.push(fence(opening));
    back.insert(0, fence(closing));
    before.extend(front);
    back.append(&mut after);
    spread(text, &(0..body.start), &mut before, Side::Before);
    spread(text, &(body.end..text.len()), &mut back, Side::After);
    before.extend(back);
    (body.clone(), before)
}

/// The text as it is, where its fences are part of it.
fn unfenced(
    text: &str,
    within: Range<usize>,
    mut before: Vec<Outside>,
    mut after: Vec<Outside>,
) -> (Range<usize>, Vec<Outside>) {
    let begin = if before.is_empty() {
        0
    } else {
        skip_blank(text, within.start)
    };
    let end = if after.is_empty() {
        text.len()
    } else {
        text[..within.end].trim_end().len()
    };
    spread(text, &(0..begin), &mut before, Side::Before);
    spread(text, &(end..text.len()), &mut after, Side::After);
    before.extend(after);
    (begin..end.max(begin), before)
}

/// Whether fences with Markdown are most of an answer that has no heading of its own:
/// a lesson wrapped in words that no list knows, not a lesson about Markdown.
fn is_most(text: &str, within: &Range<usize>, around: &Around) -> bool {
    let block = &around.block;
    let fenced: usize = around
        .drafts
        .iter()
        .map(ExactSizeIterator::len)
        .sum::<usize>()
        + (block.closing.end - block.opening.start);
    let begins = text[block.body.clone()]
        .trim_start()
        .starts_with(['#', '-']);
    let mut at = within.start;
    let mut has_heading = false;
    let blocks = around
        .drafts
        .iter()
        .cloned()
        .chain(std::iter::once(block.opening.start..block.closing.end));
    for passed in blocks {
        has_heading |= text[at..passed.start].lines().any(is_heading);
        at = passed.end;
    }
    has_heading |= text[at..within.end].lines().any(is_heading);
    // "# Answer" and then the lesson in a fence.
    let before = text[within.start..block.opening.start].trim();
    let is_label = around.drafts.is_empty()
        && is_heading(before)
        && !before.contains('\n')
        && text[block.closing.end..within.end].trim().is_empty();
    has_heading &= !is_label;
    begins && !has_heading && fenced * 10 > text[within.clone()].trim().len() * 6
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    rest.len() < line.len() && rest.starts_with(' ')
}
