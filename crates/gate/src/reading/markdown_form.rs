//! Markdown in an answer: what certainly is not part of the text is set aside.
//!
//! | around the text | then |
//! |---|---|
//! | control tokens, reasoning, a pair of tags | outside |
//! | one fence with Markdown, nothing but noise around it | outside, with the noise |
//! | … other words around it, no heading among them, and it is most of the answer | outside, in doubt |
//! | several such fences | the last holds the text, the others are drafts |
//! | a fence of any language around a title and its sections, no heading outside | the same |
//! | a fence before the title that is not closed, a tag that has no other half | outside, in doubt |
//! | a pair of tags that no page has, or a block named after thinking, before the text | outside, in doubt |
//! | other text before the title, copies of the lesson | see `title` |
//! | sentences about the answer, without a fence | part of the text, where their check looks |

use std::ops::Range;

use redraft_text::framing;
use redraft_text::wrappers::{self, Fenced};

use super::pieces::{self, Side, is_invisible, piece, spread};
use super::{Outside, OutsideKind, title};

/// The text in an answer, and what stands around it.
pub(super) fn body(text: &str) -> (Range<usize>, Vec<Outside>) {
    let (begin, mut before) = front(text);
    let (end, mut after) = back(text, begin);
    let (mut begin, mut end) = (begin, end);
    for _ in 0..MOST_TAGS {
        let (inner, inner_end) = unwrap_tags(text, begin..end, &mut before, &mut after);
        if (inner, inner_end) == (begin, end) {
            break;
        }
        (begin, end) = (inner, inner_end);
    }
    if let Some(block) = fence_around(text, begin..end) {
        return in_fence(text, begin..end, &block, before, after);
    }
    unfenced(text, begin..end, before, after)
}

/// Tags inside each other around one text.
const MOST_TAGS: usize = 3;

/// Tokens and reasoning at the start; sentences about the answer only where more of
/// those follow.
fn front(text: &str) -> (usize, Vec<Outside>) {
    const MOST: usize = 16;
    let thoughts = framing::reasoning(text, &|_| false);
    let mut found: Vec<Outside> = Vec::new();
    let (mut at, mut kept, mut kept_to) = (0, 0, 0);
    // A title after such a character is no title.
    let unseen = text.trim_start_matches(is_invisible);
    let shown = text.len() - unseen.len();
    let is_mark = |c: char| !c.is_whitespace() && c != '\u{feff}';
    if !unseen.is_empty() && text[..shown].contains(is_mark) {
        found.push(piece(OutsideKind::Invisible, 0..shown));
        (at, kept, kept_to) = (shown, 1, shown);
    }
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
        } else if let Some((length, _)) =
            wrappers::answer_tag(rest).filter(|_| rest.starts_with("</"))
        {
            (OutsideKind::Token, at + length)
        } else if let Some(length) = thinking_block(rest) {
            (OutsideKind::Prose, at + length)
        } else if let Some(chat) = framing::opening(rest).filter(|chat| chat.range.start == 0) {
            (OutsideKind::Chat, at + chat.range.end)
        } else {
            break;
        };
        let is_named = kind == OutsideKind::Token && is_mentioned_first(&text[end..]);
        let certain = kind != OutsideKind::Prose && !is_named;
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

