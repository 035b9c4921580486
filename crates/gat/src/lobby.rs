//! The lobby: the connections of a server's two ports, as one stream of events.
//!
//! A thread per port accepts connections and a thread per seat reads lines; all events go through
//! one bounded queue, so that a client that floods the server is slowed down (back-pressure) and
//! the server has a single event source.

use super::frame::{Framed, LineReader, POLL_INTERVAL, ReadError, write_line};
use super::text::FromServer;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{Builder, Scope, sleep};
use std::time::{Duration, Instant};

/// The capacity of the event queue.
const EVENT_QUEUE_CAPACITY: usize = 64;
/// The interval between two checks for a new connection.
const ACCEPT_POLL_INTERVAL: Duration = Duration::from_millis(5);
/// A client that accepts no bytes for this long is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a connection to a taken seat may wait: the client there may be about to leave.
const WAITING_TIMEOUT: Duration = Duration::from_millis(300);
/// The maximum number of connections waiting for a seat.
const MAX_WAITING: usize = 8;

/// An event from a thread.
enum ConnectionEvent {
    Connected { seat: usize, stream: TcpStream },
    Received { seat: usize, id: u64, at: Instant, line: Framed },
    Disconnected { seat: usize, id: u64 },
}

/// An event for the server.
#[derive(Debug)]
pub(crate) enum LobbyEvent {
    /// A client has taken a seat.
    Connected { seat: usize },
    /// A client sent a line at this time.
    Received { seat: usize, at: Instant, line: Framed },
    /// A client is gone and its seat is free.
    Disconnected { seat: usize },
    /// Nothing happened until the deadline.
    TimedOut,
    /// The stop flag was set.
    Stopped,
}

struct Connection {
    id: u64,
    stream: TcpStream,
    last_line: Option<Instant>,
}

#[derive(Default)]
struct Seat {
    connection: Option<Connection>,
    waiting: VecDeque<(TcpStream, Instant)>,
}

/// The lobby. Its threads end when it is dropped.
pub(crate) struct Lobby<'scope, 'env> {
    seats: [Seat; 2],
    /// Events delivered before those in the queue.
    pending: VecDeque<LobbyEvent>,
    queue: Receiver<ConnectionEvent>,
    sender: SyncSender<ConnectionEvent>,
    scope: &'scope Scope<'scope, 'env>,
    closed: &'scope AtomicBool,
    stop: &'scope AtomicBool,
    pause: Duration,
    next_id: u64,
}

impl Drop for Lobby<'_, '_> {
    fn drop(&mut self) {
        self.closed.store(true, Relaxed);
        (0..2).for_each(|seat| self.free(seat));
    }
}

