//! One side of an equation, with the properties that a comparison needs. Does not
//! compare anything.

use std::ops::Range;

use super::tokens::{Number, Operation, Token, TokenKind};
use super::units::Unit;

pub(super) struct Side<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) has_operation: bool,
    /// Has an operation that can need more digits: `÷`, `/`, `%`, `×` of decimals.
    pub(super) may_round: bool,
    /// Only `+` and `−`.
    pub(super) adds: bool,
    pub(super) has_dash: bool,
    pub(super) has_group: bool,
    pub(super) units: Vec<Unit>,
    pub(super) unitless: bool,
}

impl<'t> Side<'t> {
    pub(super) fn of(tokens: &'t [Token]) -> Option<Self> {
        let mut side = Self {
            tokens,
            has_operation: false,
            may_round: false,
            adds: true,
            has_dash: false,
            has_group: false,
            units: Vec::new(),
            unitless: false,
        };
        let mut before: Option<&TokenKind> = None;
        for token in tokens {
            match &token.kind {
                TokenKind::Number(number) => {
                    side.has_group |=
                        number.is_group && matches!(before, Some(TokenKind::Number(_)));
                    side.may_round |= number.percent || number.is_fraction;
                    match number.unit {
                        Some(unit) if !side.units.contains(&unit) => side.units.push(unit),
                        Some(_) => {}
                        None => side.unitless = true,
                    }
                }
                // The sign of a negative number is not an operation.
                TokenKind::Operation(Operation::Minus)
                    if !matches!(before, Some(TokenKind::Number(_) | TokenKind::Close)) => {}
                TokenKind::Operation(operation) => {
                    let slash = *operation == Operation::Slash;
                    side.has_operation |= !slash;
                    side.may_round |= slash
                        || matches!(
                            operation,
                            Operation::Divide | Operation::Of | Operation::Times
                        );
                    side.adds &= matches!(
                        operation,
                        Operation::Plus | Operation::Minus | Operation::SpacedMinus
                    );
                    side.has_dash |= *operation == Operation::SpacedMinus;
                    // "3 of 5" is not a share of an amount.
                    if *operation == Operation::Of && !is_share(before, tokens, token) {
                        return None;
                    }
                }
                _ => {}
            }
            before = Some(&token.kind);
        }
        let first = tokens.first()?;
        let last = tokens.last()?;
        let starts = match &first.kind {
            TokenKind::Operation(Operation::Minus) => true,
            kind => !matches!(kind, TokenKind::Operation(_) | TokenKind::Close),
        };
        (starts && matches!(last.kind, TokenKind::Number(_) | TokenKind::Close)).then_some(side)
    }

    /// Its number, if it is a single one.
    pub(super) fn lone(&self) -> Option<&'t Number> {
        match self.tokens {
            [
                Token {
                    kind: TokenKind::Number(number),
                    ..
                },
            ] => Some(number),
            [
                Token {
                    kind: TokenKind::Operation(Operation::Minus),
                    ..
                },
                Token {
                    kind: TokenKind::Number(number),
                    ..
                },
            ] => Some(number),
            _ => None,
        }
    }

    /// Whether it is a fraction or a percentage alone, which may be short for that
    /// share of something.
    pub(super) fn is_share(&self) -> bool {
        !self.has_operation
            && (self
                .lone()
                .is_none_or(|number| number.percent || number.is_fraction))
    }

    pub(super) fn is_plain(&self) -> bool {
        self.units.iter().all(|unit| *unit == Unit::POUND)
    }

    pub(super) fn range(&self) -> Range<usize> {
        let start = self.tokens.first().map_or(0, |token| token.range.start);
        let end = self.tokens.last().map_or(start, |token| token.range.end);
        start..end
    }
}

/// Whether "of" follows a fraction or a percentage.
fn is_share(before: Option<&TokenKind>, tokens: &[Token], of: &Token) -> bool {
    match before {
        Some(TokenKind::Number(number)) if number.percent || number.is_fraction => true,
        Some(TokenKind::Number(_) | TokenKind::Close) => {
            let at = tokens.partition_point(|token| token.range.start < of.range.start);
            tokens
                .get(..at)
                .unwrap_or_default()
                .iter()
                .rev()
                .take(6)
                .any(|token| token.kind == TokenKind::Operation(Operation::Slash))
        }
        _ => false,
    }
}
