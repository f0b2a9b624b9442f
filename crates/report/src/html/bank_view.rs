//! A bank or a course at a glance: how its items or documents scored, what the checks found,
//! where the keys stand, whether lengths give the key away, and what to look at first.

use std::collections::BTreeMap;

use serde::Serialize;

use super::chart::{self, Thresholds};
use super::data::{BankData, TestData};
use super::templates::{self, HtmlError};
use crate::count::counted;

/// An item of a bank or a document of a course, as far as the overview needs it.
#[derive(Clone, Debug, Default)]
pub struct BankItem {
    pub id: String,
    /// Where it is shown, if it is: a place of the page or an address.
    pub link: Option<String>,
    pub score: Option<f64>,
    /// The status in words.
    pub status: String,
    /// Findings and issues that are open; without it the lowest scores are listed elsewhere.
    pub open: Option<usize>,
}

/// What is put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gathered {
    /// Items of one file.
    #[default]
    Bank,
    /// Documents of any kind.
    Course,
}

impl Gathered {
    fn noun(self) -> &'static str {
        match self {
            Self::Bank => "item",
            Self::Course => "document",
        }
    }
}

/// What the view shows.
#[derive(Clone, Debug, Default)]
pub struct BankInput {
    pub what: Gathered,
    pub data: BankData,
    /// Its items, if they were judged.
    pub items: Vec<BankItem>,
    pub thresholds: Thresholds,
}

#[derive(Serialize)]
struct BankView {
    title: String,
    noun: &'static str,
    column: &'static str,
    items: String,
    outcomes: Vec<BarView>,
    issues: Vec<BarView>,
    histogram_html: Option<String>,
    judged: usize,
    positions: Vec<BarView>,
    position_words: Option<String>,
    is_position_striking: bool,
    length_words: Option<String>,
    is_length_striking: bool,
    flaws: Vec<BarView>,
    blooms: Vec<BarView>,
    worst: Vec<WorstView>,
    lowest: Vec<LowestView>,
    duplicates: Vec<DuplicateView>,
}

#[derive(Serialize)]
struct BarView {
    name: String,
    count: String,
    expected: Option<String>,
    bar_html: String,
}

#[derive(Serialize)]
struct WorstView {
    id: String,
    line: usize,
    words: String,
    link: Option<String>,
}

#[derive(Serialize)]
struct LowestView {
    id: String,
    link: Option<String>,
    score: String,
    status: String,
    open: String,
}

#[derive(Serialize)]
struct DuplicateView {
    first: PlaceView,
    second: PlaceView,
    likeness: String,
}

#[derive(Serialize)]
struct PlaceView {
    id: String,
    link: Option<String>,
}

/// The most items and rows that are listed.
const MOST: usize = 15;

/// The fragment.
///
/// # Errors
/// When a template fails, which is an internal error.
pub fn bank(input: &BankInput) -> Result<String, HtmlError> {
    let data = &input.data;
    let scores: Vec<f64> = input.items.iter().filter_map(|item| item.score).collect();
    let noun = input.what.noun();
    let view = BankView {
        title: match input.what {
            Gathered::Bank if !data.path.is_empty() => format!("Bank {}", data.path),
            _ => "Overview".to_owned(),
        },
        noun,
        column: match input.what {
            Gathered::Bank => "Item",
            Gathered::Course => "Document",
        },
        items: counted(data.items.max(input.items.len()), noun),
        outcomes: outcomes(input),
        issues: counts(
            data.issues
                .iter()
                .map(|issue| (issue.name.as_str(), issue.items)),
        ),
        histogram_html: chart::histogram(&scores, input.thresholds.accept),
        judged: scores.len(),
        positions: positions(data),
        position_words: data.position_bias.as_ref().map(position_words),
        is_position_striking: is_striking(data.position_bias.as_ref()),
        length_words: data.length_cue.as_ref().map(length_words),
        is_length_striking: is_striking(data.length_cue.as_ref()),
        flaws: counts(
            data.flaws
                .iter()
                .map(|flaw| (flaw.name.as_str(), flaw.items)),
        ),
        blooms: counts(
            data.bloom_levels
                .iter()
                .map(|level| (level.name.as_str(), level.items)),
        ),
        worst: worst(input),
        lowest: lowest(input),
        duplicates: data
            .duplicates
            .iter()
            .take(MOST)
            .map(|pair| DuplicateView {
                first: place(input, &pair.first),
                second: place(input, &pair.second),
                likeness: format!("{:.0}%", pair.likeness * 100.0),
            })
            .collect(),
    };
    templates::fill("bank.html", &view)
}

