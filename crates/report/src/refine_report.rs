//! The report of `redraft refine` for the terminal: the score before and after,
//! the changes, the open issues and the cost.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use redraft_gate::score::Score;
use redraft_run::ask::Budget;
use redraft_run::assess::Assessment;
use redraft_run::outcome::{BY_HAND, Gate, Outcome, Status, TaskDone};
use redraft_run::rubric::FixAction;
use redraft_run::token_estimate::estimated_tokens;

use super::cost;
use super::count::counted;
use super::decimals::Decimals;
use super::decision;
use super::diff;
use super::fallbacks;
use super::judge_report::{self, Company, CostTable, JudgeReport, Judged};
use super::panel;
use super::plain;
use super::sentences;
use super::solver_report;
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
        judge_report::bank(&mut text, bank, 0);
    }
    solver_report::write(&mut text, &report.solvers);
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
    decision::write(text, outcome);
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
    let decimals = Decimals::of_outcome(outcome);
    let before = outcome.iterations.first().and_then(|first| first.score);
    let after = outcome.score.as_ref().map(Assessment::overall);
    let score = match (outcome.gate, before, after) {
        (Some(Gate::Passed), ..) => "passed the free checks, not judged".to_owned(),
        (Some(Gate::Failed), ..) => "failed the free checks".to_owned(),
        (None, Some(before), Some(after)) if before != after => {
            format!("{} → {}", decimals.show(before), decimals.show(after))
        }
        (None, _, Some(after)) => decimals.show(after),
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
    let decimals = Decimals::of_outcome(outcome);
    for criterion in criteria {
        let remark = judge_report::remark(criterion, decimals);
        let after = decimals.show(criterion.score());
        let change = match before.get(criterion.name()) {
            Some(before) if *before != criterion.score() => {
                format!("{} → {after}", decimals.show(*before))
            }
            _ => after,
        };
        let _ = writeln!(text, "  {:width$}  {change}{remark}", criterion.name());
    }
    panel::write_judges(text, outcome);
}

/// The repairs and the changed lines.
fn changes(text: &mut String, document: &Judged) {
    let outcome = &document.outcome;
    let Some(content) = &outcome.final_content else {
        let _ = writeln!(text, "\n  {BOLD}Nothing was changed.{BOLD:#}");
        return rolled_back(text, outcome);
    };
    let _ = writeln!(text, "\n  {BOLD}Changes{BOLD:#}");
    for (task, _) in grouped(outcome, Kept::Yes, |task| task.issues.join("; ")) {
        let what = match task.action_type {
            FixAction::SurgicalEdit => "edited",
            FixAction::RegenerateSection => "rewritten",
        };
        let because = match distinct_words(&task.issues).as_slice() {
            [] => String::new(),
            issues => format!(": {}", plain::words(&issues.join("; "))),
        };
        let _ = writeln!(text, "  {} was {what}{because}", named(task));
    }
    by_hand(text, outcome);
    rolled_back(text, outcome);
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
        let components: BTreeSet<&str> = receipts
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

/// What reviewers changed, which no task of a repair lists.
fn by_hand(text: &mut String, outcome: &Outcome) {
    let mut told = BTreeSet::new();
    for edit in outcome.receipts.iter().flat_map(|receipts| &receipts.edits) {
        for task in edit.tasks.iter().filter(|task| task.starts_with(BY_HAND)) {
            if told.insert((&edit.component, task)) {
                let (component, task) = (plain::words(&edit.component), plain::words(task));
                let _ = writeln!(text, "  {component} was edited {task}");
            }
        }
    }
}

/// What several judges say in the same words, once.
fn distinct_words(issues: &[String]) -> Vec<&str> {
    let mut told = BTreeSet::new();
    let words = |issue: &str| issue.trim_end_matches('.').to_lowercase();
    let issues = issues.iter().map(String::as_str);
    issues.filter(|issue| told.insert(words(issue))).collect()
}

/// Whether a repair is in the text that goes out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Yes,
    No,
}

/// Repairs in the order of the text, with their rounds: what was done to a component for
/// the same reason in several rounds is told once.
fn grouped(
    outcome: &Outcome,
    kept: Kept,
    reason: impl Fn(&TaskDone) -> String,
) -> Vec<(&TaskDone, Vec<u32>)> {
    let position = |task: &TaskDone| {
        let receipts = outcome.receipts.iter();
        let mut components = receipts.flat_map(|receipts| &receipts.components);
        let at = components.position(|part| part.id == task.section_id.0);
        at.unwrap_or(usize::MAX)
    };
    let is_wanted = |task: &&TaskDone| task.kept == (kept == Kept::Yes);
    let mut tasks: Vec<&TaskDone> = outcome.tasks.iter().filter(is_wanted).collect();
    tasks.sort_by_key(|task| (position(task), task.iteration));
    let mut groups: Vec<(&TaskDone, Vec<u32>)> = Vec::new();
    for task in tasks {
        let same = groups.iter_mut().find(|(first, _)| {
            first.section_id == task.section_id
                && first.action_type == task.action_type
                && reason(first) == reason(task)
        });
        match same {
            Some((_, rounds)) if rounds.contains(&task.iteration) => {}
            Some((_, rounds)) => rounds.push(task.iteration),
            None => groups.push((task, vec![task.iteration])),
        }
    }
    groups
}

fn rolled_back(text: &mut String, outcome: &Outcome) {
    let reason = |task: &TaskDone| {
        let because = task.because.as_ref().map(sentences::rolled_back);
        because.unwrap_or_default()
    };
    for (task, rounds) in grouped(outcome, Kept::No, reason) {
        let what = match rounds.as_slice() {
            [_] => format!("A repair of {}", named(task)),
            _ => format!("Repairs of {}", named(task)),
        };
        let verb = if rounds.len() == 1 { "was" } else { "were" };
        let because = match reason(task) {
            reason if reason.is_empty() => String::new(),
            reason => format!(": {}", plain::words(&reason)),
        };
        let _ = writeln!(
            text,
            "  {what} ({}) {verb} rolled back{because}",
            rounds_in_words(&rounds)
        );
    }
}

/// `round 1`, `rounds 1 and 2`, `rounds 1, 2 and 4`.
fn rounds_in_words(rounds: &[u32]) -> String {
    let names: Vec<String> = rounds.iter().map(u32::to_string).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("round {one}"),
        [all @ .., last] => format!("rounds {} and {last}", all.join(", ")),
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
    judge_report::write_issues(text, outcome);
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
