//! What a session works on: files as they are, and banks item by item. Who judges
//! and repairs is not known here.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use redraft_run::setup::Goal;

use super::bank::BankFile;
use super::check::shown;
use super::desk::Given;
use super::session::Ended;
use crate::files::Input;
use crate::inspection::Inspector;
use redraft_report::verdict::Judged;

/// A text that gets a run of its own.
pub(super) enum Work {
    /// A file; its bytes, where they can be read only once.
    File(Input, Option<Vec<u8>>),
    /// An item of a bank.
    Item {
        /// The bank, by its number.
        bank: usize,
        /// The item.
        piece: Piece,
    },
}

/// A text to work on.
pub(super) struct Piece {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    /// Whether the user named it.
    pub(super) named: bool,
}

impl Work {
    /// What it is called.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(input, _) => &input.path,
            Self::Item { piece, .. } => &piece.path,
        }
    }

    /// The bank it belongs to.
    pub(super) fn bank(&self) -> Option<usize> {
        match self {
            Self::File(..) => None,
            Self::Item { bank, .. } => Some(*bank),
        }
    }

    /// Its bytes, read when its turn has come.
    pub(super) fn read(self) -> anyhow::Result<Piece> {
        let (input, bytes) = match self {
            Self::Item { piece, .. } => return Ok(piece),
            Self::File(input, bytes) => (input, bytes),
        };
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => read(&input)?,
        };
        Ok(Piece {
            path: input.path,
            bytes,
            named: input.named,
        })
    }
}

fn read(input: &Input) -> anyhow::Result<Vec<u8>> {
    input
        .read()
        .with_context(|| format!("cannot read {}", shown(&input.path)))
}

/// Cuts banks into their items; everything else is worked on as it is.
pub(super) fn split(
    goal: Goal,
    inspector: &Inspector,
    inputs: Vec<Input>,
) -> anyhow::Result<(Vec<Work>, Vec<BankFile>)> {
    let (mut work, mut banks) = (Vec::new(), Vec::new());
    for input in inputs {
        let is_json = input
            .path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(|extension| extension.to_lowercase().contains("json"));
        // What is free is done to the file as a whole.
        if goal == Goal::Free || !(is_json || input.is_stdin()) {
            work.push(Work::File(input, None));
            continue;
        }
        let bytes = read(&input)?;
        let kept = input.is_stdin().then(|| bytes.clone());
        let Some(bank) = BankFile::of(inspector, &input.path, bytes) else {
            work.push(Work::File(input, kept));
            continue;
        };
        let number = banks.len();
        work.extend(bank.pieces().map(|piece| Work::Item {
            bank: number,
            piece,
        }));
        banks.push(bank);
    }
    Ok((work, banks))
}

/// What a bank came to, once all its items are done; `is_its` tells them from the
/// others by their number. Items that were interrupted are told of once, for the
/// bank.
pub(super) fn bank_done(
    goal: Goal,
    given: &Given,
    bank: &BankFile,
    all: &mut Vec<(usize, Ended)>,
    is_its: impl Fn(usize) -> bool,
) -> anyhow::Result<Option<Ended>> {
    let mut done: Vec<(usize, &Judged)> = all
        .iter()
        .filter(|(index, _)| is_its(*index))
        .filter_map(|(index, ended)| match ended {
            Ended::Judged(judged) => Some((*index, judged.as_ref())),
            _ => None,
        })
        .collect();
    if done.len() < bank.len() {
        let done = done.len();
        let before = all.len();
        all.retain(|(index, ended)| {
            let is_open = matches!(ended, Ended::Interrupted(_) | Ended::NotBegun);
            !(is_its(*index) && is_open)
        });
        return Ok(Some(Ended::Unfinished {
            bank: bank.path.clone(),
            done,
            items: bank.len(),
            interrupted: all.len() < before,
        }));
    }
    if goal != Goal::Refine {
        return Ok(None);
    }
    done.sort_by_key(|(index, _)| *index);
    let done: Vec<&Judged> = done.into_iter().map(|(_, judged)| judged).collect();
    let report = bank.put_together(&given.inspector()?, &done)?;
    Ok(Some(Ended::Bank(Box::new(report))))
}
