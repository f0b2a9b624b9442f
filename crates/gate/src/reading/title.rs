//! What stands before the title of a lesson in Markdown, and copies of the lesson.
//!
//! | the headings outside code | before the title | then |
//! |---|---|---|
//! | one `#`, first of several | prose, and no link, image, tag or list | outside, in doubt |
//! | … | known talk about the answer, then a rule (`---`) | outside |
//! | no `#`, others | `Title: # …` in one line | what is before the sign is outside, in doubt |
//! | the first `#` again, with most of its headings | | what is before the last copy is a draft |
//! | two `#`, the first with nothing under it and of a few words | | the first is outside, in doubt |
//!
//! A text that opens with front matter is left alone. It does not know which words are talk;
//! that is for `framing`.

use std::ops::Range;

use redraft_text::framing;
use redraft_text::wrappers;

use super::pieces::piece;
use super::{Outside, OutsideKind};

struct Heading<'t> {
    start: usize,
    end: usize,
    level: usize,
    words: &'t str,
}

/// What is before the lesson in a range of the text, up to where the lesson begins.
pub(super) fn before(text: &str, within: Range<usize>) -> Option<(Vec<Outside>, usize)> {
    let start = within.start + blank(&text[within.clone()]);
    let inner = text.get(start..within.end)?;
    if inner.starts_with("---\n") || inner.starts_with("---\r") || inner.starts_with("+++") {
        return None;
    }
    let headings = headings(text, start..within.end);
    if let Some(copy) = last_copy(&headings) {
        let draft = unsure(OutsideKind::Draft, trimmed(text, start..copy));
        return Some((vec![draft], copy));
    }
    let first = headings.first()?;
    let titles = headings.iter().filter(|heading| heading.level == 1).count();
    if titles == 0 {
        let title = title_in_line(text, start..first.start)?;
        let before = unsure(OutsideKind::Prose, trimmed(text, start..title));
        return Some((vec![before], title));
    }
    if first.level != 1 || headings.len() < 2 {
        return None;
    }
    if titles == 2 && headings[1].level == 1 && is_label(text, first, &headings[1]) {
        let label = unsure(OutsideKind::Prose, trimmed(text, start..first.end));
        return Some((vec![label], headings[1].start));
    }
    if titles > 1 || first.start == start {
        return None;
    }
    let found = talk(text, start..first.start)?;
    Some((found, first.start))
}

/// What is after the lesson where a rule before its title shows that another marks its end.
pub(super) fn after_rule(text: &str, begin: usize, end: usize) -> Option<Outside> {
    const MOST_WORDS: usize = 60;
    let before = text[..begin].trim_end();
    if !before.ends_with("\n---") && !before.ends_with("\n***") && !before.ends_with("\n___") {
        return None;
    }
    let rule = &before[before.len() - 3..];
    let at = begin + text.get(begin..end)?.rfind(&format!("\n{rule}\n"))?;
    let tail = text[at + rule.len() + 1..end].trim();
    let is_short = tail.split_whitespace().count() <= MOST_WORDS;
    let is_prose = !tail.lines().any(|line| line.starts_with('#'));
    if !is_short || !is_prose {
        return None;
    }
    let range = trimmed(text, at + 1..end);
    let is_talk = tail.is_empty() || framing::is_chat(tail);
    Some(Outside {
        certain: is_talk,
        ..piece(
            if is_talk {
                OutsideKind::Chat
            } else {
                OutsideKind::Prose
            },
            range,
        )
    })
}

/// The paragraphs before a title, unless something among them is neither prose nor talk.
fn talk(text: &str, region: Range<usize>) -> Option<Vec<Outside>> {
    let mut found: Vec<Outside> = Vec::new();
    let mut at = region.start;
    let (mut is_known, mut has_rule) = (true, false);
    while at < region.end {
        at += blank(&text[at..region.end]);
        if at >= region.end {
            break;
        }
        let rest = &text[at..region.end];
        let length = rest.find("\n\n").unwrap_or(rest.len());
        let paragraph = rest[..length].trim_end();
        if matches!(paragraph, "---" | "***" | "___") && !found.is_empty() {
            has_rule = true;
            found.push(piece(OutsideKind::Chat, at..at + paragraph.len()));
            at += length;
            continue;
        }
        if !is_prose(paragraph) {
            return None;
        }
        let chat = framing::opening(rest).filter(|chat| chat.range.start == 0);
        let known = chat.filter(|chat| framing::refusals(&rest[chat.range.clone()]).is_empty());
        if let Some(chat) = known {
            let range = at..at + rest[..chat.range.end].trim_end().len();
            at = range.end.max(at + 1);
            found.push(piece(OutsideKind::Chat, range));
        } else {
            is_known = false;
            found.push(unsure(OutsideKind::Prose, at..at + paragraph.len()));
            at += length;
        }
    }
    // Talk that is known is part of the text, where its check looks.
    (!is_known || has_rule)
        .then_some(found)
        .filter(|found| !found.is_empty())
}

