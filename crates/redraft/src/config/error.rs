//! Errors in `redraft.toml`: which file, which line, which key, and what to write.
//! A value is never repeated: it may be an API key in the wrong place.
//!
//! What serde reports is reworded here. Its span says which line and key it is
//! about, the end of its message what was expected.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use toml::de::{DeTable, DeValue};

use super::located::Source;
use super::secret;
use super::suggest::suggestion;

/// An error in the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    file: Option<PathBuf>,
    /// The line, from 1, if the error is about one.
    pub line: Option<usize>,
    message: String,
}

impl ConfigError {
    /// A message that may contain an API key is replaced.
    pub(super) fn new(file: Option<PathBuf>, line: Option<usize>, message: String) -> Self {
        let message = if secret::may_be_key(&message) {
            secret::advice(None)
        } else {
            message
        };
        Self {
            file,
            line,
            message,
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", file.display())?,
            (Some(file), None) => write!(f, "{}: ", file.display())?,
            (None, _) => {}
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConfigError {}

/// An example for each key that takes a number or one of a few words, and for some
/// others.
const EXAMPLES: &[(&str, &str)] = &[
    ("api", "\"openai\""),
    ("base-url", "\"https://models.example.org/v1\""),
    ("context", "32768"),
    ("cost-per-process", "10.00"),
    ("cost-per-run", "0.50"),
    ("exclude", "[\"drafts/**\"]"),
    ("fall-backs", "[\"openai/gpt-4.1\"]"),
    ("family", "\"qwen\""),
    ("edit-form", "\"whole\""),
    ("grace", "20"),
    ("ignore", "[\"repeated-text\"]"),
    ("in-flight", "4"),
    ("include", "[\"lessons/**\"]"),
    ("api-version", "\"2024-10-21\""),
    ("key-env", "\"OPENAI_API_KEY\""),
    ("key-file", "\"house.key\""),
    ("language", "\"en\""),
    ("lease", "15"),
    ("max-body", "8388608"),
    ("max-tokens", "2000"),
    ("model", "\"gpt-4.1\""),
    ("paths", "[\"drafts/**\"]"),
    ("price-cache-write", "0.30"),
    ("price-cached-in", "0.025"),
    ("price-in", "0.25"),
    ("price-out", "2.00"),
    ("rate", "100"),
    ("slots", "16"),
    ("profile", "\"lesson\""),
    ("provider", "\"openai\""),
    ("seconds-per-call", "180"),
    ("seconds-per-run", "900"),
    ("select", "[\"TXT\"]"),
    ("stall-seconds", "60"),
    ("max-input-bytes", "20000000"),
    ("max-bank-bytes", "200000000"),
    ("streams", "4096"),
    ("structured", "\"native\""),
    ("temperature", "0.2"),
    ("threshold", "0.75"),
    ("tokens-per-process", "1000000"),
    ("tokens-per-run", "300000"),
    ("weight", "0.75"),
];

/// Text that is not TOML.
pub(super) fn syntax(source: &Source, error: &toml::de::Error) -> ConfigError {
    let line = error.span().map(|span| source.line_at(&span));
    let reason = error.message().replace('\n', "; ");
    source.error_on(line, format!("invalid TOML: {reason}"))
}

/// An API key anywhere in the file.
pub(super) fn api_key(source: &Source, table: &DeTable<'_>) -> Result<(), ConfigError> {
    let found = entries(table).into_iter().find(|entry| {
        secret::is_key(entry.key)
            || matches!(entry.value, DeValue::String(text) if secret::is_key(text))
    });
    found.map_or(Ok(()), |entry| Err(entry.secret(source)))
}

/// A key that does not exist, or a value of the wrong type.
pub(super) fn mismatch(
    source: &Source,
    table: &DeTable<'_>,
    error: &toml::de::Error,
) -> ConfigError {
    let entries = entries(table);
    let line = error.span().map(|span| source.line_at(&span));
    let (_, expected) = error
        .message()
        .rsplit_once(", expected ")
        .unwrap_or(("", error.message()));
    let find = |is: fn(&Entry<'_>, &Range<usize>) -> bool| {
        let span = error.span()?;
        entries.iter().find(|entry| is(entry, &span))
    };
    if error.message().starts_with("unknown field")
        && let Some(entry) = find(|entry, span| entry.key_span == *span)
    {
        return source.error_on(line, unknown_key(entry, &quoted(expected)));
    }
    // The parser shows a date as a table with a key of its own.
    let expected = if error.message().starts_with("unknown field") {
        "a map"
    } else {
        expected
    };
    let Some(entry) = find(|entry, span| entry.value_span == *span) else {
        return source.error_on(line, format!("invalid value: expected {}", kind(expected)));
    };
    if matches!(entry.value, DeValue::String(text) if secret::may_be_key(text)) {
        return entry.secret(source);
    }
    let choices = if error.message().starts_with("unknown variant") {
        quoted(expected)
    } else {
        Vec::new()
    };
    source.error_on(line, wrong_type(entry, expected, &choices))
}

fn unknown_key(entry: &Entry<'_>, known: &[&str]) -> String {
    let key = entry.key;
    let place = match entry.table.as_str() {
        "" => String::new(),
        "override" => " in [[override]]".to_owned(),
        table => format!(" in [{table}]"),
    };
    // A user who looks for where to put a key learns where keys come from.
    let is_secret = known.contains(&"key-env")
        && ["key", "token", "secret", "password"]
            .iter()
            .any(|word| key.to_lowercase().contains(word));
    if is_secret {
        return format!(
            "unknown key \"{key}\"{place}; did you mean \"key-env\"? It takes the name of an environment variable that holds the API key (key-file: the path of a file). Do not put keys in this file"
        );
    }
    let known = known.iter().copied();
    format!("unknown key \"{key}\"{place}; {}", suggestion(key, known))
}

fn wrong_type(entry: &Entry<'_>, expected: &str, choices: &[&str]) -> String {
    let key = entry.key;
    let known = EXAMPLES.iter().find(|(name, _)| *name == key);
    let example = match (expected, choices, known) {
        ("a map", ..) => Some(format!("[{}]", below(&entry.table, key))),
        ("a sequence", ..) if key == "override" => Some("[[override]]".to_owned()),
        (_, [first, ..], _) => Some(format!("{key} = \"{first}\"")),
        // The description of a section says what to write.
        _ if expected.starts_with("a table") => None,
        (.., known) => known.map(|(_, example)| format!("{key} = {example}")),
    };
    let expected = if choices.is_empty() {
        kind(expected).to_owned()
    } else {
        let choices: Vec<String> = choices.iter().map(|name| format!("\"{name}\"")).collect();
        format!("one of {}", choices.join(", "))
    };
    let example = example.map_or_else(String::new, |example| format!(", for example {example}"));
    format!("invalid value for \"{key}\": expected {expected}{example}")
}

/// What serde calls a type, in the words of TOML.
fn kind(expected: &str) -> &str {
    match expected {
        "f64" => "a number without quotes",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number of 0 or more",
        "a string" | "wanted string or table" => "text in quotes",
        "a sequence" => "a list in brackets",
        "a map" => "a table",
        other => other,
    }
}

/// The names in backticks in a message of serde.
fn quoted(expected: &str) -> Vec<&str> {
    expected.split('`').skip(1).step_by(2).collect()
}

/// A key with its value, or an item of a list.
struct Entry<'a> {
    /// The table that the key is in, such as `roles.judge`.
    table: String,
    key: &'a str,
    key_span: Range<usize>,
    value: &'a DeValue<'a>,
    value_span: Range<usize>,
}

impl Entry<'_> {
    fn secret(&self, source: &Source) -> ConfigError {
        let key = Some(self.key).filter(|key| !secret::may_be_key(key));
        let line = Some(source.line_at(&self.key_span));
        source.error_on(line, secret::advice(key))
    }
}

/// All keys of a file with their values, tables and items of lists included.
fn entries<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    let mut open = vec![(String::new(), table)];
    while let Some((path, table)) = open.pop() {
        for (key, value) in table {
            let mut values = vec![(key.span(), value)];
            while let Some((key_span, value)) = values.pop() {
                entries.push(Entry {
                    table: path.clone(),
                    key: key.get_ref(),
                    key_span,
                    value: value.get_ref(),
                    value_span: value.span(),
                });
                match value.get_ref() {
                    DeValue::Table(inner) => open.push((below(&path, key.get_ref()), inner)),
                    DeValue::Array(items) => {
                        values.extend(items.iter().map(|item| (item.span(), item)));
                    }
                    _ => {}
                }
            }
        }
    }
    entries
}

