//! The OpenAPI 3.1 document, made from the table of routes.

use std::collections::BTreeMap;

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
    if route.is_repeatable {
        parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "description": "The same key and request are done once and get the same answer",
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
    for (status, summary) in problems(route) {
        let schema = problem(generator);
        let content = json!({"application/problem+json": {"schema": schema}});
        let problem = json!({"description": summary, "content": content});
        responses.insert(status.to_string(), problem);
    }
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

/// The problems that a route may answer with (RFC 9457). An internal error is none of them: it
/// is a mistake of ours.
fn problems(route: &Route) -> BTreeMap<u16, &'static str> {
    let has_body = route.body.is_some();
    let has_names = in_path(route.path).next().is_some();
    let is_signing_in = route.id == "sign_in";
    let has_parameters = has_names || !route.query.is_empty() || route.is_repeatable;
    let conditions = [
        (400, has_body || has_parameters, "The request is malformed"),
        (
            401,
            route.needs_key || is_signing_in,
            "No valid key or session",
        ),
        (
            403,
            route.needs_key || is_signing_in,
            "The key lacks the scope, or a page of another site sent it",
        ),
        (
            404,
            has_names,
            "It does not exist, or belongs to another tenant",
        ),
        (409, false, "Its state does not allow it"),
        (413, has_body, "The body is too large"),
        (415, has_body, "The body is of another type"),
        (
            422,
            has_body,
            "The request is well-formed but cannot be processed",
        ),
        (
            429,
            route.scope.is_some() || is_signing_in,
            "Too many requests of this key; `Retry-After` says when to try again",
        ),
        (
            503,
            true,
            "Too many requests, the database is unavailable, or the service is not configured for it",
        ),
    ];
    conditions
        .into_iter()
        .filter(|(status, holds, _)| *holds || route.problems.contains(status))
        .map(|(status, _, summary)| (status, summary))
        .collect()
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
