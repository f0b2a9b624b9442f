//! What judging came to, for people and for programs.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use redraft_gate::receipt::Receipts;
use redraft_gate::span::Version;
use redraft_run::event::{Event, EventKind, VerdictResult};
use redraft_run::fit::Input;
use redraft_run::ledger::Dollars;
use redraft_run::outcome::{Outcome, Status};
use redraft_run::rubric::FixAction;
use redraft_run::verdict::{Anchored, Issue, IssueSeverity};
use schemars::JsonSchema;
use serde::Serialize;

use super::cost;
use super::human::counted;
use super::panel;
use super::seated::{self, Seated};
use super::seeds::Seed;
use super::sentences;

/// What `redraft judge` and `redraft refine` print with `--format json`.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(title = "redraft judge and refine output")]
pub struct JudgeReport {
    /// The version of this format.
    pub schema: u32,
    /// The documents, in the order of their paths.
    pub documents: Vec<Judged>,
    /// The banks that were worked on item by item; their items are among the
    /// documents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub banks: Vec<BankReport>,
}

/// A bank whose items were worked on.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BankReport {
    /// Where it is.
    pub path: String,
    /// How many items it has.
    pub items: usize,
    /// Accepted as they came.
    pub passed: usize,
    /// Accepted after a correction.
    pub corrected: usize,
    /// Left to a person.
    pub needs_human_review: usize,
    /// The version that came in.
    pub input: Version,
    /// Whether anything was changed.
    pub is_changed: bool,
    /// Its bytes with the results of all items.
    #[serde(rename = "finalContent", with = "redraft_run::written")]
    #[schemars(with = "serde_json::Value")]
    pub content: Vec<u8>,
    /// That nothing else was changed.
    pub receipts: Receipts,
}

/// A line about a bank, for people.
pub(super) fn bank(text: &mut String, bank: &BankReport) {
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: {}: {} passed, {} corrected, {} for a person",
        bank.path,
        counted(bank.items, "item"),
        bank.passed,
        bank.corrected,
        bank.needs_human_review
    );
}

impl Default for JudgeReport {
    fn default() -> Self {
        Self {
            schema: 1,
            documents: Vec::new(),
            banks: Vec::new(),
        }
    }
}

/// One judged document.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Judged {
    /// Where it is.
    pub path: String,
    /// The name of the run.
    pub run: String,
    /// Its journal.
    pub journal: String,
    /// The bytes that came in.
    #[serde(skip)]
    pub original: Vec<u8>,
    /// What it came to.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Which models were of no use to it, and who took over.
    #[serde(flatten)]
    pub seated: Seated,
    /// The same in the shapes of the seeds.
    pub seed: Seed,
}

