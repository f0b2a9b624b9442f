//! Calculates one side of an equation. A side can be read in more than one way
//! (`£50 + 20%`, `1 1/2`, `6 ÷ 2/3`), so the reading is a parameter. Knows
//! nothing of equations.

use super::rational::Rational;
use super::tokens::{Number, Operation, Token, TokenKind};

#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// Converts numbers with units to the smallest unit.
    pub(super) converts: bool,
    /// `£50 + 20%` adds 20% of the £50.
    pub(super) percent_of_it: bool,
    /// `6 ÷ 2/3` divides by two thirds; otherwise from left to right.
    pub(super) slash_first: bool,
    /// `2\frac{1}{2}` is two and a half; otherwise twice a half.
    pub(super) mixed: bool,
}

/// All readings, the plainest first.
pub(super) fn readings() -> impl Iterator<Item = Reading> {
    (0..16_u8).map(|bits| Reading {
        converts: bits & 1 != 0,
        percent_of_it: bits & 2 == 0,
        slash_first: bits & 4 == 0,
        mixed: bits & 8 == 0,
    })
}

/// The value of a side; `None` if it is not an expression, or its numbers get too
/// large.
pub(super) fn value(tokens: &[Token], reading: Reading) -> Option<Rational> {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        reading,
    };
    let value = parser.sum()?;
    (parser.at == tokens.len()).then_some(value)
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    reading: Reading,
}

/// Maximum depth of nested brackets.
const DEEPEST: usize = 16;

impl Parser<'_> {
    fn peek(&self) -> Option<&TokenKind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn operation(&self) -> Option<Operation> {
        match self.peek() {
            Some(TokenKind::Operation(operation)) => Some(*operation),
            _ => None,
        }
    }

    fn sum(&mut self) -> Option<Rational> {
        // 50% + 20% is 70%, but £50 + 20% is £60.
        let starts_with_percent = self.is_lone_percent();
        let mut value = self.product()?;
        while let Some(operation @ (Operation::Plus | Operation::Minus | Operation::SpacedMinus)) =
            self.operation()
        {
            self.at += 1;
            let is_percent = self.is_lone_percent();
            let mut term = self.product()?;
            if is_percent && !starts_with_percent && self.reading.percent_of_it {
                term = term.multiply(value)?;
            }
            value = if operation == Operation::Plus {
                value.add(term)?
            } else {
                value.subtract(term)?
            };
        }
        Some(value)
    }

    /// Whether the next token is a percentage that is not multiplied.
    fn is_lone_percent(&self) -> bool {
        let is_percent = matches!(
            self.peek(),
            Some(TokenKind::Number(Number { percent: true, .. }))
        );
        let after = self.tokens.get(self.at + 1).map(|token| &token.kind);
        is_percent
            && !matches!(
                after,
                Some(TokenKind::Operation(
                    Operation::Times | Operation::Divide | Operation::Of | Operation::Slash
                ))
            )
    }

    fn product(&mut self) -> Option<Rational> {
        let mut value = self.fraction()?;
        loop {
            match self.operation() {
                Some(Operation::Times | Operation::Of) => {
                    self.at += 1;
                    value = value.multiply(self.fraction()?)?;
                }
                Some(Operation::Divide) => {
                    self.at += 1;
                    value = value.divide(self.fraction()?)?;
                }
                Some(Operation::Slash) if !self.reading.slash_first => {
                    self.at += 1;
                    value = value.divide(self.fraction()?)?;
                }
                // `2(3 + 4)`.
                None if self.peek() == Some(&TokenKind::Open) => {
                    value = value.multiply(self.fraction()?)?;
                }
                _ => return Some(value),
            }
        }
    }

    /// Operands joined by slashes without spaces.
    fn fraction(&mut self) -> Option<Rational> {
        let mut value = self.power()?;
        while self.reading.slash_first && self.operation() == Some(Operation::Slash) {
            self.at += 1;
            value = value.divide(self.power()?)?;
        }
        Some(value)
    }

    fn power(&mut self) -> Option<Rational> {
        let value = self.operand()?;
        if self.operation() != Some(Operation::Power) {
            return Some(value);
        }
        self.at += 1;
        let exponent = self.operand()?.as_whole()?;
        value.power(
            u32::try_from(exponent)
                .ok()
                .filter(|exponent| *exponent <= 30)?,
        )
    }

    fn operand(&mut self) -> Option<Rational> {
        match self.peek()?.clone() {
            TokenKind::Number(number) => {
                self.at += 1;
                let value = self.measured(&number)?;
                self.mixed(&number, value)
            }
            TokenKind::Open | TokenKind::OpenFraction if self.depth < DEEPEST => {
                self.at += 1;
                self.depth += 1;
                let value = self.sum()?;
                self.depth -= 1;
                (self.peek() == Some(&TokenKind::Close)).then_some(())?;
                self.at += 1;
                Some(value)
            }
            TokenKind::Operation(Operation::Minus) => {
                self.at += 1;
                match self.peek()? {
                    TokenKind::Number(_) => Some(self.operand()?.negated()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn measured(&self, number: &Number) -> Option<Rational> {
        if number.percent {
            return number.value.multiply(Rational::HUNDREDTH);
        }
        match number.unit.filter(|_| self.reading.converts) {
            Some(unit) => number.value.multiply(unit.scale()),
            None => Some(number.value),
        }
    }

    /// `1 1/2`, `1½`, `1\frac{1}{2}`: a whole number and a fraction.
    fn mixed(&mut self, number: &Number, value: Rational) -> Option<Rational> {
        if !number.value.is_whole() || number.percent {
            return Some(value);
        }
        let scale = value.divide(number.value).unwrap_or(Rational::ONE);
        let tokens = self.tokens.get(self.at..).unwrap_or_default();
        let fraction = match tokens {
            [
                Token {
                    kind: TokenKind::Number(fraction),
                    ..
                },
                ..,
            ] if fraction.is_fraction => {
                self.at += 1;
                fraction.value
            }
            [
                Token {
                    kind: TokenKind::Number(top),
                    ..
                },
                Token {
                    kind: TokenKind::Operation(Operation::Slash),
                    ..
                },
                Token {
                    kind: TokenKind::Number(bottom),
                    ..
                },
                ..,
            ] => {
                self.at += 3;
                top.value.divide(bottom.value)?
            }
            [
                Token {
                    kind: TokenKind::OpenFraction,
                    ..
                },
                ..,
            ] => {
                let fraction = self.operand()?;
                if !self.reading.mixed {
                    return value.multiply(fraction);
                }
                fraction
            }
            _ => return Some(value),
        };
        value.add(fraction.multiply(scale)?)
    }
}
