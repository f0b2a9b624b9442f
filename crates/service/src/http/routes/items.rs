//! Routes for items and cards: banks, templates, and the nodes of a pipeline that makes
//! items.

use axum::routing;

use super::{
    Answer, CURSOR, JSON, LIMIT, Parameter, ParameterKind, Route, anything, created, get, ok,
    schema,
};
use crate::http::{banks, nodes, runs, templates};
use crate::store::{Page, Scope};
use crate::workshop::Order;

const TAKEN: Parameter = Parameter {
    name: "items",
    summary: "`all` (default), or `accepted`: other items stay as they were",
    kind: ParameterKind::OneOf(&["all", "accepted"]),
};

const LATER: Answer = Answer {
    status: 202,
    summary: "Not done yet; send the same state again, or follow the run",
    body: Some((JSON, schema::<runs::Submitted>)),
};

pub(super) static ROUTES: &[Route] = &[
    Route {
        method: "post",
        body: Some((JSON, schema::<Order>)),
        answers: &[
            created("Every item was submitted", schema::<runs::Batch>),
            ok(
                "The same bank was already submitted with this Idempotency-Key",
                schema::<runs::Batch>,
            ),
        ],
        problems: &[409],
        is_repeatable: true,
        ..get(
            "/v1/banks",
            "submit_bank",
            Some(Scope::Submit),
            "Submit a bank of up to 1,000 items; each gets a run of its own, all or none",
            || routing::post(runs::submit_bank),
        )
    },
    Route {
        answers: &[ok("The bank", schema::<banks::BankInfo>)],
        ..get(
            "/v1/banks/{batch}",
            "read_bank",
            Some(Scope::Read),
            "Read the progress of the items of a bank",
            || routing::get(banks::read),
        )
    },
    Route {
        query: &[TAKEN],
        answers: &[Answer {
            status: 200,
            summary: "The bytes of the bank, in its own format",
            body: Some(("application/octet-stream", anything)),
        }],
        problems: &[409],
        ..get(
            "/v1/banks/{batch}/document",
            "read_bank_document",
            Some(Scope::Read),
            "Read the bank with the results of its items",
            || routing::get(banks::document),
        )
    },
    Route {
        query: &[TAKEN],
        answers: &[ok(
            "How its items ended, with the receipts of the whole file",
            anything,
        )],
        problems: &[409],
        ..get(
            "/v1/banks/{batch}/receipts",
            "read_bank_receipts",
            Some(Scope::Read),
            "Read the receipts of a bank",
            || routing::get(banks::receipts),
        )
    },
    Route {
        query: &[CURSOR, LIMIT],
        answers: &[ok("The latest first", schema::<Page>)],
        ..get(
            "/v1/templates",
            "list_templates",
            Some(Scope::Read),
            "List the accepted sets of cards",
            || routing::get(templates::list),
        )
    },
    Route {
        query: &[Parameter {
            name: "form",
            summary: "`json` (default), or `appwrite`: cards as one compressed string",
            kind: ParameterKind::OneOf(&["json", "appwrite"]),
        }],
        answers: &[ok("The row, as `redraft export` writes it", anything)],
        problems: &[422],
        ..get(
            "/v1/templates/{run}",
            "read_template",
            Some(Scope::Read),
            "Read an accepted set of cards as the row of a store",
            || routing::get(templates::read),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<nodes::PipelineState>)),
        answers: &[ok(
            "The state with `validationResult`",
            schema::<nodes::PipelineState>,
        )],
        ..get(
            "/v1/nodes/validation-check",
            "validation_check",
            Some(Scope::Submit),
            "Check an item of a pipeline, without a model",
            || routing::post(nodes::validate),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<nodes::PipelineState>)),
        answers: &[
            ok(
                "The state with another entry of `reviewHistory`",
                schema::<nodes::PipelineState>,
            ),
            LATER,
        ],
        problems: &[409],
        ..get(
            "/v1/nodes/quality-score",
            "quality_score",
            Some(Scope::Submit),
            "Have an item of a pipeline judged",
            || routing::post(nodes::score),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<nodes::PipelineState>)),
        answers: &[
            ok(
                "The state with the corrected item",
                schema::<nodes::PipelineState>,
            ),
            LATER,
        ],
        problems: &[409],
        ..get(
            "/v1/nodes/self-correction",
            "self_correction",
            Some(Scope::Submit),
            "Have the weak component of an item corrected",
            || routing::post(nodes::correct),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<nodes::PipelineState>)),
        answers: &[ok("Where the item goes next", schema::<nodes::Routed>)],
        ..get(
            "/v1/nodes/review-router",
            "review_router",
            Some(Scope::Submit),
            "Tell where an item of a pipeline goes next",
            || routing::post(nodes::route),
        )
    },
];
