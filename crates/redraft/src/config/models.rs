//! The sections of `redraft.toml` about models: providers, models, roles, limits. The
//! reference page is generated from the doc comments.

use std::collections::BTreeMap;

use redraft_engine::model::connection::{Api, Structured};
use redraft_run::policy::EditForm;
use schemars::JsonSchema;
use serde::Deserialize;

use super::located::Located;

/// A server of models.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table, for example [providers.house] with base-url = \"https://…\""
)]
pub struct ProviderSection {
    /// The protocol: `openai` (also for compatible servers; the default), `anthropic`,
    /// `gemini`, or `azure` (Azure OpenAI: `model` names the deployment).
    pub api: Option<ApiName>,
    /// The version of the API, such as `2024-10-21`; with `api = "azure"` only, where it is
    /// required.
    pub api_version: Option<Located<String>>,
    /// The address without the path of a call, such as `http://localhost:8000/v1`.
    /// `openai`, `anthropic`, `gemini`, `openrouter` and `ollama` have a default.
    pub base_url: Option<Located<String>>,
    /// The environment variable with the API key. Do not put keys in this file.
    pub key_env: Option<Located<String>>,
    /// A file that contains the API key and nothing else, relative to this file.
    pub key_file: Option<Located<String>>,
    /// The maximum number of concurrent calls; 4 by default.
    pub in_flight: Option<Located<usize>>,
    /// How to request structured output: `native`, with a schema in the protocol (the
    /// default), or `prompt`, in the prompt alone.
    pub structured: Option<StructuredName>,
}

/// The protocol of a provider.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum ApiName {
    /// OpenAI's chat completions.
    OpenAi,
    /// Anthropic's Messages API.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
    /// OpenAI's chat completions at a deployment of Azure OpenAI.
    Azure,
}

impl From<ApiName> for Api {
    fn from(name: ApiName) -> Self {
        match name {
            ApiName::OpenAi | ApiName::Azure => Self::OpenAi,
            ApiName::Anthropic => Self::Anthropic,
            ApiName::Gemini => Self::Gemini,
        }
    }
}

/// How to request structured output.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum StructuredName {
    /// With a schema in the protocol.
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

/// A model, defined once and used by several roles. Its settings also apply to roles
/// that name the same provider and model themselves.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table, for example [models.cheap] with provider = \"openai\" and model = \"gpt-4.1-mini\""
)]
pub struct ModelSection {
    /// The provider.
    pub provider: Option<Located<String>>,
    /// The provider's name for it; by default the name of this table.
    pub model: Option<Located<String>>,
    /// Price of a million input tokens, in dollars.
    pub price_in: Option<Located<f64>>,
    /// Price of a million output tokens, in dollars.
    pub price_out: Option<Located<f64>>,
    /// Price of a million input tokens that the provider reads from its prompt cache, in
    /// dollars. By default the model's usual share of `price-in`, if it is known, else
    /// the full price.
    pub price_cached_in: Option<Located<f64>>,
    /// Price of a million input tokens that are written to the provider's prompt cache, in
    /// dollars; by default as `price-cached-in`. Cost limits count with it.
    pub price_cache_write: Option<Located<f64>>,
    /// The context window in tokens, prompt and answer together.
    pub context: Option<Located<u64>>,
    /// The model family (`qwen`, `claude`, …), if the name does not show it. A judge
    /// should not be of the writer's family.
    pub family: Option<Located<String>>,
    /// How edits are requested from it: `edits` (search and replace), or `whole` (the
    /// whole section), which small models get right more often. The default is `whole`
    /// for models on this machine and `edits` for all others.
    pub edit_form: Option<Located<EditForm>>,
}

/// The model of a role, or of all roles of a group.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table, for example [roles.judge] with provider = \"openai\" and model = \"gpt-4.1\""
)]
pub struct RoleSection {
    /// The provider: a table of `[providers]`, or `openai`, `anthropic`,
    /// `gemini`, `openrouter`, `ollama`.
    pub provider: Option<Located<String>>,
    /// The model: the provider's name for it, or a table of `[models]`.
    pub model: Option<Located<String>>,
    /// The sampling temperature, from 0 to 2.
    pub temperature: Option<Located<f64>>,
    /// The maximum length of an answer, in tokens.
    pub max_tokens: Option<Located<u32>>,
    /// The weight of a judge's verdict; 1 by default.
    pub weight: Option<Located<f64>>,
    /// Price of a million input tokens, in dollars.
    pub price_in: Option<Located<f64>>,
    /// Price of a million output tokens, in dollars.
    pub price_out: Option<Located<f64>>,
    /// Price of a million input tokens that the provider reads from its prompt cache, in
    /// dollars. By default the model's usual share of `price-in`, if it is known, else
    /// the full price.
    pub price_cached_in: Option<Located<f64>>,
    /// Price of a million input tokens that are written to the provider's prompt cache, in
    /// dollars; by default as `price-cached-in`. Cost limits count with it.
    pub price_cache_write: Option<Located<f64>>,
    /// The context window in tokens, prompt and answer together.
    pub context: Option<Located<u64>>,
    /// The model family, if the name does not show it.
    pub family: Option<Located<String>>,
    /// How edits are requested from it: `edits` or `whole`. Used for the patcher.
    pub edit_form: Option<Located<EditForm>>,
    /// Fallback models for when it fails, in this order: a table of `[models]`,
    /// `provider/model`, or another model of the same provider.
    pub fall_backs: Option<Located<Vec<Located<String>>>>,
    /// Settings for content in a language: `[roles.judge.language.ru]`.
    pub language: BTreeMap<String, Located<Self>>,
}

/// Limits on cost, tokens, time and the size of files. A call that may exceed a limit is
/// not sent, and a file above its limit is not read.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table, for example [limits] with cost-per-run = 0.50"
)]
pub struct LimitsSection {
    /// Maximum cost of one run (one document), in dollars.
    pub cost_per_run: Option<Located<f64>>,
    /// Maximum tokens of one run, a bank's item counted as a run; 300,000 by default.
    pub tokens_per_run: Option<Located<u64>>,
    /// Maximum duration of one run in seconds, waiting for a reviewer not counted. Without
    /// it the profile's policy sets it (300, items 120), and models on this machine get
    /// more time in proportion to how slow they are.
    pub seconds_per_run: Option<Located<u64>>,
    /// Maximum cost of one command over all documents, in dollars.
    pub cost_per_process: Option<Located<f64>>,
    /// Maximum tokens of one command over all documents.
    pub tokens_per_process: Option<Located<u64>>,
    /// Timeout of a call, in seconds; 180 by default, 900 for models on this machine.
    pub seconds_per_call: Option<Located<u64>>,
    /// Timeout of a call that receives no data, in seconds; 60 by default, for models on
    /// this machine as long as the call.
    pub stall_seconds: Option<Located<u64>>,
    /// Maximum size of a document or a companion file, in bytes; 20,000,000 by default.
    pub max_input_bytes: Option<Located<u64>>,
    /// Maximum size of a bank (a JSON list or JSON Lines), in bytes; 200,000,000 by default.
    pub max_bank_bytes: Option<Located<u64>>,
}
