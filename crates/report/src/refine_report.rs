//! The report of `redraft refine` for the terminal: the score before and after,
//! the changes, the open issues and the cost.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use redraft_gate::score::Score;
use redraft_run::ask::Budget;
use redraft_run::assess::Assessment;
use redraft_run::outcome::{Gate, Outcome, Status, TaskDone};
use redraft_run::rubric::FixAction;
use redraft_run::token_estimate::estimated_tokens;

use super::cost;
use super::count::counted;
use super::diff;
use super::fallbacks;
use super::judge_report::{self, Company, CostTable, JudgeReport, Judged, write_issue};
use super::panel;
use super::plain;
use super::sentences;
use super::style::{self, BOLD, DIM};

/// The report. Documents that were only judged look as in `judge`.
#[must_use]
pub fn human(report: &JudgeReport) -> String {
    let mut text = String::new();
    let company = Company::of(report);
    for document in &report.documents {
        if document.outcome.receipts.is_some() {
            one(&mut text, document, company);
        } else {
            judge_report::one(&mut text, document, company);
        }
    }
    for bank in &report.banks {
        judge_report::bank(&mut text, bank);
    }
    cost::write_all(&mut text, &report.outcomes());
    text
}

fn one(text: &mut String, document: &Judged, company: Company) {
    let outcome = &document.outcome;
    headline(text, document);
    if outcome.scripted {
        let _ = writeln!(
            text,
            "  scripted replies were used; no model has judged or repaired this"
        );
    }
    if let Some(because) = &outcome.because {
        let _ = writeln!(text, "  {}", sentences::because(because));
    }
    scores(text, outcome);
    fallbacks::write(text, outcome, &document.fallbacks);
    changes(text, document);
    panel::write_conflicts(text, outcome);
    unsolved(text, outcome);
    panel::write_set_aside(text, outcome);
    if outcome.status == Status::Checked {
        let _ = writeln!(text, "  {DIM}journal {}{DIM:#}", document.journal);
    } else {
        let table = CostTable::write(text, document, company);
        against_full_rewrite(text, document);
        judge_report::write_cost(text, document, table);
    }
}

fn headline(text: &mut String, document: &Judged) {
    let outcome = &document.outcome;
    let style = style::of_status(outcome.status);
    let before = outcome.iterations.first().and_then(|first| first.score);
    let after = outcome.score.as_ref().map(Assessment::overall);
    let score = match (outcome.gate, before, after) {
        (Some(Gate::Passed), ..) => "passed the free checks, not judged".to_owned(),
        (Some(Gate::Failed), ..) => "failed the free checks".to_owned(),
        (None, Some(before), Some(after)) if before != after => format!("{before} → {after}"),
        (None, _, Some(after)) => after.to_string(),
        (None, _, None) => "not scored".to_owned(),
    };
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: {style}{}{style:#}, {score}",
        plain::path(&document.path),
        sentences::status(outcome.status)
    );
}

fn scores(text: &mut String, outcome: &Outcome) {
    let Some(assessment) = &outcome.score else {
        return;
    };
    let before: BTreeMap<&str, Score> = outcome
        .iterations
        .first()
        .into_iter()
        .flat_map(|first| &first.criteria)
        .map(|(name, score)| (name.as_str(), *score))
        .collect();
    let criteria = assessment.criteria();
    let width = criteria
        .iter()
        .map(|criterion| criterion.name().len())
        .max();
    let width = width.unwrap_or_default();
    for criterion in criteria {
        let change = match before.get(criterion.name()) {
            Some(before) if *before != criterion.score() => {
                format!("{before} → {}", criterion.score())
            }
            _ => criterion.score().to_string(),
        };
        let _ = writeln!(text, "  {:width$}  {change}", criterion.name());
    }
    panel::write_judges(text, outcome);
}

