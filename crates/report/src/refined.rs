//! What refinement came to, for people: the score before and after, what was
//! changed, what was not solved, and what it cost.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use redraft_gate::score::Score;
use redraft_run::ask::Purse;
use redraft_run::assess::Assessment;
use redraft_run::outcome::{Gate, Outcome, Status, TaskDone};
use redraft_run::rubric::FixAction;
use redraft_run::token_estimate::estimated_tokens;

use super::cost;
use super::diff;
use super::human::counted;
use super::panel;
use super::seated;
use super::sentences;
use super::verdict::{self, BOLD, DIM, JudgeReport, Judged, colour, write_issue};

/// The report. Documents that were only judged are told of as `judge` does.
#[must_use]
pub fn human(report: &JudgeReport) -> String {
    let mut text = String::new();
    let is_alone = report.documents.len() == 1;
    for document in &report.documents {
        if document.outcome.receipts.is_some() {
            one(&mut text, document, is_alone);
        } else {
            verdict::one(&mut text, document, is_alone);
        }
    }
    for bank in &report.banks {
        verdict::bank(&mut text, bank);
    }
    cost::write_all(&mut text, &report.documents);
    text
}

fn one(text: &mut String, document: &Judged, is_alone: bool) {
    let outcome = &document.outcome;
    headline(text, document);
    if outcome.scripted {
        let _ = writeln!(
            text,
            "  scripted replies were used, no model has judged or repaired this"
        );
    }
    if let Some(because) = &outcome.because {
        let _ = writeln!(text, "  {}", sentences::because(because));
    }
    scores(text, outcome);
    seated::write(text, outcome, &document.seated);
    changes(text, document);
    panel::write_conflicts(text, outcome);
    unsolved(text, outcome);
    panel::write_set_aside(text, outcome);
    if outcome.status == Status::Checked {
        let _ = writeln!(text, "  {DIM}journal {}{DIM:#}", document.journal);
    } else {
        let has_table = is_alone && cost::write_table(text, &outcome.spent);
        against_writing_anew(text, document);
        verdict::write_cost(text, document, has_table);
    }
}

fn headline(text: &mut String, document: &Judged) {
    let outcome = &document.outcome;
    let style = colour(outcome.status);
    let before = outcome.iterations.first().and_then(|first| first.score);
    let after = outcome.score.as_ref().map(Assessment::overall);
    let score = match (outcome.gate, before, after) {
        (Some(Gate::Passed), ..) => "the free checks let it pass; nobody has judged it".to_owned(),
        (Some(Gate::Failed), ..) => "the free checks stop it".to_owned(),
        (None, Some(before), Some(after)) if before != after => format!("{before} → {after}"),
        (None, _, Some(after)) => after.to_string(),
        (None, _, None) => "unscored".to_owned(),
    };
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}: {style}{}{style:#}, {score}",
        document.path,
        outcome.status.name().replace('_', " ")
    );
}

/// The scores by criterion, before and after.
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

/// What was done, and the changed lines.
fn changes(text: &mut String, document: &Judged) {
    let outcome = &document.outcome;
    let Some(content) = &outcome.final_content else {
        let _ = writeln!(text, "\n  {BOLD}Nothing was changed.{BOLD:#}");
        return undone(text, &outcome.tasks);
    };
    let _ = writeln!(text, "\n  {BOLD}What was changed{BOLD:#}");
    for task in outcome.tasks.iter().filter(|task| task.kept) {
        let what = match task.action_type {
            FixAction::SurgicalEdit => "edited",
            FixAction::RegenerateSection => "written again",
        };
        let _ = writeln!(
            text,
            "  {} was {what}: {}",
            named(task),
            task.issues.join("; ")
        );
    }
    undone(text, &outcome.tasks);
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
        let parts: std::collections::BTreeSet<&str> = receipts
            .edits
            .iter()
            .map(|edit| edit.component.as_str())
            .collect();
        let _ = writeln!(
            text,
            "  {DIM}receipts: {} in {}; every other byte is as it was{DIM:#}",
            counted(receipts.edits.len(), "edit"),
            counted(parts.len(), "part")
        );
    }
}

fn undone(text: &mut String, tasks: &[TaskDone]) {
    for task in tasks.iter().filter(|task| !task.kept) {
        let because = task.because.as_ref().map(sentences::rolled_back);
        let because = because.unwrap_or_default();
        let _ = writeln!(
            text,
            "  A repair of {} (round {}) was rolled back: {because}",
            named(task),
            task.iteration
        );
    }
}

fn named(task: &TaskDone) -> String {
    if task.section_title.is_empty() {
        task.section_id.to_string()
    } else {
        format!("{} “{}”", task.section_id, task.section_title)
    }
}

fn unsolved(text: &mut String, outcome: &Outcome) {
    if !outcome.issues.is_empty() {
        let _ = writeln!(text, "\n  {BOLD}What is not solved{BOLD:#}");
        for issue in &outcome.issues {
            write_issue(text, outcome, issue);
        }
    }
    if outcome.open_errors > 0 {
        let _ = writeln!(
            text,
            "  {} of the free checks still open",
            counted(outcome.open_errors, "error")
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

/// What repair took, against writing the whole again.
fn against_writing_anew(text: &mut String, document: &Judged) {
    let spent = document.outcome.spent.iter();
    let repair: u64 = spent
        .filter(|(role, _)| role.purse() == Purse::Repair)
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
            "  repair took {}% of what writing the whole again would take (some {whole} tokens)",
            repair * 100 / whole
        )
    } else {
        // A short text: our own words in the prompts are longer than it is.
        writeln!(
            text,
            "  writing the whole again would take some {whole} tokens, and all of it would have to be judged anew"
        )
    };
}
