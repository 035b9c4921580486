//! One request of a connection: its body has to arrive in time, and it is under way until its response
//! has been sent.

use super::ConnectionLimits;
use super::admission::{Admission, Admitted};
use super::log::Log;
use super::stream::{Activity, RequestUnderWay};
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::http::{Request, Response, StatusCode, header};
use axum::response::IntoResponse;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::oneshot;

/// After this many seconds a refused client may try again.
pub(super) const RETRY_AFTER: u64 = 5;

/// Answers the requests of one connection.
pub(super) struct RequestService {
    router: TowerToHyperService<Router>,
    peer: SocketAddr,
    pub(super) activity: Arc<Activity>,
    admission: Arc<Admission>,
    body_timeout: Duration,
    log: Arc<Log>,
}

impl RequestService {
    pub(super) fn new(
        router: Router,
        peer: SocketAddr,
        admission: Arc<Admission>,
        limits: &ConnectionLimits,
        log: Arc<Log>,
    ) -> RequestService {
        RequestService {
            router: TowerToHyperService::new(router),
            peer,
            activity: Arc::default(),
            admission,
            body_timeout: limits.body_timeout,
            log,
        }
    }
}

impl Service<Request<Incoming>> for RequestService {
    type Response = Response<SentBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let under_way = self.activity.begin();
        let admitted = match self.admission.request(self.peer.ip(), request.headers()) {
            Ok(admitted) => admitted,
            Err(refusal) => {
                self.log.line(&refusal);
                let response =
                    too_many().map(|inner| SentBody { inner, _guards: (under_way, None) });
                return Box::pin(std::future::ready(Ok(response)));
            }
        };
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let (end, ended) = oneshot::channel();
        let has_body = !request.body().is_end_stream();
        let request = request.map(|inner| ReceivedBody { inner, end: has_body.then_some(end) });
        let (answer, timeout) = (self.router.call(request), self.body_timeout);
        Box::pin(async move {
            let response = if has_body {
                tokio::select! {
                    response = answer => response?,
                    () = overdue(ended, timeout) => too_slow(),
                }
            } else {
                answer.await?
            };
            Ok(response.map(|inner| SentBody { inner, _guards: (under_way, admitted) }))
        })
    }
}

/// Ends if a body is not there in time, and never otherwise.
async fn overdue(ended: oneshot::Receiver<Infallible>, timeout: Duration) {
    if tokio::time::timeout(timeout, ended).await.is_ok() {
        std::future::pending::<()>().await;
    }
}

fn too_slow() -> Response<Body> {
    let close = [(header::CONNECTION, "close")];
    (StatusCode::REQUEST_TIMEOUT, close, "The request took too long to arrive.\n").into_response()
}

fn too_many() -> Response<Body> {
    let headers = [(header::RETRY_AFTER, RETRY_AFTER.to_string())];
    (StatusCode::SERVICE_UNAVAILABLE, headers, "Too many connections.\n").into_response()
}

/// The body of a request. The sender is dropped when everything has arrived, or it is not read any
/// more.
struct ReceivedBody {
    inner: Incoming,
    end: Option<oneshot::Sender<Infallible>>,
}

impl HttpBody for ReceivedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.inner).poll_frame(cx);
        if matches!(frame, Poll::Ready(None)) || self.inner.is_end_stream() {
            self.end = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// The body of a response, and what lasts as long as it.
pub(super) struct SentBody {
    inner: Body,
    _guards: (RequestUnderWay, Option<Admitted>),
}

impl HttpBody for SentBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
