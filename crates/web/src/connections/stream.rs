//! A stream that fails when its client stalls: in the middle of a request's head, or while a response
//! waits to be read.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// What a connection is doing. Requests of one connection come one after another.
#[derive(Default)]
pub(super) struct Activity {
    begun: AtomicU64,
    busy: AtomicBool,
}

impl Activity {
    /// Notes that the head of a request is complete. The request lasts until the value is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> RequestUnderWay {
        self.begun.fetch_add(1, SeqCst);
        self.busy.store(true, SeqCst);
        RequestUnderWay(Arc::clone(self))
    }
}

/// A request between the end of its head and the end of its response.
pub(super) struct RequestUnderWay(Arc<Activity>);

impl Drop for RequestUnderWay {
    fn drop(&mut self) {
        self.0.busy.store(false, SeqCst);
    }
}

/// A stream with time limits.
pub(super) struct TimedStream<S> {
    inner: S,
    activity: Arc<Activity>,
    header_timeout: Duration,
    write_timeout: Duration,
    /// The deadline of a head of which some bytes have arrived, and how many requests came before it.
    head: Option<(u64, Instant)>,
    /// The deadline of a write that waits for the client.
    blocked_write: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl<S> TimedStream<S> {
    pub(super) fn new(
        inner: S,
        activity: Arc<Activity>,
        header_timeout: Duration,
        write_timeout: Duration,
    ) -> TimedStream<S> {
        TimedStream {
            inner,
            activity,
            header_timeout,
            write_timeout,
            head: None,
            blocked_write: None,
            timer: None,
        }
    }

    /// Fails once the nearest deadline has passed; until then the task is woken at it.
    fn poll_deadline(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        let head = self.head.map(|(_, deadline)| deadline);
        let Some(deadline) = head.into_iter().chain(self.blocked_write).min() else {
            return Poll::Pending;
        };
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        ready!(timer.as_mut().poll(cx));
        Poll::Ready(io::ErrorKind::TimedOut.into())
    }

    /// Keeps the deadline of the head up to date: it runs from the first byte of a head to the
    /// beginning of its request.
    fn note_read(&mut self, any_bytes: bool) {
        let begun = self.activity.begun.load(SeqCst);
        self.head = self.head.filter(|(before, _)| *before == begun);
        if any_bytes && !self.activity.busy.load(SeqCst) && self.head.is_none() {
            self.head = Some((begun, Instant::now() + self.header_timeout));
        }
    }

    fn note_write<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.blocked_write = None;
            return written;
        }
        let timeout = self.write_timeout;
        self.blocked_write.get_or_insert_with(|| Instant::now() + timeout);
        self.poll_deadline(cx).map(Err)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(cx, buffer);
        self.note_read(buffer.filled().len() > before);
        if read.is_ready() { read } else { self.poll_deadline(cx).map(Err) }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.note_write(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, slices);
        self.note_write(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
