//! A reviewer's decisions: about a text that was not accepted, and about components during a run.

use redraft_gate::span::ComponentId;
use serde::{Deserialize, Serialize};

/// A reviewer's decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Decision {
    /// Publish the text.
    Accept { by: String },
    /// Do not publish it.
    Reject { by: String },
    /// Continue with this text instead.
    Edit {
        by: String,
        /// The whole text.
        content: String,
    },
    /// Make another attempt with this instruction.
    Retry { by: String, instruction: String },
    /// Stop the run. Allowed at any time.
    Stop { by: String },
    /// Do not change this component. Allowed at any time.
    Lock { by: String, section: ComponentId },
    /// Allow repairs of this component again. Allowed at any time.
    Unlock { by: String, section: ComponentId },
    /// Skip the repair of this component once. Allowed at any time.
    Skip { by: String, section: ComponentId },
    /// The reviewer looked at the text and cannot decide.
    Undecided { by: String },
    /// No reviewer is available.
    Absent,
}
