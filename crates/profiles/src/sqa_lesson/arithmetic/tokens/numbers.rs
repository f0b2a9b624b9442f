//! Numbers in a text: digits, groups of three, decimals, vulgar fractions, with the
//! sign before them and the unit after them.

use super::{Number, Scanner, Token, TokenKind, fraction, is_times};
use crate::sqa_lesson::arithmetic::rational::Rational;
use crate::sqa_lesson::arithmetic::units::{self, Unit};

/// Maximum digits of a number.
const LONGEST: usize = 18;

impl Scanner<'_> {
    pub(super) fn number(&mut self) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let digits_from = |from: usize| {
            bytes
                .get(from..)
                .unwrap_or_default()
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count()
        };
        let mut end = start + digits_from(start);
        let whole = end - start;
        let mut groups = 0;
        let mut is_odd = self.before().is_some_and(char::is_alphabetic);
        while bytes.get(end) == Some(&b',') && digits_from(end + 1) > 0 {
            let group = digits_from(end + 1);
            is_odd |= group != 3 || (groups == 0 && whole > 3);
            groups += 1;
            end += 1 + group;
        }
        let mut decimals = 0;
        if bytes.get(end) == Some(&b'.') && digits_from(end + 1) > 0 {
            decimals = digits_from(end + 1);
            end += 1 + decimals;
        }
        // `1.2.3` has a digit after the second point, `3.14.` does not.
        if bytes.get(end) == Some(&b'.') && digits_from(end + 1) > 0 {
            is_odd = true;
            while bytes.get(end) == Some(&b'.') && digits_from(end + 1) > 0 {
                end += 1 + digits_from(end + 1);
            }
        }
        let written = self.text.get(start..end).unwrap_or_default();
        let digits: String = written.chars().filter(char::is_ascii_digit).collect();
        let decimals = u32::try_from(decimals).unwrap_or(u32::MAX);
        let value = (!is_odd && digits.len() <= LONGEST)
            .then(|| Rational::from_digits(&digits, decimals))
            .flatten();
        let Some(value) = value else {
            self.push(TokenKind::Unknown, end - start);
            return;
        };
        let number = Number {
            value,
            decimals,
            percent: false,
            is_fraction: false,
            unit: None,
            is_group: digits.len() == 3 && decimals == 0,
        };
        self.measured(number, start, end);
    }

    pub(super) fn vulgar_fraction(&mut self, c: char) {
        let (numerator, denominator) = match c {
            '½' => (1, 2),
            '¼' => (1, 4),
            '¾' => (3, 4),
            '⅓' => (1, 3),
            '⅔' => (2, 3),
            '⅕' => (1, 5),
            '⅖' => (2, 5),
            '⅗' => (3, 5),
            '⅘' => (4, 5),
            '⅙' => (1, 6),
            '⅚' => (5, 6),
            '⅛' => (1, 8),
            '⅜' => (3, 8),
            '⅝' => (5, 8),
            _ => (7, 8),
        };
        let end = self.at + c.len_utf8();
        if let Some(value) = Rational::new(numerator, denominator) {
            let number = fraction(value);
            self.measured(number, self.at, end);
        } else {
            self.at = end;
        }
    }

    /// Adds a number with the sign before it and the unit after it.
    fn measured(&mut self, mut number: Number, start: usize, mut end: usize) {
        let before = self
            .text
            .get(..start)
            .unwrap_or_default()
            .trim_end_matches([' ', '*', '\\', ',']);
        let mut from = start;
        if before.ends_with(['£', '€'])
            || before.ends_with("\\pounds")
            || (before.ends_with('$') && before.len() == start)
        {
            number.unit = before.ends_with('£').then_some(Unit::POUND);
            if before.ends_with('£') {
                from = before.len() - '£'.len_utf8();
            }
        }
        let after = self.text.get(end..).unwrap_or_default();
        let percent = ["%", "\\%", " %"]
            .iter()
            .find(|sign| after.starts_with(**sign))
            .map_or(0, |sign| sign.len());
        if percent > 0 {
            number.percent = true;
            end += percent;
        } else if let Some((unit, len)) = units::leading(after) {
            // `£1.65p` is a mistake that lessons talk about.
            number.unit = number.unit.or(Some(unit));
            end += len;
        } else if after.starts_with(char::is_alphabetic)
            && !after.starts_with("x ")
            && !is_times(after)
        {
            // `3x`, `2nd`, `5k`.
            let word: usize = after
                .chars()
                .take_while(|c| c.is_alphanumeric())
                .map(char::len_utf8)
                .sum();
            self.at = start;
            self.push(TokenKind::Unknown, end + word - start);
            return;
        }
        self.at = end;
        self.tokens.push(Token {
            kind: TokenKind::Number(number),
            range: from..end,
        });
    }
}
