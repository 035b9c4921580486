//! The security headers of every response.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The Content-Security-Policy (CSP): scripts, styles and pictures from this origin only, none inline,
/// and no framing.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

/// Sets the security headers of a response.
pub fn set(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
