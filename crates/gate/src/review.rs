//! The self-review by program (seed 001): what the findings mean for the next
//! stage. Four phases in order, the first status that applies.
//!
//! | phase | findings | issue severity | status |
//! |---|---|---|---|
//! | integrity, hygiene | an error without a safe fix | CRITICAL | REGENERATE |
//! | any | a safe fix | FIXABLE | FIXED, with the issues that remain |
//! | integrity | a warning without a safe fix | COMPLEX | FLAG_TO_JUDGE |
//! | semantics | an error or a warning | COMPLEX | FLAG_TO_JUDGE |
//! | hygiene, acceptance | a warning without a safe fix | INFO | PASS_WITH_FLAGS |
//! | any | information | none | PASS |
//!
//! Issues that remain after a fix ride along (ruling 17). [`review`] takes them from
//! the fixed text; [`without_fixing`] takes every safe fix as applied and predicts them
//! from the findings alone. A critical issue among them means REGENERATE.

use schemars::JsonSchema;
use serde::Serialize;

use crate::check::Phase;
use crate::finding::{Finding, Severity};

/// What happens to the content next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ReviewStatus")]
pub enum Status {
    /// No issues.
    Pass,
    /// Good, with flags.
    PassWithFlags,
    /// Fixed by safe fixes; the next stage gets the fixed content.
    Fixed,
    /// Unusable as it is; it must be rewritten, and no judge is asked.
    Regenerate,
    /// A judge must look at what was flagged.
    FlagToJudge,
}

/// How an issue is to be treated (seed 001).
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ReviewIssueSeverity")]
pub enum IssueSeverity {
    /// The content is unusable.
    Critical,
    /// Needs judgement.
    Complex,
    /// Has a safe fix.
    Fixable,
    /// Worth knowing.
    Info,
}

/// An issue in seed 001's field names.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "ReviewIssue")]
pub struct Issue {
    /// `TRUNCATION`, `LANGUAGE`, `ALIGNMENT`, `HALLUCINATION` or `HYGIENE`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// How it is to be treated.
    pub severity: IssueSeverity,
    /// The component it is in.
    pub location: String,
    /// What is wrong.
    pub description: String,
}

/// The result of the self-review.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SelfReview {
    /// What happens next.
    pub status: Status,
    /// Why, in at most two sentences.
    pub reasoning: String,
    /// What was found.
    pub issues: Vec<Issue>,
}

/// Reviews a document by its findings alone, as if every safe fix removed its finding
/// and nothing else. Fixing may still uncover or remove other findings, so a run, which
/// goes on with the fixed text, uses [`review`].
#[must_use]
pub fn without_fixing(findings: &[Finding]) -> SelfReview {
    let remaining = findings
        .iter()
        .filter(|finding| finding.safe_fix().is_none());
    decide(findings, &remaining.collect::<Vec<_>>())
}

/// Reviews a document by its findings. `after_fixing` are the findings left
/// once the safe fixes are applied.
#[must_use]
pub fn review(findings: &[Finding], after_fixing: &[Finding]) -> SelfReview {
    decide(findings, &after_fixing.iter().collect::<Vec<_>>())
}

fn decide(findings: &[Finding], after_fixing: &[&Finding]) -> SelfReview {
    let issues: Vec<Issue> = findings.iter().filter_map(issue).collect();
    let count = |severity| {
        issues
            .iter()
            .filter(|issue| issue.severity == severity)
            .count()
    };
    let critical = count(IssueSeverity::Critical);
    let fixable = count(IssueSeverity::Fixable);
    let complex = count(IssueSeverity::Complex);
    let remarks = count(IssueSeverity::Info);
    if critical > 0 {
        let names = named(findings, IssueSeverity::Critical);
        return SelfReview {
            status: Status::Regenerate,
            reasoning: format!("Unusable as it is: {names}."),
            issues,
        };
    }
    if fixable > 0 {
        return after_a_fix(findings, after_fixing);
    }
    let (status, reasoning) = if complex > 0 {
        let names = named(findings, IssueSeverity::Complex);
        (Status::FlagToJudge, format!("Needs judgement: {names}."))
    } else if remarks > 0 {
        let names = named(findings, IssueSeverity::Info);
        (Status::PassWithFlags, format!("Good, with flags: {names}."))
    } else {
        (Status::Pass, "No issues.".to_owned())
    };
    SelfReview {
        status,
        reasoning,
        issues,
    }
}

/// The safe fixes are applied; the issues that remain ride along.
fn after_a_fix(findings: &[Finding], after_fixing: &[&Finding]) -> SelfReview {
    let fixed = named(findings, IssueSeverity::Fixable);
    let mut issues: Vec<Issue> = findings
        .iter()
        .filter_map(issue)
        .filter(|issue| issue.severity == IssueSeverity::Fixable)
        .collect();
    let left: Vec<Issue> = after_fixing.iter().copied().filter_map(issue).collect();
    let is_critical = left
        .iter()
        .any(|issue| issue.severity == IssueSeverity::Critical);
    let rides_along = left
        .iter()
        .filter(|issue| issue.severity == IssueSeverity::Complex)
        .count();
    issues.extend(left);
    if is_critical {
        let names = named(after_fixing.iter().copied(), IssueSeverity::Critical);
        return SelfReview {
            status: Status::Regenerate,
            reasoning: format!("Unusable even after fixing {fixed}: {names}."),
            issues,
        };
    }
    let tail = match rides_along {
        0 => String::new(),
        1 => " One issue remains for the judge.".to_owned(),
        number => format!(" {number} issues remain for the judge."),
    };
    SelfReview {
        status: Status::Fixed,
        reasoning: format!("Fixed: {fixed}.{tail}"),
        issues,
    }
}

