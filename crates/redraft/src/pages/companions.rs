//! The JSON Schemas of companion files and the tables of their fields, from the
//! declaration by which they are read.

use std::fmt::Write as _;

use redraft_profiles::companions::fields::{
    COMPANIONS, Companion, Field, Form, Object, Required, Value,
};
use serde_json::{Map, Value as Json, json};

/// The schema of each companion, by its name. Unknown fields are allowed, because
/// they are ignored when the file is read.
pub(super) fn schemas() -> Vec<(&'static str, Json)> {
    COMPANIONS
        .iter()
        .map(|companion| (companion.name, schema(companion)))
        .collect()
}

fn schema(companion: &Companion) -> Json {
    let mut definitions = Map::new();
    let forms: Vec<Json> = companion
        .forms
        .iter()
        .map(|form| match *form {
            Form::Object(object) => reference(object, &mut definitions),
            Form::Objects(object) => list(&reference(object, &mut definitions)),
            Form::TextsOrObjects(object) => list(&or_text(&reference(object, &mut definitions))),
        })
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": companion.title,
        "description": format!("What `{}` reads as JSON. Fields that are not listed are ignored.", companion.option),
        "anyOf": forms,
        "$defs": definitions,
    })
}

fn reference(object: &Object, definitions: &mut Map<String, Json>) -> Json {
    if !definitions.contains_key(object.name) {
        definitions.insert(object.name.to_owned(), Json::Null);
        let mut properties = Map::new();
        for field in object.all_fields() {
            let value = value(field, definitions);
            for (index, name) in field.names.iter().enumerate() {
                let mut property = value.clone();
                property["description"] = match index {
                    0 => json!(field.used_for),
                    _ => json!(format!("Another name of `{}`.", field.names[0])),
                };
                property["examples"] = json!([example(field)]);
                properties.insert((*name).to_owned(), property);
            }
        }
        let mut definition = json!({"type": "object", "properties": properties});
        if let Some(choices) = required(object.required) {
            definition["anyOf"] = choices;
        }
        definitions.insert(object.name.to_owned(), definition);
    }
    json!({"$ref": format!("#/$defs/{}", object.name)})
}

/// Every way to have as many of the names as are required.
fn required(required: Required) -> Option<Json> {
    let names = required.names;
    let choices: Vec<Json> = match required.least {
        0 => return None,
        1 => names
            .iter()
            .map(|name| json!({"required": [name]}))
            .collect(),
        _ => (0..names.len())
            .flat_map(|first| (first + 1..names.len()).map(move |second| (first, second)))
            .map(|(first, second)| json!({"required": [names[first], names[second]]}))
            .collect(),
    };
    Some(Json::Array(choices))
}

fn value(field: &Field, definitions: &mut Map<String, Json>) -> Json {
    match field.value {
        Value::Text => json!({"type": ["string", "null"]}),
        Value::Number => json!({"type": ["number", "null"]}),
        Value::Integer => json!({"type": ["integer", "null"]}),
        Value::Flag => json!({"type": ["boolean", "null"]}),
        Value::Id => json!({"type": ["string", "integer", "null"]}),
        Value::Count => json!({"type": ["array", "null"]}),
        Value::Codes => {
            let object = reference(
                &redraft_profiles::companions::fields::code::OBJECT,
                definitions,
            );
            nullable(&list(
                &json!({"anyOf": [{"type": ["string", "integer"]}, object]}),
            ))
        }
        Value::Object(object) => nullable(&reference(object, definitions)),
        Value::TextOrObject(object) => nullable(&or_text(&reference(object, definitions))),
        Value::Objects(object) => nullable(&list(&reference(object, definitions))),
        Value::TextsOrObjects(object) => nullable(&list(&or_text(&reference(object, definitions)))),
        Value::ObjectsOrJson(object) => nullable(&or_text(&list(&reference(object, definitions)))),
    }
}

fn list(items: &Json) -> Json {
    json!({"type": "array", "items": items})
}

fn or_text(schema: &Json) -> Json {
    json!({"anyOf": [{"type": "string"}, schema]})
}

fn nullable(schema: &Json) -> Json {
    json!({"anyOf": [schema, {"type": "null"}]})
}

fn example(field: &Field) -> Json {
    serde_json::from_str(field.example).unwrap_or_default()
}

/// The table of all fields of a companion, those of inner objects by their path.
pub(super) fn table(companion: &Companion) -> String {
    let mut rows = "| field | type | use | example |\n|---|---|---|---|\n".to_owned();
    let mut listed: Vec<&str> = Vec::new();
    for form in companion.forms {
        let (Form::Object(object) | Form::Objects(object) | Form::TextsOrObjects(object)) = *form;
        if !listed.contains(&object.name) {
            add_rows(&mut rows, object, "", &mut listed);
        }
    }
    rows
}

fn add_rows(rows: &mut String, object: &'static Object, path: &str, listed: &mut Vec<&str>) {
    listed.push(object.name);
    for field in object.all_fields() {
        // The path once, then the other names alone.
        let names = format!("`{path}{}`", field.names.join("`, `"));
        let _ = writeln!(
            rows,
            "| {} | {} | {} | `{}` |",
            names,
            type_name(field.value),
            field.used_for,
            field.example
        );
        let name = field.names[0];
        match field.value {
            // The fields of `metadata` are those at the top.
            Value::Object(inner)
                if object
                    .shared
                    .is_some_and(|shared| shared.name == inner.name) => {}
            Value::Object(inner) => add_rows(rows, inner, &format!("{path}{name}."), listed),
            Value::TextOrObject(inner)
            | Value::Objects(inner)
            | Value::TextsOrObjects(inner)
            | Value::ObjectsOrJson(inner)
                if !listed.contains(&inner.name) =>
            {
                add_rows(rows, inner, &format!("{path}{name}[]."), listed);
            }
            _ => {}
        }
    }
}

fn type_name(value: Value) -> &'static str {
    match value {
        Value::Text => "text",
        Value::Number => "number",
        Value::Integer => "whole number",
        Value::Flag => "`true` or `false`",
        Value::Id => "text or whole number",
        Value::Count => "list",
        Value::Codes => "list of codes",
        Value::Object(_) => "object",
        Value::TextOrObject(_) => "text or object",
        Value::Objects(_) => "list of objects",
        Value::TextsOrObjects(_) => "list of texts or objects",
        Value::ObjectsOrJson(_) => "list of objects, or JSON in a text",
    }
}

/// The page about input: its text, with the tables of companions put in.
pub(super) fn input_page() -> String {
    let mut page = include_str!("input.md").to_owned();
    for companion in COMPANIONS {
        let mark = format!("<!-- fields: {} -->\n", companion.name);
        page = page.replace(&mark, &table(companion));
    }
    page
}
