//! One document across the desk: from bytes to a document and its findings,
//! under the user's settings. Opens no files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::edit::EditError;
use redraft_gate::examine::{self, Settings};
use redraft_gate::finding::Finding;
use redraft_gate::fix::{self, Fixed, Inspected};
use redraft_gate::inspect::{Inspect as _, Reader};
use redraft_gate::policy::Parameters;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::registry;
use redraft_run::profile::Profile;
use redraft_text::encoding::Encoding;
use thiserror::Error;

use crate::config::Config;

/// Why a file cannot be examined at all.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unreadable {
    /// Not text.
    #[error("this is no text; a lesson is Markdown or JSON")]
    Binary,
    /// JSON, but of no kind we know.
    #[error(
        "this JSON is no lesson, no set of cards and no question; name its kind with --profile if it is one"
    )]
    UnknownKind,
}

/// What the user has set up.
#[derive(Debug)]
pub struct Desk {
    /// The configuration.
    pub config: Config,
    /// What came with the content.
    pub companions: Arc<Companions>,
    /// The profile that the user named.
    pub profile: Option<&'static dyn Profile>,
}

/// A document, what was found in it, and what was silenced.
#[derive(Debug)]
pub struct Inspection {
    /// Its kind.
    pub profile: &'static dyn Profile,
    /// The document and its findings.
    pub inspected: Inspected,
    /// Findings that ignore comments silenced, with the reasons.
    pub silenced: Vec<(Finding, String)>,
    settings: Settings,
    path: PathBuf,
}

impl Inspection {
    /// The figures in force for it.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.settings.parameters
    }
}

impl Desk {
    /// Reads and examines one file.
    ///
    /// # Errors
    /// When it is no text, or JSON of no kind we know.
    pub fn inspect(&self, path: &Path, bytes: Vec<u8>) -> Result<Inspection, Unreadable> {
        let (profile, document) = self.read(path, bytes)?;
        let settings = self.config.settings_for(file_of(path), profile);
        let examined = examine::examine(profile.checks(), &document, &self.companions, &settings);
        Ok(Inspection {
            profile,
            inspected: Inspected {
                document,
                findings: examined.findings,
            },
            silenced: examined.silenced,
            settings,
            path: path.to_owned(),
        })
    }

    /// Reads one file, and examines nothing.
    ///
    /// # Errors
    /// When it is no text, or JSON of no kind we know.
    pub fn read(
        &self,
        path: &Path,
        bytes: Vec<u8>,
    ) -> Result<(&'static dyn Profile, Document), Unreadable> {
        let source = Source::new(bytes);
        if source.encoding() == Encoding::Binary {
            return Err(Unreadable::Binary);
        }
        let raw = reading::read(source, hint(path));
        let named = self
            .profile
            .or_else(|| self.config.profile_for(file_of(path)));
        let profile = named
            .or_else(|| registry::recognise(&raw))
            .ok_or(Unreadable::UnknownKind)?;
        let language = self.companions.expected_language().copied();
        Ok((profile, profile.parse(raw, language)))
    }

    /// Applies the safe fixes to an inspected document.
    ///
    /// # Errors
    /// When edits do not fit: a fault of ours.
    pub fn fix(&self, inspection: Inspection) -> Result<Fixed, EditError> {
        let reader = self.reader(&inspection);
        fix::fix(inspection.inspected, |bytes| reader.inspect(bytes))
    }

    /// Who reads other versions of an inspected document, in the same way.
    #[must_use]
    pub fn reader(&self, inspection: &Inspection) -> Reader {
        Reader {
            profile: inspection.profile,
            settings: inspection.settings.clone(),
            companions: Arc::clone(&self.companions),
            hint: hint(&inspection.path),
        }
    }
}

/// The file that a path is about: `bank.jsonl` of its item `bank.jsonl#item_3`.
#[must_use]
pub fn file_of(path: &Path) -> &Path {
    const BANKS: [&str; 3] = [".json#", ".jsonl#", ".ndjson#"];
    let Some(text) = path.to_str() else {
        return path;
    };
    if text.starts_with("-#") {
        return Path::new("-");
    }
    let ends = BANKS
        .iter()
        .filter_map(|bank| Some(text.find(bank)? + bank.len() - 1));
    match ends.min().and_then(|end| text.get(..end)) {
        Some(file) => Path::new(file),
        None => path,
    }
}

fn hint(path: &Path) -> Hint {
    // An item is one JSON object, whatever its bank is.
    if file_of(path) != path {
        return Hint::Json;
    }
    path.extension()
        .and_then(|extension| extension.to_str())
        .map_or(Hint::None, Hint::from_extension)
}
