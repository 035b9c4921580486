//! Protection against cross-site request forgery (CSRF).

use crate::context::text;
use axum::extract::Request;
use axum::http::Method;

/// Whether a request that changes something was sent by a page of another site.
///
/// Browsers say so in `Sec-Fetch-Site` or `Origin`. A client that sends neither is not a browser, and
/// has nobody else's cookies.
pub fn is_cross_site(request: &Request, public: Option<&str>) -> bool {
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
