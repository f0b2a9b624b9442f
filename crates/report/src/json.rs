//! The result for programs. The types here are the published format; the JSON
//! Schema is made from them and committed under `docs/schema`.

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::finding::{Applicability, Finding, Severity};
use redraft_gate::fix::Inspected;
use redraft_gate::metrics::{self, Metrics};
use redraft_gate::review::{self, IssueSeverity, SelfReview, Status};
use redraft_profiles::clinical_mcq::model::Bank;
use redraft_profiles::clinical_mcq::validation;
use redraft_run::profile::Profile;
use redraft_text::lines::LineIndex;
use schemars::JsonSchema;
use serde::Serialize;

use super::bank::BankReport;

/// The version of this format.
pub const SCHEMA: u32 = 1;

/// What `redraft check --format json` prints.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(title = "redraft check output")]
pub struct CheckReport {
    /// The version of this format.
    pub schema: u32,
    /// The documents, in the order of their paths.
    pub documents: Vec<DocumentReport>,
    /// The folders whose files make a bank together, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banks: Option<Vec<BankReport>>,
    /// Counts over all documents.
    pub summary: Summary,
}

/// Counts over all documents.
#[derive(Clone, Copy, Debug, Default, JsonSchema, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Documents that were read.
    pub documents: usize,
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
    /// Counts a document in.
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
}

/// One document.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DocumentReport {
    /// Its path as it was given; `-` for standard input.
    pub path: String,
    /// Its kind: `lesson`, `sqa-lesson` or `clinical-mcq`.
    pub profile: String,
    /// The language it is in, as told or as detected; `null` if neither.
    pub language: Option<String>,
    /// What the findings mean for the next stage.
    pub self_review: SelfReviewReport,
    /// What was found, in the order of the file.
    pub findings: Vec<FindingReport>,
    /// Figures; `null` where something is not measured.
    pub metrics: MetricsReport,
    /// The validation result of an item, or of a bank item by item; only for
    /// multiple-choice items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation: Option<ValidationReport>,
    /// The bank as a whole, where the document is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank: Option<BankReport>,
}

/// Whether an item may be used.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ValidationReport {
    /// Whether there is no error; in a bank, whether no item has one.
    pub is_valid: bool,
    /// What is wrong with the item; empty for a bank.
    pub errors: Vec<ValidationErrorReport>,
    /// The items of a bank that have errors or warnings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<ItemValidationReport>>,
}

/// Whether an item of a bank may be used.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemValidationReport {
    /// The item's id.
    pub id: String,
    /// Whether it has no error.
    pub is_valid: bool,
    /// What is wrong with it.
    pub errors: Vec<ValidationErrorReport>,
}

/// A fault of an item.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ValidationErrorReport {
    /// `vignette`, `stem`, `distractors`, `answer_key` or `explanation`.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// `error` or `warning`.
    pub severity: SeverityReport,
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
    /// Nothing to remark.
    Pass,
    /// Good, with remarks.
    PassWithFlags,
    /// The safe fixes make it good.
    Fixed,
    /// To be written again.
    Regenerate,
    /// A judge has to look.
    FlagToJudge,
}

/// An issue of the self-review.
#[derive(Debug, JsonSchema, Serialize)]
pub struct IssueReport {
    /// `TRUNCATION`, `LANGUAGE`, `ALIGNMENT`, `HALLUCINATION` or `HYGIENE`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `CRITICAL`, `COMPLEX`, `FIXABLE` or `INFO`.
    pub severity: String,
    /// The component it stands in.
    pub location: String,
    /// What is wrong.
    pub description: String,
}

/// One finding.
#[derive(Debug, JsonSchema, Serialize)]
pub struct FindingReport {
    /// The permanent code of the check: `TXT001`.
    pub code: String,
    /// The name of the check: `truncated-content`.
    pub name: String,
    /// How bad it is.
    pub severity: SeverityReport,
    /// Whether it alone forbids a pass.
    pub critical: bool,
    /// The part of the document it stands in.
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
    /// How to mend it; `null` where that is not known.
    pub fix: Option<FixReport>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SeverityReport {
    /// Must not be published.
    Error,
    /// Somebody should look at it.
    Warning,
    /// Worth knowing.
    Info,
}

/// Edits that mend a finding, all together or not at all.
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
    /// A person should look at it.
    Unsafe,
}

/// Replace bytes of the file by a text.
#[derive(Debug, JsonSchema, Serialize)]
pub struct EditReport {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What stands there afterwards, as it is written to the file.
    pub text: String,
}