/// The repairs and the changed lines.
fn changes(text: &mut String, document: &Judged) {
    let outcome = &document.outcome;
    let Some(content) = &outcome.final_content else {
        let _ = writeln!(text, "\n  {BOLD}Nothing was changed.{BOLD:#}");
        return rolled_back(text, &outcome.tasks);
    };
    let _ = writeln!(text, "\n  {BOLD}Changes{BOLD:#}");
    for task in outcome.tasks.iter().filter(|task| task.kept) {
        let what = match task.action_type {
            FixAction::SurgicalEdit => "edited",
            FixAction::RegenerateSection => "rewritten",
        };
        let _ = writeln!(
            text,
            "  {} was {what}: {}",
            named(task),
            plain::words(&task.issues.join("; "))
        );
    }
    rolled_back(text, &outcome.tasks);
    let before = String::from_utf8_lossy(&document.original);
    let after = String::from_utf8_lossy(content);
    let _ = writeln!(text);
    for line in diff::unified(&document.path, &before, &after)
        .lines()
        .skip(2)
    {
        let _ = writeln!(text, "    {line}");
    }
    if let Some(receipts) = &outcome.receipts {
        let components: std::collections::BTreeSet<&str> = receipts
            .edits
            .iter()
            .map(|edit| edit.component.as_str())
            .collect();
        let _ = writeln!(
            text,
            "  {DIM}receipts: {} in {}; every other byte is unchanged{DIM:#}",
            counted(receipts.edits.len(), "edit"),
            counted(components.len(), "component")
        );
    }
}

fn rolled_back(text: &mut String, tasks: &[TaskDone]) {
    for task in tasks.iter().filter(|task| !task.kept) {
        let because = task.because.as_ref().map(sentences::rolled_back);
        let because = because.unwrap_or_default();
        let _ = writeln!(
            text,
            "  A repair of {} (round {}) was rolled back: {}",
            named(task),
            task.iteration,
            plain::words(&because)
        );
    }
}

fn named(task: &TaskDone) -> String {
    if task.section_title.is_empty() {
        task.section_id.to_string()
    } else {
        format!(
            "{} “{}”",
            task.section_id,
            plain::words(&task.section_title)
        )
    }
}

fn unsolved(text: &mut String, outcome: &Outcome) {
    if !outcome.issues.is_empty() {
        let _ = writeln!(text, "\n  {BOLD}Open issues{BOLD:#}");
        for issue in &outcome.issues {
            write_issue(text, outcome, issue);
        }
    }
    if outcome.open_errors > 0 {
        let _ = writeln!(
            text,
            "  {} from the free checks",
            counted(outcome.open_errors, "open error")
        );
    }
    let changing = &outcome.still_changing;
    if !changing.is_empty() && outcome.status != Status::Accepted {
        let sections: Vec<&str> = changing.sections.iter().map(|id| id.0.as_str()).collect();
        let _ = writeln!(
            text,
            "  What kept changing: {}",
            [
                sections,
                changing.criteria.iter().map(String::as_str).collect()
            ]
            .concat()
            .join(", ")
        );
    }
}

/// The tokens of repair, compared with a full rewrite.
fn against_full_rewrite(text: &mut String, document: &Judged) {
    let spent = document.outcome.spent.iter();
    let repair: u64 = spent
        .filter(|(role, _)| role.budget() == Budget::Repair)
        .map(|(_, spent)| spent.tokens.total())
        .sum();
    // Seed 003 §13: a full regeneration reads about twice the text and writes it
    // once.
    let whole = estimated_tokens(&String::from_utf8_lossy(&document.original)) * 3;
    if repair == 0 || whole == 0 {
        return;
    }
    let _ = if repair <= whole {
        writeln!(
            text,
            "  repair used {}% of the tokens of a full rewrite (about {whole})",
            repair * 100 / whole
        )
    } else {
        // In a short text our prompts are longer than the text.
        writeln!(
            text,
            "  a full rewrite would take about {whole} tokens, and the whole text would be judged again"
        )
    };
}
