//! Exact fractions of whole numbers, for arithmetic that must not be wrong by a
//! rounding of ours. Every operation says `None` where the numbers grow beyond
//! what fits, and whoever asks then says nothing. Knows nothing of texts.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms; the denominator is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    pub(crate) const ONE: Self = Self::whole(1);

    pub(crate) const fn whole(value: i128) -> Self {
        Self {
            numerator: value,
            denominator: 1,
        }
    }

    /// `numerator / denominator`; `None` for a division by nothing.
    pub(crate) fn new(numerator: i128, denominator: i128) -> Option<Self> {
        // The most negative number has no opposite.
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return None;
        }
        let divisor = gcd(numerator.abs(), denominator.abs()).max(1);
        let sign = denominator.signum();
        Some(Self {
            numerator: sign * (numerator / divisor),
            denominator: (denominator / divisor).abs(),
        })
    }

    /// A number as written: its digits without separators, and how many of them
    /// stand behind the point.
    pub(crate) fn from_digits(digits: &str, decimals: u32) -> Option<Self> {
        Self::new(digits.parse().ok()?, 10_i128.checked_pow(decimals)?)
    }

    pub(crate) fn is_whole(self) -> bool {
        self.denominator == 1
    }

    /// The number itself where it is whole.
    pub(crate) fn as_whole(self) -> Option<i128> {
        self.is_whole().then_some(self.numerator)
    }

    pub(crate) fn is_negative(self) -> bool {
        self.numerator < 0
    }

    pub(crate) fn abs(self) -> Self {
        // A numerator is never the most negative number.
        Self {
            numerator: self.numerator.abs(),
            ..self
        }
    }

    pub(crate) fn add(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        let denominator = self.denominator.checked_mul(other.denominator)?;
        Self::new(left.checked_add(right)?, denominator)
    }

    pub(crate) fn negated(self) -> Self {
        Self {
            numerator: -self.numerator,
            ..self
        }
    }

    pub(crate) fn subtract(self, other: Self) -> Option<Self> {
        self.add(other.negated())
    }

    pub(crate) fn multiply(self, other: Self) -> Option<Self> {
        Self::new(
            self.numerator.checked_mul(other.numerator)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    pub(crate) fn divide(self, other: Self) -> Option<Self> {
        Self::new(
            self.numerator.checked_mul(other.denominator)?,
            self.denominator.checked_mul(other.numerator)?,
        )
    }

    /// Itself, `exponent` times.
    pub(crate) fn power(self, exponent: u32) -> Option<Self> {
        Self::new(
            self.numerator.checked_pow(exponent)?,
            self.denominator.checked_pow(exponent)?,
        )
    }

    /// How many digits it needs behind the point; `None` where they never end, or
    /// not soon.
    pub(crate) fn decimals(self) -> Option<u32> {
        let mut power: i128 = 1;
        for decimals in 0..=12 {
            if power % self.denominator == 0 {
                return Some(decimals);
            }
            power *= 10;
        }
        None
    }

    pub(crate) fn compare(self, other: Self) -> Option<Ordering> {
        Some(self.subtract(other)?.numerator.cmp(&0))
    }
}

/// A decimal where it ends soon, otherwise a fraction.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decimals().filter(|decimals| *decimals <= 6) {
            Some(0) => write!(f, "{}", self.numerator),
            Some(decimals) => f.write_str(&decimal(*self, decimals)),
            None => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

/// A number with so many digits behind the point, the rest cut off.
pub(crate) fn decimal(value: Rational, decimals: u32) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    let whole = value.numerator.unsigned_abs();
    let denominator = value.denominator.unsigned_abs();
    let mut text = format!("{sign}{}", whole / denominator);
    let mut rest = whole % denominator;
    if decimals > 0 {
        text.push('.');
    }
    for _ in 0..decimals {
        let Some(shifted) = rest.checked_mul(10) else {
            break;
        };
        text.push_str(&(shifted / denominator).to_string());
        rest = shifted % denominator;
    }
    text
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ratio(numerator: i128, denominator: i128) -> Rational {
        Rational::new(numerator, denominator).unwrap()
    }

    #[test]
    fn fractions_are_exact_and_in_lowest_terms() {
        assert_eq!(ratio(2, -4), ratio(-1, 2));
        assert_eq!(ratio(1, 3).add(ratio(1, 6)), Some(ratio(1, 2)));
        assert_eq!(ratio(1, 10).add(ratio(2, 10)), Some(ratio(3, 10)));
        assert_eq!(ratio(3, 4).divide(ratio(1, 2)), Some(ratio(3, 2)));
        assert_eq!(ratio(2, 3).power(2), Some(ratio(4, 9)));
        assert_eq!(Rational::new(1, 0), None);
        assert_eq!(ratio(1, 2).divide(Rational::whole(0)), None);
    }

    #[test]
    fn it_is_written_as_people_write_it() {
        for (value, expected) in [
            (ratio(5, 1), "5"),
            (ratio(5, 2), "2.5"),
            (ratio(-1, 20), "-0.05"),
            (ratio(1, 3), "1/3"),
        ] {
            assert_eq!(value.to_string(), expected);
        }
        assert_eq!(decimal(ratio(10, 3), 2), "3.33");
        assert_eq!(decimal(ratio(5, 1), 2), "5.00");
    }

    proptest! {
        #[test]
        fn nothing_overflows(a in any::<i128>(), b in any::<i128>(), c in any::<i128>(), d in any::<i128>(), e in any::<u32>()) {
            let (Some(left), Some(right)) = (Rational::new(a, b), Rational::new(c, d)) else { return Ok(()) };
            let _ = (left.add(right), left.subtract(right), left.multiply(right), left.divide(right));
            let _ = (left.power(e), left.decimals(), left.compare(right), left.to_string(), decimal(left, 20));
        }
    }
}
