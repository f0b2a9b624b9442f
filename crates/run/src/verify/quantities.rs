//! Numbers with what they measure: `5 mg` is not `5 g`, and `< 5` is not `> 5`. Only units
//! that are certain count, so that no word after a number is taken for one.

use std::fmt;

use super::facts::number_ranges;

/// A number, and what stands around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    pub(super) number: String,
    /// `<`, `≥`, `-` and the like before it.
    sign: &'static str,
    unit: &'static str,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.unit.is_empty() { "" } else { " " };
        write!(f, "{}{}{space}{}", self.sign, self.number, self.unit)
    }
}

/// The numbers of a text that have a unit or a sign.
pub(super) fn quantities(text: &str) -> Vec<Quantity> {
    let ranges = number_ranges(text).into_iter();
    ranges
        .filter_map(|range| {
            let before = text.get(..range.start)?;
            let after = text.get(range.end..)?;
            let quantity = Quantity {
                number: text.get(range)?.to_owned(),
                sign: sign(before),
                unit: unit(after),
            };
            let is_bare = quantity.sign.is_empty() && quantity.unit.is_empty();
            (!is_bare).then_some(quantity)
        })
        .collect()
}

fn sign(before: &str) -> &'static str {
    const SIGNS: [(&str, &str); 9] = [
        ("<=", "≤"),
        (">=", "≥"),
        ("≤", "≤"),
        ("≥", "≥"),
        ("<", "<"),
        (">", ">"),
        ("±", "±"),
        ("−", "-"),
        ("-", "-"),
    ];
    let near = before.trim_end_matches([' ', '\u{a0}']);
    let found = SIGNS.iter().find(|(sign, _)| near.ends_with(sign));
    let Some((sign, name)) = found else {
        return "";
    };
    // A hyphen after a word, or a dash between numbers, is no minus.
    let is_alone = |before: &str| {
        let last = before.chars().next_back();
        last.is_none_or(|c| c.is_whitespace() || c == '(')
    };
    let is_minus = near.len() == before.len() && near.strip_suffix(sign).is_some_and(is_alone);
    match *name {
        "-" if !is_minus => "",
        name => name,
    }
}

fn unit(after: &str) -> &'static str {
    let rest = after.trim_start_matches([' ', '\u{a0}', '\u{202f}', '-']);
    let end = rest
        .find(|c: char| !(c.is_alphabetic() || matches!(c, '%' | '‰' | '°' | '/')))
        .unwrap_or(rest.len());
    let word = rest.get(..end).unwrap_or_default().trim_end_matches('/');
    let symbol = SYMBOLS.iter().find(|symbol| **symbol == word);
    let named = || {
        let lower = word.to_lowercase();
        let is_it = |names: &str| names.split(' ').any(|name| name == lower);
        let named = NAMES.iter().find(|(_, names)| is_it(names));
        named.map(|(unit, _)| *unit)
    };
    symbol.copied().or_else(named).unwrap_or_default()
}

/// Symbols, which mean another thing in another case.
const SYMBOLS: &[&str] = &[
    "%", "‰", "°C", "°F", "°", "mg", "g", "kg", "ng", "pg", "mL", "L", "dL", "cL", "cm", "mm",
    "km", "nm", "ms", "mmol/L", "mol/L", "nmol/L", "pmol/L", "mg/dL", "g/dL", "g/L", "mg/L",
    "ng/mL", "U/L", "IU/L", "IU", "mmHg", "kPa", "Pa", "Hz", "kHz", "mV", "kW", "kJ", "kcal", "Gy",
    "mSv", "mEq/L", "mg/kg", "mL/min", "bpm",
];

/// Units under their other names.
const NAMES: &[(&str, &str)] = &[
    ("µg", "µg μg mcg microgram micrograms мкг"),
    ("mg", "milligram milligrams milligramm miligramos мг 毫克"),
    ("g", "gram grams gramm gramos grammes gramas г 克"),
    ("kg", "kilogram kilograms kilogramm kilos кг 公斤 千克"),
    (
        "mL",
        "ml millilitre millilitres milliliter milliliters мл 毫升",
    ),
    ("L", "litre litres liter liters litros"),
    ("mmol/L", "mmol/l ммоль/л"),
    ("mg/dL", "mg/dl мг/дл"),
    ("%", "percent prozent"),
    (
        "second",
        "second seconds sekunde sekunden segundos secondes секунд 秒",
    ),
    (
        "minute",
        "min minute minutes minuten minutos минут минуты 分钟",
    ),
    (
        "hour",
        "hour hours stunde stunden hora horas heure heures час часа часов 小时",
    ),
    (
        "day",
        "day days tag tage tagen día días jour jours dia dias день дня дней 天",
    ),
    (
        "week",
        "week weeks woche wochen semana semanas semaine semaines неделя недели недель 周",
    ),
    (
        "month",
        "month months monat monate monaten mes meses mois mês месяц месяца месяцев 个月",
    ),
    (
        "year",
        "year years jahr jahre jahren año años ans ano anos год года лет 岁 年",
    ),
    ("unit", "units einheiten unidades unités"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_is_a_number_with_what_is_certain_around_it() {
        for (text, expected) in [
            ("a tablet of 5 mg twice", &["5 mg"][..]),
            ("5mg, 5 mcg and 5 g", &["5 mg", "5 µg", "5 g"]),
            ("a 58-year-old man, 6 weeks ago", &["58 year", "6 week"]),
            ("36.8 °C; < 5 mmol/L; >=3", &["36.8 °C", "<5 mmol/L", "≥3"]),
            ("-2 dioptres, COVID-19, 3-4 tablets", &["-2"]),
            ("2 apples and 3 of them", &[]),
            ("6 Wochen, 3 месяца, 5 毫克", &["6 week", "3 month", "5 mg"]),
            ("Step 4 mentions 10 grams.", &["10 g"]),
        ] {
            let found: Vec<String> = quantities(text).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
