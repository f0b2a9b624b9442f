//! The OpenAPI 3.1 document, made from the table of routes.

use axum::response::Response;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::body::json as json_answer;
use super::problem::Problem;
use super::routes::{self, Parameter, ParameterKind, Route, problem};

pub(super) async fn serve() -> Result<Response, Problem> {
    json_answer(&document())
}

/// The document.
#[must_use]
pub fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = SchemaGenerator::new(settings);
    let mut paths: Map<String, Value> = Map::new();
    for route in routes::all() {
        let operations = paths
            .entry(route.path)
            .or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(operations) = operations {
            operations.insert(route.method.to_owned(), operation(route, &mut generator));
        }
    }
    let schemas: Map<String, Value> = generator.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "redraft",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Check, judge and repair machine-written teaching material.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer"},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "__Host-redraft",
                    "description": "From POST /v1/session; requests that change something also need `x-csrf-token`. Without TLS on this machine it is named `redraft`.",
                },
            },
        },
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let mut parameters: Vec<Value> = in_path(route.path)
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}))
        .collect();
    parameters.extend(route.query.iter().map(parameter));
    if route.id.starts_with("submit_") {
        parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "description": "The same key and order give the same run",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200},
        }));
    }
    let mut responses = Map::new();
    for answer in route.answers {
        let mut response = json!({"description": answer.summary});
        if let Some((media, schema)) = answer.body {
            response["content"] = json!({ media: {"schema": schema(generator)} });
        }
        responses.insert(answer.status.to_string(), response);
    }
    let problem = problem(generator);
    responses.insert(
        "default".to_owned(),
        json!({
            "description": "What went wrong (RFC 9457)",
            "content": {"application/problem+json": {"schema": problem}},
        }),
    );
    let mut operation = json!({
        "operationId": route.id,
        "summary": route.summary,
        "parameters": parameters,
        "responses": responses,
    });
    if let Some((media, schema)) = route.body {
        operation["requestBody"] =
            json!({"required": true, "content": { media: {"schema": schema(generator)} }});
    }
    let scopes: Vec<&str> = route.scope.iter().map(|scope| scope.name()).collect();
    operation["security"] = if route.needs_key {
        json!([{"key": scopes}, {"session": scopes}])
    } else {
        json!([])
    };
    operation
}

fn in_path(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

fn parameter(parameter: &Parameter) -> Value {
    let schema = match parameter.kind {
        ParameterKind::Text => json!({"type": "string"}),
        ParameterKind::OneOf(names) => json!({"type": "string", "enum": names}),
        ParameterKind::Number { least, most } => {
            json!({"type": "integer", "minimum": least, "maximum": most})
        }
    };
    json!({
        "name": parameter.name,
        "in": "query",
        "description": parameter.summary,
        "schema": schema,
    })
}
