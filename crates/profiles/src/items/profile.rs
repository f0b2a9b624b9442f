//! A profile of items: the same in everything but its name, prompts, rubric, a few lines
//! of its policy, and which items it is recognised by.

use std::ops::Range;

use redraft_gate::check::Check;
use redraft_gate::content::Document;
use redraft_gate::finding::Finding;
use redraft_gate::policy::{Parameters, Value};
use redraft_gate::profile::{GateProfile, ProfileId};
use redraft_gate::reading::{Raw, Shape};
use redraft_run::fit::TokenLimits;
use redraft_run::policy::{Mode, Policy};
use redraft_run::profile::Profile;
use redraft_run::prompt::{Fitted, Unfit};
use redraft_run::request::PromptRequest;
use redraft_run::rubric::Rubric;
use redraft_run::solve::BlindQuestion;
use redraft_text::json::Json;
use redraft_text::language::Language;

use super::counting::Base;
use super::{blind, guard, parse, protect, recognise};
use crate::folder::Folder;
use crate::prompts::{self, Wording};

#[derive(Debug)]
pub struct ItemProfile {
    pub(crate) id: ProfileId,
    pub(crate) summary: &'static str,
    pub(crate) subject: Subject,
    pub(crate) wording: Wording,
    pub(crate) folder: Folder,
    /// The text of its `judge_pairs.jsonl`.
    pub(crate) judge_pairs: &'static str,
}

/// Which items a profile is recognised by, unless the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Items that say so: by a vignette, or a field that only clinical items have.
    Medicine,
    Any,
}

impl GateProfile for ItemProfile {
    fn id(&self) -> ProfileId {
        self.id
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn shape(&self, value: &Json) -> Option<Shape> {
        recognise::shape_of(value)
    }

    fn recognises(&self, raw: &Raw) -> bool {
        let is_its = match self.subject {
            Subject::Medicine => recognise::is_clinical(raw),
            Subject::Any => true,
        };
        is_its && recognise::recognises(raw)
    }

    fn reads_banks(&self) -> bool {
        true
    }

    fn has_content(&self, raw: &Raw) -> bool {
        recognise::has_items(raw)
    }

    fn parse(&self, raw: Raw, language: Option<Language>) -> Document {
        self.parse_with(raw, language, self.parameters())
    }

    fn parse_with(
        &self,
        raw: Raw,
        language: Option<Language>,
        parameters: &Parameters,
    ) -> Document {
        let base = match parameters.get("ambiguous-answer-index", "index-base") {
            Some(Value::Number(number)) => Base::of(*number),
            _ => None,
        };
        parse::parse(raw, language, base)
    }

    fn checks(&self) -> &[&'static Check] {
        self.folder.checks()
    }

    fn parameters(&self) -> &Parameters {
        self.folder.parameters()
    }
}

impl Profile for ItemProfile {
    fn decision(&self, mode: Mode) -> &Policy {
        self.folder.decision(mode)
    }

    fn rubric(&self) -> &Rubric {
        self.folder.rubric()
    }

    fn judge_pairs(&self) -> &'static str {
        self.judge_pairs
    }

    /// A model never decides which option is right.
    fn needs_a_person(&self, finding: &Finding) -> bool {
        matches!(
            finding.check.name,
            "missing-answer-key"
                | "answer-key-mismatch"
                | "several-correct"
                | "ambiguous-answer-index"
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
        prompts::render_within(&self.wording, request, limits)
    }

    fn objections(&self, before: &Document, after: &Document, quotes: &[String]) -> Vec<String> {
        guard::objections(before, after, quotes, self.parameters())
    }

    fn blind_question(&self, document: &Document) -> Option<BlindQuestion> {
        blind::question(document)
    }

    fn templates(&self) -> String {
        self.wording.sources()
    }

    fn protected(&self, document: &Document) -> Vec<Range<usize>> {
        protect::protected(document)
    }

    fn sensitive(&self, document: &Document) -> Vec<Range<usize>> {
        protect::sensitive(document)
    }
}
