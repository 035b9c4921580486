//! Routes, what surrounds every request, and the life of the server.

use crate::api;
use crate::app::Shared;
use crate::connections;
use crate::context::{Asker, text};
use crate::cookie_secrets;
use crate::pages;
use crate::problem::Problem;
use crate::request_id::{self, Cause};
use crate::request_log::Served;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, DefaultBodyLimit, MatchedPath, Path, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use service::log::Value;
use service::metrics;
use service::request_id::RequestId;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;

/// No request has a longer body: a study with 500 puzzles fits.
const LONGEST_BODY: usize = 64 << 10;

/// Scripts, styles and pictures from here only, none inline; nobody frames the site.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

/// All routes of the site.
pub fn router(app: Shared) -> Router {
    let known = Router::new()
        .merge(pages::routes())
        .route("/metrics", get(metrics_for_operators))
        .nest("/api/v1", api::routes())
        .fallback(not_found)
        .method_not_allowed_fallback(not_allowed)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(app.clone(), with_asker));
    Router::new()
        .route("/assets/{hash}/{name}", get(asset))
        .route("/healthz", get(health))
        .merge(known)
        .layer(from_fn_with_state(app.clone(), measured))
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
    match app.service.health.check(&app.service.store).await {
        Ok(()) => (StatusCode::OK, "ok\n"),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the database keeps nothing\n"),
    }
}

async fn metrics(State(app): State<Shared>) -> ([(HeaderName, &'static str); 1], String) {
    ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], metrics::text(&app.service).await)
}

/// Counters move with everything that somebody's opponent does, so that only operators may see them.
async fn metrics_for_operators(asker: Asker, app: State<Shared>) -> Response {
    match asker.expect_operator() {
        Ok(()) => metrics(app).await.into_response(),
        Err(problem) => {
            ([(header::WWW_AUTHENTICATE, "Bearer")], problem.into_response()).into_response()
        }
    }
}

/// Counts, times and logs a request, and sets the headers that every answer has.
async fn measured(State(app): State<Shared>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "none".to_owned());
    let (method, id) = (request.method().clone(), RequestId::random());
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.extend(request_id::header(&id).map(|id| (request_id::HEADER, id)));
    let time = begun.elapsed();
    app.service.metrics.count(&route, response.status().as_u16(), time);
    let cause = response.extensions_mut().remove::<Cause>();
    Served { method, route, status: response.status(), time, id, cause }.log(&app.service.log);
    response
}

/// Finds out who asks, refuses what another site sent, and writes problems in the asker's language.
async fn with_asker(State(app): State<Shared>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(peer)| peer.ip());
    let (visitor, fresh) = app.signer.visitor(request.headers());
    let asker = Asker::new(&app, visitor, request.headers(), peer);
    let program = request.uri().path().starts_with("/api/");
    let id = request.extensions().get::<RequestId>().cloned();
    let foreign = is_foreign(&request, app.public.as_deref());
    let mut response = if foreign {
        Problem::new(StatusCode::FORBIDDEN, "foreign").into_response()
    } else {
        request.extensions_mut().insert(asker.clone());
        next.run(request).await
    };
    if let Some(mut problem) = response.extensions_mut().remove::<Problem>() {
        if let Some(id) = &id {
            problem = problem.of_request(id, asker.words);
        }
        let (kind, body) = if program {
            ("application/json", problem.json(asker.words))
        } else {
            ("text/html; charset=utf-8", pages::problem(&app, &asker, &problem))
        };
        *response.body_mut() = Body::from(body);
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_LENGTH);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Accept-Language, Cookie"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    // What a shared cache may keep must make nobody somebody: others would get the same cookie.
    let shared =
        text(headers, header::CACHE_CONTROL.as_str()).is_some_and(|value| value.contains("public"));
    if let Some(cookie) = fresh.filter(|_| !shared && !headers.contains_key(header::SET_COOKIE)) {
        headers.append(header::SET_COOKIE, cookie);
    }
    response
}

/// Whether a request that changes something was sent by another site's page. Browsers say so; a
/// program that says nothing brings no cookies of anybody else.
fn is_foreign(request: &Request, public: Option<&str>) -> bool {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return false;
    }
    let headers = request.headers();
    if let Some(site) = text(headers, "sec-fetch-site") {
        return !matches!(site, "same-origin" | "none");
    }
    let Some(origin) = text(headers, "origin") else { return false };
    let host = text(headers, "host").unwrap_or("");
    let same = origin.split_once("://").is_some_and(|(_, rest)| rest == host);
    !same && public.map(|public| public.trim_end_matches('/')) != Some(origin)
}

/// When the site stops, the store may take this long to close. What it acknowledged is on disk.
const CLOSING_TIME: Duration = Duration::from_millis(150);

/// Serves until `stop` is done; then finishes the requests under way and closes the store, both
/// within a bounded time.
pub async fn serve(app: Shared, listener: TcpListener, stop: impl Future<Output = ()>) {
    service::games::hall::start(&app.service);
    tokio::spawn(service::retention::run(app.service.clone()));
    app.service.log.info("started", &[("version", Value::Fixed(env!("CARGO_PKG_VERSION")))]);
    let stop = async {
        stop.await;
        app.service.log.info("stopping", &[]);
        app.service.hall.close();
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
