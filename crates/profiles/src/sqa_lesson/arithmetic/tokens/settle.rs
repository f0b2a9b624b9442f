//! A second pass over the words between the numbers, once all tokens are known:
//! fractions in words, and brackets that contain a comment.

use super::{Operation, Token, TokenKind, fraction};
use crate::sqa_lesson::arithmetic::rational::Rational;

/// Reads "half of" and "three quarters of" as numbers, and turns brackets around
/// words into the ends of clauses.
pub(super) fn settle_words(text: &str, tokens: &mut [Token]) {
    for index in 0..tokens.len() {
        let followed_by_of = matches!(
            tokens.get(index + 1).map(|token| &token.kind),
            Some(TokenKind::Operation(Operation::Of))
        );
        let Some(token) = tokens.get(index) else {
            break;
        };
        if token.kind == TokenKind::Word && followed_by_of {
            let word = text
                .get(token.range.clone())
                .unwrap_or_default()
                .to_lowercase();
            let before = index
                .checked_sub(1)
                .and_then(|before| tokens.get(before))
                .and_then(|token| text.get(token.range.clone()))
                .unwrap_or_default()
                .to_lowercase();
            if let Some(value) = share_in_words(&before, &word)
                && let Some(token) = tokens.get_mut(index)
            {
                token.kind = TokenKind::Number(fraction(value));
            }
        }
    }
    // Brackets with words contain a comment.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for index in 0..tokens.len() {
        let Some(token) = tokens.get(index) else {
            break;
        };
        match token.kind {
            TokenKind::Open | TokenKind::OpenFraction => open.push((index, true)),
            TokenKind::Close => {
                let (opening, is_arithmetic) = open.pop().unwrap_or((index, false));
                if !is_arithmetic {
                    for at in [opening, index] {
                        if let Some(token) = tokens.get_mut(at) {
                            token.kind = TokenKind::Boundary;
                        }
                    }
                    // So do brackets around them.
                    if let Some((_, outer)) = open.last_mut() {
                        *outer = false;
                    }
                }
            }
            TokenKind::Number(_) | TokenKind::Operation(_) => {}
            _ => {
                if let Some((_, is_arithmetic)) = open.last_mut() {
                    *is_arithmetic = false;
                }
            }
        }
    }
    for (index, _) in open {
        if let Some(token) = tokens.get_mut(index) {
            token.kind = TokenKind::Boundary;
        }
    }
}

/// "half", "three quarters".
fn share_in_words(before: &str, word: &str) -> Option<Rational> {
    let denominator = match word.trim_end_matches('s') {
        "half" | "halve" => 2,
        "third" => 3,
        "quarter" | "fourth" => 4,
        "fifth" => 5,
        "sixth" => 6,
        "eighth" => 8,
        "tenth" => 10,
        _ => return None,
    };
    let numerator = match before {
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "seven" => 7,
        "nine" => 9,
        _ => 1,
    };
    Rational::new(numerator, denominator)
}
