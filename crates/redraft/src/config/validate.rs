//! What can be wrong in the tables of `redraft.toml` about models, whatever the
//! environment. Every error names the line and says what to write. Values that may
//! be an API key by mistake are never repeated.

use std::collections::BTreeMap;

use super::defaults::{self, KNOWN};
use super::error::ConfigError;
use super::file::ConfigFile;
use super::languages;
use super::located::{Located, Source};
use super::models::{ApiName, LimitsSection, ProviderSection, RoleSection};
use super::roles::{JUDGES, RoleTable};
use super::secret;
use super::suggest::{nearest, suggestion};
use crate::files::Limits;

/// Fails on the first value that makes no sense.
pub(super) fn check(file: &ConfigFile, source: &Source) -> Result<(), ConfigError> {
    let validate = Validate { file, source };
    for (name, section) in &file.providers {
        validate.provider(name, section)?;
    }
    for section in file.models.values() {
        if let Some(provider) = &section.provider {
            validate.known_provider(provider)?;
        }
        validate.prices([
            section.price_in.as_ref(),
            section.price_out.as_ref(),
            section.price_cached_in.as_ref(),
            section.price_cache_write.as_ref(),
        ])?;
        validate.at_least_one("context", section.context.as_ref())?;
    }
    let mut seen = BTreeMap::new();
    for (name, section) in &file.roles {
        let Some(table) = RoleTable::parse(name) else {
            let hint = suggestion(name, RoleTable::all());
            return Err(source.error(section, format!("unknown role \"{name}\"; {hint}")));
        };
        if let Some(other) = seen.insert(table, name) {
            let message = format!(
                "[roles.{name}] and [roles.{other}] are the same role; remove one of the tables"
            );
            return Err(source.error(section, message));
        }
        validate.role(table, section)?;
        for (tag, section) in &section.language {
            if let Err(message) = languages::language(tag) {
                return Err(source.error(section, message));
            }
            if let Some(inner) = section.language.values().next() {
                let message = "a table for a language cannot contain another language";
                return Err(source.error(inner, message));
            }
            validate.role(table, section)?;
        }
    }
    validate.limits(&file.limits)
}

/// What is wrong with an address, if anything. The address is not repeated: it may
/// contain a password.
pub(crate) fn invalid_url(url: &str) -> Option<&'static str> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest else {
        return Some("the address must start with https:// or http://");
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() {
        Some("the address has no host")
    } else if authority.contains('@')
        || rest.contains(['?', '#'])
        || secret::has_key_in_path(authority, rest)
    {
        Some(
            "the address must not contain a user name, password, query or key; store the key in an environment variable and name that with key-env",
        )
    } else if rest.contains(|c: char| c.is_whitespace() || c.is_control()) {
        Some("the address contains a space")
    } else {
        None
    }
}

/// The name of a variable for messages. What does not look like a variable may be a
/// key in the wrong place and is not shown.
pub(crate) fn shown_variable(name: &str) -> String {
    let looks_like_one = name.len() <= 64
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    if looks_like_one {
        format!("the variable {name}")
    } else {
        "the variable that key-env names".to_owned()
    }
}

struct Validate<'a> {
    file: &'a ConfigFile,
    source: &'a Source,
}

