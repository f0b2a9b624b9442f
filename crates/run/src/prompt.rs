//! What a profile is asked to put into words, and what comes of it.
//!
//! The words themselves are a profile's. A prompt holds no time, no run id, no
//! accept threshold and no earlier score: the first two would make every prompt
//! new, the others would sway a judge.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fit::{Input, InputCut, TooLong};
use crate::token_estimate::estimated_tokens;

/// Opens the text that a prompt is about. What others wrote cannot contain it: it is
/// escaped there.
pub const TEXT_TAG: &str = "<redraft:text>";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// Who it is and what it has to do.
    pub system: String,
    /// The material.
    pub user: String,
}

impl Prompt {
    /// How many bytes of `user` come before the text it is about: specification and
    /// sources, which are the same for the next version of the text. 0 if nothing does,
    /// or no text is marked.
    #[must_use]
    pub fn before_text(&self) -> usize {
        self.user.find(TEXT_TAG).unwrap_or_default()
    }

    /// An upper estimate of its tokens.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        estimated_tokens(&self.system) + estimated_tokens(&self.user)
    }
}

/// A template that could not be rendered: an internal error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("internal error; please report it: cannot render the prompt: {0}")]
pub struct PromptError(pub String);

/// A prompt that fits into a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    pub prompt: Prompt,
    /// What had to be left out of them. The words say so, too.
    pub cuts: Vec<InputCut>,
}

impl Fitted {
    /// What was left out of the document itself, if anything was.
    #[must_use]
    pub fn unread(&self) -> Option<&InputCut> {
        self.cuts.iter().find(|cut| cut.of == Input::Document)
    }
}

/// Why there is no prompt.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unfit {
    /// An internal error.
    #[error(transparent)]
    Fault(#[from] PromptError),
    /// What must be there is too long for the model.
    #[error(transparent)]
    TooLong(#[from] TooLong),
}
