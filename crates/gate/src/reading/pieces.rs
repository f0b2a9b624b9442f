//! What stands around the document in an answer, piece by piece. Everything that
//! is not white space of JSON belongs to some piece, so that nothing outside the
//! document goes unreported: what no rule knows is prose.
//!
//! | piece | certain |
//! |---|---|
//! | control tokens, tags such as `<answer>`, fences, invisible marks | yes |
//! | reasoning between tags, or before everything | as `framing` says |
//! | sentences about the answer, a label such as `Output:` right before it | yes |
//! | another draft of the document | no |
//! | anything else | no |

use std::ops::Range;

use redraft_text::framing::{self, Reasoning};
use redraft_text::left_out;
use redraft_text::wrappers;

use super::{Outside, OutsideKind};

/// On which side of the document a region lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// Phrases are looked for so often in one region; what follows is prose.
const MOST_PHRASES: usize = 64;

/// The pieces of a region of the text, in order. `drafts` are other documents in it.
pub(super) fn pieces(
    text: &str,
    region: Range<usize>,
    drafts: &[Range<usize>],
    side: Side,
) -> Vec<Outside> {
    let mut found = Vec::new();
    let mut at = region.start;
    for draft in drafts
        .iter()
        .filter(|draft| region.start <= draft.start && draft.end <= region.end)
    {
        Region::new(text, at..draft.start, Side::Before).read(&mut found);
        found.push(Outside {
            certain: false,
            ..piece(OutsideKind::Draft, draft.clone())
        });
        at = draft.end;
    }
    let has_drafts = !found.is_empty();
    Region::new(text, at..region.end, side).read(&mut found);
    if has_drafts {
        // Without the words between them, two drafts would be a bank of two items.
        found.iter_mut().for_each(|piece| piece.certain = false);
    }
    spread(text, &region, &mut found, side);
    found
}

/// A piece that is certain, and deleted as it stands.
pub(super) fn piece(kind: OutsideKind, range: Range<usize>) -> Outside {
    Outside {
        kind,
        removal: range.clone(),
        range,
        certain: true,
    }
}

/// Gives the white space between pieces to them: before the document to the piece
/// that it follows, after the document to the piece that follows it. Deleting all
/// pieces before the document leaves it at the very start.
pub(super) fn spread(text: &str, region: &Range<usize>, found: &mut [Outside], side: Side) {
    match side {
        Side::Before => {
            let mut next = region.end;
            for piece in found.iter_mut().rev() {
                piece.removal.end = next.max(piece.range.end);
                next = piece.range.start;
            }
        }
        Side::After => {
            let mut last = region.start;
            for piece in found.iter_mut() {
                piece.removal.start = last.min(piece.range.start);
                last = piece.range.end;
            }
        }
    }
    debug_assert!(
        found
            .iter()
            .all(|piece| text.get(piece.removal.clone()).is_some())
    );
}

/// White space that JSON allows outside its values.
fn is_json_space(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\r' | '\t')
}

/// Characters that show nothing: a byte-order mark, NUL, other white space.
pub(super) fn is_invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\0' | '\u{feff}' | '\u{200b}' | '\u{2060}')
}

struct Region<'t> {
    text: &'t str,
    range: Range<usize>,
    side: Side,
    reasoning: Vec<Reasoning>,
    phrases: usize,
}

type Recognised = (OutsideKind, usize, bool);

impl<'t> Region<'t> {
    fn new(text: &'t str, range: Range<usize>, side: Side) -> Self {
        // Reasoning without tags is only known at the start of everything, and by the
        // answer that follows it.
        let reasoning = if range.start == 0 {
            let mut found = framing::reasoning(text, &|_| false);
            found.retain(|thought| thought.range.end <= range.end);
            found
        } else {
            framing::reasoning_in_field(&text[range.clone()], &|_| false)
        };
        Self {
            text,
            range,
            side,
            reasoning,
            phrases: 0,
        }
    }

