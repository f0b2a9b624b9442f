//! All routes: where, who may, what goes in and what comes out. A route that is not here
//! does not exist; the tests go through this table.

mod items;
mod people;
mod views;

use axum::routing::{self, MethodRouter};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::problem::Problem;
use super::{App, checks, events, metrics, openapi, results, runs, settings};
use crate::signing::Envelope;
use crate::store::{Page, RunInfo, Scope, Settings};
use crate::webhooks::Webhook;
use crate::workshop::Order;

pub(super) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// A route.
pub(crate) struct Route {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    /// The operation, for clients that are generated.
    pub(super) id: &'static str,
    /// What a key needs; `None` for everybody.
    pub(super) scope: Option<Scope>,
    /// Without a scope: whether a key is needed all the same.
    pub(super) needs_key: bool,
    pub(super) summary: &'static str,
    pub(super) query: &'static [Parameter],
    pub(super) body: Option<(&'static str, SchemaOf)>,
    /// Status, what it means, and the body.
    pub(super) answers: &'static [Answer],
    /// Statuses of problems that do not follow from key, address and body.
    pub(super) problems: &'static [u16],
    /// Whether `Idempotency-Key` makes a repetition safe.
    pub(super) is_repeatable: bool,
    pub(super) handler: fn() -> MethodRouter<App>,
}

pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) kind: ParameterKind,
}

pub(super) enum ParameterKind {
    Text,
    OneOf(&'static [&'static str]),
    Number { least: i64, most: i64 },
}

pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) summary: &'static str,
    pub(super) body: Option<(&'static str, SchemaOf)>,
}

const JSON: &str = "application/json";

fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

fn anything(_: &mut SchemaGenerator) -> Schema {
    Schema::default()
}

fn text(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<String>()
}

pub(super) fn problem(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Problem>()
}

const fn ok(summary: &'static str, body: SchemaOf) -> Answer {
    Answer {
        status: 200,
        summary,
        body: Some((JSON, body)),
    }
}

const fn created(summary: &'static str, body: SchemaOf) -> Answer {
    Answer {
        status: 201,
        summary,
        body: Some((JSON, body)),
    }
}

const fn empty(summary: &'static str) -> Answer {
    Answer {
        status: 204,
        summary,
        body: None,
    }
}

const fn get(
    path: &'static str,
    id: &'static str,
    scope: Option<Scope>,
    summary: &'static str,
    handler: fn() -> MethodRouter<App>,
) -> Route {
    Route {
        method: "get",
        path,
        id,
        scope,
        needs_key: scope.is_some(),
        summary,
        query: &[],
        body: None,
        answers: &[],
        problems: &[],
        is_repeatable: false,
        handler,
    }
}

const CURSOR: Parameter = Parameter {
    name: "cursor",
    summary: "`next` of the previous page",
    kind: ParameterKind::Text,
};
const LIMIT: Parameter = Parameter {
    name: "limit",
    summary: "Maximum number of results; 50 by default",
    kind: ParameterKind::Number {
        least: 1,
        most: 500,
    },
};

/// Which runs are listed.
const FILTERS: &[Parameter] = &[
    Parameter {
        name: "state",
        summary: "Only runs in this state",
        kind: ParameterKind::OneOf(&[
            "queued",
            "running",
            "waiting",
            "done",
            "failed",
            "cancelled",
        ]),
    },
    Parameter {
        name: "status",
        summary: "Only runs with this outcome, such as `accepted`",
        kind: ParameterKind::Text,
    },
    Parameter {
        name: "profile",
        summary: "Only runs of this profile",
        kind: ParameterKind::Text,
    },
    Parameter {
        name: "batch",
        summary: "Only runs of this batch",
        kind: ParameterKind::Text,
    },
    Parameter {
        name: "name",
        summary: "Only runs whose document's name contains this, ignoring case",
        kind: ParameterKind::Text,
    },
    CURSOR,
    LIMIT,
];

/// All routes.
pub(super) fn all() -> impl Iterator<Item = &'static Route> {
    [ROUTES, people::ROUTES, items::ROUTES, views::ROUTES]
        .into_iter()
        .flatten()
}