fn issue(finding: &Finding) -> Option<Issue> {
    Some(Issue {
        kind: finding.check.concern.name(),
        severity: issue_severity(finding)?,
        location: finding.component.to_string(),
        description: finding.message.clone(),
    })
}

fn issue_severity(finding: &Finding) -> Option<IssueSeverity> {
    if finding.safe_fix().is_some() {
        return Some(IssueSeverity::Fixable);
    }
    match (finding.severity, finding.check.phase) {
        (Severity::Info, _) => None,
        (Severity::Error, Phase::Integrity | Phase::Hygiene) => Some(IssueSeverity::Critical),
        (Severity::Error | Severity::Warning, Phase::Semantics)
        | (Severity::Warning, Phase::Integrity)
        | (Severity::Error, Phase::Acceptance) => Some(IssueSeverity::Complex),
        (Severity::Warning, Phase::Hygiene | Phase::Acceptance) => Some(IssueSeverity::Info),
    }
}

/// The names of the checks that found the issues of one severity, with counts, in the
/// order of their codes: `chatbot-framing, unclosed-emphasis (3)`.
fn named<'a>(findings: impl IntoIterator<Item = &'a Finding>, severity: IssueSeverity) -> String {
    let mut counts = std::collections::BTreeMap::<(&str, &str), usize>::new();
    for finding in findings {
        if issue_severity(finding) == Some(severity) {
            *counts
                .entry((finding.check.code, finding.check.name))
                .or_default() += 1;
        }
    }
    let names: Vec<String> = counts
        .into_iter()
        .map(|((_, name), count)| match count {
            1 => name.to_owned(),
            _ => format!("{name} ({count})"),
        })
        .collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Check, Concern, Mends};
    use crate::finding::Fix;
    use crate::span::{ComponentId, Span, Version};

    static INTEGRITY: Check = check("cut-off", Phase::Integrity);
    static HYGIENE: Check = check("noise", Phase::Hygiene);
    static SEMANTICS: Check = check("off-topic", Phase::Semantics);
    static ACCEPTANCE: Check = check("too-long", Phase::Acceptance);

    const fn check(name: &'static str, phase: Phase) -> Check {
        Check {
            code: name,
            name,
            severity: Severity::Warning,
            critical: false,
            mends: Mends::Never,
            phase,
            concern: Concern::Hygiene,
            summary: "",
            what: "",
            why: "",
            examples: &[],
            parameters: &[],
            caps: &[],
            run: |_, _| {},
        }
    }

    fn finding(check: &'static Check, severity: Severity) -> Finding {
        Finding {
            check,
            severity,
            critical: false,
            component: ComponentId("sec_1".to_owned()),
            span: Span {
                start: 0,
                end: 1,
                version: Version::of(b"x"),
            },
            message: check.name.to_owned(),
            fix: None,
            caps: Vec::new(),
            remedy: None,
        }
    }

    fn fixable(check: &'static Check, severity: Severity) -> Finding {
        let mut finding = finding(check, severity);
        finding.fix(Fix::safe(Vec::new()));
        finding
    }

    /// The rows of the decision table, then their combinations with a safe fix.
    #[test]
    fn the_status_follows_from_the_findings_alone() {
        let error = |check| finding(check, Severity::Error);
        let warning = |check| finding(check, Severity::Warning);
        for (findings, status, severities) in [
            (vec![], Status::Pass, vec![]),
            (
                vec![error(&INTEGRITY)],
                Status::Regenerate,
                vec![IssueSeverity::Critical],
            ),
            (
                vec![error(&HYGIENE)],
                Status::Regenerate,
                vec![IssueSeverity::Critical],
            ),
            (
                vec![fixable(&HYGIENE, Severity::Error)],
                Status::Fixed,
                vec![IssueSeverity::Fixable],
            ),
            (
                vec![warning(&INTEGRITY)],
                Status::FlagToJudge,
                vec![IssueSeverity::Complex],
            ),
            (
                vec![error(&SEMANTICS)],
                Status::FlagToJudge,
                vec![IssueSeverity::Complex],
            ),
            (
                vec![warning(&HYGIENE), warning(&ACCEPTANCE)],
                Status::PassWithFlags,
                vec![IssueSeverity::Info, IssueSeverity::Info],
            ),
            (
                vec![finding(&SEMANTICS, Severity::Info)],
                Status::Pass,
                vec![],
            ),
            (
                vec![warning(&SEMANTICS), fixable(&HYGIENE, Severity::Warning)],
                Status::Fixed,
                vec![IssueSeverity::Fixable, IssueSeverity::Complex],
            ),
            (
                vec![error(&INTEGRITY), fixable(&HYGIENE, Severity::Warning)],
                Status::Regenerate,
                vec![IssueSeverity::Critical, IssueSeverity::Fixable],
            ),
        ] {
            let review = without_fixing(&findings);
            assert_eq!(review.status, status, "{findings:?}");
            let found: Vec<_> = review.issues.iter().map(|issue| issue.severity).collect();
            assert_eq!(found, severities, "{findings:?}");
        }
    }

    #[test]
    fn after_a_real_fix_the_remaining_findings_decide() {
        let before = [fixable(&HYGIENE, Severity::Warning)];
        let uncovered = [finding(&INTEGRITY, Severity::Error)];
        assert_eq!(review(&before, &uncovered).status, Status::Regenerate);
        assert_eq!(review(&before, &[]).status, Status::Fixed);
        assert_eq!(without_fixing(&before).status, Status::Fixed);
    }
}
