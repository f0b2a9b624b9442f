//! Reading and examining bytes again, always in the same way. A run needs it after
//! every change; how a text is read and which checks apply is the business of
//! whoever set the run up.

use std::fmt;
use std::sync::Arc;

use crate::companion::Companions;
use crate::edit::EditError;
use crate::examine::{self, Settings};
use crate::fix::{self, Fixed, Inspected};
use crate::profile::GateProfile;
use crate::reading::{self, Hint};
use crate::source::Source;

/// Somebody who reads a text and examines it.
pub trait Inspect: fmt::Debug + Send + Sync {
    /// The document that these bytes are, and what is found in it.
    fn inspect(&self, bytes: Vec<u8>) -> Inspected;

    /// The same text with its safe fixes applied.
    ///
    /// # Errors
    /// When edits do not fit: a fault of ours.
    fn fix(&self, bytes: Vec<u8>) -> Result<Fixed, EditError> {
        fix::fix(self.inspect(bytes), |bytes| self.inspect(bytes))
    }
}

/// Reads versions of one document as a profile does, under the user's settings.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The kind of content.
    pub profile: &'static dyn GateProfile,
    /// What the user has chosen.
    pub settings: Settings,
    /// What came with the document.
    pub companions: Arc<Companions>,
    /// What its file name says about its form.
    pub hint: Hint,
}

impl Inspect for Reader {
    fn inspect(&self, bytes: Vec<u8>) -> Inspected {
        let raw = reading::read(Source::new(bytes), self.hint);
        let language = self.companions.expected_language().copied();
        let document = self.profile.parse(raw, language);
        let examined = examine::examine(
            self.profile.checks(),
            &document,
            &self.companions,
            &self.settings,
        );
        Inspected {
            document,
            findings: examined.findings,
        }
    }
}