impl Validate<'_> {
    fn provider(&self, name: &str, section: &Located<ProviderSection>) -> Result<(), ConfigError> {
        if name == "scripted" {
            let message = "the name \"scripted\" is reserved for scripted replies; choose another";
            return Err(self.source.error(section, message));
        }
        if section.base_url.is_none() && defaults::known(name).is_none() {
            let message = format!(
                "[providers.{name}] needs base-url = \"https://…\"; only {} have a default address",
                known_names()
            );
            return Err(self.source.error(section, message));
        }
        if let Some(url) = &section.base_url
            && let Some(message) = invalid_url(url)
        {
            return Err(self.source.error(url, message));
        }
        if let (Some(_), Some(file)) = (&section.key_env, &section.key_file) {
            let message = "set key-env or key-file, not both";
            return Err(self.source.error(file, message));
        }
        if let Some(variable) = &section.key_env {
            let is_name = variable.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && variable
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !is_name {
                let message = "key-env takes the name of an environment variable, such as OPENAI_API_KEY; do not put keys in this file";
                return Err(self.source.error(variable, message));
            }
        }
        self.api_version(name, section)?;
        self.at_least_one("in-flight", section.in_flight.as_ref())
    }

    fn api_version(
        &self,
        name: &str,
        section: &Located<ProviderSection>,
    ) -> Result<(), ConfigError> {
        let is_azure = section.api == Some(ApiName::Azure);
        match &section.api_version {
            None if is_azure => {
                let message = format!(
                    "[providers.{name}] needs api-version = \"2024-10-21\", or a later version that the resource supports"
                );
                Err(self.source.error(section, message))
            }
            Some(version) if !is_azure => {
                let message = "api-version needs api = \"azure\"; remove it, or set api";
                Err(self.source.error(version, message))
            }
            Some(version)
                if version.is_empty()
                    || version.len() > 32
                    || !version
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b == b'-') =>
            {
                let message = "api-version takes a version such as 2024-10-21";
                Err(self.source.error(version, message))
            }
            _ => Ok(()),
        }
    }

    fn role(&self, table: RoleTable, section: &RoleSection) -> Result<(), ConfigError> {
        if let Some(provider) = &section.provider {
            self.known_provider(provider)?;
        }
        let fall_backs = section.fall_backs.iter().flat_map(|names| names.iter());
        for model in section.model.iter().chain(fall_backs) {
            if model.trim().is_empty() {
                return Err(self.source.error(model, "the name of the model is empty"));
            }
        }
        if let Some(temperature) = &section.temperature
            && !(0.0..=2.0).contains(&**temperature)
        {
            let message = "\"temperature\" must be a number from 0 to 2";
            return Err(self.source.error(temperature, message));
        }
        self.at_least_one("max-tokens", section.max_tokens.as_ref())?;
        self.at_least_one("context", section.context.as_ref())?;
        if let Some(weight) = &section.weight {
            let is_judge = match table {
                RoleTable::Role(role) => JUDGES.contains(&role),
                RoleTable::Judge | RoleTable::Default => true,
                RoleTable::Refinement | RoleTable::Writing => false,
            };
            if !is_judge {
                let message = "only judges have a weight; remove \"weight\"";
                return Err(self.source.error(weight, message));
            }
            if !(0.001..=1_000.0).contains(&**weight) {
                let message = "\"weight\" must be from 0.001 to 1000, for example 0.75";
                return Err(self.source.error(weight, message));
            }
        }
        self.prices([
            section.price_in.as_ref(),
            section.price_out.as_ref(),
            section.price_cached_in.as_ref(),
            section.price_cache_write.as_ref(),
        ])
    }

    fn limits(&self, limits: &LimitsSection) -> Result<(), ConfigError> {
        for (key, value) in [
            ("cost-per-run", &limits.cost_per_run),
            ("cost-per-process", &limits.cost_per_process),
        ] {
            if let Some(value) = value
                && !(**value > 0.0 && **value <= 1e9)
            {
                let message =
                    format!("\"{key}\" must be a sum in dollars above 0, for example 0.50");
                return Err(self.source.error(value, message));
            }
        }
        self.at_least_one("tokens-per-run", limits.tokens_per_run.as_ref())?;
        self.at_least_one("tokens-per-process", limits.tokens_per_process.as_ref())?;
        self.at_least_one("seconds-per-run", limits.seconds_per_run.as_ref())?;
        self.at_least_one("seconds-per-call", limits.seconds_per_call.as_ref())?;
        self.at_least_one("stall-seconds", limits.stall_seconds.as_ref())?;
        self.at_least_one(Limits::DOCUMENT_KEY, limits.max_input_bytes.as_ref())?;
        self.at_least_one(Limits::BANK_KEY, limits.max_bank_bytes.as_ref())
    }

    /// The four prices of a model, in this order.
    fn prices(&self, prices: [Option<&Located<f64>>; 4]) -> Result<(), ConfigError> {
        let keys = [
            "price-in",
            "price-out",
            "price-cached-in",
            "price-cache-write",
        ];
        let mut all = keys.into_iter().zip(prices);
        all.try_for_each(|(key, price)| self.price(key, price))
    }

    fn price(&self, key: &str, price: Option<&Located<f64>>) -> Result<(), ConfigError> {
        // No provider asks for more than a hundred thousand dollars a million tokens.
        match price.filter(|price| !(0.0..=100_000.0).contains(&***price)) {
            Some(price) => {
                let message =
                    format!("\"{key}\" must be dollars per million tokens, for example 0.25");
                Err(self.source.error(price, message))
            }
            None => Ok(()),
        }
    }

    fn at_least_one<T: Default + PartialEq>(
        &self,
        key: &str,
        value: Option<&Located<T>>,
    ) -> Result<(), ConfigError> {
        match value.filter(|value| ***value == T::default()) {
            Some(value) => {
                let message = format!("\"{key}\" must be at least 1");
                Err(self.source.error(value, message))
            }
            None => Ok(()),
        }
    }

    fn known_provider(&self, written: &Located<String>) -> Result<(), ConfigError> {
        let name = written.as_str();
        if self.file.providers.contains_key(name) || defaults::known(name).is_some() {
            return Ok(());
        }
        let configured = self.file.providers.keys().map(String::as_str);
        let known = KNOWN.iter().map(|known| known.name);
        let hint = nearest(name, configured.chain(known)).map_or_else(
            || {
                format!(
                    "add [providers.{name}] with base-url, or use one of {}",
                    known_names()
                )
            },
            |near| format!("did you mean \"{near}\"?"),
        );
        let message = format!("unknown provider \"{name}\"; {hint}");
        Err(self.source.error(written, message))
    }
}

