//! The part of the builder that reads fences and HTML blocks off the source,
//! since the parser tells too little about them.

use super::super::block::Fence;
use super::super::line_edges::{line_end, line_start, next_line};
use super::Builder;
use memchr::{memchr, memmem};
use std::ops::Range;

impl Builder<'_> {
    pub(super) fn opening_fence(&self, start: usize) -> Fence {
        let bytes = self.text.as_bytes();
        let line = &bytes[start..line_end(self.text, start)];
        let opening = start..start + line.trim_ascii_end().len();
        let marker = bytes.get(start).copied().unwrap_or(b'`');
        let length = bytes[opening.clone()]
            .iter()
            .take_while(|&&b| b == marker)
            .count();
        let line = &bytes[line_start(self.text, start)..start];
        let indent = line
            .iter()
            .rev()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
        let info = self.text.get(start + length..opening.end).unwrap_or("");
        Fence {
            marker: char::from(marker),
            length,
            indent,
            info: info.trim().to_owned(),
            closing: None,
            body: opening.end..opening.end,
            opening,
        }
    }

    /// The parser does not say whether a fence is closed, but it reports every
    /// line of the body (`hull`): the markers after the body are the closing
    /// fence. Between the two are only prefixes of containers.
    pub(super) fn close_fence(&self, fence: &mut Fence, span: &Range<usize>, hull: &Range<usize>) {
        let body_start = next_line(self.text, fence.opening.end).min(span.end);
        let after = hull.end.max(body_start);
        let marker = u8::try_from(fence.marker).unwrap_or(b'`');
        let rest = &self.text.as_bytes()[after..span.end];
        match memchr(marker, rest) {
            Some(found) => {
                let at = after + found;
                let line = line_start(self.text, at).max(body_start);
                fence.closing = Some(at..span.end);
                fence.body = body_start..line;
            }
            None => fence.body = body_start..span.end,
        }
    }

    /// Collects the comments of an HTML block; returns the text outside them.
    pub(super) fn find_comments(&mut self, span: &Range<usize>) -> Range<usize> {
        let bytes = &self.text.as_bytes()[..span.end];
        let mut shown: Option<Range<usize>> = None;
        let mut show = |from: usize, to: usize| {
            let between = &bytes[from..to];
            let trimmed = between.trim_ascii_start();
            if !trimmed.is_empty() {
                let first = to - trimmed.len();
                let last = first + trimmed.trim_ascii_end().len();
                shown = Some(shown.as_ref().map_or(first, |s| s.start)..last);
            }
        };
        let mut at = span.start;
        while let Some(found) = memmem::find(&bytes[at..], b"<!--") {
            let start = at + found;
            // `<!-->` is a whole comment.
            let end = memmem::find(&bytes[start + 2..], b"-->")
                .map_or(span.end, |close| start + 2 + close + 3);
            show(at, start);
            self.md.comments.push(start..end);
            at = end;
        }
        show(at, span.end);
        shown.unwrap_or(span.end..span.end)
    }
}
