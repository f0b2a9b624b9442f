//! Finding misspelt keys and values of the wrong kind: the file is compared with the
//! schema of its shape, and the nearest key that exists is proposed. A key of a
//! provider is refused wherever it stands.

use serde_json::Value as Json;
use toml::de::{DeTable, DeValue};

use super::ConfigFile;
use super::lines::{Complaint, Lines, below};
use super::{kinds, secret};

/// Complains about the first key that does not exist, or whose value cannot be
/// meant.
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
        let schema = kinds::resolve(schema, self.root);
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
            if secret::is_key(key) {
                return Err(self.lines.complain(&here, secret::advice(&here)));
            }
            self.value(value.get_ref(), expected, &here)?;
        }
        Ok(())
    }

    fn value(&self, value: &DeValue<'_>, expected: &Json, here: &str) -> Result<(), Complaint> {
        let fault = kinds::fault(here, value, expected, self.root);
        if let DeValue::String(text) = value
            && (secret::is_key(text) || (fault.is_some() && secret::may_be_key(text)))
        {
            return Err(self.lines.complain(here, secret::advice(here)));
        }
        if let Some(fault) = fault {
            return Err(self.lines.complain(here, fault));
        }
        match value {
            DeValue::Table(inner) => self.table(inner, expected, here),
            DeValue::Array(items) => {
                let expected = kinds::resolve(expected, self.root);
                let expected = expected.get("items").unwrap_or(&Json::Null);
                for (index, item) in items.iter().enumerate() {
                    self.value(item.get_ref(), expected, &format!("{here}[{index}]"))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn unknown(&self, here: &str, key: &str, known: &serde_json::Map<String, Json>) -> Complaint {
        let names = || known.keys().map(String::as_str);
        // Whoever looks for the place of a key is told where keys come from.
        let is_secret = known.contains_key("key-env")
            && ["key", "token", "secret", "password"]
                .iter()
                .any(|word| key.to_lowercase().contains(word));
        let message = match nearest(key, names()) {
            _ if is_secret => format!(
                "there is no key `{here}`; did you mean `key-env`? It takes the name of the variable that holds the key (key-file: the path of a file); the key itself does not belong into this file"
            ),
            Some(near) => format!("there is no key `{here}`; did you mean `{near}`?"),
            None => {
                let names: Vec<&str> = names().collect();
                format!("there is no key `{here}`; there are {}", names.join(", "))
            }
        };
        self.lines.complain(here, message)
    }
}
