//! Cuts the first and last sentences off a text, roughly: a sentence ends at a
//! terminator before a space, or at a line break. It knows no languages. All
//! windows are bounded, so the work does not grow with the text.

use std::ops::Range;

use crate::letters::lower;

/// A sentence of the text.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// Where it is, with its final punctuation.
    pub(super) range: Range<usize>,
    pub(super) end: End,
}

impl Sentence {
    /// Its words in lower case, on one line, with plain apostrophes and without
    /// emphasis and final punctuation, for the patterns. `text` is the text that
    /// it was cut from. Most sentences are cut and never looked at.
    pub(super) fn plain(&self, text: &str) -> String {
        plain(text.get(self.range.clone()).unwrap_or_default())
    }
}

/// How a sentence ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Stop,
    ColonBeforeBreak,
    ColonInLine,
}

/// Framing is short; what lies further in is not looked at.
const WINDOW: usize = 1500;

/// Longer sentences are never framing, and need not be shown to patterns.
const LONGEST: usize = 600;

/// The sentences at the start of `text`, in order.
pub(super) fn first_sentences(text: &str) -> impl Iterator<Item = Sentence> {
    let end = text.floor_char_boundary(WINDOW.min(text.len()));
    // The window may have cut the last one.
    Split::new(text, 0..end).filter(move |sentence| end == text.len() || sentence.range.end < end)
}

/// The sentences at the end of `text`, in order.
pub(super) fn last_sentences(text: &str) -> Vec<Sentence> {
    let start = text.ceil_char_boundary(text.len().saturating_sub(WINDOW));
    let mut sentences: Vec<Sentence> = Split::new(text, start..text.len()).collect();
    if start > 0 && !sentences.is_empty() {
        sentences.remove(0);
    }
    sentences
}

/// The first sentence of a paragraph, if it is no longer than framing is.
fn first_sentence(paragraph: &str) -> Option<Sentence> {
    let first = first_sentences(paragraph).next()?;
    (first.range.end <= EDGE).then_some(first)
}

/// The last sentence of a paragraph, if it is no longer than framing is.
fn last_sentence(paragraph: &str) -> Option<Sentence> {
    let start = paragraph.ceil_char_boundary(paragraph.len().saturating_sub(EDGE));
    let last = Split::new(paragraph, start..paragraph.len()).last()?;
    (last.range.start > start || start == 0).then_some(last)
}

/// What is looked at for the first or last sentence of a paragraph.
const EDGE: usize = LONGEST + 40;

/// The first and the last sentence of every paragraph, in order, each once.
pub(super) fn paragraph_edges(text: &str, is_of_interest: impl Fn(&str) -> bool) -> Vec<Sentence> {
    let mut edges: Vec<Sentence> = Vec::new();
    for paragraph in paragraphs(text) {
        let part = text.get(paragraph.clone()).unwrap_or_default();
        if !is_of_interest(part) {
            continue;
        }
        let ends = [first_sentence(part), last_sentence(part)];
        for mut sentence in ends.into_iter().flatten() {
            sentence.range.start += paragraph.start;
            sentence.range.end += paragraph.start;
            if edges
                .last()
                .is_none_or(|last| last.range.start < sentence.range.start)
            {
                edges.push(sentence);
            }
        }
    }
    edges
}

/// The sentences of every paragraph that is of interest.
pub(super) fn paragraph_sentences(
    text: &str,
    is_of_interest: impl Fn(&str) -> bool,
) -> impl Iterator<Item = Vec<Sentence>> {
    paragraphs(text)
        .into_iter()
        .filter(move |paragraph| is_of_interest(text.get(paragraph.clone()).unwrap_or_default()))
        .map(|paragraph| Split::new(text, paragraph).collect())
}

/// The paragraphs that are all there is of a text or between two headings, without the
/// blanks around them.
pub(super) fn lonely_paragraphs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let all = paragraphs(text);
    let is_heading = |range: Option<&Range<usize>>| {
        let part = range.and_then(|range| text.get(range.clone()));
        part.is_none_or(|part| part.starts_with('#'))
    };
    let mut found = Vec::new();
    for (at, range) in all.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| all.get(before));
        let part = text.get(range.clone()).unwrap_or_default();
        if is_heading(before) && is_heading(all.get(at + 1)) && !part.starts_with('#') {
            let blanks = part.len() - part.trim_start().len();
            let start = range.start + blanks;
            found.push(start..start + part.trim().len());
        }
    }
    found.into_iter()
}

fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut at = 0;
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    for end in breaks.chain(std::iter::once(text.len())) {
        let line = text.get(at..end).unwrap_or_default();
        if line.trim_start().is_empty() {
            if let Some(start) = start.take() {
                found.push(start..at);
            }
        } else {
            start.get_or_insert(at);
        }
        at = end;
    }
    if let Some(start) = start {
        found.push(start..at);
    }
    found
}

