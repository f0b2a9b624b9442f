//! The statistics of a question bank, for programs and for people. They are
//! computed by the profile and only named and laid out here.

use std::fmt::Write as _;

use anstyle::Style;
use redraft_gate::policy::Parameters;
use redraft_profiles::items::bank::sheet::{Duplicate, ItemLocation, Sheet, Tested, WorstItem};
use redraft_profiles::items::bank::statistics::{self, LengthCue, PositionBias};
use redraft_profiles::items::model::letter;
use schemars::JsonSchema;
use serde::Serialize;

use super::count::counted;
use super::plain;

/// The statistics of a question bank.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct BankReport {
    /// The file, or the folder of files.
    pub path: String,
    /// How many items it has.
    pub items: usize,
    /// File and line of each value that is not an item.
    pub not_items: Vec<String>,
    /// How many keys are at each position, and how many are expected.
    pub key_positions: Vec<KeyPositionReport>,
    /// Whether the keys prefer a position; `null` without keys.
    pub position_bias: Option<PositionBiasReport>,
    /// Whether the longest option is the key too often; `null` without keys.
    pub length_cue: Option<LengthCueReport>,
    /// Items by the Bloom level that they declare.
    pub bloom_levels: Vec<CountReport>,
    /// Items with findings, by the name of the check, the most frequent first.
    pub flaws: Vec<CountReport>,
    /// The items with the most findings, the worst first.
    pub worst: Vec<WorstItemReport>,
    /// Duplicate items in different files; for folders.
    pub duplicates: Vec<DuplicateReport>,
}

/// The keys at one position.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct KeyPositionReport {
    /// `A`, `B` …
    pub position: String,
    /// Keys at this position.
    pub keys: u64,
    /// Keys expected by chance.
    pub expected: f64,
}

/// The result of a statistical test.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestVerdict {
    /// Too few items to tell.
    TooFew,
    /// No more than chance explains.
    Unremarkable,
    /// More than chance explains.
    Striking,
}

/// The test of the keys' positions.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct PositionBiasReport {
    /// The result.
    pub verdict: TestVerdict,
    /// Items with a key.
    pub items: u64,
    /// The probability of so uneven a spread by chance; `null` for too few items.
    pub p_value: Option<f64>,
    /// Cohen's w; `null` for too few items.
    pub effect_size: Option<f64>,
}

/// The test of the options' lengths.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct LengthCueReport {
    /// The result.
    pub verdict: TestVerdict,
    /// Items in which one option is longer than all others.
    pub items: u64,
    /// The share of them in which it is the key; `null` for too few items.
    pub rate: Option<f64>,
    /// The share expected by chance.
    pub chance: Option<f64>,
    /// The 95% interval of the share.
    pub interval: Option<[f64; 2]>,
    /// The probability of as many by chance.
    pub p_value: Option<f64>,
}

/// How many items.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct CountReport {
    /// Of what.
    pub name: String,
    /// Items.
    pub items: usize,
}

/// An item with many findings.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct WorstItemReport {
    /// The file it is in.
    pub path: String,
    /// Its id.
    pub id: String,
    /// The line it begins on.
    pub line: usize,
    /// Its errors.
    pub errors: usize,
    /// Its warnings.
    pub warnings: usize,
    /// Its remarks.
    pub infos: usize,
}

/// Two items in different files that are nearly the same.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct DuplicateReport {
    /// File and line of the earlier one.
    pub first: String,
    /// File and line of the later one.
    pub second: String,
    /// The share of three-word sequences that they have in common.
    pub likeness: f64,
}

#[must_use]
pub fn report(path: &str, sheet: &Sheet, parameters: &Parameters) -> BankReport {
    let mut flaws: Vec<CountReport> = sheet
        .flaws
        .iter()
        .map(|(name, items)| count(name, *items))
        .collect();
    flaws.sort_by_key(|flaw| std::cmp::Reverse(flaw.items));
    BankReport {
        path: path.to_owned(),
        items: sheet.items,
        not_items: sheet
            .not_items
            .iter()
            .map(|other| format!("{}:{}", other.path, other.line))
            .collect(),
        key_positions: statistics::by_position(&sheet.positions)
            .into_iter()
            .enumerate()
            .map(|(position, (keys, expected))| KeyPositionReport {
                position: letter(position),
                keys,
                expected: rounded(expected),
            })
            .collect(),
        position_bias: sheet.position_bias(parameters).map(position_bias),
        length_cue: sheet.length_cue(parameters).map(length_cue),
        bloom_levels: sheet
            .blooms
            .iter()
            .map(|(bloom, items)| count(bloom.name(), *items))
            .collect(),
        flaws,
        worst: sheet.worst.iter().map(worst).collect(),
        duplicates: sheet
            .duplicates_between_files(parameters)
            .iter()
            .map(duplicate)
            .collect(),
    }
}

