//! What a kind of content brings to a run: rubric, policy, prompts, and what no
//! repair may touch. The engine knows profiles only through this trait.

use std::ops::Range;

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::finding::Finding;
use redraft_gate::profile::GateProfile;
use redraft_gate::span::ComponentId;

use crate::fit::TokenLimits;
use crate::policy::{Mode, Policy};
use crate::prompt::{Fitted, Prompt, PromptError, Unfit};
use crate::request::PromptRequest;
use crate::restructure::{FindingRoute, Restructuring};
use crate::rubric::Rubric;
use crate::solve::BlindQuestion;
use crate::structure::Slot;
use crate::verdict::Issue;
use crate::write::{self, Draft, Manner};

pub trait Profile: GateProfile {
    /// How a judged text is decided on, by mode.
    fn decision(&self, mode: Mode) -> &Policy;

    /// What its judges are asked.
    fn rubric(&self) -> &Rubric;

    /// The pairs of texts that test its judges, as a file of them has them; none if empty.
    fn judge_pairs(&self) -> &'static str {
        ""
    }

    /// Puts a task into words that fit. The text is delimited data in them, its
    /// own delimiters escaped; what does not fit is left out by whole components, and
    /// the words say so.
    ///
    /// # Errors
    /// When the profile's template cannot be rendered, or what must be there does
    /// not fit.
    fn render_within(
        &self,
        request: &PromptRequest<'_>,
        limits: TokenLimits,
    ) -> Result<Fitted, Unfit>;

    /// The same for a model of unknown context window: the
    /// document goes whole.
    ///
    /// # Errors
    /// When the profile's template cannot be rendered.
    fn render(&self, request: &PromptRequest<'_>) -> Result<Prompt, PromptError> {
        match self.render_within(request, TokenLimits::default()) {
            Ok(fitted) => Ok(fitted.prompt),
            Err(Unfit::Fault(fault)) => Err(fault),
            Err(Unfit::TooLong(too_long)) => Err(PromptError(too_long.to_string())),
        }
    }

    /// The text of its prompt templates, for a hash that tells whether prompts are
    /// still the same.
    fn templates(&self) -> String;

    /// Ranges of the source's text that no repair may change: which answer is
    /// right, and what it earns. In the order of the file; as long as nothing of
    /// it is changed, the texts in these ranges are the same before and after any
    /// repair.
    fn protected(&self, document: &Document) -> Vec<Range<usize>> {
        let _ = document;
        Vec::new()
    }

    /// Ranges that a repair may change only where an issue quotes them, and a
    /// delta judge confirms it: the words of a right answer, whose meaning never
    /// changes silently.
    fn sensitive(&self, document: &Document) -> Vec<Range<usize>> {
        let _ = document;
        Vec::new()
    }

    /// Why a repair is not to be kept, by what only this kind of content knows: that it
    /// asks for something else, or gives the answer away. `quotes` are the words that issues
    /// quote and that may change, folded.
    fn objections(&self, before: &Document, after: &Document, quotes: &[String]) -> Vec<String> {
        let _ = (before, after, quotes);
        Vec::new()
    }

    /// Whether a finding is for a person alone: no model is asked to repair it, and
    /// no model is paid for the rest of the text while it is open (ruling 19).
    fn needs_a_person(&self, finding: &Finding) -> bool {
        let _ = finding;
        false
    }

    /// The item as somebody who does not know its key would answer it; `None` where it
    /// cannot be answered so, or is no item.
    fn blind_question(&self, document: &Document) -> Option<BlindQuestion> {
        let _ = document;
        None
    }

    /// The lists and values of a component that a repair may change by structured
    /// operations (ruling 59). None by default: only texts are edited.
    fn slots(
        &self,
        document: &Document,
        component: &ComponentId,
        companions: &Companions,
    ) -> Vec<Slot> {
        let _ = (document, component, companions);
        Vec::new()
    }

    /// Where a finding of the free checks is repaired.
    fn finding_route(&self, document: &Document, finding: &Finding) -> FindingRoute {
        let _ = (document, finding);
        FindingRoute::Own
    }

    /// What an issue asks for that only a person does: components merged, split, deleted
    /// or added. No repair is asked for it.
    fn restructuring(&self, document: &Document, issue: &Issue) -> Option<Restructuring> {
        let _ = (document, issue);
        None
    }

    /// How it is written from nothing.
    fn manner(&self) -> Manner {
        Manner::Whole
    }

    /// Puts written components together, in the form of an earlier version where there
    /// was one.
    fn assemble(&self, draft: &Draft, like: &Document) -> String {
        let _ = like;
        write::markdown(draft)
    }

    /// What it calls a stage in events, where it has a name of its own for it:
    /// `check`, `judge` and `repair`.
    fn stage_name(&self, stage: &'static str) -> &'static str {
        stage
    }
}
