//! Many documents at once: a table, the worst first, and a line that sums them up. What
//! was accepted is only counted where there is much of it, and much that needs work has one
//! line each; `--all` shows every document with its details.

use std::fmt::Write as _;

use redraft_gate::score::Score;
use redraft_run::assess::Assessment;
use redraft_run::ledger::Dollars;
use redraft_run::outcome::{Gate, Outcome, Status};
use redraft_run::verdict::{Issue, IssueSeverity, Reason};

use super::cost;
use super::count::{counted, cut};
use super::item_path;
use super::judge_report::{self, JudgeReport, Judged};
use super::plain;
use super::sentences;
use super::solver_report;
use super::style::{self, BOLD, DIM};

/// How a document did, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Failed,
    ForReview,
    BestEffort,
    /// Its models had trouble: run it again.
    Unscored,
    Warnings,
    Accepted,
    Passed,
}

const RANKS: [Rank; 7] = [
    Rank::Accepted,
    Rank::Passed,
    Rank::Warnings,
    Rank::BestEffort,
    Rank::Failed,
    Rank::ForReview,
    Rank::Unscored,
];

impl Rank {
    fn of(outcome: &Outcome) -> Self {
        match outcome.status {
            Status::Accepted => Self::Accepted,
            Status::AcceptedWarning => Self::Warnings,
            Status::Checked if outcome.gate == Some(Gate::Passed) => Self::Passed,
            Status::Checked => Self::Failed,
            _ if is_unusable(outcome) => Self::Failed,
            _ if outcome.unscored.is_some() => Self::Unscored,
            Status::BestEffort => Self::BestEffort,
            Status::Escalated => Self::ForReview,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Unscored => "not scored",
            Self::ForReview => "for review",
            Self::BestEffort => "best effort",
            Self::Failed => "failed the free checks",
            Self::Warnings => "with warnings",
            Self::Accepted => "accepted",
            Self::Passed => "passed the free checks",
        }
    }

    fn needs_work(self) -> bool {
        self < Self::Warnings
    }
}

/// How many documents did how well, and what they cost.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    ranks: Vec<Rank>,
    micros: u64,
    done: usize,
}

impl Tally {
    #[must_use]
    pub fn of(report: &JudgeReport) -> Self {
        let mut tally = Self::default();
        report.documents.iter().for_each(|one| tally.add(one));
        tally
    }

    pub fn add(&mut self, one: &Judged) {
        self.ranks.push(Rank::of(&one.outcome));
        self.micros += micros(&one.outcome);
        self.done += usize::from(one.already_done.is_some());
    }

    /// `187 accepted, 9 with warnings, 4 for review, $1.24`.
    #[must_use]
    pub fn in_short(&self) -> String {
        let mut parts: Vec<String> = RANKS
            .into_iter()
            .filter_map(|rank| {
                let number = self.ranks.iter().filter(|one| **one == rank).count();
                (number > 0).then(|| format!("{number} {}", rank.name()))
            })
            .collect();
        if self.done > 0 {
            parts.push(format!("{} already done", self.done));
        }
        if self.micros > 0 {
            parts.push(format!("${}", Dollars(self.micros)));
        }
        parts.join(", ")
    }
}

/// Whether no judge was asked because of what the free checks found.
fn is_unusable(outcome: &Outcome) -> bool {
    let unscored = outcome.unscored.as_ref();
    unscored.is_some_and(|unscored| unscored.reason == Reason::Unusable)
}

fn micros(outcome: &Outcome) -> u64 {
    outcome.spent.values().map(|spent| spent.cost_micros).sum()
}

/// How many accepted documents a table names before it only counts them, and how many that
/// need work have more than a line.
const NAMED: usize = 20;
/// The most characters of such a line's reason.
const REASON: usize = 90;

