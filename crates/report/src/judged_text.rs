//! The text that a run came to, with everything that is open in it at its place: what
//! `judge` and `refine` report to code-scanning services, build servers and pull requests.

use std::ops::Range;

use redraft_gate::fix::Inspected;
use redraft_run::outcome::Outcome;
use redraft_run::verdict::{Issue, Quotes};
use redraft_text::lines::LineIndex;

use super::check_report::SkippedFile;
use super::count::counted;
use super::judge_report::Judged;
use super::sentences;
use super::unfinished::Unfinished;

/// Whether a document passed, or the whole command, as the exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Passed,
    Failed,
}

/// A judged document and the text that came of it.
#[derive(Debug)]
pub struct JudgedText<'a> {
    pub judged: &'a Judged,
    /// The file that it stands in: the bank of an item.
    pub file: String,
    pub standing: Standing,
    /// The text that came out, with its findings; `None` if it could not be read again.
    pub inspected: Option<Inspected>,
}

/// An open issue and where it is in the text.
#[derive(Clone, Debug)]
pub(super) struct PlacedIssue<'a> {
    pub(super) issue: &'a Issue,
    /// Bytes of the file.
    pub(super) span: Option<Range<usize>>,
    /// Line and column in the file, from 1; unknown for an item, which is a text of its own.
    pub(super) at: Option<(usize, usize)>,
}

impl JudgedText<'_> {
    pub(super) fn outcome(&self) -> &Outcome {
        &self.judged.outcome
    }

    /// The open issues, in the order of the outcome.
    pub(super) fn issues(&self) -> Vec<PlacedIssue<'_>> {
        let issues = self.outcome().issues.iter();
        let Some(inspected) = &self.inspected else {
            let unplaced = issues.map(|issue| PlacedIssue {
                issue,
                span: None,
                at: None,
            });
            return unplaced.collect();
        };
        let document = &inspected.document;
        let quotes = Quotes::new(document);
        let is_file = self.file == self.judged.path;
        let lines = is_file.then(|| LineIndex::new(document.source().text()));
        let placed = issues.map(|issue| {
            let quote = issue
                .quote
                .as_deref()
                .filter(|quote| !quote.trim().is_empty());
            let found = quote.and_then(|quote| {
                let found = quotes.look_up(quote).ok()?;
                let field = document.texts().get(found.text)?;
                Some(field.map.to_source(found.range))
            });
            PlacedIssue {
                issue,
                span: found.clone().map(|range| document.span(range).range()),
                at: found
                    .zip(lines.as_ref())
                    .map(|(range, lines)| lines.line_column(range.start)),
            }
        });
        placed.collect()
    }

    /// What became of it, in a line: `best effort, 0.790: a critical issue is open`.
    pub(super) fn headline(&self) -> String {
        let outcome = self.outcome();
        let score = match &outcome.score {
            Some(score) => score.overall().to_string(),
            None => "not scored".to_owned(),
        };
        let because = match &outcome.because {
            Some(because) => format!(": {}", sentences::because(because)),
            None => String::new(),
        };
        format!("{}, {score}{because}", sentences::status(outcome.status))
    }
}

/// Everything that a `judge` or `refine` came to.
#[derive(Debug)]
pub struct JudgedRun<'a> {
    pub documents: Vec<JudgedText<'a>>,
    pub unfinished: &'a [Unfinished],
    pub skipped: &'a [SkippedFile],
    /// Of the command as a whole.
    pub standing: Standing,
}

impl JudgedRun<'_> {
    /// `3 documents: 1 passed, 1 failed, 1 without a result`.
    pub(super) fn summary(&self) -> String {
        let passed = self
            .documents
            .iter()
            .filter(|document| document.standing == Standing::Passed)
            .count();
        let unfinished = match self.unfinished.len() {
            0 => String::new(),
            number => format!(", {number} without a result"),
        };
        format!(
            "{}: {passed} passed, {} failed{unfinished}",
            counted(self.documents.len() + self.unfinished.len(), "document"),
            self.documents.len() - passed
        )
    }
}
