//! Splits a text into numbers, operations and everything else, in the forms that
//! teachers use: `£20 ÷ 4`, `1/4 of £20`, `20% of 50`, `\frac{3}{4} \times 8`,
//! `20 divided by 4`. Mathematics that it cannot read is marked as unknown, so
//! that it is not taken for a claim.

mod numbers;
mod settle;

use std::ops::Range;

use super::rational::Rational;
use super::units::Unit;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) range: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    Number(Number),
    Operation(Operation),
    Open,
    /// The bracket that opens a LaTeX fraction.
    OpenFraction,
    Close,
    /// `=`, "equals".
    Equals,
    /// "is", which only claims equality after an operation.
    Is,
    /// `≈`, `≠`, `<`: sides that are not equal.
    Unequal,
    Word,
    /// The end of a line, a sentence or a clause.
    Boundary,
    /// Mathematics that is not understood: a variable, a root.
    Unknown,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: Rational,
    /// Decimal places.
    pub(super) decimals: u32,
    pub(super) percent: bool,
    /// Written as one character or word: `½`, "half".
    pub(super) is_fraction: bool,
    pub(super) unit: Option<Unit>,
    /// Exactly three digits: the end of `1 200`.
    pub(super) is_group: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Plus,
    Minus,
    /// A dash with spaces around it, which may also introduce a comment.
    SpacedMinus,
    Times,
    Divide,
    /// `/` without spaces: a fraction.
    Slash,
    Of,
    Power,
}

impl TokenKind {
    /// Whether it can occur in an expression.
    pub(super) fn is_arithmetic(&self) -> bool {
        matches!(
            self,
            Self::Number(_) | Self::Operation(_) | Self::Open | Self::OpenFraction | Self::Close
        )
    }
}

/// The tokens of a text in order.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut scanner = Scanner {
        text,
        at: 0,
        braces: Vec::new(),
        tokens: Vec::new(),
    };
    while scanner.at < text.len() {
        scanner.step();
    }
    settle::settle_words(text, &mut scanner.tokens);
    scanner.tokens
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    braces: Vec<Brace>,
    tokens: Vec<Token>,
}

