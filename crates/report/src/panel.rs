//! The panel in the report for the terminal: how far the judges agree, who raised
//! an issue, how conflicts were resolved, and what `refine` would do.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use redraft_run::agreement::AgreementLevel;
use redraft_run::outcome::Outcome;
use redraft_run::route::{RefinementPlan, RepairTask};
use redraft_run::rubric::FixAction;
use redraft_run::verdict::Issue;

use super::count::counted;
use super::judge_report;
use super::plain;
use super::planning_sentences;
use super::style::{BOLD, DIM};

/// Who judged, and how far they agree, in a line.
pub(super) fn write_judges(text: &mut String, outcome: &Outcome) {
    let Some(assessment) = &outcome.score else {
        return;
    };
    let judges: Vec<&str> = assessment
        .judges()
        .iter()
        .map(|judge| judge.model.as_str())
        .collect();
    let confidence = format!("{:?}", assessment.confidence()).to_lowercase();
    let _ = writeln!(
        text,
        "  {DIM}judged by {}, confidence {confidence}; {}{DIM:#}",
        joined(&judges),
        agreement(outcome)
    );
    write_tests(text, outcome);
    write_unread(text, outcome);
    let _ = writeln!(text, "  {DIM}text {}{DIM:#}", outcome.content);
}

/// How the judges did in their test, one line each.
fn write_tests(text: &mut String, outcome: &Outcome) {
    for (model, test) in &outcome.judge_tests {
        let (right, pairs) = (test.right, test.pairs);
        let stale = if test.stale {
            ", with prompts that have changed since; run `redraft models --test` again"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "  {DIM}{} ranked {right} of {pairs} test pairs correctly{stale}{DIM:#}",
            plain::words(model)
        );
    }
}

/// What the judges could not read, one line each.
fn write_unread(text: &mut String, outcome: &Outcome) {
    for verdict in &outcome.verdicts {
        if let Some(unread) = verdict.unread() {
            let model = &verdict.judge().model;
            let _ = writeln!(text, "  {model} read only {unread}");
        }
    }
}

fn agreement(outcome: &Outcome) -> String {
    match &outcome.agreement {
        Some(agreement) => agreement_words(agreement.level, agreement.widest_spread),
        None => agreement_words(AgreementLevel::NotApplicable, 0),
    }
}

/// How far judges agree, in words; the widest spread of a criterion in thousandths.
pub(crate) fn agreement_words(level: AgreementLevel, widest_spread: u16) -> String {
    let spread = format!("0.{widest_spread:03} apart on");
    match level {
        AgreementLevel::NotApplicable => "one judge".to_owned(),
        AgreementLevel::High => {
            format!("the judges agree (at most {spread} any criterion)")
        }
        AgreementLevel::Moderate => format!(
            "the judges partly agree (up to {spread} a criterion): issues raised by only one are set aside"
        ),
        AgreementLevel::Low => {
            format!("the judges disagree (up to {spread} a criterion): needs review")
        }
    }
}

/// Which judges raised an issue, where there are several.
pub(super) fn raised_by(outcome: &Outcome, issue: &Issue) -> Option<String> {
    let judges = outcome.verdicts.len();
    if judges < 2 {
        return None;
    }
    // A judge who said it in the same words; how many said it in others is known where a
    // plan was made.
    let is_same = |one: &Issue| one.description == issue.description;
    let planned = outcome.plan.iter().flat_map(|plan| {
        let tasks = plan.tasks.iter().flat_map(|task| &task.source_issues);
        let unserved = plan.unserved.iter().map(|left| &left.issue);
        tasks.chain(&plan.global_issues).chain(unserved)
    });
    let many = planned
        .filter(|targeted| is_same(&targeted.issue))
        .map(|targeted| targeted.raised_by)
        .max();
    let is_alike = |one: &Issue| match many {
        Some(1) => is_same(one),
        _ => one.location == issue.location && one.criterion == issue.criterion,
    };
    let names: BTreeSet<&str> = outcome
        .verdicts
        .iter()
        .filter(|verdict| verdict.issues().iter().any(is_alike))
        .map(|verdict| verdict.judge().model.as_str())
        .collect();
    Some(match names.len() {
        0 => return None,
        2 if judges == 2 => "raised by both judges".to_owned(),
        all if all == judges => format!("raised by all {judges} judges"),
        _ => format!(
            "raised by {} only",
            joined(&names.into_iter().collect::<Vec<_>>())
        ),
    })
}

