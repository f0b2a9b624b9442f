//! What a reviewer sees before they decide: why the text was not accepted, what the judges
//! said against which thresholds, what was changed, and the cost so far.

use std::fmt::Write as _;

use redraft_gate::score::Score;
use redraft_run::assess::{Assessed, Assessment};
use redraft_run::run::ReviewCase;

use super::cost;
use super::decimals::{self, Decimals};
use super::diff;
use super::judge_report::{distinct, write_issue};
use super::plain;
use super::sentences;
use super::style::{BOLD, DIM};

/// The case of a reviewer, for the terminal.
#[must_use]
pub fn human(path: &str, case: &ReviewCase) -> String {
    let mut text = format!(
        "\n{BOLD}{}{BOLD:#}: not accepted: {}\n",
        plain::path(path),
        plain::words(&sentences::because(&case.because))
    );
    scores(&mut text, case);
    if !case.errors.is_empty() {
        let _ = writeln!(text, "\n  {BOLD}Open errors of the free checks{BOLD:#}");
        for error in &case.errors {
            let _ = writeln!(
                text,
                "  {}: {} ({})",
                plain::words(&error.component.0),
                plain::words(&error.message),
                error.name
            );
        }
    }
    if !case.issues.is_empty() {
        let _ = writeln!(text, "\n  {BOLD}Open issues{BOLD:#}");
        for issue in distinct(&case.issues, |issue| issue) {
            write_issue(&mut text, issue, None);
        }
    }
    if case.original == case.content {
        let _ = writeln!(text, "\n  Nothing was changed.");
    } else {
        let _ = writeln!(text, "\n  {BOLD}Changes so far{BOLD:#}");
        let changes = diff::unified(path, &case.original, &case.content);
        for line in changes.lines().skip(2) {
            let _ = writeln!(text, "    {line}");
        }
    }
    let _ = writeln!(text, "\n  {DIM}so far: {}{DIM:#}", cost::line(&case.spent));
    text
}

/// Each score beside what it needs.
fn scores(text: &mut String, case: &ReviewCase) {
    let Some(assessment) = &case.assessment else {
        return;
    };
    let needed = &case.needed;
    let thresholds = assessment.criteria().iter().filter_map(Assessed::threshold);
    let scores = decimals::of_assessment(assessment).chain(thresholds);
    let decimals = Decimals::of(scores.chain([needed.accept]));
    let criteria = assessment.criteria();
    let names = criteria.iter().map(Assessed::name).chain(["overall"]);
    let width = names.map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    row(
        text,
        ("overall", width),
        &decimals.show(assessment.overall()),
        &needing(assessment.overall(), Some(needed.accept), decimals),
    );
    for criterion in criteria {
        let least = criterion.threshold().filter(|_| needed.every_criterion);
        let score = criterion.score();
        let remark = needing(score, least, decimals);
        row(
            text,
            (criterion.name(), width),
            &decimals.show(score),
            &remark,
        );
    }
    judges(text, assessment, case);
}

fn needing(score: Score, least: Option<Score>, decimals: Decimals) -> String {
    let Some(least) = least else {
        return String::new();
    };
    let shown = decimals.show(least);
    if score < least {
        format!("  {BOLD}below{BOLD:#} {shown}")
    } else {
        format!("  {DIM}needs {shown}{DIM:#}")
    }
}

fn row(text: &mut String, (name, width): (&str, usize), score: &str, remark: &str) {
    let _ = writeln!(text, "  {name:width$}  {score}{remark}");
}

fn judges(text: &mut String, assessment: &Assessment, case: &ReviewCase) {
    let _ = writeln!(
        text,
        "  {DIM}judged by {}; confidence {}{DIM:#}",
        case.verdicts
            .iter()
            .map(|verdict| plain::words(&verdict.judge().model).into_owned())
            .collect::<Vec<_>>()
            .join(", "),
        format!("{:?}", assessment.confidence()).to_lowercase()
    );
}

/// The keys of a reviewer, explained.
pub const KEYS: &str = "  a  approve: the text is accepted as it is, under your name
  e  approve with edits: change the text in your editor; it is judged again
  i  instruct: say what to change; it is repaired and judged again
  r  reject: the text is not accepted, under your name
  c  cannot decide: leave it to another reviewer
  q  quit: nothing is decided; resume the run to be asked again
";

/// The question, on one line of 80 columns.
pub const QUESTION: &str = "[a]pprove [e]dit [i]nstruct [r]eject [c]annot decide [q]uit [?]help: ";
