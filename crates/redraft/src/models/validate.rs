//! What can be wrong in the model's part of `redraft.toml`, whatever lies around
//! it. Every complaint names the line and says what to write. Values that may be
//! a key by mistake are never repeated.

use std::collections::BTreeMap;

use redraft_text::language::Language;

use super::catalogue::{self, KNOWN};
use super::names::{JUDGES, Named};
use crate::config::{
    Complaint, ConfigFile, LimitsSection, Lines, ProviderSection, RoleSection, nearest,
};

/// Complains about the first thing that cannot be meant.
pub(crate) fn check(file: &ConfigFile, lines: &Lines) -> Result<(), Complaint> {
    let validate = Validate { file, lines };
    for (name, section) in &file.providers {
        validate.provider(name, section)?;
    }
    for (name, section) in &file.models {
        let path = format!("models.{name}");
        if let Some(provider) = &section.provider {
            validate.known_provider(&format!("{path}.provider"), provider)?;
        }
        validate.price(&path, "price-in", section.price_in)?;
        validate.price(&path, "price-out", section.price_out)?;
        validate.at_least_one(&path, "context", section.context)?;
    }
    let mut seen = BTreeMap::new();
    for (name, section) in &file.roles {
        let path = format!("roles.{name}");
        let Some(named) = Named::parse(name) else {
            return Err(validate.unknown_role(&path, name));
        };
        if let Some(other) = seen.insert(named, name) {
            let message =
                format!("`{name}` and `{other}` are the same role; keep one of the two tables");
            return Err(lines.complain(&path, message));
        }
        validate.role(&path, named, section)?;
        for (tag, section) in &section.language {
            let path = format!("{path}.language.{tag}");
            if Language::parse(tag).is_none() {
                let message =
                    format!("`{tag}` is no language; write a tag such as en, ru or zh-CN");
                return Err(lines.complain(&path, message));
            }
            if !section.language.is_empty() {
                let message = "a choice for a language cannot hold another one".to_owned();
                return Err(lines.complain(&format!("{path}.language"), message));
            }
            validate.role(&path, named, section)?;
        }
    }
    validate.limits(&file.limits)
}

/// What is wrong with an address, if anything. The address is not repeated: it
/// may hold a password.
pub(super) fn fault_of_url(url: &str) -> Option<&'static str> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest else {
        return Some("an address begins with https:// or http://");
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() {
        Some("there is no host in this address")
    } else if authority.contains('@') || rest.contains(['?', '#']) {
        Some(
            "an address holds no name, no password and no key; put the key into a variable and name it with key-env",
        )
    } else if rest.contains(|c: char| c.is_whitespace() || c.is_control()) {
        Some("there is a space in this address")
    } else {
        None
    }
}

/// The name of a variable as it may be shown: what does not look like one may be
/// a key that somebody put into the wrong place.
pub(super) fn shown_variable(name: &str) -> String {
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
    lines: &'a Lines,
}