fn known_names() -> String {
    let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::Config;

    fn expect_errors(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            let said = Config::parse(text, Path::new("redraft.toml"))
                .map_or_else(|error| format!("{error:#}"), |_| "nothing".to_owned());
            assert!(said.starts_with(expected), "{text}\n{said}");
            assert!(!said.contains("canary"), "{said}");
        }
    }

    #[test]
    fn errors_in_a_provider_name_the_line() {
        expect_errors(&[
            (
                "[models.a]\nprovider = \"house\"",
                "redraft.toml:2: unknown provider \"house\"",
            ),
            (
                "[providers.house]\nin-flight = 2",
                "redraft.toml:1: [providers.house] needs base-url = ",
            ),
            (
                "[providers.house]\nbaseurl = \"http://a\"",
                "redraft.toml:2: unknown key \"baseurl\" in [providers.house]; did you mean \"base-url\"?",
            ),
            (
                "[providers.openai]\nkey = \"sk-canary\"",
                "redraft.toml:2: unknown key \"key\" in [providers.openai]; did you mean \"key-env\"?",
            ),
            (
                "[providers.openai]\napi-key = \"sk-canary\"",
                "redraft.toml:2: unknown key \"api-key\" in [providers.openai]; did you mean \"key-env\"? It takes the name of an environment variable",
            ),
            (
                "[providers.openai]\nkey-env = \"sk-canary\"",
                "redraft.toml:2: key-env takes the name of an environment variable",
            ),
            (
                "[providers.openai]\nkey-env = \"A\"\nkey-file = \"b\"",
                "redraft.toml:3: set key-env or key-file, not both",
            ),
            (
                "[providers.a]\nbase-url = \"https://me:canary@host/v1\"",
                "redraft.toml:2: the address must not contain a user name, password, query or key",
            ),
            (
                "[providers.a]\nbase-url = \"https://host/v1?key=canary\"",
                "redraft.toml:2: the address must not contain a user name, password, query or key",
            ),
            (
                "[providers.a]\nbase-url = \"https://host/sk-canary-0123/v1\"",
                "redraft.toml:2: the address must not contain a user name, password, query or key",
            ),
            (
                "[providers.a]\nbase-url = \"https://host/v1/Canary0123456789abcdefXYZ\"",
                "redraft.toml:2: the address must not contain a user name, password, query or key",
            ),
            (
                "[providers.a]\nbase-url = \"https://host/0123456789abcdef0123456789abcdef/v1\"",
                "redraft.toml:2: the address must not contain a user name, password, query or key",
            ),
            (
                "[providers.a]\nbase-url = \"https://host/v1/%73k-canary-0123456789\"",
                "redraft.toml:2: the address must not contain a user name, password, query or key",
            ),
            (
                "[providers.a]\nbase-url = \"https://host/v1/key=canary\"",
                "redraft.toml:2: the address must not contain a user name, password, query or key",
            ),
            (
                "[providers.a]\nbase-url = \"https://host/v1;token=canary/x\"",
                "redraft.toml:2: the address must not contain a user name, password, query or key",
            ),
            (
                "[providers.a]\nbase-url = \"https://host/client/v4/accounts/0123456789abcdef0123456789abcdef/ai/v1\"",
                "nothing",
            ),
            (
                "[providers.a]\nbase-url = \"https://gateway.ai.cloudflare.com/v1/0123456789abcdef0123456789abcdef/house/openai\"",
                "nothing",
            ),
            (
                "[providers.a]\nbase-url = \"https://host/ml/v1/deployments/550e8400-e29b-41d4-a716-446655440000/v1\"",
                "nothing",
            ),
            (
                "[providers.a]\napi = \"azure\"\nbase-url = \"https://house.openai.azure.com\"",
                "redraft.toml:1: [providers.a] needs api-version = ",
            ),
            (
                "[providers.a]\napi-version = \"2024-10-21\"\nbase-url = \"https://host/v1\"",
                "redraft.toml:2: api-version needs api = \"azure\"",
            ),
            (
                "[providers.a]\napi = \"azure\"\napi-version = \"1&key=canary\"\nbase-url = \"https://host\"",
                "redraft.toml:3: api-version takes a version such as 2024-10-21",
            ),
            (
                "[providers.a]\nbase-url = \"host:80\"",
                "redraft.toml:2: the address must start with https://",
            ),
            (
                "[providers.openai]\napi = \"grpc\"",
                "redraft.toml:2: invalid value for \"api\": expected one of",
            ),
            (
                "[providers.openai]\nin-flight = 0",
                "redraft.toml:2: \"in-flight\" must be at least 1",
            ),
        ]);
    }

    #[test]
    fn errors_in_a_role_or_a_limit_name_the_line() {
        expect_errors(&[
            (
                "\n[roles.judge_primry]\nmodel = \"m\"",
                "redraft.toml:2: unknown role \"judge_primry\"; did you mean \"judge_primary\"?",
            ),
            (
                "[roles.xyz]",
                "redraft.toml:1: unknown role \"xyz\"; known: self_reviewer, ",
            ),
            (
                "[roles.judge]\nmodle = \"m\"",
                "redraft.toml:2: unknown key \"modle\" in [roles.judge]; did you mean \"model\"?",
            ),
            (
                "[roles.judge.language.ru]\nmodle = \"m\"",
                "redraft.toml:2: unknown key \"modle\" in [roles.judge.language.ru]; did you mean \"model\"?",
            ),
            (
                "[roles.judge]\nprovider = \"opnrouter\"",
                "redraft.toml:2: unknown provider \"opnrouter\"; did you mean \"openrouter\"?",
            ),
            (
                "[roles.judge]\nprovider = \"house\"",
                "redraft.toml:2: unknown provider \"house\"; add [providers.house] with base-url, or use one of openai, ",
            ),
            (
                "[roles.judge]\n[roles.stage_6_judge]\n",
                "redraft.toml:2: [roles.stage_6_judge] and [roles.judge] are the same role",
            ),
            (
                "[roles.judge]\ntemperature = 3.0",
                "redraft.toml:2: \"temperature\" must be a number from 0 to 2",
            ),
            (
                "[roles.judge]\ntemperature = nan",
                "redraft.toml:2: \"temperature\" must be a number from 0 to 2",
            ),
            (
                "[roles.judge]\nweight = 0",
                "redraft.toml:2: \"weight\" must be from 0.001 to 1000",
            ),
            (
                "[roles.judge]\nprice-in = -1",
                "redraft.toml:2: \"price-in\" must be dollars per million tokens",
            ),
            (
                "[roles.judge]\nfall-backs = [\n\"a\",\n\" \"]",
                "redraft.toml:4: the name of the model is empty",
            ),
            (
                "[roles.judge.language.klingon]\n",
                "redraft.toml:1: unknown language `klingon`",
            ),
            (
                "[roles.judge.language.ru.language.en]\n",
                "redraft.toml:1: a table for a language cannot contain another language",
            ),
            (
                "[limits]\ncost-per-run = 0",
                "redraft.toml:2: \"cost-per-run\" must be a sum in dollars above 0",
            ),
            (
                "[limits]\nseconds-per-call = 0",
                "redraft.toml:2: \"seconds-per-call\" must be at least 1",
            ),
            (
                "[limits]\ncost = 1",
                "redraft.toml:2: unknown key \"cost\" in [limits]",
            ),
            (
                "[roles.patcher]\nweight = 0.5",
                "redraft.toml:2: only judges have a weight",
            ),
        ]);
    }
}
