//! List prices and the rules of prompt caches, from one dated file. They fill gaps in the user's
//! configuration, which takes precedence, and are compared with it.

use std::sync::LazyLock;

use redraft_run::ask::CacheTerms;
use serde::Deserialize;

use super::connection::Api;

/// The price file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PriceTable {
    /// The date on which it was compared with the providers' pages.
    pub as_of: String,
    cache: Vec<CacheRule>,
    price: Vec<ListPrice>,
}

/// When a provider caches the prefix of a prompt, and at what share of the price.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CacheRule {
    apis: Vec<ApiName>,
    /// The prefix of the names of models it applies to.
    model: String,
    /// A shorter prefix of a prompt is not cached.
    pub least_tokens: u64,
    /// Price of tokens read from the cache, in percent of the input price.
    pub read: u64,
    /// Price of tokens written to the cache, in percent of the input price.
    pub write: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ApiName {
    OpenAi,
    Anthropic,
    Gemini,
}

/// Dollars per million tokens.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ListPrice {
    pub model: String,
    #[serde(rename = "in")]
    pub input: f64,
    #[serde(rename = "out")]
    pub output: f64,
    pub cached_in: f64,
    pub cache_write: f64,
}

static TABLE: LazyLock<PriceTable> =
    LazyLock::new(|| toml::from_str(include_str!("prices.toml")).unwrap_or_default());

/// The table that is built into the program.
#[must_use]
pub fn table() -> &'static PriceTable {
    &TABLE
}

impl PriceTable {
    #[must_use]
    pub fn prices(&self) -> &[ListPrice] {
        &self.price
    }

    /// The list price of a model, looked up without the vendor's prefix.
    #[must_use]
    pub fn price(&self, model: &str) -> Option<&ListPrice> {
        let name = plain_name(model);
        self.price.iter().find(|price| price.model == name)
    }

    /// The cache rule for a model behind a protocol; `None` if nothing is known.
    #[must_use]
    pub fn cache_rule(&self, api: Api, model: &str) -> Option<&CacheRule> {
        let api = match api {
            Api::OpenAi => ApiName::OpenAi,
            Api::Anthropic => ApiName::Anthropic,
            Api::Gemini => ApiName::Gemini,
        };
        let name = plain_name(model);
        self.cache
            .iter()
            .filter(|rule| rule.apis.contains(&api) && name.starts_with(&rule.model))
            .max_by_key(|rule| rule.model.len())
    }
}

impl CacheRule {
    /// The cache prices for a given input price, in millionths of a dollar per million tokens,
    /// rounded up.
    #[must_use]
    pub fn terms(&self, price_in: u64) -> CacheTerms {
        let share = |percent: u64| price_in.saturating_mul(percent).div_ceil(100);
        CacheTerms {
            least_tokens: self.least_tokens,
            price_read: share(self.read),
            price_write: share(self.write),
        }
    }
}

/// The name without a folder or vendor: `models/gemini-2.5-pro`, `openai/gpt-4.1`.
fn plain_name(model: &str) -> &str {
    model.rsplit('/').next().unwrap_or(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read_and_is_dated() {
        let read: Result<PriceTable, _> = toml::from_str(include_str!("prices.toml"));
        let table = read.unwrap();
        assert_eq!(table.as_of.len(), "2026-11-16".len());
        assert!(table.price.len() >= 6 && table.cache.len() >= 3);
    }

    #[test]
    fn the_longest_rule_holds_and_unknown_models_have_none() {
        for (api, model, expected) in [
            (
                Api::Anthropic,
                "claude-sonnet-4-5-20250929",
                Some((1_024, 10, 125)),
            ),
            (Api::Anthropic, "claude-haiku-4-5", Some((4_096, 10, 125))),
            (Api::OpenAi, "gpt-4.1-mini", Some((1_024, 25, 100))),
            (Api::OpenAi, "openai/gpt-5.6", Some((1_024, 10, 125))),
            (Api::OpenAi, "gpt-5.1", Some((1_024, 10, 100))),
            (Api::OpenAi, "gpt-9", Some((1_024, 100, 125))),
            (Api::Gemini, "models/gemini-2.5-pro", Some((2_048, 10, 100))),
            // Caching is not requested from servers that pass Claude on.
            (Api::OpenAi, "anthropic/claude-sonnet-4-5", None),
            (Api::OpenAi, "qwen3", None),
            (Api::Gemini, "gemma-3", None),
        ] {
            let rule = table().cache_rule(api, model);
            let found = rule.map(|rule| (rule.least_tokens, rule.read, rule.write));
            assert_eq!(found, expected, "{model}");
        }
    }

    #[test]
    fn list_prices_and_rules_say_the_same() {
        for price in table().prices() {
            let api = match price.model.as_str() {
                name if name.starts_with("claude") => Api::Anthropic,
                name if name.starts_with("gemini") => Api::Gemini,
                _ => Api::OpenAi,
            };
            let rule = table().cache_rule(api, &price.model).unwrap();
            let micros = |dollars: f64| (dollars * 1e6).round() as u64;
            let terms = rule.terms(micros(price.input));
            assert_eq!(terms.price_read, micros(price.cached_in), "{price:?}");
            assert_eq!(terms.price_write, micros(price.cache_write), "{price:?}");
        }
    }
}
