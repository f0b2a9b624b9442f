//! What a kind of content brings: how to recognise and read it, its checks and
//! the figures of its policy. The engine knows profiles only through this trait.

use std::fmt;
use std::ops::Range;

use redraft_text::language::Language;

use crate::check::Check;
use crate::companion::Companions;
use crate::content::Document;
use crate::decide::{Mode, Policy};
use crate::finding::Finding;
use crate::fit::Room;
use crate::metrics::ProfileFigures;
use crate::policy::Parameters;
use crate::prompt::{Fitted, Prompt, PromptError, PromptRequest, Unfit};
use crate::reading::Raw;
use crate::rubric::Rubric;
use crate::write::{self, Draft, Manner};

/// The name of a profile, as the command line spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProfileId(pub &'static str);

impl fmt::Display for ProfileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A kind of content.
pub trait Profile: fmt::Debug + Sync {
    /// Its name.
    fn id(&self) -> ProfileId;

    /// One line: what it is for.
    fn summary(&self) -> &'static str;

    /// Whether raw content is of this kind.
    fn recognises(&self, raw: &Raw) -> bool;

    /// Cuts raw content into a document. Whatever comes in, something comes out;
    /// what is odd about it shows in the findings.
    fn parse(&self, raw: Raw, language: Option<Language>) -> Document;

    /// The checks that apply, by code.
    fn checks(&self) -> &[&'static Check];

    /// The figures of its policy.
    fn parameters(&self) -> &Parameters;

    /// How a judged text is decided on, by mode.
    fn decision(&self, mode: Mode) -> &Policy;

    /// What its judges are asked.
    fn rubric(&self) -> &Rubric;

    /// Puts a task into words that fit. The text is delimited data in them, its
    /// own delimiters escaped; what does not fit is left out by whole parts, and
    /// the words say so.
    ///
    /// # Errors
    /// When the profile's template cannot be rendered, or what must be there does
    /// not fit.
    fn render_within(&self, request: &PromptRequest<'_>, room: Room) -> Result<Fitted, Unfit>;

    /// The same for a model of which nobody knows how much it can read: the
    /// document goes whole.
    ///
    /// # Errors
    /// When the profile's template cannot be rendered.
    fn render(&self, request: &PromptRequest<'_>) -> Result<Prompt, PromptError> {
        match self.render_within(request, Room::default()) {
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

    /// Whether a finding is for a person alone: no model is asked to mend it, and
    /// nobody is paid for the rest of the text while it is open (ruling 19).
    fn needs_a_person(&self, finding: &Finding) -> bool {
        let _ = finding;
        false
    }

    /// How it is written from nothing.
    fn manner(&self) -> Manner {
        Manner::Whole
    }

    /// Puts written parts together, in the form of an earlier version where there
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

    /// The figures that only this profile can measure. What its checks say about
    /// the same things agrees with them.
    fn figures(&self, document: &Document, companions: &Companions) -> ProfileFigures {
        let _ = companions;
        ProfileFigures::counted(document)
    }
}