/// The length of a passage before the text that its marks set apart from it: a pair of tags
/// that no page has, a block of code or details that is named after thinking.
fn thinking_block(rest: &str) -> Option<usize> {
    const NAMES: [&str; 9] = [
        "thought",
        "think",
        "thinking",
        "thoughts",
        "reasoning",
        "rationale",
        "analysis",
        "plan",
        "scratchpad",
    ];
    let is_named = |words: &str| {
        let words = words.to_lowercase();
        words
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| NAMES.contains(&word))
    };
    let has_heading = |inside: &str| inside.lines().any(is_heading);
    let whole = |length: usize| {
        let follows = rest[length..].trim_start_matches(is_invisible);
        let is_text = follows.lines().any(is_heading) || wrappers::fence_line(follows).is_some();
        is_text.then_some(length)
    };
    if rest.starts_with("<details") {
        let end = rest.find("</details>")?;
        let open = rest[..end].find("<summary>")? + "<summary>".len();
        let close = open + rest[open..end].find("</summary>")?;
        let is_thought = is_named(&rest[open..close]) && !has_heading(&rest[..end]);
        return whole(end + "</details>".len()).filter(|_| is_thought);
    }
    let line = rest.lines().next()?;
    if let Some(fence) = wrappers::fence_line(line).filter(|fence| is_named(&fence.language())) {
        let mark: String = std::iter::repeat_n(fence.sign, fence.length).collect();
        let close = line.len() + rest[line.len()..].find(&format!("\n{mark}"))?;
        let end = close + 1 + rest[close + 1..].find('\n')?;
        return whole(end).filter(|_| !has_heading(&rest[..close]));
    }
    let (length, name) = opening_tag(rest).filter(|(_, name)| !name.contains('-'))?;
    if wrappers::answer_tag(&format!("<{name}>")).is_some() {
        return None;
    }
    let close = format!("</{name}>");
    let end = length + rest[length..].find(&close)?;
    let inside = &rest[length..end];
    let is_prose = inside.split_whitespace().nth(FEWEST_WORDS).is_some() && !has_heading(inside);
    whole(end + close.len()).filter(|_| is_prose)
}

/// A tag around fewer words may be a part of the text.
const FEWEST_WORDS: usize = 5;

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
        let (length, name) = opening_tag(text.get(start..within.end)?)?;
        let close = inner.rfind("</").filter(|close| *close >= start + length)?;
        let closing = inner[close + 2..].strip_suffix('>')?;
        closing
            .trim()
            .eq_ignore_ascii_case(name)
            .then_some((start..start + length, close..inner.len()))
    };
    let Some((open, close)) = tags() else {
        return tag_with_tail(text, &within, before, after)
            .unwrap_or_else(|| lonely_tag(text, within, before, after));
    };
    let kept = (open.end, close.start);
    before.push(piece(OutsideKind::Token, open));
    after.insert(0, piece(OutsideKind::Token, close));
    kept
}

/// A pair of tags with a few words after it, which are not part of what the tags hold.
fn tag_with_tail(
    text: &str,
    within: &Range<usize>,
    before: &mut Vec<Outside>,
    after: &mut Vec<Outside>,
) -> Option<(usize, usize)> {
    const MOST_WORDS: usize = 80;
    let first = skip_blank(text, within.start);
    let start = first + words_before_tag(text.get(first..within.end)?)?;
    let inner = text.get(start..within.end)?.trim_end();
    let (length, name) = opening_tag(inner)?;
    let close = inner.rfind(&format!("\n</{name}>"))? + 1;
    let end = close + name.len() + 3;
    let tail = inner.get(end..)?;
    let is_text = inner[length..close].trim_start().starts_with("# ");
    let is_short = tail.split_whitespace().count() <= MOST_WORDS
        && !tail.lines().any(|line| line.starts_with('#'));
    if close <= length || !is_text || !is_short {
        return None;
    }
    let unsure = |kind, range| Outside {
        certain: false,
        ..piece(kind, range)
    };
    let words = start + end + (tail.len() - tail.trim_start().len());
    if start > first {
        let talk = text[first..start].trim_end();
        before.push(unsure(OutsideKind::Prose, first..first + talk.len()));
    }
    before.push(unsure(OutsideKind::Token, start..start + length));
    if words < start + inner.len() {
        after.insert(0, unsure(OutsideKind::Prose, words..start + inner.len()));
    }
    after.insert(0, unsure(OutsideKind::Token, start + close..start + end));
    Some((start + length, start + close))
}

/// How far a few words reach that stand before a tag on a line of its own.
fn words_before_tag(text: &str) -> Option<usize> {
    const LONGEST: usize = 600;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with('<') && opening_tag(line).is_some() {
            return Some(at);
        }
        at += line.len();
        if at > LONGEST || is_heading(line) || wrappers::fence_line(line).is_some() {
            return None;
        }
    }
    None
}

