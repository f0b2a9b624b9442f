//! Finding misspelt keys: the file is compared with the schema of its shape, and
//! the nearest key that exists is proposed.

use anyhow::bail;
use serde_json::Value as Json;
use toml::{Table, Value};

use super::ConfigFile;

/// Complains about the first key that does not exist.
pub(super) fn check(table: &Table) -> anyhow::Result<()> {
    let schema = schemars::schema_for!(ConfigFile).to_value();
    table_keys(table, &schema, &schema, "")
}

/// Of several names the one most like `word`, if any is like it at all.
pub fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LIKE: f64 = 0.75;
    names
        .map(|name| {
            (
                strsim::jaro_winkler(&word.to_lowercase(), &name.to_lowercase()),
                name,
            )
        })
        .filter(|(likeness, _)| *likeness >= LIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

fn table_keys(table: &Table, schema: &Json, root: &Json, path: &str) -> anyhow::Result<()> {
    let schema = resolve(schema, root);
    let Some(properties) = schema.get("properties").and_then(Json::as_object) else {
        return Ok(());
    };
    for (key, value) in table {
        let here = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        let Some(expected) = properties.get(key) else {
            match nearest(key, properties.keys().map(String::as_str)) {
                Some(near) => bail!("there is no key `{here}`; did you mean `{near}`?"),
                None => {
                    let known: Vec<&str> = properties.keys().map(String::as_str).collect();
                    bail!("there is no key `{here}`; there are {}", known.join(", "));
                }
            }
        };
        match value {
            Value::Table(inner) => table_keys(inner, expected, root, &here)?,
            Value::Array(items) => {
                let expected = resolve(expected, root).get("items").unwrap_or(&Json::Null);
                for (index, item) in items.iter().enumerate() {
                    if let Value::Table(inner) = item {
                        table_keys(inner, expected, root, &format!("{here}[{index}]"))?;
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Follows a `$ref` into the definitions.
fn resolve<'a>(schema: &'a Json, root: &'a Json) -> &'a Json {
    schema
        .get("$ref")
        .and_then(Json::as_str)
        .and_then(|reference| root.pointer(reference.trim_start_matches('#')))
        .unwrap_or(schema)
}
