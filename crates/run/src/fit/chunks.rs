//! Splits a source into chunks of one or more paragraphs, so that part of a long one can be shown.
//! Splits after paragraphs; a paragraph that is too long is split after a sentence, else a word,
//! else a character.

use std::ops::Range;

use super::Chunk;

/// Size of a chunk in bytes: about 250 tokens of English.
const SIZE: usize = 1_200;

/// The chunks of a source, without blank ones.
pub(super) fn chunks(source: usize, text: &str) -> Vec<Chunk> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for paragraph in paragraphs(text) {
        match ranges.last_mut() {
            // Keep short paragraphs together.
            Some(last) if paragraph.end - last.start <= SIZE => last.end = paragraph.end,
            _ => ranges.push(paragraph),
        }
    }
    let ranges: Vec<Range<usize>> = ranges
        .into_iter()
        .flat_map(|range| pieces(text, range))
        .filter(|range| {
            text.get(range.clone())
                .is_some_and(|piece| !piece.trim().is_empty())
        })
        .collect();
    let is_one = ranges.len() == 1;
    let number = source + 1;
    ranges
        .into_iter()
        .enumerate()
        .map(|(index, range)| Chunk {
            id: if is_one {
                format!("source_{number}")
            } else {
                format!("source_{number}.{}", index + 1)
            },
            source,
            range,
        })
        .collect()
}

/// The ranges between empty lines, each with its trailing line ends.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut was_empty = false;
    for line in text.split_inclusive('\n') {
        let is_empty = line.trim().is_empty();
        if was_empty && !is_empty && at > start {
            found.push(start..at);
            start = at;
        }
        was_empty = is_empty;
        at += line.len();
    }
    if at > start {
        found.push(start..at);
    }
    found
}

/// Splits a range into chunks of at most [`SIZE`] bytes.
fn pieces(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = range.start;
    while range.end - start > SIZE {
        let most = text.floor_char_boundary(start + SIZE);
        let window = text.get(start..most).unwrap_or_default();
        let end = start + border(window).unwrap_or(window.len()).max(1);
        let end = text.ceil_char_boundary(end);
        found.push(start..end);
        start = end;
    }
    if start < range.end {
        found.push(start..range.end);
    }
    found
}

/// The last good split point in the second half of a window: after a sentence, else after a word. A
/// full stop within a number does not end a sentence.
fn border(window: &str) -> Option<usize> {
    let half = window.len() / 2;
    let (mut after_word, mut next) = (None, ' ');
    for (at, c) in window.char_indices().rev() {
        if at < half {
            break;
        }
        let ends_sentence = match c {
            '.' | '!' | '?' | '…' => next.is_whitespace(),
            '。' | '！' | '？' => true,
            _ => false,
        };
        if ends_sentence {
            return Some(at + c.len_utf8());
        }
        if c.is_whitespace() && after_word.is_none() {
            after_word = Some(at + c.len_utf8());
        }
        next = c;
    }
    after_word
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn short_paragraphs_stay_together_and_long_ones_are_cut_after_sentences() {
        let short = "One paragraph.\n\nAnother one.\n";
        let whole = chunks(2, short);
        assert_eq!(whole.len(), 1);
        assert_eq!(whole[0].id, "source_3");
        assert_eq!(whole[0].range, 0..short.len());
        let long = "A sentence about light. ".repeat(150);
        let cut = chunks(0, &long);
        assert_eq!(cut.len(), 3, "{cut:?}");
        assert_eq!(cut[1].id, "source_1.2");
        assert!(long[cut[0].range.clone()].ends_with('.'));
        assert!(chunks(0, " \n \n").is_empty());
    }

    proptest! {
        #[test]
        fn chunks_cover_the_source_in_order_and_are_bounded(
            words in prop::collection::vec("[a-zа-я植物]{1,30}[ .\n]{0,3}", 0..300),
        ) {
            let text: String = words.concat();
            let found = chunks(0, &text);
            let mut end = 0;
            for chunk in &found {
                let skipped = text.get(end..chunk.range.start);
                prop_assert!(skipped.is_some_and(|gap| gap.trim().is_empty()));
                prop_assert!(chunk.range.len() <= SIZE + 4);
                prop_assert!(text.get(chunk.range.clone()).is_some());
                end = chunk.range.end;
            }
            prop_assert!(text.get(end..).is_some_and(|rest| rest.trim().is_empty()));
        }
    }
}
