//! The text as the scanner walks it, and what may come between two tokens:
//! white space, comments, stray control characters. No grammar, no tree.

use std::ops::Range;

use memchr::{memchr2, memmem};

use super::recovery::{Reading, Recoveries, RecoveryKind};

/// The source up to where scanning has to stop. All offsets are absolute.
#[derive(Clone, Copy)]
pub(super) struct Text<'s>(pub(super) &'s str);

/// White space that was skipped.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    /// The first offset that is not white space.
    pub(super) at: usize,
    /// Whether a line ended in between.
    pub(super) newline: bool,
}

impl<'s> Text<'s> {
    pub(super) const fn len(self) -> usize {
        self.0.len()
    }

    pub(super) const fn bytes(self) -> &'s [u8] {
        self.0.as_bytes()
    }

    pub(super) fn byte(self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    pub(super) fn char(self, at: usize) -> Option<char> {
        self.0.get(at..).and_then(|rest| rest.chars().next())
    }

    pub(super) fn slice(self, range: Range<usize>) -> &'s str {
        self.0.get(range).unwrap_or_default()
    }

    pub(super) fn starts_with(self, at: usize, what: &str) -> bool {
        self.bytes()
            .get(at..)
            .is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    /// Skips white space of every kind, and control characters.
    pub(super) fn skip_space(self, from: usize) -> Gap {
        let mut gap = Gap {
            at: from,
            newline: false,
        };
        while let Some(byte) = self.byte(gap.at) {
            match byte {
                b'\n' | b'\r' => gap.newline = true,
                0..=b' ' | 0x7f => {}
                0x80.. => match self.char(gap.at) {
                    Some(c) if is_odd_space(c) => gap.at += c.len_utf8() - 1,
                    _ => break,
                },
                _ => break,
            }
            gap.at += 1;
        }
        gap
    }

    /// Whether a comment starts here.
    pub(super) fn comment_at(self, at: usize) -> bool {
        match self.byte(at) {
            Some(b'/') => matches!(self.byte(at + 1), Some(b'/' | b'*')),
            Some(b'#') => true,
            _ => false,
        }
    }

    /// Whether `...` is here instead of values.
    pub(super) fn ellipsis_at(self, at: usize) -> Option<usize> {
        let len = ["...", "…"]
            .into_iter()
            .find(|dots| self.starts_with(at, dots))?
            .len();
        let next = self.skip_space(at + len).at;
        let ends = matches!(
            self.byte(next),
            None | Some(b',' | b']' | b'}' | b'/' | b'#')
        );
        ends.then_some(at + len)
    }

    /// Where the comment that starts at `at` ends: before its line break, or
    /// after its `*/`, or at the end of the text.
    fn comment_end(self, at: usize) -> usize {
        let rest = self.bytes().get(at..).unwrap_or_default();
        if rest.starts_with(b"/*") {
            let inner = rest.get(2..).unwrap_or_default();
            memmem::find(inner, b"*/").map_or(self.len(), |found| at + 2 + found + 2)
        } else {
            memchr2(b'\n', b'\r', rest).map_or(self.len(), |found| at + found)
        }
    }
}

/// How a `#` is read: as a comment, or, where a value may start and a letter
/// or digit follows (`#fff`), as part of a bare word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hash {
    Comment,
    MayBeWord,
}

/// Skips everything between two tokens and records what JSON does not allow.
pub(super) fn skip(text: Text<'_>, from: usize, hash: Hash, found: &mut Recoveries) -> Gap {
    let mut gap = Gap {
        at: from,
        newline: false,
    };
    while let Some(byte) = text.byte(gap.at) {
        let start = gap.at;
        match byte {
            b'\n' | b'\r' => {
                gap.newline = true;
                gap.at += 1;
            }
            b' ' | b'\t' => gap.at += 1,
            0..b' ' | 0x7f => {
                while matches!(
                    text.byte(gap.at),
                    Some(0..=8 | 0xb | 0xc | 0xe..=0x1f | 0x7f)
                ) {
                    gap.at += 1;
                }
                found.replace(
                    RecoveryKind::StrayControl,
                    start..gap.at,
                    "",
                    Reading::Certain,
                );
            }
            b'/' | b'#' if text.comment_at(gap.at) => {
                let next = text.char(gap.at + 1);
                if byte == b'#'
                    && hash == Hash::MayBeWord
                    && next.is_some_and(char::is_alphanumeric)
                {
                    break;
                }
                gap.at = text.comment_end(start);
                // `/* 8 more items */` says that something was left out.
                let comment = text.slice(start..gap.at);
                let leaves_out = comment.contains("...")
                    || comment.contains('…')
                    || comment.contains(|c: char| c.is_ascii_digit());
                let reading = Reading::certain_if(!leaves_out);
                found.replace(RecoveryKind::Comment, start..gap.at, "", reading);
            }
            0x80.. => {
                while let Some(c) = text.char(gap.at).filter(|&c| is_odd_space(c)) {
                    gap.at += c.len_utf8();
                }
                if gap.at == start {
                    break;
                }
                found.replace(RecoveryKind::OddSpace, start..gap.at, " ", Reading::Certain);
            }
            _ => break,
        }
    }
    gap
}

/// Space that JSON does not know: Unicode white space, and marks without width.
pub(super) fn is_odd_space(c: char) -> bool {
    !c.is_ascii()
        && (c.is_whitespace()
            || matches!(
                c,
                '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
            ))
}
