//! The result of `judge` and `refine` as a comment on a pull request: a row for each
//! document, then what is open in those that did not pass.

use super::count::counted;
use super::judge_report::distinct;
use super::judged_text::{JudgedRun, JudgedText, Standing};
use super::markdown::{Page, quoted, skipped as skipped_files};
use super::plain;
use super::sentences;
use super::unfinished::Unfinished;

/// Issues of a document that are listed.
const MOST_ISSUES: usize = 20;

#[must_use]
pub fn comment(run: &JudgedRun<'_>) -> String {
    let mut page = Page::default();
    let verdict = match run.standing {
        Standing::Passed => "passed",
        Standing::Failed => "failed",
    };
    page.push(&format!("## redraft: {verdict}\n\n{}\n\n", run.summary()));
    page.push(&skipped_files(run.skipped));
    let mut order: Vec<&JudgedText<'_>> = run.documents.iter().collect();
    order.sort_by_key(|one| one.standing == Standing::Passed);
    page.push("| document | status | score | issues |\n|---|---|---:|---:|\n");
    let mut left_out = 0;
    let unfinished = run.unfinished.iter().map(unfinished_row);
    let rows = order.iter().map(|document| row(document));
    for row in unfinished.chain(rows) {
        if page.has_room_for(&row) {
            page.push(&row);
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        page.push(&format!(
            "\n… and {} not shown here.\n",
            counted(left_out, "more document")
        ));
    }
    let unfinished = run.unfinished.iter().map(why_unfinished);
    let details = order.into_iter().map(details);
    for details in unfinished.chain(details) {
        if page.has_room_for(&details) {
            page.push(&details);
        }
    }
    page.into_text()
}

fn row(document: &JudgedText<'_>) -> String {
    let outcome = document.outcome();
    let status = sentences::status(outcome.status);
    let status = match document.standing {
        Standing::Passed => status.to_owned(),
        Standing::Failed => format!("**{status}**"),
    };
    let after = outcome
        .score
        .as_ref()
        .map(redraft_run::assess::Assessment::overall);
    let before = outcome.iterations.first().and_then(|first| first.score);
    let score = match (before, after) {
        (Some(before), Some(after)) if before != after => format!("{before} → {after}"),
        (_, Some(after)) => after.to_string(),
        (_, None) => "–".to_owned(),
    };
    format!(
        "| {} | {status} | {score} | {} |\n",
        quoted(&plain::path(&document.judged.path)),
        distinct(&outcome.issues, |issue| issue).len()
    )
}

fn unfinished_row(one: &Unfinished) -> String {
    let path = quoted(&plain::path(&one.path));
    format!("| {path} | **{}** | – | – |\n", one.state.name())
}

fn why_unfinished(one: &Unfinished) -> String {
    let path = quoted(&plain::path(&one.path));
    format!("\n### {path}\n\n{}\n\n", quoted(&one.sentence()))
}

/// Why a document did not pass, and what is open in it.
fn details(document: &JudgedText<'_>) -> String {
    let all = document.issues();
    let issues = distinct(&all, |placed| placed.issue);
    if issues.is_empty() && document.standing == Standing::Passed {
        return String::new();
    }
    let mut text = format!("\n### {}\n\n", quoted(&plain::path(&document.judged.path)));
    if let Some(because) = &document.outcome().because {
        text.push_str(&format!("{}\n\n", quoted(&sentences::because(because))));
    }
    for placed in issues.iter().take(MOST_ISSUES) {
        let issue = placed.issue;
        let line = placed
            .at
            .map_or_else(String::new, |(line, _)| format!(", line {line}"));
        text.push_str(&format!(
            "- **{}** {} ({}{line}): {}\n",
            sentences::severity(issue.severity),
            quoted(&issue.criterion),
            quoted(&issue.location.0),
            quoted(&issue.description)
        ));
    }
    if issues.len() > MOST_ISSUES {
        let more = issues.len() - MOST_ISSUES;
        text.push_str(&format!("- … and {}\n", counted(more, "more issue")));
    }
    text
}
