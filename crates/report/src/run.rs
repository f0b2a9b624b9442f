//! What a run over many files gave, for the reports that show it as a whole. It
//! knows nothing of how it will be shown.

use super::bank::BankReport;
use super::human::Totals;
use super::json::{DocumentReport, SkippedFile, Summary};

/// Everything that a run gave.
#[derive(Debug, Default)]
pub struct RunReport {
    /// The documents that were read, in the order of their paths.
    pub documents: Vec<DocumentReport>,
    /// The files that were not.
    pub unreadable: Vec<UnreadableFile>,
    /// Files of a folder that are not content.
    pub skipped: Vec<SkippedFile>,
    /// Counts over all documents.
    pub summary: Summary,
    /// The folders whose files make a bank together.
    pub banks: Vec<BankReport>,
    /// What happened beside the findings.
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