/// The path of a key in a table.
fn below(table: &str, key: &str) -> String {
    match table {
        "" => key.to_owned(),
        table => format!("{table}.{key}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::config::{Config, ConfigFile};

    #[test]
    fn a_value_of_the_wrong_type_is_named_with_its_key_and_an_example() {
        for (text, expected) in [
            (
                "[roles.judge]\ntemperature = \"hot\"",
                "redraft.toml:2: invalid value for \"temperature\": expected a number without quotes, for example temperature = 0.2",
            ),
            (
                "[roles.judge]\nmax-tokens = 2.5",
                "redraft.toml:2: invalid value for \"max-tokens\": expected a whole number from 0 to 4294967295, for example max-tokens = 2000",
            ),
            (
                "[roles.judge]\nmax-tokens = 99999999999",
                "redraft.toml:2: invalid value for \"max-tokens\": expected a whole number",
            ),
            (
                "[roles.judge]\nmax-tokens = 99999999999999999999999",
                "redraft.toml:2: invalid value for \"max-tokens\": expected a whole number",
            ),
            (
                "[providers.openai]\nin-flight = -1",
                "redraft.toml:2: invalid value for \"in-flight\": expected a whole number of 0 or more, for example in-flight = 4",
            ),
            (
                "[providers.openai]\napi = \"grpc\"",
                "redraft.toml:2: invalid value for \"api\": expected one of \"openai\", \"anthropic\", \"gemini\", \"azure\", for example api = \"openai\"",
            ),
            (
                "[providers.openai]\napi = 1",
                "redraft.toml:2: invalid value for \"api\": expected text in quotes, for example api = \"openai\"",
            ),
            (
                "[roles.judge.language.ru]\nweight = true",
                "redraft.toml:2: invalid value for \"weight\": expected a number",
            ),
            (
                "[limits.cost-per-run]\n",
                "redraft.toml:1: invalid value for \"cost-per-run\": expected a number without quotes, for example cost-per-run = 0.50",
            ),
            (
                "[roles.judge]\nfall-backs = \"a\"",
                "redraft.toml:2: invalid value for \"fall-backs\": expected a list in brackets, for example fall-backs = [\"openai/gpt-4.1\"]",
            ),
            (
                "[roles.judge]\nfall-backs = [\n\"a\",\n1]",
                "redraft.toml:4: invalid value for \"fall-backs\": expected text in quotes, for example fall-backs = [\"openai/gpt-4.1\"]",
            ),
            (
                "providers = 1",
                "redraft.toml:1: invalid value for \"providers\": expected a table, for example [providers]",
            ),
            (
                "override = 1",
                "redraft.toml:1: invalid value for \"override\": expected a list in brackets, for example [[override]]",
            ),
            (
                "[checks.repeated-text]\nmin-words = true",
                "redraft.toml:2: invalid value for \"min-words\": expected a number without quotes or a list of texts",
            ),
            (
                "[institution.weights]\nblooms_match = \"a\"",
                "redraft.toml:2: invalid value for \"blooms_match\": expected a number",
            ),
            (
                "[roles]\njudge = \"gpt\"",
                "redraft.toml:2: invalid value for \"judge\": expected a table, for example [roles.judge] with provider = ",
            ),
            (
                "files = 1979-05-27",
                "redraft.toml:1: invalid value for \"files\": expected a table, for example [files]",
            ),
            ("[roles.judge]\nmax-tokens = 0x10", ""),
            ("[roles.judge]\nmax-tokens = 2_000", ""),
        ] {
            let message = Config::parse(text, Path::new("redraft.toml"))
                .map_or_else(|error| format!("{error:#}"), |_| String::new());
            assert!(message.starts_with(expected), "{text}\n{message}");
            assert_eq!(message.is_empty(), expected.is_empty(), "{text}\n{message}");
        }
    }

    #[test]
    fn every_number_of_the_file_has_an_example() {
        let schema = schemars::schema_for!(ConfigFile).to_value();
        let mut lacking = BTreeSet::new();
        for section in schema["$defs"].as_object().unwrap().values() {
            for (key, expected) in section["properties"].as_object().into_iter().flatten() {
                let types = expected["type"].to_string();
                let is_number = types.contains("number") || types.contains("integer");
                if is_number && !EXAMPLES.iter().any(|(name, _)| name == key) {
                    lacking.insert(key.clone());
                }
            }
        }
        assert_eq!(lacking, BTreeSet::new());
        for (key, example) in EXAMPLES {
            assert!(format!("{key} = {example}").parse::<toml::Table>().is_ok());
        }
    }
}
