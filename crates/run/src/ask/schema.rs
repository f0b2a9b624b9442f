//! The JSON Schema of an answer. Knows no role and no provider.

use crate::token_estimate::estimated_tokens;

/// The JSON Schema of an answer, with the values that are derived from it once.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    value: serde_json::Value,
    text: String,
    tokens: u64,
    is_closed: bool,
}

impl Schema {
    #[must_use]
    pub fn new(value: serde_json::Value) -> Self {
        let text = value.to_string();
        Self {
            tokens: estimated_tokens(&text),
            is_closed: is_closed(&value),
            value,
            text,
        }
    }

    #[must_use]
    pub fn value(&self) -> &serde_json::Value {
        &self.value
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Upper estimate of its tokens.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// A copy without bounds on numbers and lists, for protocols that reject them. The bounds are
    /// checked when a reply is read.
    #[must_use]
    pub fn without_bounds(&self) -> Self {
        Self::new(unbounded(&self.value))
    }

    /// Whether every object forbids unknown properties and requires all known ones, as strict
    /// structured output demands.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// Schema keywords that some protocols reject.
pub const BOUNDS: [&str; 4] = ["minimum", "maximum", "minItems", "maxItems"];

fn unbounded(schema: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match schema {
        // Only a number is a bound; a schema here belongs to a property of that name.
        Value::Object(map) => map
            .iter()
            .filter(|(name, value)| !(BOUNDS.contains(&name.as_str()) && value.is_number()))
            .map(|(name, value)| (name.clone(), unbounded(value)))
            .collect(),
        Value::Array(items) => items.iter().map(unbounded).collect(),
        other => other.clone(),
    }
}

fn is_closed(schema: &serde_json::Value) -> bool {
    match schema {
        serde_json::Value::Object(map) => {
            let names = map.get("properties").and_then(|value| value.as_object());
            let required = map.get("required").and_then(|value| value.as_array());
            let is_required = |name: &String| {
                required.is_some_and(|required| required.iter().any(|other| other == name))
            };
            let closed = names.is_none_or(|names| {
                map.get("additionalProperties") == Some(&serde_json::Value::Bool(false))
                    && required.is_some()
                    && names.keys().all(is_required)
            });
            closed && map.values().all(is_closed)
        }
        serde_json::Value::Array(items) => items.iter().all(is_closed),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_closed_where_nothing_may_be_added_or_left_out() {
        let closed = serde_json::json!({"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"type": "string"}}});
        let mut open = closed.clone();
        open["properties"]["b"] = serde_json::json!({});
        let mut unsaid = closed.clone();
        unsaid.as_object_mut().unwrap().remove("required");
        let within = serde_json::json!({"items": open});
        for (schema, expected) in [
            (closed, true),
            (open, false),
            (unsaid, false),
            (within, false),
        ] {
            let schema = Schema::new(schema);
            assert_eq!(schema.is_closed(), expected, "{}", schema.text());
        }
    }
}