/// Whether a paragraph is words and nothing else: published texts have links, images, tags
/// and lists before their titles.
fn is_prose(paragraph: &str) -> bool {
    let is_marked = paragraph.lines().any(|line| {
        let line = line.trim_start();
        line.starts_with([
            '<', '>', '|', '{', '[', '!', '(', '-', '+', '%', '@', '&', '/', '~', '^',
        ]) || (line.len() > 1 && line.chars().all(|c| c == '='))
            || line.starts_with("import ")
            || line.starts_with("export ")
            || line.starts_with("::")
            || line.starts_with("..")
            || line.starts_with("* ")
            || wrappers::fence_line(line).is_some()
    });
    let is_indented = paragraph.starts_with("    ") || paragraph.starts_with('\t');
    !is_marked && !is_indented && !paragraph.contains("](") && !paragraph.contains("<!--")
}

/// Where the last copy of the lesson begins.
fn last_copy(headings: &[Heading<'_>]) -> Option<usize> {
    let title = headings.first().filter(|first| first.level == 1)?;
    let is_title = |heading: &Heading<'_>| heading.level == 1 && heading.words == title.words;
    let last = headings.iter().rposition(is_title).filter(|at| *at > 0)?;
    let until = headings[1..=last]
        .iter()
        .position(is_title)
        .map_or(last, |at| at + 1);
    let below = |part: &[Heading<'_>]| -> Vec<String> {
        let words = part.iter().filter(|heading| heading.level > 1);
        words.map(|heading| heading.words.to_owned()).collect()
    };
    let (earlier, later) = (below(&headings[1..until]), below(&headings[last + 1..]));
    let shared = earlier.iter().filter(|words| later.contains(words)).count();
    let fewer = earlier.len().min(later.len());
    (shared * 2 >= fewer).then_some(headings[last].start)
}

/// Whether the first of two titles has a few words and nothing under it.
fn is_label(text: &str, first: &Heading<'_>, next: &Heading<'_>) -> bool {
    const MOST_WORDS: usize = 3;
    text[first.end..next.start].trim().is_empty()
        && first.words.split_whitespace().count() <= MOST_WORDS
        && first.words.chars().count() <= 30
}

/// Where the sign of a title stands in the middle of a line: `Answer: # The lever`.
fn title_in_line(text: &str, region: Range<usize>) -> Option<usize> {
    let mut at = region.start;
    for line in text[region].split_inclusive('\n') {
        let found = line.match_indices("# ").find(|(sign, _)| {
            let before = line[..*sign].trim_end();
            before.ends_with([':', '：', '.', '!', '。', '！', '>'])
                && !line[..*sign].contains('`')
                && line[sign + 2..]
                    .trim_start()
                    .starts_with(char::is_alphanumeric)
        });
        if let Some((sign, _)) = found {
            return Some(at + sign);
        }
        at += line.len();
    }
    None
}

/// The headings with `#` signs in a part of a text, outside fences and comments.
fn headings(text: &str, within: Range<usize>) -> Vec<Heading<'_>> {
    let mut found = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut is_comment = false;
    let mut at = within.start;
    for line in text[within].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let read = wrappers::fence_line(line);
        match (fence, read) {
            (None, Some(line)) => fence = Some((line.sign, line.length)),
            (Some((sign, length)), Some(line))
                if line.sign == sign && line.length >= length && line.info.is_empty() =>
            {
                fence = None;
            }
            _ => {}
        }
        if fence.is_some() || read.is_some() {
            continue;
        }
        if is_comment || line.contains("<!--") {
            is_comment = !line.contains("-->");
            continue;
        }
        let bare = line.trim_end();
        let words = bare.trim_start_matches('#');
        let level = bare.len() - words.len();
        if (1..=6).contains(&level) && words.starts_with([' ', '\t']) {
            found.push(Heading {
                start,
                end: start + bare.len(),
                level,
                words: words.trim(),
            });
        }
    }
    found
}

fn unsure(kind: OutsideKind, range: Range<usize>) -> Outside {
    Outside {
        certain: false,
        ..piece(kind, range)
    }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let shown = text[range.clone()].trim_end();
    range.start..range.start + shown.len()
}

fn blank(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
