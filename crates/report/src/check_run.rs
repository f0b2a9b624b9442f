//! The results of one `redraft check` over many files, for the formats that show
//! them as a whole. It does not know how they are shown.

use super::bank::BankReport;
use super::check_report::{CheckReport, DocumentReport, SkippedFile, Summary};

/// Everything that a `check` over many files gave.
#[derive(Debug, Default)]
pub struct CheckRun {
    /// The documents that were read, in the order of their paths.
    pub documents: Vec<DocumentReport>,
    pub unreadable: Vec<UnreadableFile>,
    /// Files that were not read.
    pub skipped: Vec<SkippedFile>,
    /// Counts over all documents, and of files that were not read.
    pub summary: Summary,
    /// The folders whose files form a bank together.
    pub banks: Vec<BankReport>,
    pub totals: Totals,
}

/// A file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableFile {
    /// Its path as it was given; `-` for standard input.
    pub path: String,
    /// Why, with the path in it.
    pub message: String,
}

/// Counts that are not in the findings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// Findings that are in the baseline.
    pub known: usize,
    /// Findings that a comment silences.
    pub silenced: usize,
    /// Findings that were fixed.
    pub fixed: usize,
    /// Ignore comments that silence nothing.
    pub ignore_comments: usize,
    /// Files that could not be read.
    pub unreadable: usize,
}

impl Totals {
    /// Adds the counts of one file.
    pub fn add(&mut self, other: &Self) {
        self.known += other.known;
        self.silenced += other.silenced;
        self.fixed += other.fixed;
        self.ignore_comments += other.ignore_comments;
        self.unreadable += other.unreadable;
    }
}

impl CheckRun {
    /// Adds a file that was not read.
    pub fn skip(&mut self, file: SkippedFile) {
        self.summary.add_skipped(&file);
        self.skipped.push(file);
    }
}

impl From<CheckRun> for CheckReport {
    fn from(run: CheckRun) -> Self {
        Self {
            schema: super::SCHEMA,
            documents: run.documents,
            banks: Some(run.banks).filter(|banks| !banks.is_empty()),
            summary: run.summary,
            skipped: run.skipped,
        }
    }
}
