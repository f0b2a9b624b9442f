//! Prompts and their parts, as profiles render them.
//!
//! The wording belongs to the profile. A prompt contains no time, run id, accept threshold or
//! earlier score: the first two would make every prompt new, the others would bias a judge.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fit::{Input, InputCut, TooLong};
use crate::token_estimate::estimated_tokens;

/// Opens the text that a prompt is about. Foreign text cannot contain it, because it is escaped
/// there.
pub const TEXT_TAG: &str = "<redraft:text>";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// The model's role and instructions.
    pub system: String,
    /// The material.
    pub user: String,
}

impl Prompt {
    /// The number of bytes of `user` before the text it is about: specification and sources, which
    /// stay the same for the next version of the text. 0 if there are none or no text is marked.
    #[must_use]
    pub fn before_text(&self) -> usize {
        self.user.find(TEXT_TAG).unwrap_or_default()
    }

    /// Upper estimate of its tokens.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        estimated_tokens(&self.system) + estimated_tokens(&self.user)
    }
}

/// A template could not be rendered. This is an internal error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("internal error; please report it: cannot render the prompt: {0}")]
pub struct PromptError(pub String);

/// A prompt that fits into a model's context window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    pub prompt: Prompt,
    /// What was left out. The prompt says so, too.
    pub cuts: Vec<InputCut>,
}

impl Fitted {
    /// What was left out of the document itself.
    #[must_use]
    pub fn unread(&self) -> Option<&InputCut> {
        self.cuts.iter().find(|cut| cut.of == Input::Document)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unfit {
    #[error(transparent)]
    Fault(#[from] PromptError),
    /// The required components do not fit.
    #[error(transparent)]
    TooLong(#[from] TooLong),
}
