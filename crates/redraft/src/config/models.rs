//! The part of `redraft.toml` that says which models are asked: providers,
//! models, roles, limits. The doc comments are the reference page.

use std::collections::BTreeMap;

use redraft_engine::model::connection::{Api, Structured};
use schemars::JsonSchema;
use serde::Deserialize;

use super::located::Located;

/// Where models are asked.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table: [providers.house] with `base-url` below it"
)]
pub struct ProviderSection {
    /// The protocol it speaks: `openai` (and everybody who copied it; the
    /// default), `anthropic` or `gemini`.
    pub api: Option<ApiName>,
    /// Its address without the path of a call, such as
    /// `http://localhost:8000/v1`. Known for `openai`, `anthropic`, `gemini`,
    /// `openrouter` and `ollama`.
    pub base_url: Option<Located<String>>,
    /// The environment variable that holds its key. The key itself never stands
    /// in this file.
    pub key_env: Option<Located<String>>,
    /// A file that holds its key and nothing else, relative to this file.
    pub key_file: Option<Located<String>>,
    /// How many calls may be out at once; 4 if nothing is said.
    pub in_flight: Option<Located<usize>>,
    /// How it is told what an answer has to look like: `native`, with a schema in
    /// the protocol (the default), or `prompt`, in words.
    pub structured: Option<StructuredName>,
}

/// A protocol.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum ApiName {
    /// Chat completions.
    OpenAi,
    /// Messages of Anthropic.
    Anthropic,
    /// `generateContent` of Gemini.
    Gemini,
}

impl From<ApiName> for Api {
    fn from(name: ApiName) -> Self {
        match name {
            ApiName::OpenAi => Self::OpenAi,
            ApiName::Anthropic => Self::Anthropic,
            ApiName::Gemini => Self::Gemini,
        }
    }
}

/// How a provider is told what an answer has to look like.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum StructuredName {
    /// With the schema, in the protocol.
    Native,
    /// In the prompt alone.
    Prompt,
}

impl From<StructuredName> for Structured {
    fn from(name: StructuredName) -> Self {
        match name {
            StructuredName::Native => Self::Native,
            StructuredName::Prompt => Self::Prompt,
        }
    }
}

/// A model, named once and used by several roles. Its figures also hold for
/// roles that name its provider and model themselves.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table: [models.cheap] with `provider` and `model` below it"
)]
pub struct ModelSection {
    /// Who runs it.
    pub provider: Option<Located<String>>,
    /// Its name there; the name of this table if nothing is said.
    pub model: Option<Located<String>>,
    /// What a million tokens sent cost, in dollars.
    pub price_in: Option<Located<f64>>,
    /// What a million tokens received cost, in dollars.
    pub price_out: Option<Located<f64>>,
    /// How many tokens fit into one call, prompt and answer together.
    pub context: Option<Located<u64>>,
    /// Whose child it is (`qwen`, `claude`, …), where its name does not tell. A
    /// judge should not be of the writer's family.
    pub family: Option<Located<String>>,
}

/// Who is asked in a role, or in all roles of a group.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table: [roles.judge] with `provider` and `model` below it"
)]
pub struct RoleSection {
    /// The provider: a table of `[providers]`, or `openai`, `anthropic`,
    /// `gemini`, `openrouter`, `ollama`.
    pub provider: Option<Located<String>>,
    /// The model: its name there, or a table of `[models]`.
    pub model: Option<Located<String>>,
    /// How much chance is allowed, from 0 to 2.
    pub temperature: Option<Located<f64>>,
    /// The most that it may answer, in tokens.
    pub max_tokens: Option<Located<u32>>,
    /// What its vote weighs, beside the other judges'; 1 if nothing is said.
    pub weight: Option<Located<f64>>,
    /// What a million tokens sent cost, in dollars.
    pub price_in: Option<Located<f64>>,
    /// What a million tokens received cost, in dollars.
    pub price_out: Option<Located<f64>>,
    /// How many tokens fit into one call, prompt and answer together.
    pub context: Option<Located<u64>>,
    /// Whose child the model is, where its name does not tell.
    pub family: Option<Located<String>>,
    /// Models that take over where it fails, in this order: a table of
    /// `[models]`, `provider/model`, or another model of the same provider.
    pub fall_backs: Option<Located<Vec<Located<String>>>>,
    /// Other choices for content in a language: `[roles.judge.language.ru]`.
    pub language: BTreeMap<String, Located<Self>>,
}

/// What may be spent, and how long is waited. What does not fit is not sent.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table: [limits] with keys such as `cost-per-run` below it"
)]
pub struct LimitsSection {
    /// Dollars that one run (one document) may cost.
    pub cost_per_run: Option<Located<f64>>,
    /// Dollars that one call of the program may cost, over all documents.
    pub cost_per_process: Option<Located<f64>>,
    /// Tokens that one call of the program may use, over all documents.
    pub tokens_per_process: Option<Located<u64>>,
    /// Seconds after which a call is given up; 180 if nothing is said.
    pub seconds_per_call: Option<Located<u64>>,
    /// Seconds without a sign of life after which a call is given up; 60 if
    /// nothing is said.
    pub stall_seconds: Option<Located<u64>>,
}
