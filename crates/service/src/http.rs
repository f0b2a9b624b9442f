//! The HTTP API: every route is a row of the tables in [`routes`], with its scope, its schemas
//! and its handler. The OpenAPI document, the router and the tests are made from it.

mod again;
mod auth;
mod banks;
mod body;
mod checks;
mod connections;
mod course;
mod events;
mod feed;
mod limits;
mod live;
mod metrics;
mod nodes;
mod openapi;
mod pages;
mod people;
mod problem;
mod results;
mod reviews;
mod routes;
mod runs;
mod session;
mod settings;
mod shown;
mod templates;
mod trials;
mod views;

use std::future::Future;
use std::sync::Arc;

use axum::Router;
use axum::middleware;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::signing::Signer;
use crate::store::Store;
use crate::webhooks::Webhooks;
use crate::worker::Counts;
use crate::workshop::Workshop;

pub use auth::Access;
pub use limits::Limits;
pub use openapi::document as openapi;

use feed::Feed;
use limits::{Limiter, Streams};
use problem::Problem;

/// What the API works with.
pub struct Parts {
    pub store: Store,
    pub workshop: Arc<dyn Workshop>,
    /// Wakes the workers of this process.
    pub wake: Arc<Notify>,
    pub counts: Arc<Counts>,
    pub webhooks: Webhooks,
    pub signer: Signer,
    pub access: Access,
    pub limits: Limits,
}

struct Inner {
    parts: Parts,
    limiter: Limiter,
    streams: Arc<Streams>,
    feed: Feed,
    requests: metrics::Requests,
    shown: shown::Cache,
    course: course::Cache,
    lists: live::Lists,
}

/// The state of the API. Clones share it.
#[derive(Clone)]
pub(crate) struct App(Arc<Inner>);

impl App {
    pub(crate) fn parts(&self) -> &Parts {
        &self.0.parts
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.parts.store
    }
}

/// Serves until told to stop; open requests are finished, event streams end.
pub async fn serve(
    parts: Parts,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let patience = parts.limits.patience();
    let feed = Feed::start(parts.store.clone());
    let lists = live::Lists::new(parts.store.clone());
    let closing = (feed.clone(), lists.clone());
    let app = App(Arc::new(Inner {
        limiter: Limiter::new(parts.limits),
        streams: Streams::new(parts.limits),
        feed,
        requests: metrics::Requests::default(),
        shown: shown::Cache::default(),
        course: course::Cache::default(),
        lists,
        parts,
    }));
    let stop = async move {
        stop.await;
        closing.0.close();
        closing.1.close();
    };
    connections::serve(listener, router(app), patience, stop).await;
}

fn router(app: App) -> Router {
    let mut router = Router::new();
    for route in routes::all() {
        let authorised =
            middleware::from_fn_with_state((app.clone(), route.scope), auth::authorise);
        router = router.route(route.path, (route.handler)().route_layer(authorised));
    }
    let other_method = || async { Problem::method_not_allowed() };
    router
        .fallback(pages::serve)
        .method_not_allowed_fallback(other_method)
        .layer(middleware::from_fn_with_state(app.clone(), limits::limit))
        .with_state(app)
}
