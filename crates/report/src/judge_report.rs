//! The report of `redraft judge`: the published JSON, and the text for the terminal.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write as _;

use redraft_gate::receipt::Receipts;
use redraft_gate::span::Version;
use redraft_run::assess::Assessed;
use redraft_run::outcome::Outcome;
use redraft_run::policy::SolverPolicy;
use redraft_run::reasons::NotAccepted;
use redraft_run::verdict::{Anchored, Issue};
use schemars::JsonSchema;
use serde::Serialize;

use super::check_report::SkippedFile;
use super::cost;
use super::count::counted;
use super::decimals::Decimals;
use super::decision;
use super::fallbacks::{self, Fallbacks};
use super::panel;
use super::plain;
use super::seeds::{Seed, SeedContext};
use super::sentences;
use super::shell;
use super::solver_report::{self, SolverReport};
use super::style::{self, BOLD, DIM};
use super::unfinished::Unfinished;

/// What `redraft judge` and `redraft refine` print with `--format json`.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(title = "redraft judge and refine output")]
pub struct JudgeReport {
    /// The version of this format.
    pub schema: u32,
    /// The documents, in the order of their paths.
    pub documents: Vec<Judged>,
    /// The banks that were refined item by item; their items are among the
    /// documents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub banks: Vec<RefinedBank>,
    /// How solvers did over banks, where items were solved without their keys.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub solvers: Vec<SolverReport>,
    /// Documents without a result: failed, interrupted or not started.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<Unfinished>,
    /// Files that may hold teaching material and were not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<SkippedFile>,
}

/// A bank whose items were refined.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RefinedBank {
    /// Its path.
    pub path: String,
    /// How many items it has.
    pub items: usize,
    /// How many of its values are not items and were left as they are.
    pub not_items: usize,
    /// Items accepted without a correction.
    pub passed: usize,
    /// Items accepted after a correction.
    pub corrected: usize,
    /// Items that need a human review.
    pub needs_human_review: usize,
    /// Repaired items whose original text was kept, because they were not accepted.
    pub left_out: usize,
    /// The version of the original file.
    pub input: Version,
    /// Whether anything was changed.
    pub is_changed: bool,
    /// The file with the results of all items.
    #[serde(rename = "final_content", with = "redraft_run::bytes_json")]
    #[schemars(with = "serde_json::Value")]
    pub content: Vec<u8>,
    /// Proof that nothing else was changed.
    pub receipts: Receipts,
}

/// A line about a bank, of which so many items have no score because of their models.
pub(super) fn bank(text: &mut String, bank: &RefinedBank, unscored: usize) {
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: {}: {} passed, {} corrected, {} to review{}{}{}",
        plain::path(&bank.path),
        counted(bank.items, "item"),
        bank.passed,
        bank.corrected,
        bank.needs_human_review.saturating_sub(unscored),
        match unscored {
            0 => String::new(),
            number => format!(", {number} not scored (run it again with --continue)"),
        },
        match bank.left_out {
            0 => String::new(),
            number => format!(" ({number} of them kept as they were)"),
        },
        match bank.not_items {
            0 => String::new(),
            1 => "; 1 value is not an item".to_owned(),
            number => format!("; {number} values are not items"),
        }
    );
}

impl Default for JudgeReport {
    fn default() -> Self {
        Self {
            schema: super::SCHEMA,
            documents: Vec::new(),
            banks: Vec::new(),
            solvers: Vec::new(),
            unfinished: Vec::new(),
            skipped: Vec::new(),
        }
    }
}

/// One judged document.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Judged {
    /// Its path.
    pub path: String,
    /// The id of the run.
    pub run: String,
    /// The path of its journal.
    pub journal: String,
    /// Where its text was saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<String>,
    /// The earlier run that accepted this very text under the same settings; nothing was
    /// asked again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub already_done: Option<String>,
    /// The original bytes.
    #[serde(skip)]
    pub original: Vec<u8>,
    /// The outcome.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The fallback models that were asked.
    #[serde(flatten)]
    pub fallbacks: Fallbacks,
    /// The same in the shapes of the seeds.
    pub seed: Seed,
    /// What counts where the solver of its bank is not believed; only where it disputes
    /// the key.
    #[serde(skip)]
    pub undisputed: Option<Box<Undisputed>>,
    /// When a solver is not believed.
    #[serde(skip)]
    pub solver: SolverPolicy,
}

