//! Routes of the inspector: views, edits before they are sent, and trying settings.

use axum::routing;

use super::{
    Answer, FILTERS, JSON, Parameter, ParameterKind, Route, created, empty, get, ok, schema, text,
};
use crate::http::{again, course, live, runs, settings, trials, views};
use crate::store::{Scope, Settings};
use crate::workshop::Order;

const COURSE: &[Parameter] = &[
    Parameter {
        name: "batch",
        summary: "Only documents of this batch",
        kind: ParameterKind::Text,
    },
    Parameter {
        name: "profile",
        summary: "Only documents of this profile",
        kind: ParameterKind::Text,
    },
];

pub(super) static ROUTES: &[Route] = &[
    Route {
        method: "post",
        body: Some((JSON, schema::<Order>)),
        answers: &[ok(
            "The document as it is shown",
            schema::<views::CheckView>,
        )],
        ..get(
            "/v1/views/check",
            "view_check",
            Some(Scope::Submit),
            "Check a document without a model, and show it",
            || routing::post(views::check),
        )
    },
    Route {
        answers: &[Answer {
            status: 200,
            summary: "A fragment of HTML, without scripts",
            body: Some(("text/html", text)),
        }],
        ..get(
            "/v1/batches/{batch}/view",
            "view_bank",
            Some(Scope::Read),
            "Show the statistics and scores of a bank whose items were submitted together",
            || routing::get(course::bank),
        )
    },
    Route {
        query: COURSE,
        answers: &[Answer {
            status: 200,
            summary: "An outcome a line, as `redraft refine --format json` has it",
            body: Some(("application/x-ndjson", text)),
        }],
        ..get(
            "/v1/course/outcomes",
            "export_course",
            Some(Scope::Read),
            "Export the outcomes of up to 1,000 documents, the latest run of each",
            || routing::get(course::outcomes),
        )
    },
    Route {
        query: COURSE,
        answers: &[ok("The course", schema::<course::CourseView>)],
        ..get(
            "/v1/course",
            "read_course",
            Some(Scope::Read),
            "Show the latest runs of up to 1,000 documents as a whole",
            || routing::get(course::read),
        )
    },
    Route {
        query: FILTERS,
        answers: &[ok(
            "The page; with `Accept: text/event-stream` a stream of it, whole at first, then what changes",
            schema::<live::LiveRuns>,
        )],
        ..get(
            "/v1/live",
            "watch_runs",
            Some(Scope::Read),
            "Watch a page of runs",
            || routing::get(live::runs),
        )
    },
    Route {
        method: "post",
        answers: &[
            created("The run was submitted", schema::<runs::Submitted>),
            ok(
                "It was already submitted with this Idempotency-Key",
                schema::<runs::Submitted>,
            ),
        ],
        problems: &[409],
        is_repeatable: true,
        ..get(
            "/v1/runs/{run}/again",
            "run_again",
            Some(Scope::Submit),
            "Submit the document of a run once more, with the same settings",
            || routing::post(again::again),
        )
    },
    Route {
        answers: &[ok("The facts", schema::<views::RunSummary>)],
        ..get(
            "/v1/runs/{run}/summary",
            "read_summary",
            Some(Scope::Read),
            "Read the summary of a run",
            || routing::get(views::summary),
        )
    },
    Route {
        answers: &[
            Answer {
                status: 200,
                summary: "A fragment of HTML, without scripts",
                body: Some(("text/html", text)),
            },
            empty("There is nothing to show"),
        ],
        ..get(
            "/v1/runs/{run}/views/{view}",
            "read_view",
            Some(Scope::Read),
            "Show a run: `text`, `changes`, `panel`, `scores`, `cost` or `receipts`",
            || routing::get(views::view),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<views::EditBody>)),
        answers: &[ok("Nothing is stored", schema::<views::EditPreview>)],
        ..get(
            "/v1/runs/{run}/preview",
            "preview_edit",
            Some(Scope::Review),
            "Check an edited text, and compare it with the version in question",
            || routing::post(views::preview),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<Settings>)),
        answers: &[ok("Nothing is stored", schema::<trials::SettingsPreview>)],
        ..get(
            "/v1/settings/preview",
            "preview_settings",
            Some(Scope::Admin),
            "Decide past runs again under other settings, without a model",
            || routing::post(trials::preview),
        )
    },
    Route {
        answers: &[ok(
            "With their scopes, without their secrets",
            schema::<settings::KeyList>,
        )],
        ..get(
            "/v1/keys",
            "list_keys",
            Some(Scope::Admin),
            "List the API keys of the tenant",
            || routing::get(settings::keys),
        )
    },
    Route {
        answers: &[ok(
            "By kind of content and mode",
            schema::<trials::Defaults>,
        )],
        ..get(
            "/v1/defaults",
            "read_defaults",
            Some(Scope::Admin),
            "Read the thresholds and weights that hold where a tenant has set nothing",
            || routing::get(trials::defaults),
        )
    },
    Route {
        answers: &[ok("The models", schema::<trials::Models>)],
        ..get(
            "/v1/models",
            "list_models",
            Some(Scope::Admin),
            "List the models by role, and how judges did in their test",
            || routing::get(trials::models),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<trials::TestBody>)),
        answers: &[ok(
            "The results, which are kept",
            schema::<trials::JudgeTests>,
        )],
        problems: &[409],
        ..get(
            "/v1/models/test",
            "test_judges",
            Some(Scope::Operate),
            "Test the judges with pairs of good and bad texts; this calls models",
            || routing::post(trials::test),
        )
    },
];
