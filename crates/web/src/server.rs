//! The routes, and starting and stopping the server.

use crate::api;
use crate::app::Shared;
use crate::connections;
use crate::context::RequestContext;
use crate::cookie_secrets;
use crate::middleware;
use crate::pages;
use crate::problem::Problem;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use service::log::Value;
use service::metrics;
use std::future::Future;
use std::time::Duration;
use tokio::net::TcpListener;

/// The largest body of a request: a study with 500 puzzles fits.
const MAX_BODY_BYTES: usize = 64 << 10;

/// All routes of the site.
pub fn router(app: Shared) -> Router {
    let known = Router::new()
        .merge(pages::routes())
        .route("/metrics", get(metrics_for_operators))
        .nest("/api/v1", api::routes())
        .fallback(not_found)
        .method_not_allowed_fallback(not_allowed)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(from_fn_with_state(app.clone(), middleware::request_context));
    Router::new()
        .route("/assets/{hash}/{name}", get(asset))
        .route("/healthz", get(health))
        .merge(known)
        .layer(from_fn_with_state(app.clone(), middleware::observe))
        .with_state(app)
}

/// The routes of a private network: `/metrics` needs no token here.
pub fn metrics_router(app: Shared) -> Router {
    Router::new().route("/metrics", get(metrics)).route("/healthz", get(health)).with_state(app)
}

async fn not_found() -> Problem {
    Problem::NOT_FOUND
}

async fn not_allowed() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "not-allowed")
}

async fn asset(State(app): State<Shared>, Path((hash, name)): Path<(String, String)>) -> Response {
    let found = app.assets.get(&hash, &name);
    found.unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

async fn health(State(app): State<Shared>) -> (StatusCode, &'static str) {
    match app.service.check_health().await {
        Ok(()) => (StatusCode::OK, "ok\n"),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the database keeps nothing\n"),
    }
}

async fn metrics(State(app): State<Shared>) -> ([(HeaderName, &'static str); 1], String) {
    ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], metrics::text(&app.service).await)
}

/// Counters change with everything that an opponent does, so that only operators may see them.
async fn metrics_for_operators(context: RequestContext, app: State<Shared>) -> Response {
    match context.expect_operator() {
        Ok(()) => metrics(app).await.into_response(),
        Err(problem) => {
            ([(header::WWW_AUTHENTICATE, "Bearer")], problem.into_response()).into_response()
        }
    }
}

/// The time for closing the database at shutdown. What it acknowledged is on disk.
const CLOSING_TIME: Duration = Duration::from_millis(150);

/// Serves until `stop` is done. Then it shuts down gracefully: it finishes open requests and closes the
/// database, both within a bounded time.
pub async fn serve(app: Shared, listener: TcpListener, stop: impl Future<Output = ()>) {
    service::games::game_service::start(&app.service);
    tokio::spawn(service::retention::run(app.service.clone()));
    app.service.log.info("started", &[("version", Value::Fixed(env!("CARGO_PKG_VERSION")))]);
    let stop = async {
        stop.await;
        app.service.log.info("stopping", &[]);
        app.service.games.close();
    };
    let (limits, proxies) = (app.connections.clone(), app.trusted_proxies.clone());
    let log = app.service.log.clone();
    let served = connections::serve(listener, router(app.clone()), limits, proxies, log, stop);
    tokio::select! {
        () = served => {}
        () = cookie_secrets::keep_reloading(&app) => {}
    }
    let _ = tokio::time::timeout(CLOSING_TIME, app.service.store.close()).await;
}

/// Serves `/metrics` and `/healthz` alone, without a token, for a private network.
///
/// # Errors
/// If the listener fails.
pub async fn serve_metrics(app: Shared, listener: TcpListener) -> std::io::Result<()> {
    axum::serve(listener, metrics_router(app)).await
}
