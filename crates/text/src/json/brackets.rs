//! Brackets that do not fit: which container a closing bracket closes, what
//! ends without one, what is nested too deep. The part of the grammar that
//! looks at more than the innermost container; it reads no values.

use super::quotes;
use super::recovery::{Reading, RecoveryKind};
use super::scan::{Expect, Scanner, Shape};
use super::tree::Kind;

/// How many closing brackets in a row are looked at when one does not fit.
const CLOSERS_WINDOW: usize = 32;

impl Scanner<'_> {
    /// An object that is an element of an array cannot go on with a container
    /// where a key belongs: it was not closed, and the next element begins.
    pub(super) fn end_object_in_array(&mut self) -> bool {
        let below = self
            .stack
            .len()
            .checked_sub(2)
            .and_then(|i| self.stack.get(i));
        if below.is_none_or(|frame| frame.shape != Shape::Array) {
            return false;
        }
        let comma = self.stack.last().and_then(|frame| frame.comma);
        self.close_without_bracket();
        if let (Some(comma), Some(frame)) = (comma, self.stack.last_mut()) {
            frame.comma = Some(comma);
            frame.expect = Expect::Item;
        }
        true
    }

    /// A closing bracket. If it is of the wrong kind, either it was mistyped, or
    /// the containers above the one it fits were not closed: whichever fits
    /// better with what comes next.
    pub(super) fn closer(&mut self, byte: u8) {
        let shape = Shape::of(byte);
        let depth = self.stack.len();
        let fits = self.stack.iter().rposition(|frame| frame.shape == shape);
        if fits.is_some_and(|fits| fits + 1 == depth) {
            self.trailing_comma();
            self.at += 1;
            return self.close(self.at);
        }
        let mistyped = 1 + self.misfit(depth - 1);
        match fits {
            Some(fits) if depth - 1 - fits + self.misfit(fits) <= mistyped => {
                while self.stack.len() > fits + 1 {
                    self.trailing_comma();
                    self.close_without_bracket();
                }
            }
            _ => {
                self.trailing_comma();
                if let Some(frame) = self.stack.last() {
                    let span = self.at..self.at + 1;
                    let with = frame.shape.closer();
                    self.found
                        .replace(RecoveryKind::WrongBracket, span, with, Reading::Doubtful);
                }
                self.at += 1;
                self.close(self.at);
            }
        }
    }

    fn trailing_comma(&mut self) {
        if let Some(comma) = self.stack.last_mut().and_then(|frame| frame.comma.take()) {
            let span = comma..comma + 1;
            // A semicolon instead of a comma already has an edit of its own.
            if self.text.byte(comma) == Some(b',') {
                self.found
                    .replace(RecoveryKind::TrailingComma, span, "", Reading::Certain);
            }
        }
    }

    fn close_without_bracket(&mut self) {
        let Some(frame) = self.stack.last() else {
            return;
        };
        let (at, closer) = (frame.last_end, frame.shape.closer());
        self.found
            .insert(RecoveryKind::MissingBracket, at, closer, Reading::Doubtful);
        self.close(at);
    }

    /// How badly what follows the bracket at the current offset fits if `depth`
    /// containers are open then: brackets of the wrong kind or too many, too few
    /// at the end of the text, a comma that goes on wrongly.
    fn misfit(&self, mut depth: usize) -> usize {
        let shape_at = |depth: usize| {
            let top = depth.checked_sub(1)?;
            self.stack.get(top).map(|frame| frame.shape)
        };
        let mut misfit = 0;
        let mut at = self.at + 1;
        for _ in 0..CLOSERS_WINDOW {
            at = self.text.skip_space(at).at;
            match (self.text.byte(at), shape_at(depth)) {
                (None, _) => return misfit + depth,
                (Some(b'}' | b']'), None) => misfit += 1,
                (Some(byte @ (b'}' | b']')), Some(shape)) => {
                    misfit += usize::from(shape != Shape::of(byte));
                    depth -= 1;
                }
                (Some(b','), None) => return misfit + 1,
                (Some(b','), Some(shape)) => {
                    let next = self.text.skip_space(at + 1).at;
                    let key = quotes::key_at(self.text, next);
                    return misfit + usize::from(key != (shape == Shape::Object));
                }
                _ => return misfit,
            }
            at += 1;
        }
        misfit
    }

    /// Skips a value that is nested too deep: to its closing bracket, whatever
    /// kind the brackets inside are, with strings respected.
    pub(super) fn skip_deep(&mut self) {
        let start = self.at;
        let mut depth = 0_usize;
        let mut in_string = false;
        let bytes = self.text.bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\\' if in_string => self.at += 1,
                b'"' => in_string = !in_string,
                b'[' | b'{' if !in_string => depth += 1,
                b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        self.at = self.at.min(self.text.len());
        while !self.text.0.is_char_boundary(self.at) {
            self.at += 1;
        }
        if !self.too_deep {
            self.too_deep = true;
            let span = start..self.at;
            self.found
                .push(RecoveryKind::TooDeep, span, Vec::new(), Reading::Doubtful);
        }
        self.add(Kind::Invalid, start..self.at, 0);
    }
}
