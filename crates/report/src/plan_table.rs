//! The estimate for many documents: a row for each file, the dearest first, and totals. A
//! bank is one row; `--all` shows each item.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use redraft_run::forecast::{Amount, total};
use redraft_run::ledger::Dollars;

use super::count::{counted, grouped};
use super::item_path;
use super::plain;
use super::plan::{PlanReport, Planned};
use super::style::{BOLD, DIM};

/// What the documents of a file come to.
#[derive(Default)]
struct FileSum {
    documents: usize,
    typical: Amount,
    worst: Amount,
}

/// How many files are named before the rest is only summed up.
const NAMED: usize = 30;

/// The table of many documents.
#[must_use]
pub fn human(report: &PlanReport) -> String {
    let planned = report.planned();
    let has_prices = planned.iter().any(Planned::has_prices);
    let mut files: BTreeMap<&str, FileSum> = BTreeMap::new();
    let mut all = FileSum::default();
    let mut best = Amount::default();
    for one in planned {
        let (least, typical, worst) = total(&one.stages);
        best = best.and(least);
        for sum in [
            files.entry(item_path::file(&one.path)).or_default(),
            &mut all,
        ] {
            sum.documents += 1;
            sum.typical = sum.typical.and(typical);
            sum.worst = sum.worst.and(worst);
        }
    }
    let mut rows: Vec<(&str, FileSum)> = files.into_iter().collect();
    rows.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.typical.tokens.total()));
    let cost = match has_prices {
        true => format!("{:>9}   ", "cost"),
        false => "  ".to_owned(),
    };
    let mut text = format!(
        "{DIM}{:>6} {:>10} {cost}{:>10}  file{DIM:#}\n",
        "calls", "tokens", "at worst"
    );
    for (path, sum) in rows.iter().take(NAMED) {
        row(&mut text, path, sum, has_prices);
    }
    if rows.len() > NAMED {
        let _ = writeln!(
            text,
            "  {DIM}… and {} more files{DIM:#}",
            rows.len() - NAMED
        );
    }
    let what = counted(planned.len(), "document");
    row(
        &mut text,
        &format!("{BOLD}{what}{BOLD:#}"),
        &all,
        has_prices,
    );
    let _ = writeln!(
        text,
        "\n  at best {} and {} tokens; --all shows every document",
        counted(usize::try_from(best.calls).unwrap_or(usize::MAX), "call"),
        grouped(best.tokens.total())
    );
    limits(&mut text, planned);
    text
}

fn row(text: &mut String, path: &str, sum: &FileSum, has_prices: bool) {
    let items = match sum.documents {
        1 => String::new(),
        _ if path.starts_with('\u{1b}') => String::new(),
        number => format!(" ({})", counted(number, "item")),
    };
    let path = if path.starts_with('\u{1b}') {
        path.into()
    } else {
        plain::path(path)
    };
    // The worst case in money, or in tokens where no price is known.
    let [cost, worst] = match has_prices {
        true => [
            format!("{:>9}   ", dollars(sum.typical)),
            dollars(sum.worst),
        ],
        false => ["  ".to_owned(), grouped(sum.worst.tokens.total())],
    };
    let _ = writeln!(
        text,
        "{:>6} {:>10} {cost}{worst:>10}  {path}{items}",
        grouped(sum.typical.calls),
        grouped(sum.typical.tokens.total()),
    );
}

fn dollars(amount: Amount) -> String {
    format!("${}", Dollars(amount.cost_micros))
}

/// The limit of each run, and how many documents may need more.
fn limits(text: &mut String, planned: &[Planned]) {
    let Some(least) = planned.iter().map(|one| one.limits.tokens).min() else {
        return;
    };
    let above = |one: &&Planned| {
        let (.., worst) = total(&one.stages);
        worst.tokens.total() > one.limits.tokens
    };
    let money = planned.iter().filter_map(|one| one.limits.cost).min();
    let money = money.map_or(String::new(), |most| format!(" and ${}", Dollars(most)));
    let beyond = match planned.iter().filter(above).count() {
        0 => String::new(),
        number => format!(
            "; the worst case of {} is above that",
            counted(number, "document")
        ),
    };
    let _ = writeln!(
        text,
        "  each run stops at {} tokens{money}{beyond}",
        grouped(least)
    );
    let unusable = planned.iter().filter(|one| one.unusable.is_some()).count();
    if unusable > 0 {
        let _ = writeln!(
            text,
            "  {} cannot be judged as {} now; `redraft check` shows why",
            counted(unusable, "document"),
            if unusable == 1 { "it is" } else { "they are" }
        );
    }
}