static ROUTES: &[Route] = &[
    Route {
        answers: &[ok("The process runs", schema::<metrics::Health>)],
        ..get(
            "/v1/health",
            "health",
            None,
            "Whether the process runs",
            || routing::get(metrics::health),
        )
    },
    Route {
        answers: &[ok("The database answers", schema::<metrics::Health>)],
        ..get(
            "/v1/ready",
            "ready",
            None,
            "Whether requests can be served",
            || routing::get(metrics::ready),
        )
    },
    Route {
        answers: &[ok("The document", anything)],
        ..get("/v1/openapi.json", "openapi", None, "This document", || {
            routing::get(openapi::serve)
        })
    },
    Route {
        answers: &[ok("The key", schema::<results::SigningKey>)],
        ..get(
            "/v1/signing-key",
            "read_signing_key",
            None,
            "The public key that signs outcomes",
            || routing::get(results::signing_key),
        )
    },
    Route {
        answers: &[Answer {
            status: 200,
            summary: "The text format of Prometheus",
            body: Some(("text/plain", text)),
        }],
        ..get(
            "/v1/metrics",
            "metrics",
            Some(Scope::Operate),
            "Metrics of the whole service",
            || routing::get(metrics::metrics),
        )
    },
    Route {
        query: FILTERS,
        answers: &[ok("The latest first", schema::<Page>)],
        ..get(
            "/v1/runs",
            "list_runs",
            Some(Scope::Read),
            "List runs",
            || routing::get(runs::list),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<Order>)),
        answers: &[
            created("The run was submitted", schema::<runs::Submitted>),
            ok(
                "The same order was already submitted with this Idempotency-Key",
                schema::<runs::Submitted>,
            ),
        ],
        problems: &[409],
        is_repeatable: true,
        ..get(
            "/v1/runs",
            "submit_run",
            Some(Scope::Submit),
            "Submit a document",
            || routing::post(runs::submit),
        )
    },
    Route {
        method: "post",
        body: Some(("application/x-ndjson", text)),
        answers: &[
            created("All were submitted", schema::<runs::Batch>),
            ok(
                "The same orders were already submitted with this Idempotency-Key",
                schema::<runs::Batch>,
            ),
        ],
        problems: &[409],
        is_repeatable: true,
        ..get(
            "/v1/runs/batch",
            "submit_runs",
            Some(Scope::Submit),
            "Submit up to 1,000 documents, an order a line, all or none",
            || routing::post(runs::submit_many),
        )
    },
    Route {
        answers: &[ok("The run", schema::<RunInfo>)],
        ..get(
            "/v1/runs/{run}",
            "read_run",
            Some(Scope::Read),
            "Read a run",
            || routing::get(runs::read),
        )
    },
    Route {
        method: "post",
        answers: &[ok("It was cancelled", schema::<RunInfo>)],
        problems: &[409],
        ..get(
            "/v1/runs/{run}/cancel",
            "cancel_run",
            Some(Scope::Submit),
            "Cancel a run",
            || routing::post(runs::cancel),
        )
    },
    Route {
        method: "post",
        answers: &[ok("It will end soon", schema::<RunInfo>)],
        problems: &[409],
        ..get(
            "/v1/runs/{run}/stop",
            "stop_run",
            Some(Scope::Review),
            "End a run with the best version so far",
            || routing::post(runs::stop),
        )
    },
    Route {
        answers: &[ok(
            "The outcome, as `redraft refine --format json` has it",
            anything,
        )],
        problems: &[409],
        ..get(
            "/v1/runs/{run}/outcome",
            "read_outcome",
            Some(Scope::Read),
            "Read the outcome of a finished run",
            || routing::get(results::outcome),
        )
    },
    Route {
        answers: &[ok(
            "Which shapes there are depends on the profile",
            anything,
        )],
        problems: &[409],
        ..get(
            "/v1/runs/{run}/seed",
            "read_seed_shapes",
            Some(Scope::Read),
            "Read the outcome in the field names of the seeds",
            || routing::get(results::in_seed_shape),
        )
    },
    Route {
        answers: &[ok("The outcome in a signed envelope", schema::<Envelope>)],
        problems: &[409],
        ..get(
            "/v1/runs/{run}/attestation",
            "read_attestation",
            Some(Scope::Read),
            "Read the signed outcome, for `redraft verify --key`",
            || routing::get(results::attestation),
        )
    },
    Route {
        query: &[Parameter {
            name: "version",
            summary: "`original`, `final` (default), `latest`, or the number of a round of repair",
            kind: ParameterKind::Text,
        }],
        answers: &[Answer {
            status: 200,
            summary: "The bytes of the document",
            body: Some(("application/octet-stream", anything)),
        }],
        problems: &[409],
        ..get(
            "/v1/runs/{run}/document",
            "read_document",
            Some(Scope::Read),
            "Read the document",
            || routing::get(results::document),
        )
    },
    Route {
        answers: &[Answer {
            status: 200,
            summary: "A unified diff; empty if nothing changed",
            body: Some(("text/plain", text)),
        }],
        problems: &[409],
        ..get(
            "/v1/runs/{run}/diff",
            "read_diff",
            Some(Scope::Read),
            "Read what changed",
            || routing::get(results::diff),
        )
    },
    Route {
        answers: &[ok("The receipts", anything)],
        problems: &[409],
        ..get(
            "/v1/runs/{run}/receipts",
            "read_receipts",
            Some(Scope::Read),
            "Read the receipts of all changes",
            || routing::get(results::receipts),
        )
    },
    Route {
        query: &[
            Parameter {
                name: "after",
                summary: "Only events after this number; `Last-Event-ID` takes precedence",
                kind: ParameterKind::Number {
                    least: 0,
                    most: i64::MAX,
                },
            },
            Parameter {
                name: "shape",
                summary: "`seed` gives the field names of the seeds",
                kind: ParameterKind::OneOf(&["redraft", "seed"]),
            },
        ],
        answers: &[
            Answer {
                status: 200,
                summary: "Events as they happen; a list for `Accept: application/json`",
                body: Some(("text/event-stream", anything)),
            },
            empty("The run is over, and there are no events after that number"),
        ],
        ..get(
            "/v1/runs/{run}/events",
            "follow_run",
            Some(Scope::Read),
            "Follow the events of a run",
            || routing::get(events::events),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<Order>)),
        answers: &[ok(
            "The report, as `redraft check --format jsonl` has it",
            anything,
        )],
        ..get(
            "/v1/check",
            "check",
            Some(Scope::Submit),
            "Check a document without a model, at once",
            || routing::post(checks::check),
        )
    },
    Route {
        answers: &[ok("All checks", schema::<checks::CheckList>)],
        ..get(
            "/v1/checks",
            "list_checks",
            Some(Scope::Read),
            "List the checks",
            || routing::get(checks::list),
        )
    },
    Route {
        answers: &[ok("The check and its page", schema::<checks::CheckInfo>)],
        ..get(
            "/v1/checks/{code}",
            "explain_check",
            Some(Scope::Read),
            "Explain a check",
            || routing::get(checks::read),
        )
    },
    Route {
        answers: &[ok("The settings", schema::<Settings>)],
        ..get(
            "/v1/settings",
            "read_settings",
            Some(Scope::Admin),
            "Read the tenant's settings",
            || routing::get(settings::read),
        )
    },
    Route {
        method: "put",
        body: Some((JSON, schema::<Settings>)),
        answers: &[ok("The new settings", schema::<Settings>)],
        ..get(
            "/v1/settings",
            "write_settings",
            Some(Scope::Admin),
            "Replace the tenant's settings",
            || routing::put(settings::write),
        )
    },
    Route {
        answers: &[ok(
            "The webhooks, without their secrets",
            schema::<settings::WebhookList>,
        )],
        ..get(
            "/v1/webhooks",
            "list_webhooks",
            Some(Scope::Admin),
            "List webhooks",
            || routing::get(settings::webhooks),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<settings::WebhookBody>)),
        answers: &[created(
            "It was added; the secret is shown only now",
            schema::<Webhook>,
        )],
        problems: &[409],
        ..get(
            "/v1/webhooks",
            "add_webhook",
            Some(Scope::Admin),
            "Add a webhook",
            || routing::post(settings::add_webhook),
        )
    },
    Route {
        method: "delete",
        answers: &[empty("It was removed")],
        ..get(
            "/v1/webhooks/{webhook}",
            "remove_webhook",
            Some(Scope::Admin),
            "Remove a webhook",
            || routing::delete(settings::remove_webhook),
        )
    },
];
