//! The shape of `redraft.toml`. The reference page is generated from the doc comments.

use std::collections::BTreeMap;

use redraft_gate::finding::Severity;
use redraft_run::policy::Policy;
use schemars::JsonSchema;
use serde::Deserialize;

use super::located::Located;
use super::models::{LimitsSection, ModelSection, ProviderSection, RoleSection};
use super::service::ServiceSection;
use super::shapes::ShapeSection;

/// The configuration of redraft, `redraft.toml`. Every key is optional.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ConfigFile {
    /// The profile of all content (`lesson`, `sqa-lesson`, `clinical-mcq` or `mcq`) instead of
    /// detecting it.
    pub profile: Option<Located<String>>,
    /// The expected language of the content, such as `en` or `ru`.
    pub language: Option<Located<String>>,
    /// Run only these checks: codes, names, prefixes such as `TXT`, or `all`. Empty
    /// means all.
    pub select: Vec<Located<String>>,
    /// Do not run these checks.
    pub ignore: Vec<Located<String>>,
    /// A baseline file, relative to this file; findings that it lists are not reported.
    pub baseline: Option<String>,
    /// Whether `<!-- redraft-ignore CODE: reason -->` comments in a text silence findings of
    /// `check`. Set it only if you trust the authors of the text: a model that writes a
    /// lesson can write such a comment, too. `prompt-injection` and `active-content` cannot be
    /// silenced by a comment.
    #[serde(rename = "ignore-comments")]
    pub ignore_comments: bool,
    /// Which files in a folder are content.
    pub files: FilesSection,
    /// Severity by check: `broken-link = "info"`.
    pub severity: BTreeMap<String, Located<SeverityName>>,
    /// Parameters by check: `[checks.repeated-text] min-words = 20`.
    pub checks: BTreeMap<String, Located<BTreeMap<String, Located<ParameterValue>>>>,
    /// Settings for some paths or components; later ones win.
    #[serde(rename = "override")]
    pub overrides: Vec<OverrideSection>,
    /// Model servers: `[providers.my-server] base-url = "…"`.
    pub providers: BTreeMap<String, Located<ProviderSection>>,
    /// Models with their prices: `[models.small] provider = "openai"`.
    pub models: BTreeMap<String, Located<ModelSection>>,
    /// The model of each role. A table is named after a role (`self_reviewer`, `judge_primary`,
    /// `judge_secondary`, `judge_tiebreaker`, `solver`, `arbiter`, `patcher`,
    /// `section_expander`, `delta_judge`, `planner`, `expander`, `smoother`,
    /// `author`) or a group (`judge`, `refinement`, `writing`, `default`).
    pub roles: BTreeMap<String, Located<RoleSection>>,
    /// Shapes of your own JSON: `[shapes.ours] items = "data.questions[]"`.
    pub shapes: BTreeMap<String, Located<ShapeSection>>,
    /// Limits on cost, tokens, time and the size of files.
    pub limits: LimitsSection,
    /// An institution's requirements for multiple-choice items.
    pub institution: InstitutionSection,
    /// How items are judged.
    pub judging: JudgingSection,
    /// Settings of `redraft serve` and `redraft worker`.
    pub service: ServiceSection,
}

/// How multiple-choice items are judged. `--policy` overrides it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "a table, for example [judging] with solve = false"
)]
pub struct JudgingSection {
    /// Whether a model answers an item without its key before the item is accepted; `true`
    /// by default. If it names the same other option twice, with the options in different
    /// orders and with high confidence, the item goes to a reviewer. The key is never
    /// changed. The model is that of the role `solver`, or else of a judge.
    pub solve: Option<bool>,
}

impl JudgingSection {
    /// Overrides what the policy says; it says so for items alone.
    pub fn decide(&self, policy: &mut Policy) {
        if let Some(solve) = self.solve {
            policy.solve &= solve;
        }
    }
}

/// An institution's requirements for multiple-choice items. `--policy` and `--rubric`
/// override them.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "a table, for example [institution] with threshold = 0.75"
)]
pub struct InstitutionSection {
    /// The lowest overall score that passes, between 0 and 1; 0.7 by default.
    pub threshold: Option<Located<f64>>,
    /// Weight by criterion: `clinical_accuracy = 0.4`. Other criteria keep their
    /// weights; all are divided by their sum.
    pub weights: BTreeMap<String, Located<f64>>,
}

/// Which files in a folder are content. A file named on the command line is always
/// read.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "a table, for example [files] with exclude = [\"drafts/**\"]"
)]
pub struct FilesSection {
    /// Read only files that match one of these patterns, relative to this file.
    pub include: Option<Vec<Located<String>>>,
    /// Skip files that match one of these patterns.
    pub exclude: Vec<Located<String>>,
}

/// Settings for some paths or components.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OverrideSection {
    /// Path patterns, relative to this file; empty means every file.
    pub paths: Vec<Located<String>>,
    /// Component ids, where `*` matches any text; empty means every component.
    pub components: Vec<String>,
    /// The profile of these files.
    pub profile: Option<String>,
    /// Do not report these checks here.
    pub ignore: Vec<Located<String>>,
    /// Severity by check here.
    pub severity: BTreeMap<String, Located<SeverityName>>,
}

/// A severity.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SeverityName {
    /// Nice to know.
    Info,
    /// Should be reviewed.
    Warning,
    /// Must not be published.
    Error,
}

impl From<SeverityName> for Severity {
    fn from(name: SeverityName) -> Self {
        match name {
            SeverityName::Info => Self::Info,
            SeverityName::Warning => Self::Warning,
            SeverityName::Error => Self::Error,
        }
    }
}

/// The value of a check's parameter.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(untagged, expecting = "a number without quotes or a list of texts")]
pub enum ParameterValue {
    /// A threshold or a count.
    Number(f64),
    /// A list of words or phrases.
    Texts(Vec<String>),
}