/// Figures about a document.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MetricsReport {
    /// Words a learner reads; code is not counted.
    pub word_count: usize,
    /// Flesch-Kincaid grade; English only, from a hundred words on.
    pub flesch_kincaid: Option<f64>,
    /// Whether the grade was not measured.
    pub flesch_kincaid_skipped: bool,
    /// Words in a sentence, on average; `null` without prose.
    pub avg_sentence_length: Option<f64>,
    /// Letters in a word, on average; `null` without prose.
    pub avg_word_length: Option<f64>,
    /// Paragraphs to sentences; `null` without prose.
    pub paragraph_break_ratio: Option<f64>,
    /// Whether introduction and conclusion are there.
    pub sections_present: bool,
    /// Those that are not.
    pub missing_sections: Vec<String>,
    /// Share of the specification's keywords that occur; `null` without any, or
    /// where the languages differ.
    pub keyword_coverage: Option<f64>,
    /// Worked examples.
    pub examples_count: usize,
    /// Tasks for the learner.
    pub exercises_count: usize,
    /// Messages of the errors.
    pub failure_reasons: Vec<String>,
    /// Messages of the warnings.
    pub warnings: Vec<String>,
}

/// The document that is reported on.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its path as it is shown.
    pub path: &'a str,
    /// Its kind.
    pub profile: &'a dyn Profile,
    /// What came with it.
    pub companions: &'a Companions,
    /// How much of it is printed.
    pub detail: Detail,
}

/// How much of a report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Counts and findings.
    Findings,
    /// Everything, as in JSON.
    Full,
}

impl Detail {
    fn is_full(self) -> bool {
        self == Self::Full
    }
}

/// Reports a document by its findings.
#[must_use]
pub fn document(
    subject: &Subject<'_>,
    Inspected { document, findings }: &Inspected,
) -> DocumentReport {
    let lines = LineIndex::new(document.source().text());
    let figures = subject.profile.figures(document, subject.companions);
    DocumentReport {
        path: subject.path.to_owned(),
        profile: subject.profile.id().to_string(),
        language: document.language().map(ToString::to_string),
        self_review: review::without_fixing(findings).into(),
        findings: findings
            .iter()
            .map(|finding| finding_report(document, &lines, finding))
            .collect(),
        metrics: metrics::measure(document, figures, findings).into(),
        validation: subject
            .detail
            .is_full()
            .then(|| validation(document, findings))
            .flatten(),
        bank: None,
    }
}

fn validation(document: &Document, findings: &[Finding]) -> Option<ValidationReport> {
    let is_bank = document.model::<Bank>()?.is_bank;
    let mut items: Vec<ItemValidationReport> = validation::validate(document, findings)?
        .into_iter()
        .map(|item| ItemValidationReport {
            id: item.id.to_owned(),
            is_valid: item.is_valid(),
            errors: item
                .faults
                .iter()
                .map(|(field, finding)| ValidationErrorReport {
                    field: field.name().to_owned(),
                    message: finding.message.clone(),
                    severity: finding.severity.into(),
                })
                .collect(),
        })
        .collect();
    Some(ValidationReport {
        is_valid: items.iter().all(|item| item.is_valid),
        errors: if is_bank {
            Vec::new()
        } else {
            items.pop().map(|item| item.errors).unwrap_or_default()
        },
        items: is_bank.then_some(items),
    })
}

fn finding_report(document: &Document, lines: &LineIndex, finding: &Finding) -> FindingReport {
    let at = document.source().text_range(finding.span).start;
    let (line, column) = lines.line_column(at);
    FindingReport {
        code: finding.check.code.to_owned(),
        name: finding.check.name.to_owned(),
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
                    kind: issue.kind.to_owned(),
                    severity: match issue.severity {
                        IssueSeverity::Critical => "CRITICAL",
                        IssueSeverity::Complex => "COMPLEX",
                        IssueSeverity::Fixable => "FIXABLE",
                        IssueSeverity::Info => "INFO",
                    }
                    .to_owned(),
                    location: issue.location,
                    description: issue.description,
                })
                .collect(),
        }
    }
}

impl From<Metrics> for MetricsReport {
    fn from(metrics: Metrics) -> Self {
        Self {
            word_count: metrics.word_count,
            flesch_kincaid: metrics.flesch_kincaid,
            flesch_kincaid_skipped: metrics.flesch_kincaid_skipped,
            avg_sentence_length: metrics.avg_sentence_length,
            avg_word_length: metrics.avg_word_length,
            paragraph_break_ratio: metrics.paragraph_break_ratio,
            sections_present: metrics.sections_present,
            missing_sections: metrics
                .missing_sections
                .iter()
                .map(ToString::to_string)
                .collect(),
            keyword_coverage: metrics.keyword_coverage,
            examples_count: metrics.examples_count,
            exercises_count: metrics.exercises_count,
            failure_reasons: metrics.failure_reasons,
            warnings: metrics.warnings,
        }
    }
}