fn count(name: &str, items: usize) -> CountReport {
    CountReport {
        name: name.to_owned(),
        items,
    }
}

fn worst(item: &WorstItem) -> WorstItemReport {
    WorstItemReport {
        path: item.location.path.clone(),
        id: item.location.id.clone(),
        line: item.location.line,
        errors: item.errors,
        warnings: item.warnings,
        infos: item.infos,
    }
}

fn duplicate(duplicate: &Duplicate) -> DuplicateReport {
    let place = |place: &ItemLocation| format!("{}:{}", place.path, place.line);
    DuplicateReport {
        first: place(&duplicate.first),
        second: place(&duplicate.second),
        likeness: rounded(duplicate.likeness),
    }
}

fn position_bias(tested: Tested<PositionBias>) -> PositionBiasReport {
    let (verdict, bias) = match tested {
        Tested::TooFew { items, .. } => {
            return PositionBiasReport {
                verdict: TestVerdict::TooFew,
                items,
                p_value: None,
                effect_size: None,
            };
        }
        Tested::Unremarkable(bias) => (TestVerdict::Unremarkable, bias),
        Tested::Striking(bias) => (TestVerdict::Striking, bias),
    };
    PositionBiasReport {
        verdict,
        items: bias.items,
        p_value: Some(rounded(bias.p_value)),
        effect_size: Some(rounded(bias.effect)),
    }
}

fn length_cue(tested: Tested<LengthCue>) -> LengthCueReport {
    let (verdict, cue) = match tested {
        Tested::TooFew { items, .. } => {
            return LengthCueReport {
                verdict: TestVerdict::TooFew,
                items,
                rate: None,
                chance: None,
                interval: None,
                p_value: None,
            };
        }
        Tested::Unremarkable(cue) => (TestVerdict::Unremarkable, cue),
        Tested::Striking(cue) => (TestVerdict::Striking, cue),
    };
    LengthCueReport {
        verdict,
        items: cue.items,
        rate: Some(rounded(cue.rate())),
        chance: Some(rounded(cue.chance)),
        interval: Some([rounded(cue.interval.0), rounded(cue.interval.1)]),
        p_value: Some(rounded(cue.p_value)),
    }
}

/// More digits would be false precision.
fn rounded(figure: f64) -> f64 {
    (figure * 10_000.0).round() / 10_000.0
}

/// How many checks a table names.
const NAMED: usize = 8;

/// The table of a bank for the terminal.
#[must_use]
pub fn table(bank: &BankReport) -> String {
    let bold = Style::new().bold();
    let mut out = format!(
        "{bold}{}{bold:#}: bank of {}\n",
        plain::path(&bank.path),
        counted(bank.items, "item")
    );
    let mut row = |name: &str, text: String| {
        let _ = writeln!(out, "  {name:<18}{text}");
    };
    if !bank.not_items.is_empty() {
        row("not items", not_items(bank));
    }
    row("keys by position", positions(bank));
    if let Some(cue) = &bank.length_cue {
        row("longest option", lengths(cue));
    }
    if !bank.bloom_levels.is_empty() {
        row("Bloom levels", counts(&bank.bloom_levels));
    }
    if !bank.flaws.is_empty() {
        row("findings", counts(&bank.flaws));
    }
    for (index, item) in bank.worst.iter().take(5).enumerate() {
        let name = if index == 0 { "worst items" } else { "" };
        row(name, worst_row(bank, item));
    }
    for (index, pair) in bank.duplicates.iter().take(5).enumerate() {
        let name = if index == 0 { "duplicates" } else { "" };
        let percent = (pair.likeness * 100.0).floor();
        row(
            name,
            format!(
                "{} and {} ({percent:.0}% in common)",
                plain::words(&pair.first),
                plain::words(&pair.second)
            ),
        );
    }
    if bank.duplicates.len() > 5 {
        row("", format!("… {} more", bank.duplicates.len() - 5));
    }
    out.push('\n');
    out
}