impl Validate<'_> {
    fn provider(&self, name: &str, section: &ProviderSection) -> Result<(), Complaint> {
        let path = format!("providers.{name}");
        let at = |key: &str, message: &str| {
            Err(self
                .lines
                .complain(&format!("{path}.{key}"), message.to_owned()))
        };
        if name == "scripted" {
            return at(
                "",
                "`scripted` is the name of replies from a script; choose another",
            );
        }
        if section.base_url.is_none() && catalogue::known(name).is_none() {
            let message = format!(
                "[providers.{name}] needs an address: write base-url = \"https://…\" (only {} have one that is known)",
                known_names()
            );
            return Err(self.lines.complain(&path, message));
        }
        if let Some(fault) = section.base_url.as_deref().and_then(fault_of_url) {
            return at("base-url", fault);
        }
        if section.key_env.is_some() && section.key_file.is_some() {
            return at(
                "key-file",
                "name a variable (key-env) or a file (key-file), not both",
            );
        }
        if let Some(variable) = &section.key_env {
            let is_name = variable.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && variable
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !is_name {
                return at(
                    "key-env",
                    "key-env is the name of an environment variable, such as OPENAI_API_KEY; the key itself does not belong into this file",
                );
            }
        }
        self.at_least_one(&path, "in-flight", section.in_flight.map(|n| n as u64))
    }

    fn role(&self, path: &str, named: Named, section: &RoleSection) -> Result<(), Complaint> {
        if let Some(provider) = &section.provider {
            self.known_provider(&format!("{path}.provider"), provider)?;
        }
        let at = |key: &str, message: &str| {
            Err(self
                .lines
                .complain(&format!("{path}.{key}"), message.to_owned()))
        };
        if section
            .model
            .as_deref()
            .is_some_and(|name| name.trim().is_empty())
        {
            return at("model", "name a model");
        }
        if section
            .temperature
            .is_some_and(|temperature| !(0.0..=2.0).contains(&temperature))
        {
            return at("temperature", "a temperature is a number from 0 to 2");
        }
        self.at_least_one(path, "max-tokens", section.max_tokens.map(u64::from))?;
        self.at_least_one(path, "context", section.context)?;
        if let Some(weight) = section.weight {
            let votes = match named {
                Named::Role(role) => JUDGES.contains(&role),
                Named::Judge | Named::Default => true,
                Named::Refinement | Named::Writing => false,
            };
            if !votes {
                return at("weight", "only judges vote; leave the weight out");
            }
            if !(0.001..=1_000.0).contains(&weight) {
                return at("weight", "a weight is a number above 0, such as 0.75");
            }
        }
        self.price(path, "price-in", section.price_in)?;
        self.price(path, "price-out", section.price_out)?;
        for (index, name) in section.fall_backs.iter().flatten().enumerate() {
            if name.trim().is_empty() {
                return at(&format!("fall-backs[{index}]"), "name a model");
            }
        }
        Ok(())
    }

    fn limits(&self, limits: &LimitsSection) -> Result<(), Complaint> {
        for (key, value) in [
            ("cost-per-run", limits.cost_per_run),
            ("cost-per-process", limits.cost_per_process),
        ] {
            let is_sum = value.is_none_or(|value| value > 0.0 && value <= 1e9);
            if !is_sum {
                let message = "a limit is a sum in dollars above 0, such as 0.50".to_owned();
                return Err(self.lines.complain(&format!("limits.{key}"), message));
            }
        }
        for (key, value) in [
            ("tokens-per-process", limits.tokens_per_process),
            ("seconds-per-call", limits.seconds_per_call),
            ("stall-seconds", limits.stall_seconds),
        ] {
            self.at_least_one("limits", key, value)?;
        }
        Ok(())
    }

    fn price(&self, path: &str, key: &str, price: Option<f64>) -> Result<(), Complaint> {
        // Nobody asks for more than a hundred thousand dollars a million tokens.
        if price.is_none_or(|price| (0.0..=100_000.0).contains(&price)) {
            return Ok(());
        }
        let message =
            "a price is a number of dollars for a million tokens, such as 0.25".to_owned();
        Err(self.lines.complain(&format!("{path}.{key}"), message))
    }

    fn at_least_one(&self, path: &str, key: &str, value: Option<u64>) -> Result<(), Complaint> {
        if value != Some(0) {
            return Ok(());
        }
        let message = format!("{key} is at least 1");
        Err(self.lines.complain(&format!("{path}.{key}"), message))
    }

    fn known_provider(&self, path: &str, name: &str) -> Result<(), Complaint> {
        if self.file.providers.contains_key(name) || catalogue::known(name).is_some() {
            return Ok(());
        }
        let configured = self.file.providers.keys().map(String::as_str);
        let known = KNOWN.iter().map(|known| known.name);
        let hint = nearest(name, configured.chain(known)).map_or_else(
            || {
                format!(
                    "write a table [providers.{name}] with its base-url, or take one of {}",
                    known_names()
                )
            },
            |near| format!("did you mean `{near}`?"),
        );
        Err(self
            .lines
            .complain(path, format!("there is no provider `{name}`; {hint}")))
    }

    fn unknown_role(&self, path: &str, name: &str) -> Complaint {
        let message = match nearest(name, Named::all()) {
            Some(near) => format!("there is no role `{name}`; did you mean `{near}`?"),
            None => {
                let names: Vec<&str> = Named::all().collect();
                format!("there is no role `{name}`; there are {}", names.join(", "))
            }
        };
        self.lines.complain(path, message)
    }
}

