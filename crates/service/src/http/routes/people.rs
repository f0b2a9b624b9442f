//! Routes for people: signing in, reviews, sections, comments.

use axum::routing;

use super::{
    CURSOR, JSON, LIMIT, Parameter, ParameterKind, Route, created, empty, get, ok, schema,
};
use crate::http::{people, reviews, session};
use crate::store::{Agreement, Comment, Review, Scope};

pub(super) static ROUTES: &[Route] = &[
    Route {
        method: "post",
        body: Some((JSON, schema::<session::SignIn>)),
        answers: &[ok(
            "Signed in; the cookie holds the session",
            schema::<session::SessionInfo>,
        )],
        ..get(
            "/v1/session",
            "sign_in",
            None,
            "Sign a browser in with an API key",
            || routing::post(session::sign_in),
        )
    },
    Route {
        needs_key: true,
        answers: &[ok(
            "Tenant, name, scopes and CSRF token",
            schema::<session::SessionInfo>,
        )],
        ..get(
            "/v1/session",
            "read_session",
            None,
            "Who is signed in",
            || routing::get(session::read),
        )
    },
    Route {
        method: "delete",
        needs_key: true,
        answers: &[empty("Signed out")],
        ..get("/v1/session", "sign_out", None, "Sign out", || {
            routing::delete(session::sign_out)
        })
    },
    Route {
        query: &[Parameter {
            name: "version",
            summary: "Version of the text; `latest` by default",
            kind: ParameterKind::Text,
        }],
        answers: &[ok("The sections", schema::<people::Sections>)],
        problems: &[409],
        ..get(
            "/v1/runs/{run}/sections",
            "list_sections",
            Some(Scope::Read),
            "List the sections of a text",
            || routing::get(people::sections),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<people::SectionBody>)),
        answers: &[ok("It was recorded", schema::<people::SectionResult>)],
        problems: &[409],
        is_repeatable: true,
        ..get(
            "/v1/runs/{run}/sections/{section}",
            "step_in",
            Some(Scope::Review),
            "Lock or unlock a section, or skip its repair",
            || routing::post(people::step_in),
        )
    },
    Route {
        answers: &[ok(
            "In their order, with who and when",
            schema::<people::Comments>,
        )],
        ..get(
            "/v1/runs/{run}/comments",
            "list_comments",
            Some(Scope::Read),
            "List comments",
            || routing::get(people::comments),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<people::CommentBody>)),
        answers: &[created("It was added", schema::<Comment>)],
        problems: &[409],
        is_repeatable: true,
        ..get(
            "/v1/runs/{run}/comments",
            "add_comment",
            Some(Scope::Review),
            "Comment on a passage",
            || routing::post(people::comment),
        )
    },
    Route {
        answers: &[ok(
            "In their order, with who and when",
            schema::<reviews::Decisions>,
        )],
        ..get(
            "/v1/runs/{run}/decisions",
            "list_decisions",
            Some(Scope::Read),
            "List what reviewers decided",
            || routing::get(reviews::decisions),
        )
    },
    Route {
        query: &[CURSOR, LIMIT],
        answers: &[ok(
            "The longest waiting first",
            schema::<reviews::ReviewPage>,
        )],
        ..get(
            "/v1/reviews",
            "list_reviews",
            Some(Scope::Review),
            "List the runs that wait for a reviewer",
            || routing::get(reviews::list),
        )
    },
    Route {
        answers: &[ok("How far they agree", schema::<Agreement>)],
        ..get(
            "/v1/agreement",
            "read_agreement",
            Some(Scope::Review),
            "Read how far reviewers agree, over all texts that two of them decided",
            || routing::get(reviews::agreement),
        )
    },
    Route {
        answers: &[ok(
            "The text, and why it was not accepted",
            schema::<Review>,
        )],
        problems: &[409],
        ..get(
            "/v1/reviews/{run}",
            "read_review",
            Some(Scope::Review),
            "Read what waits for a reviewer",
            || routing::get(reviews::read),
        )
    },
    Route {
        method: "post",
        body: Some((JSON, schema::<reviews::DecisionBody>)),
        answers: &[ok("It was recorded", schema::<reviews::DecisionResult>)],
        problems: &[409],
        is_repeatable: true,
        ..get(
            "/v1/reviews/{run}/decisions",
            "decide",
            Some(Scope::Review),
            "Decide about a text",
            || routing::post(reviews::decide),
        )
    },
    Route {
        method: "put",
        body: Some((JSON, schema::<reviews::AssigneeBody>)),
        answers: &[empty("It was assigned")],
        problems: &[409],
        ..get(
            "/v1/reviews/{run}/assignee",
            "assign_review",
            Some(Scope::Review),
            "Assign a review",
            || routing::put(reviews::assign),
        )
    },
];
