//! The units of numbers in a lesson, and how they convert. Knows nothing of
//! sentences.

use super::rational::Rational;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) dimension: Dimension,
    /// Multiple of the smallest unit; pence for money.
    scale: i128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    Money,
    Length,
    Mass,
    Volume,
    Time,
}

impl Unit {
    pub(super) const POUND: Self = Self {
        dimension: Dimension::Money,
        scale: 100,
    };

    /// The multiple of the smallest unit.
    pub(super) fn scale(self) -> Rational {
        Rational::whole(self.scale)
    }
}

/// The unit at the start of the text after a number, and its length including a
/// space before it.
pub(super) fn leading(after: &str) -> Option<(Unit, usize)> {
    let word_at = usize::from(after.starts_with(' '));
    let rest = after.get(word_at..)?;
    let len = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let word = rest.get(..len)?;
    let next = rest.get(len..)?.chars().next();
    // Areas and volumes in powers are not converted.
    if len == 0 || next.is_some_and(|c| matches!(c, '²' | '³' | '^') || c.is_alphanumeric()) {
        return None;
    }
    let (dimension, scale) = match word {
        "p" | "pence" | "penny" => (Dimension::Money, 1),
        "pounds" | "pound" if word_at == 1 => (Dimension::Money, 100),
        "mm" | "millimetres" | "millimetre" => (Dimension::Length, 1),
        "cm" | "centimetres" | "centimetre" => (Dimension::Length, 10),
        "m" | "metres" | "metre" => (Dimension::Length, 1_000),
        "km" | "kilometres" | "kilometre" => (Dimension::Length, 1_000_000),
        "mg" | "milligrams" | "milligram" => (Dimension::Mass, 1),
        "g" | "grams" | "gram" => (Dimension::Mass, 1_000),
        "kg" | "kilograms" | "kilogram" => (Dimension::Mass, 1_000_000),
        "ml" | "millilitres" | "millilitre" => (Dimension::Volume, 1),
        "cl" | "centilitres" => (Dimension::Volume, 10),
        "l" | "L" | "litres" | "litre" => (Dimension::Volume, 1_000),
        "s" | "sec" | "secs" | "seconds" | "second" => (Dimension::Time, 1),
        "min" | "mins" | "minutes" | "minute" => (Dimension::Time, 60),
        "h" | "hr" | "hrs" | "hours" | "hour" => (Dimension::Time, 3_600),
        _ => return None,
    };
    Some((Unit { dimension, scale }, word_at + len))
}
