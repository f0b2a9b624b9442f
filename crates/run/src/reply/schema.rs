//! The JSON Schema of a type that replies are read into, in the restricted form that providers with
//! strict output accept: no references, no titles, all objects closed.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    narrowed(schema.to_value())
}

/// Restricts a string in a schema to words that are only known at run time. `pointer` is a JSON
/// pointer to the string's schema.
pub(crate) fn restrict_to(words: &[String], schema: &mut Value, pointer: &str) {
    if let Some(string) = schema.pointer_mut(pointer).and_then(Value::as_object_mut) {
        string.insert("enum".to_owned(), words.into());
    }
}

/// The order of keywords. It is fixed here and not left to the generator, because the text of
/// schemas is part of the fingerprint of an ask.
const KEYWORDS: [&str; 10] = [
    "type",
    "additionalProperties",
    "required",
    "properties",
    "items",
    "enum",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
];

fn narrowed(schema: Value) -> Value {
    let Value::Object(mut given) = schema else {
        return schema;
    };
    if given.contains_key("properties") {
        given.insert("additionalProperties".to_owned(), false.into());
    }
    let mut kept = Map::new();
    for keyword in KEYWORDS {
        if let Some(value) = given.remove(keyword) {
            let value = match value {
                Value::Object(named) if keyword == "properties" => named
                    .into_iter()
                    .map(|(name, schema)| (name, narrowed(schema)))
                    .collect(),
                value => narrowed(value),
            };
            kept.insert(keyword.to_owned(), value);
        }
    }
    Value::Object(kept)
}
