//! Words a task's instructions as one list, without a model: the most severe demand first, no
//! duplicates, then the constraints.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use redraft_text::words::words;

use crate::arbitrate::TargetedIssue;
use crate::verdict::{Anchored, IssueSeverity};
use redraft_gate::finding::{Finding, Severity};

/// Everything that one task must do.
#[derive(Debug, Default)]
pub(super) struct Demands<'a> {
    /// Its issues, the most severe first, without losers of conflicts.
    pub(super) issues: Vec<&'a TargetedIssue>,
    /// Findings of the checks in the component that are still open.
    pub(super) findings: Vec<&'a Finding>,
    /// A criterion to raise although no issue says how, with its description.
    pub(super) raise: Option<(&'a str, &'a str)>,
    /// What must not get worse.
    pub(super) constraints: &'a [String],
}

/// Further warnings of the same check are only counted.
const OF_A_KIND: usize = 3;

/// The maximum length of a quotation, in characters.
const QUOTATION: usize = 160;

/// The instructions of a task.
pub(super) fn instructions(demands: &Demands<'_>) -> String {
    let mut list = List::default();
    for issue in &demands.issues {
        list.add(
            severity(issue.issue.severity),
            &issue.issue.criterion,
            &demand(issue),
        );
    }
    if let Some((criterion, description)) = demands.raise {
        list.add("major", criterion, description);
    }
    for finding in listed(&demands.findings) {
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning | Severity::Info => "warning",
        };
        list.add(severity, finding.check.name, &finding.message);
    }
    let left_out = demands.findings.len() - listed(&demands.findings).count();
    let mut text = list.text;
    if left_out > 0 {
        let _ = writeln!(text, "(and {left_out} more places of the same kinds)");
    }
    if !demands.constraints.is_empty() {
        text.push_str("While doing so:\n");
        for constraint in demands.constraints {
            let _ = writeln!(text, "- {constraint}");
        }
    }
    text.trim_end().to_owned()
}

/// What an issue asks for: the arbiter's wording, else the judge's suggestion, else the
/// description.
pub(super) fn asked(issue: &TargetedIssue) -> &str {
    let said = [
        &issue.fix_instructions,
        &issue.issue.suggested_fix,
        &issue.issue.description,
    ];
    let first = said.into_iter().find(|text| !text.trim().is_empty());
    first.map_or("", |text| text.trim())
}

/// The line of an issue in a task's instructions, without its number.
pub(crate) fn issue_line(issue: &TargetedIssue) -> String {
    let severity = severity(issue.issue.severity);
    line(severity, &issue.issue.criterion, &demand(issue))
}

/// A task's instructions without solved issues. A line that several issues share stays while one of
/// them is open.
pub(super) fn without(
    instructions: &str,
    solved: &[TargetedIssue],
    open: &[TargetedIssue],
) -> String {
    let open: BTreeSet<String> = open.iter().map(issue_line).collect();
    let gone: BTreeSet<String> = solved
        .iter()
        .map(issue_line)
        .filter(|line| !open.contains(line))
        .collect();
    let mut number = 0;
    let mut kept = Vec::new();
    for line in instructions.lines() {
        match line.split_once(". ") {
            Some((digits, rest)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                if !gone.contains(rest) {
                    number += 1;
                    kept.push(format!("{number}. {rest}"));
                }
            }
            _ => kept.push(line.to_owned()),
        }
    }
    kept.join("\n")
}

fn line(severity: &str, about: &str, demand: &str) -> String {
    let demand = demand.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("[{severity}] {about}: {demand}")
}

/// What an issue asks for, and where.
fn demand(issue: &TargetedIssue) -> String {
    let asked = asked(issue);
    let is_there = matches!(issue.issue.anchor, Anchored::Exact | Anchored::Normalised);
    match issue.issue.quote.as_deref().filter(|_| is_there) {
        // If the instruction itself quotes the passage, the quote is not repeated.
        Some(quote) if !asked.contains(quote) => {
            format!("At “{}”: {asked}", beginning(quote, QUOTATION))
        }
        _ => asked.to_owned(),
    }
}

/// The findings that are listed: all errors, and a few warnings of each check.
fn listed<'a, 'f>(findings: &'f [&'a Finding]) -> impl Iterator<Item = &'a Finding> + 'f {
    let mut of_a_kind: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    findings.iter().copied().filter(move |finding| {
        let number = of_a_kind.entry(finding.check.code).or_default();
        *number += 1;
        finding.severity == Severity::Error || *number <= OF_A_KIND
    })
}

#[derive(Default)]
struct List {
    text: String,
    number: usize,
    said: BTreeSet<String>,
}

impl List {
    fn add(&mut self, severity: &str, about: &str, demand: &str) {
        // Ignores punctuation, because two judges rarely use the same.
        if demand.trim().is_empty() || !self.said.insert(bare(demand)) {
            return;
        }
        self.number += 1;
        let line = line(severity, about, demand);
        let _ = writeln!(self.text, "{}. {line}", self.number);
    }
}

/// Only the words, in lower case.
pub(super) fn bare(text: &str) -> String {
    let all: Vec<String> = words(text).map(|(_, word)| word.to_lowercase()).collect();
    all.join(" ")
}

fn severity(severity: IssueSeverity) -> &'static str {
    match severity {
        IssueSeverity::Critical => "critical",
        IssueSeverity::Major => "major",
        IssueSeverity::Minor => "minor",
    }
}

/// The beginning of a text, for messages.
fn beginning(text: &str, letters: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(letters) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}
