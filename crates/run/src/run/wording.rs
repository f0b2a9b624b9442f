//! Questions in words that fit those who are asked.
//!
//! How much a prompt may hold follows from how much the model takes in one call,
//! where that is known, from the configuration or from a provider that was asked too
//! much: without the longest answer, without the form of the answer,
//! and without a margin (`Ledger::room`). A question is put into words once, and
//! once more only for a model that has less room than the words need: several
//! judges of one text are asked the same.
//!
//! | who is asked | how much a call takes is known | it is not |
//! |---|---|---|
//! | judges, self-reviewer | sources have what the document leaves | as much as the document is long |
//! | all others | sources have a bound: a repair has to stay cheap | the same |

use std::sync::Arc;

use crate::ask::{Budget, ModelSettings, PreparedPrompt, Schema};
use crate::fit::{self, Input, InputCut, TokenLimits};
use crate::ledger::Ledger;
use crate::prompt::{Fitted, Unfit};
use crate::request::{PromptRequest, Task};
use crate::setup::{Seat, Setup};
use redraft_gate::content::Document;

/// Writes a prompt for a room, with what was wrong with the last answer.
pub(super) type Render<'a> =
    Box<dyn Fn(Option<&str>, TokenLimits) -> Result<Fitted, Unfit> + Send + Sync + 'a>;

/// Puts a task about a document into words.
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

/// A question in words.
#[derive(Clone, Debug)]
pub(super) struct Wording {
    pub(super) prepared: PreparedPrompt,
    /// What was left out of them.
    pub(super) cuts: Vec<InputCut>,
    /// The room they were written for.
    room: TokenLimits,
}

impl Wording {
    /// What was left out of the document, if anything was.
    pub(super) fn unread(&self) -> Option<&InputCut> {
        self.cuts.iter().find(|cut| cut.of == Input::Document)
    }

    /// Whether the same would be written for this room.
    fn serves(&self, room: TokenLimits) -> bool {
        let tokens = self.prepared.prompt_tokens;
        let fits = room.prompt.is_none_or(|most| tokens <= most);
        // Sources take no more than the prompt that they stand in.
        let sources_fit = match (self.room.sources, room.sources) {
            (Some(one), Some(other)) => one <= other || tokens <= other,
            (one, other) => one == other,
        };
        self.room == room || (self.cuts.is_empty() && sources_fit && fits)
    }
}

/// The words of one question, for all who are asked it.
#[derive(Clone, Debug)]
pub(super) struct Wordings {
    /// What the answer has to look like, where it is JSON.
    schema: Option<Arc<Schema>>,
    /// Different only where models have different room.
    written: Vec<Wording>,
}

impl Wordings {
    /// Nothing is put into words yet.
    pub(super) fn new(schema: Option<Arc<Schema>>) -> Self {
        Self {
            schema,
            written: Vec::new(),
        }
    }

    /// What a prompt has room for in a model on a seat.
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

    /// The tokens of the longest words that were written so far, with the form of the
    /// answer.
    pub(super) fn longest(&self) -> u64 {
        let tokens = self.written.iter().map(|wording| wording.prepared.tokens);
        tokens.max().unwrap_or_default()
    }

    /// The words for this room. A complaint goes into words of its own.
    ///
    /// # Errors
    /// When there is a fault in a template, or what must be there does not fit.
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
