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
    /// Files of a folder that are not content.
    pub skipped: Vec<SkippedFile>,
    /// Counts over all documents.
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
    /// Files of a folder that are not content.
    pub skipped: usize,
    /// Files that could not be read.
    pub unreadable: usize,
}

impl Totals {
    /// Adds the counts of one file.
    pub fn add(&mut self, other: &Self) {
        self.known += other.known;
        self.silenced += other.silenced;
        self.fixed += other.fixed;
        self.skipped += other.skipped;
        self.unreadable += other.unreadable;
    }
}

impl From<CheckRun> for CheckReport {
    fn from(run: CheckRun) -> Self {
        Self {
            schema: super::SCHEMA,
            documents: run.documents,
            banks: Some(run.banks).filter(|banks| !banks.is_empty()),
            summary: Summary {
                skipped: run.skipped.len(),
                ..run.summary
            },
            skipped: run.skipped,
        }
    }
}
