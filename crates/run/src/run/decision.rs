//! What a reviewer can decide: about a text that was not accepted, and about components
//! while a run goes on.

use redraft_gate::span::ComponentId;
use serde::{Deserialize, Serialize};

/// What a person has decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Decision {
    /// Publish it.
    Accept {
        /// Who says so.
        by: String,
    },
    /// Do not.
    Reject {
        /// Who says so.
        by: String,
    },
    /// Go on with this text instead.
    Edit {
        /// Who says so.
        by: String,
        /// The whole text.
        content: String,
    },
    /// Try once more, with this instruction.
    Retry {
        /// Who says so.
        by: String,
        /// What to do.
        instruction: String,
    },
    /// Stop the run; legal at any time.
    Stop {
        /// Who says so.
        by: String,
    },
    /// Leave a component as it is; legal at any time.
    Lock {
        /// Who says so.
        by: String,
        /// Which component.
        section: ComponentId,
    },
    /// A component may be repaired again; legal at any time.
    Unlock {
        /// Who says so.
        by: String,
        /// Which component.
        section: ComponentId,
    },
    /// Leave out the repair of a component, this time; legal at any time.
    Skip {
        /// Who says so.
        by: String,
        /// Which component.
        section: ComponentId,
    },
    /// They looked at it and cannot tell.
    Undecided {
        /// Who says so.
        by: String,
    },
    /// Nobody can be asked.
    Absent,
}
