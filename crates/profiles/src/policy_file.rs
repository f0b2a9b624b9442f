//! Reading a `policy.toml`: the parameters of checks, and how a judged text is decided on.

use redraft_gate::policy::{Parameters, Value};
use redraft_run::policy::{Mode, Policy};

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

/// The decisions of a profile: `[decide]`, and what a mode lays over it in
/// `[decide.semi-auto]` and `[decide.full-auto]`.
#[derive(Debug)]
pub(crate) struct Decisions {
    semi_auto: Policy,
    full_auto: Policy,
}

impl Decisions {
    pub(crate) fn read(policy: &str) -> Result<Self, PolicyError> {
        let table: toml::Table = policy
            .parse()
            .map_err(|error: toml::de::Error| PolicyError(error.to_string()))?;
        let decide = table
            .get("decide")
            .and_then(toml::Value::as_table)
            .ok_or_else(|| PolicyError("missing table [decide]".to_owned()))?;
        let of = |mode: Mode| {
            let mut shared = decide.clone();
            let own = shared.remove(mode.name());
            for mode in [Mode::SemiAuto, Mode::FullAuto] {
                shared.remove(mode.name());
            }
            for (key, value) in own
                .as_ref()
                .and_then(toml::Value::as_table)
                .into_iter()
                .flatten()
            {
                shared.insert(key.clone(), value.clone());
            }
            shared
                .try_into::<Policy>()
                .map_err(|error| PolicyError(format!("[decide], {}: {error}", mode.name())))
        };
        Ok(Self {
            semi_auto: of(Mode::SemiAuto)?,
            full_auto: of(Mode::FullAuto)?,
        })
    }

    /// Reads a policy that is compiled into the program.
    #[expect(
        clippy::panic,
        reason = "the file is part of the program, and a test reads it"
    )]
    pub(crate) fn of_program(policy: &str) -> Self {
        Self::read(policy).unwrap_or_else(|error| panic!("{}", error.0))
    }

    pub(crate) fn of(&self, mode: Mode) -> &Policy {
        match mode {
            Mode::SemiAuto => &self.semi_auto,
            Mode::FullAuto => &self.full_auto,
        }
    }
}

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