/// What a LaTeX brace contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brace {
    /// With the offset of its command.
    FractionAwaited(usize),
    Numerator,
    DenominatorAwaited,
    Denominator,
    TextAwaited,
    Text,
    Group,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, kind: TokenKind, len: usize) {
        let range = self.at..self.at + len;
        self.at = range.end;
        self.tokens.push(Token { kind, range });
    }

    fn skip(&mut self, len: usize) {
        self.at += len;
    }

    fn before(&self) -> Option<char> {
        self.text
            .get(..self.at)
            .and_then(|text| text.chars().next_back())
    }

    fn step(&mut self) {
        let Some(c) = self.rest().chars().next() else {
            self.at = self.text.len();
            return;
        };
        let len = c.len_utf8();
        // A fraction or text command without a brace.
        if !matches!(c, '{' | ' ') {
            while matches!(
                self.braces.last(),
                Some(Brace::FractionAwaited(_) | Brace::DenominatorAwaited | Brace::TextAwaited)
            ) {
                if self.braces.pop() != Some(Brace::TextAwaited) {
                    self.push(TokenKind::Unknown, 0);
                }
            }
        }
        match c {
            '0'..='9' => self.number(),
            '.' if self
                .rest()
                .as_bytes()
                .get(1)
                .is_some_and(u8::is_ascii_digit)
                && !self.before().is_some_and(char::is_alphanumeric) =>
            {
                self.number();
            }
            '½' | '¼' | '¾' | '⅓' | '⅔' | '⅕' | '⅖' | '⅗' | '⅘' | '⅙' | '⅚' | '⅛' | '⅜' | '⅝'
            | '⅞' => {
                self.vulgar_fraction(c);
            }
            '²' | '³' => {
                self.push(TokenKind::Operation(Operation::Power), 0);
                let exponent = if c == '²' { 2 } else { 3 };
                self.push(TokenKind::Number(plain(Rational::whole(exponent))), len);
            }
            '\n' | '\r' => self.push(TokenKind::Boundary, len),
            c if c.is_whitespace() => self.skip(len),
            '\\' => self.command(),
            '{' => self.open_brace(),
            '}' => self.close_brace(),
            '(' | '[' => self.push(TokenKind::Open, len),
            ')' | ']' => self.push(TokenKind::Close, len),
            // A currency sign before its amount; the amount looks back for it.
            '£' | '€' | '$' => self.skip(len),
            // Emphasis and code.
            '`' | '_' => self.skip(len),
            '*' => self.star(),
            '+' => self.push(TokenKind::Operation(Operation::Plus), len),
            '-' | '−' | '–' | '—' => self.dash(c),
            '×' | '✕' | '✖' | '·' | '∙' | '⋅' | '∗' => {
                self.push(TokenKind::Operation(Operation::Times), len);
            }
            '÷' | '∕' => self.push(TokenKind::Operation(Operation::Divide), len),
            '/' | '⁄' => self.slash(len),
            '^' => self.push(TokenKind::Operation(Operation::Power), len),
            '=' => self.equals(),
            '≈' | '≃' | '≅' | '≠' | '<' | '>' | '≤' | '≥' | '~' | '→' | '⇒' => {
                self.push(TokenKind::Unequal, len);
            }
            ':' if self.is_between_digits(len) => self.push(TokenKind::Unknown, len),
            '.' | ',' | ';' | ':' | '!' | '?' | '•' | '|' | '…' => {
                self.push(TokenKind::Boundary, len);
            }
            '√' | '%' | '°' | '∑' | '∫' | 'π' | 'θ' => self.push(TokenKind::Unknown, len),
            c if c.is_alphabetic() => self.word(),
            '\'' | '"' | '’' | '‘' | '“' | '”' => self.push(TokenKind::Boundary, len),
            _ => self.push(TokenKind::Unknown, len),
        }
    }

    fn is_between_digits(&self, len: usize) -> bool {
        self.before().is_some_and(|c| c.is_ascii_digit())
            && self
                .rest()
                .as_bytes()
                .get(len)
                .is_some_and(u8::is_ascii_digit)
    }

    fn equals(&mut self) {
        let mut len = self.rest().bytes().take_while(|byte| *byte == b'=').count();
        let arrow = self.rest().as_bytes().get(len) == Some(&b'>');
        len += usize::from(arrow);
        let is_plain = len == 1 && !matches!(self.before(), Some('!' | '<' | '>' | ':'));
        let kind = if is_plain {
            TokenKind::Equals
        } else {
            TokenKind::Unequal
        };
        self.push(kind, len);
    }

    /// `3 * 4` and `3*4` multiply; `**£5**` and `*five*` are emphasis.
    fn star(&mut self) {
        let stars = self.rest().bytes().take_while(|byte| *byte == b'*').count();
        if stars > 1 {
            self.skip(stars);
            return;
        }
        let is_operand = |c: char| c.is_ascii_digit() || matches!(c, '£' | '(' | ')' | ' ');
        let after = self.rest().chars().nth(1);
        let before = self.before();
        let spaced = before == Some(' ') && after == Some(' ');
        let tight = before != Some(' ') && after != Some(' ');
        if (spaced || tight) && before.is_some_and(is_operand) && after.is_some_and(is_operand) {
            self.push(TokenKind::Operation(Operation::Times), 1);
        } else {
            self.skip(1);
        }
    }

    fn dash(&mut self, c: char) {
        let len = c.len_utf8();
        let after = self.rest().chars().nth(1);
        let starts_line = self.text.get(..self.at).is_none_or(|text| {
            text.trim_end_matches([' ', '\t']).ends_with('\n') || text.trim().is_empty()
        });
        let spaced =
            self.before().is_none_or(char::is_whitespace) && after.is_none_or(char::is_whitespace);
        let in_word = self.before().is_some_and(char::is_alphabetic)
            && after.is_some_and(char::is_alphabetic);
        let kind = if in_word {
            // `one-quarter` consists of words.
            TokenKind::Word
        } else if (starts_line && spaced) || c == '—' {
            TokenKind::Boundary
        } else if spaced {
            TokenKind::Operation(Operation::SpacedMinus)
        } else {
            TokenKind::Operation(Operation::Minus)
        };
        self.push(kind, len);
    }

    /// A slash before letters belongs to a unit (`£5/hour`, `km/h`).
    fn slash(&mut self, len: usize) {
        let after = self.rest().get(len..).unwrap_or_default();
        if after.starts_with(char::is_alphabetic) {
            let word = after
                .chars()
                .take_while(|c| c.is_alphabetic())
                .map(char::len_utf8)
                .sum::<usize>();
            self.skip(len + word);
            return;
        }
        let spaced =
            self.before().is_none_or(char::is_whitespace) || after.starts_with(char::is_whitespace);
        let operation = if spaced {
            Operation::Divide
        } else {
            Operation::Slash
        };
        self.push(TokenKind::Operation(operation), len);
    }

    fn command(&mut self) {
        let rest = self.rest();
        let name: usize = rest
            .bytes()
            .skip(1)
            .take_while(u8::is_ascii_alphabetic)
            .count();
        if name == 0 {
            // `\,`, `\$`, `\%`, `\(`: the character after the backslash is not text.
            let sign = rest.chars().nth(1).map_or(0, char::len_utf8);
            self.skip(1 + sign);
            return;
        }
        let len = 1 + name;
        match rest.get(1..len).unwrap_or_default() {
            // A line break that was escaped twice, before a word or a number.
            command if command.starts_with('n') && !matches!(command, "neq" | "ne" | "not") => {
                self.push(TokenKind::Boundary, 2);
            }
            "frac" | "dfrac" | "tfrac" | "cfrac" => {
                self.braces.push(Brace::FractionAwaited(self.at));
                self.skip(len);
            }
            "times" | "cdot" | "ast" => self.push(TokenKind::Operation(Operation::Times), len),
            "div" => self.push(TokenKind::Operation(Operation::Divide), len),
            "text" | "textbf" | "mathrm" | "mbox" | "textit" | "mathbf" => {
                self.skip(len);
                self.braces.push(Brace::TextAwaited);
            }
            "left" | "right" | "pounds" | "quad" | "qquad" | "displaystyle" => self.skip(len),
            "approx" | "neq" | "ne" | "le" | "ge" | "leq" | "geq" | "lt" | "gt" | "simeq"
            | "Rightarrow" | "implies" | "to" => {
                self.push(TokenKind::Unequal, len);
            }
            _ => self.push(TokenKind::Unknown, len),
        }
    }

    fn open_brace(&mut self) {
        match self.braces.last_mut() {
            Some(Brace::FractionAwaited(command)) => {
                let start = *command;
                self.braces.pop();
                self.braces.push(Brace::Numerator);
                self.push(TokenKind::OpenFraction, 1);
                if let Some(open) = self.tokens.last_mut() {
                    open.range.start = start;
                }
                self.push(TokenKind::Open, 0);
            }
            Some(brace @ Brace::DenominatorAwaited) => {
                *brace = Brace::Denominator;
                self.push(TokenKind::Operation(Operation::Slash), 0);
                self.push(TokenKind::Open, 1);
            }
            Some(brace @ Brace::TextAwaited) => {
                *brace = Brace::Text;
                self.skip(1);
            }
            _ => {
                self.braces.push(Brace::Group);
                self.push(TokenKind::Open, 1);
            }
        }
    }

    fn close_brace(&mut self) {
        match self.braces.pop() {
            Some(Brace::Numerator) => {
                self.push(TokenKind::Close, 1);
                self.braces.push(Brace::DenominatorAwaited);
            }
            Some(Brace::Denominator) => {
                self.push(TokenKind::Close, 0);
                self.push(TokenKind::Close, 1);
            }
            Some(Brace::Text) => self.skip(1),
            _ => self.push(TokenKind::Close, 1),
        }
    }

    fn word(&mut self) {
        let rest = self.rest();
        let len: usize = rest
            .char_indices()
            .take_while(|(at, c)| {
                c.is_alphanumeric()
                    || (matches!(c, '\'' | '’' | '-')
                        && rest
                            .get(at + c.len_utf8()..)
                            .is_some_and(|after| after.starts_with(char::is_alphabetic)))
            })
            .map(|(_, c)| c.len_utf8())
            .sum();
        let len = len.max(rest.chars().next().map_or(1, char::len_utf8));
        let lower = rest.get(..len).unwrap_or_default().to_lowercase();
        let kind = match lower.as_str() {
            "of" => TokenKind::Operation(Operation::Of),
            "times" => TokenKind::Operation(Operation::Times),
            "plus" | "add" => TokenKind::Operation(Operation::Plus),
            "minus" => TokenKind::Operation(Operation::Minus),
            "equals" | "equal" => TokenKind::Equals,
            "is" => TokenKind::Is,
            "divided" | "multiplied" if has_by(rest, len) => {
                let by = rest
                    .get(len..)
                    .and_then(|after| after.find("by"))
                    .unwrap_or_default();
                let operation = if lower == "divided" {
                    Operation::Divide
                } else {
                    Operation::Times
                };
                self.push(TokenKind::Operation(operation), len + by + 2);
                return;
            }
            "x" if is_times(rest)
                && self.tokens.last().is_some_and(|token| {
                    matches!(token.kind, TokenKind::Number(_) | TokenKind::Close)
                }) =>
            {
                TokenKind::Operation(Operation::Times)
            }
            // A variable.
            _ if len == 1 && lower != "a" && lower != "i" => TokenKind::Unknown,
            _ => TokenKind::Word,
        };
        self.push(kind, len);
    }
}

fn plain(value: Rational) -> Number {
    Number {
        value,
        decimals: 0,
        percent: false,
        is_fraction: false,
        unit: None,
        is_group: false,
    }
}

fn fraction(value: Rational) -> Number {
    Number {
        is_fraction: true,
        ..plain(value)
    }
}

fn has_by(rest: &str, len: usize) -> bool {
    let after = rest.get(len..).unwrap_or_default();
    after.trim_start().starts_with("by ") && after.starts_with(' ')
}

/// `x 4`, `x £4`: a letter that multiplies.
fn is_times(rest: &str) -> bool {
    rest.strip_prefix('x').is_some_and(|after| {
        after
            .trim_start_matches([' ', '£'])
            .starts_with(|c: char| c.is_ascii_digit())
    })
}
