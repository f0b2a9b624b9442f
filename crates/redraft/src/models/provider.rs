//! The settings of a provider: from the file, the defaults and the environment. It
//! knows no role.

use redraft_engine::model::connection::{Api, Connection, Secret, Structured};

use super::assignment::Origin;
use super::environment::Environment;
use super::ollama;
use crate::config::defaults::{self, Known};
use crate::config::{Config, ConfigError, invalid_url, shown_variable};

/// The default number of concurrent calls.
const IN_FLIGHT: usize = 4;

/// A provider, and where its settings come from.
#[derive(Clone, Debug)]
pub struct Provider {
    pub connection: Connection,
    /// Where its address comes from.
    pub address: Origin,
    pub key: KeySource,
    /// Whether it runs on this machine, so that calls are free.
    pub is_local: bool,
    /// Why it cannot be called.
    pub error: Option<ConfigError>,
}

/// Where an API key comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    Variable(String),
    /// The file that this line names.
    File(usize),
    NotNeeded,
    Missing,
}

impl Provider {
    /// The provider with a name that is in the file or in the defaults.
    pub(super) fn of(name: &str, config: &Config, environment: &Environment<'_>) -> Self {
        let section = config.file().providers.get(name).map(|section| &**section);
        let known = defaults::known(name);
        let (base_url, address) = base_url(name, config, environment, known);
        let is_local = is_loopback(&base_url);
        let mut key = key(name, config, environment, known);
        if matches!(key, Key::None) && known.is_some_and(|known| known.key.is_some()) && !is_local {
            key = Key::Missing(missing(name, config, known));
        }
        let error = invalid_url(&base_url).map(|reason| {
            let message = match &address {
                Origin::Variable(variable) => format!("{variable}: {reason}"),
                _ => format!("base-url of \"{name}\": {reason}"),
            };
            config.source().error_on(None, message)
        });
        let is_open = !is_local && base_url.to_lowercase().starts_with("http://");
        let (secret, source, error) = match key {
            Key::Found(..) if is_open => {
                let message = format!(
                    "no key is sent to \"{name}\" over plain http; write https:// in its address, or leave out its key"
                );
                let open = config.source().error_on(None, message);
                (None, KeySource::Missing, error.or(Some(open)))
            }
            Key::Found(secret, source) => (Some(secret), source, error),
            Key::None => (None, KeySource::NotNeeded, error),
            Key::Missing(missing) => (None, KeySource::Missing, error.or(Some(missing))),
        };
        let api = section.and_then(|section| section.api).map(Api::from);
        let structured = section.and_then(|section| section.structured);
        let version = section.and_then(|section| section.api_version.as_ref());
        let base_url = match version {
            Some(version) => format!(
                "{}?api-version={}",
                base_url.trim_end_matches('/'),
                **version
            ),
            None => base_url,
        };
        Self {
            connection: Connection {
                name: name.to_owned(),
                api: api
                    .or_else(|| known.map(|known| known.api))
                    .unwrap_or(Api::OpenAi),
                base_url,
                key: secret,
                in_flight: section
                    .and_then(|section| section.in_flight.as_deref().copied())
                    .unwrap_or(IN_FLIGHT),
                structured: structured.map_or(Structured::Native, Structured::from),
            },
            address,
            key: source,
            is_local,
            error,
        }
    }
}

enum Key {
    Found(Secret, KeySource),
    None,
    Missing(ConfigError),
}

/// The address: from the file, else from its variable, else the default.
fn base_url(
    name: &str,
    config: &Config,
    environment: &Environment<'_>,
    known: Option<&Known>,
) -> (String, Origin) {
    let of_file = config
        .file()
        .providers
        .get(name)
        .and_then(|section| section.base_url.as_ref());
    if let Some(url) = of_file {
        return (url.to_string(), Origin::File(config.source().line(url)));
    }
    let variable = known.and_then(|known| known.address);
    if let Some((variable, value)) =
        variable.and_then(|variable| Some((variable, environment.variable(variable)?)))
    {
        let url = if name == "ollama" {
            format!("{}/v1/", ollama::address(value))
        } else {
            value.to_owned()
        };
        return (url, Origin::Variable(variable.to_owned()));
    }
    let url = known.map(|known| known.base_url).unwrap_or_default();
    (url.to_owned(), Origin::Default)
}

fn key(name: &str, config: &Config, environment: &Environment<'_>, known: Option<&Known>) -> Key {
    let section = config.file().providers.get(name);
    if let Some(file) = section.and_then(|section| section.key_file.as_ref()) {
        let missing = |reason: String| {
            // The path is not repeated: it may be the key itself.
            let message = format!("key-file of \"{name}\" {reason}");
            Key::Missing(config.source().error(file, message))
        };
        return match (environment.read)(&config.beside(file)) {
            Ok(text) if text.trim().is_empty() => missing("is empty".to_owned()),
            Ok(text) if text.trim().lines().count() > 1 => {
                missing("has several lines; it must contain the key and nothing else".to_owned())
            }
            Ok(text) => Key::Found(
                Secret::new(&text).named(&format!("the key file of `{name}`")),
                KeySource::File(config.source().line(file)),
            ),
            Err(error) => missing(format!(
                "cannot be read ({}); write the path of a file that contains the key",
                error.kind()
            )),
        };
    }
    let key_env = section.and_then(|section| section.key_env.as_deref().map(String::as_str));
    let Some(variable) = key_env.or_else(|| known?.key) else {
        return Key::None;
    };
    match environment.variable(variable) {
        Some(value) => Key::Found(
            Secret::new(value).named(&shown_variable(variable)),
            KeySource::Variable(shown_variable(variable)),
        ),
        None if key_env.is_some() => Key::Missing(missing(name, config, known)),
        None => Key::None,
    }
}

fn missing(name: &str, config: &Config, known: Option<&Known>) -> ConfigError {
    let section = config.file().providers.get(name);
    let key_env = section.and_then(|section| section.key_env.as_ref());
    let variable = key_env
        .map(|variable| variable.as_str())
        .or_else(|| known?.key)
        .unwrap_or_default();
    // Without a table of its own, the line is that of the role that asks it.
    let line = section.map(|section| {
        let source = config.source();
        key_env.map_or_else(|| source.line(section), |variable| source.line(variable))
    });
    let message = format!(
        "no API key for \"{name}\": set {}, or add key-file = \"…\" under [providers.{name}]",
        shown_variable(variable)
    );
    config.source().error_on(line, message)
}

/// Whether an address is on this machine.
pub(crate) fn is_loopback(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.rfind(']') {
        Some(end) => authority.get(..=end).unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let is_v4 = host
        .parse::<std::net::Ipv4Addr>()
        .is_ok_and(|address| address.is_loopback());
    is_v4 || host.eq_ignore_ascii_case("localhost") || host == "[::1]"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_local() {
        for (url, expected) in [
            ("http://localhost:8000/v1", true),
            ("http://127.0.0.1:11434/v1/", true),
            ("http://[::1]:80", true),
            ("http://127.0.0.1.example.org/v1", false),
            ("http://localhost.example.org", false),
            ("https://api.openai.com/v1", false),
            ("", false),
        ] {
            assert_eq!(is_loopback(url), expected, "{url}");
        }
    }
}
