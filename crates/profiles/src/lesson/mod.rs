//! The profile `lesson`: Markdown lessons and the JSON that lesson generators
//! emit.

pub mod checks;

mod extents;
mod headings;
mod json;
mod keywords;
mod markdown;
mod phrases;
mod plan;
mod structure;
mod wording;
mod writing;

use redraft_gate::check::Check;
use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::metrics::ProfileFigures;
use redraft_gate::policy::Parameters;
use redraft_gate::profile::{GateProfile, ProfileId};
use redraft_gate::reading::{Form, Raw, Shape};
use redraft_run::fit::TokenLimits;
use redraft_run::policy::{Mode, Policy};
use redraft_run::profile::Profile;
use redraft_run::prompt::{Fitted, Unfit};
use redraft_run::request::PromptRequest;
use redraft_run::rubric::Rubric;
use redraft_run::write::{Draft, Manner};
use redraft_text::json::Json;
use redraft_text::language::Language;

use crate::folder::Folder;
use crate::prompts::{self, Around, Outside, Wording};

pub(crate) use markdown::parse as parse_markdown;

static WORDING: Wording = Wording::new(
    &[("judge.md", include_str!("prompts/judge.md"))],
    Outside::TextsOnly,
    Around::Anchors,
);

static FOLDER: Folder = Folder::new(
    checks::CHECKS,
    include_str!("policy.toml"),
    include_str!("rubric.toml"),
);

#[derive(Clone, Copy, Debug)]
pub struct Lesson;

impl GateProfile for Lesson {
    fn id(&self) -> ProfileId {
        ProfileId("lesson")
    }

    fn summary(&self) -> &'static str {
        "lessons in Markdown, or in JSON with an introduction, sections, examples and exercises"
    }

    fn recognises(&self, raw: &Raw) -> bool {
        match &raw.form {
            Form::Markdown(_) => true,
            Form::Json(json) => json.root().is_some_and(json::is_lesson),
            Form::JsonLines(_) => false,
        }
    }

    fn shape(&self, value: &Json) -> Option<Shape> {
        let is_lesson = value.root().is_some_and(json::is_lesson);
        is_lesson.then_some(Shape::MayBeShown)
    }

    fn parse(&self, raw: Raw, language: Option<Language>) -> Document {
        match raw.form {
            Form::Markdown(_) => markdown::parse(raw, language),
            Form::Json(_) | Form::JsonLines(_) => json::parse(&raw, language),
        }
    }

    fn checks(&self) -> &[&'static Check] {
        FOLDER.checks()
    }

    fn parameters(&self) -> &Parameters {
        FOLDER.parameters()
    }

    fn figures(&self, document: &Document, companions: &Companions) -> ProfileFigures {
        ProfileFigures {
            missing_sections: structure::missing(document, companions),
            keyword_coverage: keywords::coverage(document, companions)
                .map(|coverage| coverage.share()),
            examples: structure::count_examples(document),
            exercises: structure::count_exercises(document),
        }
    }
}

impl Profile for Lesson {
    fn decision(&self, mode: Mode) -> &Policy {
        FOLDER.decision(mode)
    }

    fn rubric(&self) -> &Rubric {
        FOLDER.rubric()
    }

    fn judge_pairs(&self) -> &'static str {
        include_str!("judge_pairs.jsonl")
    }

    fn manner(&self) -> Manner {
        Manner::Sections
    }

    fn assemble(&self, draft: &Draft, like: &Document) -> String {
        writing::assemble(draft, like)
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
}
