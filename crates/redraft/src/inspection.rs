//! Inspecting a file: chooses the profile and the settings by its path, then runs
//! the pipeline of `redraft_gate::inspect`. Opens no files.

use std::path::Path;
use std::sync::Arc;

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::edit::EditError;
use redraft_gate::examine::Settings;
use redraft_gate::finding::Finding;
use redraft_gate::fix::{self, Fixed, Inspected};
use redraft_gate::inspect::{Inspect as _, Reader};
use redraft_gate::policy::Parameters;
use redraft_gate::reading::{self, FormKind, Hint, Raw};
use redraft_gate::source::Source;
use redraft_profiles::registry;
use redraft_run::profile::Profile;
use redraft_text::encoding::Encoding;
use thiserror::Error;

use crate::config::Config;

/// Why a file cannot be examined at all.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unreadable {
    #[error("not a text file; redraft reads Markdown and JSON")]
    Binary,
    #[error(
        "unknown kind of JSON: not a lesson, a set of cards or a question; name its kind with --profile if it is one"
    )]
    UnknownKind,
}

/// Inspects files under the configuration and the options of a command.
#[derive(Debug)]
pub struct Inspector {
    pub config: Config,
    pub companions: Arc<Companions>,
    /// The profile that the user named.
    pub profile: Option<&'static dyn Profile>,
}

/// A file that was inspected.
#[derive(Debug)]
pub struct FileInspection {
    pub profile: &'static dyn Profile,
    pub inspected: Inspected,
    /// Findings that ignore comments silenced, with the reasons.
    pub silenced: Vec<(Finding, String)>,
    /// Inspects other versions of the same file.
    pub reader: Reader,
}

impl FileInspection {
    /// The check parameters that apply to the file.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.reader.settings.parameters
    }

    /// Applies the safe fixes.
    ///
    /// # Errors
    /// When edits do not fit their document, which is an internal error.
    pub fn fix(self) -> Result<Fixed, EditError> {
        fix::fix(self.inspected, |bytes, form| {
            self.reader.inspect_as(bytes, form)
        })
    }
}

impl Inspector {
    /// # Errors
    /// When the file is not text, or JSON of an unknown kind.
    pub fn inspect(&self, path: &Path, bytes: Vec<u8>) -> Result<FileInspection, Unreadable> {
        let (profile, raw) = self.read(path, bytes)?;
        // Every later version is read as what the first one was (ruling 45).
        let hint = decided(path, &raw);
        let reader = Reader {
            hint,
            ..self.reader(path, profile)
        };
        let inspection = reader.inspect_raw(raw);
        Ok(FileInspection {
            profile,
            inspected: inspection.inspected,
            silenced: inspection.silenced,
            reader,
        })
    }

    /// Parses a file without examining it.
    ///
    /// # Errors
    /// When the file is not text, or JSON of an unknown kind.
    pub fn parse(&self, path: &Path, bytes: Vec<u8>) -> Result<Document, Unreadable> {
        let (profile, raw) = self.read(path, bytes)?;
        Ok(self.reader(path, profile).parse(raw))
    }

    /// The profile is the one that the user named, else the one that the
    /// configuration gives for the path, else the one that recognises the content.
    fn read(&self, path: &Path, bytes: Vec<u8>) -> Result<(&'static dyn Profile, Raw), Unreadable> {
        let source = Source::new(bytes);
        if source.encoding() == Encoding::Binary {
            return Err(Unreadable::Binary);
        }
        let raw = reading::read_with(source, hint(path), &registry::shapes());
        let profile = self
            .profile
            .or_else(|| self.config.profile_for(file_of(path)))
            .or_else(|| registry::recognise(&raw))
            .ok_or(Unreadable::UnknownKind)?;
        Ok((profile, raw))
    }

    fn reader(&self, path: &Path, profile: &'static dyn Profile) -> Reader {
        Reader {
            profile,
            settings: Settings {
                known_checks: registry::all_checks(),
                shapes: registry::shapes(),
                ..self.config.settings_for(file_of(path), profile)
            },
            companions: Arc::clone(&self.companions),
            hint: hint(path),
        }
    }
}

/// The file that a path belongs to: `bank.jsonl` for its item `bank.jsonl#item_3`.
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

/// How later versions of a file are read. A file without content decides nothing:
/// what is written into it may be anything.
fn decided(path: &Path, raw: &Raw) -> Hint {
    match raw.kind {
        FormKind::NoJson => hint(path),
        _ if raw.source.text().trim().is_empty() => hint(path),
        kind => Hint::Decided(kind),
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
