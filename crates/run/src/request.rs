//! The tasks that a profile renders as prompts. The wording belongs to the profile. A prompt
//! contains no time, run id, accept threshold or earlier score: the first two would make every
//! prompt new, the others would bias a judge.

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::review::Issue;
use redraft_gate::span::ComponentId;
use redraft_text::language::Language;
use serde::Serialize;

use crate::route::RepairTask;
use crate::rubric::Rubric;
use crate::solve::BlindQuestion;
use crate::write::{Join, Plan};

/// Everything that a prompt may refer to.
#[derive(Clone, Copy, Debug)]
pub struct PromptRequest<'a> {
    pub document: &'a Document,
    pub companions: &'a Companions,
    pub rubric: &'a Rubric,
    pub task: Task<'a>,
    /// The language of comments; by default the language of the text.
    pub feedback_language: Option<Language>,
    /// What was wrong with the form of the previous answer.
    pub complaint: Option<&'a str>,
}

/// What a model is asked to do.
#[derive(Clone, Copy, Debug)]
pub enum Task<'a> {
    /// Review the text before a judge is paid (seed 001). Answer: JSON.
    SelfReview,
    /// Judge the whole text by the rubric. Answer: JSON.
    Judge {
        /// Issues that the free checks and the self-review flagged for the judge.
        flagged: &'a [Issue],
    },
    /// Answer an item without its key. Answer: JSON.
    Solve {
        question: &'a BlindQuestion,
        /// The options in the order in which they are shown, by index in the item.
        order: &'a [usize],
    },
    /// Edit passages of one component. Answer: search/replace blocks as plain text.
    Patch {
        task: &'a RepairTask,
        /// Terms that must not be changed.
        terms: &'a [String],
        /// Why an earlier attempt at the same component was rolled back.
        undone: Option<&'a str>,
        /// Whether the whole component is requested as text, because edits did not fit.
        whole: bool,
    },
    /// Rewrite one component. Answer: its text.
    Expand {
        task: &'a RepairTask,
        /// Terms that must not be changed.
        terms: &'a [String],
        /// Why an earlier attempt at the same component was rolled back.
        undone: Option<&'a str>,
    },
    /// Verify a repair. Answer: JSON.
    Verify {
        task: &'a RepairTask,
        /// The changed passages with some context.
        changes: &'a [Change],
        question: DeltaQuestion,
    },
    /// Check whether a component still fits the one before it, which was rewritten. Answer: JSON.
    Consistency {
        /// The rewritten component.
        rewritten: &'a ComponentId,
        /// The component after it.
        next: &'a ComponentId,
    },
    /// Reword the merged instructions of repairs. Answer: JSON.
    Phrase {
        /// The tasks with several issues or a conflict.
        tasks: &'a [&'a RepairTask],
    },
    /// Plan a lesson, section by section. Answer: JSON.
    Plan {
        /// What was wrong with an earlier version, one line each.
        complaints: &'a [String],
    },
    /// Write one section of a plan. Answer: its text.
    WriteSection {
        plan: &'a Plan,
        /// Its index in the plan.
        section: usize,
        /// What was wrong with an earlier version, one line each.
        complaints: &'a [String],
    },
    /// Smooth the joins between sections. Answer: search/replace blocks as plain
    /// text.
    Smooth { joins: &'a [Join] },
    /// Write a set of cards or an item. Answer: JSON in the profile's shape.
    Author {
        /// What was wrong with an earlier version, one line each.
        complaints: &'a [String],
    },
}

/// A passage before and after a repair, with some context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    pub before: String,
    pub after: String,
}

/// How the delta judge is asked (ruling 32).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeltaQuestion {
    /// One yes or no with a reason for every issue and every constraint.
    YesNo,
    /// Which of two texts is better. The repaired one is shown first if `after_first` is set.
    WhichIsBetter { after_first: bool },
}
