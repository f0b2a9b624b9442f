//! The JSON of `redraft check`. The types here are the published format; the JSON
//! Schema is made from them and committed under `docs/schema`.

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::finding::{Applicability, Finding, Severity};
use redraft_gate::fix::Inspected;
use redraft_gate::metrics::{self, Metrics};
use redraft_gate::profile::ProfileId;
use redraft_gate::review::{self, IssueSeverity, SelfReview, Status};
use redraft_gate::silence::Unheeded;
use redraft_gate::span::Version;
use redraft_run::profile::Profile;
use redraft_text::lines::LineIndex;
use schemars::JsonSchema;
use serde::Serialize;

use super::bank::BankReport;
use super::rebalanced::RebalancedReport;
use super::seeds::heuristics::HeuristicResults;
use super::seeds::validation::{CheckedItems, Faults};

/// What `redraft check --format json` prints.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(title = "redraft check output")]
pub struct CheckReport {
    /// The version of this format.
    pub schema: u32,
    /// The documents, in the order of their paths.
    pub documents: Vec<DocumentReport>,
    /// The folders whose files form a bank together, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banks: Option<Vec<BankReport>>,
    /// Files that may hold teaching material and were not read.
    pub skipped: Vec<SkippedFile>,
    /// Counts over all documents, and of files that were not read.
    pub summary: Summary,
}

/// A file that may hold teaching material and was not read: the finding `unread-file`.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
pub struct SkippedFile {
    /// Its path.
    pub path: String,
    /// Why it was not read.
    pub reason: String,
    /// How bad that is; `None` if the configuration ignores `unread-file` here.
    #[serde(skip)]
    #[schemars(skip)]
    pub severity: Option<Severity>,
}

/// Counts over all documents.
#[derive(Clone, Copy, Debug, Default, JsonSchema, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Documents that were read.
    pub documents: usize,
    /// Files that were not read.
    pub skipped: usize,
    /// Findings of severity error.
    pub errors: usize,
    /// Findings of severity warning.
    pub warnings: usize,
    /// Findings of severity info.
    pub infos: usize,
    /// Findings with a safe fix.
    pub fixable: usize,
}

impl Summary {
    pub fn add(&mut self, document: &DocumentReport) {
        self.documents += 1;
        for finding in &document.findings {
            match finding.severity {
                SeverityReport::Error => self.errors += 1,
                SeverityReport::Warning => self.warnings += 1,
                SeverityReport::Info => self.infos += 1,
            }
            let safe = |fix: &FixReport| fix.applicability == ApplicabilityReport::Safe;
            self.fixable += usize::from(finding.fix.as_ref().is_some_and(safe));
        }
    }

    /// Counts a file that was not read, and the finding that it is.
    pub fn add_skipped(&mut self, file: &SkippedFile) {
        self.skipped += 1;
        match file.severity {
            Some(Severity::Error) => self.errors += 1,
            Some(Severity::Warning) => self.warnings += 1,
            Some(Severity::Info) => self.infos += 1,
            None => {}
        }
    }
}

/// One document.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DocumentReport {
    /// Its path as it was given; `-` for standard input.
    pub path: String,
    /// Its kind: `lesson`, `sqa-lesson`, `clinical-mcq` or `mcq`; `companion` for a specification,
    /// sources, a scheme of work or outcomes in which something addresses a model.
    pub profile: String,
    /// The version of the text that was checked: the first 16 digits of the SHA-256 of its
    /// bytes.
    pub content: Version,
    /// Its language, as given or detected; `null` if unknown.
    pub language: Option<String>,
    /// What the findings mean for the next stage.
    pub self_review: SelfReviewReport,
    /// The findings, in the order of the file.
    pub findings: Vec<FindingReport>,
    /// Metrics; `null` if something is not measured.
    pub metrics: Metrics,
    /// The same in the shapes of the seeds, where a seed has one.
    #[serde(skip_serializing_if = "CheckSeed::is_empty")]
    pub seed: CheckSeed,
    /// The statistics of the bank, if the document is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank: Option<BankReport>,
    /// Ignore comments in the text that silence nothing, because `ignore-comments` is
    /// not set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore_comments: Vec<IgnoreCommentReport>,
    /// What `--fix-only BNK001 --unsafe` did to the positions of the keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rebalanced: Option<RebalancedReport>,
    /// The file that the text was written to by this command; `-` for standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<String>,
}

