//! What a kind of content brings to the gate: how to recognise and read it, its
//! checks and the figures of its policy. Prompts, rubrics and decisions are in
//! `redraft_run::profile`, which extends this trait.

use std::fmt;

use redraft_text::json::Json;
use redraft_text::language::Language;

use crate::check::Check;
use crate::companion::Companions;
use crate::content::Document;
use crate::metrics::ProfileFigures;
use crate::policy::Parameters;
use crate::reading::{Raw, Shape};

/// The name of a profile, as the command line spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProfileId(pub &'static str);

impl fmt::Display for ProfileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A kind of content, as far as the free gate needs it.
pub trait GateProfile: fmt::Debug + Sync {
    fn id(&self) -> ProfileId;

    /// One line: what it is for.
    fn summary(&self) -> &'static str;

    /// Whether raw content is of this kind.
    fn recognises(&self, raw: &Raw) -> bool;

    /// What a JSON value of this kind is to an answer, whole or cut off; `None` for
    /// any other value.
    fn shape(&self, value: &Json) -> Option<Shape> {
        let _ = value;
        None
    }

    /// Whether raw content that the user says is of this kind has any of it, however
    /// broken. What has none is not read as something else.
    fn has_content(&self, raw: &Raw) -> bool {
        let _ = raw;
        true
    }

    /// Whether questions of other formats than JSON are content of this kind.
    fn reads_banks(&self) -> bool {
        false
    }

    /// Cuts raw content into a document. Whatever comes in, something comes out;
    /// what is odd about it shows in the findings.
    fn parse(&self, raw: Raw, language: Option<Language>) -> Document;

    /// The same under the user's parameters, where they say how something is read.
    fn parse_with(
        &self,
        raw: Raw,
        language: Option<Language>,
        parameters: &Parameters,
    ) -> Document {
        let _ = parameters;
        self.parse(raw, language)
    }

    /// The checks that apply, by code.
    fn checks(&self) -> &[&'static Check];

    /// The figures of its policy.
    fn parameters(&self) -> &Parameters;

    /// The figures that only this profile can measure. What its checks say about
    /// the same things agrees with them.
    fn figures(&self, document: &Document, companions: &Companions) -> ProfileFigures {
        let _ = companions;
        ProfileFigures::counted(document)
    }
}
