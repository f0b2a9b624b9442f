//! The models that are assigned to a role, and where each of their settings comes
//! from.

use std::fmt;

use redraft_run::policy::EditForm;
use redraft_run::setup::Seat;

use super::family::Family;

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This line of the file.
    File(usize),
    /// This environment variable.
    Variable(String),
    /// The Ollama server that answered at this address.
    Answer(String),
    Default,
}

impl Origin {
    pub(super) fn line(&self) -> Option<usize> {
        match self {
            Self::File(line) => Some(*line),
            _ => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(line) => write!(f, "line {line}"),
            Self::Variable(name) => f.write_str(name),
            Self::Answer(host) => write!(f, "Ollama at {host}"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// The models of a role: one that is asked, and its fallbacks.
#[derive(Clone, Debug)]
pub struct AssignedModels {
    /// What a run needs to know about the role.
    pub seat: Seat,
    /// One for each model of the seat, in the same order.
    pub info: Vec<ModelInfo>,
    pub origins: Origins,
    /// Whether the file names the model for this role or its group.
    pub is_named: bool,
    /// Whether it names the model in a table of this very role.
    pub has_own_table: bool,
}

/// What is known about a model in addition to its call settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelInfo {
    pub family: Option<Family>,
    /// Where its price comes from; `None` if it has no price.
    pub price: Option<Origin>,
    /// Its context window in tokens.
    pub context: Option<u64>,
    /// The form in which it is best asked for edits (ruling 72).
    pub edit_form: EditForm,
}

/// Where the settings of a role come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins {
    pub provider: Origin,
    pub model: Origin,
    pub temperature: Origin,
    pub max_tokens: Origin,
    pub weight: Origin,
}

impl Origins {
    /// The line of the file that names the model, else the provider.
    pub(super) fn line(&self) -> Option<usize> {
        self.model.line().or_else(|| self.provider.line())
    }

    /// The line of the file that names the provider, else the model.
    pub(super) fn provider_line(&self) -> Option<usize> {
        self.provider.line().or_else(|| self.model.line())
    }
}