/// An ignore comment that silences nothing.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
pub struct IgnoreCommentReport {
    /// Its line, from 1.
    pub line: usize,
    /// The checks it names.
    pub checks: Vec<String>,
}

/// A document in the shapes of the seeds; which are there depends on the profile.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub struct CheckSeed {
    /// Of lessons: seed 002's `HeuristicResults`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristics: Option<HeuristicResults>,
    /// Of multiple-choice items: seed 004's `ValidationResult`; of a bank, item by
    /// item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_result: Option<CheckedItems>,
}

impl CheckSeed {
    fn is_empty(&self) -> bool {
        self.heuristics.is_none() && self.validation_result.is_none()
    }
}

/// What the findings mean for the next stage.
#[derive(Debug, JsonSchema, Serialize)]
pub struct SelfReviewReport {
    /// What happens next.
    pub status: StatusReport,
    /// Why, in at most two sentences.
    pub reasoning: String,
    /// What was found, as the next stage sees it.
    pub issues: Vec<IssueReport>,
}

/// What happens next.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StatusReport {
    /// No findings.
    Pass,
    /// Usable, with remarks.
    PassWithFlags,
    /// The safe fixes solve everything.
    Fixed,
    /// It has to be rewritten.
    Regenerate,
    /// A judge has to decide.
    FlagToJudge,
}

/// An issue of the self-review.
#[derive(Debug, JsonSchema, Serialize)]
pub struct IssueReport {
    /// `TRUNCATION`, `LANGUAGE`, `ALIGNMENT`, `HALLUCINATION` or `HYGIENE`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// `CRITICAL`, `COMPLEX`, `FIXABLE` or `INFO`.
    pub severity: &'static str,
    /// The component it is in.
    pub location: String,
    /// What is wrong.
    pub description: String,
}

/// One finding.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FindingReport {
    /// The permanent code of the check: `TXT001`.
    pub code: &'static str,
    /// The name of the check: `truncated-content`.
    pub name: &'static str,
    /// Its severity.
    pub severity: SeverityReport,
    /// Whether it alone forbids a pass.
    pub critical: bool,
    /// The component it is in.
    pub component: String,
    /// First byte in the file.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in Unicode scalars.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// How to fix it; `null` if that is not known.
    pub fix: Option<FixReport>,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SeverityReport {
    /// Must not be published.
    Error,
    /// Should be reviewed.
    Warning,
    /// Worth knowing.
    Info,
}

/// Edits that fix a finding, applied all together or not at all.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FixReport {
    /// Whether it may be applied without asking.
    pub applicability: ApplicabilityReport,
    /// The edits.
    pub edits: Vec<EditReport>,
}

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ApplicabilityReport {
    /// `--fix` applies it.
    Safe,
    /// Review it before applying.
    Unsafe,
}

/// Replace bytes of the file by a text.
#[derive(Debug, JsonSchema, Serialize)]
pub struct EditReport {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The new text, as it is written to the file.
    pub text: String,
}

/// The document to report on.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its path as it is shown.
    pub path: &'a str,
    /// Its kind.
    pub profile: &'a dyn Profile,
    /// Specification, sources and the like.
    pub companions: &'a Companions,
    /// How much to print.
    pub detail: Detail,
}

/// How much of a report to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Counts and findings.
    Findings,
    /// Everything, as in JSON.
    Full,
}

/// Reports a document by its findings.
#[must_use]
pub fn document(subject: &Subject<'_>, inspected: &Inspected) -> DocumentReport {
    Outline::of(subject, inspected).report(&inspected.findings)
}

/// What a report takes from a document besides its findings. It is small, so that the
/// document of a large bank can be dropped before its report is made.
#[derive(Clone, Debug)]
pub struct Outline {
    path: String,
    profile: ProfileId,
    content: Version,
    language: Option<String>,
    metrics: Metrics,
    /// Line and column of each finding.
    places: Vec<(usize, usize)>,
    detail: Detail,
    faults: Option<Faults>,
}