fn known_names() -> String {
    let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use crate::config::Config;

    fn complaints(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            let said = Config::parse(text, PathBuf::new())
                .map_or_else(|error| format!("{error:#}"), |_| "nothing".to_owned());
            assert!(said.starts_with(expected), "{text}\n{said}");
            assert!(!said.contains("canary"), "{said}");
        }
    }

    #[test]
    fn what_cannot_be_meant_by_a_provider_is_named_with_its_line() {
        complaints(&[
            (
                "[models.a]\nprovider = \"house\"",
                "line 2: there is no provider `house`",
            ),
            (
                "[providers.house]\nin-flight = 2",
                "line 1: [providers.house] needs an address: write base-url = ",
            ),
            (
                "[providers.house]\nbaseurl = \"http://a\"",
                "line 2: there is no key `providers.house.baseurl`; did you mean `base-url`?",
            ),
            (
                "[providers.openai]\nkey = \"sk-canary\"",
                "line 2: there is no key `providers.openai.key`; did you mean `key-env`?",
            ),
            (
                "[providers.openai]\napi-key = \"sk-canary\"",
                "line 2: there is no key `providers.openai.api-key`; did you mean `key-env`? It takes the name of the variable",
            ),
            (
                "[providers.openai]\nkey-env = \"sk-canary\"",
                "line 2: key-env is the name of an environment variable",
            ),
            (
                "[providers.openai]\nkey-env = \"A\"\nkey-file = \"b\"",
                "line 3: name a variable (key-env) or a file (key-file), not both",
            ),
            (
                "[providers.a]\nbase-url = \"https://me:canary@host/v1\"",
                "line 2: an address holds no name, no password and no key",
            ),
            (
                "[providers.a]\nbase-url = \"https://host/v1?key=canary\"",
                "line 2: an address holds no name, no password and no key",
            ),
            (
                "[providers.a]\nbase-url = \"host:80\"",
                "line 2: an address begins with https://",
            ),
            (
                "[providers.openai]\napi = \"grpc\"",
                "line 2: `providers.openai.api` takes one of",
            ),
            (
                "[providers.openai]\nin-flight = 0",
                "line 2: in-flight is at least 1",
            ),
        ]);
    }

    #[test]
    fn what_cannot_be_meant_by_a_role_or_a_limit_is_named_with_its_line() {
        complaints(&[
            (
                "\n[roles.judge_primry]\nmodel = \"m\"",
                "line 2: there is no role `judge_primry`; did you mean `judge_primary`?",
            ),
            (
                "[roles.xyz]",
                "line 1: there is no role `xyz`; there are self_reviewer, ",
            ),
            (
                "[roles.judge]\nmodle = \"m\"",
                "line 2: there is no key `roles.judge.modle`; did you mean `model`?",
            ),
            (
                "[roles.judge.language.ru]\nmodle = \"m\"",
                "line 2: there is no key `roles.judge.language.ru.modle`; did you mean `model`?",
            ),
            (
                "[roles.judge]\nprovider = \"opnrouter\"",
                "line 2: there is no provider `opnrouter`; did you mean `openrouter`?",
            ),
            (
                "[roles.judge]\nprovider = \"house\"",
                "line 2: there is no provider `house`; write a table [providers.house] with its base-url, or take one of openai, ",
            ),
            (
                "[roles.judge]\n[roles.stage_6_judge]\n",
                "line 2: `stage_6_judge` and `judge` are the same role",
            ),
            (
                "[roles.judge]\ntemperature = 3.0",
                "line 2: a temperature is a number from 0 to 2",
            ),
            (
                "[roles.judge]\ntemperature = nan",
                "line 2: a temperature is a number from 0 to 2",
            ),
            (
                "[roles.judge]\nweight = 0",
                "line 2: a weight is a number above 0",
            ),
            (
                "[roles.judge]\nprice-in = -1",
                "line 2: a price is a number of dollars",
            ),
            (
                "[roles.judge]\nfall-backs = [\n\"a\",\n\" \"]",
                "line 4: name a model",
            ),
            (
                "[roles.judge.language.klingon]\n",
                "line 1: `klingon` is no language",
            ),
            (
                "[roles.judge.language.ru.language.en]\n",
                "line 1: a choice for a language cannot hold another one",
            ),
            (
                "[limits]\ncost-per-run = 0",
                "line 2: a limit is a sum in dollars above 0",
            ),
            (
                "[limits]\nseconds-per-call = 0",
                "line 2: seconds-per-call is at least 1",
            ),
            (
                "[limits]\ncost = 1",
                "line 2: there is no key `limits.cost`",
            ),
            ("[roles.patcher]\nweight = 0.5", "line 2: only judges vote"),
        ]);
    }
}
