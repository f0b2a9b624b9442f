//! Numbers with what they measure: `5 mg` is not `5 g`, and `< 5` is not `> 5`. Only known units
//! count, so that other words after a number are not taken for one. They are data (`units` in the
//! phrase lists).

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::LazyLock;

use redraft_text::phrases::PhraseList;

use super::facts::number_ranges;

/// A number with its sign and unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    pub(super) number: String,
    /// A sign such as `<`, `≥` or `-` before it.
    sign: &'static str,
    unit: String,
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
    // A hyphen after a word, or a dash between numbers, is not a minus.
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

/// A unit, or several with slashes between them: `mcg/kg/min`. The first one must be known.
fn unit(after: &str) -> String {
    let rest = after.trim_start_matches([' ', '\u{a0}', '\u{202f}', '-']);
    let end = rest
        .find(|c: char| !(c.is_alphabetic() || matches!(c, '%' | '‰' | '°' | '/')))
        .unwrap_or(rest.len());
    let word = rest.get(..end).unwrap_or_default().trim_end_matches('/');
    if let Some(found) = known(word) {
        return found.to_owned();
    }
    let mut parts = word.split('/');
    let Some(first) = parts.next().and_then(known) else {
        return String::new();
    };
    let per = parts.map(|part| known(part).map_or_else(|| part.to_lowercase(), str::to_owned));
    std::iter::once(first.to_owned())
        .chain(per)
        .collect::<Vec<_>>()
        .join("/")
}

fn known(word: &str) -> Option<&'static str> {
    let units = &*UNITS;
    let symbol = units.symbols.get(word);
    let named = || units.names.get(&*word.to_lowercase());
    symbol.or_else(named).copied()
}

static LIST: PhraseList = PhraseList::new("units", &["symbols", "unit *"]);

/// Units in all languages.
#[derive(Debug)]
struct Units {
    symbols: HashSet<&'static str>,
    /// Other names of units.
    names: HashMap<&'static str, &'static str>,
}

static UNITS: LazyLock<Units> = LazyLock::new(|| {
    let files = || LIST.files().iter();
    let names = files().flat_map(|file| file.sections_after("unit "));
    Units {
        symbols: files().flat_map(|file| file.words("symbols")).collect(),
        names: names
            .flat_map(|(unit, lines)| {
                let words = lines.iter().flat_map(|line| line.split_whitespace());
                words.map(move |word| (word, unit))
            })
            .collect(),
    }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(LIST.faults(), [""; 0]);
        let wrong = LIST.wrong_examples("unit", |_, text| !quantities(text).is_empty());
        assert_eq!(wrong, [""; 0]);
    }

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
