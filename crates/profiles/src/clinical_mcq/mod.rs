//! The profile `clinical-mcq`: multiple-choice items with or without a clinical
//! vignette, alone or in banks.

pub mod bank;
pub mod checks;
pub mod model;
pub mod validation;

mod articles;
mod claims;
mod key;
mod parse;
mod protect;
mod wording;

use std::ops::Range;

use redraft_gate::check::Check;
use redraft_gate::content::Document;
use redraft_gate::finding::Finding;
use redraft_gate::policy::Parameters;
use redraft_gate::profile::{GateProfile, ProfileId};
use redraft_gate::reading::{Raw, Shape};
use redraft_run::fit::TokenLimits;
use redraft_run::policy::{Mode, Policy};
use redraft_run::profile::Profile;
use redraft_run::prompt::{Fitted, Unfit};
use redraft_run::request::PromptRequest;
use redraft_run::rubric::Rubric;
use redraft_text::json::Json;
use redraft_text::language::Language;

use crate::folder::Folder;
use crate::prompts::{self, Around, Outside, Wording};

static WORDING: Wording = Wording::new(
    &[
        ("judge.md", include_str!("prompts/judge.md")),
        ("self_review.md", include_str!("prompts/self_review.md")),
        ("patch.md", include_str!("prompts/patch.md")),
        ("expand.md", include_str!("prompts/expand.md")),
        ("author.md", include_str!("prompts/author.md")),
    ],
    Outside::AllFields,
    Around::Item,
);

static FOLDER: Folder = Folder::new(
    checks::CHECKS,
    include_str!("policy.toml"),
    include_str!("rubric.toml"),
);

#[derive(Clone, Copy, Debug)]
pub struct ClinicalMcq;

impl GateProfile for ClinicalMcq {
    fn id(&self) -> ProfileId {
        ProfileId("clinical-mcq")
    }

    fn summary(&self) -> &'static str {
        "multiple-choice items with or without a clinical vignette, and banks of them"
    }

    fn shape(&self, value: &Json) -> Option<Shape> {
        parse::shape_of(value)
    }

    fn recognises(&self, raw: &Raw) -> bool {
        parse::recognises(raw)
    }

    fn reads_banks(&self) -> bool {
        true
    }

    fn has_content(&self, raw: &Raw) -> bool {
        parse::has_items(raw)
    }

    fn parse(&self, raw: Raw, language: Option<Language>) -> Document {
        parse::parse(raw, language)
    }

    fn checks(&self) -> &[&'static Check] {
        FOLDER.checks()
    }

    fn parameters(&self) -> &Parameters {
        FOLDER.parameters()
    }
}

impl Profile for ClinicalMcq {
    fn decision(&self, mode: Mode) -> &Policy {
        FOLDER.decision(mode)
    }

    fn rubric(&self) -> &Rubric {
        FOLDER.rubric()
    }

    /// A model never decides which option is right.
    fn needs_a_person(&self, finding: &Finding) -> bool {
        matches!(
            finding.check.name,
            "missing-answer-key" | "answer-key-mismatch" | "several-correct"
        )
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

    fn render_within(
        &self,
        request: &PromptRequest<'_>,
        limits: TokenLimits,
    ) -> Result<Fitted, Unfit> {
        prompts::render_within(&WORDING, request, limits)
    }

    fn templates(&self) -> String {
        WORDING.sources()
    }

    fn protected(&self, document: &Document) -> Vec<Range<usize>> {
        protect::protected(document)
    }

    fn sensitive(&self, document: &Document) -> Vec<Range<usize>> {
        protect::sensitive(document)
    }
}
