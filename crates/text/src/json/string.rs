//! What a string says: decoding between its quotes, whose position is already
//! known, with the map back to the source and a list of what was odd. It does
//! not decide where strings end and records nothing itself.

use std::ops::Range;

use memchr::memchr2;

use super::escape::{EscapeStyle, code_unit};
use super::tree::Quotes;
use super::trivia::Text;
use crate::text_map::{Escape, TextMap};

/// Replacements in the source.
pub(super) type Edits = Vec<(Range<usize>, String)>;

/// A decoded string and its faults.
pub(super) struct Decoded {
    pub(super) text: String,
    pub(super) map: TextMap,
    /// Where the inside ends: earlier than asked if the text was cut within an
    /// escape, which then belongs to nothing.
    pub(super) end: usize,
    pub(super) faults: Faults,
}

/// What was odd inside a string.
#[derive(Default)]
pub(super) struct Faults {
    /// Escapes for raw control characters.
    pub(super) controls: Edits,
    /// Backslashes for raw double quotes.
    pub(super) quotes: Edits,
    /// Mended invalid escapes.
    pub(super) escapes: Edits,
    /// Escapes of the odd quotes themselves, which JSON writes plainly.
    pub(super) odd_quote_escapes: Edits,
    pub(super) lone_surrogates: Vec<Range<usize>>,
}

/// Whether the text ends with the string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    Whole,
    Cut,
}

/// Decodes `inner`.
///
/// An invalid escape keeps its backslash, as those who write LaTeX or regular
/// expressions mean it; only `\'` loses it.
pub(super) fn decode(source: Text<'_>, inner: Range<usize>, quotes: Quotes, tail: Tail) -> Decoded {
    let mut decoder = Decoder {
        source: Text(source.slice(0..inner.end)),
        quotes,
        tail,
        text: String::new(),
        escapes: Vec::new(),
        faults: Faults::default(),
    };
    let mut at = inner.start;
    let end = loop {
        let rest = decoder.source.bytes().get(at..).unwrap_or_default();
        let special = memchr2(b'\\', b'"', rest);
        let run = special.map_or(inner.end, |found| at + found);
        decoder.plain(at..run);
        match decoder.source.byte(run) {
            None => break inner.end,
            Some(b'"') => {
                decoder.text.push('"');
                decoder.faults.quotes.push((run..run, "\\".to_owned()));
                at = run + 1;
            }
            Some(_) => match decoder.escape(run) {
                Some(next) => at = next,
                None => break run,
            },
        }
    };
    Decoded {
        map: TextMap::with_escapes(inner.start..end, decoder.escapes),
        text: decoder.text,
        end,
        faults: decoder.faults,
    }
}

struct Decoder<'s> {
    source: Text<'s>,
    quotes: Quotes,
    tail: Tail,
    text: String,
    escapes: Vec<Escape>,
    faults: Faults,
}

impl Decoder<'_> {
    /// Text that needs no decoding; control characters in it are noted.
    fn plain(&mut self, run: Range<usize>) {
        let slice = self.source.slice(run.clone());
        self.text.push_str(slice);
        // Folding without a way out lets the compiler look at many bytes at once.
        let any_control = slice.bytes().fold(false, |any, byte| any | (byte < b' '));
        if !any_control {
            return;
        }
        for (offset, byte) in slice.bytes().enumerate().filter(|&(_, byte)| byte < b' ') {
            let at = run.start + offset;
            let escaped = EscapeStyle::default().escape(&char::from(byte).to_string());
            self.faults.controls.push((at..at + 1, escaped));
        }
    }

    /// The escape whose backslash is at `at`; gives where it ends, or nothing if
    /// the text was cut within it.
    fn escape(&mut self, at: usize) -> Option<usize> {
        let Some(next) = self.source.char(at + 1) else {
            if self.tail == Tail::Cut {
                return None;
            }
            return Some(self.invalid(at, None));
        };
        let plain = match next {
            '"' | '\\' | '/' => next,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(at),
            '\'' | '`' if self.escapes_odd_quote(next) => {
                let edit = (at..at + 2, next.to_string());
                self.faults.odd_quote_escapes.push(edit);
                next
            }
            '\'' => {
                self.faults.escapes.push((at..at + 2, "'".to_owned()));
                next
            }
            other => return Some(self.invalid(at, Some(other))),
        };
        Some(self.push_escape(at, plain, 2))
    }

    const fn escapes_odd_quote(&self, quote: char) -> bool {
        match self.quotes {
            Quotes::Single | Quotes::TypographicSingle => quote == '\'',
            Quotes::Backtick => true,
            _ => false,
        }
    }

    /// `\uXXXX`, alone or as a pair of surrogates.
    fn unicode(&mut self, at: usize) -> Option<usize> {
        let bytes = self.source.bytes();
        let Some(unit) = code_unit(bytes, at + 2) else {
            let digits = bytes.get(at + 2..).unwrap_or_default();
            if self.tail == Tail::Cut
                && digits.len() < 4
                && digits.iter().all(u8::is_ascii_hexdigit)
            {
                return None;
            }
            return Some(self.invalid(at, Some('u')));
        };
        if let Some(plain) = char::from_u32(u32::from(unit)) {
            return Some(self.push_escape(at, plain, 6));
        }
        let low = (bytes.get(at + 6..at + 8) == Some(b"\\u".as_slice()))
            .then(|| code_unit(bytes, at + 8))
            .flatten();
        let pair = low.and_then(|low| char::decode_utf16([unit, low]).next()?.ok());
        if let Some(joined) = pair {
            return Some(self.push_escape(at, joined, 12));
        }
        self.faults.lone_surrogates.push(at..at + 6);
        Some(self.push_escape(at, char::REPLACEMENT_CHARACTER, 6))
    }

    /// Keeps the backslash and the character after it. A control character is
    /// left to the next run, where it is noted as one.
    fn invalid(&mut self, at: usize, next: Option<char>) -> usize {
        self.faults.escapes.push((at..at, "\\".to_owned()));
        let decoded = self.text.len();
        self.text.push('\\');
        let next = next.filter(|&c| c >= ' ');
        if let Some(next) = next {
            self.text.push(next);
        }
        let len = 1 + next.map_or(0, char::len_utf8);
        self.push_piece(decoded, at, len);
        at + len
    }

    fn push_escape(&mut self, at: usize, plain: char, len: usize) -> usize {
        let decoded = self.text.len();
        self.text.push(plain);
        self.push_piece(decoded, at, len);
        at + len
    }

    fn push_piece(&mut self, decoded: usize, source: usize, len: usize) {
        let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.escapes.push(Escape {
            decoded,
            decoded_len: short(self.text.len() - decoded),
            source,
            source_len: short(len),
        });
    }
}