/// How many values are not items, and the lines of the first.
fn not_items(bank: &BankReport) -> String {
    const MOST: usize = 10;
    let places: Vec<&str> = bank
        .not_items
        .iter()
        .take(MOST)
        .map(|place| {
            let of_file = place
                .strip_prefix(bank.path.as_str())
                .and_then(|rest| rest.strip_prefix(':'));
            of_file.unwrap_or(place)
        })
        .collect();
    let more = match bank.not_items.len().checked_sub(MOST) {
        None | Some(0) => String::new(),
        Some(more) => format!(" and {more} more"),
    };
    let places = places.join(", ");
    format!(
        "{}, on line {}{more}",
        counted(bank.not_items.len(), "value"),
        plain::words(&places)
    )
}

fn positions(bank: &BankReport) -> String {
    let keys: u64 = bank
        .key_positions
        .iter()
        .map(|position| position.keys)
        .sum();
    if keys == 0 {
        let is_known = bank.length_cue.as_ref().is_some_and(|cue| cue.items > 0);
        return match is_known {
            true => "the right answers stand apart from the wrong ones".to_owned(),
            false => "no item has a key".to_owned(),
        };
    }
    // What chance would do in a handful of items says nothing.
    let is_tested = bank
        .position_bias
        .as_ref()
        .is_some_and(|bias| bias.verdict != TestVerdict::TooFew);
    let cells: Vec<String> = bank
        .key_positions
        .iter()
        .map(|position| match is_tested {
            true => format!(
                "{} {} ({:.0} expected)",
                position.position, position.keys, position.expected
            ),
            false => format!("{} {}", position.position, position.keys),
        })
        .collect();
    let verdict = match &bank.position_bias {
        Some(bias) if bias.verdict == TestVerdict::TooFew => {
            "too few items to test for bias".to_owned()
        }
        Some(bias) => {
            let how = if bias.verdict == TestVerdict::Striking {
                "biased"
            } else {
                "no bias found"
            };
            format!(
                "{how}: {}, effect size {:.2}",
                p_value(bias.p_value),
                bias.effect_size.unwrap_or_default()
            )
        }
        None => String::new(),
    };
    format!("{}; {verdict}", cells.join(", "))
}

fn lengths(cue: &LengthCueReport) -> String {
    let (Some(rate), Some(chance), Some([low, high])) = (cue.rate, cue.chance, cue.interval) else {
        return format!(
            "too few items to test ({} with one longest option)",
            cue.items
        );
    };
    let how = if cue.verdict == TestVerdict::Striking {
        "more often than chance"
    } else {
        "no more often than chance"
    };
    format!(
        "is the key in {:.0}% of {} items (95% interval {:.0} to {:.0}%, chance {:.0}%); {how}: {}",
        rate * 100.0,
        cue.items,
        low * 100.0,
        high * 100.0,
        chance * 100.0,
        p_value(cue.p_value)
    )
}

fn p_value(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "p below 0.001".to_owned(),
        Some(p) => format!("p = {p:.3}"),
        None => String::new(),
    }
}

fn counts(counts: &[CountReport]) -> String {
    let named: Vec<String> = counts
        .iter()
        .take(NAMED)
        .map(|count| format!("{} {}", count.items, count.name))
        .collect();
    let more = counts.len().saturating_sub(NAMED);
    let more = if more > 0 {
        format!(", and {more} more")
    } else {
        String::new()
    };
    named.join(", ") + &more
}

fn worst_row(bank: &BankReport, item: &WorstItemReport) -> String {
    let file = if item.path == bank.path {
        String::new()
    } else {
        format!("{} ", plain::path(&item.path))
    };
    let mut faults = Vec::new();
    for (number, name) in [
        (item.errors, "error"),
        (item.warnings, "warning"),
        (item.infos, "remark"),
    ] {
        if number > 0 {
            faults.push(counted(number, name));
        }
    }
    format!(
        "{file}line {}, {}: {}",
        item.line,
        plain::words(&item.id),
        faults.join(", ")
    )
}
