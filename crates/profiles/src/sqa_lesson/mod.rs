//! The profile `sqa-lesson`: Scottish lesson templates, which are sets of cards,
//! each with a check for understanding.

pub mod checks;

mod arithmetic;
mod caps;
mod card_texts;
mod codes;
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
mod restructuring;
mod roles;
mod scheme;
mod structure;
#[cfg(test)]
mod testing;
mod themes;
mod wording;

use std::ops::Range;

use redraft_gate::check::Check;
use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::finding::Finding;
use redraft_gate::policy::Parameters;
use redraft_gate::profile::{GateProfile, ProfileId};
use redraft_gate::reading::{Raw, Shape};
use redraft_gate::span::ComponentId;
use redraft_run::fit::TokenLimits;
use redraft_run::policy::{Mode, Policy};
use redraft_run::profile::Profile;
use redraft_run::prompt::{Fitted, Unfit};
use redraft_run::request::PromptRequest;
use redraft_run::restructure::{FindingRoute, Restructuring};
use redraft_run::rubric::Rubric;
use redraft_run::structure::Slot;
use redraft_run::verdict::Issue;
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
    Around::Meta,
)
.with_slots(structure::slots);

static FOLDER: Folder = Folder::new(
    checks::CHECKS,
    include_str!("policy.toml"),
    include_str!("rubric.toml"),
);

#[derive(Clone, Copy, Debug)]
pub struct SqaLesson;

impl GateProfile for SqaLesson {
    fn id(&self) -> ProfileId {
        ProfileId("sqa-lesson")
    }

    fn summary(&self) -> &'static str {
        "Scottish lesson templates: cards with checks for understanding"
    }

    fn shape(&self, value: &Json) -> Option<Shape> {
        parse::is_template(value).then_some(Shape::Alone)
    }

    fn recognises(&self, raw: &Raw) -> bool {
        parse::recognises(raw)
    }

    fn has_content(&self, raw: &Raw) -> bool {
        parse::has_cards(raw)
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

impl Profile for SqaLesson {
    fn decision(&self, mode: Mode) -> &Policy {
        FOLDER.decision(mode)
    }

    fn rubric(&self) -> &Rubric {
        FOLDER.rubric()
    }

    fn judge_pairs(&self) -> &'static str {
        include_str!("judge_pairs.jsonl")
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

    fn needs_a_person(&self, finding: &Finding) -> bool {
        // Nobody judges or repairs a lesson by another one's plan (ruling 62).
        finding.check.name == "no-scheme-entry"
    }

    fn slots(
        &self,
        document: &Document,
        component: &ComponentId,
        companions: &Companions,
    ) -> Vec<Slot> {
        structure::slots(document, component, companions)
    }

    fn finding_route(&self, document: &Document, finding: &Finding) -> FindingRoute {
        restructuring::route(document, finding)
    }

    fn restructuring(&self, document: &Document, issue: &Issue) -> Option<Restructuring> {
        restructuring::asked_for(document, issue)
    }
}
