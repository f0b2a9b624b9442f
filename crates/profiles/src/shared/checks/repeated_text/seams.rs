//! The seam of two messages: a model went on with an answer that was cut off and began with
//! the last words of it. Nobody deleted them.
//!
//! | the words | the seam |
//! |---|---|
//! | `… eat sugars and starch eat sugars and starch first` | a phrase of some words follows itself in a sentence |
//! | `… eat sugars… eat sugars and starch` | the same, with dots between |
//! | `… eat sugars and starcheat sugars and starch first` | the same, without a space |
//! | a paragraph without an end, and the next begins with its last words | between two paragraphs |

use std::ops::Range;

use redraft_gate::check::Sink;
use redraft_gate::content::TextField;
use redraft_gate::finding::Severity;
use redraft_text::markdown::{Block, BlockKind};

use super::words::Words;
use super::{LONGEST_PHRASE, is_verse};

/// Words that come again, at least; fewer are a figure of speech.
const FEWEST: usize = 3;

/// Letters of these words, at least.
const LETTERS: usize = 18;

/// Bytes of a paragraph from which on the next does not begin like it by chance.
const LONG_START: usize = 28;

const MESSAGE: &str = "these words come twice in a row, as where an answer was cut off and continued; delete one copy and look whether anything is missing";

/// Reports the seams of a text, outside what is known to repeat itself.
pub(super) fn report(sink: &mut Sink<'_>, field: &TextField, looping: &[Range<usize>]) {
    if let Some(range) = over_blocks(&field.text).filter(|range| !field.markdown().is_code(range.start)) {
        sink.in_text(field, range, MESSAGE).severity(Severity::Error);
    }
    let mut words = Words::default();
    let mut before: Option<&Block> = None;
    for block in &field.markdown().blocks {
        if block.kind.is_container() {
            continue;
        }
        let is_prose = block.kind == BlockKind::Paragraph;
        let text = field.text.get(block.content.clone()).unwrap_or_default();
        let is_looping = looping
            .iter()
            .any(|lap| lap.start < block.content.end && block.content.start < lap.end);
        if is_prose && !is_looping && !is_verse(text) {
            words.read(text);
            // In most paragraphs hardly two words in a row occurred shortly before.
            let may_repeat = words.longest_echo() >= FEWEST;
            let found = may_repeat.then(|| inside(text, &words)).flatten();
            let found = found.or_else(|| glued(&words));
            let start = block.content.start;
            let across = || {
                let first = before.filter(|first| !is_item(field, first))?;
                let first = field.text.get(first.content.clone())?;
                across(first, text, &words)
            };
            if let Some(range) = found.or_else(across) {
                let range = start + range.start..start + range.end;
                if !field.markdown().is_code(range.start) {
                    sink.in_text(field, range, MESSAGE)
                        .severity(Severity::Error);
                }
            }
        }
        before = is_prose.then_some(block);
    }
}

/// The end of a text before a blank line that comes again directly after it, over several lines
/// or from the middle of one: the same as `across`, whatever the blocks are.
fn over_blocks(text: &str) -> Option<Range<usize>> {
    const HEAD: usize = 10;
    const SHORTEST: usize = 24;
    const SHORTEST_WIDE: usize = 8;
    const WINDOW: usize = 600;
    // A Chinese character says as much as a few letters.
    let is_long = |text: &str| match text.chars().next() {
        Some(c) if ('\u{2e80}'..='\u{9fff}').contains(&c) => text.chars().count() >= SHORTEST_WIDE,
        _ => text.chars().count() >= SHORTEST,
    };
    let is_open = |c: char| c.is_alphanumeric() || matches!(c, ',' | '-' | '(' | '|' | '…');
    text.match_indices("\n\n").find_map(|(at, _)| {
        let before = text[..at].trim_end();
        let start = at + text[at..].len() - text[at..].trim_start().len();
        let after = &text[start..];
        // A paragraph may begin with the words that its heading ends with.
        let is_heading = before.rsplit('\n').next().is_some_and(|line| line.starts_with('#'));
        if is_heading || !before.ends_with(is_open) {
            return None;
        }
        let head = &after[..after.ceil_char_boundary(HEAD)];
        let from = before.ceil_char_boundary(before.len().saturating_sub(WINDOW));
        before[from..].match_indices(head).find_map(|(found, _)| {
            let tail = &before[from + found..];
            // A heading or an item, and the paragraph after it begins in the same words.
            let line = before[..from + found].rsplit('\n').next().unwrap_or_default();
            let is_mark = |c: char| matches!(c, '#' | '-' | '*' | '>' | '+' | ' ' | '.' | ')') || c.is_ascii_digit();
            let is_whole_line = line.chars().all(is_mark) && !tail.contains('\n');
            let comes_again = is_long(tail) && tail.len() < after.len() && after.starts_with(tail);
            (comes_again && !is_whole_line).then(|| start..start + tail.len())
        })
    })
}

/// A phrase that follows itself without a mark between the copies, or with dots alone.
fn inside(text: &str, words: &Words<'_>) -> Option<Range<usize>> {
    let ids = &words.ids;
    for length in FEWEST..=LONGEST_PHRASE.min(ids.len() / 2) {
        let mut run = 0;
        for index in length..ids.len() {
            run = if ids[index] == ids[index - length] { run + 1 } else { 0 };
            if run < length {
                continue;
            }
            let first = index + 1 - 2 * length;
            let joint = between(text, words, first + length)?;
            let copy = range(words, first + length, index);
            if is_seam(joint) && is_phrase(&words.words[first..first + length]) {
                return Some(copy);
            }
        }
    }
    None
}

