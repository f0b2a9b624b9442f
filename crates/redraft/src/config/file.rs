//! The shape of `redraft.toml`. The doc comments are the reference page.

use std::collections::BTreeMap;

use redraft_gate::finding::Severity;
use schemars::JsonSchema;
use serde::Deserialize;

use super::located::Located;
use super::models::{LimitsSection, ModelSection, ProviderSection, RoleSection};

/// The configuration of redraft, `redraft.toml`. Every key may be left out.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ConfigFile {
    /// Read all content as this kind (`lesson`, `sqa-lesson` or `clinical-mcq`)
    /// instead of detecting it.
    pub profile: Option<Located<String>>,
    /// The language that content is to be in, such as `en` or `ru`.
    pub language: Option<Located<String>>,
    /// Only these checks run: codes, names, prefixes such as `TXT`, or `all`.
    /// Empty means all.
    pub select: Vec<Located<String>>,
    /// These checks do not run.
    pub ignore: Vec<Located<String>>,
    /// A baseline file, relative to this file; what it lists is not reported.
    pub baseline: Option<String>,
    /// Which files of a folder are content.
    pub files: FilesSection,
    /// Severities by check: `broken-link = "info"`.
    pub severity: BTreeMap<String, Located<SeverityName>>,
    /// Figures by check: `[checks.repeated-text] min-words = 20`.
    pub checks: BTreeMap<String, Located<BTreeMap<String, Located<ParameterValue>>>>,
    /// Choices for some paths or components; later ones win.
    #[serde(rename = "override")]
    pub overrides: Vec<OverrideSection>,
    /// Where models are asked: `[providers.my-server] base-url = "…"`.
    pub providers: BTreeMap<String, Located<ProviderSection>>,
    /// Models with their prices: `[models.small] provider = "openai"`.
    pub models: BTreeMap<String, Located<ModelSection>>,
    /// Who is asked for what: a role (`self_reviewer`, `judge_primary`,
    /// `judge_secondary`, `judge_tiebreaker`, `arbiter`, `patcher`,
    /// `section_expander`, `delta_judge`, `planner`, `expander`, `smoother`,
    /// `author`) or a group (`judge`, `refinement`, `writing`, `default`).
    pub roles: BTreeMap<String, Located<RoleSection>>,
    /// What may be spent, and how long is waited.
    pub limits: LimitsSection,
    /// What an institution asks of multiple-choice items.
    pub institution: InstitutionSection,
}

/// What an institution asks of multiple-choice items. A file named with `--policy`
/// or `--rubric` goes before it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "a table: [institution] with `threshold` or `weights` below it"
)]
pub struct InstitutionSection {
    /// The overall score from which on an item passes, between 0 and 1; 0.7 if
    /// nothing is said.
    pub threshold: Option<Located<f64>>,
    /// Weights by criterion: `clinical_accuracy = 0.4`. Those that are not named
    /// keep theirs; all are divided by their sum.
    pub weights: BTreeMap<String, Located<f64>>,
}

/// Which files of a folder are content. A file named on the command line is
/// always read.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "a table: [files] with `include` or `exclude` below it"
)]
pub struct FilesSection {
    /// Only files that match one of these patterns, relative to this file.
    pub include: Option<Vec<Located<String>>>,
    /// Not files that match one of these.
    pub exclude: Vec<Located<String>>,
}

/// Choices for some paths or components.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OverrideSection {
    /// Path patterns, relative to this file; empty means every file.
    pub paths: Vec<Located<String>>,
    /// Component ids, where `*` stands for anything; empty means every component.
    pub components: Vec<String>,
    /// The kind of content.
    pub profile: Option<String>,
    /// Checks that are not reported here.
    pub ignore: Vec<Located<String>>,
    /// Severities here.
    pub severity: BTreeMap<String, Located<SeverityName>>,
}

/// A severity.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SeverityName {
    /// Worth knowing.
    Info,
    /// Somebody should look at it.
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
