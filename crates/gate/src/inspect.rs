//! The one inspection pipeline: read bytes, parse them as a profile does, run the
//! profile's checks under the user's settings, and set aside what ignore comments
//! silence. `check` uses it for a file, a run for every version of its document.
//!
//! Which profile and which settings apply is decided by the caller.

use std::fmt;
use std::sync::Arc;

use crate::companion::Companions;
use crate::content::Document;
use crate::edit::EditError;
use crate::examine::{self, Settings};
use crate::finding::Finding;
use crate::fix::{self, Fixed, Inspected};
use crate::profile::GateProfile;
use crate::reading::{self, FormKind, Hint, Raw};
use crate::silence::Unheeded;
use crate::source::Source;

/// Inspects any version of one document, always in the same way.
pub trait Inspect: fmt::Debug + Send + Sync {
    fn inspect(&self, bytes: Vec<u8>) -> Inspected;

    /// Inspects a later version of a document whose form was decided before.
    fn inspect_as(&self, bytes: Vec<u8>, form: FormKind) -> Inspected;

    /// Inspects the bytes and applies the safe fixes.
    ///
    /// # Errors
    /// When edits do not fit their document, which is an internal error.
    fn fix(&self, bytes: Vec<u8>) -> Result<Fixed, EditError> {
        fix::fix(self.inspect(bytes), |bytes, form| {
            self.inspect_as(bytes, form)
        })
    }
}

/// The pipeline with everything that it depends on besides the bytes.
#[derive(Clone, Debug)]
pub struct Reader {
    pub profile: &'static dyn GateProfile,
    pub settings: Settings,
    pub companions: Arc<Companions>,
    /// What the file name says about the form of the content.
    pub hint: Hint,
}

/// What the pipeline found in a document.
#[derive(Debug)]
pub struct Inspection {
    pub inspected: Inspected,
    /// Findings that ignore comments silenced, with the reasons.
    pub silenced: Vec<(Finding, String)>,
    /// Findings that the baseline lists.
    pub known: Vec<Finding>,
    /// Ignore comments that do not count.
    pub unheeded: Vec<Unheeded>,
}

impl Reader {
    /// Inspects content that has already been read, for example to recognise its
    /// profile.
    #[must_use]
    pub fn inspect_raw(&self, raw: Raw) -> Inspection {
        let document = self.parse(raw);
        let examined = examine::examine(
            self.profile.checks(),
            &document,
            &self.companions,
            &self.settings,
        );
        Inspection {
            inspected: Inspected {
                document,
                findings: examined.findings,
            },
            silenced: examined.silenced,
            known: examined.known,
            unheeded: examined.unheeded,
        }
    }

    fn read(&self, bytes: Vec<u8>, hint: Hint) -> Raw {
        let read = |bytes| reading::read_with(Source::new(bytes), hint, &self.settings.shapes);
        let Some(map) = &self.settings.field_map else {
            return read(bytes);
        };
        // A version that the map no longer fits has lost its content, which its own reading
        // shows.
        let kept = bytes.clone();
        read(bytes).mapped(map).unwrap_or_else(|_| read(kept))
    }

    /// Parses a later version of a document whose form was decided before, without
    /// examining it.
    #[must_use]
    pub fn parse_version(&self, bytes: Vec<u8>, form: FormKind) -> Document {
        self.parse(self.read(bytes, Hint::Decided(form)))
    }

    /// Parses content without examining it.
    #[must_use]
    pub fn parse(&self, raw: Raw) -> Document {
        let language = self.companions.expected_language().copied();
        self.profile
            .parse_with(raw, language, &self.settings.parameters)
    }
}

impl Inspect for Reader {
    fn inspect(&self, bytes: Vec<u8>) -> Inspected {
        self.inspect_raw(self.read(bytes, self.hint)).inspected
    }

    fn inspect_as(&self, bytes: Vec<u8>, form: FormKind) -> Inspected {
        self.inspect_raw(self.read(bytes, Hint::Decided(form)))
            .inspected
    }
}
