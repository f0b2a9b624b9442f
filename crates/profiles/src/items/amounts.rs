//! Whether two options are the same amount: `108 km/h` and `30 m/s`, `4.0 mol` and `4 mol`.
//! Only what is certain is read: a number, or a product of two, and a unit of the metric system.

use std::collections::BTreeMap;

/// A number of base units.
#[derive(Clone, Debug, PartialEq)]
struct Amount {
    value: f64,
    /// The power of each base unit.
    units: BTreeMap<&'static str, i32>,
}

/// Whether two texts are nothing but the same amount.
pub(super) fn same(one: &str, other: &str) -> bool {
    let (Some(one), Some(other)) = (read(one), read(other)) else {
        return false;
    };
    let scale = one.value.abs().max(other.value.abs());
    one.units == other.units && (one.value - other.value).abs() <= scale * 1e-9
}

fn read(text: &str) -> Option<Amount> {
    let text = text.trim().trim_end_matches('.').trim();
    let (mut value, mut rest) = number(text)?;
    let after = rest.trim_start();
    if let Some(factor) = after
        .strip_prefix(['×', '*', '·'])
        .or(after.strip_prefix("x "))
        && let Some((second, left)) = number(factor.trim_start())
    {
        value *= second;
        rest = left;
    }
    let mut amount = Amount {
        value,
        units: BTreeMap::new(),
    };
    let unit = rest.trim();
    if unit.is_empty() {
        return Some(amount);
    }
    let unit = unit.replace(" per ", "/");
    for (index, part) in unit.split('/').enumerate() {
        amount.add(part.trim(), if index == 0 { 1 } else { -1 })?;
    }
    amount.units.retain(|_, power| *power != 0);
    Some(amount)
}

/// The number at the beginning of a text, and what follows.
fn number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','));
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let commas = digits.matches(',').count();
    // “1,000” is a thousand to some and one to others.
    let is_thousand = digits
        .rsplit_once([',', '.'])
        .is_some_and(|(_, after)| after.len() == 3 && commas + digits.matches('.').count() > 0);
    if commas > 0 && (is_thousand || commas > 1 || digits.contains('.')) {
        return None;
    }
    Some((digits.replace(',', ".").parse().ok()?, rest))
}

impl Amount {
    /// Multiplies by a unit, or divides by it.
    fn add(&mut self, unit: &str, sign: i32) -> Option<()> {
        let (unit, power) = match unit.char_indices().next_back()? {
            (at, '²') => (&unit[..at], 2),
            (at, '³') => (&unit[..at], 3),
            _ => (unit, 1),
        };
        let (factor, base) = one_unit(unit)?;
        self.value *= factor.powi(power * sign);
        *self.units.entry(base).or_default() += power * sign;
        Some(())
    }
}

/// The factor and the base of a unit: `km` is 1,000 metres.
fn one_unit(unit: &str) -> Option<(f64, &'static str)> {
    const WHOLE: &[(&str, f64, &str)] = &[
        ("m", 1.0, "m"),
        ("g", 1.0, "g"),
        ("s", 1.0, "s"),
        ("L", 1.0, "l"),
        ("l", 1.0, "l"),
        ("mol", 1.0, "mol"),
        ("N", 1.0, "N"),
        ("J", 1.0, "J"),
        ("W", 1.0, "W"),
        ("V", 1.0, "V"),
        ("Pa", 1.0, "Pa"),
        ("Hz", 1.0, "Hz"),
        ("min", 60.0, "s"),
        ("h", 3600.0, "s"),
        ("%", 0.01, "%"),
        ("°", 1.0, "°"),
    ];
    const SYMBOLS: &[(&str, f64)] = &[
        ("k", 1e3),
        ("M", 1e6),
        ("c", 1e-2),
        ("d", 1e-1),
        ("m", 1e-3),
        ("µ", 1e-6),
        ("μ", 1e-6),
        ("mc", 1e-6),
        ("n", 1e-9),
    ];
    const NAMES: &[(&str, &str)] = &[
        ("degree", "°"),
        ("metre", "m"),
        ("meter", "m"),
        ("gram", "g"),
        ("second", "s"),
        ("minute", "min"),
        ("hour", "h"),
        ("litre", "L"),
        ("liter", "L"),
        ("mole", "mol"),
        ("newton", "N"),
        ("joule", "J"),
        ("watt", "W"),
        ("volt", "V"),
    ];
    const PREFIXES: &[(&str, f64)] = &[
        ("kilo", 1e3),
        ("mega", 1e6),
        ("centi", 1e-2),
        ("milli", 1e-3),
        ("micro", 1e-6),
        ("nano", 1e-9),
    ];
    let whole = |unit: &str| {
        let found = WHOLE.iter().find(|(name, ..)| *name == unit);
        found.map(|(_, factor, base)| (*factor, *base))
    };
    let named = |word: &str| {
        let word = word.strip_suffix('s').unwrap_or(word);
        let found = NAMES.iter().find(|(name, _)| *name == word);
        found.and_then(|(_, symbol)| whole(symbol))
    };
    let prefixed = |all: &[(&str, f64)], rest: &dyn Fn(&str) -> Option<(f64, &'static str)>| {
        all.iter().find_map(|(prefix, factor)| {
            let (own, base) = rest(unit.strip_prefix(prefix)?)?;
            Some((own * factor, base))
        })
    };
    whole(unit)
        .or_else(|| prefixed(SYMBOLS, &whole))
        .or_else(|| named(unit))
        .or_else(|| prefixed(PREFIXES, &named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_the_same_in_any_unit_and_only_what_is_certain_is_read() {
        for (one, other, expected) in [
            ("30 m/s", "108 km/h", true),
            ("30 m/s", "30 metres per second", true),
            ("30 m/s", "0.03 km/s", true),
            ("30 m/s", "3 × 10 m/s", true),
            ("4 mol", "4.0 mol", true),
            ("4 mol", "4000 mmol", true),
            ("7 micrograms/min", "0.007 mg/min", true),
            ("0.5", ".5", false),
            ("1,5 L", "1500 mL", true),
            ("30 m/s", "13 m/s", false),
            ("30 m/s", "30 m", false),
            ("1 m²", "10000 cm²", true),
            ("1,000 m", "1 km", false),
            ("4", "Four", false),
            ("70°", "70.0 degrees", true),
            ("70°", "70 °C", false),
            ("2 apples", "2 apples", false),
        ] {
            assert_eq!(same(one, other), expected, "{one} {other}");
        }
    }
}
