//! The journal files of runs: creating one, finding one by name, and finding those of
//! earlier runs that `--continue` can go on with.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use redraft_engine::journal::{Journal, JournalError};
use redraft_engine::verdicts::UserKey;
use redraft_report::{shell, timestamps};
use redraft_run::ask::Time;

use super::output::complain;
use super::record::Record;
use crate::files::similar;

/// A journal that was just created.
pub(super) struct NewJournal {
    pub(super) journal: Journal,
    /// The name of the run.
    pub(super) run: String,
    pub(super) path: PathBuf,
}

/// Creates a journal under a name that is not taken, made of the start time and the
/// version of the text.
pub(super) fn create(
    runs: &Path,
    record: &Record,
    started: Time,
    version: &str,
    key: Option<&UserKey>,
) -> anyhow::Result<NewJournal> {
    const MOST: usize = 1_000;
    let stem = format!(
        "{}-{}",
        timestamps::stamp(started),
        version.get(..8).unwrap_or(version)
    );
    for number in 1..=MOST {
        let run = if number == 1 {
            stem.clone()
        } else {
            format!("{stem}-{number}")
        };
        let path = runs.join(format!("{run}.jsonl"));
        if path.exists() {
            continue;
        }
        let header = record.header(&run, started, &path)?;
        match Journal::create_for(&path, &header, key) {
            Ok(journal) => return Ok(NewJournal { journal, run, path }),
            // Another process took the name since.
            Err(JournalError::Io { source, .. }) if source.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.into()),
        }
    }
    bail!(
        "too many runs of this text in {}; delete some, or give --runs DIR",
        runs.display()
    )
}

/// The latest run of every text under every set of settings, by its path and its
/// record's key.
pub(super) fn earlier(runs: &Path, key: Option<&UserKey>) -> BTreeMap<(PathBuf, String), PathBuf> {
    let mut found = BTreeMap::new();
    let mut journals: Vec<PathBuf> = std::fs::read_dir(runs)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    journals.sort();
    for path in journals {
        let header = match Journal::read_for(&path, key) {
            Ok((header, _)) => header,
            Err(error @ JournalError::Foreign { .. }) => {
                complain(&format!("note: {:#}", with_hint(error)));
                continue;
            }
            Err(_) => continue,
        };
        if let Ok(record) = Record::of(&header, &path)
            && let Ok(key) = record.key()
        {
            found.insert((record.path.clone(), key), path);
        }
    }
    found
}

/// What is wrong with a journal, and for one of another user the commands to go on with.
pub(super) fn with_hint(error: JournalError) -> anyhow::Error {
    let JournalError::Foreign { path } = &error else {
        return error.into();
    };
    let path = path.to_string_lossy();
    let command = |words: &[&str]| {
        let words = words.iter().copied().chain([&*path]);
        shell::command(words)
    };
    anyhow!(
        "{error}. To inspect it, and to adopt it if you trust it, run\n  {}\n  {}",
        command(&["redraft", "replay"]),
        command(&["redraft", "runs", "adopt"])
    )
}

/// Whether the run that the user names is over, so that no model is asked.
pub(super) fn is_finished(run: Option<&Path>, runs: &Path) -> bool {
    let journal = run.and_then(|run| find(run, runs).ok());
    let read = journal.and_then(|journal| Journal::read(&journal).ok());
    read.is_some_and(|(_, recorded)| recorded.outcome.is_some())
}

/// The journal of a run that the user names by its file or by its name.
pub(super) fn find(run: &Path, runs: &Path) -> anyhow::Result<PathBuf> {
    let named = runs.join(format!("{}.jsonl", run.display()));
    [run.to_owned(), named]
        .into_iter()
        .find(|path| path.is_file())
        .with_context(|| {
            format!(
                "run {} not found; journals are kept in {}{}",
                run.display(),
                runs.display(),
                similar(&runs.join(run))
            )
        })
}
