//! Reading a `policy.toml`: the figures that checks are given.

use redraft_core::policy::{Parameters, Value};

use crate::shared;

/// Why a policy could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PolicyError(pub(crate) String);

/// The `[checks.<name>]` tables of a policy file.
///
/// # Errors
/// When the file is not TOML or a value is neither a number nor a list of texts.
pub(crate) fn parameters(policy: &str) -> Result<Parameters, PolicyError> {
    let table: toml::Table = policy
        .parse()
        .map_err(|error: toml::de::Error| PolicyError(error.to_string()))?;
    let mut parameters = Parameters::default();
    let checks = table.get("checks").and_then(toml::Value::as_table);
    for (check, values) in checks.into_iter().flatten() {
        for (name, value) in values.as_table().into_iter().flatten() {
            let value = parameter(value).ok_or_else(|| {
                PolicyError(format!(
                    "checks.{check}.{name} is neither a number nor a list of texts"
                ))
            })?;
            parameters.set(check, name, value);
        }
    }
    Ok(parameters)
}

/// The figures of a profile: its own over the shared ones. The file is part of
/// the program; the conformance test reads it too and fails where this would
/// fall back.
pub(crate) fn over_shared(policy: &str) -> Parameters {
    let mut figures = shared::parameters().clone();
    figures.overlay(&parameters(policy).unwrap_or_default());
    figures
}

/// A parameter's value from TOML.
#[must_use]
fn parameter(value: &toml::Value) -> Option<Value> {
    match value {
        #[expect(clippy::cast_precision_loss, reason = "thresholds are small")]
        toml::Value::Integer(number) => Some(Value::Number(*number as f64)),
        toml::Value::Float(number) if number.is_finite() => Some(Value::Number(*number)),
        toml::Value::Array(texts) => texts
            .iter()
            .map(|text| text.as_str().map(str::to_owned))
            .collect::<Option<_>>()
            .map(Value::Texts),
        _ => None,
    }
}
