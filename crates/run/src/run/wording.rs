//! Renders questions as prompts that fit the models that are asked.
//!
//! If a model's context window is known, from the configuration or from a provider's error, a
//! prompt may fill what remains after the longest answer, the schema of the answer and a margin
//! (`Ledger::room`). A question is rendered once, and again only for a model with less room than
//! the prompt needs, so that several judges of one text normally get the same prompt.
//!
//! | role | context window known | unknown |
//! |---|---|---|
//! | judges, self-reviewer | sources get what the document leaves | sources get as much as the document's own length |
//! | all others | sources have a fixed limit, because repairs must stay cheap | the same |

use std::sync::Arc;

use crate::ask::{Budget, ModelSettings, PreparedPrompt, Schema};
use crate::fit::{self, Input, InputCut, TokenLimits};
use crate::ledger::Ledger;
use crate::prompt::{Fitted, Unfit};
use crate::request::{PromptRequest, Task};
use crate::setup::{Seat, Setup};
use redraft_gate::content::Document;

/// Renders a prompt within limits, with the complaint about the previous answer.
pub(super) type Render<'a> =
    Box<dyn Fn(Option<&str>, TokenLimits) -> Result<Fitted, Unfit> + Send + Sync + 'a>;

/// A renderer of a task about a document.
pub(super) fn render<'a>(setup: &'a Setup, document: &'a Document, task: Task<'a>) -> Render<'a> {
    Box::new(move |complaint, room| {
        let request = PromptRequest {
            document,
            companions: &setup.companions,
            rubric: &setup.rubric,
            task,
            feedback_language: setup.feedback_language,
            complaint,
        };
        setup.profile.render_within(&request, room)
    })
}

/// A rendered question.
#[derive(Clone, Debug)]
pub(super) struct Wording {
    pub(super) prepared: PreparedPrompt,
    /// What was left out.
    pub(super) cuts: Vec<InputCut>,
    /// The limits that it was rendered for.
    room: TokenLimits,
}

impl Wording {
    /// What was left out of the document.
    pub(super) fn unread(&self) -> Option<&InputCut> {
        self.cuts.iter().find(|cut| cut.of == Input::Document)
    }

    /// Whether rendering for these limits would give the same prompt.
    fn serves(&self, room: TokenLimits) -> bool {
        let tokens = self.prepared.prompt_tokens;
        let fits = room.prompt.is_none_or(|most| tokens <= most);
        // Sources are part of the prompt, so a limit above its length does not affect them.
        let sources_fit = match (self.room.sources, room.sources) {
            (Some(one), Some(other)) => one <= other || tokens <= other,
            (one, other) => one == other,
        };
        self.room == room || (self.cuts.is_empty() && sources_fit && fits)
    }
}

/// The renderings of one question, shared by all models that are asked it.
#[derive(Clone, Debug)]
pub(super) struct Wordings {
    /// The schema of the answer; `None` for plain text.
    schema: Option<Arc<Schema>>,
    /// More than one only if models have different room.
    written: Vec<Wording>,
}

impl Wordings {
    pub(super) fn new(schema: Option<Arc<Schema>>) -> Self {
        Self {
            schema,
            written: Vec::new(),
        }
    }

    /// The limits of a prompt for a model of this role.
    pub(super) fn room(&self, ledger: &Ledger, seat: &Seat, model: &ModelSettings) -> TokenLimits {
        let form = || self.schema.as_ref().map_or(0, |schema| schema.tokens());
        let prompt = ledger
            .context(model, seat.context(model))
            .map(|context| ledger.room(model, context).saturating_sub(form()));
        let sources = match seat.role.budget() {
            Budget::Judging => prompt,
            Budget::Repair | Budget::Writing => Some(fit::SOURCES),
        };
        TokenLimits { prompt, sources }
    }

    /// Tokens of the longest prompt rendered so far, including the schema of the answer.
    pub(super) fn longest(&self) -> u64 {
        let tokens = self.written.iter().map(|wording| wording.prepared.tokens);
        tokens.max().unwrap_or_default()
    }

    /// The prompt for these limits. A prompt with a complaint is not shared.
    ///
    /// # Errors
    /// If a template cannot be rendered, or the required components do not fit.
    pub(super) fn word(
        &mut self,
        render: &Render<'_>,
        complaint: Option<&str>,
        room: TokenLimits,
    ) -> Result<Wording, Unfit> {
        if complaint.is_none()
            && let Some(known) = self.written.iter().find(|wording| wording.serves(room))
        {
            return Ok(known.clone());
        }
        let Fitted { prompt, cuts } = render(complaint, room)?;
        let wording = Wording {
            prepared: PreparedPrompt::new(Arc::new(prompt), self.schema.clone()),
            cuts,
            room,
        };
        if complaint.is_none() {
            self.written.push(wording.clone());
        }
        Ok(wording)
    }
}
