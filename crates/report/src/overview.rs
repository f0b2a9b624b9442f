//! Many documents at once: a table, the worst first, and a line that sums them up. What
//! was accepted is only counted where there is much of it; `--all` shows every document.

use std::fmt::Write as _;

use redraft_gate::score::Score;
use redraft_run::assess::Assessment;
use redraft_run::ledger::Dollars;
use redraft_run::outcome::{Gate, Outcome, Status};
use redraft_run::verdict::{Issue, Reason};

use super::cost;
use super::count::counted;
use super::judge_report::{self, JudgeReport, Judged};
use super::plain;
use super::sentences;
use super::solver_report;
use super::style::{self, BOLD, DIM};

/// How a document did, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Failed,
    Unscored,
    ForReview,
    BestEffort,
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

/// How many accepted documents a table names before it only counts them.
const NAMED: usize = 20;

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
    for (rank, score, one) in rows.iter().filter(|row| named(row.0)) {
        row(&mut text, (*rank, *score), one, priced);
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
        judge_report::bank(&mut text, bank);
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

fn row(text: &mut String, (rank, score): (Rank, Option<Score>), one: &Judged, priced: bool) {
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
    let _ = writeln!(
        text,
        "{style}{name:<13}{style:#}  {score}{cost}  {BOLD}{}{BOLD:#}{}",
        plain::path(&one.path),
        if one.already_done.is_some() {
            "  (already done)"
        } else {
            ""
        }
    );
    if !rank.needs_work() {
        return;
    }
    if let Some(because) = &one.outcome.because {
        let why = sentences::because(because);
        let _ = writeln!(text, "    {}", plain::words(&why));
    }
    if let Some(issue) = worst(&one.outcome.issues) {
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