/// The length and the name of a tag at the start of a text that no web page has: `<lesson>`,
/// `<artifact title="x">`.
fn opening_tag(text: &str) -> Option<(usize, &str)> {
    const LONGEST: usize = 300;
    if let Some((length, name)) = wrappers::answer_tag(text) {
        return (!text.starts_with("</")).then_some((length, name));
    }
    let rest = text.strip_prefix('<')?;
    let end = rest.bytes().take(LONGEST).position(|byte| byte == b'>')?;
    let inside = &rest[..end];
    let name = inside.split(char::is_whitespace).next()?;
    let is_answer = || wrappers::answer_tag(&format!("<{name}>")).is_some();
    ((is_foreign_tag(name) || is_answer()) && !inside.ends_with('/')).then_some((end + 2, name))
}

/// Whether the name of a tag is one of no web page and of no component, which are written
/// with a capital letter. Our own tags are no wrapper: a text that has them speaks to the judge.
fn is_foreign_tag(name: &str) -> bool {
    const OF_PAGES: &str = " a abbr address area article aside audio b base bdi bdo blockquote \
        body br button canvas caption center cite code col colgroup data datalist dd del details \
        dfn dialog div dl dt em embed fieldset figcaption figure font footer form frame h1 h2 h3 \
        h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main \
        map mark math menu meta meter nav noscript object ol optgroup option output p param \
        picture pre progress q rp rt ruby s samp script search section select slot small source \
        span strike strong style sub summary sup svg table tbody td template textarea tfoot th \
        thead time title tr track tt u ul var video wbr ";
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.starts_with("redraft")
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_:-".contains(&byte))
        && !OF_PAGES.split_whitespace().any(|known| known == name)
}

