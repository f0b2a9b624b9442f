//! Measures our own share of prompts on the real prompts about a document, so that no estimate
//! rests on a guess about a template. The templates belong to the profile.

use crate::ask::{Schema, Tokens};
use crate::policy::{Delta, EditForm};
use crate::profile::Profile;
use crate::prompt::{Prompt, PromptError};
use crate::request::{DeltaQuestion, PromptRequest, Task};
use crate::route::component_tree::ComponentTree;
use crate::route::estimate::Overheads;
use crate::route::{ContextAnchors, RepairTask};
use crate::rubric::{FixAction, Rubric};
use crate::verdict::IssueSeverity;
use crate::{phrase, self_review, solve, verdict, verify};
use redraft_gate::companion::Companions;
use redraft_gate::content::{Component, Document};

/// Measures the prompts of a profile about a document.
#[derive(Clone, Copy)]
pub struct Measure<'a> {
    pub profile: &'a dyn Profile,
    pub document: &'a Document,
    pub companions: &'a Companions,
    pub rubric: &'a Rubric,
    pub count: &'a dyn Fn(&str) -> u64,
    /// The form of edits, and how they are verified.
    pub asked: (EditForm, Delta),
}

impl std::fmt::Debug for Measure<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Measure")
            .field("profile", &self.profile)
            .finish_non_exhaustive()
    }
}

impl<'a> Measure<'a> {
    /// The overhead of all prompts: everything except the document and the task.
    ///
    /// # Errors
    /// If a template cannot be rendered.
    pub fn all(&self) -> Result<Overheads, PromptError> {
        let document = self.document();
        let schema = self_review::schema();
        let self_review = self.prompt(Task::SelfReview, Some(&schema))?;
        let schema = verdict::schema(self.rubric, self.companions);
        let judge = self.prompt(Task::Judge { flagged: &[] }, Some(&schema))?;
        let solve = match self.profile.blind_question(self.document) {
            Some(question) => {
                let order: Vec<usize> = (0..question.options.len()).collect();
                let task = Task::Solve {
                    question: &question,
                    order: &order,
                };
                self.prompt(task, Some(&solve::schema(order.len())))?
            }
            None => 0,
        };
        let schema = phrase::schema(&[]);
        let arbiter = self.prompt(Task::Phrase { tasks: &[] }, Some(&schema))?;
        Ok(Overheads {
            self_review: self_review.saturating_sub(document),
            judge: judge.saturating_sub(document),
            solve,
            arbiter,
            ..self.repair()?
        })
    }

    /// The overhead of repair prompts, measured on the component of median length.
    ///
    /// # Errors
    /// If a template cannot be rendered.
    pub fn repair(&self) -> Result<Overheads, PromptError> {
        let mut parts = repairable(self.document);
        parts.sort_by_key(|part| part.range.len());
        let Some(part) = parts.get(parts.len() / 2) else {
            return Ok(Overheads::default());
        };
        let own = (self.count)(text_of(self.document, part));
        let task = |action_type| RepairTask {
            section_id: part.id.clone(),
            section_title: part.title.clone().unwrap_or_default(),
            action_type,
            synthesized_instructions: String::new(),
            constraints: Vec::new(),
            context_anchors: ContextAnchors::default(),
            priority: IssueSeverity::Major,
            source_issues: Vec::new(),
            check_after: None,
            estimated_tokens: Tokens::default(),
            finding_words: Vec::new(),
        };
        let (edit_form, delta) = self.asked;
        let (edit, again) = (
            task(FixAction::SurgicalEdit),
            task(FixAction::RegenerateSection),
        );
        let patch = Task::Patch {
            task: &edit,
            terms: &[],
            undone: None,
            whole: edit_form == EditForm::Whole,
        };
        let expand = Task::Expand {
            task: &again,
            terms: &[],
            undone: None,
        };
        let question = match delta {
            Delta::YesNo => DeltaQuestion::YesNo,
            Delta::BothOrders => DeltaQuestion::WhichIsBetter { after_first: false },
        };
        let delta = Task::Verify {
            task: &edit,
            changes: &[],
            question,
        };
        let schema = verify::delta_schema(&edit, question);
        Ok(Overheads {
            patch: self.prompt(patch, None)?.saturating_sub(own),
            expand: self.prompt(expand, None)?.saturating_sub(own),
            delta: self.prompt(delta, Some(&schema))?,
            ..Overheads::default()
        })
    }

    /// Tokens of the whole document.
    #[must_use]
    pub fn document(&self) -> u64 {
        (self.count)(self.document.source().text())
    }

    /// Tokens of each component that can be repaired on its own, in the order of the text.
    #[must_use]
    pub fn parts(&self) -> Vec<u64> {
        repairable(self.document)
            .into_iter()
            .map(|part| (self.count)(text_of(self.document, part)))
            .collect()
    }

    pub(super) fn rendered(&self, task: Task<'_>) -> Result<Prompt, PromptError> {
        self.profile.render(&PromptRequest {
            document: self.document,
            companions: self.companions,
            rubric: self.rubric,
            task,
            feedback_language: None,
            complaint: None,
        })
    }

    fn prompt(&self, task: Task<'_>, schema: Option<&Schema>) -> Result<u64, PromptError> {
        let prompt = self.rendered(task)?;
        let schema = schema.map_or(0, |schema| (self.count)(schema.text()));
        Ok((self.count)(&prompt.system) + (self.count)(&prompt.user) + schema)
    }
}

/// The components that can be repaired on their own; nested ones are left out.
fn repairable(document: &Document) -> Vec<&Component> {
    if document.components().is_empty() {
        return Vec::new();
    }
    let parts = ComponentTree::of(document);
    let mut found = parts.in_frame(0);
    found.sort_unstable();
    found.into_iter().map(|part| parts.get(part)).collect()
}

fn text_of<'a>(document: &'a Document, part: &Component) -> &'a str {
    let text = document.source().text();
    text.get(part.range.clone()).unwrap_or_default()
}