/// Conflicts between judges, and what was made of it.
pub(super) fn write_conflicts(text: &mut String, outcome: &Outcome) {
    if outcome.conflicts.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n  {BOLD}Conflicts between judges{BOLD:#}");
    for conflict in &outcome.conflicts {
        let _ = writeln!(
            text,
            "  {}: {}. {}.",
            conflict.section_id,
            planning_sentences::opposition(conflict.about),
            planning_sentences::settled(
                &conflict.winner_criterion,
                &conflict.loser_criterion,
                &conflict.because
            )
        );
        let _ = writeln!(
            text,
            "      constraint: {}",
            plain::words(&conflict.constraint)
        );
    }
}

/// The issues that do not count, and why.
pub(super) fn write_set_aside(text: &mut String, outcome: &Outcome) {
    // What is open in the same words was told above.
    let open = outcome.issues.iter().map(judge_report::words_of);
    let mut told: BTreeSet<(String, String)> = open.collect();
    let mut heading = format!("\n  {BOLD}Set aside{BOLD:#}\n");
    let alpha = outcome.agreement.as_ref().and_then(|found| found.alpha);
    for one in &outcome.set_aside {
        if !told.insert(judge_report::words_of(&one.issue.issue)) {
            continue;
        }
        text.push_str(&std::mem::take(&mut heading));
        let _ = writeln!(
            text,
            "  {} ({}): {} {DIM}({}){DIM:#}",
            one.issue.target_section_id,
            one.issue.issue.criterion,
            plain::words(&one.issue.issue.description),
            planning_sentences::set_aside(&one.because, alpha)
        );
    }
}

/// What `redraft refine` would do about a text that was only judged.
pub(super) fn write_plan(text: &mut String, outcome: &Outcome) {
    let Some(plan) = &outcome.plan else {
        return;
    };
    let _ = writeln!(text, "\n  {BOLD}What `redraft refine` would do{BOLD:#}");
    if let Some(because) = &plan.whole_because {
        let _ = writeln!(
            text,
            "  rewrite the whole text: {}",
            planning_sentences::whole_rewrite(because)
        );
        return;
    }
    for task in &plan.tasks {
        let what = match task.action_type {
            FixAction::SurgicalEdit => "edit",
            FixAction::RegenerateSection => "rewrite",
        };
        let _ = writeln!(
            text,
            "  {what} {}, for {}",
            named(task),
            reasons(plan, task)
        );
    }
    let _ = writeln!(
        text,
        "  {DIM}in {}, about {} tokens; every other byte stays unchanged{DIM:#}",
        match plan.execution_batches.len() {
            1 => "1 batch".to_owned(),
            batches => format!("{batches} batches"),
        },
        plan.estimated_cost
    );
}

/// The issues and findings that a task is meant to solve: `1 issue and 2 findings`.
fn reasons(plan: &RefinementPlan, task: &RepairTask) -> String {
    let found = plan.served_findings.iter();
    let findings = found
        .filter(|finding| finding.section_id == task.section_id)
        .count();
    match (task.source_issues.len(), findings) {
        (issues, 0) => counted(issues, "issue"),
        (0, findings) => counted(findings, "finding"),
        (issues, findings) => format!(
            "{} and {}",
            counted(issues, "issue"),
            counted(findings, "finding")
        ),
    }
}

fn named(task: &RepairTask) -> String {
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

fn joined(names: &[&str]) -> String {
    match names {
        [] => "no judge".to_owned(),
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}