impl JudgeReport {
    /// Adds a document.
    pub fn add(&mut self, judged: Judged) {
        self.documents.push(judged);
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// One JSON object a document.
    ///
    /// # Errors
    /// When a document cannot be written: a fault of ours.
    pub fn lines(&self) -> Result<String, serde_json::Error> {
        let mut lines = String::new();
        for document in &self.documents {
            lines.push_str(&serde_json::to_string(document)?);
            lines.push('\n');
        }
        Ok(lines)
    }
}

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();

pub(super) fn colour(status: Status) -> Style {
    let colour = match status {
        Status::Accepted => AnsiColor::Green,
        Status::AcceptedWarning | Status::BestEffort | Status::Checked => AnsiColor::Yellow,
        Status::Escalated => AnsiColor::Red,
    };
    Style::new().bold().fg_color(Some(colour.into()))
}

/// The report for people.
#[must_use]
pub fn human(report: &JudgeReport) -> String {
    let mut text = String::new();
    for document in &report.documents {
        one(&mut text, document, report.documents.len() == 1);
    }
    cost::write_all(&mut text, &report.documents);
    text
}

/// One document; `is_alone` where there is no other.
pub(super) fn one(text: &mut String, document: &Judged, is_alone: bool) {
    let outcome = &document.outcome;
    let style = colour(outcome.status);
    let score = outcome
        .score
        .as_ref()
        .map_or("unscored".to_owned(), |score| score.overall().to_string());
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: {style}{}{style:#}, {score}",
        document.path,
        outcome.status.name().replace('_', " ")
    );
    if outcome.scripted {
        let _ = writeln!(
            text,
            "  scripted replies were used, no model has judged this"
        );
    }
    if let Some(because) = &outcome.because {
        let _ = writeln!(text, "  {}", sentences::because(because));
    }
    if let Some(assessment) = &outcome.score {
        let width = assessment
            .criteria()
            .iter()
            .map(|criterion| criterion.name().len())
            .max()
            .unwrap_or_default();
        for criterion in assessment.criteria() {
            let mut remarks = Vec::new();
            if criterion.capped_at().is_some() {
                remarks.push(format!(
                    "a finding caps it; the judge gave {}",
                    criterion.awarded()
                ));
            }
            if !criterion.suffices() {
                remarks.push("below what this criterion needs".to_owned());
            }
            let remark = if remarks.is_empty() {
                String::new()
            } else {
                format!("  {DIM}({}){DIM:#}", remarks.join("; "))
            };
            let _ = writeln!(
                text,
                "  {:width$}  {}{remark}",
                criterion.name(),
                criterion.score()
            );
        }
        panel::write_judges(text, outcome);
    }
    seated::write(text, outcome, &document.seated);
    if !outcome.issues.is_empty() {
        let _ = writeln!(text, "\n  {BOLD}What is wanting{BOLD:#}");
    }
    for issue in &outcome.issues {
        write_issue(text, outcome, issue);
    }
    panel::write_conflicts(text, outcome);
    panel::write_set_aside(text, outcome);
    panel::write_plan(text, outcome);
    if outcome.open_errors > 0 {
        let _ = writeln!(
            text,
            "  {} of the free checks {} open: redraft check {}",
            counted(outcome.open_errors, "error"),
            if outcome.open_errors == 1 {
                "is"
            } else {
                "are"
            },
            document.path
        );
    }
    let has_table = is_alone && cost::write_table(text, &outcome.spent);
    write_cost(text, document, has_table);
}

/// What it took, where no table has told it, and where the journal is.
pub(super) fn write_cost(text: &mut String, document: &Judged, has_table: bool) {
    let took = if has_table {
        String::new()
    } else {
        format!("{}; ", cost::line(&document.outcome.spent))
    };
    let _ = writeln!(text, "  {DIM}{took}journal {}{DIM:#}", document.journal);
}

pub(super) fn write_issue(text: &mut String, outcome: &Outcome, issue: &Issue) {
    let severity = match issue.severity {
        IssueSeverity::Critical => "critical",
        IssueSeverity::Major => "major",
        IssueSeverity::Minor => "minor",
    };
    let raised = panel::raised_by(outcome, issue)
        .map(|raised| format!(" {DIM}[{raised}]{DIM:#}"))
        .unwrap_or_default();
    let _ = writeln!(
        text,
        "  {BOLD}{severity}{BOLD:#} {} ({}): {}{raised}",
        issue.location, issue.criterion, issue.description
    );
    if let Some(quote) = &issue.quote {
        let remark = if issue.anchor == Anchored::Unanchored {
            " — these words are not in the text"
        } else {
            ""
        };
        let _ = writeln!(text, "      “{quote}”{remark}");
    }
    if !issue.suggested_fix.is_empty() {
        let _ = writeln!(text, "      → {}", issue.suggested_fix);
    }
}

/// An event in a line, for the terminal; `None` for those that say nothing new.
#[must_use]
pub fn event(event: &Event) -> Option<String> {
    Some(match &event.kind {
        EventKind::RunStarted { run, .. } => format!("run {run}"),
        EventKind::NodeEnter { .. }
        | EventKind::NodeComplete { .. }
        | EventKind::ConvergenceDetected { .. }
        | EventKind::BatchComplete { .. }
        | EventKind::RefinementComplete { .. } => return None,
        EventKind::CheckComplete {
            errors, warnings, ..
        } => format!(
            "checked: {}, {}",
            counted(*errors, "error"),
            counted(*warnings, "warning")
        ),
        EventKind::SelfReview { by, reasoning, .. } => {
            format!("self-review by {by}: {reasoning}")
        }
        EventKind::Scrubbed { what, .. } => format!("scrubbed: {}", what.join("; ")),
        EventKind::Skipped { what, reason } => {
            format!("{what} left out: {}", sentences::skipped(reason))
        }
        EventKind::Verdict {
            role,
            model,
            result: VerdictResult::Scored { score, issues, .. },
            ..
        } => format!("{role} ({model}): {score}, {}", counted(*issues, "issue")),
        EventKind::Verdict {
            role,
            model,
            result: VerdictResult::Unscored(unscored),
            ..
        } => format!("{role} ({model}): unscored, {}", unscored.message),
        EventKind::InputCut {
            role,
            model,
            of,
            parts,
            all,
            ..
        } => {
            let what = match of {
                Input::Document => "parts of the text",
                Input::Sources => "passages of the sources",
            };
            let shown = all.saturating_sub(parts.len());
            format!("{role} ({model}) has room for {shown} of {all} {what}")
        }
        EventKind::AskedAgain { ask, problem, .. } => {
            format!("{ask} is asked again: {}", problem.message)
        }
        EventKind::FellBack {
            role,
            from,
            to,
            reason,
            ..
        } => format!("{role}: {}", sentences::fell_back(from, to, reason)),
        EventKind::Stopped { reason } => format!("no more rounds: {}", sentences::stopped(reason)),
        EventKind::BestEffortSelected { reason, .. } => {
            format!("best effort: {}", sentences::because(reason))
        }
        EventKind::EscalationTriggered { reason } => {
            format!("escalated to a reviewer: {}", sentences::because(reason))
        }
        EventKind::HumanDecision {
            decision,
            refused: Some(reason),
            ..
        } => format!(
            "reviewer: {decision}, not followed: {}",
            sentences::refused(*reason)
        ),
        EventKind::HumanDecision { decision, .. } => format!("reviewer: {decision}"),
        EventKind::LateReply { ask } => format!("{ask} was answered too late"),
        EventKind::RunComplete { status, .. } => status.name().replace('_', " "),
        other => return repair_event(other),
    })
}

/// The same, for the events of repair.
fn repair_event(kind: &EventKind) -> Option<String> {
    Some(match kind {
        EventKind::ArbiterConsolidation {
            issues, set_aside, ..
        } => {
            let aside = match set_aside {
                0 => String::new(),
                number => format!(", {number} set aside"),
            };
            format!("{} stand{aside}", counted(*issues, "issue"))
        }
        EventKind::RefinementStart {
            iteration,
            target_sections,
            estimated_tokens,
            ..
        } => {
            let sections: Vec<&str> = target_sections.iter().map(|id| id.0.as_str()).collect();
            format!(
                "round {iteration}: {}, some {estimated_tokens} tokens",
                sections.join(", ")
            )
        }
        EventKind::SectionWritten {
            section,
            title,
            words,
        } => format!("  {section}: {title} ({})", counted(*words, "word")),
        EventKind::TextWritten { words, .. } => format!("written: {}", counted(*words, "word")),
        EventKind::BatchStarted { batch, sections } => {
            format!("  batch {batch}: {}", counted(sections.len(), "task"))
        }
        EventKind::TaskStarted { section, task, .. } => {
            let what = match task {
                FixAction::SurgicalEdit => "editing",
                FixAction::RegenerateSection => "writing again",
            };
            format!("    {section}: {what} …")
        }
        EventKind::PatchApplied { section, .. } => format!("    {section}: edited"),
        EventKind::SectionRegenerated { section, .. } => format!("    {section}: written again"),
        EventKind::VerificationResult {
            section,
            passed: true,
            ..
        } => format!("    {section}: verified, kept"),
        EventKind::RolledBack { task, reason } => format!(
            "    {}: rolled back, {}",
            task.section,
            sentences::rolled_back(reason)
        ),
        EventKind::QualityLockTriggered {
            criterion,
            locked_at,
            score,
            confirmed,
            ..
        } => {
            let then = if *confirmed {
                "a second judge agrees; rolled back"
            } else {
                "no second judge confirms it"
            };
            format!("{criterion} fell from {locked_at} to {score}: {then}")
        }
        EventKind::SectionLocked { section, reason } => {
            format!("{section} is locked: {}", sentences::locked(reason))
        }
        EventKind::IterationComplete {
            iteration,
            score,
            cost_micros,
            tokens,
            ..
        } => {
            let score = score.map_or("unscored".to_owned(), |score| score.to_string());
            format!(
                "round {iteration} done: {score}; {} tokens, ${} so far",
                tokens.total(),
                Dollars(*cost_micros)
            )
        }
        _ => return None,
    })
}
