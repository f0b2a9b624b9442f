//! Whether a value is of the kind that its key takes, and what to write if it is
//! not. The kinds come from the schema of the file's shape. The value itself is
//! never repeated: it may be a key of a provider.

use serde_json::Value as Json;
use toml::de::{DeInteger, DeValue};

/// What a key takes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind<'s> {
    Text,
    OneOf(&'s str),
    Number,
    /// Not below 0 and not above this.
    Whole(u64),
    List,
    /// A table whose names are free.
    Names,
    /// A list of tables.
    Tables,
    /// A table whose keys are known: it says itself what it takes.
    Section,
}

/// An example for each key that takes a figure, and for some that take words.
const EXAMPLES: &[(&str, &str)] = &[
    ("base-url", "\"https://models.example.org/v1\""),
    ("context", "32768"),
    ("cost-per-process", "10.00"),
    ("cost-per-run", "0.50"),
    ("fall-backs", "[\"openai/gpt-4.1\"]"),
    ("family", "\"qwen\""),
    ("in-flight", "4"),
    ("key-env", "\"OPENAI_API_KEY\""),
    ("key-file", "\"house.key\""),
    ("language", "\"en\""),
    ("max-tokens", "2000"),
    ("model", "\"gpt-4.1\""),
    ("price-in", "0.25"),
    ("price-out", "2.00"),
    ("profile", "\"lesson\""),
    ("provider", "\"openai\""),
    ("seconds-per-call", "180"),
    ("stall-seconds", "60"),
    ("temperature", "0.2"),
    ("threshold", "0.75"),
    ("tokens-per-process", "1000000"),
    ("weight", "0.75"),
];

/// What is wrong with the kind of a value, if anything.
pub(super) fn fault(path: &str, value: &DeValue<'_>, schema: &Json, root: &Json) -> Option<String> {
    let kinds = kinds(schema, root);
    if kinds.is_empty() || kinds.iter().any(|kind| kind.takes(value)) {
        return None;
    }
    let what: Vec<String> = match one_of(&kinds) {
        Some(names) => vec![names],
        None => kinds.iter().map(|kind| kind.words().to_owned()).collect(),
    };
    Some(format!(
        "`{path}` takes {}: write {}",
        what.join(" or "),
        example(path, kinds.first()?)
    ))
}

/// The schema that a reference or an optional value stands for.
pub(super) fn resolve<'s>(schema: &'s Json, root: &'s Json) -> &'s Json {
    schema
        .get("$ref")
        .and_then(Json::as_str)
        .and_then(|reference| root.pointer(reference.trim_start_matches('#')))
        .unwrap_or(schema)
}

fn kinds<'s>(schema: &'s Json, root: &'s Json) -> Vec<Kind<'s>> {
    let schema = resolve(schema, root);
    if let Some(name) = schema.get("const").and_then(Json::as_str) {
        return vec![Kind::OneOf(name)];
    }
    let choices = schema.get("anyOf").or_else(|| schema.get("oneOf"));
    if let Some(choices) = choices.and_then(Json::as_array) {
        return choices
            .iter()
            .flat_map(|choice| kinds(choice, root))
            .collect();
    }
    let types = match schema.get("type") {
        Some(Json::Array(types)) => types.iter().filter_map(Json::as_str).collect(),
        Some(Json::String(one)) => vec![one.as_str()],
        _ => Vec::new(),
    };
    let kind = |name| match name {
        "string" => Some(Kind::Text),
        "number" => Some(Kind::Number),
        "integer" => Some(Kind::Whole(most(schema))),
        "array" => Some(
            match kinds(schema.get("items").unwrap_or(&Json::Null), root).first() {
                Some(Kind::Section) => Kind::Tables,
                _ => Kind::List,
            },
        ),
        "object" if schema.get("properties").is_some() => Some(Kind::Section),
        "object" => Some(Kind::Names),
        _ => None,
    };
    types.into_iter().filter_map(kind).collect()
}

fn most(schema: &Json) -> u64 {
    match schema.get("format").and_then(Json::as_str) {
        Some("uint32") => u64::from(u32::MAX),
        // A number of the file's language is no larger.
        _ => i64::MAX.unsigned_abs(),
    }
}

impl Kind<'_> {
    fn takes(&self, value: &DeValue<'_>) -> bool {
        match (self, value) {
            (Self::OneOf(name), DeValue::String(text)) => text.as_ref() == *name,
            (Self::Whole(most), DeValue::Integer(number)) => {
                whole(number).is_some_and(|number| number <= *most)
            }
            (Self::Text, DeValue::String(_))
            | (Self::Number, DeValue::Integer(_) | DeValue::Float(_))
            | (Self::List | Self::Tables, DeValue::Array(_))
            | (Self::Names, DeValue::Table(_))
            | (Self::Section, _) => true,
            _ => false,
        }
    }

    fn words(&self) -> &'static str {
        match self {
            Self::Text => "text in quotes",
            Self::OneOf(_) => "one of a few words",
            Self::Number => "a number without quotes",
            Self::Whole(_) => "a whole number without quotes",
            Self::List => "a list in brackets",
            Self::Tables => "tables",
            Self::Names | Self::Section => "a table",
        }
    }
}