impl Outline {
    #[must_use]
    pub fn of(subject: &Subject<'_>, Inspected { document, findings }: &Inspected) -> Self {
        let lines = LineIndex::new(document.source().text());
        let place =
            |finding: &Finding| lines.line_column(document.source().text_range(finding.span).start);
        let figures = subject.profile.figures(document, subject.companions);
        Self {
            path: subject.path.to_owned(),
            profile: subject.profile.id(),
            content: document.source().version(),
            language: document.language().map(ToString::to_string),
            metrics: metrics::measure(document, figures),
            places: findings.iter().map(place).collect(),
            detail: subject.detail,
            faults: match subject.detail {
                Detail::Findings => None,
                Detail::Full => Faults::of(document, findings),
            },
        }
    }

    /// The report, with the findings that the outline was made of.
    #[must_use]
    pub fn report(self, findings: &[Finding]) -> DocumentReport {
        let mut metrics = self.metrics;
        metrics.add_messages(findings);
        let is_lesson = self.profile.0 == "lesson" && self.detail == Detail::Full;
        DocumentReport {
            path: self.path,
            profile: self.profile.to_string(),
            content: self.content,
            language: self.language,
            self_review: review::without_fixing(findings).into(),
            findings: findings
                .iter()
                .zip(self.places)
                .map(|(finding, place)| finding_report(finding, place))
                .collect(),
            seed: CheckSeed {
                heuristics: is_lesson.then(|| HeuristicResults::from(&metrics)),
                validation_result: self.faults.map(|faults| faults.checked(findings)),
            },
            metrics,
            bank: None,
            ignore_comments: Vec::new(),
            rebalanced: None,
            saved: None,
        }
    }
}

/// The ignore comments that silence nothing, with their lines.
#[must_use]
pub fn ignore_comments(document: &Document, unheeded: &[Unheeded]) -> Vec<IgnoreCommentReport> {
    if unheeded.is_empty() {
        return Vec::new();
    }
    let lines = LineIndex::new(document.source().text());
    unheeded
        .iter()
        .map(|comment| IgnoreCommentReport {
            line: lines.line_column(comment.at).0,
            checks: comment.checks.clone(),
        })
        .collect()
}

fn finding_report(finding: &Finding, (line, column): (usize, usize)) -> FindingReport {
    FindingReport {
        code: finding.check.code,
        name: finding.check.name,
        severity: finding.severity.into(),
        critical: finding.critical,
        component: finding.component.to_string(),
        start: finding.span.start,
        end: finding.span.end,
        line,
        column,
        message: finding.message.clone(),
        fix: finding.fix.as_ref().map(|fix| FixReport {
            applicability: match fix.applicability {
                Applicability::Safe => ApplicabilityReport::Safe,
                Applicability::Unsafe => ApplicabilityReport::Unsafe,
            },
            edits: fix
                .edits
                .iter()
                .map(|edit| EditReport {
                    start: edit.span.start,
                    end: edit.span.end,
                    text: edit.text.clone(),
                })
                .collect(),
        }),
    }
}

impl From<Severity> for SeverityReport {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Info => Self::Info,
        }
    }
}

impl From<SelfReview> for SelfReviewReport {
    fn from(review: SelfReview) -> Self {
        Self {
            status: match review.status {
                Status::Pass => StatusReport::Pass,
                Status::PassWithFlags => StatusReport::PassWithFlags,
                Status::Fixed => StatusReport::Fixed,
                Status::Regenerate => StatusReport::Regenerate,
                Status::FlagToJudge => StatusReport::FlagToJudge,
            },
            reasoning: review.reasoning,
            issues: review
                .issues
                .into_iter()
                .map(|issue| IssueReport {
                    kind: issue.kind,
                    severity: match issue.severity {
                        IssueSeverity::Critical => "CRITICAL",
                        IssueSeverity::Complex => "COMPLEX",
                        IssueSeverity::Fixable => "FIXABLE",
                        IssueSeverity::Info => "INFO",
                    },
                    location: issue.location,
                    description: issue.description,
                })
                .collect(),
        }
    }
}
