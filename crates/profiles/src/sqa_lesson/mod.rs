//! The profile `sqa-lesson`: Scottish lesson templates, a set of cards each with
//! a check for understanding.

pub mod checks;

mod arithmetic;
mod caps;
mod card_texts;
mod codes;
mod dollars;
mod easy_words;
mod marking;
mod model;
mod money;
mod parse;
mod phrases;
mod plain_language;
mod protect;
#[cfg(test)]
mod reference_data;
mod roles;
mod scheme;
#[cfg(test)]
mod testing;
mod themes;
mod wording;

use std::ops::Range;
use std::sync::OnceLock;

use redraft_core::check::Check;
use redraft_core::content::Document;
use redraft_core::decide::{Mode, Policy};
use redraft_core::policy::Parameters;
use redraft_core::profile::{Profile, ProfileId};
use redraft_core::prompt::{Prompt, PromptError, PromptRequest};
use redraft_core::reading::Raw;
use redraft_core::rubric::Rubric;
use redraft_text::language::Language;

use crate::policy_file::Decisions;
use crate::prompts::{self, Outside, Wording};
use crate::{policy_file, rubric_file, shared};

/// Its words to judges.
const WORDING: Wording = Wording {
    judge: include_str!("prompts/judge.md"),
    outside: Outside::AllFields,
};

/// Scottish lesson cards.
#[derive(Clone, Copy, Debug)]
pub struct SqaLesson;

impl Profile for SqaLesson {
    fn id(&self) -> ProfileId {
        ProfileId("sqa-lesson")
    }

    fn summary(&self) -> &'static str {
        "Scottish lesson templates: cards with checks for understanding"
    }

    fn recognises(&self, raw: &Raw) -> bool {
        parse::recognises(raw)
    }

    fn parse(&self, raw: Raw, language: Option<Language>) -> Document {
        parse::parse(raw, language)
    }

    fn checks(&self) -> &[&'static Check] {
        static CHECKS: OnceLock<Vec<&'static Check>> = OnceLock::new();
        CHECKS.get_or_init(|| shared::with(checks::CHECKS))
    }

    fn parameters(&self) -> &Parameters {
        static PARAMETERS: OnceLock<Parameters> = OnceLock::new();
        PARAMETERS.get_or_init(|| policy_file::over_shared(include_str!("policy.toml")))
    }

    fn decision(&self, mode: Mode) -> &Policy {
        static DECISIONS: OnceLock<Decisions> = OnceLock::new();
        DECISIONS
            .get_or_init(|| Decisions::of_program(include_str!("policy.toml")))
            .of(mode)
    }

    fn rubric(&self) -> &Rubric {
        static RUBRIC: OnceLock<Rubric> = OnceLock::new();
        RUBRIC.get_or_init(|| rubric_file::built_in(include_str!("rubric.toml")))
    }

    fn render(&self, request: &PromptRequest<'_>) -> Result<Prompt, PromptError> {
        prompts::render(WORDING, request)
    }

    fn templates(&self) -> String {
        prompts::sources(WORDING)
    }

    fn protected(&self, document: &Document) -> Vec<Range<usize>> {
        protect::protected(document)
    }

    fn sensitive(&self, document: &Document) -> Vec<Range<usize>> {
        protect::sensitive(document)
    }
}
