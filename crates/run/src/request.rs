//! What a profile is asked to put into words. The words themselves are a
//! profile's. A prompt holds no time, no run id, no accept threshold and no earlier
//! score: the first two would make every prompt new, the others would sway a judge.

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

/// Everything a prompt may speak of.
#[derive(Clone, Copy, Debug)]
pub struct PromptRequest<'a> {
    pub document: &'a Document,
    pub companions: &'a Companions,
    pub rubric: &'a Rubric,
    pub task: Task<'a>,
    /// The language that remarks are written in; by default the text's own.
    pub feedback_language: Option<Language>,
    /// What was wrong with the form of the last answer, if there was one.
    pub complaint: Option<&'a str>,
}

/// What a model is asked to do.
#[derive(Clone, Copy, Debug)]
pub enum Task<'a> {
    /// Review the text before a judge is paid (seed 001). Answer: JSON.
    SelfReview,
    /// Judge the whole text by the rubric. Answer: JSON.
    Judge {
        /// What the free checks and the self-review flagged for a judge to look
        /// at.
        flagged: &'a [Issue],
    },
    /// Answer an item without its key. Answer: JSON.
    Solve {
        question: &'a BlindQuestion,
        /// The options as they are shown, by their indices in the item.
        order: &'a [usize],
    },
    /// Edit passages of one component. Answer: search/replace blocks as plain text.
    Patch {
        task: &'a RepairTask,
        /// Terms that stay as they are.
        terms: &'a [String],
        /// Why an earlier attempt at the same component was rolled back.
        undone: Option<&'a str>,
        /// Whether the whole component is wanted as text, because edits did not fit.
        whole: bool,
    },
    /// Write one component again. Answer: its text.
    Expand {
        task: &'a RepairTask,
        /// Terms that stay as they are.
        terms: &'a [String],
        /// Why an earlier attempt at the same component was rolled back.
        undone: Option<&'a str>,
    },
    /// Say whether a repair did what it was to do. Answer: JSON.
    Verify {
        task: &'a RepairTask,
        /// The passages that changed, with some text around them.
        changes: &'a [Change],
        question: DeltaQuestion,
    },
    /// Say whether a component still fits the one before it, which was written again.
    /// Answer: JSON.
    Consistency {
        /// The component that was written again.
        rewritten: &'a ComponentId,
        /// The component after it.
        next: &'a ComponentId,
    },
    /// Put the merged instructions of repairs into words. Answer: JSON.
    Phrase {
        /// Those with several issues, or a conflict.
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

/// A passage before and after a repair, with some text around it.
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
    /// Which of two texts is better; the repaired one is shown first, or second.
    WhichIsBetter {
        /// Whether the repaired text comes first.
        after_first: bool,
    },
}