/// What becomes of an item without its solver.
#[derive(Debug)]
pub struct Undisputed {
    pub outcome: Outcome,
    pub seed: Seed,
}

impl Undisputed {
    /// What an outcome is without its solver, where that disputes the key.
    #[must_use]
    pub fn of(outcome: &Outcome, context: &SeedContext) -> Option<Box<Self>> {
        let outcome = outcome.undisputed()?;
        let seed = Seed::of(&outcome, context);
        Some(Box::new(Self { outcome, seed }))
    }
}

impl Judged {
    /// Takes back what a solver that is not believed has disputed.
    pub fn disbelieve_solver(&mut self) {
        if let Some(undisputed) = self.undisputed.take() {
            self.outcome = undisputed.outcome;
            self.seed = undisputed.seed;
        }
    }
}

impl JudgeReport {
    pub fn add(&mut self, judged: Judged) {
        self.documents.push(judged);
    }

    pub(crate) fn outcomes(&self) -> Vec<&Outcome> {
        self.documents.iter().map(|one| &one.outcome).collect()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// One JSON object per line and document, those without a result last.
    ///
    /// # Errors
    /// If a document cannot be serialised.
    pub fn lines(&self) -> Result<String, serde_json::Error> {
        let mut lines = String::new();
        for document in &self.documents {
            lines.push_str(&serde_json::to_string(document)?);
            lines.push('\n');
        }
        for one in &self.unfinished {
            lines.push_str(&serde_json::to_string(one)?);
            lines.push('\n');
        }
        Ok(lines)
    }
}

/// The report for the terminal.
#[must_use]
pub fn human(report: &JudgeReport) -> String {
    let mut text = String::new();
    for document in &report.documents {
        one(&mut text, document, Company::of(report));
    }
    solver_report::write(&mut text, &report.solvers);
    cost::write_all(&mut text, &report.outcomes());
    text
}

/// Whether a report has other documents: a table of costs comes once, at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Company {
    Alone,
    AmongOthers,
}

impl Company {
    pub(super) fn of(report: &JudgeReport) -> Self {
        if report.documents.len() == 1 {
            Self::Alone
        } else {
            Self::AmongOthers
        }
    }
}

/// What stands of the costs before their line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CostTable {
    Written,
    Absent,
}

impl CostTable {
    /// Writes the table of a document that is alone and had more than one role.
    pub(super) fn write(text: &mut String, document: &Judged, company: Company) -> Self {
        if company == Company::Alone && cost::write_table(text, &document.outcome.spent) {
            Self::Written
        } else {
            Self::Absent
        }
    }
}

pub(super) fn one(text: &mut String, document: &Judged, company: Company) {
    let outcome = &document.outcome;
    let style = style::of_status(outcome.status);
    let decimals = Decimals::of_outcome(outcome);
    let score = outcome
        .score
        .as_ref()
        .map_or("not scored".to_owned(), |score| {
            decimals.show(score.overall())
        });
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: {style}{}{style:#}, {score}",
        plain::path(&document.path),
        sentences::status(outcome.status)
    );
    if outcome.scripted {
        let _ = writeln!(
            text,
            "  scripted replies were used; no model has judged this"
        );
    }
    if let Some(because) = &outcome.because {
        let _ = writeln!(text, "  {}", sentences::because(because));
    }
    if let Some(run) = &document.already_done {
        let _ = writeln!(
            text,
            "  already done by run {}; use --fresh to judge it again",
            plain::words(run)
        );
    }
    decision::write(text, outcome);
    if let Some(assessment) = &outcome.score {
        let width = assessment
            .criteria()
            .iter()
            .map(|criterion| criterion.name().len())
            .max()
            .unwrap_or_default();
        for criterion in assessment.criteria() {
            let _ = writeln!(
                text,
                "  {:width$}  {}{}",
                criterion.name(),
                decimals.show(criterion.score()),
                remark(criterion, decimals)
            );
        }
        panel::write_judges(text, outcome);
    }
    fallbacks::write(text, outcome, &document.fallbacks);
    write_issues(text, outcome);
    panel::write_conflicts(text, outcome);
    panel::write_set_aside(text, outcome);
    panel::write_plan(text, outcome);
    let lacks = outcome
        .because
        .as_ref()
        .map(|because| &because.not_accepted);
    // What was not written cannot be checked.
    let is_written = !matches!(lacks, Some(NotAccepted::NotWritten { .. }));
    if outcome.open_errors > 0 && is_written {
        let _ = writeln!(
            text,
            "  {} from the free checks: run `{}`",
            counted(outcome.open_errors, "open error"),
            shell::command(["redraft", "check", &document.path])
        );
    }
    let table = CostTable::write(text, document, company);
    write_cost(text, document, table);
}

