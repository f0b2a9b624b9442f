//! What a profile contributes to a run: rubric, policy, prompts, and what repairs must not touch.
//! The run knows profiles only through this trait.

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
    /// The policy that decides on judged texts in this mode.
    fn decision(&self, mode: Mode) -> &Policy;

    /// The criteria that its judges score.
    fn rubric(&self) -> &Rubric;

    /// Pairs of texts for testing its judges, in the format of a pairs file. Empty if there are
    /// none.
    fn judge_pairs(&self) -> &'static str {
        ""
    }

    /// Renders the prompt for a task within limits. The text is enclosed in delimiters that are
    /// escaped inside it. Whole components are left out if not everything fits, and the prompt says
    /// so.
    ///
    /// # Errors
    /// If the profile's template cannot be rendered, or the required components do not fit.
    fn render_within(
        &self,
        request: &PromptRequest<'_>,
        limits: TokenLimits,
    ) -> Result<Fitted, Unfit>;

    /// Renders a prompt for a model with an unknown context window: the document is included whole.
    ///
    /// # Errors
    /// If the profile's template cannot be rendered.
    fn render(&self, request: &PromptRequest<'_>) -> Result<Prompt, PromptError> {
        match self.render_within(request, TokenLimits::default()) {
            Ok(fitted) => Ok(fitted.prompt),
            Err(Unfit::Fault(fault)) => Err(fault),
            Err(Unfit::TooLong(too_long)) => Err(PromptError(too_long.to_string())),
        }
    }

    /// The text of all its prompt templates, for a hash that detects changed prompts.
    fn templates(&self) -> String;

    /// Ranges of the source that no repair may change, in the order of the file: which answer is
    /// right, and its marks. If they are untouched, the text in these ranges is the same before and
    /// after a repair.
    fn protected(&self, document: &Document) -> Vec<Range<usize>> {
        let _ = document;
        Vec::new()
    }

    /// Ranges that a repair may change only if an issue quotes them and a delta judge confirms the
    /// change: the words of a right answer, whose meaning must never change silently.
    fn sensitive(&self, document: &Document) -> Vec<Range<usize>> {
        let _ = document;
        Vec::new()
    }

    /// Reasons to reject a repair that only this profile can see, such as a question that now asks
    /// for something else or gives its answer away. `quotes` are the folded words that issues quote
    /// and that may change.
    fn objections(&self, before: &Document, after: &Document, quotes: &[String]) -> Vec<String> {
        let _ = (before, after, quotes);
        Vec::new()
    }

    /// Whether only a reviewer can resolve a finding. No model repairs it, and while it is open no
    /// model is paid for the rest of the text (ruling 19).
    fn needs_a_person(&self, finding: &Finding) -> bool {
        let _ = finding;
        false
    }

    /// The item as a solver sees it, without its key. `None` if the document is not an item or
    /// cannot be answered without the key.
    fn blind_question(&self, document: &Document) -> Option<BlindQuestion> {
        let _ = document;
        None
    }

    /// The lists and values of a component that a repair may change by structured operations
    /// (ruling 59). By default none: only texts are edited.
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

    /// What an issue demands that only a reviewer does: merging, splitting, deleting or adding
    /// components. It is not repaired.
    fn restructuring(&self, document: &Document, issue: &Issue) -> Option<Restructuring> {
        let _ = (document, issue);
        None
    }

    /// How a new document is written.
    fn manner(&self) -> Manner {
        Manner::Whole
    }

    /// Assembles written components into a document, in the form of `like`.
    fn assemble(&self, draft: &Draft, like: &Document) -> String {
        let _ = like;
        write::markdown(draft)
    }

    /// The profile's own name for one of the stages `check`, `judge` and `repair` in events, if it
    /// has one.
    fn stage_name(&self, stage: &'static str) -> &'static str {
        stage
    }
}
