//! The figures of a policy: thresholds and lists that checks read.
//!
//! Every figure has a default in a profile's `policy.toml`, beside it the reason
//! for it; the user's configuration may change it. No check carries a number of
//! its own.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A threshold or a count.
    Number(f64),
    /// A list of words or phrases.
    Texts(Vec<String>),
}

/// The parameters in force, by check and name. A copy costs nothing until it is
/// changed: most documents are examined with their profile's own figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    values: Arc<BTreeMap<String, BTreeMap<String, Value>>>,
}

impl Parameters {
    /// Sets a parameter.
    pub fn set(&mut self, check: &str, parameter: &str, value: Value) {
        Arc::make_mut(&mut self.values)
            .entry(check.to_owned())
            .or_default()
            .insert(parameter.to_owned(), value);
    }

    /// Lays other parameters over these.
    pub fn overlay(&mut self, other: &Self) {
        for (check, values) in other.values.iter() {
            for (parameter, value) in values {
                self.set(check, parameter, value.clone());
            }
        }
    }

    /// A parameter, where it is set.
    #[must_use]
    pub fn get(&self, check: &str, parameter: &str) -> Option<&Value> {
        self.values.get(check)?.get(parameter)
    }

    /// A figure; 0 where the policy has none, which the conformance test of the
    /// profiles rules out.
    #[must_use]
    pub fn number(&self, check: &str, parameter: &str) -> f64 {
        match self.get(check, parameter) {
            Some(Value::Number(number)) => *number,
            _ => 0.0,
        }
    }

    /// A list; empty where the policy has none.
    #[must_use]
    pub fn texts(&self, check: &str, parameter: &str) -> &[String] {
        match self.get(check, parameter) {
            Some(Value::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// All parameters that are set, as check, name and value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        self.values.iter().flat_map(|(check, values)| {
            values
                .iter()
                .map(move |(parameter, value)| (check.as_str(), parameter.as_str(), value))
        })
    }
}