/// A tag at the start that nothing closes, or one at the end that nothing opens.
fn lonely_tag(
    text: &str,
    within: Range<usize>,
    before: &mut Vec<Outside>,
    after: &mut Vec<Outside>,
) -> (usize, usize) {
    let start = skip_blank(text, within.start);
    let inner = text[..within.end].trim_end();
    let (mut begin, mut end) = (within.start, within.end);
    let unsure = |range| Outside {
        certain: false,
        ..piece(OutsideKind::Token, range)
    };
    let whole = text.get(start..within.end).unwrap_or_default();
    if let Some((length, name)) = opening_tag(whole)
        && whole[length..]
            .trim_start_matches(' ')
            .starts_with(['\n', '\r', '#'])
        && !whole.contains(&format!("</{name}"))
    {
        before.push(unsure(start..start + length));
        begin = start + length;
    }
    if let Some(close) = inner.rfind("</").filter(|close| *close > begin)
        && let Some(name) = inner[close + 2..].strip_suffix('>')
        && (is_foreign_tag(name) || wrappers::answer_tag(&inner[close..]).is_some())
        && !whole.contains(&format!("<{name}"))
    {
        after.insert(0, unsure(close..inner.len()));
        end = close;
    }
    (begin, end)
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
        let whole = wrappers::whole_block(inner).filter(|(block, line)| {
            line.holds_markdown()
                || (matches!(line.language().as_str(), "" | "text" | "txt")
                    && begins_as_lesson(&inner[block.body.clone()]))
        });
        let block = whole
            .map(|(block, _)| block)
            .or_else(|| lesson_block(inner))?;
        return Some(Around {
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

/// The block that holds a lesson, whatever its language is said to be: a title and its
/// sections, with all headings of the text in it.
fn lesson_block(text: &str) -> Option<Fenced> {
    let (opening, body) = lesson_fence(text)?;
    let line = wrappers::fence_line(&text[opening.clone()])?;
    let mut at = body;
    let mut closing = None;
    for next in text[body..].split_inclusive('\n') {
        let closes = wrappers::fence_line(next).is_some_and(|other| {
            other.sign == line.sign && other.length >= line.length && other.info.is_empty()
        });
        if closes {
            closing = Some(at..at + next.trim_end().len());
        }
        at += next.len();
    }
    let closing = closing?;
    let inside = text[body..closing.start].trim_end_matches(['\n', '\r']);
    let after = &text[closing.end..];
    (!after.lines().any(is_heading)).then(|| Fenced {
        opening,
        body: body..body + inside.len(),
        closing,
    })
}

/// The first fence of a text, where a lesson with sections begins after it and no heading
/// stands before it; with where the lesson begins.
fn lesson_fence(text: &str) -> Option<(Range<usize>, usize)> {
    const FEWEST_SECTIONS: usize = 2;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        if is_heading(line) {
            return None;
        }
        if wrappers::fence_line(line).is_some() {
            let rest = &text[next..];
            let mut sections = rest.lines().filter(|line| line.starts_with("## "));
            let has_sections = sections.nth(FEWEST_SECTIONS - 1).is_some();
            let end = at + line.trim_end().len();
            return (begins_as_lesson(rest) && has_sections).then_some((at..end, next));
        }
        at = next;
    }
    None
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
    let mut begin = if before.is_empty() {
        0
    } else {
        skip_blank(text, within.start)
    };
    let mut end = if after.is_empty() {
        text.len()
    } else {
        text[..within.end].trim_end().len()
    };
    if let Some(fence) = open_fence(text, begin..end) {
        before.push(fence.0);
        begin = fence.1;
    } else if let Some((found, title)) = open_after_words(text, begin..end) {
        before.extend(found);
        begin = title;
    } else if let Some((found, title)) = title::before(text, begin..end) {
        before.extend(found);
        begin = title;
        if let Some(tail) = title::after_rule(text, begin, end) {
            end = tail.range.start;
            after.insert(0, tail);
        }
    }
    spread(text, &(0..begin), &mut before, Side::Before);
    spread(text, &(end..text.len()), &mut after, Side::After);
    before.extend(after);
    (begin..end.max(begin), before)
}

/// A fence that opens before the title and is not closed where it should be, so that the
/// lesson, or what follows its first block of code, is shown as code.
fn open_fence(text: &str, within: Range<usize>) -> Option<(Outside, usize)> {
    let start = skip_blank(text, within.start);
    let inner = text.get(start..within.end)?;
    let line = inner.lines().next()?;
    let fence = wrappers::fence_line(line)?;
    let holds_text =
        fence.holds_markdown() || matches!(fence.language().as_str(), "" | "text" | "txt");
    let next = start + line.len() + blank_after(&inner[line.len()..]);
    let rest = text.get(next..within.end)?;
    let is_doubled =
        wrappers::fence_line(rest.lines().next()?).is_some_and(|line| line.holds_markdown());
    // A block with a sample of Markdown is followed by the lesson itself.
    let has_title = || {
        let after = wrappers::markdown_blocks(inner)
            .first()
            .map(|block| block.closing.end);
        after.is_some_and(|after| inner[after..].lines().any(|line| line.starts_with("# ")))
    };
    let is_open = is_doubled || begins_as_lesson(rest) && !has_title();
    (holds_text && is_open).then(|| {
        let outside = Outside {
            certain: false,
            ..piece(OutsideKind::Fence, start..start + line.trim_end().len())
        };
        (outside, next)
    })
}

/// A few words and a fence before the title, which nothing closes.
fn open_after_words(text: &str, within: Range<usize>) -> Option<(Vec<Outside>, usize)> {
    const LONGEST: usize = 600;
    let start = skip_blank(text, within.start);
    let inner = text.get(start..within.end)?;
    let (opening, body) = lesson_fence(inner).filter(|(opening, _)| opening.start <= LONGEST)?;
    let line = wrappers::fence_line(&inner[opening.clone()])?;
    // A pair of fences in the lesson leaves the first one open.
    let fences = inner[body..].lines().filter_map(wrappers::fence_line);
    let others = fences.filter(|other| other.sign == line.sign).count();
    if others % 2 == 1 {
        return None;
    }
    let unsure = |kind, range: Range<usize>| Outside {
        certain: false,
        ..piece(kind, start + range.start..start + range.end)
    };
    let mut found = Vec::new();
    let talk = inner[..opening.start].trim_end();
    if !talk.is_empty() {
        found.push(unsure(OutsideKind::Prose, 0..talk.len()));
    }
    found.push(unsure(OutsideKind::Fence, opening));
    Some((found, start + body))
}

fn blank_after(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_invisible).len()
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