    fn read(mut self, found: &mut Vec<Outside>) {
        let tail = wrappers::trailing_tokens(&self.text[self.range.clone()]);
        // The last token may be the end of reasoning.
        let thought = self.reasoning.iter().rfind(|thought| thought.certain);
        let start = tail
            .start
            .max(thought.map_or(0, |thought| thought.range.end));
        let end = self.text[self.range.clone()]
            .trim_end_matches(is_json_space)
            .len();
        let start = if start < tail.end { start } else { end };
        let tail = self.range.start + start..self.range.start + end;
        let mut at = self.range.start;
        loop {
            let rest = &self.text[at..tail.start.max(at)];
            at += rest.len() - rest.trim_start_matches(is_json_space).len();
            if at >= tail.start {
                break;
            }
            let (kind, length, certain) = self.recognise(at, tail.start);
            let range = at..at + length.max(1);
            let range = range.start..self.text.ceil_char_boundary(range.end);
            at = range.end;
            match found.last_mut() {
                Some(last) if kind == OutsideKind::Prose && last.kind == kind => {
                    last.range.end = range.end;
                }
                _ => found.push(Outside {
                    certain,
                    ..piece(kind, range)
                }),
            }
        }
        if !tail.is_empty() {
            found.push(piece(OutsideKind::Token, tail));
        }
        for piece in found.iter_mut() {
            let shown = self.text[piece.range.clone()].trim_end();
            if !shown.is_empty() {
                piece.range.end = piece.range.start + shown.len();
            }
            piece.removal = piece.range.clone();
        }
    }

    /// What stands at an offset, and how far it reaches.
    fn recognise(&mut self, at: usize, end: usize) -> Recognised {
        let rest = &self.text[at..end];
        let invisible = rest.len() - rest.trim_start_matches(is_invisible).len();
        if invisible > 0 {
            let is_mark = at == 0 && &rest[..invisible] == "\u{feff}";
            let kind = if is_mark {
                OutsideKind::Mark
            } else {
                OutsideKind::Invisible
            };
            return (kind, invisible, true);
        }
        if let Some(thought) = self.reasoning_at(at) {
            return (OutsideKind::Reasoning, thought.range.len(), thought.certain);
        }
        let tokens = wrappers::leading_tokens(rest);
        if tokens > 0 {
            return (OutsideKind::Token, tokens, true);
        }
        if let Some((length, _)) = wrappers::answer_tag(rest) {
            return (OutsideKind::Token, length, true);
        }
        let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
        if wrappers::fence_line(line).is_some() {
            return (OutsideKind::Fence, line.trim_end().len(), true);
        }
        if let Some(length) = self.phrase(rest, line) {
            // A model that declines to write says so; what follows is not all it was asked for.
            let said = &rest[..length.min(rest.len())];
            // Nor is it all where the model offers to go on.
            if framing::refusals(said).is_empty() && !left_out::is_continued(said) {
                return (OutsideKind::Chat, length, true);
            }
            return (OutsideKind::Prose, length, false);
        }
        if self.side == Side::Before && is_left_of_a_fence(rest) {
            return (OutsideKind::Fence, rest.trim_end().len(), true);
        }
        (OutsideKind::Prose, line.trim_end().len(), false)
    }

    fn reasoning_at(&self, at: usize) -> Option<&Reasoning> {
        let at = at - self.range.start;
        self.reasoning
            .binary_search_by_key(&at, |thought| thought.range.start)
            .ok()
            .map(|index| &self.reasoning[index])
            .filter(|thought| thought.certain)
    }

    /// The length of a phrase about the answer.
    fn phrase(&mut self, rest: &str, line: &str) -> Option<usize> {
        self.phrases += 1;
        if self.phrases > MOST_PHRASES {
            return None;
        }
        if let Some(chat) = framing::opening(rest).filter(|chat| chat.range.start == 0) {
            let is_all = chat.range.end == rest.trim_end().len();
            if self.side == Side::Before || is_all {
                return Some(chat.range.end);
            }
        }
        // The document is elsewhere, so likely is enough.
        if framing::is_framing(line) {
            return Some(line.trim_end().len());
        }
        match self.side {
            Side::Before => (line.trim_end().len() == rest.trim_end().len() && is_label(line))
                .then_some(line.trim_end().len()),
            Side::After => framing::closing(rest)
                .filter(|chat| chat.range.start == 0 && chat.range.end == rest.trim_end().len())
                .map(|chat| chat.range.end),
        }
    }
}

/// A few words and a colon, right before the document: `JSON:`, `Final answer:`.
fn is_label(line: &str) -> bool {
    const MOST_WORDS: usize = 4;
    let words = line.trim().trim_matches(['*', '_', '#', ' ']);
    let label = words
        .strip_suffix([':', '：'])
        .map(|label| label.trim_end_matches(['*', '_']));
    label.is_some_and(|label| {
        !label.is_empty()
            && label.split_whitespace().count() <= MOST_WORDS
            && label.chars().count() <= 40
            && !label.contains([':', '{', '[', '"', '|', '<'])
            && !label.contains(|c: char| c.is_ascii_digit())
    })
}

/// The language of a fence whose back-ticks were lost: `json` alone on a line.
fn is_left_of_a_fence(rest: &str) -> bool {
    matches!(
        rest.trim().to_ascii_lowercase().as_str(),
        "json" | "jsonl" | "json5" | "markdown" | "`" | "``" | "`json" | "``json"
    )
}
