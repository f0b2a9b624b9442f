//! Any text through the Markdown analysis: every range exists, lists of ranges
//! are in order, and the outline loses no byte.

use crate::assert_on_text;
use redraft_text::markdown::{analyse, outline, preamble};
use std::ops::Range;

pub(crate) fn holds(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let markdown = analyse(text);
    for block in &markdown.blocks {
        assert_on_text(text, &block.span);
        assert_on_text(text, &block.content);
        assert!(block.span.start <= block.content.start && block.content.end <= block.span.end);
    }
    for ranges in [
        &markdown.prose,
        &markdown.verbatim,
        &markdown.code,
        &markdown.comments,
    ] {
        assert_in_order(text, ranges);
    }
    for prose in &markdown.prose {
        assert!(!markdown.is_verbatim(prose.start), "{prose:?}");
        let _ = markdown.plain_text(text, prose.clone());
    }
    let mut at = preamble(&markdown, text).end;
    for entry in outline(&markdown, text) {
        assert_eq!(at, entry.heading.start, "a gap before {entry:?}");
        assert_eq!(entry.heading.end, entry.body.start);
        assert_on_text(text, &entry.extent);
        at = entry.body.end;
    }
    assert_eq!(at, text.len());
}

fn assert_in_order(text: &str, ranges: &[Range<usize>]) {
    let mut at = 0;
    for range in ranges {
        assert_on_text(text, range);
        assert!(at <= range.start, "{range:?} starts before {at}");
        at = range.end;
    }
}
