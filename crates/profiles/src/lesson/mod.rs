//! The profile `lesson`: Markdown lessons and the JSON that lesson generators
//! emit.

mod headings;
mod json;
mod markdown;

use redraft_core::check::Check;
use redraft_core::content::Document;
use redraft_core::policy::Parameters;
use redraft_core::profile::{Profile, ProfileId};
use redraft_core::reading::{Form, Raw};
use redraft_text::language::Language;

use crate::shared;

pub(crate) use markdown::parse as parse_markdown;

/// Lessons.
#[derive(Clone, Copy, Debug)]
pub struct Lesson;

impl Profile for Lesson {
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

    fn parse(&self, raw: Raw, language: Option<Language>) -> Document {
        match raw.form {
            Form::Markdown(_) => markdown::parse(raw, language),
            Form::Json(_) | Form::JsonLines(_) => json::parse(&raw, language),
        }
    }

    fn checks(&self) -> &[&'static Check] {
        shared::CHECKS
    }

    fn parameters(&self) -> &Parameters {
        shared::parameters()
    }
}
