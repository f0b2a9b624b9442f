//! Exact fractions, so that our own rounding never makes a right result wrong.
//! Every operation returns `None` when the numbers no longer fit, and the caller
//! then reports nothing. Knows nothing of texts.

use std::fmt;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Signed, checked_pow};

/// A fraction in lowest terms. The numerator is never `i128::MIN`, so that `abs`
/// and `negated` cannot overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rational(Ratio<i128>);

impl Rational {
    pub(crate) const ZERO: Self = Self::whole(0);
    pub(crate) const HUNDREDTH: Self = Self(Ratio::new_raw(1, 100));
    pub(crate) const HALF: Self = Self(Ratio::new_raw(1, 2));
    pub(crate) const ONE: Self = Self::whole(1);

    pub(crate) const fn whole(value: i128) -> Self {
        Self(Ratio::new_raw(value, 1))
    }

    /// `numerator / denominator`; `None` for a division by zero.
    pub(crate) fn new(numerator: i128, denominator: i128) -> Option<Self> {
        // `i128::MIN` has no opposite.
        let fits = denominator != 0 && numerator != i128::MIN && denominator != i128::MIN;
        fits.then(|| Self(Ratio::new(numerator, denominator)))
    }

    /// A number as written: its digits without separators, and how many of them
    /// come after the decimal point.
    pub(crate) fn from_digits(digits: &str, decimals: u32) -> Option<Self> {
        Self::new(digits.parse().ok()?, 10_i128.checked_pow(decimals)?)
    }

    pub(crate) fn is_whole(self) -> bool {
        self.0.is_integer()
    }

    pub(crate) fn as_whole(self) -> Option<i128> {
        self.is_whole().then_some(*self.0.numer())
    }

    pub(crate) fn is_negative(self) -> bool {
        self.0.is_negative()
    }

    pub(crate) fn abs(self) -> Self {
        Self(self.0.abs())
    }

    pub(crate) fn negated(self) -> Self {
        Self(-self.0)
    }

    pub(crate) fn add(self, other: Self) -> Option<Self> {
        fitting(self.0.checked_add(&other.0))
    }

    pub(crate) fn subtract(self, other: Self) -> Option<Self> {
        fitting(self.0.checked_sub(&other.0))
    }

    pub(crate) fn multiply(self, other: Self) -> Option<Self> {
        fitting(self.0.checked_mul(&other.0))
    }

    pub(crate) fn divide(self, other: Self) -> Option<Self> {
        fitting(self.0.checked_div(&other.0))
    }

    pub(crate) fn power(self, exponent: u32) -> Option<Self> {
        fitting(checked_pow(self.0, usize::try_from(exponent).ok()?))
    }

    /// The decimal places it needs; `None` if there are more than 12.
    pub(crate) fn decimals(self) -> Option<u32> {
        (0..=12).find(|decimals| 10_i128.pow(*decimals) % self.0.denom() == 0)
    }
}

fn fitting(ratio: Option<Ratio<i128>>) -> Option<Rational> {
    ratio
        .filter(|ratio| *ratio.numer() != i128::MIN)
        .map(Rational)
}

/// A decimal if it has few places, otherwise a fraction.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decimals().filter(|decimals| *decimals <= 6) {
            Some(decimals) => f.write_str(&decimal(*self, decimals)),
            None => write!(f, "{}", self.0),
        }
    }
}

/// A number with this many decimal places, the rest cut off.
pub(crate) fn decimal(value: Rational, decimals: u32) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    let numerator = value.0.numer().unsigned_abs();
    let denominator = value.0.denom().unsigned_abs();
    let mut text = format!("{sign}{}", numerator / denominator);
    let mut rest = numerator % denominator;
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
        assert_eq!(ratio(1, 2).divide(Rational::ZERO), None);
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
            let _ = (left.power(e), left.decimals(), left.cmp(&right), left.to_string(), decimal(left, 20));
        }
    }
}
