//! The context of a request: who sent it, in which language, from where.

use crate::app::Shared;
use crate::client_address::ClientAddress;
use crate::identity::{Visitor, cookie};
use crate::problem::Problem;
use crate::words::{Words, preferred};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use service::rate_limit::RateLimit;
use service::{Caller, ServiceError};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// The context of a request. The middleware makes it.
#[derive(Clone)]
pub struct RequestContext {
    /// Who sent it.
    pub visitor: Visitor,
    /// The words of the visitor's language.
    pub words: &'static Words,
    /// The address it came from.
    pub address: ClientAddress,
    /// The visitor as the service knows it.
    pub caller: Caller,
    /// Too many wrong tokens came from the address: none is checked for this long.
    locked_out: Option<Duration>,
    app: Shared,
}

impl RequestContext {
    /// The context of a request with these headers from this peer.
    pub fn new(
        app: &Shared,
        visitor: Visitor,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> RequestContext {
        let chosen = cookie(headers, "lang").and_then(|code| code.parse().ok());
        let accepted = || preferred(text(headers, header::ACCEPT_LANGUAGE.as_str()).unwrap_or(""));
        let words = Words::of(chosen.unwrap_or_else(accepted));
        let address = app.trusted_proxies.client(peer, headers);
        let caller = app.service.caller(&visitor.id, address.limit_key());
        let app = Arc::clone(app);
        let mut context = RequestContext { visitor, words, address, caller, locked_out: None, app };
        let bearer = text(headers, header::AUTHORIZATION.as_str());
        if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
            context.try_token(token);
        }
        context
    }

    /// Makes the visitor an operator if the token is right. Only wrong tokens count against the rate
    /// limit.
    fn try_token(&mut self, token: &str) {
        let (limiter, key) = (&self.app.service.limiter, &self.caller.client.address);
        if let Err(wait) = limiter.check(RateLimit::Credential, key) {
            self.locked_out = Some(wait);
        } else if self.app.token.matches(token) {
            self.visitor.operator = true;
        } else {
            let _ = limiter.take(RateLimit::Credential, key);
        }
    }

    /// Counts the request against a rate limit.
    ///
    /// # Errors
    /// If the visitor, or everybody at that address together, asks too often.
    pub fn check_rate(&self, limit: RateLimit) -> Result<(), ServiceError> {
        self.app.service.check_rate(&self.caller, limit)
    }

    /// Continues only for researchers and operators.
    ///
    /// # Errors
    /// If the visitor showed no token, or too many wrong ones came from that address.
    pub fn expect_operator(&self) -> Result<(), Problem> {
        match self.locked_out {
            _ if self.visitor.operator => Ok(()),
            Some(wait) => Err(ServiceError::too_often(wait).into()),
            None => Err(Problem::new(StatusCode::UNAUTHORIZED, "token-needed")),
        }
    }
}

/// A header as text.
pub fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

impl<S: Sync> FromRequestParts<S> for RequestContext {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<RequestContext, Problem> {
        parts.extensions.get::<RequestContext>().cloned().ok_or(Problem::NOT_FOUND)
    }
}
