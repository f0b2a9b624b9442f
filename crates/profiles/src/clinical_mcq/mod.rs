//! The profile `clinical-mcq`: multiple-choice items with or without a clinical
//! vignette, alone or in banks.

pub mod bank;
pub mod checks;
pub mod model;
pub mod validation;

mod articles;
mod key;
mod parse;
mod protect;
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

/// Clinical multiple-choice items.
#[derive(Clone, Copy, Debug)]
pub struct ClinicalMcq;

impl Profile for ClinicalMcq {
    fn id(&self) -> ProfileId {
        ProfileId("clinical-mcq")
    }

    fn summary(&self) -> &'static str {
        "multiple-choice items with or without a clinical vignette, and banks of them"
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
