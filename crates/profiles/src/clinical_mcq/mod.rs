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
use redraft_core::policy::Parameters;
use redraft_core::profile::{Profile, ProfileId};
use redraft_core::reading::Raw;
use redraft_text::language::Language;

use crate::{policy_file, shared};

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
}
