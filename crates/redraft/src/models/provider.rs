//! A provider as it will be reached: what the file says about it, what is known
//! about it, what the environment adds. It knows no role.

use redraft_engine::model::connection::{Api, Connection, Secret, Structured};

use super::catalogue::{self, Known};
use super::ollama;
use super::resolve::Origin;
use super::surroundings::Surroundings;
use super::validate::{invalid_url, shown_variable};
use crate::config::{Config, ConfigError, ProviderSection};

/// How many calls are out at once while nobody says otherwise.
const IN_FLIGHT: usize = 4;

/// A provider, and where its settings come from.
#[derive(Clone, Debug)]
pub struct Provider {
    /// How it is reached.
    pub connection: Connection,
    /// Where its address comes from.
    pub address: Origin,
    /// Where its key comes from.
    pub key: KeySource,
    /// Whether it runs on this machine, so that asking it costs nothing.
    pub is_local: bool,
    /// Why it cannot be asked.
    pub fault: Option<ConfigError>,
}

/// Where a key comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// A variable of the environment.
    Variable(String),
    /// The file that this line names.
    File(usize),
    /// It needs none.
    NotNeeded,
    /// It needs one, and there is none.
    Missing,
}

impl Provider {
    /// The provider with a name, which the file or the catalogue knows.
    pub(super) fn of(name: &str, config: &Config, around: &Surroundings<'_>) -> Self {
        let section = config.file().providers.get(name).map(|section| &**section);
        let known = catalogue::known(name);
        let (base_url, address) = base_url(name, config, around, known);
        let is_local = is_loopback(&base_url);
        let mut key = key(name, config, around, section, known);
        if matches!(key, Key::None) && known.is_some_and(|known| known.key.is_some()) && !is_local {
            key = Key::Missing(missing(name, config, known));
        }
        let fault = invalid_url(&base_url).map(|reason| {
            let message = match &address {
                Origin::Variable(variable) => format!("{variable}: {reason}"),
                _ => format!("base-url of \"{name}\": {reason}"),
            };
            config.source().error_on(None, message)
        });
        let (secret, source, fault) = match key {
            Key::Found(secret, source) => (Some(secret), source, fault),
            Key::None => (None, KeySource::NotNeeded, fault),
            Key::Missing(error) => (None, KeySource::Missing, fault.or(Some(error))),
        };
        let api = section.and_then(|section| section.api).map(Api::from);
        let structured = section.and_then(|section| section.structured);
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
            fault,
        }
    }
}

enum Key {
    Found(Secret, KeySource),
    None,
    Missing(ConfigError),
}

/// The address: from the file, else from its variable, else the known one.
fn base_url(
    name: &str,
    config: &Config,
    around: &Surroundings<'_>,
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
        variable.and_then(|variable| Some((variable, around.variable(variable)?)))
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

fn key(
    name: &str,
    config: &Config,
    around: &Surroundings<'_>,
    section: Option<&ProviderSection>,
    known: Option<&Known>,
) -> Key {
    if let Some(file) = section.and_then(|section| section.key_file.as_ref()) {
        let missing = |reason: String| {
            // The path is not repeated: it may be the key itself.
            let message = format!("key-file of \"{name}\" {reason}");
            Key::Missing(config.source().error(file, message))
        };
        return match (around.read)(&config.beside(file)) {
            Ok(text) if text.trim().is_empty() => missing("is empty".to_owned()),
            Ok(text) if text.trim().lines().count() > 1 => {
                missing("has several lines; it must contain the key and nothing else".to_owned())
            }
            Ok(text) => Key::Found(
                Secret::new(&text).named(&format!("key-file of `{name}`")),
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
    match around.variable(variable) {
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

/// Whether an address means this very machine.
pub(super) fn is_loopback(url: &str) -> bool {
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
