//! What a profile is asked to put into words, and what comes of it.
//!
//! The words themselves are a profile's. A prompt holds no time, no run id, no
//! accept threshold and no earlier score: the first two would make every prompt
//! new, the others would sway a judge.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::companion::Companions;
use crate::content::Document;
use crate::review::Issue;
use crate::rubric::Rubric;

/// Everything a prompt may speak of.
#[derive(Clone, Copy, Debug)]
pub struct PromptRequest<'a> {
    /// The text in question.
    pub document: &'a Document,
    /// What came with it.
    pub companions: &'a Companions,
    /// What it is judged by.
    pub rubric: &'a Rubric,
    /// What is wanted.
    pub task: Task<'a>,
}

/// What a model is asked to do.
#[derive(Clone, Copy, Debug)]
pub enum Task<'a> {
    /// Judge the whole text by the rubric.
    Judge {
        /// What the free checks flagged for a judge to look at.
        flagged: &'a [Issue],
        /// What was wrong with the form of the last answer, if there was one.
        complaint: Option<&'a str>,
    },
}

/// What is sent to a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// Who it is and what it has to do.
    pub system: String,
    /// The material.
    pub user: String,
}

/// A template that could not be rendered: a fault of ours.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the prompt could not be written: {0}")]
pub struct PromptError(pub String);
