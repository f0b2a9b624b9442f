//! Reading and examining bytes again, always in the same way. A run needs it after
//! every change; how a text is read and which checks apply is the business of
//! whoever set the run up.

use std::fmt;

use crate::edit::EditError;
use crate::fix::{self, Fixed, Inspected};

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