/// The cost, unless a table shows it, and the path of the journal.
pub(super) fn write_cost(text: &mut String, document: &Judged, table: CostTable) {
    let took = if table == CostTable::Written {
        String::new()
    } else {
        format!("{}; ", cost::line(&document.outcome.spent))
    };
    let _ = writeln!(text, "  {DIM}{took}journal {}{DIM:#}", document.journal);
}

/// What is to be said of a criterion beside its score.
pub(super) fn remark(criterion: &Assessed, decimals: Decimals) -> String {
    let mut remarks = Vec::new();
    if criterion.capped_at().is_some() {
        remarks.push(format!(
            "capped by a finding; the judge gave {}",
            decimals.show(criterion.awarded())
        ));
    }
    if !criterion.suffices() {
        remarks.push("below the threshold".to_owned());
    }
    match remarks.as_slice() {
        [] => String::new(),
        remarks => format!("  {DIM}({}){DIM:#}", remarks.join("; ")),
    }
}

/// The words of an issue and where they stand: what two judges say alike under two
/// criteria is one thing to do.
pub(super) fn words_of(issue: &Issue) -> (String, String) {
    let words = issue.description.to_lowercase();
    let words: Vec<&str> = words
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    (issue.location.to_string(), words.join(" "))
}

/// The open issues, each once, under the gravest severity that somebody gave it.
pub(super) fn write_issues(text: &mut String, outcome: &Outcome) {
    crate::proposals::write(text, outcome);
    if outcome.issues.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n  {BOLD}Open issues{BOLD:#}");
    for issue in distinct(&outcome.issues, |issue| issue) {
        write_issue(text, issue, panel::raised_by(outcome, issue).as_deref());
    }
}

/// Each issue once, under the gravest severity that somebody gave it, in the order in which
/// they are first named.
pub(super) fn distinct<T>(all: &[T], issue: impl Fn(&T) -> &Issue) -> Vec<&T> {
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    let mut kept: Vec<&T> = Vec::new();
    for one in all {
        match places.entry(words_of(issue(one))) {
            Entry::Vacant(place) => {
                place.insert(kept.len());
                kept.push(one);
            }
            Entry::Occupied(place) => {
                if let Some(known) = kept.get_mut(*place.get())
                    && issue(one).severity > issue(known).severity
                {
                    *known = one;
                }
            }
        }
    }
    kept
}

pub(super) fn write_issue(text: &mut String, issue: &Issue, raised: Option<&str>) {
    let severity = sentences::severity(issue.severity);
    let raised = raised
        .map(|raised| format!(" {DIM}[{raised}]{DIM:#}"))
        .unwrap_or_default();
    let _ = writeln!(
        text,
        "  {BOLD}{severity}{BOLD:#} {} ({}): {}{raised}",
        plain::words(&issue.location.to_string()),
        plain::words(&issue.criterion.to_string()),
        plain::words(&issue.description)
    );
    if let Some(quote) = &issue.quote {
        let remark = if issue.anchor == Anchored::Unanchored {
            " (not found in the text)"
        } else {
            ""
        };
        let _ = writeln!(text, "      “{}”{remark}", plain::words(quote));
    }
    if !issue.suggested_fix.is_empty() {
        let _ = writeln!(text, "      → {}", plain::words(&issue.suggested_fix));
    }
}
