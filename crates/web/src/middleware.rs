//! The middleware around every request: metrics, the request log and security headers, then the request
//! context, the CSRF check, error bodies and the session cookie.

use crate::app::{App, Shared};
use crate::context::{RequestContext, text};
use crate::csrf::is_cross_site;
use crate::pages;
use crate::problem::Problem;
use crate::request_id::{self, Cause};
use crate::request_log::Served;
use crate::security_headers;
use axum::body::Body;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use service::request_id::RequestId;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Instant;

/// Measures and logs a request, and sets the headers that every response has.
pub async fn observe(State(app): State<Shared>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "none".to_owned());
    let (method, id) = (request.method().clone(), RequestId::random());
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    security_headers::set(headers);
    headers.extend(request_id::header(&id).map(|id| (request_id::HEADER, id)));
    let time = begun.elapsed();
    app.service.metrics.count(&route, response.status().as_u16(), time);
    let cause = response.extensions_mut().remove::<Cause>();
    Served { method, route, status: response.status(), time, id, cause }.log(&app.service.log);
    response
}

/// Adds the request context, refuses cross-site requests, and writes the bodies of errors in the
/// visitor's language.
pub async fn request_context(
    State(app): State<Shared>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(peer)| peer.ip());
    let (visitor, fresh_cookie) = app.signer.visitor(request.headers());
    let context = RequestContext::new(&app, visitor, request.headers(), peer);
    let is_api = request.uri().path().starts_with("/api/");
    let id = request.extensions().get::<RequestId>().cloned();
    let mut response = if is_cross_site(&request, app.public.as_deref()) {
        Problem::new(StatusCode::FORBIDDEN, "foreign").into_response()
    } else {
        request.extensions_mut().insert(context.clone());
        next.run(request).await
    };
    if let Some(mut problem) = response.extensions_mut().remove::<Problem>() {
        if let Some(id) = &id {
            problem = problem.of_request(id, context.words);
        }
        write_problem(&app, &context, &problem, is_api, &mut response);
    }
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Accept-Language, Cookie"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    set_cookie(headers, fresh_cookie);
    response
}

/// Writes the body of an error: JSON for the API, a page otherwise.
fn write_problem(
    app: &App,
    context: &RequestContext,
    problem: &Problem,
    is_api: bool,
    response: &mut Response,
) {
    let (kind, body) = if is_api {
        ("application/json", problem.json(context.words))
    } else {
        ("text/html; charset=utf-8", pages::problem(app, context, problem))
    };
    *response.body_mut() = Body::from(body);
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
}

/// Sets the session cookie of a new visitor, unless the handler set one or the response may be cached
/// by a shared cache, which would give the same cookie to others.
fn set_cookie(headers: &mut HeaderMap, fresh_cookie: Option<HeaderValue>) {
    let cached =
        text(headers, header::CACHE_CONTROL.as_str()).is_some_and(|value| value.contains("public"));
    if !cached && !headers.contains_key(header::SET_COOKIE) {
        headers.extend(fresh_cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    }
}