/// The same where the last word of the first copy and the first word of the second are one.
fn glued(words: &Words<'_>) -> Option<Range<usize>> {
    let (list, ids) = (&words.words, &words.ids);
    (FEWEST - 1..ids.len()).find_map(|at| {
        let word = list[at].1;
        let longest = LONGEST_PHRASE.min(at + 1).min(ids.len() - at);
        (FEWEST..=longest).find_map(|length| {
            let (first, last) = (list[at + 1 - length].1, list[at + length - 1].1);
            // A heading that was glued to its text begins with a capital letter.
            let is_joined = first.len() + last.len() == word.len()
                && first.starts_with(char::is_lowercase)
                && word.starts_with(last)
                && word.ends_with(first);
            let is_same = is_joined
                && ids[at + 2 - length..at] == ids[at + 1..at + length - 1]
                && is_phrase(&list[at + 1 - length..=at]);
            is_same.then(|| range(words, at, at + length - 1))
        })
    })
}

/// A paragraph that begins with the last words of the one before, which has no end.
fn across(first: &str, second: &str, words: &Words<'_>) -> Option<Range<usize>> {
    let ends = first.trim_end();
    let is_open = ends.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '-' | '…'))
        || ends.ends_with("...");
    if !is_open || is_verse(first) || !second.starts_with(char::is_alphabetic) {
        return None;
    }
    if ends.len() >= LONG_START && second.len() > ends.len() && second.starts_with(ends) {
        return Some(0..ends.len());
    }
    let mut before = Words::default();
    before.read(first);
    let most = before.ids.len().min(words.ids.len());
    let length = (FEWEST..=most)
        .rev()
        .find(|length| before.ids[before.ids.len() - length..] == words.ids[..*length])?;
    // The paragraph before may have been a title of the next.
    let is_whole = length == words.ids.len();
    (!is_whole && is_phrase(&words.words[..length])).then(|| range(words, 0, length - 1))
}

/// The text between a word and the one before it.
fn between<'t>(text: &'t str, words: &Words<'_>, at: usize) -> Option<&'t str> {
    let (start, word) = words.words.get(at.checked_sub(1)?)?;
    text.get(start + word.len()..words.words.get(at)?.0)
}

fn range(words: &Words<'_>, first: usize, last: usize) -> Range<usize> {
    let (start, end) = (words.words[first], words.words[last]);
    start.0..end.0 + end.1.len()
}

/// Nothing but blanks, perhaps with dots or the mark of an item, is between the copies.
fn is_seam(joint: &str) -> bool {
    let bare = joint.trim_start_matches("...").trim_start_matches('…').trim();
    bare.is_empty() || matches!(bare, "-" | "*" | "- **" | "* **")
}

/// Whether a paragraph is in a list, where one item may begin like another.
fn is_item(field: &TextField, block: &Block) -> bool {
    let blocks = &field.markdown().blocks;
    let parent = block.parent.and_then(|parent| blocks.get(parent));
    parent.is_some_and(|parent| matches!(parent.kind, BlockKind::Item { .. }))
}

/// Words rather than numbers or letters, and not one word over and over.
fn is_phrase(words: &[(usize, &str)]) -> bool {
    const WIDE: usize = 3;
    let text = words.iter().map(|(_, word)| *word);
    let letters: usize = text
        .clone()
        .flat_map(str::chars)
        .filter(|c| c.is_alphabetic())
        .map(|c| if c.len_utf8() > 2 { WIDE } else { 1 })
        .sum();
    let is_one_word = text.clone().all(|word| word == words[0].1);
    letters >= LETTERS && !is_one_word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(text: &str) -> Option<&str> {
        let mut words = Words::default();
        words.read(text);
        inside(text, &words)
            .or_else(|| glued(&words))
            .map(|range| &text[range])
    }

    #[test]
    fn words_that_follow_themselves_are_a_seam() {
        for (text, expected) in [
            (
                "They eat sugars and starch first, eat sugars and starch first, and rest.",
                None,
            ),
            (
                "The bacteria eat sugars and starch eat sugars and starch first.",
                Some("eat sugars and starch"),
            ),
            (
                "The bacteria eat sugars and starch... eat sugars and starch first.",
                Some("eat sugars and starch"),
            ),
            (
                "The bacteria eat sugars and starcheat sugars and starch first.",
                Some("starcheat sugars and starch"),
            ),
            ("Eat the sugar now. Eat the sugar now.", None),
            ("The more you read the more you read the better.", None),
            ("1 2 3 4 1 2 3 4", None),
            ("细菌先吃糖和淀粉先吃糖和淀粉然后", Some("先吃糖和淀粉")),
        ] {
            assert_eq!(copy(text), expected, "{text}");
        }
    }

    #[test]
    fn a_paragraph_may_begin_with_the_end_of_the_one_before() {
        for (first, second, expected) in [
            (
                "The easy food is gone, and fungi take over and break",
                "fungi take over and break down the wood.",
                Some("fungi take over and break"),
            ),
            (
                "The easy food is gone, and fungi take over and break.",
                "fungi take over and break down the wood.",
                None,
            ),
            ("How fungi break down wood", "How fungi break down wood", None),
        ] {
            let mut words = Words::default();
            words.read(second);
            let found = across(first, second, &words).map(|range| &second[range]);
            assert_eq!(found, expected, "{second}");
        }
    }
}