/// The sentences of a window, one after the other.
struct Split<'t> {
    text: &'t str,
    /// The window, from its start.
    part: &'t str,
    window: Range<usize>,
    /// How much of the window has been read.
    read: usize,
    /// Where the next sentence starts.
    start: usize,
}

impl<'t> Split<'t> {
    fn new(text: &'t str, window: Range<usize>) -> Self {
        let part = text.get(window.clone()).unwrap_or_default();
        Self {
            text,
            part,
            start: window.start,
            window,
            read: 0,
        }
    }

    /// The next character that may end a sentence, with its offset.
    fn next_sign(&mut self) -> Option<(usize, char)> {
        let rest = self.part.as_bytes().get(self.read..)?;
        self.read += rest.iter().position(|&byte| may_end(byte))?;
        let offset = self.read;
        let sign = self.part.get(offset..)?.chars().next()?;
        self.read += sign.len_utf8();
        Some((offset, sign))
    }
}

/// Whether a character that begins with this byte may end a sentence; of those
/// that are not ASCII, `»`, `…`, `”` and the signs of Chinese do.
#[inline]
fn may_end(byte: u8) -> bool {
    matches!(
        byte,
        b'\n'
            | b'\r'
            | b'.'
            | b'!'
            | b'?'
            | b':'
            | b'*'
            | b'_'
            | b'"'
            | b')'
            | 0xC2
            | 0xE2
            | 0xE3
            | 0xEF
    )
}

impl Iterator for Split<'_> {
    type Item = Sentence;

    fn next(&mut self) -> Option<Sentence> {
        while let Some((offset, c)) = self.next_sign() {
            let next = self
                .part
                .get(self.read..)
                .and_then(|rest| rest.chars().next());
            let at_break = match c {
                '\n' | '\r' => true,
                '。' | '！' | '？' | '：' => next.is_none_or(|next| !is_terminator(next)),
                '.' | '!' | '?' | '…' | ':' | '*' | '_' | '"' | '”' | '»' | ')' => {
                    next.is_none_or(char::is_whitespace) && ends_sentence(self.part, offset)
                }
                _ => false,
            };
            if at_break {
                let end = self.window.start + offset + c.len_utf8();
                let found = sentence(self.text, self.start..end);
                self.start = end;
                if found.is_some() {
                    return found;
                }
            }
        }
        let rest = self.start..self.window.end;
        self.start = self.window.end;
        sentence(self.text, rest)
    }
}

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | ':' | '。' | '！' | '？' | '：')
}

/// Whether the character at `offset` is a terminator, or closes emphasis or a
/// quotation right after one.
fn ends_sentence(part: &str, offset: usize) -> bool {
    part.get(..=offset)
        .or_else(|| part.get(..part.ceil_char_boundary(offset + 1)))
        .unwrap_or_default()
        .chars()
        .rev()
        .take(4)
        .find(|c| !matches!(c, '*' | '_' | '"' | '”' | '»' | ')'))
        .is_some_and(is_terminator)
}

fn sentence(text: &str, range: Range<usize>) -> Option<Sentence> {
    let part = text.get(range.clone()).unwrap_or_default();
    let blank = |c: char| c.is_whitespace() || c == '\u{FEFF}';
    let from_start = part.trim_start_matches(blank);
    let trimmed = from_start.trim_end_matches(blank);
    if trimmed.is_empty() {
        return None;
    }
    let start = range.start + (part.len() - from_start.len());
    let end = start + trimmed.len();
    let bare = trimmed.trim_matches(['*', '_']);
    let sentence_end = if bare.ends_with([':', '：']) {
        let rest = text.get(end..).unwrap_or_default();
        let same_line = rest.split('\n').next().unwrap_or_default();
        if same_line.trim().is_empty() {
            End::ColonBeforeBreak
        } else {
            End::ColonInLine
        }
    } else {
        End::Stop
    };
    Some(Sentence {
        range: start..end,
        end: sentence_end,
    })
}

/// The sentence as the patterns want to see it. Emoji at its edges say nothing.
fn plain(sentence: &str) -> String {
    if sentence.len() > LONGEST {
        return String::new();
    }
    let words = sentence.trim_matches(|c: char| {
        is_terminator(c)
            || c.is_whitespace()
            || matches!(
                c,
                '¡' | '¿' | '*' | '_' | '\u{200D}' | '\u{FE0F}' | '\u{2600}'..='\u{27BF}' | '\u{1F300}'..='\u{1FAFF}'
            )
    });
    let mut out = String::with_capacity(words.len());
    for word in words.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        if word.is_ascii() {
            let start = out.len();
            out.push_str(word);
            out[start..].make_ascii_lowercase();
            continue;
        }
        out.extend(word.chars().map(|c| match lower(c) {
            '’' | '‘' | 'ʼ' => '\'',
            'ё' => 'е',
            '‑' => '-',
            other => other,
        }));
    }
    out
}