fn whole(number: &DeInteger<'_>) -> Option<u64> {
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// The words that are taken, where the choice is among words.
fn one_of(kinds: &[Kind<'_>]) -> Option<String> {
    let names: Option<Vec<String>> = kinds
        .iter()
        .map(|kind| match kind {
            Kind::OneOf(name) => Some(format!("\"{name}\"")),
            _ => None,
        })
        .collect();
    Some(format!("one of {}", names?.join(", ")))
}

fn example(path: &str, kind: &Kind<'_>) -> String {
    let key = path.rsplit('.').next().unwrap_or(path);
    let key = key.split('[').next().unwrap_or(key);
    let known = EXAMPLES.iter().find(|(name, _)| *name == key);
    let is_item = path.ends_with(']');
    match (kind, known) {
        (Kind::Names, _) => format!("[{path}] and its keys below it"),
        (Kind::Tables, _) => format!("[[{path}]] and its keys below it"),
        (Kind::Text, _) if is_item => "it like \"…\"".to_owned(),
        (_, Some((_, example))) => format!("{key} = {example}"),
        (Kind::OneOf(name), None) => format!("{key} = \"{name}\""),
        (Kind::Number, None) => format!("{key} = 0.5"),
        (Kind::Whole(_), None) => format!("{key} = 1000"),
        (Kind::List, None) => format!("{key} = [\"…\"]"),
        (Kind::Text | Kind::Section, None) => format!("{key} = \"…\""),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::*;
    use crate::config::{Config, ConfigFile};

    #[test]
    fn a_value_of_the_wrong_kind_is_told_with_its_key_and_an_example() {
        for (text, expected) in [
            (
                "[roles.judge]\ntemperature = \"hot\"",
                "line 2: `roles.judge.temperature` takes a number without quotes: write temperature = 0.2",
            ),
            (
                "[roles.judge]\nmax-tokens = 2.5",
                "line 2: `roles.judge.max-tokens` takes a whole number without quotes: write max-tokens = 2000",
            ),
            (
                "[roles.judge]\nmax-tokens = 99999999999",
                "line 2: `roles.judge.max-tokens` takes a whole number",
            ),
            (
                "[providers.openai]\nin-flight = -1",
                "line 2: `providers.openai.in-flight` takes a whole number without quotes: write in-flight = 4",
            ),
            (
                "[providers.openai]\napi = \"grpc\"",
                "line 2: `providers.openai.api` takes one of \"openai\", \"anthropic\", \"gemini\": write api = \"openai\"",
            ),
            (
                "[roles.judge.language.ru]\nweight = true",
                "line 2: `roles.judge.language.ru.weight` takes a number",
            ),
            (
                "[limits.cost-per-run]\n",
                "line 1: `limits.cost-per-run` takes a number without quotes: write cost-per-run = 0.50",
            ),
            (
                "[roles.judge]\nfall-backs = \"a\"",
                "line 2: `roles.judge.fall-backs` takes a list in brackets: write fall-backs = [\"openai/gpt-4.1\"]",
            ),
            (
                "[roles.judge]\nfall-backs = [\n\"a\",\n1]",
                "line 4: `roles.judge.fall-backs[1]` takes text in quotes: write it like \"…\"",
            ),
            (
                "providers = 1",
                "line 1: `providers` takes a table: write [providers] and its keys below it",
            ),
            (
                "override = 1",
                "line 1: `override` takes tables: write [[override]] and its keys below it",
            ),
            (
                "[checks.repeated-text]\nmin-words = true",
                "line 2: `checks.repeated-text.min-words` takes a number without quotes or a list in brackets: write min-words = 0.5",
            ),
            (
                "[institution.weights]\nblooms_match = \"a\"",
                "line 2: `institution.weights.blooms_match` takes a number",
            ),
            (
                "[roles]\njudge = \"gpt\"",
                "line 2: this takes a table: [roles.judge] with `provider` and `model` below it",
            ),
            ("[roles.judge]\nmax-tokens = 0x10", ""),
            ("[roles.judge]\nmax-tokens = 2_000", ""),
        ] {
            let said = Config::parse(text, PathBuf::new())
                .map_or_else(|error| format!("{error:#}"), |_| String::new());
            assert!(said.starts_with(expected), "{text}\n{said}");
            assert_eq!(said.is_empty(), expected.is_empty(), "{text}\n{said}");
        }
    }

    #[test]
    fn every_figure_of_the_file_has_an_example_of_its_own() {
        let schema = schemars::schema_for!(ConfigFile).to_value();
        let mut lacking = BTreeSet::new();
        for section in schema["$defs"].as_object().unwrap().values() {
            for (key, expected) in section["properties"].as_object().into_iter().flatten() {
                let is_figure = kinds(expected, &schema)
                    .iter()
                    .any(|kind| matches!(kind, Kind::Number | Kind::Whole(_)));
                if is_figure && !EXAMPLES.iter().any(|(name, _)| name == key) {
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
