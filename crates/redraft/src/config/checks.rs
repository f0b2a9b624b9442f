//! The checks that `redraft.toml` and the command line name: by code, name, prefix
//! or `all`.

use std::collections::BTreeMap;

use anyhow::bail;
use redraft_gate::check::Check;
use redraft_gate::finding::Severity;
use redraft_gate::policy::{Parameters, Value};
use redraft_profiles::registry;

use super::error::ConfigError;
use super::file::{ConfigFile, ParameterValue, SeverityName};
use super::located::{Located, Source};
use super::suggest::{nearest, suggestion};

/// Whether a code, name, prefix or `all` selects a check.
pub(super) fn selects(name: &str, check: &Check) -> bool {
    let is_prefix = !name.is_empty()
        && check.code.len() >= name.len()
        && check.code.is_char_boundary(name.len())
        && check.code[..name.len()].eq_ignore_ascii_case(name);
    name.eq_ignore_ascii_case("all") || name == check.name || is_prefix
}

/// Fails on a name that selects no check.
pub(super) fn require(name: &str) -> anyhow::Result<()> {
    match unknown(name) {
        Some(message) => bail!(message),
        None => Ok(()),
    }
}

fn unknown(name: &str) -> Option<String> {
    let checks = registry::all_checks();
    if checks.iter().any(|check| selects(name, check)) {
        return None;
    }
    let known = checks.iter().flat_map(|check| [check.code, check.name]);
    Some(match nearest(name, known) {
        Some(near) => format!("unknown check \"{name}\"; did you mean \"{near}\"?"),
        None => format!("unknown check \"{name}\"; `redraft explain` lists all checks"),
    })
}

/// Fails on the first name in the file that selects no check.
pub(super) fn validate(file: &ConfigFile, source: &Source) -> Result<(), ConfigError> {
    let severities = std::iter::once(&file.severity)
        .chain(file.overrides.iter().map(|section| &section.severity))
        .flatten();
    let lists = [&file.ignore, &file.select]
        .into_iter()
        .chain(file.overrides.iter().map(|section| &section.ignore))
        .flatten();
    for (name, severity) in severities {
        if let Some(message) = unknown(name) {
            return Err(source.error(severity, message));
        }
    }
    for name in lists {
        if let Some(message) = unknown(name) {
            return Err(source.error(name, message));
        }
    }
    Ok(())
}

pub(super) fn severities(
    section: &BTreeMap<String, Located<SeverityName>>,
) -> BTreeMap<String, Severity> {
    let checks = registry::all_checks();
    let mut severities = BTreeMap::new();
    for (name, severity) in section {
        for check in checks.iter().filter(|check| selects(name, check)) {
            severities.insert(check.code.to_owned(), Severity::from(**severity));
        }
    }
    severities
}

/// The parameters of `[checks.NAME]` tables.
pub(super) fn parameters(file: &ConfigFile, source: &Source) -> Result<Parameters, ConfigError> {
    let mut parameters = Parameters::default();
    for (name, values) in &file.checks {
        if let Some(message) = unknown(name) {
            return Err(source.error(values, message));
        }
        let Some(check) = registry::find_check(name) else {
            let message = format!("[checks.{name}] must name a single check");
            return Err(source.error(values, message));
        };
        for (parameter, written) in values.iter() {
            let declared = check.parameters.iter().map(|parameter| parameter.name);
            if !declared.clone().any(|known| known == parameter) {
                let hint = if check.parameters.is_empty() {
                    "it has no parameters".to_owned()
                } else {
                    suggestion(parameter, declared)
                };
                let message =
                    format!("unknown parameter \"{parameter}\" in [checks.{name}]; {hint}");
                return Err(source.error(written, message));
            }
            let value = match &**written {
                ParameterValue::Number(number) => Value::Number(*number),
                ParameterValue::Texts(texts) => Value::Texts(texts.clone()),
            };
            let default = registry::PROFILES
                .iter()
                .find_map(|profile| profile.parameters().get(check.name, parameter));
            let expected = match (default, &value) {
                (Some(Value::Number(_)), Value::Texts(_)) => "a number",
                (Some(Value::Texts(_)), Value::Number(_)) => "a list of texts in brackets",
                _ => {
                    parameters.set(check.name, parameter, value);
                    continue;
                }
            };
            let message = format!("invalid value for \"{parameter}\": expected {expected}");
            return Err(source.error(written, message));
        }
    }
    Ok(parameters)
}