fn link(input: &BankInput, id: &str) -> Option<String> {
    let item = input.items.iter().find(|item| item.id == id)?;
    item.link.clone()
}

fn place(input: &BankInput, id: &str) -> PlaceView {
    PlaceView {
        id: id.to_owned(),
        link: link(input, id),
    }
}

/// How many documents ended how, the most frequent first. A bank has its table of items
/// for that.
fn outcomes(input: &BankInput) -> Vec<BarView> {
    if input.what == Gathered::Bank {
        return Vec::new();
    }
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for item in &input.items {
        *all.entry(&item.status).or_default() += 1;
    }
    let mut all: Vec<(&str, usize)> = all.into_iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts(all.into_iter())
}

fn positions(data: &BankData) -> Vec<BarView> {
    let largest = data
        .key_positions
        .iter()
        .map(|position| (position.keys as f64).max(position.expected))
        .fold(1.0_f64, f64::max);
    let bars = data.key_positions.iter().map(|position| BarView {
        name: position.position.clone(),
        count: position.keys.to_string(),
        expected: Some(if position.expected < 10.0 {
            format!("{:.1}", position.expected)
        } else {
            format!("{:.0}", position.expected)
        }),
        bar_html: chart::count_bar(position.keys as f64, Some(position.expected), largest),
    });
    bars.collect()
}

fn counts<'a>(all: impl Iterator<Item = (&'a str, usize)> + Clone) -> Vec<BarView> {
    let most = all.clone().map(|(_, count)| count).max().unwrap_or(1) as f64;
    let bars = all.take(MOST).map(|(name, count)| BarView {
        name: name.to_owned(),
        count: count.to_string(),
        expected: None,
        bar_html: chart::count_bar(count as f64, None, most),
    });
    bars.collect()
}

fn is_striking(test: Option<&TestData>) -> bool {
    test.is_some_and(|test| test.verdict == "striking")
}

fn position_words(test: &TestData) -> String {
    match (test.verdict.as_str(), test.p_value) {
        ("too_few", _) => format!(
            "{} with a key: too few to tell whether a position is preferred",
            counted(usize::try_from(test.items).unwrap_or(usize::MAX), "item")
        ),
        ("striking", Some(p)) => format!(
            "the keys favour some positions more than chance explains (p = {p:.3}), which rewards guessing"
        ),
        (_, Some(p)) => format!("the keys are spread as expected by chance (p = {p:.3})"),
        _ => String::new(),
    }
}

fn length_words(test: &TestData) -> String {
    let percent = |value: f64| format!("{:.0}%", value * 100.0);
    match (test.verdict.as_str(), test.rate, test.chance) {
        ("too_few", ..) => format!(
            "{} with one longest option: too few to tell",
            counted(usize::try_from(test.items).unwrap_or(usize::MAX), "item")
        ),
        (verdict, Some(rate), Some(chance)) => {
            let meaning = if verdict == "striking" {
                "length gives the key away"
            } else {
                "no more than chance explains"
            };
            format!(
                "the longest option is the key in {} of {}, against {} expected by chance: {meaning}",
                percent(rate),
                counted(usize::try_from(test.items).unwrap_or(usize::MAX), "item"),
                percent(chance)
            )
        }
        _ => String::new(),
    }
}

fn worst(input: &BankInput) -> Vec<WorstView> {
    let rows = input.data.worst.iter().take(MOST).map(|item| WorstView {
        id: item.id.clone(),
        line: item.line,
        words: [
            (item.errors, "error"),
            (item.warnings, "warning"),
            (item.infos, "remark"),
        ]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| counted(number, noun))
        .collect::<Vec<_>>()
        .join(", "),
        link: link(input, &item.id),
    });
    rows.collect()
}

/// The items with the lowest scores; those without a score first.
fn lowest(input: &BankInput) -> Vec<LowestView> {
    let known = input.items.iter().filter(|item| item.open.is_some());
    let mut items: Vec<&BankItem> = known.collect();
    items.sort_by(|a, b| {
        let key = |item: &BankItem| item.score.unwrap_or(-1.0);
        key(a).total_cmp(&key(b))
    });
    let rows = items.into_iter().take(MOST).map(|item| LowestView {
        id: item.id.clone(),
        link: item.link.clone(),
        score: item
            .score
            .map_or("not scored".to_owned(), |score| format!("{score:.2}")),
        status: item.status.clone(),
        open: counted(item.open.unwrap_or_default(), "open remark"),
    });
    rows.collect()
}