impl<'scope, 'env> Lobby<'scope, 'env> {
    /// Starts accepting connections. `closed` is set when the lobby is dropped; between two lines
    /// to the same client there is at least a `pause`.
    pub(crate) fn open(
        scope: &'scope Scope<'scope, 'env>,
        listeners: &'scope [TcpListener; 2],
        [closed, stop]: [&'scope AtomicBool; 2],
        pause: Duration,
    ) -> std::io::Result<Lobby<'scope, 'env>> {
        let (sender, queue) = sync_channel(EVENT_QUEUE_CAPACITY);
        let lobby = Lobby {
            seats: Default::default(),
            pending: VecDeque::new(),
            queue,
            sender,
            scope,
            closed,
            stop,
            pause,
            next_id: 0,
        };
        for (seat, listener) in listeners.iter().enumerate() {
            listener.set_nonblocking(true)?;
            let sender = lobby.sender.clone();
            let waiting = move || accept(seat, listener, &sender, closed);
            Builder::new().spawn_scoped(scope, waiting)?;
        }
        Ok(lobby)
    }

    pub(crate) fn is_taken(&self, seat: usize) -> bool {
        self.seats[seat].connection.is_some()
    }

    /// Sends a line to the client of a seat. A failed write disconnects the client.
    pub(crate) fn send(&mut self, seat: usize, line: &FromServer) {
        let Some(connection) = &mut self.seats[seat].connection else { return };
        // Some clients treat all available bytes as one line.
        if let Some(last) = connection.last_line {
            sleep(self.pause.saturating_sub(last.elapsed()));
        }
        let written = write_line(&connection.stream, &line.to_string());
        connection.last_line = Some(Instant::now());
        if written.is_err() {
            self.disconnect(seat);
        }
    }

    /// Disconnects the client of a seat and reports it as an event.
    pub(crate) fn disconnect(&mut self, seat: usize) {
        if self.is_taken(seat) {
            self.free(seat);
            self.pending.push_back(LobbyEvent::Disconnected { seat });
        }
    }

    fn free(&mut self, seat: usize) {
        if let Some(connection) = self.seats[seat].connection.take() {
            let _ = connection.stream.shutdown(Shutdown::Both); // it may be gone already
        }
    }

    /// The next event.
    pub(crate) fn next_event(&mut self, deadline: Option<Instant>) -> LobbyEvent {
        loop {
            if self.stop.load(Relaxed) {
                return LobbyEvent::Stopped;
            }
            if let Some(event) = self.pending.pop_front() {
                return event;
            }
            if let Some(seat) = (0..2).find(|&seat| self.admit(seat)) {
                return LobbyEvent::Connected { seat };
            }
            self.refuse_timed_out();
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            match self
                .queue
                .recv_timeout(left.map_or(POLL_INTERVAL, |left| left.min(POLL_INTERVAL)))
            {
                Ok(event) => {
                    if let Some(event) = self.handle(event) {
                        return event;
                    }
                }
                Err(RecvTimeoutError::Timeout) if left == Some(Duration::ZERO) => {
                    return LobbyEvent::TimedOut;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return LobbyEvent::Stopped,
            }
        }
    }

    fn handle(&mut self, event: ConnectionEvent) -> Option<LobbyEvent> {
        match event {
            ConnectionEvent::Connected { seat, stream } => {
                let waiting = &mut self.seats[seat].waiting;
                if waiting.len() < MAX_WAITING {
                    waiting.push_back((stream, Instant::now()));
                } else {
                    refuse(&stream);
                }
                None
            }
            ConnectionEvent::Received { seat, id, at, line } => {
                self.is_current(seat, id).then_some(LobbyEvent::Received { seat, at, line })
            }
            ConnectionEvent::Disconnected { seat, id } => self.is_current(seat, id).then(|| {
                self.free(seat);
                LobbyEvent::Disconnected { seat }
            }),
        }
    }

    fn is_current(&self, seat: usize, id: u64) -> bool {
        self.seats[seat].connection.as_ref().is_some_and(|connection| connection.id == id)
    }

    /// Gives a free seat to the first waiting connection; returns whether it did.
    fn admit(&mut self, seat: usize) -> bool {
        while !self.is_taken(seat) {
            let Some((stream, _)) = self.seats[seat].waiting.pop_front() else { return false };
            if self.seat_connection(seat, &stream).is_ok() {
                return true;
            }
        }
        false
    }

    fn seat_connection(&mut self, seat: usize, stream: &TcpStream) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let reader = LineReader::new(stream.try_clone()?)?;
        let (id, sender, closed) = (self.next_id, self.sender.clone(), self.closed);
        self.next_id += 1;
        let read = move || read_lines(seat, id, reader, &sender, closed);
        Builder::new().spawn_scoped(self.scope, read)?;
        let stream = stream.try_clone()?;
        self.seats[seat].connection = Some(Connection { id, stream, last_line: None });
        Ok(())
    }

    fn refuse_timed_out(&mut self) {
        for seat in &mut self.seats {
            while seat.waiting.front().is_some_and(|(_, since)| since.elapsed() >= WAITING_TIMEOUT)
            {
                if let Some((stream, _)) = seat.waiting.pop_front() {
                    refuse(&stream);
                }
            }
        }
    }
}

/// Refuses a connection to a taken seat.
fn refuse(mut stream: &TcpStream) {
    // Unread input would reset the connection before the answer arrives. All of this is a courtesy
    // and may fail.
    let _ = stream.set_nonblocking(true);
    let _ = stream.read(&mut [0; 1024]);
    let _ = write_line(stream, &FromServer::Refused.to_string());
    let _ = stream.shutdown(Shutdown::Both);
}

fn accept(
    seat: usize,
    listener: &TcpListener,
    queue: &SyncSender<ConnectionEvent>,
    closed: &AtomicBool,
) {
    while !closed.load(Relaxed) {
        match listener.accept() {
            Ok((stream, _)) => {
                if queue.send(ConnectionEvent::Connected { seat, stream }).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => sleep(ACCEPT_POLL_INTERVAL),
            // Too many open files, or a client that disconnected immediately: try again later.
            Err(_) => sleep(POLL_INTERVAL),
        }
    }
}

fn read_lines(
    seat: usize,
    id: u64,
    mut reader: LineReader,
    queue: &SyncSender<ConnectionEvent>,
    closed: &AtomicBool,
) {
    loop {
        let event = match reader.read_line(None, closed) {
            Ok(line) => ConnectionEvent::Received { seat, id, at: Instant::now(), line },
            Err(ReadError::Stopped) => return,
            Err(ReadError::Closed | ReadError::TimedOut) => {
                ConnectionEvent::Disconnected { seat, id }
            }
        };
        let over = matches!(event, ConnectionEvent::Disconnected { .. });
        if queue.send(event).is_err() || over {
            return;
        }
    }
}
