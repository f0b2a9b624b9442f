//! The jobs of a session: each text that gets a run of its own, and how its run ended.
//! How texts are judged and repaired is not known here.

use std::path::{Path, PathBuf};

use redraft_gate::finding::Severity;
use redraft_report::check_report::SkippedFile;
use redraft_report::judge_report::{Judged, RefinedBank};
use redraft_report::solver_report::SolverReport;
use redraft_report::unfinished::{ItemsDone, Unfinished, UnfinishedState};

use super::exit::Exit;
use crate::files::{ContentFile, Limits, ReadError};
use crate::inspection::path_text;

/// A text that gets a run of its own.
pub(super) enum Job {
    /// A file, with its bytes if they can be read only once.
    File(ContentFile, Option<Vec<u8>>),
    /// An item of a bank.
    Item {
        /// The index of the bank.
        bank: usize,
        input: JobInput,
    },
}

/// The text of a job.
pub(super) struct JobInput {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

impl Job {
    /// Whether the user named it, rather than a folder that contains it.
    pub(super) fn is_named(&self) -> bool {
        match self {
            Self::File(file, _) => file.named,
            Self::Item { .. } => true,
        }
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(file, _) => &file.path,
            Self::Item { input, .. } => &input.path,
        }
    }

    /// The index of the bank that the text belongs to.
    pub(super) fn bank(&self) -> Option<usize> {
        match self {
            Self::File(..) => None,
            Self::Item { bank, .. } => Some(*bank),
        }
    }

    /// Reads the text, once the job is about to start.
    pub(super) fn read(self, limits: &Limits) -> Result<JobInput, ReadError> {
        let (file, bytes) = match self {
            Self::Item { input, .. } => return Ok(input),
            Self::File(file, bytes) => (file, bytes),
        };
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => file.read(limits)?,
        };
        Ok(JobInput {
            path: file.path,
            bytes,
        })
    }
}

/// How a job ended, or a bank after its jobs.
pub(super) enum JobResult {
    /// With an outcome.
    Judged(Box<Judged>),
    /// Interrupted by the user.
    Interrupted { path: String, journal: PathBuf },
    /// Interrupted by the user before it started.
    NotStarted { path: String },
    /// Not content, and need not be.
    Skipped(SkippedFile),
    /// The text could not be read, or its run failed.
    Failed { path: String, message: String },
    /// How the solver of a bank did, after all its items.
    Solver(SolverReport),
    /// A bank, after all its items.
    Bank(Box<RefinedBank>),
    /// A bank with items that did not finish.
    UnfinishedBank {
        bank: PathBuf,
        done: usize,
        items: usize,
        interrupted: bool,
    },
}

impl From<Judged> for JobResult {
    fn from(judged: Judged) -> Self {
        Self::Judged(Box::new(judged))
    }
}

impl JobResult {
    pub(super) fn with_original(mut self, bytes: Vec<u8>) -> Self {
        if let Self::Judged(one) = &mut self {
            one.original = bytes;
        }
        self
    }

    /// What a report says of it, if there is no result.
    pub(super) fn unfinished(&self) -> Option<Unfinished> {
        let of = |path: &str, state| Unfinished {
            path: path.to_owned(),
            state,
            message: None,
            journal: None,
            items: None,
        };
        Some(match self {
            Self::Failed { path, message } => Unfinished {
                message: Some(message.clone()),
                ..of(path, UnfinishedState::Failed)
            },
            Self::Interrupted { path, journal } => Unfinished {
                journal: Some(path_text(journal)),
                ..of(path, UnfinishedState::Interrupted)
            },
            Self::NotStarted { path } => of(path, UnfinishedState::NotStarted),
            // Items that failed are listed themselves; interrupted ones are not.
            Self::UnfinishedBank {
                bank,
                done,
                items,
                interrupted: true,
            } => Unfinished {
                items: Some(ItemsDone {
                    done: *done,
                    of: *items,
                }),
                ..of(&path_text(bank), UnfinishedState::Interrupted)
            },
            _ => return None,
        })
    }

    pub(super) fn exit(&self) -> Exit {
        match self {
            Self::Judged(one) => Exit::of_outcome(&one.outcome),
            Self::Interrupted { .. }
            | Self::NotStarted { .. }
            | Self::UnfinishedBank {
                interrupted: true, ..
            } => Exit::Interrupted,
            Self::Failed { .. } | Self::UnfinishedBank { .. } => Exit::Usage,
            Self::Skipped(file) if file.severity == Some(Severity::Error) => Exit::GateFailed,
            Self::Bank(_) | Self::Solver(_) | Self::Skipped(_) => Exit::Clean,
        }
    }
}

/// The exit of a session.
pub(super) fn exit_of(results: &[JobResult]) -> Exit {
    let exits: Vec<Exit> = results.iter().map(JobResult::exit).collect();
    Exit::of_all(&exits)
}