/// The table of many documents, and what they come to.
#[must_use]
pub fn human(report: &JudgeReport) -> String {
    let mut text = String::new();
    let mut rows: Vec<(Rank, Option<Score>, &Judged)> = report
        .documents
        .iter()
        .map(|one| {
            let score = one.outcome.score.as_ref().map(Assessment::overall);
            (Rank::of(&one.outcome), score, one)
        })
        .collect();
    // Equal ones stay in the order of their paths.
    rows.sort_by_key(|(rank, score, _)| (*rank, *score));
    let good = rows.iter().filter(|row| !row.0.needs_work()).count();
    let named = |rank: Rank| rank.needs_work() || good <= NAMED;
    let priced = rows.iter().any(|(.., one)| micros(&one.outcome) > 0);
    let needing = rows.len() - good;
    let form = RowForm {
        priced,
        is_short: needing > NAMED,
        bank: only_bank(report),
    };
    for (rank, score, one) in rows.iter().filter(|row| named(row.0)) {
        row(&mut text, (*rank, *score), one, &form);
    }
    if needing > NAMED {
        let _ = writeln!(text, "  {DIM}--all shows each with its issues{DIM:#}");
    }
    if good > NAMED {
        let _ = writeln!(
            text,
            "  {DIM}… and {} that {} no work; --all shows every document{DIM:#}",
            counted(good, "document"),
            if good == 1 { "needs" } else { "need" }
        );
    }
    for bank in &report.banks {
        let unscored = rows.iter().filter(|(rank, _, one)| {
            *rank == Rank::Unscored && item_path::file(&one.path) == bank.path
        });
        judge_report::bank(&mut text, bank, unscored.count());
    }
    solver_report::write(&mut text, &report.solvers);
    cost::write_all(&mut text, &report.outcomes());
    let scripted = report.documents.iter().any(|one| one.outcome.scripted);
    if scripted {
        let _ = writeln!(text, "scripted replies were used; no model has judged this");
    }
    let mut parts = vec![Tally::of(report).in_short()];
    parts.retain(|part| !part.is_empty());
    if !report.unfinished.is_empty() {
        parts.push(format!("{} without a result", report.unfinished.len()));
    }
    let _ = writeln!(
        text,
        "{BOLD}{}: {}{BOLD:#}",
        counted(report.documents.len() + report.unfinished.len(), "document"),
        parts.join(", ")
    );
    text
}

/// How the rows of a table are written.
struct RowForm<'a> {
    priced: bool,
    /// Whether a row is one line.
    is_short: bool,
    /// The bank that all documents are items of; the rows name the items alone.
    bank: Option<&'a str>,
}

/// The bank of which all documents are items.
fn only_bank(report: &JudgeReport) -> Option<&str> {
    fn bank(one: &Judged) -> Option<&str> {
        let (file, item) = item_path::split(&one.path);
        item.map(|_| file)
    }
    let path = report.documents.first().and_then(bank)?;
    let mut all = report.documents.iter();
    all.all(|one| bank(one) == Some(path)).then_some(path)
}

fn row(text: &mut String, (rank, score): (Rank, Option<Score>), one: &Judged, form: &RowForm<'_>) {
    let priced = form.priced;
    let style = style::of_status(one.outcome.status);
    let name = match rank {
        Rank::Failed => "failed",
        Rank::Passed => "passed",
        other => other.name(),
    };
    let score = score.map_or("  –  ".to_owned(), |score| score.to_string());
    let cost = if priced {
        format!("  {:>8}", format!("${}", Dollars(micros(&one.outcome))))
    } else {
        String::new()
    };
    let path = match (form.bank, item_path::item(&one.path)) {
        (Some(_), Some(item)) if form.is_short => item,
        _ => one.path.as_str(),
    };
    let _ = write!(
        text,
        "{style}{name:<13}{style:#}  {score}{cost}  {BOLD}{}{BOLD:#}{}",
        plain::path(path),
        if one.already_done.is_some() {
            "  (already done)"
        } else {
            ""
        }
    );
    let because = one.outcome.because.as_ref().map(sentences::because);
    let issue = worst(&one.outcome.issues);
    if !rank.needs_work() {
        text.push('\n');
        return;
    }
    if form.is_short {
        let is_grave = |issue: &&Issue| issue.severity >= IssueSeverity::Major;
        let of_issue = issue
            .filter(is_grave)
            .map(|issue| issue.description.clone());
        let why = of_issue.or(because).unwrap_or_default();
        let _ = writeln!(text, "  {}", cut(&plain::words(&why), REASON));
        return;
    }
    text.push('\n');
    if let Some(why) = because {
        let _ = writeln!(text, "    {}", plain::words(&why));
    }
    if let Some(issue) = issue {
        let _ = writeln!(
            text,
            "    {} {}: {}",
            sentences::severity(issue.severity),
            plain::words(&issue.location.to_string()),
            plain::words(&issue.description)
        );
    }
}

fn worst(issues: &[Issue]) -> Option<&Issue> {
    issues.iter().rev().max_by_key(|issue| issue.severity)
}
