//! Values of `redraft.toml` that remember where they were written, so that an error
//! can name the line. It knows nothing of what keys mean.

use std::borrow::Cow;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::error::ConfigError;

/// A [`toml::Spanned`] value that has a JSON Schema: that of the value itself. It
/// can be written because schemas contain default values.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Located<T>(toml::Spanned<T>);

impl<T> Deref for Located<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.get_ref()
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// The file that values come from: its path, and where its lines start.
#[derive(Clone, Debug, Default)]
pub struct Source {
    path: Option<PathBuf>,
    line_starts: Vec<usize>,
}

impl Source {
    pub(super) fn new(text: &str, path: &Path) -> Self {
        Self {
            path: Some(path.to_owned()),
            line_starts: std::iter::once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
        }
    }

    /// The line that a value starts on, from 1; for a table that of its header.
    #[must_use]
    pub fn line<T>(&self, value: &Located<T>) -> usize {
        self.line_at(&value.0.span())
    }

    pub(super) fn line_at(&self, span: &Range<usize>) -> usize {
        self.line_starts
            .partition_point(|start| *start <= span.start)
    }

    /// An error about a value.
    #[must_use]
    pub fn error<T>(&self, at: &Located<T>, message: impl Into<String>) -> ConfigError {
        self.error_on(Some(self.line(at)), message)
    }

    /// An error about a line, or about the configuration as a whole.
    #[must_use]
    pub fn error_on(&self, line: Option<usize>, message: impl Into<String>) -> ConfigError {
        ConfigError::new(self.path.clone(), line, message.into())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_value_has_its_own_line_and_a_table_that_of_its_header() {
        type Tables = BTreeMap<String, Located<BTreeMap<String, Located<toml::Value>>>>;
        let text = "[judge]\nmodel = \"m\"\n\n[\"gpt-4.1\"]\nprice-in = 2\nlist = [\n  \"x\",\n]\n";
        let tables: Tables = toml::from_str(text).unwrap();
        let source = Source::new(text, Path::new("redraft.toml"));
        for (table, key, line) in [
            ("judge", None, 1),
            ("judge", Some("model"), 2),
            ("gpt-4.1", None, 4),
            ("gpt-4.1", Some("price-in"), 5),
            ("gpt-4.1", Some("list"), 6),
        ] {
            let table = &tables[table];
            let found = key.map_or_else(|| source.line(table), |key| source.line(&table[key]));
            assert_eq!(found, line, "{key:?}");
        }
        let error = source.error(&tables["gpt-4.1"]["price-in"], "invalid price");
        assert_eq!(error.to_string(), "redraft.toml:5: invalid price");
    }
}
