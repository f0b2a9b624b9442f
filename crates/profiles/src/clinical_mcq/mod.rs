//! The profile `clinical-mcq`: multiple-choice items with or without a clinical
//! vignette, alone or in banks.

pub mod bank;
pub mod checks;
pub mod model;
pub mod validation;

mod articles;
mod key;
mod parse;
mod wording;

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
use crate::prompts::{self, Around, Outside, Wording};
use crate::{policy_file, rubric_file, shared};

/// Its words to models.
static WORDING: Wording = Wording::new(
    &[
        ("judge.md", include_str!("prompts/judge.md")),
        ("self_review.md", include_str!("prompts/self_review.md")),
        ("patch.md", include_str!("prompts/patch.md")),
        ("expand.md", include_str!("prompts/expand.md")),
    ],
    Outside::AllFields,
    Around::Item,
);

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

    /// The names of seed 004.
    fn stage_name(&self, stage: &'static str) -> &'static str {
        match stage {
            "check" => "validation-check",
            "judge" => "quality-score",
            "repair" => "self-correction",
            other => other,
        }
    }

    fn render(&self, request: &PromptRequest<'_>) -> Result<Prompt, PromptError> {
        prompts::render(&WORDING, request)
    }

    fn templates(&self) -> String {
        WORDING.sources()
    }
}
