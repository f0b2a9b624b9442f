//! Finding misspelt keys: the file is compared with the schema of its shape, and
//! the nearest key that exists is proposed.

use serde_json::Value as Json;
use toml::de::{DeTable, DeValue};

use super::ConfigFile;
use super::lines::{Complaint, Lines, below};

/// Complains about the first key that does not exist.
pub(super) fn check(table: &DeTable<'_>, lines: &Lines) -> Result<(), Complaint> {
    let schema = schemars::schema_for!(ConfigFile).to_value();
    Keys {
        root: &schema,
        lines,
    }
    .table(table, &schema, "")
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

struct Keys<'a> {
    root: &'a Json,
    lines: &'a Lines,
}

impl Keys<'_> {
    /// The tables of a file are nested as deep as its shape is, no deeper: what
    /// the shape does not know is complained about first.
    fn table(&self, table: &DeTable<'_>, schema: &Json, path: &str) -> Result<(), Complaint> {
        let schema = self.resolve(schema);
        let properties = schema.get("properties").and_then(Json::as_object);
        // Where names are free, what stands below each of them is known.
        let any_name = schema
            .get("additionalProperties")
            .filter(|below| below.is_object());
        for (key, value) in table {
            let key: &str = key.get_ref();
            let here = below(path, key);
            let expected = match properties {
                Some(properties) => match properties.get(key) {
                    Some(expected) => expected,
                    None => return Err(self.unknown(&here, key, properties)),
                },
                None => match any_name {
                    Some(expected) => expected,
                    None => return Ok(()),
                },
            };
            match value.get_ref() {
                DeValue::Table(inner) => self.table(inner, expected, &here)?,
                DeValue::Array(items) => {
                    let expected = self.resolve(expected).get("items").unwrap_or(&Json::Null);
                    for (index, item) in items.iter().enumerate() {
                        if let DeValue::Table(inner) = item.get_ref() {
                            self.table(inner, expected, &format!("{here}[{index}]"))?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn unknown(&self, here: &str, key: &str, known: &serde_json::Map<String, Json>) -> Complaint {
        let names = || known.keys().map(String::as_str);
        let message = match nearest(key, names()) {
            Some(near) => format!("there is no key `{here}`; did you mean `{near}`?"),
            None => {
                let names: Vec<&str> = names().collect();
                format!("there is no key `{here}`; there are {}", names.join(", "))
            }
        };
        self.lines.complain(here, message)
    }

    /// Follows a `$ref` into the definitions.
    fn resolve<'s>(&'s self, schema: &'s Json) -> &'s Json {
        schema
            .get("$ref")
            .and_then(Json::as_str)
            .and_then(|reference| self.root.pointer(reference.trim_start_matches('#')))
            .unwrap_or(schema)
    }
}
