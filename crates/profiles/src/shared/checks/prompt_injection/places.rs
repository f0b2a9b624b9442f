//! The places of a file that no learner reads: keys and values of JSON that are no
//! text of the document, and what stands around the content.

use std::ops::Range;

use redraft_gate::content::Document;

use super::search::{Suspicion, frames, search};
use crate::fields::outside_texts;

/// What is suspicious outside the document's texts, in ranges of the source's text.
pub(super) fn beside_texts(document: &Document) -> Vec<Suspicion> {
    let source = document.source().text();
    let gaps = || outside_texts(document, &(0..source.len()));
    let mut found = Vec::new();
    let mut joined = Joined::default();
    for gap in gaps() {
        let text = source.get(gap.clone()).unwrap_or_default();
        // Braces, commas and the names of a few fields say nothing.
        if text.len() < 16 {
            continue;
        }
        joined.add(text, gap.start);
        if joined.text.len() >= ENOUGH {
            joined.search(&mut found);
        }
    }
    joined.search(&mut found);
    // Tools keep scores beside a lesson; that alone addresses nobody.
    for gap in gaps() {
        let text = source.get(gap.clone()).unwrap_or_default();
        found.extend(frames(text).map(|mut frame| {
            frame.range = gap.start + frame.range.start..gap.start + frame.range.end;
            frame.milder()
        }));
    }
    found
}

/// Bytes of gaps that are searched at once. Gaps are paragraphs of their own, so that nothing
/// is lost between them, and a large bank is never copied as a whole.
const ENOUGH: usize = 1 << 20;

/// Gaps as one text: each string of JSON a paragraph, a key with its value.
#[derive(Default)]
struct Joined {
    text: String,
    /// Where stretches of the text came from, in order.
    origins: Vec<(usize, usize)>,
}

impl Joined {
    /// Adds what is suspicious in the text so far, and begins anew.
    fn search(&mut self, found: &mut Vec<Suspicion>) {
        let words = search(&self.text).into_iter();
        found.extend(words.filter(|one| !one.is_frame()).map(|mut suspicion| {
            suspicion.range = self.original(&suspicion.range);
            suspicion
        }));
        self.text.clear();
        self.origins.clear();
    }

    fn add(&mut self, text: &str, start: usize) {
        let mut in_string = false;
        let mut chars = text.char_indices();
        self.separate("\n\n", start);
        while let Some((at, c)) = chars.next() {
            let at = start + at;
            match c {
                '"' => {
                    in_string = !in_string;
                    let ends_pair = !in_string && !chars.as_str().trim_start().starts_with(':');
                    self.separate(if ends_pair { "\n\n" } else { " " }, at);
                }
                '\\' if in_string => {
                    let escaped = chars.as_str();
                    match escaped.chars().next() {
                        Some('n' | 't' | 'r') => {
                            chars.next();
                            self.separate(" ", at);
                        }
                        Some('"') => {
                            chars.next();
                            self.push('"', at);
                        }
                        _ => self.push(c, at),
                    }
                }
                '{' | '}' | '[' | ']' | ',' if !in_string => self.separate("\n\n", at),
                // Names of fields have underscores for blanks.
                '_' => self.push(' ', at),
                _ => self.push(c, at),
            }
        }
    }

    fn push(&mut self, c: char, at: usize) {
        let here = self.text.len();
        let in_step = self
            .origins
            .last()
            .is_some_and(|(text, source)| here - text == at - source);
        if !in_step {
            self.origins.push((here, at));
        }
        self.text.push(c);
    }

    fn separate(&mut self, separator: &str, at: usize) {
        if !self.text.ends_with(separator) && !self.text.is_empty() {
            self.origins.push((self.text.len(), at));
            self.text.push_str(separator);
        }
    }

    fn original(&self, range: &Range<usize>) -> Range<usize> {
        let at = |offset: usize| {
            let next = self.origins.partition_point(|(text, _)| *text <= offset);
            let before = next
                .checked_sub(1)
                .and_then(|index| self.origins.get(index));
            before.map_or(0, |(text, source)| source + (offset - text))
        };
        let start = at(range.start);
        start..at(range.end.saturating_sub(1)).max(start) + 1
    }
}
